/* SPDX-License-Identifier: MIT */
/*
 * Tasks: from a free slot to a flow and back. A slot's generation counts its ends, so that a handle
 * is valid exactly as long as its flow lives; how the flow ended stays readable in the slot until
 * the next one takes it.
 */
#include "task.h"

/* ---- slots ---- */

static void slots_free(flow_world *world, flow_task *newest, flow_task *oldest)
{
    oldest->top_ = (flow_frame *)(void *)world->free_tasks;
    world->free_tasks = newest;
}

static void batch_free(flow_world *world, flow_ended_batch *batch)
{
    if (batch->oldest != NULL) {
        slots_free(world, batch->newest, batch->oldest);
    }
    *batch = (flow_ended_batch){NULL, NULL};
}

/* A batch begins with that slot: the one before it rests, the one that has rested longest is free.
 */
FLOW_COLD_ void flow__ended_batch(flow_world *world, flow_task *oldest)
{
    world->ended[world->ended_at].newest = world->ended_newest;
    world->ended_newest = NULL;
    world->ended_at = (world->ended_at + 1) % FLOW_ENDED_BATCHES;
    batch_free(world, &world->ended[world->ended_at]);
    world->ended[world->ended_at].oldest = oldest;
}

/* Where no memory is to be had, the slots of those that ended last are used. */
static bool ended_free(flow_world *world)
{
    world->ended[world->ended_at].newest = world->ended_newest;
    world->ended_newest = NULL;
    world->ended_count = 0;
    for (uint32_t i = 0; i < FLOW_ENDED_BATCHES; i++) {
        batch_free(world, &world->ended[i]);
    }
    return world->free_tasks != NULL;
}

static bool tasks_grow(flow_world *world)
{
    flow_page *page;
    if (!flow__pool_grow(world, &world->tasks, &page)) {
        return ended_free(world);
    }
    memset((char *)page + FLOW_PAGE_HEAD, 0, FLOW_PAGE_USABLE);
    for (uint32_t i = FLOW_TASKS_PER_PAGE; i-- > 0;) {
        flow_task *task = flow__task(world, (page->index << FLOW_ID_SHIFT) | i);
        flow__cold(task)->generation = 1;
        slots_free(world, task, task);
    }
    return true;
}

static flow_task *slot_take(flow_world *world)
{
    return world->free_tasks != NULL || tasks_grow(world) ? flow__slot_take(world) : NULL;
}

/* The group that owns what nobody else does. */
bool flow__root_make(flow_world *world)
{
    flow_task *root = slot_take(world);
    if (root == NULL) {
        return false;
    }
    root->top_ = NULL;
    root->phase_ = FLOW_UPDATE;
    root->clock_ = FLOW_CLOCK_GAME;
    root->kind_ = FLOW_KIND_GROUP;
    flow__cold(root)->what.name = world->desc.name ? world->desc.name : "world";
    world->root = root;
    return flow__lane_made(world, FLOW_CLOCK_GAME, FLOW_UPDATE) != NULL;
}

/* A group is not counted among the flows, but has its share of the reserve. */
static void group_uncount(flow_world *world)
{
    world->groups--;
    world->chunks.task_limit++;
}

static void task_free(flow_world *world, flow_task *task)
{
    flow_cold *cold = flow__cold(task);
    flow__child_unlink(world, cold);
    while (cold->resources != 0) {
        flow_node *node = flow__node(world, cold->resources);
        cold->resources = node->sibling ? flow__node_id(node->sibling) : 0;
        world->count.waits++;
        flow__node_give(world, node);
    }
    flow__generation_next(cold);
    flow__slot_give(world, task);
}

