/* SPDX-License-Identifier: MIT */
/*
 * Running and leaving. A slice runs the top frame's body until it waits, ends or must be left. Leaving a frame goes by stages
 * kept in the frame's flags: children, finally section, what that started, deferred cleanups, pop; then the caller goes on,
 * or is left too when a cancellation or a failure is under way. flow__drive does this for a whole tree without recursion:
 * it walks down to the youngest child and back up, so depth costs no C stack.
 *
 * A task with code on the C stack is never unwound under its own feet: it is marked, stops at its next await, and the
 * marked list is worked off when that code is gone from the stack.
 */
#include "task.h"

/* ---- running ---- */

#ifdef FLOW_POISON_STACK
/* Locals that outlive an await by luck shall not: what a slice left on the C stack is overwritten before the next. */
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

/* The slice came back without waiting: it ended, must be left, or called too deep. */
void flow__slice_over(flow_world *world, flow_task *task, flow_step step)
{
    flow__after(world, task, step);
    if (task->kind_ == FLOW_KIND_RUNNING) {
        (void)flow__drive(world, task, NULL);
    }
}

/* The same within flow__drive: the slice's allowance goes on. */
FLOW_INLINE_ flow_step run_on(flow_world *world, flow_task *task, uint8_t depth)
{
    flow_frame *top = task->top_;
    bool        finally_begins = (top->at_ & 0xffff) == FLOW_POINT_FINALLY_;
    top->depth_ = depth;
    world->current = task;
#ifdef FLOW_POISON_STACK
    flow__poison_stack();
#endif
    flow_step step = top->fn_->run_(task, top);
    if (finally_begins && world->no_finally != top) {
        world->count.finally_runs++;
    }
    world->no_finally = NULL;
    return step;
}

/* ---- marks ---- */

static bool must_leave(const flow_task *task)
{
    return (task->flags_ & (FLOW_TASK_CANCELLED | FLOW_TASK_CHILD_FAULT)) && !(task->flags_ & FLOW_TASK_PROTECTED);
}

static void mark_push(flow_world *world, flow_task *task)
{
    if (!(task->flags_ & FLOW_TASK_PENDING)) {
        task->flags_ |= FLOW_TASK_PENDING;
        task->pos_ = world->marked ? flow__task_id(world->marked) : 0;
        world->marked = task;
        world->attention |= FLOW_ATTENTION_OWED;
    }
}

static void list_remove(flow_world *world, flow_task **list, const flow_task *task)
{
    flow_task *before = NULL;
    for (flow_task *t = *list; t != NULL; t = t->pos_ ? flow__task(world, t->pos_) : NULL) {
        if (t == task) {
            if (before != NULL) {
                before->pos_ = t->pos_;
            } else {
                *list = t->pos_ ? flow__task(world, t->pos_) : NULL;
            }
            return;
        }
        before = t;
    }
}

void flow__unmark(flow_world *world, flow_task *task)
{
    task->flags_ &= (uint16_t)~FLOW_TASK_PENDING;
    list_remove(world, &world->marked, task);
    list_remove(world, &world->deep, task);
}

/* Out of its wait, and not to resume; one that runs stops at its next await. */
static void halt(flow_world *world, flow_task *task)
{
    if (task->kind_ == FLOW_KIND_RUNNING) {
        task->budget_ = 1;
    } else if (task->kind_ >= FLOW_KIND_READY && task->kind_ <= FLOW_KIND_NODE) {
        flow__wait_drop(world, task);
    }
}

/* A flow whose flags say that it must leave: it will, as soon as no code of it is on the C stack. */
void flow__stop(flow_world *world, flow_task *task)
{
    if (!(task->flags_ & FLOW_TASK_PROTECTED)) {
        halt(world, task);
        if (task->kind_ != FLOW_KIND_QUEUED) {
            mark_push(world, task);
        }
    }
}

/* Marks one flow of a tree; false: it goes on (a finally section, a shield) or is ending already. */
static bool mark_one(flow_world *world, flow_task *task, flow_cause cause)
{
    if (!(task->flags_ & (FLOW_TASK_CANCELLED | FLOW_TASK_FIXED))) {
        task->flags_ |= FLOW_TASK_CANCELLED;
        task->cause_ = (uint8_t)cause;
    }
    if (task->flags_ & (FLOW_TASK_PROTECTED | FLOW_TASK_FIXED | FLOW_TASK_UNWIND)) {
        return false;
    }
    halt(world, task);
    task->flags_ |= FLOW_TASK_PENDING;
    return true;
}

