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

/* Draws the tree of live flows, a line each: name, handle, phase, clock, what it waits for, how
 * much is left and for how many frames it has waited, file:line of that await and of the calls
 * around it, where it was started, and why it is being cancelled; then the clocks that are paused
 * or scaled, and the flows whose scopes hold the pauses. A composition shows its branches and how
 * many have not ended: "race(signal 3, timer 1.500 s) 2/2 branches"; a predicate its name as
 * written. A wait that began in the last 256 frames shows its age exactly, an older one a lower
 * bound. O(live), and once more for each paused clock. */
void flow_world_dump(const flow_world *world, flow_text_sink sink, void *user);

/* Which flows are meant. Start from {0}, which means all; what is given must hold all at once. */
typedef struct flow_filter {
    flow_handle under; /* this flow, group or owner (flow_owner_handle), and what it owns */
    const char *name;  /* flows and groups called so, and what they own: "enemy", "enemy#12" */
    double waited;     /* those of them that have waited at least that many seconds of the clock
                          real; the rest is a way to find what hangs */
} flow_filter;

/* The same of those flows alone. */
void flow_world_dump_if(const flow_world *world, const flow_filter *filter, flow_text_sink sink,
                        void *user);

/* The same into a buffer, always terminated when capacity is not 0; returns the length of the whole
 * text. */
size_t flow_world_dump_text(const flow_world *world, char *buffer, size_t capacity);

/* What a flow or group is doing. */
typedef enum flow_activity {
    FLOW_ACTIVITY_GROUP,   /* it is a group, and does nothing by itself */
    FLOW_ACTIVITY_RUNNING, /* has code on the C stack */
    FLOW_ACTIVITY_WAITING, /* waits_for says what for */
    FLOW_ACTIVITY_READY,   /* goes on in step 6 of its phase */
    FLOW_ACTIVITY_HELD,    /* would go on, and is held by a pause of its clock */
    FLOW_ACTIVITY_CLOSING, /* its body is over, and its children are cleaning up */
    FLOW_ACTIVITY_CHANGING /* about to start or to end */
} flow_activity;

enum { FLOW_INFO_TEXT = 192 };

/* All that is known of one live flow or group: plain data, a copy. Texts that are pointed to are
 * static or the host's own (names of flows, groups and clocks). */
typedef struct flow_info {
    flow_handle flow;
    flow_handle owner; /* the flow or group that it ends with; null: the world */
    flow_activity activity;
    const char *name; /* with `number` where that is not negative */
    int number;
    int depth;         /* 1 for what the world owns */
    uint32_t children; /* flows and groups that it owns */
    flow_phase phase;
    const char *clock;
    const char *function; /* the innermost function that was called; a group's name */
    const char *file;     /* where that waits, or was last; null of a group */
    int line;
    const char *started;    /* where it was started, "spawn.c:40"; null where that is not known
                               (flow_start) and of a group */
    double remaining;       /* seconds that a timer has left, on its clock; negative: no timer */
    double waited;          /* seconds of the clock real that it has been waiting, at least */
    uint64_t waited_frames; /* the same in frames; both exact in the first 255 frames */
    int cancelling;         /* it was cancelled, and its finally sections go on: */
    flow_cause cause;       /* why */
    int stopping;           /* it was asked to stop */
    char waits_for[FLOW_INFO_TEXT]; /* as the dump says it: "waits for timer 1.500 s, for 3
                                       frames"; cut where it is longer */
    char path[FLOW_INFO_TEXT];      /* "game > in_game > battle" */
} flow_info;

/* Is told of one flow; 0 ends the walk. It may look at the world, also by other calls of this
 * header, and must change nothing in it: keep the handles, and cancel afterwards. */
typedef int (*flow_visitor)(void *user, const flow_info *info);

/* Tells of the live flows and groups that a filter means (null: all), owners before what they own,
 * the oldest first. Returns how many were told of. Takes no memory; fine inside a flow. O(live x
 * depth). */
uint32_t flow_world_walk(const flow_world *world, const flow_filter *filter, flow_visitor visit,
                         void *user);

/* The same of one: OK, or STALE and an empty *info. flow_state_of tells in less time whether it
 * lives, and flow_describe in words how it ended. O(depth + children). */
flow_status flow_info_of(const flow_world *world, flow_handle flow, flow_info *info);

/* Is the world stuck: is there no flow that a coming tick could make go on, since each waits for a
 * signal, for another's end, for ever, or for a clock that is paused or stands? Returns how many
 * flows are stuck and, where sink is not null, draws them as flow_world_dump does; 0 when something
 * can go on, or nothing lives. Only the host knows whether it will emit or release something: ask
 * when it will not. O(live). */
uint32_t flow_world_stuck(const flow_world *world, flow_text_sink sink, void *user);

/* One line on what a handle names, for the message about a stale one: a live flow's line of the
 * dump; "enemy #12.3 ended in frame 120: done", "...: failed with 7, lost the way (enemy.c:31)",
 * "...: cancelled (enemy.c:20)" (by flow_cancel) or "...: cancelled, owner ended (enemy.c:20)" with
 * the line where its first function was, for the last 256 that ended and for others as long as
 * their slots are free; else that it ended too long ago. Terminated where
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
