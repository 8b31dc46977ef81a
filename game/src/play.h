/* SPDX-License-Identifier: MIT */
/*
 * The player's flows, NOVA, and the director of waves: what a play is made of.
 */
#ifndef EMBERLINE_PLAY_H
#define EMBERLINE_PLAY_H

#include "flow/flow.h"

struct game;

/* The moth: from its first glow to its last life. */
struct moth {
    flow_frame base;
    struct game *game;
};
FLOW_DECLARE(moth);

/* Waits for a full charge and a held button, then ends every enemy at once. */
struct nova {
    flow_frame base;
    struct game *game;
    int winner;
};
FLOW_DECLARE(nova);

/* Sends waves until it is cancelled. */
struct waves {
    flow_frame base;
    struct game *game;
    int winner;
};
FLOW_DECLARE(waves);

/* How far a comet burns, pixels. */
#define COMET_RADIUS 20.0F

/* Ends all enemies, bursts and scores: what NOVA does in the step in which it fires. */
void nova_fire(struct game *game);

/* Its own steps of flight; player.c. */
void player_step(struct game *game);
void player_struck(struct game *game);

#endif
