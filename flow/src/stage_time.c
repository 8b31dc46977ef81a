/* SPDX-License-Identifier: MIT */
/* Operators on streams that look at time, or run beside those who move them. */
#include "stream.h"

static flow_status open_timed(FLOW_STAGE_ARGS_, flow_stream *source, const flow_function *fn,
                              void *frame)
{
    return flow__stage_open(flow, stream, size, site, fn, frame, source, NULL);
}

/* The element that may be the last of its crowd lies in the slot. */
struct stream_debounce {
    FLOW_STAGE_HEAD__;
    double seconds;
    int quiet;
};

FLOW_STATIC(stream_debounce)
{
    const flow_outlet *outlet;
    FLOW_BEGIN;
    for (;;) {
        FLOW_MOVE__(&self->source);
        if (!self->source.more_) {
            break;
        }
        do {
            outlet = flow__yield_outlet(&self->yields);
            memcpy(outlet->slot, flow__moved(&self->source), outlet->size);
            FLOW_TIMEOUT(&self->quiet, flow_stream_next_(&self->source, NULL, &self->source.more_),
                         self->seconds);
        } while (!self->quiet && self->source.more_);
        FLOW_YIELD__(flow__yield_outlet(&self->yields)->slot);
    }
    FLOW_END;
}

flow_status flow_stream_debounce_(FLOW_STAGE_ARGS_, flow_stream *source, double seconds)
{
    struct stream_debounce frame = {.seconds = seconds};
    return open_timed(flow, stream, size, site, source, FLOW_FUNCTION(stream_debounce), &frame);
}

/* Times in nanoseconds of its clock. */
struct stream_throttle {
    FLOW_STAGE_HEAD__;
    int64_t pause;
    int64_t open_at; /* nothing passes before */
};

static bool throttle_passes(const flow_task *flow, struct stream_throttle *self)
{
    const flow_world *world = flow__world_of(flow);
    int64_t now = world->clocks[flow->clock_]->time[flow->phase_].now;
    if (now < self->open_at) {
        return false;
    }
    self->open_at = now + self->pause;
    return true;
}

FLOW_STATIC(stream_throttle)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_MOVE__(&self->source);
        if (!self->source.more_) {
            break;
        }
        if (throttle_passes(flow, self)) {
            FLOW_YIELD__(flow__moved(&self->source));
        }
    }
    FLOW_END;
}

flow_status flow_stream_throttle_(FLOW_STAGE_ARGS_, flow_stream *source, double seconds)
{
    struct stream_throttle frame = {.open_at = INT64_MIN};
    frame.pause = seconds > 0 ? (int64_t)((seconds < 9e9 ? seconds : 9e9) * 1e9 + 0.5) : 0;
    return open_timed(flow, stream, size, site, source, FLOW_FUNCTION(stream_throttle), &frame);
}

/* ---- a wait that lives as long as the stream ---- */

struct stream_bound {
    flow_frame base;
    flow_wait wait;
};

FLOW_STATIC(stream_bound)
{
    FLOW_BEGIN;
    FLOW_AWAIT(self->wait);
    FLOW_END;
}

/* What both do; `bound` is the child that awaits. */
#define BOUND_STAGE                                                                                \
    FLOW_STAGE_HEAD__;                                                                             \
    flow_handle bound;                                                                             \
    int which, more

#define MOVE_WITHIN_BOUND                                                                          \
    FLOW_RACE(self->which, flow_join(self->bound, NULL),                                           \
              flow_stream_next_(&self->source, NULL, &self->more))

struct stream_take_until {
    BOUND_STAGE;
};

FLOW_STATIC(stream_take_until)
{
    FLOW_BEGIN;
    for (;;) {
        MOVE_WITHIN_BOUND;
        if (self->which == 0 || !self->more) {
            break;
        }
        FLOW_YIELD__(flow__moved(&self->source));
    }
    FLOW_END;
}

struct stream_skip_until {
    BOUND_STAGE;
};

