/* SPDX-License-Identifier: MIT */
/*
 * A test kit: flows run in virtual time, and nothing that went wrong passes unseen.
 *
 *     flow_test test;
 *     flow_test_begin(&test, NULL);
 *     flow_handle door = FLOW_RUN(test.world, open_door, .speed = 2.0);
 *     flow_test_tick_for(test.world, 1.0, 0.1);
 *     flow_test_assert_waits(test.world, "open_door", "timer");
 *     flow_test_run_until_done(test.world, door, 5.0);
 *     flow_test_end(&test);
 *
 * Failures, warnings and misuse are recorded; flow_test_end fails when one was not accepted, or
 * when a flow still lives. What fails calls the test's handler, which by default prints the line
 * and aborts. A handler may jump out of the call (longjmp); one that returns makes the call return
 * 0. With cmocka:
 *
 *     static void failed(void *user, const char *message, const char *file, int line)
 *     {
 *         print_error("%s\n", message);
 *         _fail(file, line);
 *     }
 *
 * This header is not part of flow.h: a file that includes it is a test. Order is that of the world:
 * the kit only begins frames and ticks phases. World's thread only, outside of flows. One test at a
 * time and process: misuse goes through the one assert handler, which a test replaces until its
 * end. The functions that take a world also work on one that flow_test_begin did not make, with the
 * default handler.
 */
#ifndef FLOW_TEST_H
#define FLOW_TEST_H

#include "flow/diagnose.h"

FLOW_EXTERN_C_BEGIN_

/* Told that a test fails: one line of text, valid during the call, and the place in the test. */
typedef void (*flow_test_handler)(void *user, const char *message, const char *file, int line);

/* What a report tells of. */
typedef enum flow_test_kind {
    FLOW_TEST_FAILURE, /* as on_failure got it */
    FLOW_TEST_WARNING, /* as on_warning got it, misuse aside */
    FLOW_TEST_MISUSE   /* a broken rule: FLOW_WARNING_MISUSE */
} flow_test_kind;

/* One report of the world, kept until the test ends. */
typedef struct flow_test_report {
    flow_test_kind kind;
    int id;                    /* of a failure its code, of a warning its flow_warning_id */
    flow_failure_kind failure; /* of a failure: how it came to nobody */
    flow_handle flow;          /* whom it concerns, or the null handle */
    int accepted;              /* flow_test_accept_ named it */
    char text[480]; /* "game > battle failed with 7: the reason, at battle.c:12 (unhandled)" */
} flow_test_report;

enum { FLOW_TEST_REPORTS = 16 }; /* kept; later ones are counted, and fail the test at its end */

/* How a test runs; start from {0}. */
typedef struct flow_test_desc {
    const flow_world_desc *world; /* of the world to create, or null; its callbacks are called too,
                                     after the report was recorded; its user stays the world's */
    flow_test_handler on_error;   /* default: prints to stderr and aborts */
    flow_text_sink sink;          /* takes the dumps of what failed; default: stderr */
    void *user;                   /* handed to both */
} flow_test_desc;

/* A test in progress: memory of the caller's, which stays where it is from begin to end. Read the
 * world and the reports; the rest is the kit's own business. */
typedef struct flow_test {
    flow_world *world;
    flow_test_report reports[FLOW_TEST_REPORTS + 1]; /* the last: the newest of those beyond */
    int report_count;                                /* may exceed FLOW_TEST_REPORTS */
    flow_test_desc desc_;
    flow_world_desc host_; /* desc.world's callbacks */
    flow_assert_handler former_;
} flow_test;

/* Begins a test with a fresh world. desc may be null; what it points to is copied. Returns 1, or 0
 * after telling the handler that there was no memory. */
#define flow_test_begin(test, desc) flow_test_begin_((test), (desc), __FILE__, __LINE__)

/* Ends it: destroys the world and restores the assert handler, then fails if flows were alive (it
 * dumps them first; groups do not count) or a report was not accepted. Returns 1 or 0. */
#define flow_test_end(test) flow_test_end_((test), __FILE__, __LINE__)

/* ---- virtual time ---- */

/* The dt of frames where none is given, in seconds. */
#define FLOW_TEST_DT (1.0 / 60.0)

