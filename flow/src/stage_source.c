/* SPDX-License-Identifier: MIT */
/* Sources of streams. */
#include "stream.h"

static flow_status open_source(FLOW_STAGE_ARGS_, const flow_function *fn, void *frame)
{
    return flow__stage_open(flow, stream, size, site, fn, frame, NULL, NULL);
}

/* ---- values ---- */

/* The value lies in the slot. */
struct stream_repeat {
    FLOW_STAGE_HEAD__;
    uint64_t times;
};

FLOW_STATIC(stream_repeat)
{
    FLOW_BEGIN;
    for (; self->times > 0; self->times--) {
        FLOW_YIELD__(flow__yield_outlet(&self->yields)->slot);
    }
    FLOW_END;
}

flow_status flow_stream_repeat_(FLOW_STAGE_ARGS_, const void *value, uint64_t times)
{
    struct stream_repeat frame = {.times = times};
    flow_status status =
        open_source(flow, stream, size, site, FLOW_FUNCTION(stream_repeat), &frame);
    if (status == FLOW_OK && value != NULL) {
        memcpy(flow__moved(stream), value, size);
    } else if (status == FLOW_OK) {
        memset(flow__moved(stream), 0, size);
    }
    return status;
}

struct stream_range {
    FLOW_STAGE_HEAD__;
    int at, end;
};

FLOW_STATIC(stream_range)
{
    FLOW_BEGIN;
    for (; self->at < self->end; self->at++) {
        FLOW_YIELD__(&self->at);
    }
    FLOW_END;
}

flow_status flow_stream_range_(FLOW_STAGE_ARGS_, int first, int end)
{
    struct stream_range frame = {.at = first, .end = end};
    return open_source(flow, stream, size, site, FLOW_FUNCTION(stream_range), &frame);
}

struct stream_array {
    FLOW_STAGE_HEAD__;
    const char *at;
    size_t left;
};

FLOW_STATIC(stream_array)
{
    FLOW_BEGIN;
    for (; self->left > 0; self->left--) {
        FLOW_YIELD__(self->at);
        self->at += flow__yield_outlet(&self->yields)->size;
    }
    FLOW_END;
}

flow_status flow_stream_array_(FLOW_STAGE_ARGS_, const void *array, size_t count)
{
    struct stream_array frame = {.at = array, .left = count};
    return open_source(flow, stream, size, site, FLOW_FUNCTION(stream_array), &frame);
}

/* ---- waits ---- */

struct stream_never {
    FLOW_STAGE_HEAD__;
};

FLOW_STATIC(stream_never)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_never());
    FLOW_END;
}

flow_status flow_stream_never_(FLOW_STAGE_ARGS_)
{
    struct stream_never frame = {0};
    return open_source(flow, stream, size, site, FLOW_FUNCTION(stream_never), &frame);
}

struct stream_fail {
    FLOW_STAGE_HEAD__;
    const char *message;
    int code;
};

FLOW_STATIC(stream_fail)
{
    FLOW_BEGIN;
    FLOW_FAIL(self->code, self->message);
    FLOW_END;
}

flow_status flow_stream_fail_(FLOW_STAGE_ARGS_, int code, const char *message)
{
    struct stream_fail frame = {.code = code, .message = message};
    return open_source(flow, stream, size, site, FLOW_FUNCTION(stream_fail), &frame);
}

struct stream_every {
    FLOW_STAGE_HEAD__;
    flow_wait wait;
    int64_t turn;
};

FLOW_STATIC(stream_every)
{
    FLOW_BEGIN;
    for (self->turn = 1;; self->turn++) {
        FLOW_AWAIT(self->wait);
        FLOW_YIELD__(&self->turn);
    }
    FLOW_END;
}

flow_status flow_stream_every_(FLOW_STAGE_ARGS_, flow_wait wait)
{
    struct stream_every frame = {.wait = wait};
    return open_source(flow, stream, size, site, FLOW_FUNCTION(stream_every), &frame);
}

