/* SPDX-License-Identifier: MIT */
/*
 * flow's profiler in this game: the engine's phases and callbacks are its zones, hitches go to
 * stderr, files and assertions as the command line asks. It records where an option asks for it,
 * and while the overlay is open.
 */
#ifndef EMBERLINE_PROFILING_H
#define EMBERLINE_PROFILING_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/engine.h"
#include "flow/flow.h"

struct game;

struct profiling {
    flow_profile *profile; /* null: nobody has asked yet */
    bool on;
    uint32_t passed;      /* a bit for each part of the frame that is open: 1, it is no zone */
    int64_t counted;      /* of --clock counted: its last reading, ns */
    char last_hitch[256]; /* its line, or the beginning */
    bool slow;            /* an assertion broke; it was printed */
};

/* Begins what the command line asks for: opens files, begins --inject-hitch. False with
 * a line in `error` that names the file and the reason. */
bool profiling_init(struct game *game, char error[ENGINE_ERROR_SIZE]);

/* The clock of --clock counted, for the engine: 100 ns after its last reading. `user` is the game.
 */
int64_t profiling_count(void *user);

/* Between two frames: ends one and begins the next; switches on and off. */
void profiling_next_frame(struct game *game);

/* After the last frame: ends it, closes the files, prints the summary and what broke. Files that
 * did not become whole count as game->unwritten. */
void profiling_end(struct game *game);

/* Frees it. Before its world ends. */
void profiling_free(struct game *game);

#endif