/* A task owned by a scope, with room for its first frame. Null: no memory. */
flow_task *flow__task_new(flow_world *world, const flow_function *fn, flow_task *owner,
                          flow_frame *scope, const char *site)
{
    if (world->count.live >= world->chunks.task_limit &&
        !flow__reserve_for_tasks(world, world->count.live + 1)) {
        return NULL;
    }
    if (world->free_tasks == NULL && !tasks_grow(world)) {
        return NULL;
    }
    bool at_hand = flow__task_at_hand(world, fn);
    flow_task *task = flow__task_fill(world, fn, owner, scope, site);
    if (!at_hand && !flow__first_frame(world, task, fn)) {
        world->count.live--;
        task_free(world, task);
        return NULL;
    }
    return task;
}

/* A group is a task without frames; it is not counted as a flow. */
flow_task *flow__group_new(flow_world *world, flow_task *owner, flow_frame *scope)
{
    static const flow_function none = {NULL, "group", "", 0, sizeof(flow_frame), 16};
    uint32_t peak = world->count.live_peak;
    world->groups++;
    world->chunks.task_limit -= world->chunks.task_limit > 0;
    flow_task *group = flow__task_new(world, &none, owner, scope, NULL);
    if (group != NULL) {
        world->count.live--;
        world->count.live_peak = peak;
        group->top_ = NULL;
        group->kind_ = FLOW_KIND_GROUP;
        group->marks_ = FLOW_MARK_GROUP;
    } else {
        group_uncount(world);
    }
    return group;
}

void flow__group_free(flow_world *world, flow_task *group)
{
    group_uncount(world);
    task_free(world, group);
}

/* Takes back a task that was made and will not start. */
void flow__task_discard(flow_world *world, flow_task *task)
{
    flow__first_frame_begin(task);
    flow__frame_pop(world, task);
    world->count.live--;
    task_free(world, task);
}

flow_handle flow__handle_of(const flow_task *task)
{
    flow_handle handle = {flow__task_id(task), flow__cold(task)->generation};
    return handle;
}

/* ---- ending ---- */

static flow_outcome outcome_of(const flow_task *task, const flow_fault *fault)
{
    flow_outcome outcome = {FLOW_STATE_DONE, FLOW_CAUSE_NONE, 0, NULL, NULL, 0};
    if (task->flags_ & FLOW_TASK_CANCELLED) {
        outcome.state = FLOW_STATE_CANCELLED;
        outcome.cause = (flow_cause)task->cause_;
    } else if (fault != NULL) {
        outcome = flow__outcome_of_fault(fault);
    }
    return outcome;
}

/* What stays readable in the free slot. */
static void remember(const flow_world *world, flow_task *task, flow_cold *cold, flow_name name,
                     const flow_outcome *outcome)
{
    flow_ended *ended = (flow_ended *)(void *)task->first_;
    *ended = (flow_ended){NULL, name.number, name.text};
    task->pos_ = (uint32_t)world->frame;
    task->flags_ = (uint16_t)outcome->state;
    task->cause_ = (uint8_t)outcome->cause;
    task->budget_ = (uint32_t)outcome->code;
    cold->late = (uint32_t)outcome->line;
    cold->what.file = outcome->file;
    union {
        const char *text;
        flow_frame *frame;
    } kept;
    kept.text = outcome->message;
    cold->owner_frame = kept.frame;
}

/* A spawned child, or a resource, failed: its scope is left, and fails at its caller. */
void flow__scope_fail(flow_world *world, flow_task *owner, flow_frame *scope, flow_fault *fault)
{
    bool finally = scope->flags_ & FLOW_FRAME_FINALLY;
    bool over = (scope->flags_ & FLOW_FRAME_LEAVING) ||
                (owner->flags_ & (FLOW_TASK_CANCELLED | FLOW_TASK_CHILD_FAULT | FLOW_TASK_FAULT)) ||
                flow__scope_fails(world, owner, scope);
    if (finally || over) {
        flow__fault_report(world, fault, finally ? FLOW_FAILURE_CLEANUP : FLOW_FAILURE_UNDELIVERED);
        return;
    }
    flow__fault_to_task(world, fault, owner);
    fault->scope = scope;
    owner->flags_ |= FLOW_TASK_CHILD_FAULT;
    owner->cause_ = FLOW_CAUSE_FAULT;
    flow__stop(world, owner);
}

