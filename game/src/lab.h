/* SPDX-License-Identifier: MIT */
/*
 * The Stress Lab: as many embers as its slider says, each a flow; what a flow costs, live; one
 * button that cancels them all, and one for a flow with much to do. Both make one long frame, or,
 * spread, many that are hardly longer.
 */
#ifndef EMBERLINE_LAB_H
#define EMBERLINE_LAB_H

#include <stdbool.h>
#include <stdint.h>

#include "flow/flow.h"

struct game;

enum {
    LAB_MOST = 5000,
    LAB_STEP = 250,
    LAB_PIECES = 120,     /* that a plan is made of, 0.5 ms each */
    LAB_ENDS_A_STEP = 100 /* spread, so many embers end in a step */
};

struct lab_state {
    int wanted;       /* embers */
    int cancelled;    /* by the last press of the button */
    bool spread;      /* work is spread over frames */
    bool planning;    /* a plan is under way */
    uint64_t resumed; /* by the end of the last frame */
    double start_ns;  /* of a start, the ember's place on the field included; a mean that forgets */
    double resume_ns; /* of a resume, the flows' own work included; the same */
    double cancel_ns; /* of a cancel, its finally section included; of the last press */
};

struct lab {
    flow_frame base;
    struct game *game;
    int winner;
};
FLOW_DECLARE(lab);

/* Looks at what this frame cost. In END. */
void lab_book(struct game *game);

/* In RENDER. */
void lab_draw(struct game *game);

#endif
