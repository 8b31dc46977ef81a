/* SPDX-License-Identifier: MIT */
/*
 * The reference's leaving and cancelling: children, finally section, what that has started,
 * deferred cleanups; and what is marked because code of it is on the C stack.
 */
#include "naive.h"

static bool has_children(const nflow *flow, const nframe *scope)
{
    for (int i = 0; i < flow->children.count; i++) {
        if (((const nflow *)flow->children.item[i])->scope == scope) {
            return true;
        }
    }
    return false;
}

/* Control comes to a flow that was taken out of its wait. */
static void goes_on(nflow *flow)
{
    flow->on_stack++;
    model.nested++;
    arrive(flow);
    flow->on_stack--;
    drive(flow);
    model.nested--;
}

/* A child is unwound, up to its first await. */
void unwind(nflow *flow, flow_cause cause)
{
    unmark(flow);
    if (!flow->cancelled) {
        flow->cancelled = true;
        flow->cause = cause;
    }
    out_of_wait(flow);
    flow->doing = IS_RUNNING;
    goes_on(flow);
}

/* Its own cause, once it has one: a cancel may come while its children are unwound. */
static flow_cause cause_below(const nflow *flow, bool clearing)
{
    flow_cause own = flow->cause != FLOW_CAUSE_NONE ? flow->cause : FLOW_CAUSE_PARENT_ENDED;
    return clearing ? FLOW_CAUSE_EXPLICIT : own;
}

/* The youngest first; marked_only: a group is cleared of those that were there then. */
static void children_unwind(nflow *flow, nframe *scope, bool clearing, bool marked_only)
{
    vec children = vec_copy(&flow->children);
    for (int i = children.count; i-- > 0;) {
        flow_cause cause = cause_below(flow, clearing);
        nflow *child = children.item[i];
        if (child->doing == IS_OVER || child->scope != scope ||
            (marked_only && !child->cancelled)) {
            continue;
        }
        if (child->doing == IS_NEW) {
            flow_discard(child);
        } else if (!ends_by_itself(child, cause)) {
            unwind(child, cause);
        }
    }
}

static void resource_release(const resource *r)
{
    switch (r->kind) {
    case R_DEFER:
        cleanup_run(r->what);
        break;
    case R_PAUSE:
        ((nclock *)r->what)->pauses -= ((nclock *)r->what)->pauses > 0;
        break;
    case R_CLOCK:
        if (!((nclock *)r->what)->ended) {
            clock_end(r->what);
        }
        break;
    case R_SUBSCRIPTION:
        sub_end(r->what);
        break;
    case R_SET:
        set_end(r->what);
        break;
    }
}

static void cleanups_run(nframe *frame)
{
    while (frame->resources.count > 0) {
        resource *r = frame->resources.item[--frame->resources.count];
        resource_release(r);
    }
}

/* Its owner may have been waiting for just this child. */
void ended_told(nflow *owner)
{
    if (owner->doing == IS_CLOSING && !has_children(owner, owner->top)) {
        unmark(owner);
        queue(owner);
    }
}

static void joiners_told(nflow *flow, nfault **fault)
{
    while (flow->joiners.count > 0) {
        nwait *wait = flow->joiners.item[0];
        vec_remove(&flow->joiners, wait);
        wait->on = false;
        if (!wait->owns) {
            wait->run->joined[wait->spec->place] = flow->outcome;
            wait_end(wait, 0, false);
            continue;
        }
        wait->fault = *fault;
        *fault = NULL;
        wait_end(wait,
                 flow->outcome.state == FLOW_STATE_CANCELLED ? FLOW_CANCELLED : flow->outcome.code,
                 false);
    }
}

static void count_end(const nflow *flow)
{
    if (!flow->group) {
        model.count.live--;
        model.count.ended++;
        model.count.cancelled += flow->outcome.state == FLOW_STATE_CANCELLED;
        model.count.failed += flow->outcome.state == FLOW_STATE_FAILED;
    }
}

static void end(nflow *flow)
{
    nfault *fault = flow->fault ? flow->fault : flow->child_fault;
    nflow *owner = flow->owner;
    flow->fault = flow->child_fault = NULL;
    if (flow->cancelled) {
        flow->outcome = (flow_outcome){.state = FLOW_STATE_CANCELLED, .cause = flow->cause};
        if (fault != NULL) {
            report(fault, FLOW_FAILURE_UNDELIVERED);
            fault = NULL;
        }
    } else {
        flow->outcome.state = fault ? FLOW_STATE_FAILED : FLOW_STATE_DONE;
        flow->outcome.code = fault ? fault->code : 0;
    }
    unmark(flow);
    count_end(flow);
    joiners_told(flow, &fault);
    flow->doing = IS_OVER;
    flow->end = model.ends++;
    vec_remove(&owner->children, flow);
    model.current = model.current == flow ? NULL : model.current;
    if (fault != NULL && flow->scope != NULL) {
        scope_fails(owner, flow->scope, fault);
    } else if (fault != NULL) {
        group_fails(owner, fault);
    }
    ended_told(owner);
}

