/* SPDX-License-Identifier: MIT */
/*
 * A story: a world for a test, with an allocator that counts and can be made to fail, what the
 * world reported, and a log that the test's flows write and the test compares. story_end destroys
 * the world and asserts that nothing lives and no byte is left, and that every report was expected.
 */
#ifndef TESTS_STORY_H
#define TESTS_STORY_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "flow/flow.h"

enum { STORY_LOG = 8192, STORY_REPORTS = 16 };

/* A failure as it was reported; the path is copied. */
struct story_failure {
    flow_failure failure;
    char path[256];
};

/* Misuses of which the assert handler is told: none where flow is built without assertions. */
#ifdef FLOW_NO_ASSERT
#define STORY_MISUSES(count) (0 * (count))
#else
#define STORY_MISUSES(count) (count)
#endif

struct story {
    flow_world *world;
    char log[STORY_LOG]; /* words separated by one space */
    double fixed_dt;     /* of a step, seconds; default 0.010 */
    double accumulator;  /* of story_frame: game time not yet stepped */
    int max_steps;       /* default 5 */

    /* the allocator */
    long allocations; /* calls of alloc that succeeded */
    long frees;
    size_t bytes;    /* held now */
    long fail_at;    /* the call of alloc, counted from 1, that fails, and all after it; 0: none */
    long calls;      /* calls of alloc */
    long swept_from; /* of them, those of the world's creation (sweep.h) */

    /* reports; those that a test does not expect fail it in story_end */
    struct story_failure failures[STORY_REPORTS];
    int failure_count;
    flow_warning_id warnings[STORY_REPORTS];
    int warning_count;
    flow_warning warned; /* the last one, misuse aside; its text is copied */
    char warned_text[1024];
    int misuses;       /* calls of the assert handler */
    char misuse[1024]; /* the last rule */
    int expect_failures, expect_warnings, expect_misuses;
    /* Called inside on_failure and on_warning; may be null. */
    void (*on_report)(struct story *story);
};

/* Begins a story in a fresh world. desc may be null; its allocator, callbacks and user are
 * replaced. */
void story_begin(struct story *story, const flow_world_desc *desc);

/* The same, but the creation may fail: returns 0 when it did (the story needs no end then). */
int story_try_begin(struct story *story, const flow_world_desc *desc);

/* Destroys the world and checks that nothing is left and every report was expected. */
void story_end(struct story *story);

/* Destroys the world early, inside a test; story_end then only checks. */
flow_status story_destroy(struct story *story);

/* One frame of `ms` milliseconds: begin_frame, EARLY, FIXED (steps of fixed_dt from the accumulated
 * dt times the game clock's effective scale, at most max_steps), UPDATE, LATE, END. */
void story_frame(struct story *story, double ms);
void story_frames(struct story *story, int count, double ms);

/* Begin_frame and one tick of UPDATE of that many milliseconds. */
void story_update(struct story *story, double ms);

/* Adds a word to the story's log, as printf does. The story is found as the world's user. */
void story_log(struct story *story, const char *format, ...) __attribute__((format(printf, 2, 3)));
struct story *story_of(const flow_task *flow);

/* Asserts that the log reads so, and empties it. */
#define story_expect(story, text)                                                                  \
    do {                                                                                           \
        assert_string_equal((story)->log, (text));                                                 \
        (story)->log[0] = '\0';                                                                    \
    } while (0)

/* The log's 64-bit FNV-1a hash: a story's trace in one constant. */
uint64_t story_hash(const struct story *story);

/* The seed of a random test: EMBERLINE_TEST_SEED where it is set, else the default; printed, so
 * that a failure can be replayed. */
uint64_t story_seed(uint64_t otherwise);

/* Asserts counters: flows alive, wait records, timers. */
void story_alive(const struct story *story, uint32_t live, uint32_t waits, uint32_t timers);

#endif
