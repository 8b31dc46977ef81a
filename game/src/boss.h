/* SPDX-License-Identifier: MIT */
/*
 * The boss: its body in the arena, and the flow that is its whole life.
 */
#ifndef EMBERLINE_BOSS_H
#define EMBERLINE_BOSS_H

#include <stdbool.h>

#include "flow/flow.h"

struct boss_body;
struct game;

enum { BOSS_HEALTH = 600, BOSS_SCORE = 25000 };

/* How near to its middle it is hit, pixels. */
#define BOSS_RADIUS 27.0F

/* Comes, fights, and ends when it is beaten. */
struct boss {
    flow_frame base;
    struct game *game;
    struct boss_body *body;
    flow_clock clock; /* its own, below the game's */
    int phase;        /* 0 to 2 */
    int limit;        /* the health at which the phase is over */
    int winner;
};
FLOW_DECLARE(boss);

/* Shows its name and health, as long as it is there. */
struct boss_bar {
    flow_frame base;
    struct game *game;
    uint64_t seen;
    int health;
    int present;
};
FLOW_DECLARE(boss_bar);

/* Takes health, as long as it is open to it. */
void boss_hurt(struct game *game, int damage);

/* What is left; 0 while it is not there. */
int boss_health(const struct boss_body *boss);

/* One fixed step of its body. */
void boss_step(struct boss_body *boss);

/* In RENDER. */
void boss_draw(struct game *game, float alpha);

#endif
