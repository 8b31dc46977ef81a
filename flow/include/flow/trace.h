/* SPDX-License-Identifier: MIT */
/*
 * Tracing: one event for each thing a world does, and a running hash of them all.
 *
 * Two runs of the same program with the same inputs give the same events in the same order, and so
 * the same hash, in every build; the first event that differs is where they part. Off, it costs one
 * predictable branch where the runtime looks for other rare things anyway. World's thread only.
 */
#ifndef FLOW_TRACE_H
#define FLOW_TRACE_H

#include "flow/diagnose.h"

FLOW_EXTERN_C_BEGIN_

typedef enum flow_trace_kind {
    FLOW_TRACE_START,  /* a flow's first slice begins */
    FLOW_TRACE_RESUME, /* a waiting flow goes on */
    FLOW_TRACE_END     /* a flow or group has ended, its finally sections have run */
} flow_trace_kind;

/* One event, valid during the call that tells of it. */
typedef struct flow_trace_event {
    flow_trace_kind kind;
    flow_state state; /* of END: DONE, FAILED or CANCELLED; else LIVE */
    uint64_t frame;   /* rendered frames so far */
    flow_phase phase; /* the flow's */
    flow_handle flow;
    const char *name; /* the flow's, with `number` where that is not negative */
    int number;
    const char *function; /* the innermost function; a group's name */
    uint32_t point;       /* where it goes on in that function: 0 its beginning, 1 its finally
                             section, from 2 on its awaits as they are written */
    const char *file;     /* the place of that, as far as it is known; no part of the hash */
    int line;
    uint64_t hash; /* of all events so far, this one included */
} flow_trace_event;

/* Is told of each event, inside the world: it may look at the world, and must not change it. */
typedef void (*flow_trace_sink)(void *user, const flow_trace_event *event);

/* Begins tracing, with a fresh hash; sink may be null, then there is the hash alone. What a sink
 * was set before gets no more. About 50 ns an event. */
void flow_world_trace(flow_world *world, flow_trace_sink sink, void *user);

/* Ends tracing; the hash stays as it is. */
void flow_world_trace_end(flow_world *world);

/* The hash of the events since tracing began: kinds, frames, phases, handles, names, functions,
 * points and states; no addresses, files or lines. Equal in every build. 0 before the first
 * flow_world_trace. O(1). */
uint64_t flow_world_trace_hash(const flow_world *world);

FLOW_EXTERN_C_END_

#endif
