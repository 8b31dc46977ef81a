/* SPDX-License-Identifier: MIT */
/*
 * Where flow and engine meet, and nowhere else.
 */
#ifndef EMBERLINE_GLUE_H
#define EMBERLINE_GLUE_H

#include <stdbool.h>

struct game;

/* Makes the world of flows. Null for want of memory. Reports go to stderr. */
struct flow_world *glue_create_world(struct game *game);

/* Registers the game's work and the flows' ticks with the engine's phases. False with an error in
 * the engine. */
bool glue_register(struct game *game);

/* Runs frames until someone quits; then cancels the root scope and goes on for up to two seconds,
 * for what finally sections await. Returns how many flows are left. */
int glue_run(struct game *game);

#endif
