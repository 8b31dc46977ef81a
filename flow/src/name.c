/* SPDX-License-Identifier: MIT */
/*
 * Names of instances. A name is a node behind all resources of its task, where no scope's cleanup
 * comes to it; it goes with the task. A flow without one is called as its function is.
 */
#include "private.h"

static flow_node *name_node(const flow_task *task)
{
    if (!(task->marks_ & FLOW_MARK_NAMED)) {
        return NULL;
    }
    flow_node *node = flow__node(flow__world_of(task), flow__cold(task)->resources);
    while (node->kind != FLOW_NODE_NAME) {
        node = node->sibling;
    }
    return node;
}

flow_name flow__name_of(const flow_task *task)
{
    const flow_node *node = name_node(task);
    return node ? (flow_name){node->on.message, node->code}
                : (flow_name){flow__task_name(task), -1};
}

/* What a frame is called in paths: the outermost one as its flow is, and so is a group, which has
 * none. */
flow_name flow__frame_name(const flow_task *task, const flow_frame *frame)
{
    return frame == NULL || flow__caller(task, frame) == NULL ? flow__name_of(task)
                                                              : (flow_name){frame->fn_->name, -1};
}

static flow_node *name_add(flow_world *world, flow_task *flow)
{
    flow_cold *cold = flow__cold(flow);
    flow_node *node = flow__node_take(world);
    if (node == NULL) {
        return NULL;
    }
    world->count.waits--; /* a name is no wait */
    node->kind = FLOW_NODE_NAME;
    if (cold->resources == 0) {
        cold->resources = flow__node_id(node);
    } else {
        flow_node *last = flow__node(world, cold->resources);
        while (last->sibling != NULL) {
            last = last->sibling;
        }
        last->sibling = node;
    }
    flow->marks_ |= FLOW_MARK_NAMED;
    return node;
}

flow_status flow_set_name(flow_task *flow, const char *text, int number)
{
    flow_node *node = name_node(flow);
    if (node == NULL && (node = name_add(flow__world_of(flow), flow)) == NULL) {
        return FLOW_NOMEM;
    }
    node->on.message = text ? text : flow__first_function(flow)->name;
    node->code = number;
    return FLOW_OK;
}
