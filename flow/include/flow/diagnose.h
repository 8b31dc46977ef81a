/* SPDX-License-Identifier: MIT */
/*
 * Diagnostics, the same in every build: what lives in a world, and what each flow waits for.
 *
 * World's thread, also from inside a flow. Nothing here takes memory or changes anything.
 */
#ifndef FLOW_DIAGNOSE_H
#define FLOW_DIAGNOSE_H

#include "flow/scope.h"

FLOW_EXTERN_C_BEGIN_

/* What a world has done and holds. Totals since it was created. */
typedef struct flow_counters {
    uint32_t live; /* flows alive now, groups not counted */
    uint32_t live_peak;
    uint64_t started;
    uint64_t ended;        /* in whatever way */
    uint64_t resumed;      /* slices after the first */
    uint64_t cancelled;    /* flows that ended CANCELLED */
    uint64_t failed;       /* flows that ended FAILED */
    uint64_t finally_runs; /* finally sections that began */
    uint64_t stale;        /* cancels, clears and joins of handles whose flow had ended */
    uint32_t timers;       /* timer waits now */
    uint32_t timers_peak;
    uint32_t predicates; /* predicate waits now */
    uint32_t waits; /* waits now that take a record: all but plain tick, frame and own-clock timer
                       waits */
    size_t bytes;   /* taken from the allocator now */
} flow_counters;

flow_counters flow_world_counters(const flow_world *world);

/* Takes a piece of text; not terminated. */
typedef void (*flow_text_sink)(void *user, const char *text, size_t length);

/* Draws the tree of live flows, a line each: name, handle, phase, clock, what it waits for and for
 * how many frames, file:line of that await; then the clocks that are paused or scaled, and the
 * flows whose scopes hold the pauses. O(live), and once more for each paused clock. */
void flow_world_dump(const flow_world *world, flow_text_sink sink, void *user);

/* The same into a buffer, always terminated when capacity is not 0; returns the length of the whole
 * text. */
size_t flow_world_dump_text(const flow_world *world, char *buffer, size_t capacity);

/* Is the world stuck: is there no flow that a coming tick could make go on, since each waits for a
 * signal, for another's end, for ever, or for a clock that is paused or stands? Returns how many
 * flows are stuck and, where sink is not null, draws them as flow_world_dump does; 0 when something
 * can go on, or nothing lives. Only the host knows whether it will emit or release something: ask
 * when it will not. O(live). */
uint32_t flow_world_stuck(const flow_world *world, flow_text_sink sink, void *user);

/* One line on what a handle names, for the message about a stale one: a live flow's line of the
 * dump; "enemy #12.3 ended in frame 120: done", "...: failed with 7, lost the way (enemy.c:31)",
 * "...: cancelled" (by flow_cancel) or "...: cancelled, owner ended", for the last 64 that ended
 * and for others as long as their slots are free; else that it ended too long ago. Terminated where
 * capacity is not 0; returns the length of the whole line. O(length). */
size_t flow_describe(const flow_world *world, flow_handle flow, char *buffer, size_t capacity);

/* Gives the running flow a name of its own, "enemy#12" for flow_set_name(flow, "enemy", 12), in
 * dumps, paths and reports of failures; a negative number is left out, text null is the name of its
 * function. text is static, or lives as long as the flow and what is kept of its end. May be called
 * again. OK, or NOMEM: the name is as it was. A record of 64 bytes of the world's, once a flow;
 * O(cleanups of the flow). */
flow_status flow_set_name(flow_task *flow, const char *text, int number);

/* The names from the root to the running function, "game > in_game > battle", cut to capacity;
 * returns its length. */
size_t flow_path(const flow_task *flow, char *buffer, size_t capacity);

/* A hash of the tree of live flows: names, owners, phases, clocks, states, resume points and
 * remaining times, no addresses. Equal in every build for the same story. O(live). */
uint64_t flow_world_hash(const flow_world *world);

FLOW_EXTERN_C_END_

#endif
