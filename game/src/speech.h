/* SPDX-License-Identifier: MIT */
/*
 * Dialogue: lines that are said during a play are typed into a box at the foot of the field, one
 * after another.
 */
#ifndef EMBERLINE_SPEECH_H
#define EMBERLINE_SPEECH_H

#include "flow/flow.h"

struct game;

/* Static text both; `text` has at most two lines of 46 characters. */
struct line {
    const char *who;
    const char *text;
};

typedef FLOW_SIGNAL(struct line) line_signal;

struct speech_state {
    line_signal said;
    struct line line;
    int typed; /* characters of the text that are shown */
    float in;  /* how far the box has come, 0 to 1 */
};

/* Types the lines that are said, as long as its screen lives. In fixed steps, so that a pause holds
 * it, and what is pressed in a menu does not reach it. */
struct speech {
    flow_frame base;
    struct game *game;
    FLOW_SUBSCRIPTION(struct line) lines;
    int winner;
};
FLOW_DECLARE(speech);

/* Says a line: it waits for its turn. */
void speech_say(struct game *game, const char *who, const char *text);

/* In RENDER. */
void speech_draw(struct game *game);

#endif
