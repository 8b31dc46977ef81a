/* SPDX-License-Identifier: MIT */
/*
 * Streams in a test: a source that does what its script says, and a flow that reads a stream and
 * writes what it gets.
 *
 * A script is a word: a digit is yielded, t awaits a tick, f fails with 7. When it is left it
 * writes its name and a dot. A reading writes each element, | at the end of the stream, ! and the
 * code of a failure, and ~ when it is left. Each tick that reading_run makes writes /.
 */
#ifndef TESTS_READING_H
#define TESTS_READING_H

#include "story.h"

typedef FLOW_STREAM(int) ints;
typedef FLOW_STREAM(int64_t) longs;

struct reading;
typedef void (*opener)(flow_task *flow, struct reading *self);

struct reading {
    flow_frame base;
    opener open;       /* opens `stream` */
    const char *a, *b; /* scripts */
    int busy;          /* ticks awaited after each element */
    ints stream, other;
    longs numbers;
    int n, more;
    flow_outcome outcome;
};
FLOW_DECLARE(reading);

/* Opens a stream on a script, for an opener. */
void script_open(flow_task *flow, ints *stream, const char *name, const char *steps);

/* Opens `stream` on the script a, `other` on the script b. */
void reading_open_a(flow_task *flow, struct reading *self);
void reading_open_both(flow_task *flow, struct reading *self);

/* Starts a reading, makes so many ticks of 10 ms, and cancels it where it has not ended. */
void reading_run(struct story *story, opener open, const char *a, const char *b, int ticks);

/* The same in a story of its own, which must read so, with nothing left. */
void reading_expect(opener open, const char *a, const char *b, int ticks, const char *text);

#endif
