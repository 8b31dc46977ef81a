/* SPDX-License-Identifier: MIT */
/* Slices: a flow's turn, first and later. */
#include "private.h"

/* ---- running ---- */

#ifdef FLOW_POISON_STACK
/* Locals that outlive an await by luck shall not: what a slice left on the C stack is overwritten
 * before the next. */
#if defined(__GNUC__) || defined(__clang__)
__attribute__((noinline))
#endif
void
flow__poison_stack(void)
{
    volatile unsigned char dirt[2048];
    for (size_t i = 0; i < sizeof dirt; i++) {
        dirt[i] = 0xa5;
    }
}
#endif

/* Runs what is on top for one slice, first or later. */
void flow__run(flow_world *world, flow_task *task)
{
    flow__slice(world, task);
}

/* ---- resuming ---- */

static void result_fails(flow_world *world, flow_task *task, const flow_result *result)
{
    task->flags_ &= (uint16_t)~FLOW_TASK_RESULT;
    task->kind_ = FLOW_KIND_RUNNING;
    task->budget_ = FLOW_AWAIT_CAP;
    (void)flow__fault_arrive(task, task->top_, result);
    flow__arrive(world, task);
    (void)flow__drive(world, task, NULL);
}

/* The wait that the flow was on holds a result: a failure, or a composition whose losers are still
 * to be unwound. */
static void result_take(flow_world *world, flow_task *task)
{
    if (task->budget_ == 0) {
        result_fails(world, task,
                     &(flow_result){FLOW_CLOSED, "the clock of this wait has ended", NULL});
        return;
    }
    flow_node *node = flow__node(world, task->budget_);
    bool composition = flow__is_composition(node);
    task->flags_ &= (uint16_t)~FLOW_TASK_RESULT;
    task->kind_ = FLOW_KIND_RUNNING;
    task->budget_ = FLOW_AWAIT_CAP;
    bool closed = !composition || flow__compose_close(world, node);
    if (flow__must_leave(task)) {
        flow__node_drop(world, node);
        task->kind_ = FLOW_KIND_MARKED;
        flow__mark_push(world, task);
        return;
    }
    if (!closed) {
        task->kind_ = FLOW_KIND_NODE;
        task->pos_ = flow__node_id(node);
        task->budget_ = node->seq;
        return;
    }
    flow_result result = flow__node_result(node);
    if (result.fault != NULL) {
        flow__fault_to_task(world, result.fault, task);
    }
    if (result.code == 0) {
        flow__value_take(world, node);
    }
    flow__node_drop(world, node);
    if (result.code == 0) {
        flow__run(world, task);
        return;
    }
    result_fails(world, task, &result);
}

static void resume_flagged(flow_world *world, flow_task *task)
{
    world->current = task;
    if (flow__must_leave(task) && !(task->flags_ & (FLOW_TASK_UNWIND | FLOW_TASK_FIXED))) {
        task->kind_ = FLOW_KIND_MARKED; /* it stands in no queue any more */
        flow__wait_drop(world, task);   /* but may hold a result */
        flow__mark_push(world, task);
    } else if (task->flags_ & FLOW_TASK_LEAVING) {
        task->flags_ &= (uint16_t)~FLOW_TASK_LEAVING;
        task->kind_ = FLOW_KIND_RUNNING;
        task->budget_ = FLOW_AWAIT_CAP;
        (void)flow__drive(world, task, NULL);
    } else if (task->flags_ & FLOW_TASK_RESULT) {
        result_take(world, task);
    } else {
        flow__run(world, task);
    }
}

FLOW_INLINE_ void resume(flow_world *world, flow_task *task)
{
    world->count.resumed++;
    if (flow__traced(world)) {
        flow__trace(world, FLOW_TRACE_RESUME, task, FLOW_STATE_LIVE);
    }
    if (FLOW_LIKELY_(task->flags_ == 0)) {
        flow__run(world, task);
    } else {
        resume_flagged(world, task);
    }
    world->current = NULL;
}

FLOW_COLD_ static void resume_profiled(flow_world *world, flow_task *task)
{
    bool code = !(task->marks_ & FLOW_MARK_GROUP);
    if (code) {
        flow__profile_resume(world, task);
    }
    resume(world, task);
    if (code) {
        flow__profile_resumed(world);
    }
}

/* A suspended flow's turn, from a tick: nobody else is running. */
void flow__resume(flow_world *world, flow_task *task)
{
    if (flow__profiled(world)) {
        resume_profiled(world, task);
    } else {
        resume(world, task);
    }
}

/* A flow that a pause holds back keeps, where it has no node, what it waited for; or that this has
 * failed. */
static void why_keep(flow_task *task)
{
    if (task->flags_ & FLOW_TASK_RESULT) {
        return;
    }
    if (task->kind_ == FLOW_KIND_TICK) {
        task->budget_ = FLOW_NODE_TICK;
    } else if (task->kind_ == FLOW_KIND_FRAME) {
        task->budget_ = FLOW_NODE_FRAME;
    } else if (task->kind_ == FLOW_KIND_TIMER) {
        task->budget_ = FLOW_NODE_TIMER;
    }
}

/* Its turn, unless the clock it lives on is paused: then it is held. */
void flow__wake(flow_world *world, flow_task *task)
{
    FLOW_FAULT_(6) world->paused_clocks = 0;
    if (FLOW_UNLIKELY_(world->paused_clocks != 0) && world->clocks[task->clock_]->paused &&
        !(task->marks_ & FLOW_MARK_GROUP)) { /* which has no code to hold back */
        why_keep(task);
        task->kind_ = FLOW_KIND_HELD;
        flow_lane *lane = flow__lane(world, task->clock_, task->phase_);
        (void)flow__queue_push(world, &lane->held, (uintptr_t)task, &task->pos_);
        return;
    }
    flow__resume(world, task);
}