static void fail_group(flow_world *world, flow_task *group, flow_fault *fault)
{
    bool over = group->flags_ & FLOW_TASK_CANCELLED;
    flow__fault_report(world, fault, over ? FLOW_FAILURE_UNDELIVERED : FLOW_FAILURE_UNHANDLED);
    if ((group->flags_ & FLOW_TASK_FAIL_FAST) && !over) {
        group->flags_ |= FLOW_TASK_CANCELLED;
        group->cause_ = FLOW_CAUSE_FAULT;
        flow__stop(world, group);
    }
}

static void count_end(flow_world *world, const flow_outcome *outcome)
{
    world->count.live--;
    world->count.ended +=
        outcome->state == FLOW_STATE_DONE; /* the others are added when it is read */
    world->count.cancelled += outcome->state == FLOW_STATE_CANCELLED;
    world->count.failed += outcome->state == FLOW_STATE_FAILED;
}

/* The owner may have been waiting for just this child to finish its cleanup. */
void flow__owner_told(flow_world *world, flow_task *owner)
{
    if (owner->kind_ != FLOW_KIND_CLOSING) {
        return;
    }
    uint32_t youngest = flow__cold(owner)->last_child;
    if (youngest == 0 || flow__cold(flow__task(world, youngest))->owner_frame != owner->top_) {
        if (owner->flags_ & FLOW_TASK_PENDING) {
            flow__unmark(world, owner); /* a queue's place is where the list has its link */
        }
        owner->flags_ |= FLOW_TASK_LEAVING;
        flow__queue_ready(world, owner);
    }
}

/* A flow or group is over: everything in it has ended and its frames are gone but the first. */
void flow__task_end(flow_world *world, flow_task *task)
{
    flow_cold *cold = flow__cold(task);
    flow_task *owner = flow__task(world, cold->owner);
    flow_frame *scope = cold->owner_frame;
    flow_fault *fault = flow__fault_of(world, task);
    flow_outcome outcome = outcome_of(task, fault);
    flow_name name = flow__name_of(task);
    if (flow__profiled(world) && task->top_ != NULL) {
        flow__profile_end(world, task, outcome.state);
    }
    flow_outcome kept = outcome;
    if (outcome.state == FLOW_STATE_CANCELLED && task->top_ != NULL) {
        kept.file = task->top_->fn_->file; /* see cancelled_at in stuck.c */
        kept.line = (int)(task->top_->at_ >> 16);
    }
    if (fault != NULL && outcome.state != FLOW_STATE_CANCELLED) {
        flow__fault_detach(fault);
    }
    for (flow_fault *spare; (spare = flow__fault_of(world, task)) != NULL;) {
        fault = spare == fault ? NULL : fault;
        flow__fault_report(world, spare, FLOW_FAILURE_UNDELIVERED);
    }
    if (task->flags_ & FLOW_TASK_PENDING) {
        flow__unmark(world, task);
    }
    if (flow__traced(world)) {
        flow__trace(world, FLOW_TRACE_END, task, outcome.state);
    }
    if (task->flags_ & FLOW_TASK_OUTCOME) {
        flow_node *node = flow__node(world, cold->resources);
        *(flow_outcome *)node->to.out = outcome;
    }
    if (task->top_ != NULL) {
        flow__frame_pop(world, task);
        count_end(world, &outcome);
    } else {
        group_uncount(world);
    }
    flow__joiners_tell(world, task, &outcome, &fault);
    task_free(world, task);
    remember(world, task, cold, name, &kept);
    if (world->current == task) {
        world->current = NULL;
    }
    if (fault != NULL) {
        if (scope != NULL) {
            flow__scope_fail(world, owner, scope, fault);
        } else {
            fail_group(world, owner, fault);
        }
    }
    flow__owner_told(world, owner);
}

void flow__queue_ready(flow_world *world, flow_task *task)
{
    task->kind_ = FLOW_KIND_READY;
    (void)flow__queue_push(world, &world->ready[task->phase_], (uintptr_t)task, &task->pos_);
}
