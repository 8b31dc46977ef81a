/* SPDX-License-Identifier: MIT */
/* What a host asks about flows and groups by their handles, and a flow about itself. */
#include "tape.h"

uint32_t flow_child_count(const flow_world *world, flow_handle flow)
{
    const flow_task *task = flow__task_of(world, flow);
    uint32_t count = 0;
    for (uint32_t id = task ? flow__cold(task)->last_child : 0; id != 0;
         id = flow__cold(flow__task(world, id))->older) {
        count++;
    }
    return count;
}

flow_status flow_cancel(flow_world *world, flow_handle flow)
{
    if (flow__elsewhere(world, "flow_cancel: called on another thread than the world's; there, "
                               "flow_cancel_any_thread does it")) {
        return FLOW_MISUSE;
    }
    flow_task *task = flow__task_of(world, flow);
    if (task == NULL) {
        world->count.stale++;
        return FLOW_STALE;
    }
    if (flow__listened(world)) {
        flow__tape_flow(world, FLOW_INPUT_CANCEL, flow, 0);
    }
    return flow__cancel(world, task, FLOW_CAUSE_EXPLICIT) ? FLOW_OK : FLOW_PENDING;
}

/* Is a member being cancelled that has not ended yet? */
static bool is_closing(const flow_world *world, const flow_task *group)
{
    for (uint32_t id = flow__cold(group)->last_child; id != 0;
         id = flow__cold(flow__task(world, id))->older) {
        if (flow__task(world, id)->flags_ & FLOW_TASK_CANCELLED) {
            return true;
        }
    }
    return false;
}

flow_status flow_group_clear(flow_world *world, flow_handle group)
{
    if (flow__elsewhere(world, "flow_group_clear: called on another thread than the world's")) {
        return FLOW_MISUSE;
    }
    flow_task *task = flow__task_of(world, group);
    if (task == NULL) {
        world->count.stale++;
        return FLOW_STALE;
    }
    if (task->top_ != NULL) {
        return flow__misuse(world, task, "flow_group_clear: the handle names a flow, not a group");
    }
    if (task->flags_ & FLOW_TASK_CANCELLED) {
        return FLOW_PENDING; /* it is ending itself */
    }
    if (flow__listened(world)) {
        flow__tape_flow(world, FLOW_INPUT_CLEAR, group, 0);
    }
    bool profiled = flow__profiled(world);
    if (profiled) {
        flow__profile_cancel(world, task);
    }
    flow__group_clear(world, task);
    if (profiled) {
        flow__profile_close(world);
    }
    task = flow__task_of(world, group);
    return task == NULL || !is_closing(world, task) ? FLOW_OK : FLOW_PENDING;
}

flow_status flow_request_stop(flow_world *world, flow_handle flow)
{
    if (flow__elsewhere(world, "flow_request_stop: called on another thread than the world's")) {
        return FLOW_MISUSE;
    }
    flow_task *task = flow__task_of(world, flow);
    if (task == NULL) {
        world->count.stale++;
        return FLOW_STALE;
    }
    if (flow__listened(world)) {
        flow__tape_flow(world, FLOW_INPUT_STOP, flow, 0);
    }
    task->flags_ |= FLOW_TASK_STOP;
    flow__away_stop(world);
    if (task->kind_ == FLOW_KIND_GROUP && !(task->flags_ & FLOW_TASK_PENDING)) {
        task->kind_ = FLOW_KIND_CLOSING;
        flow__owner_told(world, task);
    }
    return FLOW_OK;
}

int flow_stop_requested(const flow_task *flow)
{
    const flow_world *world = flow__world_of(flow);
    if (flow->kind_ == FLOW_KIND_AWAY) {
        return flow__away_stop_requested(flow);
    }
    while (flow != world->root && !(flow->flags_ & FLOW_TASK_STOP)) {
        flow = flow__task(world, flow__cold(flow)->owner);
    }
    return flow != world->root;
}

/* The free slot that still tells how a flow ended, or null. */
static const flow_task *remembered(const flow_world *world, flow_handle handle)
{
    if (handle.generation == 0 || handle.slot >> FLOW_ID_SHIFT >= world->tasks.pages ||
        (handle.slot & ((1u << FLOW_ID_SHIFT) - 1)) >= FLOW_TASKS_PER_PAGE) {
        return NULL;
    }
    const flow_task *task = flow__task(world, handle.slot);
    return task->kind_ == FLOW_KIND_FREE && flow__cold(task)->generation == handle.generation + 1
               ? task
               : NULL;
}

flow_state flow_state_of(const flow_world *world, flow_handle flow)
{
    if (flow__task_of(world, flow) != NULL) {
        return FLOW_STATE_LIVE;
    }
    const flow_task *task = remembered(world, flow);
    return task ? (flow_state)task->flags_ : FLOW_STATE_NONE;
}