/* Leaves the top frame, or a group. */
void leave(nflow *flow)
{
    nframe *top = flow->top;
    children_unwind(flow, top, false, false);
    if (has_children(flow, top)) {
        flow->doing = IS_CLOSING;
    } else if (top == NULL) {
        end(flow);
    } else if (!top->cleaned) {
        finally_begins(top);
        if (top->run->block->has_finally) {
            model.count.finally_runs++;
            run_closes(top->run);
        } else {
            finally_over(top);
        }
    } else {
        cleanups_run(top);
        if (flow->child_fault != NULL && flow->child_fault->scope == top) {
            flow->child_fault->scope = NULL; /* it is its caller's from now on, protected or not */
            child_fault_climbs(flow);
        }
        if (top->caller == NULL) {
            end(flow);
            return;
        }
        flow->top = top->caller;
        arrive(flow);
    }
}

/* ---- cancelling ---- */

/* Nothing of the tree resumes any more; what protects itself goes on. */
void mark_tree(nflow *flow, flow_cause cause)
{
    if (!flow->cancelled && !flow->fixed) {
        flow->cancelled = true;
        flow->cause = cause;
    }
    if (flow->protected || flow->fixed || flow->unwinding || flow->doing == IS_NEW) {
        return;
    }
    if (flow->on_stack == 0) {
        out_of_wait(flow);
    }
    flow->pending = true;
    for (int i = flow->children.count; i-- > 0;) {
        mark_tree(flow->children.item[i], cause);
    }
}

int cancel(nflow *flow, flow_cause cause)
{
    if (flow->cancelled || flow->fixed || flow->unwinding) {
        return FLOW_PENDING;
    }
    if (flow->protected) {
        flow->cancelled = true;
        flow->cause = cause;
        return FLOW_PENDING;
    }
    if (is_on_stack(flow)) {
        bool listed = flow->pending;
        mark_tree(flow, cause);
        if (!listed) {
            vec_push(&model.marked, flow);
        }
        return FLOW_PENDING;
    }
    unwind(flow, cause);
    settle_marked();
    return flow->doing == IS_OVER ? FLOW_OK : FLOW_PENDING;
}

/* The members are unwound. A group that was asked to stop ends with the last of them. */
static void members_unwind(nflow *group, bool marked_only)
{
    group->doing = IS_RUNNING;
    children_unwind(group, NULL, true, marked_only);
    if (group->cancelled) {
        return; /* from within: it is marked, and ends by that */
    }
    unmark(group);
    group->clearing = false;
    if (!group->asked) {
        group->doing = IS_GROUP;
    } else if (has_children(group, NULL)) {
        group->doing = IS_CLOSING;
    } else {
        end(group);
    }
}

/* Of the members that are there now, none goes on; the group does. */
int clear(nflow *group)
{
    if (group->cancelled) {
        return FLOW_PENDING;
    }
    if (group->doing == IS_READY) {
        return FLOW_OK; /* it was asked to stop and is about to end */
    }
    if (is_on_stack(group)) {
        for (int i = group->children.count; i-- > 0;) {
            mark_tree(group->children.item[i], FLOW_CAUSE_EXPLICIT);
        }
        if (group->doing == IS_CLOSING) {
            group->doing = IS_STOPPED; /* it ends by being cleared, not with its last member */
        }
        group->clearing = true;
        mark(group);
    } else {
        members_unwind(group, false);
        settle_marked();
    }
    for (int i = 0; i < group->children.count; i++) {
        if (((const nflow *)group->children.item[i])->cancelled) {
            return FLOW_PENDING;
        }
    }
    return FLOW_OK;
}

static void marked_unwind(nflow *flow)
{
    bool clearing = flow->clearing && !flow->cancelled;
    unmark(flow);
    flow->clearing = false;
    if (clearing) {
        members_unwind(flow, true);
        return;
    }
    out_of_wait(flow);
    flow->doing = IS_RUNNING;
    goes_on(flow);
}

/* What was marked with code on the C stack, once that is gone: the newest first. */
static void settle_off_stack(void)
{
    for (int i = model.marked.count; i-- > 0;) {
        nflow *flow = model.marked.item[i];
        if (!is_on_stack(flow)) {
            marked_unwind(flow);
            i = model.marked.count;
        }
    }
}

/* The same, and when nothing is running, what was put off until then. */
void settle_marked(void)
{
    settle_off_stack();
    if (model.current != NULL || model.nested > 0 || model.settling) {
        return;
    }
    model.settling = true;
    while (model.put_off.count > 0) {
        nflow *flow = model.put_off.item[model.put_off.count - 1];
        unwind(flow, flow->cause);
        settle_off_stack();
    }
    model.settling = false;
}
