/* SPDX-License-Identifier: MIT */
/*
 * Intervals: a beat that keeps its grid.
 *
 *     struct spawner { flow_frame base; flow_interval beat; uint64_t count; };
 *
 *     (void)flow_interval_begin(flow, &self->beat, 0.1, FLOW_CLOCK_INHERIT);
 *     for (;;) {
 *         FLOW_AWAIT(flow_interval_next(&self->beat, &self->count));
 *         spawn_wave(self->count);
 *     }
 *
 * The k-th beat is due k periods after the begin, whenever the flow came to wait for it: lateness,
 * long bodies and hitches shift nothing. Beats that have passed meanwhile come as one, with their
 * number. World's thread only.
 */
#ifndef FLOW_INTERVAL_H
#define FLOW_INTERVAL_H

#include "flow/wait.h"

FLOW_EXTERN_C_BEGIN_

/* A beat, in the frame of the flow that keeps it. Copyable while nobody waits on it. */
typedef struct flow_interval {
    double period;  /* seconds; as given */
    uint64_t beats; /* how many were given to a wait so far */
    int64_t origin_;
    uint64_t *out_;
    flow_clock clock_;
    uint32_t phase_;
} flow_interval;

/* Begins a beat at the last tick of the flow's phase; period is in seconds, at least 1e-9 and
 * finite, clock FLOW_CLOCK_INHERIT for the flow's own. May be called again: the beat begins anew.
 * OK, or MISUSE: then waits for it fail as that. A flow that changes phase takes the beat with it:
 * the time since the last beat counts on. O(1), takes no memory. */
flow_status flow_interval_begin(flow_task *flow, flow_interval *interval, double period,
                                flow_clock clock);

/* Until the next beat: at once when one has passed since the last that was given, else in the first
 * tick that reaches it. *count, if not null, is how many have passed, 1 unless there was a hitch or
 * the flow was elsewhere; a beat that loses a race stays to be given. Both must live until the wait
 * ends, and one wait at a time is on an interval. Fails as CLOSED when its clock has ended.
 * flow_lateness() tells by how much the first of them was missed. Costs what a timer costs. */
FLOW_NODISCARD_ FLOW_INLINE_ flow_wait flow_interval_next(flow_interval *interval, uint64_t *count)
{
    return flow_wait_of_(FLOW_WAIT_INTERVAL_, 0, interval, count);
}

FLOW_EXTERN_C_END_

#endif
