/* SPDX-License-Identifier: MIT */
/*
 * Wait nodes: 64 bytes that stand for one wait, or one leaf of a composition, wherever it waits. A
 * node that ends is out of everything before anyone is resumed.
 */
#include "private.h"

bool flow__nodes_grow(flow_world *world)
{
    flow_page *page;
    if (!flow__pool_grow(world, &world->nodes, &page)) {
        return false;
    }
    flow_node *node = (flow_node *)(void *)((char *)page + FLOW_PAGE_HEAD);
    memset(node, 0, FLOW_NODES_PER_PAGE * sizeof *node);
    uint32_t first = page->index == 0 ? 1 : 0; /* id 0 names nothing */
    for (uint32_t i = FLOW_NODES_PER_PAGE; i-- > first;) {
        node[i].sibling = world->free_nodes;
        world->free_nodes = &node[i];
    }
    return true;
}

flow_node *flow__node_take(flow_world *world)
{
    return flow__node_pop(world);
}

void flow__node_give(flow_world *world, flow_node *node)
{
    flow__node_push(world, node);
}

/* A node that is no wait of its own. */
flow_node *flow__aside_take(flow_world *world)
{
    flow_node *node = flow__node_take(world);
    world->count.waits -= node != NULL;
    return node;
}

void flow__aside_give(flow_world *world, flow_node *node)
{
    world->count.waits++;
    flow__node_give(world, node);
}

/* The flow that a node's wait belongs to. */
flow_task *flow__node_task(const flow_node *node)
{
    while (node->flags & FLOW_NODE_HAS_PARENT) {
        node = node->up.parent;
    }
    return node->up.task;
}

/* ---- leaving a wait ---- */

static void until_unlink(flow_world *world, flow_node *node)
{
    flow_lane *lane = world->lanes[node->pos];
    if (lane->until_next == node) {
        lane->until_next = node->next;
    }
    flow_node *before = node->code ? flow__node(world, (uint32_t)node->code) : NULL;
    *(before ? &before->next : &lane->until_first) = node->next;
    if (node->next != NULL) {
        node->next->code = node->code;
    } else {
        lane->until_last = before;
    }
    node->code = 0;
    node->prev = NULL;
    world->count.predicates--;
}

/* Out of those who wait for a flow's end. */
void flow__joiners_leave(flow_world *world, flow_node *node)
{
    flow_cold *cold = flow__cold(node->on.object);
    flow_node *first = flow__node(world, cold->joiners);
    if (node == first) {
        cold->joiners = node->next ? flow__node_id(node->next) : 0;
    } else {
        node->prev->next = node->next;
    }
    if (node->next != NULL) {
        node->next->prev = node->prev;
    } else if (node != first) {
        first->prev = node->prev;
    }
}

/* Takes a leaf out of what it waits for; the node stays its owner's. */
void flow__leaf_unlink(flow_world *world, flow_node *node)
{
    int kind = node->kind;
    flow_lane *lane = node->to.lane;
    node->kind = FLOW_NODE_DONE;
    switch (kind) {
    case FLOW_NODE_TICK:
        flow__queue_remove(world, &lane->ticks, node->pos);
        break;
    case FLOW_NODE_FRAME:
        flow__queue_remove(world, &lane->frames, node->pos);
        break;
    case FLOW_NODE_TICKS:
        flow__heap_stale(world, &lane->later_ticks);
        break;
    case FLOW_NODE_FRAMES:
        flow__heap_stale(world, &lane->later_frames);
        break;
    case FLOW_NODE_TIMER:
        world->count.timers--;
        flow__heap_stale(world, &lane->timers);
        break;
    case FLOW_NODE_UNTIL:
        until_unlink(world, node);
        break;
    case FLOW_NODE_SIGNAL:
        flow__waiter_drop(world, node);
        break;
    case FLOW_NODE_CHANGED:
        flow__aside_drop(world, node);
        break;
    case FLOW_NODE_HELD:
        flow__held_give_back(world, node);
        break;
    case FLOW_NODE_JOIN:
        flow__joiners_leave(world, node);
        break;
    case FLOW_NODE_MOVE:
    case FLOW_NODE_MOVED:
        flow__move_leave(node);
        break;
    case FLOW_NODE_JOB:
        flow__job_leave(node);
        break;
    default: /* the others stand nowhere */
        break;
    }
}

void flow__leaf_drop(flow_world *world, flow_node *node)
{
    flow__leaf_unlink(world, node);
    flow__node_give(world, node);
}

void flow__node_drop(flow_world *world, flow_node *node)
{
    flow_fault *fault = flow__fault_of_node(node);
    if (fault != NULL) {
        flow__fault_free(world, fault);
    }
    if (flow__is_composition(node)) {
        flow__compose_drop(world, node);
    } else {
        flow__leaf_drop(world, node);
    }
}

