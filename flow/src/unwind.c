/* SPDX-License-Identifier: MIT */
/*
 * Leaving frames. It goes by stages kept in the frame's flags: children, finally section, what that
 * started, deferred cleanups, pop; then the caller goes on, or is left too when a cancellation or a
 * failure is under way. flow__drive does this for a whole tree without recursion: it walks down to
 * the youngest child and back up, so depth costs no C stack.
 */
#include "plain.h"

/* ---- what a frame meets when control comes to it ---- */

static void body_over(const flow_task *task, flow_frame *frame, uint16_t *flags)
{
    frame->flags_ = (uint8_t)((frame->flags_ | FLOW_FRAME_LEAVING) & ~FLOW_FRAME_TRY_);
    if (frame->flags_ & FLOW_FRAME_SHIELD_) {
        frame->flags_ &= (uint8_t)~FLOW_FRAME_SHIELD_;
        *flags &= (uint16_t)~FLOW_TASK_PROTECTED;
    }
    if (flow__caller(task, frame) == NULL) {
        *flags |= FLOW_TASK_FIXED;
    }
}

static void finally_over(flow_world *world, flow_task *task, flow_frame *frame)
{
    if (!(frame->flags_ & FLOW_FRAME_CLEANED)) { /* it is the outermost one: see finally_begin */
        task->flags_ &= (uint16_t)~FLOW_TASK_PROTECTED;
    }
    frame->flags_ &= (uint8_t)~FLOW_FRAME_FINALLY;
    frame->flags_ |= FLOW_FRAME_CLEANED;
    bool lost = task->flags_ & FLOW_TASK_LOST;
    flow_fault *fault = flow__fault_under(world, task, frame);
    fault = fault == NULL ? flow__fault_of(world, task) : fault;
    if (fault != NULL && (fault->under == frame || lost)) {
        flow__fault_to_task(world, fault, task); /* the newest again: it is the one that climbs */
        fault->under = NULL;
        task->budget_ = lost ? FLOW_AWAIT_CAP : fault->budget;
        task->flags_ |= FLOW_TASK_FAULT;
    } else if (fault == NULL && !(task->flags_ & FLOW_TASK_CANCELLED)) {
        task->cause_ = FLOW_CAUSE_NONE;
    }
    if (flow__must_leave(task)) {
        task->budget_ = 1; /* the body that goes on stops at its next await */
    }
}

/* CLEANED while FINALLY runs: an outer section protects the task already. */
static void finally_begin(flow_world *world, flow_task *task, flow_frame *frame)
{
    frame->flags_ |= FLOW_FRAME_FINALLY;
    if (task->flags_ & FLOW_TASK_PROTECTED) {
        frame->flags_ |= FLOW_FRAME_CLEANED;
    }
    if (flow__must_leave(task)) {
        task->budget_ = FLOW_AWAIT_CAP; /* it was cut to stop the body */
    }
    if (task->flags_ & FLOW_TASK_PENDING) {
        flow__unmark(world, task); /* the section may wait, and its place in a queue is where the
                                      list has its link */
    }
    task->flags_ |= FLOW_TASK_PROTECTED;
    if (task->flags_ & FLOW_TASK_FAULT) {
        task->flags_ &= (uint16_t)~FLOW_TASK_FAULT;
        flow_fault *fault = flow__fault_of(world, task);
        fault->under = frame;
        fault->budget = task->budget_;
        task->budget_ = FLOW_AWAIT_CAP; /* an allowance of its own: the failure may be that there
                                           was none left */
    }
    frame->at_ = (frame->at_ & 0xffff0000u) | FLOW_POINT_FINALLY_;
}

/* The end of the world cuts finally sections; nothing takes that as a value. */
static bool catchable(const flow_world *world, const flow_fault *fault)
{
    return fault->code != FLOW_ENDLESS && !(world->destroying && fault->code == FLOW_CANCELLED);
}