struct stream_timer {
    FLOW_STAGE_HEAD__;
    double delay, period;
    flow_interval beat;
    uint64_t count;
    int64_t point; /* of the grid */
};

/* The grid begins when the first was due, however late that came. */
static void grid_begin(flow_task *flow, struct stream_timer *self)
{
    if (self->period > 0) {
        (void)flow_interval_begin(flow, &self->beat, self->period, FLOW_CLOCK_INHERIT);
        self->beat.origin_ -= (int64_t)(flow_lateness(flow) * 1e9 + 0.5);
    }
}

FLOW_STATIC(stream_timer)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_seconds(self->delay));
    grid_begin(flow, self);
    FLOW_YIELD__(&self->point);
    while (self->period > 0) {
        FLOW_AWAIT(flow_interval_next(&self->beat, &self->count));
        self->point += (int64_t)self->count;
        FLOW_YIELD__(&self->point);
    }
    FLOW_END;
}

flow_status flow_stream_timer_(FLOW_STAGE_ARGS_, double delay, double period)
{
    static const char rule[] = "flow_stream_timer: no such period";
    struct stream_timer frame = {.delay = delay, .period = period};
    if (period != 0 && !(period >= 1e-9 && period < 9e9)) {
        (void)flow__misuse(flow__world_of(flow), flow, rule);
        return flow_stream_fail_(flow, stream, size, site, FLOW_MISUSE, rule);
    }
    return open_source(flow, stream, size, site, FLOW_FUNCTION(stream_timer), &frame);
}

/* ---- what others give ---- */

struct stream_from {
    FLOW_STAGE_HEAD__;
    flow_source *from;
    int closed;
};

FLOW_STATIC(stream_from)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_AWAIT(flow_next_or_closed_(self->from, flow__yield_outlet(&self->yields)->slot,
                                        &self->closed));
        if (self->closed) {
            break;
        }
        FLOW_YIELD__(flow__yield_outlet(&self->yields)->slot);
    }
    FLOW_END;
}

flow_status flow_stream_from_(FLOW_STAGE_ARGS_, flow_source *source)
{
    struct stream_from frame = {.from = source};
    return open_source(flow, stream, size, site, FLOW_FUNCTION(stream_from), &frame);
}

struct stream_property {
    FLOW_STAGE_HEAD__;
    flow_property *property;
    uint64_t seen;
    flow_outcome outcome;
};

FLOW_STATIC(stream_property)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_TRY(&self->outcome, flow_property_changed_(self->property, &self->seen,
                                                        flow__yield_outlet(&self->yields)->slot));
        if (self->outcome.code == FLOW_CLOSED) {
            break;
        }
        if (self->outcome.code != FLOW_OK) {
            FLOW_FAIL(self->outcome.code, self->outcome.message);
        }
        FLOW_YIELD__(flow__yield_outlet(&self->yields)->slot);
    }
    FLOW_END;
}

flow_status flow_stream_property_(FLOW_STAGE_ARGS_, flow_property *property)
{
    struct stream_property frame = {.property = property};
    return open_source(flow, stream, size, site, FLOW_FUNCTION(stream_property), &frame);
}

/* What was yielded last lies in the slot. */
struct stream_watch {
    FLOW_STAGE_HEAD__;
    const void *variable;
};

FLOW_STATIC(stream_watch)
{
    const flow_outlet *outlet;
    FLOW_BEGIN;
    outlet = flow__yield_outlet(&self->yields);
    memcpy(outlet->slot, self->variable, outlet->size);
    for (;;) {
        FLOW_YIELD__(flow__yield_outlet(&self->yields)->slot);
        outlet = flow__yield_outlet(&self->yields);
        FLOW_AWAIT(FLOW_CALL(flow_value_changed, .value = self->variable, .seen = outlet->slot,
                             .size = outlet->size));
    }
    FLOW_END;
}

flow_status flow_stream_watch_(FLOW_STAGE_ARGS_, const void *variable)
{
    struct stream_watch frame = {.variable = variable};
    return open_source(flow, stream, size, site, FLOW_FUNCTION(stream_watch), &frame);
}
