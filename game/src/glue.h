/* SPDX-License-Identifier: MIT */
/*
 * Where flow and engine meet, and nowhere else.
 */
#ifndef EMBERLINE_GLUE_H
#define EMBERLINE_GLUE_H

#include <stdbool.h>
#include <stdint.h>

struct game;

/* Makes the world of flows. Null for want of memory. Reports go to stderr. */
struct flow_world *glue_create_world(struct game *game);

/* Workers for the game's files, or none: then, and where threads would make two runs of the same
 * inputs differ, they are loaded there and then. */
void glue_open_workers(struct game *game);
void glue_close_workers(struct game *game);

/* SDL's performance counter, ns. */
uint64_t glue_now_ns(void);

/* Registers the game's work and the flows' ticks with the engine's phases. False with an error in
 * the engine. */
bool glue_register(struct game *game);

/* Runs frames until someone quits; then cancels the root scope and goes on for up to two seconds,
 * for what finally sections await. Returns how many flows are left. */
int glue_run(struct game *game);

#endif