/* Does the frame's FLOW_TRY take the failure as a value? */
bool flow__try_takes(flow_world *world, flow_task *task, const flow_frame *frame,
                     const flow_fault *fault)
{
    bool unwinding = (task->flags_ & FLOW_TASK_UNWIND) && !(task->flags_ & FLOW_TASK_PROTECTED);
    if (!(frame->flags_ & FLOW_FRAME_TRY_) || fault->scope != NULL || unwinding ||
        !catchable(world, fault)) {
        return false;
    }
    task->flags_ &= (uint16_t)~FLOW_TASK_FAULT;
    task->flags_ |= FLOW_TASK_TRIED;
    task->cause_ = task->flags_ & FLOW_TASK_CANCELLED ? task->cause_ : FLOW_CAUSE_NONE;
    if ((task->flags_ & FLOW_TASK_PENDING) &&
        !flow__must_leave(task)) { /* it was to stop for what is taken now */
        flow__unmark(world, task);
        task->budget_ = FLOW_AWAIT_CAP;
    }
    return true;
}

static void fault_meets(flow_world *world, flow_task *task, flow_frame *frame)
{
    flow_fault *fault = flow__fault_of(world, task);
    if (flow__try_takes(world, task, frame, fault)) {
        return;
    }
    if (fault->scope == NULL && (frame->flags_ & FLOW_FRAME_FINALLY)) {
        task->flags_ &= (uint16_t)~FLOW_TASK_FAULT;
        flow__fault_report(world, fault, FLOW_FAILURE_CLEANUP);
        finally_over(world, task, frame);
        return;
    }
    fault->scope = fault->scope == frame ? NULL : fault->scope;
    task->cause_ = task->cause_ != FLOW_CAUSE_NONE ? task->cause_ : FLOW_CAUSE_FAULT;
    body_over(task, frame, &task->flags_);
}

/* A child's failure came first: what failed in the body since then is told to nobody else. */
static void child_fault_climbs(flow_world *world, flow_task *task, flow_fault *fault)
{
    flow_fault *late = task->flags_ & FLOW_TASK_FAULT ? flow__fault_of(world, task) : NULL;
    task->flags_ &= (uint16_t)~FLOW_TASK_CHILD_FAULT;
    task->flags_ |= FLOW_TASK_FAULT;
    if (fault != NULL) {
        flow__fault_to_task(world, fault, task); /* the newest is the one that climbs */
    }
    if (late != NULL && late != fault) {
        flow_task *outer = world->current;
        world->current = task; /* so that the host can cancel it without pulling it apart */
        flow__fault_report(world, late, FLOW_FAILURE_UNDELIVERED);
        world->current = outer;
    }
}

/* Control comes to the top frame: does its body go on, or is it left? */
void flow__arrive(flow_world *world, flow_task *task)
{
    if (flow__must_leave(task)) {
        if (task->flags_ & FLOW_TASK_PENDING) {
            flow__unmark(world, task); /* no one else need see to it */
        }
        task->budget_ = FLOW_AWAIT_CAP; /* it was cut so that the body would stop */
        if (task->flags_ & FLOW_TASK_CANCELLED) {
            task->flags_ |= FLOW_TASK_UNWIND;
        }
        if (task->flags_ & FLOW_TASK_CHILD_FAULT) {
            child_fault_climbs(world, task, flow__fault_of_scope(world, task));
        }
    }
    flow_frame *top = task->top_;
    if (top == NULL) {
        return;
    }
    if (task->flags_ & FLOW_TASK_FAULT) {
        fault_meets(world, task, top);
    } else if ((task->flags_ & FLOW_TASK_UNWIND) && !(task->flags_ & FLOW_TASK_PROTECTED)) {
        body_over(task, top, &task->flags_);
    }
}

