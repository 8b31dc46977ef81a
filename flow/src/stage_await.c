/* SPDX-License-Identifier: MIT */
/*
 * Operators that call a flow function for each element, one after another. What it makes goes to
 * the stage's own memory: whoever moved may be gone when it has been made.
 */
#include "stream.h"

/* A call of a function that is known at run time alone, whose frame is zero but for what it maps.
 */
static flow_wait call_of(flow_frame **place, flow_task *flow, flow_frame *self,
                         const flow_mapper *mapper, const void *value, void *out)
{
    const flow_function *fn = mapper->fn;
    flow_maps maps = {value, out, mapper->arg};
    if (flow_take_(place, flow, self, fn, mapper->site)) {
        memset((char *)*place + sizeof **place, 0, fn->size - sizeof **place);
        **place = flow_head_(self, *place, fn);
        memcpy((char *)*place + mapper->maps, &maps, sizeof maps);
    }
    return flow_call_(place, flow, fn);
}

#define CALL_FOR(value, out) call_of(&flow_new_, flow, &self->base, &self->mapper, (value), (out))

struct stream_map_await {
    FLOW_STAGE_HEAD__;
    flow_mapper mapper;
};

FLOW_STATIC(stream_map_await)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_MOVE__(&self->source);
        if (!self->source.more_) {
            break;
        }
        FLOW_AWAIT(CALL_FOR(flow__moved(&self->source), flow__yield_outlet(&self->yields)->slot));
        FLOW_YIELD__(flow__yield_outlet(&self->yields)->slot);
    }
    FLOW_END;
}

flow_status flow_stream_map_await_(FLOW_STAGE_ARGS_, flow_stream *source, flow_mapper mapper)
{
    struct stream_map_await frame = {.mapper = mapper};
    return flow__stage_open(flow, stream, size, site, FLOW_FUNCTION(stream_map_await), &frame,
                            source, NULL);
}

struct stream_filter_await {
    FLOW_STAGE_HEAD__;
    flow_mapper mapper;
    int passes;
};

FLOW_STATIC(stream_filter_await)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_MOVE__(&self->source);
        if (!self->source.more_) {
            break;
        }
        self->passes = 0;
        FLOW_AWAIT(CALL_FOR(flow__moved(&self->source), &self->passes));
        if (self->passes) {
            FLOW_YIELD__(flow__moved(&self->source));
        }
    }
    FLOW_END;
}

flow_status flow_stream_filter_await_(FLOW_STAGE_ARGS_, flow_stream *source, flow_mapper mapper)
{
    struct stream_filter_await frame = {.mapper = mapper};
    return flow__stage_open(flow, stream, size, site, FLOW_FUNCTION(stream_filter_await), &frame,
                            source, NULL);
}

FLOW_DEFINE(flow_stream_each_)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_MOVE__(self->stream);
        if (!self->stream->more_) {
            break;
        }
        FLOW_AWAIT(CALL_FOR(flow__moved(self->stream), NULL));
    }
    flow_stream_end_(self->stream);
    FLOW_END;
}

#undef CALL_FOR
