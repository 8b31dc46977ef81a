/* SPDX-License-Identifier: MIT */
/*
 * The reference's flows. drive() goes on with a flow until it waits or has ended: its top frame's
 * instructions are carried out one by one, or the frame is left: children, finally section, what
 * that has started, deferred cleanups, and then its caller's turn comes.
 */
#include "naive.h"

/* ---- making ---- */

static nflow *task_new(nflow *owner, nframe *scope)
{
    nflow *flow = make(sizeof *flow);
    vec_push(&model.flows, flow);
    flow->owner = owner;
    flow->scope = scope;
    if (owner != NULL) {
        flow->phase = owner->phase;
        flow->clock = owner->clock;
        vec_push(&owner->children, flow);
    }
    return flow;
}

nflow *group_new(nflow *owner, nframe *scope)
{
    nflow *group = task_new(owner, scope);
    group->group = true;
    group->doing = IS_GROUP;
    return group;
}

nframe *frame_new(nflow *flow, int block)
{
    nframe *frame = make(sizeof *frame);
    frame->flow = flow;
    frame->caller = flow->top;
    frame->run = run_make(model.side, block);
    flow->top = frame;
    return frame;
}

nflow *flow_new(nflow *owner, nframe *scope, int block)
{
    nflow *flow = task_new(owner, scope);
    model.count.live++;
    (void)frame_new(flow, block);
    return flow;
}

/* It was made and will not start. */
void flow_discard(nflow *flow)
{
    if (flow->doing == IS_NEW) {
        flow->doing = IS_OVER;
        flow->end = model.ends++;
        model.count.live--;
        vec_remove(&flow->owner->children, flow);
    }
}

nfault *fault_new(int code)
{
    nfault *fault = make(sizeof *fault);
    fault->code = code;
    return fault;
}

/* ---- questions ---- */

bool is_owned_by(const nflow *flow, const nflow *owner)
{
    while (flow != NULL && flow != owner) {
        flow = flow->owner;
    }
    return flow == owner;
}

bool is_on_stack(const nflow *tree)
{
    if (tree->on_stack > 0) {
        return true;
    }
    for (int i = 0; i < tree->children.count; i++) {
        if (is_on_stack(tree->children.item[i])) {
            return true;
        }
    }
    return false;
}

/* It goes no further, as soon as it comes to an await that nothing protects. */
bool must_leave(const nflow *flow)
{
    return (flow->cancelled || flow->child_fault != NULL) && !flow->protected;
}

/* May the scope take another child? Not while it is being left, its finally section aside. */
bool takes_children(const nflow *owner, const nframe *scope)
{
    bool open = scope == NULL || !scope->leaving;
    if (owner->protected) {
        return open || scope->in_finally;
    }
    if (owner->group && owner->asked) {
        return false;
    }
    return open && !owner->cancelled && !owner->unwinding && owner->child_fault == NULL &&
           owner->fault == NULL;
}

/* It is ending already, or protected: then it ends in its own time, and its owner waits for it. */
bool ends_by_itself(nflow *flow, flow_cause cause)
{
    if (flow->unwinding || flow->fixed) {
        return true;
    }
    if (flow->protected) {
        if (!flow->cancelled) {
            flow->cancelled = true;
            flow->cause = cause;
        }
        return true;
    }
    return false;
}

/* ---- waiting and waking ---- */

void queue(nflow *flow)
{
    flow->doing = IS_READY;
    vec_push(&model.ready[flow->phase], flow);
}

/* Out of whatever it waits for. */
static void out_of_wait(nflow *flow)
{
    nwait *wait = flow->wait;
    vec_remove(&model.ready[flow->phase], flow);
    vec_remove(&model.held, flow);
    flow->wait = NULL;
    flow->has_result = false;
    if (flow->doing != IS_RUNNING) {
        flow->doing = IS_STOPPED;
    }
    if (wait != NULL) {
        wait_drop(wait);
    }
}

static void mark(nflow *flow)
{
    if (!flow->pending) {
        flow->pending = true;
        vec_push(&model.marked, flow);
    }
}

static void unmark(nflow *flow)
{
    flow->pending = false;
    vec_remove(&model.marked, flow);
}

static void result_taken(nflow *flow);

/* A suspended flow's turn. */
static void resume(nflow *flow)
{
    flow->on_stack++;
    if (must_leave(flow) && !flow->unwinding && !flow->fixed) {
        out_of_wait(flow);
        mark(flow);
    } else if (flow->has_result) {
        result_taken(flow);
    } else {
        drive(flow);
    }
    flow->on_stack--;
    settle_marked();
}

/* The pause of its own clock holds a flow, whatever its wait counted on. */
void wake(nflow *flow)
{
    if (!flow->group && clock_paused(flow->clock)) {
        flow->doing = IS_HELD;
        flow->held_on = flow->clock;
        vec_push(&model.held, flow);
        return;
    }
    resume(flow);
}

/* ---- failing ---- */

void report(const nfault *fault, flow_failure_kind kind)
{
    report_run(model.side, (int)kind, fault->code);
}

static void body_over(nframe *frame)
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

static void finally_over(nframe *frame)
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

static void finally_begins(nframe *frame)
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
static void child_fault_climbs(nflow *flow)
{
    nfault *late = flow->fault;
    flow->fault = flow->child_fault;
    flow->child_fault = NULL;
    if (late != NULL) {
        report(late, FLOW_FAILURE_UNDELIVERED);
    }
}

/* Control comes to the top frame: does its body go on, or is it left? */
static void arrive(nflow *flow)
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