/* A slice came back without waiting. */
void flow__after(flow_world *world, flow_task *task, flow_step step)
{
    flow_frame *top = task->top_;
    if (task->flags_ & FLOW_TASK_FAULT) {
        flow__arrive(world, task);
    } else if (step.kind_ == FLOW_STEP_STOPPED_) {
        if (flow__must_leave(task)) {
            task->kind_ = FLOW_KIND_MARKED;
            flow__mark_push(world, task);
        } /* else a call too deep for the C stack: it is on top now, and runs next */
    } else if (top->flags_ & FLOW_FRAME_FINALLY) {
        finally_over(world, task, top);
    } else {
        top->flags_ |= step.kind_ == FLOW_STEP_ENDED_ ? FLOW_FRAME_CLEANED : 0;
        body_over(task, top, &task->flags_);
        flow__arrive(world, task);
    }
}

/* ---- leaving ---- */

#define YOUNGEST UINT32_MAX

/* A child is to be unwound with its scope. */
void flow__unwind_begin(flow_world *world, flow_task *task, flow_cause cause)
{
    if ((task->flags_ & FLOW_TASK_PENDING) || task->kind_ == FLOW_KIND_QUEUED) {
        flow__unmark(world, task);
    }
    if (!(task->flags_ & FLOW_TASK_CANCELLED)) {
        task->flags_ |= FLOW_TASK_CANCELLED;
        task->cause_ = (uint8_t)cause;
    }
    if (task->kind_ == FLOW_KIND_QUEUED) {
        task->top_->flags_ |= FLOW_FRAME_CLEANED; /* it never began: there is nothing to clean up */
    }
    flow__wait_drop(world, task);
    task->kind_ = FLOW_KIND_RUNNING;
    task->budget_ = FLOW_AWAIT_CAP;
    flow__arrive(world, task);
}

/* Ending already, or protected: it ends in its own time, and its owner waits for it. */
bool flow__ends_by_itself(flow_task *task, flow_cause cause)
{
    if (task->flags_ & (FLOW_TASK_UNWIND | FLOW_TASK_FIXED)) {
        return true;
    }
    if (task->flags_ & FLOW_TASK_PROTECTED) {
        if (!(task->flags_ & FLOW_TASK_CANCELLED)) {
            task->flags_ |= FLOW_TASK_CANCELLED;
            task->cause_ = (uint8_t)cause;
            flow__away_told(task);
        }
        return true;
    }
    return false;
}

/* Is the child to be unwound by its owner? One that was not started is discarded instead. */
static bool child_qualifies(flow_world *world, const flow_task *task, flow_task *child,
                            flow_cause cause)
{
    if ((task->flags_ & FLOW_TASK_CLEARS_MARKED) && !(child->flags_ & FLOW_TASK_CANCELLED)) {
        return false; /* a member that came after the clear */
    }
    if (child->kind_ == FLOW_KIND_PREPARING) { /* it ends when its arguments are evaluated */
        child->flags_ |= FLOW_TASK_CANCELLED;
        child->cause_ = (uint8_t)cause;
        return false;
    }
    if (child->kind_ == FLOW_KIND_EMBRYO) {
        flow__task_discard(world, child);
        return false;
    }
    return !flow__ends_by_itself(child, cause);
}

static bool has_child(const flow_world *world, const flow_task *task)
{
    uint32_t youngest = flow__cold(task)->last_child;
    return youngest != 0 && flow__cold(flow__task(world, youngest))->owner_frame == task->top_;
}

static void resource_release(flow_world *world, const flow_node *resource)
{
    if (resource->kind == FLOW_NODE_DEFER) {
        resource->on.cleanup(resource->to.arg);
    } else if (resource->kind == FLOW_NODE_PAUSE) {
        (void)flow_clock_release(world, (flow_clock)resource->code);
    } else {
        (void)flow_clock_destroy(world, (flow_clock)resource->code);
    }
}

static void cleanups_run(flow_world *world, flow_task *task, flow_frame *frame)
{
    flow_cold *cold = flow__cold(task);
    bool inside = world->inside;
    while (cold->resources != 0) {
        flow_node *node = flow__node(world, cold->resources);
        if (node->up.frame != frame) {
            break;
        }
        flow_node resource = *node;
        cold->resources = node->sibling ? flow__node_id(node->sibling) : 0;
        world->count.waits++;
        flow__node_give(world, node);
        world->current = task;
        world->inside = true;
        resource_release(world, &resource);
        world->inside = inside;
    }
    frame->flags_ &= (uint8_t)~FLOW_FRAME_CLEANUPS;
}

