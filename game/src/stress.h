/* SPDX-License-Identifier: MIT */
/*
 * The stress test: thousands of enemies kept alive, and a NOVA every 300 frames. Alone in its
 * world, so that the world's own counters are the enemies'.
 */
#ifndef EMBERLINE_STRESS_H
#define EMBERLINE_STRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "flow/flow.h"

struct game;
struct engine;

enum { STRESS_NOVA_FRAMES = 300 };

/* A number of things done and the time they took. */
struct stress_cost {
    uint64_t count;
    int64_t ns;
};

struct stress {
    struct stress_cost start;
    struct stress_cost resume;
    struct stress_cost cancel;
    uint64_t started;   /* this frame's */
    uint64_t cancelled; /* this frame's */
    uint64_t resumed;   /* by the end of the last frame */
    int novas;
    flow_vote safe; /* nothing hurts the phantom */
};

/* Registers the callbacks that fill the field and fire NOVA. False with an error in the engine. */
bool stress_register(struct game *game);

/* Flies the phantom that chasers chase by a step. */
void stress_move_phantom(struct game *game);

/* What a callback of the engine took in this frame, ns; 0 where there is none of this name. */
int64_t stress_cost_of(const struct engine *engine, const char *name);

/* Begins: in place of the root flow. */
void stress_begin(struct game *game);

/* Ends it: every enemy is cancelled. */
void stress_end(struct game *game);

/* In END: books this frame's costs. */
void stress_book(struct game *game);

/* Prints one JSON line. False where writing failed. */
bool stress_print(const struct game *game, FILE *file);

/* In RENDER. */
void stress_draw(struct game *game);

#endif
