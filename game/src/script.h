/* SPDX-License-Identifier: MIT */
/*
 * Scripts: text files with one input a line, played into the engine's input layer by a flow.
 *
 *     # frame, what, which
 *     30  press   confirm
 *     34  release confirm
 *     90  axis    move_x -0.5
 *     120 press   key:escape
 *     600 quit
 *
 * A line acts in that frame's input, from frame 1 on. Frames never go back. `#` begins a comment.
 */
#ifndef EMBERLINE_SCRIPT_H
#define EMBERLINE_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/engine.h"
#include "flow/flow.h"

enum { SCRIPT_ERROR_SIZE = 512 };

enum script_kind { SCRIPT_ACTION, SCRIPT_KEY, SCRIPT_AXIS, SCRIPT_QUIT };

/* Axes are pairs of actions, but for the two of the mouse. */
enum script_axis {
    SCRIPT_MOVE_X,
    SCRIPT_MOVE_Y,
    SCRIPT_AIM_X,
    SCRIPT_AIM_Y,
    SCRIPT_MOUSE_X,
    SCRIPT_MOUSE_Y,
    SCRIPT_AXIS_COUNT
};

struct script_line {
    long frame;
    enum script_kind kind;
    int code;    /* action, key or axis */
    float value; /* press 1, release 0; of an axis: -1 to 1, or pixels */
};

/* A script in memory. Start from {0}. */
struct script {
    struct script_line *lines; /* owned */
    size_t count;
    size_t capacity;
};

/* Adds what one line of text says; comments and blank lines add nothing. False with the reason in
 * `error`, static text. */
bool script_add(struct script *script, const char *text, const char **error);

/* Reads a file. False with one line in `error` that names file, line and reason. */
bool script_load(struct script *script, const char *path, char error[SCRIPT_ERROR_SIZE]);

/* Frees the lines. */
void script_free(struct script *script);

/* Plays a script to its end. Lives in END, so that a line is there in its frame's EARLY. */
struct script_player {
    flow_frame base;
    struct engine *engine;
    const struct script *script;
    struct engine_vec2 mouse;
    size_t at;
};
FLOW_DECLARE(script_player);

#endif