typedef enum go { GO_RUN, GO_CHILD, GO_WAIT, GO_ENDED } go;

/* Why the next child of a scope is unwound: a cancel may come while its siblings are. */
FLOW_INLINE_ flow_cause cause_below(const flow_task *task)
{
    FLOW_FAULT_(3) return FLOW_CAUSE_PARENT_ENDED;
    flow_cause cause =
        task->flags_ & FLOW_TASK_CLEARING ? FLOW_CAUSE_EXPLICIT : (flow_cause)task->cause_;
    return cause != FLOW_CAUSE_NONE ? cause : FLOW_CAUSE_PARENT_ENDED;
}

/* Unwinds the children of the top frame from the hint towards the older ones, those that can go the
 * quick way here and now; true: *child is to be driven. What ends by itself is left alone. */
static bool children_left(flow_world *world, flow_task *task, uint32_t hint, flow_task **child)
{
    bool profiled = flow__profiled(world); /* then each goes where it is timed */
    flow_cold *above = flow__cold(task);
    uint32_t id = hint == YOUNGEST ? above->last_child : hint;
    while (id != 0) {
        flow_cold *cold = flow__cold_at(world, id);
        flow_cause cause = cause_below(task);
        *child = flow__task(world, id);
        if (FLOW_UNLIKELY_(cold->owner_frame != task->top_)) {
            return false;
        }
        if (FLOW_LIKELY_(!profiled && !(task->flags_ & FLOW_TASK_CLEARS_MARKED) &&
                         flow__unwind_quick(world, *child, cold, above, cause, &id))) {
            if (FLOW_UNLIKELY_((*child)->kind_ == FLOW_KIND_RUNNING)) {
                return true;
            }
            continue;
        }
        id = cold->older;
        if (child_qualifies(world, task, *child, cause)) {
            flow__unwind_begin(world, *child, cause);
            return true;
        }
    }
    return false;
}

/* A child's failure waits to be taken, since a section or a shield protected the scope that it
 * names: with that left, it is the caller's. */
static void scope_popped(flow_world *world, flow_task *task, const flow_frame *frame)
{
    flow_fault *fault =
        task->flags_ & FLOW_TASK_CHILD_FAULT ? flow__fault_of_scope(world, task) : NULL;
    if (fault != NULL && fault->scope == frame) {
        fault->scope = NULL;
        task->budget_ = FLOW_AWAIT_CAP; /* it was cut for the body that is left now */
        child_fault_climbs(world, task, fault);
    }
}

/* Goes on leaving the top frame, and the frames below it that are left too, until somebody's code
 * is to run. */
static go leave(flow_world *world, flow_task *task, uint32_t hint, const flow_frame *stop_at,
                flow_task **child)
{
    for (;;) {
        flow_frame *top = task->top_;
        if (top != NULL &&
            (!(top->flags_ & FLOW_FRAME_LEAVING) || (top->flags_ & FLOW_FRAME_FINALLY))) {
            return GO_RUN;
        }
        if (top == NULL || (top->flags_ & FLOW_FRAME_CHILDREN)) {
            if (children_left(world, task, hint, child)) {
                return GO_CHILD;
            }
            if ((task->flags_ & (FLOW_TASK_CLEARING | FLOW_TASK_CANCELLED)) == FLOW_TASK_CLEARING) {
                if (task->flags_ & FLOW_TASK_PENDING) {
                    flow__unmark(world, task); /* a member cleared it once more meanwhile */
                }
                task->flags_ &= (uint16_t) ~(FLOW_TASK_CLEARING | FLOW_TASK_CLEARS_MARKED);
                if (!(task->flags_ & FLOW_TASK_STOP)) {
                    task->kind_ = FLOW_KIND_GROUP;
                    return GO_WAIT;
                }
            }
            if (has_child(world, task)) {
                task->kind_ = FLOW_KIND_CLOSING;
                return GO_WAIT;
            }
            if (top == NULL) {
                return GO_ENDED;
            }
            top->flags_ &= (uint8_t)~FLOW_FRAME_CHILDREN;
        }
        if (!(top->flags_ & FLOW_FRAME_CLEANED)) {
            finally_begin(world, task, top);
            return GO_RUN;
        }
        if (top->flags_ & FLOW_FRAME_CLEANUPS) {
            cleanups_run(world, task, top);
        }
        scope_popped(world, task, top);
        if (flow__caller(task, top) == NULL) {
            return GO_ENDED;
        }
        flow__frame_pop(world, task);
        hint = YOUNGEST;
        flow__arrive(world, task);
        if (task->top_ == stop_at) {
            return GO_RUN;
        }
    }
}

