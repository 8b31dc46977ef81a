/* SPDX-License-Identifier: MIT */
/*
 * --bench: scenes whose cost is measured, one JSON line each.
 */
#ifndef EMBERLINE_BENCH_H
#define EMBERLINE_BENCH_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct game;
struct options;

enum bench {
    BENCH_NONE,
    BENCH_IDLE,       /* the title */
    BENCH_WAVE,       /* the third wave, played by the pilot */
    BENCH_NOVA500,    /* 500 enemies kept alive and cancelled in one frame, twice */
    BENCH_NOVA5000,   /* 5,000 of them */
    BENCH_TRANSITION, /* a screen with 600 enemies closed under its wipe */
    BENCH_LOAD        /* the boot, by workers */
};

struct bench_state {
    uint64_t cancelled;       /* by the end of the last frame */
    uint64_t event_cancelled; /* the most in one frame, */
    uint64_t event_frame;     /* which one it was, */
    int64_t event_work_ns;    /* its work, */
    double event_cancel_ns;   /* and what a cancel in it took */
    uint64_t close_ns;        /* that the last end of a screen took */
    int missing;              /* enemies that did not fit in */
};

/* Sets the options of a bench by its name. False for an unknown one. */
bool bench_choose(struct options *options, const char *name);

/* In END: does what the scene needs, and looks at what the frame cost. */
void bench_book(struct game *game);

/* Prints the JSON line. False where writing failed. */
bool bench_print(const struct game *game, FILE *file);

#endif
