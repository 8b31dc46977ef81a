/* SPDX-License-Identifier: MIT */
/*
 * Intervals. A beat is a timer to the next point of the grid; when it goes off, the points that
 * have passed by then are given at once. Points are computed from the beginning, not from each
 * other, so that nothing adds up.
 */
#include "private.h"

#include <math.h>

flow_status flow_interval_begin(flow_task *flow, flow_interval *interval, double period,
                                flow_clock clock)
{
    flow_world *world = flow__world_of(flow);
    *interval = (flow_interval){.period = period};
    if (!(period >= 1e-9) || isinf(period)) {
        interval->period = 0.0;
        return flow__misuse(world, flow, "flow_interval_begin: the period is less than 1e-9 s");
    }
    interval->clock_ = clock != FLOW_CLOCK_INHERIT ? clock : flow_clock_of(flow);
    interval->phase_ = flow->phase_;
    interval->origin_ = flow_clock_now_ns(world, interval->clock_, (flow_phase)flow->phase_);
    return FLOW_OK;
}

static int64_t point(const flow_interval *interval, uint64_t beat)
{
    double ns = (double)beat * interval->period * 1e9 + 0.5;
    bool far = ns >= 4e18 || interval->origin_ > INT64_MAX - (int64_t)ns;
    return far ? INT64_MAX : interval->origin_ + (int64_t)ns;
}

/* Gives the beats that have passed; the next one has not. */
void flow__interval_beat(flow_interval *interval, int64_t now)
{
    double passed = (double)(now - interval->origin_) / (interval->period * 1e9);
    uint64_t beat = passed > 1.0 ? (uint64_t)passed - 1 : 0; /* the division may have rounded up */
    beat = beat > interval->beats ? beat : interval->beats + 1;
    for (int i = 0; i < 4 && point(interval, beat + 1) <= now; i++) {
        beat++;
    }
    if (interval->out_ != NULL) {
        *interval->out_ = beat - interval->beats;
    }
    interval->beats = beat;
}

/* When the next beat is due. The origin is a time of the clock in one phase: in another one the
 * flow has as far to go. */
int64_t flow__interval_due(flow_interval *interval, const flow_clock_state *clock, uint32_t phase)
{
    if (interval->phase_ != phase) {
        interval->origin_ += clock->time[phase].now - clock->time[interval->phase_].now;
        interval->phase_ = phase;
    }
    return point(interval, interval->beats + 1);
}