/* Runs and leaves, from the root's top frame on, until the root waits or has ended (false), or its
 * control is back in the frame stop_at (true: its body may go on). */
bool flow__drive(flow_world *world, flow_task *root, flow_frame *stop_at)
{
    flow_task *outer = world->current;
    flow_task *task = root;
    uint32_t hint = YOUNGEST;
    uint8_t depth =
        stop_at ? (uint8_t)(stop_at->depth_ + 1) : 0; /* of the C stack, in direct calls */
    for (;;) {
        if (task == root && stop_at != NULL && task->top_ == stop_at) {
            world->current = outer;
            return !(stop_at->flags_ & FLOW_FRAME_LEAVING) ||
                   (stop_at->flags_ & FLOW_FRAME_FINALLY);
        }
        flow_task *child = NULL;
        go next = leave(world, task, hint, task == root ? stop_at : NULL, &child);
        hint = YOUNGEST;
        if (next == GO_RUN) {
            if (task == root && stop_at != NULL && task->top_ == stop_at) {
                continue;
            }
            flow_step step = flow__run_on(world, task, depth);
            if (task->kind_ == FLOW_KIND_RUNNING) {
                flow__after(world, task, step);
            }
            if (task->kind_ == FLOW_KIND_RUNNING) {
                continue;
            }
            next = GO_WAIT;
        }
        if (next == GO_CHILD) {
            task = child;
            continue;
        }
        flow_cold *cold = flow__cold(task);
        flow_task *owner = flow__task(world, cold->owner);
        flow_handle older = {cold->older,
                             cold->older ? flow__cold_at(world, cold->older)->generation : 0};
        bool was_root = task == root;
        if (next == GO_ENDED) {
            flow__task_end(world, task);
        }
        if (was_root) {
            break;
        }
        hint = older.slot == 0 || flow__task_of(world, older) != NULL
                   ? older.slot
                   : YOUNGEST; /* a report may end others */
        task = owner;
    }
    world->current = outer;
    return false;
}

/* ---- from outside ---- */

/* Drives a tree nested in whatever is running now. */
void flow__drive_nested(flow_world *world, flow_task *task)
{
    flow_activation here;
    flow__activation_open(world, &here);
    (void)flow__drive(world, task, NULL);
    flow__activation_close(world, &here);
}

/* Control comes to a flow that was taken out of its wait. */
void flow__go_on(flow_world *world, flow_task *task)
{
    flow__arrive(world, task);
    flow__drive_nested(world, task);
}

/* Unwinds a flow that a composition has marked, unless it is ending by itself. */
void flow__unwind_marked(flow_world *world, flow_task *task)
{
    if (!flow__ends_by_itself(task, FLOW_CAUSE_RACE_LOST) && !flow__on_stack(world, task)) {
        if (world->nesting >= FLOW_NESTING_LIMIT) {
            if (task->kind_ != FLOW_KIND_QUEUED) { /* that one is put off already */
                flow__put_off(world, task);
            }
            return;
        }
        flow__unwind_begin(world, task, FLOW_CAUSE_RACE_LOST);
        flow__drive_nested(world, task);
    }
}