/* Marks a whole tree: nothing of it resumes any more. Whoever marks it unwinds it in time. */
void flow__mark(flow_world *world, flow_task *root, flow_cause cause)
{
    flow_task *task = root;
    for (;;) {
        uint32_t next = mark_one(world, task, cause) ? flow__cold(task)->last_child : 0;
        while (next == 0 && task != root) {
            next = flow__cold(task)->older;
            if (next == 0) {
                task = flow__task(world, flow__cold(task)->owner);
            }
        }
        if (next == 0) {
            return;
        }
        task = flow__task(world, next);
    }
}

/* Does the running flow have to stop where it is about to wait? */
bool flow__stop_if_cancelled(flow_task *flow)
{
    flow_world *world = flow__world_of(flow);
    if (!(flow->flags_ & FLOW_TASK_PROTECTED)) {
        return must_leave(flow);
    }
    if (world->destroying) {
        flow__warn(world, FLOW_WARNING_CUT_AT_DESTROY, flow, NULL);
        (void)flow__fault_raise(flow, flow->top_, FLOW_CANCELLED, "cut by the end of the world");
        return true;
    }
    return false;
}

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
    bool        lost = task->flags_ & FLOW_TASK_LOST;
    flow_fault *fault = flow__fault_of(world, task);
    if (fault != NULL && (fault->under == frame || lost)) {
        fault->under = NULL;
        task->budget_ = lost ? FLOW_AWAIT_CAP : fault->budget;
        task->flags_ |= FLOW_TASK_FAULT;
    } else if (fault == NULL && !(task->flags_ & FLOW_TASK_CANCELLED)) {
        task->cause_ = FLOW_CAUSE_NONE;
    }
    if (must_leave(task)) {
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
    if (task->flags_ & FLOW_TASK_PENDING) {
        flow__unmark(world, task); /* the section may wait, and its place in a queue is where the list has its link */
    }
    task->flags_ |= FLOW_TASK_PROTECTED;
    if (task->flags_ & FLOW_TASK_FAULT) {
        task->flags_ &= (uint16_t)~FLOW_TASK_FAULT;
        flow_fault *fault = flow__fault_of(world, task);
        fault->under = frame;
        fault->budget = task->budget_;
        task->budget_ = FLOW_AWAIT_CAP; /* an allowance of its own: the failure may be that there was none left */
    }
    frame->at_ = (frame->at_ & 0xffff0000u) | FLOW_POINT_FINALLY_;
}

/* The end of the world cuts finally sections; nothing takes that as a value. */
static bool catchable(const flow_world *world, const flow_fault *fault)
{
    return fault->code != FLOW_ENDLESS && !(world->destroying && fault->code == FLOW_CANCELLED);
}

/* Does the frame's FLOW_TRY take the failure as a value? */
static bool try_takes(flow_world *world, flow_task *task, const flow_frame *frame, const flow_fault *fault)
{
    bool unwinding = (task->flags_ & FLOW_TASK_UNWIND) && !(task->flags_ & FLOW_TASK_PROTECTED);
    if (!(frame->flags_ & FLOW_FRAME_TRY_) || fault->scope != NULL || unwinding || !catchable(world, fault)) {
        return false;
    }
    task->flags_ &= (uint16_t)~FLOW_TASK_FAULT;
    task->flags_ |= FLOW_TASK_TRIED;
    task->cause_ = task->flags_ & FLOW_TASK_CANCELLED ? task->cause_ : FLOW_CAUSE_NONE;
    if ((task->flags_ & FLOW_TASK_PENDING) && !must_leave(task)) { /* it was to stop for what is taken now */
        flow__unmark(world, task);
        task->budget_ = FLOW_AWAIT_CAP;
    }
    return true;
}

