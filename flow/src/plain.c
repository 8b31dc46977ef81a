/* SPDX-License-Identifier: MIT */
/* Ends that nothing stands in the way of, and cancels of flows that own nothing: straight through.
 */
#include "plain.h"

/* The finally section of a top frame that owns nothing, in a flow that nothing is wrong with. True:
 * the frame is done with; else the section waits, or the stages go on. */
static bool finally_plain(flow_world *world, flow_task *task, flow_frame *top, bool first)
{
    uint8_t memory = top->flags_ & FLOW_FRAME_MEMORY;
    uint16_t guarded = first ? FLOW_TASK_PROTECTED | FLOW_TASK_FIXED : FLOW_TASK_PROTECTED;
    task->flags_ = guarded;
    top->flags_ = FLOW_QUICK_FRAME | memory;
    top->at_ = (top->at_ & 0xffff0000u) | FLOW_POINT_FINALLY_;
    flow_step step = flow__run_finally(world, task, top);
    if (FLOW_UNLIKELY_(task->kind_ != FLOW_KIND_RUNNING)) {
        return false;
    }
    if (FLOW_UNLIKELY_(step.kind_ == FLOW_STEP_STOPPED_ || task->flags_ != guarded ||
                       top->flags_ != (FLOW_QUICK_FRAME | memory))) {
        flow__after(world, task, step);
        return false;
    }
    task->flags_ = 0;
    top->flags_ = memory;
    return true;
}

/* The last frame is done with. False: somebody is to be told, or something to be given back. */
static bool end_plain(flow_world *world, flow_task *task, flow_frame *top)
{
    flow_cold *cold = flow__cold(task);
    flow_task *owner = flow__task(world, cold->owner);
    if (FLOW_UNLIKELY_((cold->resources | cold->joiners) != 0 || task->marks_ >= FLOW_MARK_FAULT ||
                       flow__traced(world))) {
        return false;
    }
    if (FLOW_UNLIKELY_((void *)top != (void *)task->first_)) {
        ((flow_ended *)(void *)task->first_)->fn = top->fn_;
        flow__frame_pop(world, task);
    }
    flow__plain_end(world, task, cold, flow__cold(owner), FLOW_STATE_DONE);
    world->count.ended++;
    flow__owner_told(world, owner);
    return true;
}

/* Most frames are left by a return that nothing stands in the way of: those go straight through, to
 * the same states that the stages would bring. False: the stages go on from where it has come to.
 */
static bool plain(flow_world *world, flow_task *task, flow_step *step)
{
    for (;;) {
        flow_frame *top = task->top_;
        if (FLOW_UNLIKELY_(task->flags_ != 0 || step->kind_ == FLOW_STEP_STOPPED_ ||
                           (top->flags_ & (uint8_t)~FLOW_FRAME_MEMORY) != 0)) {
            return false;
        }
        flow_frame *caller = flow__caller(task, top);
        if (step->kind_ == FLOW_STEP_LEFT_) {
            if (!finally_plain(world, task, top, caller == NULL)) {
                return true;
            }
            step->kind_ = FLOW_STEP_ENDED_;
        }
        if (caller == NULL) {
            return end_plain(world, task, top);
        }
        flow__frame_pop(world, task);
        *step = flow__run_on(world, task, 0);
        if (task->kind_ != FLOW_KIND_RUNNING) {
            return true;
        }
    }
}

/* The slice came back without waiting: it ended, must be left, or called too deep. */
void flow__slice_over(flow_world *world, flow_task *task, flow_step step)
{
    if (FLOW_UNLIKELY_(!plain(world, task, &step))) {
        flow__after(world, task, step);
    }
    if (task->kind_ == FLOW_KIND_RUNNING) {
        (void)flow__drive(world, task, NULL);
    }
}

/* A suspended flow that owns nothing. */
flow_alone flow__unwind_alone(flow_world *world, flow_task *task, flow_cause cause)
{
    uint32_t older;
    flow_cold *cold = flow__cold(task);
    uint32_t generation = cold->generation;
    if (flow__profiled(world) || world->nesting >= FLOW_NESTING_LIMIT || cold->last_child != 0 ||
        flow__task(world, cold->owner)->kind_ == FLOW_KIND_CLOSING) { /* which is to be told */
        return FLOW_ALONE_NOT;
    }
    flow_activation here;
    bool nested = world->current != NULL; /* else nothing is running that is to be kept */
    if (nested) {
        flow__activation_open(world, &here);
    } else {
        world->nesting++;
    }
    bool quick =
        flow__unwind_quick(world, task, cold, flow__cold_at(world, cold->owner), cause, &older);
    if (quick && task->kind_ == FLOW_KIND_RUNNING) {
        (void)flow__drive(world, task, NULL);
    }
    if (nested) {
        flow__activation_close(world, &here);
    } else {
        world->nesting--;
        world->current = NULL;
    }
    flow_alone how = !quick                           ? FLOW_ALONE_NOT
                     : cold->generation != generation ? FLOW_ALONE_ENDED
                                                      : FLOW_ALONE_PENDING;
    if (quick) { /* else the cancel that was asked for goes before what is owed */
        flow__outermost(world);
    }
    return how;
}
