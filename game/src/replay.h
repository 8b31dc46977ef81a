/* SPDX-License-Identifier: MIT */
/*
 * Recordings: what a run was given, frame by frame, and its state's hash every 60 steps.
 *
 * A recording is a script (script.h) after one line that says how the run began. Frames carry their
 * real time, so that a run at whatever frame rate is played again step for step.
 */
#ifndef EMBERLINE_REPLAY_H
#define EMBERLINE_REPLAY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "controls.h"
#include "options.h"
#include "script.h"

struct game;

/* A recording that is being written. Start from {0}. */
struct recorder {
    FILE *file;
    uint32_t down;             /* as of the last frame */
    float value[ACTION_COUNT]; /* written last */
    struct engine_vec2 mouse;
    int64_t time_ns;
    bool still;
    bool away;
    bool unwritten;
};

/* Reads a recording: its lines to `script`, how it began to `options`. False with one line in
 * `error` that names file, line and reason. */
bool replay_load(struct script *script, struct options *options, char error[SCRIPT_ERROR_SIZE]);

/* Creates the file of --record and writes how the run begins. False with one line in `error`. */
bool recorder_open(struct game *game, char error[ENGINE_ERROR_SIZE]);

/* Writes what this frame was given. In EARLY, when the input is there. */
void recorder_take(struct game *game);

/* Writes the state's hash. In END. */
void recorder_hash(struct game *game, uint64_t hash);

/* Ends the recording with this frame; once. */
void recorder_close(struct game *game);

/* Compares this frame's hashes with those recorded; the first that differs is printed, and ends the
 * run. In END. */
void replay_check(struct game *game);

#endif
