/* SPDX-License-Identifier: MIT */
/*
 * Scripts: text files with one input a line, played into the engine's input layer.
 *
 *     # frame, what, which
 *     30  press   confirm
 *     34  release confirm
 *     90  axis    move_x -0.5
 *     120 press   key:escape
 *     150 pad     in
 *     151 press   pad:a
 *     160 axis    pad:leftx -1
 *     170 focus   lose
 *     180 resize  1280 720
 *     600 quit
 *
 * A recording (replay.h) is a script with some more kinds of lines.
 * A line acts in that frame's input, from frame 1 on. Frames never go back. `#` begins a comment.
 */
#ifndef EMBERLINE_SCRIPT_H
#define EMBERLINE_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "engine/engine.h"

enum { SCRIPT_ERROR_SIZE = 512 };

/* The last four are what recordings need beyond scripts. */
enum script_kind {
    SCRIPT_ACTION,
    SCRIPT_KEY,
    SCRIPT_AXIS,
    SCRIPT_PAD,
    SCRIPT_PAD_BUTTON,
    SCRIPT_PAD_AXIS,
    SCRIPT_FOCUS,
    SCRIPT_RESIZE,
    SCRIPT_QUIT,
    SCRIPT_TIME,  /* how long this and the next frames take */
    SCRIPT_STILL, /* the same, while game time stands still */
    SCRIPT_TOUCH, /* a real key or button went down */
    SCRIPT_HASH   /* the state's hash at the end of the frame */
};

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
    int code;        /* action, key, axis or button; of a resize the height */
    float value;     /* press 1, release 0; of an axis: -1 to 1, or pixels; of a resize the width */
    uint64_t number; /* of a hash, or ns of a time */
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

/* Reads the rest of an open file, whose next line has the number `first`. Else as script_load. */
bool script_read(struct script *script, FILE *file, const char *path, int first,
                 char error[SCRIPT_ERROR_SIZE]);

/* Reads a file. False with one line in `error` that names file, line and reason. */
bool script_load(struct script *script, const char *path, char error[SCRIPT_ERROR_SIZE]);

/* Frees the lines. */
void script_free(struct script *script);

/* A script that is being played. Start from {0}. */
struct script_player {
    struct engine_vec2 mouse;
    size_t at;
    bool touched;  /* this frame's lines said so */
    bool pad_gone; /* the same */
    bool away;     /* since a line said so */
};

/* Does what the lines up to a frame say: call it at the end of the frame before, so that they are
 * there in the frame's EARLY, and its time is that of the line. */
void script_play(struct script_player *player, struct engine *engine, const struct script *script,
                 long frame);

#endif
