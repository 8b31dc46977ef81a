/* SPDX-License-Identifier: MIT */
/* Stages: how one is opened, and takes over the streams that it is given. */
#include "stream.h"
#include "task.h"

/* A stage takes its source over: its producer becomes a child of the stage's, and ends with it. */
static void adopt(flow_world *world, flow_task *stage, const flow_stream *source)
{
    flow_node *node = flow__stream_node(source);
    if (node == NULL) {
        return;
    }
    flow_node *release = node->sibling;
    flow__resource_pass(node->up.task, release, stage);
    node->up.task = stage;
    if (!(node->flags & FLOW_STREAM_OVER)) {
        flow_task *producer = node->on.object;
        flow_cold *cold = flow__cold(producer);
        flow__child_unlink(world, cold);
        flow__child_link(world, producer, cold, stage, flow__task_id(stage), stage->top_);
    }
}

/* What a stage is given: the stream itself, or why there is none. */
static flow_stream taken_over(flow_world *world, flow_task *flow, flow_stream *source)
{
    flow_stream taken = *source;
    const flow_node *node = flow__stream_node(source);
    if (node != NULL && (node->pos != 0 || (node->flags & FLOW_STREAM_HERE))) {
        (void)flow__misuse(world, flow, "a stream is given to a stage while a move of it waits");
        return (flow_stream){NULL, (uint32_t)FLOW_MISUSE, 0};
    }
    *source = (flow_stream){NULL, (uint32_t)FLOW_MISUSE, 0};
    return taken;
}

/* Opens a stream on an operator, which takes its sources over; null: it has none. */
flow_status flow__stage_open(flow_task *flow, flow_stream *stream, uint32_t size, const char *site,
                             const flow_function *fn, void *frame, flow_stream *source,
                             flow_stream *other)
{
    flow_world *world = flow__world_of(flow);
    flow_stage *stage = frame;
    if (flow__stream_refused(flow, stream)) {
        return FLOW_MISUSE;
    }
    stage->source = source ? taken_over(world, flow, source) : (flow_stream){0};
    if (other != NULL) {
        stage->other = taken_over(world, flow, other);
    }
    flow_status status =
        flow_stream_generate_(flow, stream, size, fn, frame, offsetof(flow_stage, yields), site);
    if (status == FLOW_OK) {
        const flow_node *node = stream->node_;
        adopt(world, node->on.object, &stage->source);
        if (other != NULL) {
            adopt(world, node->on.object, &stage->other);
        }
        return FLOW_OK;
    }
    flow_stream_end_(&stage->source);
    if (other != NULL) {
        flow_stream_end_(&stage->other);
    }
    return status;
}

/* Starts a flow that takes a stream over, and is none itself. */
flow_status flow__stage_start(flow_task *flow, const flow_function *fn, void *frame,
                              flow_stream *source, const char *site)
{
    flow_world *world = flow__world_of(flow);
    flow_stage *stage = frame;
    flow_status status;
    if (flow__stream_refused(flow, source)) {
        return FLOW_MISUSE;
    }
    stage->source = taken_over(world, flow, source);
    flow_task *task = flow__task_parked(world, fn, frame, flow, site, &status);
    if (task == NULL) {
        flow_stream_end_(&stage->source);
        return status;
    }
    adopt(world, task, &stage->source);
    world->count.started--; /* it counts as it starts */
    task->top_->flags_ &= (uint8_t)~FLOW_FRAME_CLEANED;
    flow__task_start(world, task);
    return FLOW_OK;
}
