/* SPDX-License-Identifier: MIT */
/*
 * The boot: everything is loaded by workers, side by side, under a bar.
 */
#ifndef EMBERLINE_BOOT_H
#define EMBERLINE_BOOT_H

#include "engine/types.h"
#include "flow/flow.h"
#include "slow_disk.h"

struct flow_sdl_pool;
struct game;

struct boot_state {
    flow_executor *executor;       /* of one of the two below */
    struct slow_disk disk;         /* for runs that shall be the same everywhere */
    struct flow_sdl_pool *pool;    /* null: none */
    int loaded;                    /* parts */
    float bar;                     /* what is shown of it, 0 to 1 */
    uint64_t ns;                   /* that it took */
    char error[ENGINE_ERROR_SIZE]; /* "": none */
};

/* Loads everything, or asks to quit, with a line in boot.error. */
struct boot {
    flow_frame base;
    struct game *game;
    flow_outcome outcome;
    uint64_t since;
};
FLOW_DECLARE(boot);

/* In RENDER. */
void boot_draw(struct game *game);

#endif
