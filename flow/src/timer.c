/* SPDX-License-Identifier: MIT */
/* Timers: a flow each, which holds a copy of what it is to do. */
#include "private.h"

#include <math.h>

struct timer {
    flow_frame base;
    flow_timer_desc desc;
    flow_interval beat;
    uint64_t count;
};

/* What it says of a failure stays with the host: the timer goes on. */
static void timer_call(flow_task *flow, const struct timer *timer)
{
    flow_world *world = flow__world_of(flow);
    int code = timer->desc.callback(timer->desc.arg, timer->count);
    if (code != 0) {
        flow__fault_report(world,
                           flow__fault_new(world, flow, code, "the callback of a timer failed"),
                           FLOW_FAILURE_UNHANDLED);
    }
}

FLOW_STATIC(timer)
{
    FLOW_BEGIN;
    self->count = 1;
    if (self->desc.name != NULL) {
        (void)flow_set_name(flow, self->desc.name, -1); /* without memory it is just a "timer" */
    }
    if (!self->desc.periodic) {
        FLOW_AWAIT(flow_seconds(self->desc.seconds));
        timer_call(flow, self);
        FLOW_RETURN;
    }
    (void)flow_interval_begin(flow, &self->beat, self->desc.seconds, FLOW_CLOCK_INHERIT);
    for (;;) {
        FLOW_AWAIT(flow_interval_next(&self->beat, &self->count));
        timer_call(flow, self);
    }
    FLOW_END;
}

static bool desc_valid(const flow_timer_desc *desc)
{
    bool time =
        desc->periodic ? desc->seconds >= 1e-9 && !isinf(desc->seconds) : !isnan(desc->seconds);
    return time && desc->callback != NULL;
}

/* Why was the flow refused? */
static flow_status refusal(const flow_world *world, const flow_timer_desc *desc)
{
    bool home = (unsigned)desc->phase < FLOW_PHASE_LIMIT &&
                (desc->clock == FLOW_CLOCK_INHERIT || flow__clock(world, desc->clock) != NULL);
    bool owned = desc->owner.generation == 0 || flow__task_of(world, desc->owner) != NULL;
    return !home               ? FLOW_MISUSE
           : !owned            ? FLOW_STALE
           : world->destroying ? FLOW_CANCELLED
                               : FLOW_NOMEM;
}

flow_status flow_timer_start(flow_timer *timer, flow_world *world, const flow_timer_desc *desc)
{
    struct timer run = {.desc = *desc};
    flow_options options = {.owner = desc->owner, .phase = desc->phase, .clock = desc->clock};
    flow_timer_stop(timer);
    if (!desc_valid(desc)) {
        return flow__misuse(world, world->current,
                            "flow_timer_start: no callback, or a time that is none");
    }
    timer->world_ = world;
    timer->desc_ = run.desc;
    timer->flow = flow_start(world, FLOW_FUNCTION(timer), &run, &options);
    if (timer->flow.generation == 0) {
        return refusal(world, &run.desc);
    }
    return flow_timer_runs(timer) ? FLOW_OK : FLOW_NOMEM;
}

flow_status flow_timer_restart(flow_timer *timer)
{
    flow_timer_desc desc = timer->desc_;
    if (timer->world_ == NULL) {
#ifndef FLOW_NO_ASSERT
        flow__assert_failed("flow_timer_restart: the timer was never started", __FILE__, __LINE__);
#endif
        return FLOW_MISUSE;
    }
    return flow_timer_start(timer, timer->world_, &desc);
}

void flow_timer_stop(flow_timer *timer)
{
    flow_handle flow = timer->flow;
    timer->flow = (flow_handle){0, 0};
    if (flow.generation != 0 && flow__task_of(timer->world_, flow) != NULL) {
        (void)flow_cancel(timer->world_, flow);
    }
}

int flow_timer_runs(const flow_timer *timer)
{
    return timer->world_ != NULL && flow__task_of(timer->world_, timer->flow) != NULL;
}
