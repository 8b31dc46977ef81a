/* SPDX-License-Identifier: MIT */
/*
 * What most flows do when they end or are cancelled, inlined: a suspended flow that waits in its
 * first frame and owns nothing leaves its wait, runs its finally section, and is gone, to the same
 * states that the stages of unwind.c would bring.
 */
#ifndef FLOW_PLAIN_H
#define FLOW_PLAIN_H

#include "task.h"

/* A finally section has run, to its end or to its first wait. */
FLOW_INLINE_ void flow__finally_ran(flow_world *world, flow_task *task, flow_frame *top)
{
    if (FLOW_UNLIKELY_(world->no_finally == top)) {
        world->no_finally = NULL; /* the body has none */
        return;
    }
    world->count.finally_runs++;
    if (FLOW_UNLIKELY_(task->kind_ != FLOW_KIND_RUNNING)) {
        flow__cleanup_waits(world, task, top);
    }
}

/* flow__slice (private.h) for flow__drive: the slice's allowance goes on, and a finally section
 * that begins is counted. */
FLOW_INLINE_ flow_step flow__run_on(flow_world *world, flow_task *task, uint8_t depth)
{
    bool profiled = flow__profiled(world);
    flow_frame *top = task->top_;
    bool finally_begins = (top->at_ & 0xffff) == FLOW_POINT_FINALLY_;
    top->depth_ = depth;
    world->current = task;
#ifdef FLOW_POISON_STACK
    flow__poison_stack();
#endif
    if (profiled) {
        flow__profile_on(world, task, finally_begins);
    }
    flow_step step = flow__body(task, top);
    if (finally_begins) {
        flow__finally_ran(world, task, top);
    }
    if (profiled) {
        flow__profile_close(world);
    }
    world->no_finally = NULL;
    return step;
}

enum {
    FLOW_QUICK_TASK =
        FLOW_TASK_CANCELLED | FLOW_TASK_UNWIND | FLOW_TASK_PROTECTED | FLOW_TASK_FIXED,
    FLOW_QUICK_FRAME = FLOW_FRAME_LEAVING | FLOW_FRAME_FINALLY
};

/* Out of the tick queue, where it is the last, as the youngest of its siblings often is. */
FLOW_INLINE_ bool flow__last_tick_drop(const flow_world *world, const flow_task *task)
{
    flow_queue *queue = &flow__home(world, task)->ticks;
    uintptr_t *last = queue->end - 1;
    bool first = ((uintptr_t)last & (FLOW_CHUNK_SIZE - 1)) == 2 * sizeof *last; /* of its chunk */
    if (FLOW_UNLIKELY_(*last != (uintptr_t)task || first || last[-1] == 0)) {
        return false;
    }
    queue->due = queue->due == queue->end ? last : queue->due;
    queue->end = last;
    return true;
}

/* Out of the waiters of a signal. */
FLOW_INLINE_ bool flow__plain_signal_drop(flow_world *world, const flow_task *task)
{
    flow_node *node = flow__node(world, task->pos_);
    if (FLOW_UNLIKELY_(node->kind != FLOW_NODE_SIGNAL || node->pos != 0 ||
                       flow__ring_is(node->on.object))) {
        return false;
    }
    flow__record_leave(node);
    flow__node_push(world, node);
    return true;
}

/* The same for what is next common, or flow__wait_drop. */
FLOW_INLINE_ void flow__other_wait_drop(flow_world *world, flow_task *task, bool ended)
{
    if (task->kind_ == FLOW_KIND_TIMER && !ended) {
        task->kind_ = FLOW_KIND_MARKED;
        world->count.timers--;
        flow__heap_stale(world, &flow__home(world, task)->timers);
    } else if (task->kind_ != FLOW_KIND_NODE || ended || !flow__plain_signal_drop(world, task)) {
        flow__wait_drop(world, task);
    }
}

/* Takes a flow without flags out of its wait. */
FLOW_INLINE_ void flow__quick_wait_drop(flow_world *world, flow_task *task)
{
    bool ended = world->attention & FLOW_ATTENTION_ENDED;
    if (FLOW_UNLIKELY_(task->kind_ != FLOW_KIND_TICK || ended ||
                       !flow__last_tick_drop(world, task))) {
        flow__other_wait_drop(world, task, ended);
    }
}

/* run_on for a finally section that begins in a task's first frame. */
FLOW_INLINE_ flow_step flow__run_finally(flow_world *world, flow_task *task, flow_frame *top)
{
    world->current = task;
#ifdef FLOW_POISON_STACK
    flow__poison_stack();
#endif
    flow_step step = flow__body(task, top);
    flow__finally_ran(world, task, top);
    return step;
}

/* Most flows that are cancelled wait in their first frame and own nothing: those go straight
 * through, to the same states that the stages would bring. *older is the next older sibling then.
 * False: this one does not qualify, and nothing has been done. */
FLOW_INLINE_ bool flow__unwind_quick(flow_world *world, flow_task *task, flow_cold *cold,
                                     flow_cold *above, flow_cause cause, uint32_t *older)
{
    flow_frame *top = task->top_;
    if (FLOW_UNLIKELY_(!flow__waits(task) || task->flags_ != 0 || flow__traced(world) ||
                       (void *)top != (void *)task->first_ ||
                       (top->flags_ & ~FLOW_FRAME_TRY_) != 0 ||
                       (cold->resources | cold->joiners) != 0)) {
        return false;
    }
    flow__quick_wait_drop(world, task);
    task->kind_ = FLOW_KIND_RUNNING;
    task->flags_ = FLOW_QUICK_TASK;
    task->cause_ = (uint8_t)cause;
    task->budget_ = FLOW_AWAIT_CAP;
    top->flags_ = FLOW_QUICK_FRAME;
    top->at_ = (top->at_ & 0xffff0000u) | FLOW_POINT_FINALLY_;
    flow_step step = flow__run_finally(world, task, top);
    *older = cold->older;
    if (FLOW_UNLIKELY_(task->kind_ != FLOW_KIND_RUNNING)) {
        return true;
    }
    if (FLOW_LIKELY_(step.kind_ != FLOW_STEP_STOPPED_ && task->flags_ == FLOW_QUICK_TASK &&
                     top->flags_ == FLOW_QUICK_FRAME && (cold->resources | cold->joiners) == 0)) {
        flow__plain_end(world, task, cold, above, FLOW_STATE_CANCELLED);
        world->current = NULL; /* it is gone, and callbacks may come before anyone else runs */
        world->count.cancelled++;
    } else {
        flow__after(world, task, step);
        *older = cold->older; /* a report may have ended others */
    }
    return true;
}

#endif
