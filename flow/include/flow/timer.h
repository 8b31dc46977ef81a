/* SPDX-License-Identifier: MIT */
/*
 * Timers: a callback after a time, or again and again, for code that is no flow.
 *
 *     flow_timer autosave;                             a member of the host's struct, all zero
 *     flow_timer_start(&game->autosave, world,
 *                      &(flow_timer_desc){.seconds = 60, .periodic = 1, .callback = save, .arg =
 * game}); flow_timer_restart(&game->autosave);             the minute begins anew
 *     flow_timer_stop(&game->autosave);
 *
 * A timer is a small flow of its own: its callback runs in a tick of its phase, in step 3, and the
 * dump shows it. A flow rather awaits flow_seconds or an interval, and may flow_join(timer.flow).
 * A struct that embeds one may be moved or copied: both then name the one timer. World's thread
 * only, also from inside callbacks and flows.
 */
#ifndef FLOW_TIMER_H
#define FLOW_TIMER_H

#include "flow/scope.h"

FLOW_EXTERN_C_BEGIN_

/* What a timer does; count is how many periods have passed, 1 unless there was a hitch. Not 0: it
 * failed, with a code of the user's or a flow_status, which goes to on_failure as UNHANDLED under
 * the timer's name, and a periodic timer goes on. Runs inside the world; it may start, stop and
 * restart timers, this one included. */
typedef int (*flow_timer_callback)(void *arg, uint64_t count);

/* What a timer is to do; start from {0}. */
typedef struct flow_timer_desc {
    double seconds; /* until it goes off, 0 and less: the next tick; or the period, at least 1e-9 */
    int periodic;   /* its k-th call is due k periods after the start, see interval.h */
    flow_timer_callback callback;
    void *arg;         /* borrowed until the timer ends */
    const char *name;  /* for dumps and reports; borrowed; null: "timer" */
    flow_handle owner; /* a group or flow that it ends with; null: the world */
    flow_phase phase;  /* FLOW_INHERIT: the owner's */
    flow_clock clock;  /* FLOW_CLOCK_INHERIT: the owner's */
} flow_timer_desc;

/* A timer. All zero: not started. */
typedef struct flow_timer {
    flow_handle flow; /* while it runs */
    flow_world *world_;
    flow_timer_desc desc_;
} flow_timer;

/* Starts it, after stopping it if it runs. OK; NOMEM; STALE: the owner has ended; CANCELLED: the
 * world is going away; MISUSE: no callback, a time that is not a number, a period too short, no
 * such clock or phase. It does not run then. */
flow_status flow_timer_start(flow_timer *timer, flow_world *world, const flow_timer_desc *desc);

/* Starts it anew, from now, with what it was last started with. As flow_timer_start; MISUSE for one
 * that never was. */
flow_status flow_timer_restart(flow_timer *timer);

/* Ends it: its callback is not called any more. One that does not run is left alone. */
void flow_timer_stop(flow_timer *timer);

/* Is it going to call? 0 when it was stopped, has gone off, or its owner has ended. O(1). */
int flow_timer_runs(const flow_timer *timer);

FLOW_EXTERN_C_END_

#endif
