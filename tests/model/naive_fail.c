/* SPDX-License-Identifier: MIT */
/* The reference's failures: how they climb, who takes them, and who is told of those nobody takes.
 */
#include "naive.h"

void report(const nfault *fault, flow_failure_kind kind)
{
    report_run(model.side, (int)kind, fault->code);
}

void body_over(nframe *frame)
{
    nflow *flow = frame->flow;
    frame->leaving = true;
    frame->trying = false;
    frame->awaits = false;
    if (frame->shield) {
        frame->shield = false;
        flow->protected = false;
    }
    if (frame->caller == NULL) {
        flow->fixed = true;
    }
}

static bool has_fault(const nflow *flow)
{
    for (const nframe *frame = flow->top; frame != NULL; frame = frame->caller) {
        if (frame->under != NULL) {
            return true;
        }
    }
    return flow->fault != NULL || flow->child_fault != NULL;
}

void finally_over(nframe *frame)
{
    nflow *flow = frame->flow;
    flow->protected = frame->protected_before;
    frame->in_finally = false;
    frame->cleaned = true;
    frame->awaits = false;
    if (frame->under != NULL) {
        flow->fault = frame->under;
        frame->under = NULL;
    } else if (!has_fault(flow) && !flow->cancelled) {
        flow->cause = FLOW_CAUSE_NONE;
    }
}

void finally_begins(nframe *frame)
{
    nflow *flow = frame->flow;
    frame->in_finally = true;
    frame->protected_before = flow->protected;
    flow->protected = true;
    unmark(flow);
    frame->under = flow->fault;
    flow->fault = NULL;
}

/* The failure has come to this frame. */
static void fault_meets(nframe *frame)
{
    nflow *flow = frame->flow;
    nfault *fault = flow->fault;
    bool leaves = flow->unwinding && !flow->protected;
    if (frame->trying && fault->scope == NULL && !leaves) { /* taken as a value */
        flow->fault = NULL;
        flow->cause = flow->cancelled ? flow->cause : FLOW_CAUSE_NONE;
        frame->run->outcome = (flow_outcome){
            .state = fault->code == FLOW_CANCELLED ? FLOW_STATE_CANCELLED : FLOW_STATE_FAILED,
            .code = fault->code};
        frame->awaits = true;
        return;
    }
    if (fault->scope == NULL && frame->in_finally) {
        flow->fault = NULL;
        report(fault, FLOW_FAILURE_CLEANUP);
        finally_over(frame);
        return;
    }
    fault->scope = fault->scope == frame ? NULL : fault->scope;
    flow->cause = flow->cause != FLOW_CAUSE_NONE ? flow->cause : FLOW_CAUSE_FAULT;
    body_over(frame);
}

/* A child's failure came first: what failed since then will be delivered to nobody. */
void child_fault_climbs(nflow *flow)
{
    nfault *late = flow->fault;
    flow->fault = flow->child_fault;
    flow->child_fault = NULL;
    if (late != NULL) {
        report(late, FLOW_FAILURE_UNDELIVERED);
    }
}

/* Control comes to the top frame: does its body go on, or is it left? */
void arrive(nflow *flow)
{
    if (must_leave(flow)) {
        unmark(flow);
        flow->unwinding = flow->unwinding || flow->cancelled;
        if (flow->child_fault != NULL) {
            child_fault_climbs(flow);
        }
    }
    if (flow->top == NULL) {
        return;
    }
    if (flow->fault != NULL) {
        fault_meets(flow->top);
    } else if (flow->unwinding && !flow->protected) {
        body_over(flow->top);
    }
}

/* Is it to be left already, since a child of it, or of a scope around it, failed? The failure waits
 * for a finally section; what that has called is another matter. */
static bool is_failing(const nflow *owner, const nframe *scope)
{
    for (; scope != NULL && !scope->in_finally; scope = scope->caller) {
        for (const nframe *frame = owner->top; frame != NULL; frame = frame->caller) {
            if (frame->under != NULL && frame->under->scope == scope) {
                return true;
            }
        }
    }
    return false;
}

/* A spawned child, or a subscription, failed: its scope is left and fails at its caller. */
void scope_fails(nflow *owner, nframe *scope, nfault *fault)
{
    if (scope->in_finally || scope->leaving || owner->cancelled || owner->child_fault != NULL ||
        owner->fault != NULL || is_failing(owner, scope)) {
        report(fault, scope->in_finally ? FLOW_FAILURE_CLEANUP : FLOW_FAILURE_UNDELIVERED);
        return;
    }
    fault->scope = scope;
    owner->child_fault = fault;
    owner->cause = FLOW_CAUSE_FAULT;
    if (!owner->protected) {
        out_of_wait(owner);
        mark(owner);
    }
}

void group_fails(nflow *group, nfault *fault)
{
    bool over = group->cancelled;
    report(fault, over ? FLOW_FAILURE_UNDELIVERED : FLOW_FAILURE_UNHANDLED);
    if (group->fail_fast && !group->cancelled && group->doing != IS_OVER) {
        group->cancelled = true;
        group->cause = FLOW_CAUSE_FAULT;
        out_of_wait(group);
        mark(group);
    }
}
