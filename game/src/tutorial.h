/* SPDX-License-Identifier: MIT */
/*
 * The tutorial: who does not move, dash or fire by themselves is told how.
 */
#ifndef EMBERLINE_TUTORIAL_H
#define EMBERLINE_TUTORIAL_H

#include <stdbool.h>

#include "flow/flow.h"

struct game;

enum lesson_kind { LESSON_MOVE, LESSON_FIRE, LESSON_DASH, LESSON_COUNT };

struct tutorial_state {
    bool hints[LESSON_COUNT]; /* that are shown */
};

/* Ends when all has been done once; then it does not come again. */
struct tutorial {
    flow_frame base;
    struct game *game;
};
FLOW_DECLARE(tutorial);

/* In RENDER. */
void tutorial_draw(struct game *game);

#endif