static void group_fails(nflow *group, nfault *fault)
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

/* ---- awaiting ---- */

static void fails_here(nflow *flow, nfault *fault)
{
    flow->fault = fault;
    arrive(flow);
}

/* The await is about to begin, or has begun: does the flow stop instead? */
static bool stops(nflow *flow)
{
    if (!must_leave(flow)) {
        return false;
    }
    flow->doing = IS_STOPPED;
    mark(flow);
    return true;
}

static void await(nframe *frame, const struct ins *ins)
{
    nflow *flow = frame->flow;
    const struct wait *spec = &model.side->program->wait[ins->wait];
    frame->trying = ins->op == OP_TRY;
    frame->run->outcome = (flow_outcome){.state = FLOW_STATE_DONE};
    if (ins->op == OP_SHIELD && !flow->protected) {
        if (must_leave(flow)) {
            unmark(flow);
        }
        flow->protected = true;
        frame->shield = true;
    }
    nwait *wait = wait_prepare(flow, frame->run, spec);
    if (stops(flow)) {
        wait_discard(wait);
        return;
    }
    if (spec->kind == W_CALL) {
        run_enters(frame_new(flow, spec->a)->run, flow);
        frame->awaits = true;
        return;
    }
    begun how = wait_begin(wait);
    if (how != BEGUN_WAITS && is_composition(wait)) {
        (void)composition_close(wait);
    }
    if (stops(flow)) {
        wait_drop(wait);
        return;
    }
    if (how == BEGUN_WAITS || (is_composition(wait) && !composition_close(wait))) {
        flow->wait = wait;
        flow->doing = IS_WAITING;
        return;
    }
    if (how == BEGUN_DONE) {
        values_taken(wait);
        frame->awaits = true;
        wait_drop(wait);
        return;
    }
    nfault *fault = wait->fault ? wait->fault : fault_new(wait->code);
    wait_drop(wait);
    fails_here(flow, fault);
}

/* The await of the top frame's instruction is over, and the body goes on. */
static void await_over(nframe *frame)
{
    nflow *flow = frame->flow;
    struct run *run = frame->run;
    frame->awaits = false;
    frame->trying = false;
    if (frame->shield) {
        frame->shield = false;
        flow->protected = false;
    }
    if (run->ins->op == OP_TRY) {
        run_tried(run);
    } else {
        run_goes_on(run);
    }
}

/* Its wait has ended; the turn of its flow has come. */
static void result_taken(nflow *flow)
{
    nwait *wait = flow->wait;
    bool closed = !is_composition(wait) || composition_close(wait);
    if (must_leave(flow)) {
        out_of_wait(flow);
        mark(flow);
        return;
    }
    flow->has_result = false;
    if (!closed) {
        flow->doing = IS_WAITING;
        return;
    }
    flow->wait = NULL;
    nfault *fault = wait->fault;
    if (wait->code == 0) {
        values_taken(wait);
        flow->top->awaits = true;
    } else if (fault == NULL) {
        fault = fault_new(wait->code);
    }
    wait_drop(wait);
    flow->doing = IS_RUNNING;
    if (wait->code != 0) {
        fails_here(flow, fault);
    }
    drive(flow);
}

/* ---- running ---- */

static void body_ends(nframe *frame)
{
    if (frame->in_finally) {
        run_closed(frame->run);
        finally_over(frame);
    } else {
        run_over(frame->run);
        body_over(frame);
        arrive(frame->flow);
    }
}

/* Does what comes until the top frame suspends, calls or is left. */
static void run_top(nflow *flow)
{
    nframe *frame = flow->top;
    if (frame->awaits) {
        await_over(frame);
    }
    const struct ins *ins = run_next(frame->run);
    if (ins == NULL) {
        body_ends(frame);
    } else if (ins->op == OP_FAIL) {
        frame->trying = false;
        fails_here(flow, fault_new(ins->a));
    } else if (ins->op == OP_RETURN) {
        if (frame->in_finally) {
            finally_over(frame);
        } else {
            body_over(frame);
            arrive(flow);
        }
    } else {
        await(frame, ins);
    }
}

/* ---- leaving ---- */

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
    arrive(flow);
    flow->on_stack--;
    drive(flow);
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
    if (fault != NULL && flow->scope != NULL) {
        scope_fails(owner, flow->scope, fault);
    } else if (fault != NULL) {
        group_fails(owner, fault);
    }
    ended_told(owner);
}

/* Leaves the top frame, or a group. */
static void leave(nflow *flow)
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

void drive(nflow *flow)
{
    flow->on_stack++;
    flow->doing = IS_RUNNING;
    if (++model.depth > 11) {
        model.side->outside = true; /* flow puts off what is nested too deep: test_deep.c */
    }
    while (flow->doing == IS_RUNNING && !(model.side->outside && model.depth > 200)) {
        nframe *top = flow->top;
        if (top != NULL && (!top->leaving || top->in_finally)) {
            run_top(flow);
        } else {
            leave(flow);
        }
    }
    model.depth--;
    flow->on_stack--;
}

void start(nflow *flow)
{
    model.count.started++;
    flow->doing = IS_RUNNING;
    flow->on_stack++; /* it runs before it is known to wait */
    run_enters(flow->top->run, flow);
    flow->on_stack--;
    drive(flow);
    settle_marked();
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
void settle_marked(void)
{
    for (int i = model.marked.count; i-- > 0;) {
        nflow *flow = model.marked.item[i];
        if (!is_on_stack(flow)) {
            marked_unwind(flow);
            i = model.marked.count;
        }
    }
}