flow_status flow_outcome_of(const flow_world *world, flow_handle flow, flow_outcome *outcome)
{
    if (flow__task_of(world, flow) != NULL) {
        *outcome = (flow_outcome){.state = FLOW_STATE_LIVE};
        return FLOW_PENDING;
    }
    const flow_task *task = remembered(world, flow);
    if (task == NULL) {
        *outcome = (flow_outcome){.state = FLOW_STATE_NONE, .code = FLOW_STALE};
        return FLOW_STALE;
    }
    *outcome = (flow_outcome){(flow_state)task->flags_, (flow_cause)task->cause_, 0, NULL, NULL, 0};
    if (outcome->state != FLOW_STATE_FAILED) {
        return FLOW_OK;
    }
    const flow_cold *cold = flow__cold(task);
    union {
        const char *text;
        flow_frame *frame;
    } kept;
    kept.frame = cold->owner_frame;
    *outcome = (flow_outcome){(flow_state)task->flags_, (flow_cause)task->cause_,
                              (int)task->budget_,       kept.text,
                              cold->what.file,          (int)cold->late};
    return FLOW_OK;
}

/* The top frame releases it when it ends, before what it has by now. */
void flow__resource_push(flow_task *flow, flow_node *node)
{
    flow_cold *cold = flow__cold(flow);
    node->up.frame = flow->top_;
    node->sibling = cold->resources ? flow__node(flow__world_of(flow), cold->resources) : NULL;
    cold->resources = flow__node_id(node);
    flow->top_->flags_ |= FLOW_FRAME_CLEANUPS;
}

/* Something that the running scope releases when it ends; null: no memory. */
flow_node *flow__resource_add(flow_task *flow, flow_node_kind kind)
{
    flow_world *world = flow__world_of(flow);
    if (flow->kind_ == FLOW_KIND_AWAY) {
        (void)flow__away_misused(flow, "what a scope owns is registered at home, not on a worker");
        return NULL;
    }
    flow_node *node = flow__aside_take(world);
    if (node != NULL) {
        node->kind = (uint8_t)kind;
        flow__resource_push(flow, node);
    }
    return node;
}

/* Out of the list, newest first, of what a flow's scopes release. */
static void resource_unlink(flow_task *flow, const flow_node *node)
{
    flow_world *world = flow__world_of(flow);
    flow_cold *cold = flow__cold(flow);
    flow_node *newer = NULL, *at = flow__node(world, cold->resources);
    for (; at != node; at = at->sibling) {
        newer = at;
    }
    if (newer != NULL) {
        newer->sibling = node->sibling;
    } else {
        cold->resources = node->sibling ? flow__node_id(node->sibling) : 0;
    }
}

/* What a scope was to release is released already. O(resources of the flow). */
void flow__resource_remove(flow_task *flow, flow_node *node)
{
    resource_unlink(flow, node);
    flow__aside_give(flow__world_of(flow), node);
}

/* The top frame of another flow releases it, as the newest of its own. */
void flow__resource_pass(flow_task *from, flow_node *node, flow_task *to)
{
    resource_unlink(from, node);
    flow__resource_push(to, node);
}

flow_status flow_defer(flow_task *flow, void (*fn)(void *arg), void *arg)
{
    flow_node *node = flow__resource_add(flow, FLOW_NODE_DEFER);
    if (node == NULL) {
        return FLOW_NOMEM;
    }
    node->on.cleanup = fn;
    node->to.arg = arg;
    return FLOW_OK;
}

flow_status flow_pause_clock(flow_task *flow, flow_clock clock)
{
    flow_world *world = flow__world_of(flow);
    flow_node *node = flow__resource_add(flow, FLOW_NODE_PAUSE);
    if (node == NULL) {
        return FLOW_NOMEM;
    }
    flow_status status = flow_clock_pause(world, clock);
    if (status == FLOW_OK) {
        node->code = (int32_t)clock;
    } else {
        flow__resource_remove(flow, node);
    }
    return status;
}

flow_clock flow_scope_clock(flow_task *flow, flow_clock parent, const char *name)
{
    flow_world *world = flow__world_of(flow);
    flow_node *node = flow__resource_add(flow, FLOW_NODE_CLOCK);
    if (node == NULL) {
        return FLOW_CLOCK_INHERIT;
    }
    flow_clock clock =
        flow_clock_create(world, parent != FLOW_CLOCK_INHERIT ? parent : flow_clock_of(flow), name);
    if (clock != FLOW_CLOCK_INHERIT) {
        node->code = (int32_t)clock;
    } else {
        flow__resource_remove(flow, node);
    }
    return clock;
}

flow_handle flow_self(const flow_task *flow)
{
    flow_handle none = {0, 0};
    return flow->kind_ == FLOW_KIND_AWAY ? none : flow__handle_of(flow);
}

flow_cause flow_cause_of(const flow_task *flow)
{
    return (flow_cause)flow->cause_;
}

uint64_t flow_frame_count(const flow_task *flow)
{
    return flow__world_of(flow)->frame;
}

flow_phase flow_phase_of(const flow_task *flow)
{
    return (flow_phase)flow->phase_;
}

flow_clock flow_clock_of(const flow_task *flow)
{
    const flow_clock_state *c = flow__world_of(flow)->clocks[flow->clock_];
    return ((flow_clock)c->generation << 16) | c->index;
}
