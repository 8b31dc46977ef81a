/* SPDX-License-Identifier: MIT */
/*
 * The profiler on the screen. F3: nothing, the frames as bars, the culprits, the live tree; F4
 * freezes what is shown, and a cursor (comma, period) goes over the last 240 frames then; F5 writes
 * them as a trace, and what the overlay says as text. Nothing is recorded while it is frozen, so
 * that what is shown can be written.
 */
#ifndef EMBERLINE_OVERLAY_H
#define EMBERLINE_OVERLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/engine.h"
#include "flow/flow.h"

struct game;

enum {
    OVERLAY_LEVELS = 4, /* none, bars, culprits, tree */
    OVERLAY_TREE_LINES = 25,
    OVERLAY_LINE = 80 /* characters in a line of the screen, and the zero */
};

struct overlay {
    int level;
    bool frozen;
    int cursor;                   /* the age of the frame that is shown while frozen */
    int64_t own_ns;               /* what drawing it costs, a running mean */
    char note[64];                /* of a trace that was written, or not */
    int note_frames;              /* that it is still shown */
    bool writes_text;             /* what is drawn next is written, too */
    char (*screen)[OVERLAY_LINE]; /* by pixel's row, while what is drawn is written; else null */
    int tree_age;                 /* frames since the tree was drawn up */
    uint32_t tree_count;          /* live flows then */
    int tree_lines;
    bool tree_cut; /* there were more */
    int tree_seen; /* flows that it tells of */
    struct {
        const char *name, *file;
        int depth, line, count;
    } tree_last; /* those of the last line, alike but for what they wait for */
    char tree[OVERLAY_TREE_LINES][OVERLAY_LINE];
};

/* Untinted, which the software renderer draws in a quarter of the time. */
extern const struct engine_color overlay_white;

/* Registers it with the engine, after the game's own drawing. False with an error in the engine. */
bool overlay_register(struct game *game);

/* A line of text; cut at the screen's edge. */
void overlay_text(struct game *game, float x, float y, struct engine_color color, const char *text);

/* overlay_detail.c: below the bars, from y on. `frame` may be null: there is none yet. */
void overlay_draw_culprits(struct game *game, const flow_profile_frame *frame, float y);
void overlay_draw_tree(struct game *game, float y);

#endif