/* Takes a suspended flow out of what it waits for, so that it stands nowhere. */
void flow__wait_drop(flow_world *world, flow_task *task)
{
    flow_kind kind = (flow_kind)task->kind_;
    task->kind_ = FLOW_KIND_MARKED;
    switch (kind) {
    case FLOW_KIND_READY:
        flow__queue_remove(world, &world->ready[task->phase_], task->pos_);
        break;
    case FLOW_KIND_HELD:
        flow__queue_remove(world, &flow__home(world, task)->held, task->pos_);
        break;
    case FLOW_KIND_TICK:
        flow__queue_remove(world, &flow__home(world, task)->ticks, task->pos_);
        break;
    case FLOW_KIND_FRAME:
        flow__queue_remove(world, &flow__home(world, task)->frames, task->pos_);
        break;
    case FLOW_KIND_TIMER:
        world->count.timers--;
        flow__heap_stale(world, &flow__home(world, task)->timers);
        break;
    case FLOW_KIND_NODE:
        flow__node_drop(world, flow__node(world, task->pos_));
        break;
    case FLOW_KIND_FREE:
    case FLOW_KIND_EMBRYO:
    case FLOW_KIND_PREPARING:
    case FLOW_KIND_QUEUED:
    case FLOW_KIND_RUNNING:
    case FLOW_KIND_MARKED:
    case FLOW_KIND_PARKED:
    case FLOW_KIND_CLOSING:
    case FLOW_KIND_GROUP:
    case FLOW_KIND_AWAY:
        break;
    }
    const flow_clock_state *clock = world->clocks[task->clock_];
    task->clock_ =
        clock->ended ? clock->parent : task->clock_; /* it has left the ended clock's lanes */
    task->flags_ &= (uint16_t)~FLOW_TASK_LEAVING;
    if (task->flags_ & FLOW_TASK_RESULT) {
        task->flags_ &= (uint16_t)~FLOW_TASK_RESULT;
        if (task->budget_ != 0) {
            flow__node_drop(world, flow__node(world, task->budget_));
        }
    }
}

/* ---- ending a wait ---- */

/* What a completed node holds; its failure record passes to the caller. */
flow_result flow__node_result(const flow_node *node)
{
    flow_result result = {node->code, NULL, flow__fault_of_node(node)};
    if (result.code != 0) {
        result.message =
            node->flags & FLOW_NODE_SAYS ? node->on.message : flow_status_text(result.code);
    }
    return result;
}

/* A leaf that has been taken out of what it waited for ends with a code. run_now: in the step that
 * ends it; else, and for every composition, its flow is queued. */
void flow__node_end(flow_world *world, flow_node *node, int code, bool run_now)
{
    if (node->flags & FLOW_NODE_MOVES) {
        FLOW_FAULT_(10) node->code = FLOW_UPDATE;
        flow__node_task(node)->phase_ = (uint8_t)node->code;
    }
    node->kind = FLOW_NODE_DONE;
    node->code = code;
    if (node->flags & FLOW_NODE_HAS_PARENT) {
        flow__branch_done(world, node);
        return;
    }
    flow_task *task = node->up.task;
    if (code == 0) {
        task->budget_ = node->branch; /* why it resumes */
        flow__node_push(world, node);
    } else {
        task->budget_ = flow__node_id(node);
        task->flags_ |= FLOW_TASK_RESULT;
    }
    if (run_now) {
        flow__wake(world, task);
    } else {
        flow__queue_ready(world, task);
    }
}

/* A leaf ends well with what its flow takes when it goes on (flow__value_take), and not before. */
void flow__node_end_kept(flow_world *world, flow_node *node, flow_node_kind kind)
{
    node->kind = (uint8_t)kind;
    node->code = 0;
    if (node->flags & FLOW_NODE_HAS_PARENT) {
        flow__branch_done(world, node);
        return;
    }
    flow_task *task = node->up.task;
    task->budget_ = flow__node_id(node);
    task->flags_ |= FLOW_TASK_RESULT;
    flow__queue_ready(world, task);
}

static bool predicate_holds(flow_world *world, const flow_node *node)
{
    if (!flow__profiled(world)) {
        return node->on.test(node->to.arg) != 0;
    }
    flow__profile_predicate(world, node);
    bool holds = node->on.test(node->to.arg) != 0;
    flow__profile_close(world);
    return holds;
}

/* Step 5 for one lane: predicates in the order they began, those that were there when the tick
 * began. */
void flow__until_pass(flow_world *world, const flow_clock_state *clock, flow_lane *lane,
                      uint32_t last)
{
    flow_node *node = lane->until_first;
    while (node != NULL && !flow__began_since(world, node->seq, last) && !clock->paused) {
        uint32_t seq = node->seq;
        lane->until_next = node->next;
        bool holds = predicate_holds(world, node);
        if (holds && node->kind == FLOW_NODE_UNTIL &&
            node->seq == seq) { /* it may have cancelled its own flow */
            lane->until_next = node->next;
            flow__leaf_unlink(world, node);
            flow__node_end(world, node, 0, true);
        }
        flow__outermost(world);
        node = lane->until_next;
    }
    lane->until_next = NULL;
}

/* Tells all who wait for a flow's end, in the order they began; a called branch takes the failure
 * with it. */
void flow__joiners_tell(flow_world *world, flow_task *task, const flow_outcome *outcome,
                        flow_fault **fault)
{
    flow_cold *cold = flow__cold(task);
    while (cold->joiners != 0) {
        flow_node *node = flow__node(world, cold->joiners);
        if (node->kind == FLOW_NODE_STREAM) {
            flow__stream_over(world, node, outcome, fault);
            continue;
        }
        flow__leaf_unlink(world, node);
        if (node->to.out != NULL) {
            *(flow_outcome *)node->to.out = *outcome;
        }
        if (!(node->flags & FLOW_NODE_OWNS)) {
            flow__node_end(world, node, 0, false);
            continue;
        }
        node->pos = (uint32_t)outcome->cause;
        int code = outcome->state == FLOW_STATE_FAILED      ? outcome->code
                   : outcome->state == FLOW_STATE_CANCELLED ? FLOW_CANCELLED
                                                            : 0;
        if (*fault != NULL) {
            flow__fault_to_node(*fault, node);
            *fault = NULL;
        }
        flow__node_end(world, node, code, false);
    }
}
