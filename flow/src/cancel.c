/* SPDX-License-Identifier: MIT */
/*
 * Cancelling. A suspended flow is unwound at once. One with code on the C stack is never unwound
 * under its own feet: it is marked, stops at its next await, and the marked list is worked off when
 * that code is gone from the stack. Cancels and starts nested too deep are put off to the outermost
 * level. Both lists are worked off newest first.
 */
#include "task.h"

/* ---- marks ---- */

void flow__mark_push(flow_world *world, flow_task *task)
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
    list_remove(world, &world->gradual, task);
}

/* Out of its wait, and not to resume; one that runs stops at its next await. */
static void halt(flow_world *world, flow_task *task)
{
    if (task->kind_ == FLOW_KIND_RUNNING) {
        flow__cut_short(task);
    } else if (flow__waits(task)) {
        flow__wait_drop(world, task);
    } else if (task->kind_ == FLOW_KIND_CLOSING) {
        task->kind_ = FLOW_KIND_MARKED; /* the list of marked flows sees to it, not its children */
    }
}

/* A flow whose flags say that it must leave: it will, as soon as no code of it is on the C stack.
 */
void flow__stop(flow_world *world, flow_task *task)
{
    if (!(task->flags_ & FLOW_TASK_PROTECTED)) {
        halt(world, task);
        if (task->kind_ != FLOW_KIND_QUEUED) {
            flow__mark_push(world, task);
        }
    }
}

/* Marks one flow of a tree; false: it goes on (a finally section, a shield) or is ending already.
 */
static bool mark_one(flow_world *world, flow_task *task, flow_cause cause)
{
    if (!(task->flags_ & (FLOW_TASK_CANCELLED | FLOW_TASK_FIXED))) {
        task->flags_ |= FLOW_TASK_CANCELLED;
        task->cause_ = (uint8_t)cause;
        if (task->flags_ & FLOW_TASK_PROTECTED) {
            flow__away_told(task);
        }
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
    if (flow->kind_ == FLOW_KIND_AWAY) {
        return flow__away_misused(flow, "an await on a worker: flow_switch_home comes first");
    }
    if (!(flow->flags_ & FLOW_TASK_PROTECTED)) {
        return flow__must_leave(flow);
    }
    if (world->destroying) {
        flow__warn(world, FLOW_WARNING_CUT_AT_DESTROY, flow, NULL);
        (void)flow__fault_raise(flow, flow->top_, FLOW_CANCELLED, "cut by the end of the world");
        return true;
    }
    return false;
}

/* ---- cancelling ---- */

static bool in_tree(const flow_world *world, const flow_task *task, const flow_task *tree,
                    bool leaf)
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

/* Cancels every member of a group, which lives on. */
void flow__group_clear(flow_world *world, flow_task *group)
{
    bool deep = world->nesting >= FLOW_NESTING_LIMIT;
    if (group->kind_ == FLOW_KIND_READY) {
        return; /* it was asked to stop, is empty, and about to end */
    }
    if (deep || flow__on_stack(world, group)) {
        halt(world, group);
        for (uint32_t id = flow__cold(group)->last_child; id != 0;
             id = flow__cold(flow__task(world, id))->older) {
            flow__mark(world, flow__task(world, id), FLOW_CAUSE_EXPLICIT);
        }
        bool listed = group->flags_ & FLOW_TASK_PENDING;
        group->flags_ |= FLOW_TASK_CLEARING | FLOW_TASK_CLEARS_MARKED;
        if (deep && !listed) {
            group->flags_ |= FLOW_TASK_PENDING;
            flow__put_off(world, group);
        } else {
            flow__mark_push(world, group);
        }
        return;
    }
    group->flags_ |= FLOW_TASK_CLEARING;
    group->kind_ = FLOW_KIND_RUNNING;
    flow__drive_nested(world, group);
    flow__outermost(world);
}

/* The same where a tree is to be walked, or code of it is on the C stack. */
static bool cancel_tree(flow_world *world, flow_task *task, flow_cause cause)
{
    flow_handle handle = flow__handle_of(task);
    bool listed = task->flags_ & FLOW_TASK_PENDING;
    if (task->kind_ != FLOW_KIND_QUEUED && !(task->flags_ & FLOW_TASK_PROTECTED) &&
        flow__on_stack(world, task)) {
        flow__mark(world, task, cause);
        if (!listed) {
            task->flags_ &= (uint16_t)~FLOW_TASK_PENDING;
            flow__mark_push(world, task);
        }
        return false;
    }
    task->flags_ |= FLOW_TASK_CANCELLED;
    task->cause_ = (uint8_t)cause;
    if (task->flags_ & FLOW_TASK_PROTECTED) {
        flow__away_told(task);
        return false;
    }
    if (task->kind_ == FLOW_KIND_QUEUED) {
        return false;
    }
    if (world->nesting >= FLOW_NESTING_LIMIT) {
        halt(world, task);
        if (!(task->flags_ & FLOW_TASK_PENDING)) { /* else somebody sees to it already */
            task->flags_ |= FLOW_TASK_PENDING;
            flow__put_off(world, task);
        }
        return false;
    }
    flow__unwind_begin(world, task, cause);
    flow__drive_nested(world, task);
    flow__outermost(world);
    return flow__task_of(world, handle) == NULL;
}

FLOW_COLD_ static bool cancel_profiled(flow_world *world, flow_task *task, flow_cause cause)
{
    flow__profile_cancel(world, task);
    bool done = cancel_tree(world, task, cause);
    flow__profile_close(world);
    return done;
}

/* Cancels a flow or group with all that is in it. True: it is done. */
bool flow__cancel(flow_world *world, flow_task *task, flow_cause cause)
{
    if (task->flags_ & (FLOW_TASK_CANCELLED | FLOW_TASK_FIXED | FLOW_TASK_UNWIND)) {
        return false;
    }
    if (flow__profiled(world)) {
        return cancel_profiled(world, task, cause);
    }
    flow_alone how = flow__unwind_alone(world, task, cause);
    return how == FLOW_ALONE_NOT ? cancel_tree(world, task, cause) : how == FLOW_ALONE_ENDED;
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
                flow__unwind_begin(world, task, (flow_cause)task->cause_);
            } else {
                task->kind_ = FLOW_KIND_RUNNING; /* a group to clear */
            }
            flow__drive_nested(world, task);
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