/* One frame of dt seconds: begin_frame, then a tick of EARLY, of FIXED (none while the game clock
 * stands still), UPDATE, LATE and END_OF_FRAME with that dt each, whatever the clock's scale.
 * Returns OK, or the first other status that a call of the world gave. A host with fixed steps of
 * another length calls its own frame instead. */
flow_status flow_test_frame(flow_world *world, double dt);

/* Frames of dt until that many seconds have passed: the last one reaches or passes them. Returns as
 * flow_test_frame does; MISUSE when dt is not above 0. */
flow_status flow_test_tick_for(flow_world *world, double seconds, double dt);

/* Frames of FLOW_TEST_DT until test(arg), asked before the first and after each, is nonzero.
 * Returns 1; 0 when that took more than `limit` seconds: then the world is dumped and the test
 * fails. */
#define flow_test_tick_until(world, test, arg, limit)                                              \
    flow_test_tick_until_((world), (test), (arg), (limit), __FILE__, __LINE__)

/* The same until a flow has ended, in whatever way: ask flow_outcome_of for it. A handle of which
 * nothing is known fails at once. */
#define flow_test_run_until_done(world, flow, limit)                                               \
    flow_test_run_until_done_((world), (flow), (limit), __FILE__, __LINE__)

/* ---- reports ---- */

/* Accepts the oldest report of its kind that is not accepted yet: a failure with that code, a
 * warning with that id, a misuse whose text contains `part`. Returns it, valid until the test ends;
 * fails and returns null when there is none. */
#define flow_test_accept_failure(test, code)                                                       \
    flow_test_accept_((test), FLOW_TEST_FAILURE, (code), "", __FILE__, __LINE__)
#define flow_test_accept_warning(test, id)                                                         \
    flow_test_accept_((test), FLOW_TEST_WARNING, (int)(id), "", __FILE__, __LINE__)
#define flow_test_accept_misuse(test, part)                                                        \
    flow_test_accept_((test), FLOW_TEST_MISUSE, (int)FLOW_WARNING_MISUSE, (part), __FILE__,        \
                      __LINE__)

/* ---- the live tree ---- */

/* Does a live flow have this path, "game > in_game > battle", or one that goes on from it? Names
 * from the root as flow_path gives them: groups, flows and the functions they call. Paths of up to
 * 64 names and 1,000 characters. O(live). */
int flow_test_has_path(const flow_world *world, const char *path);

/* Does a live flow with exactly this path wait for something that the dump calls so, or by words
 * that begin so: "timer", "signal", "race(timer", "next tick"? "ready", "held by a pause" and the
 * other words that a dump has for flows without a wait work too. */
int flow_test_waits_on(const flow_world *world, const char *path, const char *words);

/* The same as assertions, and that no flow lives. Return 1; dump the world and fail otherwise. */
#define flow_test_assert_path(world, path)                                                         \
    flow_test_assert_path_((world), (path), 1, __FILE__, __LINE__)
#define flow_test_assert_no_path(world, path)                                                      \
    flow_test_assert_path_((world), (path), 0, __FILE__, __LINE__)
#define flow_test_assert_waits(world, path, words)                                                 \
    flow_test_assert_waits_((world), (path), (words), __FILE__, __LINE__)
#define flow_test_assert_nothing_lives(world)                                                      \
    flow_test_assert_nothing_lives_((world), __FILE__, __LINE__)

int flow_test_begin_(flow_test *test, const flow_test_desc *desc, const char *file, int line);
int flow_test_end_(flow_test *test, const char *file, int line);
int flow_test_tick_until_(flow_world *world, flow_predicate test, void *arg, double limit,
                          const char *file, int line);
int flow_test_run_until_done_(flow_world *world, flow_handle flow, double limit, const char *file,
                              int line);
const flow_test_report *flow_test_accept_(flow_test *test, flow_test_kind kind, int id,
                                          const char *part, const char *file, int line);
int flow_test_assert_path_(const flow_world *world, const char *path, int wanted, const char *file,
                           int line);
int flow_test_assert_waits_(const flow_world *world, const char *path, const char *words,
                            const char *file, int line);
int flow_test_assert_nothing_lives_(const flow_world *world, const char *file, int line);

FLOW_EXTERN_C_END_

#endif
