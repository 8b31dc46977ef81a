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
void out_of_wait(nflow *flow)
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

void mark(nflow *flow)
{
    if (!flow->pending) {
        flow->pending = true;
        vec_push(&model.marked, flow);
    }
}

void unmark(nflow *flow)
{
    flow->pending = false;
    vec_remove(&model.marked, flow);
    vec_remove(&model.put_off, flow);
}

static void result_taken(nflow *flow);

/* A suspended flow's turn. */
static void resume(nflow *flow)
{
    model.current = flow;
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
    model.current = NULL;
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

/* Until a lower frame is on top; null: to the end. */
void drive_down(nflow *flow, const nframe *to)
{
    flow->on_stack++;
    flow->doing = IS_RUNNING;
    if (++model.depth > 11) {
        model.side->outside = true; /* flow puts off what is nested too deep: test_deep.c */
    }
    while (flow->doing == IS_RUNNING && (to == NULL || flow->top != to) &&
           !(model.side->outside && model.depth > 200)) {
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

void drive(nflow *flow)
{
    drive_down(flow, NULL);
}

void start(nflow *flow)
{
    model.count.started++;
    model.nested++;
    flow->doing = IS_RUNNING;
    flow->on_stack++; /* it runs before it is known to wait */
    run_enters(flow->top->run, flow);
    flow->on_stack--;
    drive(flow);
    model.nested--;
    settle_marked();
}