FLOW_STATIC(stream_skip_until)
{
    FLOW_BEGIN;
    do {
        MOVE_WITHIN_BOUND;
    } while (self->which != 0 && self->more);
    while (self->which == 0) {
        FLOW_MOVE__(&self->source);
        if (!self->source.more_) {
            break;
        }
        FLOW_YIELD__(flow__moved(&self->source));
    }
    FLOW_END;
}

flow_status flow_stream_until_(FLOW_STAGE_ARGS_, flow_stream *source, flow_wait wait, int skips)
{
    struct stream_take_until frame = {.which = 0};
    const flow_function *fn =
        skips ? FLOW_FUNCTION(stream_skip_until) : FLOW_FUNCTION(stream_take_until);
    flow_status status = open_timed(flow, stream, size, site, source, fn, &frame);
    if (status != FLOW_OK) {
        return status;
    }
    flow_world *world = flow__world_of(flow);
    const flow_node *node = stream->node_;
    flow_task *producer = node->on.object;
    struct stream_take_until *stage = (struct stream_take_until *)(void *)producer->top_;
    struct stream_bound bound = {.wait = wait};
    flow_options options = {.owner = flow__handle_of(producer)};
    stage->bound = flow_start(world, FLOW_FUNCTION(stream_bound), &bound, &options);
    if (stage->bound.generation == 0) {
        flow_stream_end_(stream);
        *stream = (flow_stream){NULL, (uint32_t)FLOW_NOMEM, 0};
        return FLOW_NOMEM;
    }
    return FLOW_OK;
}

/* ---- running ahead ---- */

/* Moves a stream for itself, into a signal. */
struct stream_pump {
    FLOW_STAGE_HEAD__;
    flow_signal signal;
    flow_outcome outcome;
    int more;
};

FLOW_STATIC(stream_pump)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_TRY(&self->outcome, flow_stream_next_(&self->source, NULL, &self->more));
        if (self->outcome.code != FLOW_OK) {
            flow_signal_fail_(&self->signal, self->outcome.code, self->outcome.message);
            FLOW_RETURN;
        }
        if (!self->more) {
            break;
        }
        (void)flow_emit_(&self->signal, flow__moved(&self->source));
    }
    flow_signal_close_(&self->signal);
    FLOW_END;
}

flow_status flow_stream_share_(flow_task *flow, flow_signal *signal, flow_stream *source,
                               const char *site)
{
    struct stream_pump frame = {.signal = *signal};
    return flow__stage_start(flow, FLOW_FUNCTION(stream_pump), &frame, source, site);
}

struct stream_queue {
    FLOW_STAGE_HEAD__;
    flow_signal signal;
    flow_subscription kept;
    flow_policy policy;
    uint32_t capacity;
    int closed;
};

static flow_status queue_begin(flow_task *flow, struct stream_queue *self)
{
    flow_status status = flow_signal_init_(&self->signal, flow__world_of(flow),
                                           flow__yield_outlet(&self->yields)->size);
    if (status == FLOW_OK) {
        status = flow_subscribe_(&self->kept, flow, &self->signal, self->policy, self->capacity);
    }
    return status == FLOW_OK ? flow_stream_share_(flow, &self->signal, &self->source, NULL)
                             : status;
}

FLOW_STATIC(stream_queue)
{
    flow_status status;
    FLOW_BEGIN;
    status = queue_begin(flow, self);
    if (status != FLOW_OK) {
        FLOW_FAIL(status, "a stream cannot run ahead");
    }
    for (;;) {
        FLOW_AWAIT(flow_next_or_closed_(&self->kept, flow__yield_outlet(&self->yields)->slot,
                                        &self->closed));
        if (self->closed) {
            break;
        }
        FLOW_YIELD__(flow__yield_outlet(&self->yields)->slot);
    }
    FLOW_FINALLY;
    flow_signal_fini_(&self->signal);
    FLOW_END;
}

flow_status flow_stream_queue_(FLOW_STAGE_ARGS_, flow_stream *source, flow_policy policy,
                               uint32_t capacity)
{
    struct stream_queue frame = {.policy = policy, .capacity = capacity};
    return open_timed(flow, stream, size, site, source, FLOW_FUNCTION(stream_queue), &frame);
}

#undef BOUND_STAGE
#undef MOVE_WITHIN_BOUND
