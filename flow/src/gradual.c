/* SPDX-License-Identifier: MIT */
/*
 * Cancelling a group a little each tick. The whole tree is marked at once, so that nothing of it
 * resumes; then every tick of the group's phase leaves frames in the usual order until as many
 * flows as are allowed have been unwound. Between ticks no flow is half unwound in a way that
 * others could see: one that has lower frames to leave stands marked like those not yet begun.
 */
#include "tape.h"
#include "task.h"

/* The youngest of the top frame's children that does not end by itself; null: none. What never
 * began, a branch of a set, is dropped with the frame. */
static flow_task *youngest_left(const flow_world *world, const flow_task *task)
{
    uint32_t id = flow__cold(task)->last_child;
    while (id != 0 && flow__cold_at(world, id)->owner_frame == task->top_) {
        flow_task *child = flow__task(world, id);
        if (child->kind_ != FLOW_KIND_EMBRYO &&
            !flow__ends_by_itself(child, (flow_cause)task->cause_)) {
            return child;
        }
        id = flow__cold_at(world, id)->older;
    }
    return NULL;
}

/* Whose frame is to be left next, from there down. */
static flow_task *next_down(const flow_world *world, flow_task *from)
{
    flow_task *child;
    while ((child = youngest_left(world, from)) != NULL) {
        from = child;
    }
    return from;
}

/* Leaves the top frame. True: the flow is unwound, up to the first await in its finally sections;
 * false: it has more frames. */
static bool frame_left(flow_world *world, flow_task *task)
{
    flow_handle handle = flow__handle_of(task);
    flow_frame *below = task->top_ ? flow__caller(task, task->top_) : NULL;
    flow_activation here;
    task->kind_ = FLOW_KIND_RUNNING;
    task->budget_ = FLOW_AWAIT_CAP;
    flow__arrive(world, task);
    flow__activation_open(world, &here);
    (void)flow__drive(world, task, below);
    flow__activation_close(world, &here);
    bool more = flow__task_of(world, handle) != NULL && task->kind_ == FLOW_KIND_RUNNING;
    if (more) {
        task->kind_ = FLOW_KIND_MARKED;
        task->flags_ &= (uint16_t) ~(FLOW_TASK_UNWIND | FLOW_TASK_FIXED);
        task->flags_ |= FLOW_TASK_PENDING;
    }
    flow__outermost(world);
    return !more;
}

static void group_pass(flow_world *world, flow_task *group)
{
    flow_handle handle = flow__handle_of(group);
    uint32_t left = group->budget_;
    flow_task *task = next_down(world, group);
    while (task->top_ == NULL || left > 0) {
        bool flow = task->top_ != NULL;
        uint32_t owner = flow__cold(task)->owner;
        flow_handle above = flow__handle_of(flow__task(world, owner));
        left -= frame_left(world, task) && flow;
        if (flow__task_of(world, handle) == NULL || !(group->flags_ & FLOW_TASK_PENDING)) {
            return; /* it is over, or waits for what ends by itself */
        }
        task = flow__task_of(world, above); /* a report may have ended others */
        task = next_down(world, task != NULL ? task : group);
    }
}

FLOW_COLD_ static void group_pass_profiled(flow_world *world, flow_task *group)
{
    flow__profile_cancel(world, group);
    group_pass(world, group);
    flow__profile_close(world);
}

static uint32_t tick_of(const flow_world *world, flow_phase phase)
{
    return (uint32_t)world->clocks[FLOW_CLOCK_UNSCALED]->time[phase].ticks;
}

/* Of a tick: each group of the phase in its turn. A group keeps its budget where a flow has its
 * allowance, and the tick that it has had where a flow has its lateness. */
void flow__gradual_pass(flow_world *world, flow_phase phase)
{
    uint32_t tick = tick_of(world, phase);
    flow_task *group = world->gradual;
    while (group != NULL) {
        flow_cold *cold = flow__cold(group);
        if (group->phase_ == (uint8_t)phase && cold->late != tick) {
            cold->late = tick;
            if (flow__profiled(world)) {
                group_pass_profiled(world, group);
            } else {
                group_pass(world, group);
            }
            group = world->gradual; /* others may have left the list */
        } else {
            group = group->pos_ ? flow__task(world, group->pos_) : NULL;
        }
    }
}

flow_status flow_cancel_gradually(flow_world *world, flow_handle group, uint32_t flows_per_tick)
{
    flow_task *task = flow__task_of(world, group);
    if (task == NULL) {
        world->count.stale++;
        return FLOW_STALE;
    }
    if (task->top_ != NULL || flows_per_tick == 0) {
        return flow__misuse(world, task,
                            "flow_cancel_gradually: it takes a group, and a budget above 0");
    }
    if (task->flags_ & FLOW_TASK_CANCELLED) {
        return FLOW_PENDING;
    }
    if (flow__cold(task)->last_child == 0) {
        return flow_cancel(world, group);
    }
    if (flow__listened(world)) {
        flow__tape_flow(world, FLOW_INPUT_GRADUALLY, group, flows_per_tick);
    }
    bool listed = task->flags_ & FLOW_TASK_PENDING; /* it is to be cleared: now it ends with that */
    flow__mark(world, task, FLOW_CAUSE_EXPLICIT);
    if (!listed) {
        task->budget_ = flows_per_tick;
        flow__cold(task)->late = tick_of(world, (flow_phase)task->phase_);
        task->pos_ = world->gradual ? flow__task_id(world->gradual) : 0;
        world->gradual = task;
    }
    return FLOW_PENDING;
}