static void fault_meets(flow_world *world, flow_task *task, flow_frame *frame)
{
    flow_fault *fault = flow__fault_of(world, task);
    if (try_takes(world, task, frame, fault)) {
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

/* Control comes to the top frame: does its body go on, or is it left? */
static void arrive(flow_world *world, flow_task *task)
{
    if (must_leave(task)) {
        if (task->flags_ & FLOW_TASK_PENDING) {
            flow__unmark(world, task); /* no one else need see to it */
        }
        task->budget_ = FLOW_AWAIT_CAP; /* it was cut so that the body would stop */
        if (task->flags_ & FLOW_TASK_CANCELLED) {
            task->flags_ |= FLOW_TASK_UNWIND;
        }
        if (task->flags_ & FLOW_TASK_CHILD_FAULT) {
            task->flags_ &= (uint16_t)~FLOW_TASK_CHILD_FAULT;
            task->flags_ |= FLOW_TASK_FAULT;
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
        arrive(world, task);
    } else if (step.kind_ == FLOW_STEP_STOPPED_) {
        if (must_leave(task)) {
            task->kind_ = FLOW_KIND_MARKED;
            mark_push(world, task);
        } /* else a call too deep for the C stack: it is on top now, and runs next */
    } else if (top->flags_ & FLOW_FRAME_FINALLY) {
        finally_over(world, task, top);
    } else {
        top->flags_ |= step.kind_ == FLOW_STEP_ENDED_ ? FLOW_FRAME_CLEANED : 0;
        body_over(task, top, &task->flags_);
        arrive(world, task);
    }
}

/* ---- leaving ---- */

#define YOUNGEST UINT32_MAX

/* A child is to be unwound with its scope. */
static void unwind_begin(flow_world *world, flow_task *task, flow_cause cause)
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
    arrive(world, task);
}

/* Ending already, or protected: it ends in its own time, and its owner waits for it. */
static bool ends_by_itself(flow_task *task, flow_cause cause)
{
    if (task->flags_ & (FLOW_TASK_UNWIND | FLOW_TASK_FIXED)) {
        return true;
    }
    if (task->flags_ & FLOW_TASK_PROTECTED) {
        if (!(task->flags_ & FLOW_TASK_CANCELLED)) {
            task->flags_ |= FLOW_TASK_CANCELLED;
            task->cause_ = (uint8_t)cause;
        }
        return true;
    }
    return false;
}

/* Is the child to be unwound by its owner? One that was not started is discarded instead. */
static bool child_qualifies(flow_world *world, const flow_task *task, flow_task *child, flow_cause cause)
{
    if ((task->flags_ & FLOW_TASK_CLEARS_MARKED) && !(child->flags_ & FLOW_TASK_CANCELLED)) {
        return false; /* a member that came after the clear */
    }
    if (child->kind_ == FLOW_KIND_EMBRYO) {
        flow__task_discard(world, child);
        return false;
    }
    return !ends_by_itself(child, cause);
}

static bool has_child(const flow_world *world, const flow_task *task)
{
    uint32_t youngest = flow__cold(task)->last_child;
    return youngest != 0 && flow__cold(flow__task(world, youngest))->owner_frame == task->top_;
}

static void cleanups_run(flow_world *world, flow_task *task, flow_frame *frame)
{
    flow_cold *cold = flow__cold(task);
    bool       inside = world->inside;
    while (cold->resources != 0) {
        flow_node *node = flow__node(world, cold->resources);
        if (node->kind != FLOW_NODE_DEFER || node->up.frame != frame) {
            break;
        }
        void (*cleanup)(void *) = node->on.cleanup;
        void *arg = node->to.arg;
        cold->resources = node->sibling ? flow__node_id(node->sibling) : 0;
        world->count.waits++;
        flow__node_give(world, node);
        world->current = task;
        world->inside = true;
        cleanup(arg);
        world->inside = inside;
    }
    frame->flags_ &= (uint8_t)~FLOW_FRAME_CLEANUPS;
}

typedef enum go { GO_RUN, GO_CHILD, GO_WAIT, GO_ENDED } go;

enum {
    QUICK_TASK = FLOW_TASK_CANCELLED | FLOW_TASK_UNWIND | FLOW_TASK_PROTECTED | FLOW_TASK_FIXED,
    QUICK_FRAME = FLOW_FRAME_LEAVING | FLOW_FRAME_FINALLY
};

/* Takes the flow out of its wait: cheapest when it is the last of its queue, as the youngest of its siblings often is. */
FLOW_INLINE_ void quick_wait_drop(flow_world *world, flow_task *task)
{
    if (task->kind_ == FLOW_KIND_TICK) {
        flow_queue *queue = &flow__lane(world, task->clock_, task->phase_)->ticks;
        uintptr_t  *last = queue->end - 1;
        if (*last == (uintptr_t)task && last > queue->tail->entry && last[-1] != 0) {
            queue->due = queue->due == queue->end ? last : queue->due;
            queue->end = last;
            return;
        }
    }
    flow__wait_drop(world, task);
}

/* It was cancelled in its first frame while nobody waited for its end, from within its owner's unwinding: no one is told. */
FLOW_INLINE_ void quick_end(flow_world *world, flow_task *task, flow_cold *cold)
{
    flow__child_unlink(world, cold);
    flow__generation_next(cold);
    cold->owner_frame = NULL;
    cold->what.file = NULL;
    task->flags_ = FLOW_STATE_CANCELLED;
    task->budget_ = 0;
    task->clock_ = 0;
    flow__slot_give(world, task);
    world->count.live--;
    world->count.ended++;
    world->count.cancelled++;
}

/* Most flows that are cancelled wait in their first frame and own nothing: those go straight through, to the same states
 * that the stages would bring. *older is the next older sibling then. False: this one does not qualify, and nothing has
 * been done. */
FLOW_INLINE_ bool unwind_quick(flow_world *world, flow_task *task, flow_cold *cold, flow_cause cause, uint32_t *older)
{
    flow_frame *top = task->top_;
    bool        waits = task->kind_ >= FLOW_KIND_READY && task->kind_ <= FLOW_KIND_NODE;
    if (!waits || task->flags_ != 0 || (void *)top != (void *)task->first_ || (top->flags_ & ~FLOW_FRAME_TRY_) != 0 ||
        (cold->resources | cold->joiners) != 0) {
        return false;
    }
    quick_wait_drop(world, task);
    task->kind_ = FLOW_KIND_RUNNING;
    task->flags_ = QUICK_TASK;
    task->cause_ = (uint8_t)cause;
    task->budget_ = FLOW_AWAIT_CAP;
    top->flags_ = QUICK_FRAME;
    top->at_ = (top->at_ & 0xffff0000u) | FLOW_POINT_FINALLY_;
    flow_step step = run_on(world, task, 0);
    *older = cold->older;
    if (task->kind_ != FLOW_KIND_RUNNING) {
        return true;
    }
    if (step.kind_ != FLOW_STEP_STOPPED_ && task->flags_ == QUICK_TASK && top->flags_ == QUICK_FRAME &&
        (cold->resources | cold->joiners) == 0) {
        quick_end(world, task, cold);
    } else {
        flow__after(world, task, step);
        *older = cold->older; /* a report may have ended others */
    }
    return true;
}

/* Unwinds the children of the top frame from the hint towards the older ones, those that can go the quick way here and now;
 * true: *child is to be driven. What ends by itself is left alone. */
static bool children_left(flow_world *world, flow_task *task, uint32_t hint, flow_task **child)
{
    flow_cause cause = task->flags_ & FLOW_TASK_CLEARING ? FLOW_CAUSE_EXPLICIT : (flow_cause)task->cause_;
    cause = cause != FLOW_CAUSE_NONE ? cause : FLOW_CAUSE_PARENT_ENDED;
    uint32_t id = hint == YOUNGEST ? flow__cold(task)->last_child : hint;
    while (id != 0) {
        flow_cold *cold = flow__cold_at(world, id);
        *child = flow__task(world, id);
        if (cold->owner_frame != task->top_) {
            return false;
        }
        if (!(task->flags_ & FLOW_TASK_CLEARS_MARKED) && unwind_quick(world, *child, cold, cause, &id)) {
            if ((*child)->kind_ == FLOW_KIND_RUNNING) {
                return true;
            }
            continue;
        }
        id = cold->older;
        if (child_qualifies(world, task, *child, cause)) {
            unwind_begin(world, *child, cause);
            return true;
        }
    }
    return false;
}

/* A child's failure that still waits to be taken names this frame: it is its caller's from now on. */
static void scope_popped(flow_world *world, flow_task *task, const flow_frame *frame)
{
    flow_fault *fault = task->flags_ & FLOW_TASK_CHILD_FAULT ? flow__fault_of(world, task) : NULL;
    if (fault != NULL && fault->scope == frame) {
        fault->scope = NULL;
    }
}

/* Goes on leaving the top frame, and the frames below it that are left too, until somebody's code is to run. */
static go leave(flow_world *world, flow_task *task, uint32_t hint, const flow_frame *stop_at, flow_task **child)
{
    for (;;) {
        flow_frame *top = task->top_;
        if (top != NULL && (!(top->flags_ & FLOW_FRAME_LEAVING) || (top->flags_ & FLOW_FRAME_FINALLY))) {
            return GO_RUN;
        }
        if (top == NULL || (top->flags_ & FLOW_FRAME_CHILDREN)) {
            if (children_left(world, task, hint, child)) {
                return GO_CHILD;
            }
            if ((task->flags_ & (FLOW_TASK_CLEARING | FLOW_TASK_CANCELLED)) == FLOW_TASK_CLEARING) {
                task->flags_ &= (uint16_t)~(FLOW_TASK_CLEARING | FLOW_TASK_CLEARS_MARKED);
                task->kind_ = FLOW_KIND_GROUP;
                return GO_WAIT;
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
        if (flow__caller(task, top) == NULL) {
            return GO_ENDED;
        }
        scope_popped(world, task, top);
        flow__frame_pop(world, task);
        hint = YOUNGEST;
        arrive(world, task);
        if (task->top_ == stop_at) {
            return GO_RUN;
        }
    }
}

/* Runs and leaves, from the root's top frame on, until the root waits or has ended (false), or its control is back in the
 * frame stop_at (true: its body may go on). */
bool flow__drive(flow_world *world, flow_task *root, flow_frame *stop_at)
{
    flow_task *outer = world->current;
    flow_task *task = root;
    uint32_t   hint = YOUNGEST;
    uint8_t    depth = stop_at ? (uint8_t)(stop_at->depth_ + 1) : 0; /* of the C stack, in direct calls */
    for (;;) {
        if (task == root && stop_at != NULL && task->top_ == stop_at) {
            world->current = outer;
            return !(stop_at->flags_ & FLOW_FRAME_LEAVING) || (stop_at->flags_ & FLOW_FRAME_FINALLY);
        }
        flow_task *child = NULL;
        go         next = leave(world, task, hint, task == root ? stop_at : NULL, &child);
        hint = YOUNGEST;
        if (next == GO_RUN) {
            if (task == root && stop_at != NULL && task->top_ == stop_at) {
                continue;
            }
            flow_step step = run_on(world, task, depth);
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
        flow_cold  *cold = flow__cold(task);
        flow_task  *owner = flow__task(world, cold->owner);
        flow_handle older = {cold->older, cold->older ? flow__cold_at(world, cold->older)->generation : 0};
        bool        was_root = task == root;
        if (next == GO_ENDED) {
            flow__task_end(world, task);
        }
        if (was_root) {
            break;
        }
        hint = older.slot == 0 || flow__task_of(world, older) != NULL ? older.slot : YOUNGEST; /* a report may end others */
        task = owner;
    }
    world->current = outer;
    return false;
}

/* ---- resuming ---- */

static void result_fails(flow_world *world, flow_task *task, const flow_result *result)
{
    task->flags_ &= (uint16_t)~FLOW_TASK_RESULT;
    task->kind_ = FLOW_KIND_RUNNING;
    task->budget_ = FLOW_AWAIT_CAP;
    (void)flow__fault_arrive(task, task->top_, result);
    arrive(world, task);
    (void)flow__drive(world, task, NULL);
}

/* The wait that the flow was on holds a result: a failure, or a composition whose losers are still to be unwound. */
static void result_take(flow_world *world, flow_task *task)
{
    if (task->budget_ == 0) {
        result_fails(world, task, &(flow_result){FLOW_CLOSED, "the clock of this wait has ended", NULL});
        return;
    }
    flow_node *node = flow__node(world, task->budget_);
    bool       composition = node->kind != FLOW_NODE_DONE;
    task->flags_ &= (uint16_t)~FLOW_TASK_RESULT;
    task->kind_ = FLOW_KIND_RUNNING;
    task->budget_ = FLOW_AWAIT_CAP;
    bool closed = !composition || flow__compose_close(world, task, node);
    if (must_leave(task)) {
        flow__node_drop(world, node);
        task->kind_ = FLOW_KIND_MARKED;
        mark_push(world, task);
        return;
    }
    if (!closed) {
        task->kind_ = FLOW_KIND_NODE;
        task->pos_ = flow__node_id(node);
        task->budget_ = node->seq;
        return;
    }
    flow_result result = flow__node_result(world, node);
    if (result.fault != NULL) {
        result.fault->node = NULL;
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
    if (must_leave(task) && !(task->flags_ & (FLOW_TASK_UNWIND | FLOW_TASK_FIXED))) {
        task->kind_ = FLOW_KIND_MARKED; /* it stands in no queue any more */
        flow__wait_drop(world, task);   /* but may hold a result */
        mark_push(world, task);
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

/* A suspended flow's turn, from a tick: nobody else is running. */
void flow__resume(flow_world *world, flow_task *task)
{
    world->count.resumed++;
    if (FLOW_LIKELY_(task->flags_ == 0)) {
        flow__run(world, task);
    } else {
        resume_flagged(world, task);
    }
    world->current = NULL;
}

/* Its turn, unless the clock it lives on is paused: then it is held. */
void flow__wake(flow_world *world, flow_task *task)
{
    if (FLOW_UNLIKELY_(world->paused_clocks != 0) && world->clocks[task->clock_]->paused) {
        task->kind_ = FLOW_KIND_HELD;
        flow_lane *lane = flow__lane(world, task->clock_, task->phase_);
        (void)flow__queue_push(world, &lane->held, (uintptr_t)task, &task->pos_);
        return;
    }
    flow__resume(world, task);
}

/* ---- cancelling ---- */

static bool in_tree(const flow_world *world, const flow_task *task, const flow_task *tree, bool leaf)
{
    if (leaf) {
        return task == tree;
    }
    while (task != tree && task != world->root) {
        task = flow__task(world, flow__cold(task)->owner);
    }
    return task == tree;
}

/* Has anything of the tree code on the C stack? */
bool flow__on_stack(const flow_world *world, const flow_task *tree)
{
    bool leaf = flow__cold(tree)->last_child == 0;
    if (world->current != NULL && in_tree(world, world->current, tree, leaf)) {
        return true;
    }
    for (const flow_activation *a = world->outer; a != NULL; a = a->outer) {
        if (a->task != NULL && in_tree(world, a->task, tree, leaf)) {
            return true;
        }
    }
    return false;
}

/* Everything of the tree that is on the C stack stops at its next await, and waits there for the tree's unwinding. */
static void halt_on_stack(flow_world *world, flow_task *tree, flow_cause cause)
{
    flow_activation first = {world->current, world->outer};
    for (flow_activation *a = &first; a != NULL; a = a->outer) {
        if (a->task != NULL && a->task != tree && in_tree(world, a->task, tree, false)) {
            (void)mark_one(world, a->task, cause);
        }
    }
}

/* Runs `unwind` for a tree nested in whatever is running now. */
static void drive_nested(flow_world *world, flow_task *task)
{
    flow_activation here = {world->current, world->outer};
    if (here.task != NULL) {
        world->outer = &here;
    }
    world->nesting++;
    (void)flow__drive(world, task, NULL);
    world->nesting--;
    world->current = here.task;
    world->outer = here.outer;
}

/* Control comes to a flow that was taken out of its wait. */
void flow__go_on(flow_world *world, flow_task *task)
{
    arrive(world, task);
    drive_nested(world, task);
}

/* Unwinds a flow that a composition has marked, unless it is ending by itself. */
void flow__unwind_marked(flow_world *world, flow_task *task)
{
    if (!ends_by_itself(task, FLOW_CAUSE_RACE_LOST) && !flow__on_stack(world, task)) {
        unwind_begin(world, task, FLOW_CAUSE_RACE_LOST);
        (void)flow__drive(world, task, NULL);
    }
}

/* A suspended flow that owns nothing. */
static bool cancel_quick(flow_world *world, flow_task *task, flow_cause cause, flow_activation *here)
{
    uint32_t older;
    if (world->nesting >= FLOW_NESTING_LIMIT || flow__cold(task)->last_child != 0) {
        return false;
    }
    world->outer = here->task ? here : world->outer;
    world->nesting++;
    bool quick = unwind_quick(world, task, flow__cold(task), cause, &older);
    if (quick && task->kind_ == FLOW_KIND_RUNNING) {
        (void)flow__drive(world, task, NULL);
    }
    world->nesting--;
    world->current = here->task;
    world->outer = here->outer;
    flow__outermost(world);
    return quick;
}

/* Cancels every member of a group, which lives on. */
void flow__group_clear(flow_world *world, flow_task *group)
{
    bool deep = world->nesting >= FLOW_NESTING_LIMIT;
    if (deep || flow__on_stack(world, group)) {
        for (uint32_t id = flow__cold(group)->last_child; id != 0; id = flow__cold(flow__task(world, id))->older) {
            flow__mark(world, flow__task(world, id), FLOW_CAUSE_EXPLICIT);
        }
        bool listed = group->flags_ & FLOW_TASK_PENDING;
        group->flags_ |= FLOW_TASK_CLEARING | FLOW_TASK_CLEARS_MARKED;
        if (deep && !listed) {
            group->flags_ |= FLOW_TASK_PENDING;
            flow__put_off(world, group);
        } else {
            mark_push(world, group);
        }
        return;
    }
    group->flags_ |= FLOW_TASK_CLEARING;
    group->kind_ = FLOW_KIND_RUNNING;
    drive_nested(world, group);
    flow__outermost(world);
}

/* Cancels a flow or group with all that is in it. True: it is done. */
bool flow__cancel(flow_world *world, flow_task *task, flow_cause cause)
{
    flow_handle handle = flow__handle_of(task);
    if (task->flags_ & (FLOW_TASK_CANCELLED | FLOW_TASK_FIXED | FLOW_TASK_UNWIND)) {
        return false;
    }
    flow_activation here = {world->current, world->outer};
    if (cancel_quick(world, task, cause, &here)) {
        return flow__task_of(world, handle) == NULL;
    }
    task->flags_ |= FLOW_TASK_CANCELLED;
    task->cause_ = (uint8_t)cause;
    if (task->kind_ == FLOW_KIND_QUEUED || (task->flags_ & FLOW_TASK_PROTECTED)) {
        return false;
    }
    if (flow__on_stack(world, task)) {
        halt_on_stack(world, task, cause);
        flow__stop(world, task);
        return false;
    }
    if (world->nesting >= FLOW_NESTING_LIMIT) {
        halt(world, task);
        task->flags_ |= FLOW_TASK_PENDING;
        flow__put_off(world, task);
        return false;
    }
    unwind_begin(world, task, cause);
    drive_nested(world, task);
    flow__outermost(world);
    task = flow__task_of(world, handle);
    return task == NULL || (task->kind_ == FLOW_KIND_GROUP && !(task->flags_ & FLOW_TASK_CANCELLED));
}

/* ---- what was put off ---- */

/* Those that were marked with code on the C stack, the newest first, once that code is gone. */
static void settle_marked(flow_world *world)
{
    flow_task *task = world->marked;
    while (task != NULL) {
        if (task->kind_ == FLOW_KIND_RUNNING || flow__on_stack(world, task)) {
            task = task->pos_ ? flow__task(world, task->pos_) : NULL;
            continue;
        }
        flow__unmark(world, task);
        flow__wait_drop(world, task);
        task->kind_ = FLOW_KIND_RUNNING;
        task->budget_ = FLOW_AWAIT_CAP;
        flow__go_on(world, task);
        task = world->marked;
    }
}

/* Starts and cancels that were nested too deep, the newest first. */
static void settle_deep(flow_world *world)
{
    world->nesting++; /* one loop does it, however deep they go */
    while (world->deep != NULL) {
        flow_task *task = world->deep;
        world->deep = task->pos_ ? flow__task(world, task->pos_) : NULL;
        if (task->kind_ == FLOW_KIND_QUEUED && !(task->flags_ & FLOW_TASK_CANCELLED)) {
            world->count.started--;
            task->kind_ = FLOW_KIND_EMBRYO;
            flow__task_start(world, task);
        } else {
            task->flags_ &= (uint16_t)~FLOW_TASK_PENDING;
            if (task->flags_ & FLOW_TASK_CANCELLED) {
                unwind_begin(world, task, (flow_cause)task->cause_);
            } else {
                task->kind_ = FLOW_KIND_RUNNING; /* a group to clear */
            }
            drive_nested(world, task);
        }
        settle_marked(world);
    }
    world->nesting--;
}

/* A start or a cancel that is nested too deep. */
void flow__put_off(flow_world *world, flow_task *task)
{
    task->pos_ = world->deep ? flow__task_id(world->deep) : 0;
    world->deep = task;
    world->attention |= FLOW_ATTENTION_OWED;
}

void flow__settle(flow_world *world)
{
    if (world->marked != NULL) {
        settle_marked(world);
    }
    if (world->deep != NULL && world->nesting == 0 && world->current == NULL) {
        settle_deep(world);
    }
    if (world->marked == NULL && world->deep == NULL) {
        world->attention &= (uint8_t)~FLOW_ATTENTION_OWED;
    }
}

/* ---- failing, trying, shielding ---- */

/* The awaited thing failed with a result: 0 when a FLOW_TRY takes it and the body goes on, else 1. */
int flow__fault_arrive(flow_task *flow, flow_frame *self, const flow_result *result)
{
    flow_world *world = flow__world_of(flow);
    flow_fault *fault = result->fault;
    if (fault == NULL) {
        fault = flow__fault_new(world, flow, result->code, result->message);
    }
    fault->task = flow;
    flow->flags_ |= FLOW_TASK_FAULT;
    if (!try_takes(world, flow, self, fault)) {
        return 1;
    }
    flow->budget_ -= flow->budget_ != 0;
    return flow__done_at_once(flow, self);
}

int flow__fault_raise(flow_task *flow, flow_frame *self, int code, const char *message)
{
    flow_result result = {code, message, NULL};
    return flow__fault_arrive(flow, self, &result);
}

flow_step flow_fail_(flow_task *flow, flow_frame *self, int code, const char *message, int line)
{
    self->at_ = (self->at_ & 0xffffu) | ((uint32_t)line << 16);
    if (code == 0) {
        code = FLOW_MISUSE;
        message = "FLOW_FAIL with the code 0, which is success";
    }
    self->flags_ &= (uint8_t)~FLOW_FRAME_TRY_;
    (void)flow__fault_raise(flow, self, code, message);
    flow__fault_of(flow__world_of(flow), flow)->line = line; /* the frame keeps 16 bits of it */
    return flow_step_of_(FLOW_STEP_STOPPED_);
}

void flow_tried_(flow_task *flow, flow_frame *self, flow_outcome *outcome)
{
    flow_world  *world = flow__world_of(flow);
    flow_outcome result = {FLOW_STATE_DONE, FLOW_CAUSE_NONE, 0, NULL, NULL, 0};
    self->flags_ &= (uint8_t)~FLOW_FRAME_TRY_;
    if (flow->flags_ & FLOW_TASK_TRIED) {
        flow_fault *fault = flow__fault_of(world, flow);
        flow->flags_ &= (uint16_t)~FLOW_TASK_TRIED;
        result = flow__outcome_of_fault(fault);
        if (fault->code == FLOW_CANCELLED) {
            result.state = FLOW_STATE_CANCELLED;
        }
        flow__fault_free(world, fault);
    }
    if (outcome != NULL) {
        *outcome = result;
    }
}

void flow_shield_(flow_task *flow, flow_frame *self)
{
    if (!(flow->flags_ & FLOW_TASK_PROTECTED)) {
        if (must_leave(flow)) {
            flow__unmark(flow__world_of(flow), flow); /* it stops at its next unshielded await */
            flow->budget_ = FLOW_AWAIT_CAP;
        }
        flow->flags_ |= FLOW_TASK_PROTECTED;
        self->flags_ |= FLOW_FRAME_SHIELD_;
    }
}

void flow_unshield_(flow_task *flow, flow_frame *self)
{
    if (self->flags_ & FLOW_FRAME_SHIELD_) {
        self->flags_ &= (uint8_t)~FLOW_FRAME_SHIELD_;
        flow->flags_ &= (uint16_t)~FLOW_TASK_PROTECTED;
        flow->budget_ = must_leave(flow) ? 1 : flow->budget_;
    }
}
