/* SPDX-License-Identifier: MIT */
/* The reference's waits: leaves, and compositions of them. */
#include "naive.h"

#include <string.h>

bool is_composition(const nwait *wait)
{
    return wait->kind >= W_RACE;
}

/* ---- preparing ---- */

nwait *wait_new(nflow *flow, struct run *run, wait_kind kind, int a, int b)
{
    nwait *wait = make(sizeof *wait);
    wait->kind = kind;
    wait->flow = flow;
    wait->run = run;
    wait->a = a;
    wait->b = b;
    wait->clock = kind == W_SECONDS && b != CLOCKS ? model.clock[b] : NULL;
    return wait;
}

void branch_add(nwait *wait, nwait *branch)
{
    branch->parent = wait;
    branch->branch = wait->branches.count;
    branch->tag = wait->set == NULL ? branch->branch : branch->tag;
    vec_push(&wait->branches, branch);
}

static nflow *named(int whom)
{
    return whom < FLOW_SLOTS + GROUP_SLOTS ? model.slot[whom]
                                           : model.owner[whom - FLOW_SLOTS - GROUP_SLOTS].group;
}

static nwait *prepare(nflow *flow, struct run *run, const struct wait *spec, bool is_branch);

/* A call that is a branch is a child of the scope from here on. */
nwait *prepare_branch(nflow *flow, struct run *run, int given)
{
    nwait *branch = prepare(flow, run, &model.side->program->wait[given], true);
    if (branch->kind == W_CALL && branch->target == NULL) {
        branch->target = flow_new(flow, flow->top, branch->a);
    }
    return branch;
}

/* For a leaf, or a branch that is a call, another clock is its own affair; for a composition, or a
 * call that is none, there is a composition of one around it. */
static nwait *prepare_on_clock(nflow *flow, struct run *run, const struct wait *spec,
                               bool is_branch)
{
    wait_kind inner = model.side->program->wait[spec->branch[0]].kind;
    nclock *lent = model.clock[spec->a];
    nwait *wait = prepare_branch(flow, run, spec->branch[0]);
    if (inner >= W_RACE || (inner == W_CALL && !is_branch)) {
        nwait *around = wait_new(flow, run, W_ON_CLOCK, 0, 0);
        around->spec = spec;
        branch_add(around, wait);
        wait = around;
    }
    wait->lends = true;
    wait->lent = lent;
    run->index[spec->place] = -1;
    return wait;
}

static nwait *prepare(nflow *flow, struct run *run, const struct wait *spec, bool is_branch)
{
    if (spec->kind == W_ON_CLOCK) {
        return prepare_on_clock(flow, run, spec, is_branch);
    }
    nwait *wait = wait_new(flow, run, spec->kind, spec->a, spec->b);
    wait->spec = spec;
    if (wait->kind == W_OF_SET) {
        wait->kind = (wait_kind)(W_RACE + wait->a);
        wait->set = &flow->top->set;
        memset(run->of_set, 0, sizeof run->of_set);
    } else if (wait->kind == W_EACH) {
        wait->set = &flow->top->set;
    } else if (wait->kind == W_JOIN) {
        wait->target = named(wait->a);
    } else if (wait->kind == W_BEAT) {
        wait->beat = &flow->top->beat;
    } else if (wait->kind == W_GONE) { /* an owner may be over without having been finished with */
        wait->b = model.owner[wait->a].group->doing == IS_OVER;
    }
    if (!is_composition(wait)) {
        return wait;
    }
    for (int i = 0; i < spec->branches; i++) {
        branch_add(wait, prepare_branch(flow, run, spec->branch[i]));
    }
    run->index[spec->place] = -1;
    if (wait->kind == W_TIMEOUT) {
        branch_add(wait, wait_new(flow, run, W_SECONDS, spec->a, spec->b));
    }
    return wait;
}

/* What the arguments of an await make, before any of it begins. */
nwait *wait_prepare(nflow *flow, struct run *run, const struct wait *spec)
{
    return prepare(flow, run, spec, false);
}

void wait_discard(nwait *wait)
{
    if (wait->kind == W_CALL && wait->target != NULL) {
        flow_discard(wait->target);
    }
    if (is_composition(wait) && wait->set != NULL) {
        set_clear(wait->set);
    }
    for (int i = 0; i < wait->branches.count; i++) {
        wait_discard(wait->branches.item[i]);
    }
}

/* ---- leaves ---- */

begun failed(nwait *wait, int code)
{
    wait->code = code;
    return BEGUN_FAILED;
}

bool is_timer(const nwait *wait)
{
    return wait->kind == W_SECONDS || wait->kind == W_BEAT;
}

static begun stand_in(nwait *wait, nclock *clock, int phase)
{
    wait->clock = clock;
    wait->phase = phase;
    wait->on = true;
    vec_push(&model.waits, wait);
    model.count.timers += is_timer(wait);
    return BEGUN_WAITS;
}

static begun begin_seconds(nwait *wait)
{
    nflow *flow = wait->flow;
    nclock *clock = wait->clock != NULL ? wait->clock : flow->clock;
    if (clock->ended) {
        return failed(wait, FLOW_CLOSED);
    }
    wait->due = clock_now(clock, flow->phase) + (int64_t)wait->a * 1000000;
    return stand_in(wait, clock, flow->phase);
}

static begun begin_beat(nwait *wait)
{
    begun how = beat_wait(wait);
    return how == BEGUN_WAITS ? stand_in(wait, wait->beat->clock, wait->flow->phase) : how;
}

/* Frames are counted for all, ticks by the flow's clock. */
static begun begin_count(nwait *wait, int n)
{
    nflow *flow = wait->flow;
    bool frames = wait->kind == W_FRAMES || wait->kind == W_NEXT_FRAME;
    if (n == 0) {
        return BEGUN_DONE;
    }
    wait->due = n + (frames ? model.frame : flow->clock->ticks[flow->phase]);
    return stand_in(wait, flow->clock, flow->phase);
}

static begun begin_phase(nwait *wait)
{
    const nwait *root = wait;
    while (root->parent != NULL) {
        root = root->parent;
    }
    if (root->kind == (wait_kind)W_EACH_ROOT) {
        return failed(wait, FLOW_MISUSE);
    }
    wait->to_phase = wait->a;
    wait->due = 1 + wait->flow->clock->ticks[wait->a];
    return stand_in(wait, wait->flow->clock, wait->a);
}

static begun begin_until(nwait *wait)
{
    if (predicate_run(&model.side->asked[wait->spec - model.side->program->wait])) {
        return BEGUN_DONE;
    }
    model.count.predicates++;
    return stand_in(wait, wait->flow->clock, wait->flow->phase);
}

/* How a flow ended is known of the last 64: no program is to depend on the 65th. */
static void known_only(const nflow *flow)
{
    if (flow != NULL && flow->doing == IS_OVER && model.ends - flow->end > 50) {
        model.side->outside = true;
    }
}

static begun begin_join(nwait *wait)
{
    flow_outcome *outcome = &wait->run->joined[wait->spec->place];
    nflow *flow = wait->target;
    known_only(flow);
    *outcome = (flow_outcome){0};
    if (flow == NULL) {
        model.count.stale++;
        outcome->code = FLOW_STALE;
        return BEGUN_DONE;
    }
    if (flow->doing == IS_OVER) {
        *outcome = flow->outcome;
        return BEGUN_DONE;
    }
    if (is_owned_by(wait->flow, flow)) {
        return failed(wait, FLOW_MISUSE);
    }
    wait->on = true;
    vec_push(&flow->joiners, wait);
    return BEGUN_WAITS;
}

static begun begin_gone(nwait *wait)
{
    nsource *gone = model.owner[wait->a].gone;
    return gone == NULL || wait->b != 0 ? BEGUN_DONE : source_wait(wait, gone);
}

/* A called branch runs to its first suspension; its end tells the composition. */
static begun begin_call(nwait *wait)
{
    if (wait->target->doing == IS_OVER) { /* of a set: its scope's body ended before */
        return failed(wait, FLOW_CANCELLED);
    }
    wait->owns = true;
    wait->on = true;
    vec_push(&wait->target->joiners, wait);
    wait->target->clock = wait->flow->clock;
    wait->target->phase = wait->flow->phase;
    start(wait->target);
    return BEGUN_WAITS;
}

static begun begin(nwait *wait)
{
    switch (wait->kind) {
    case W_FAILED:
        return failed(wait, wait->a);
    case W_NEVER:
        wait->on = true;
        return BEGUN_WAITS;
    case W_NEXT_TICK:
    case W_NEXT_FRAME:
        return begin_count(wait, 1);
    case W_TICKS:
    case W_FRAMES:
        return begin_count(wait, wait->a);
    case W_SECONDS:
        return begin_seconds(wait);
    case W_BEAT:
        return begin_beat(wait);
    case W_UNTIL:
        return begin_until(wait);
    case W_SIGNAL:
    case W_SIGNAL_OR_CLOSED:
    case W_SIGNAL_IF:
        return source_wait(wait, model.signal[wait->a]);
    case W_SUBSCRIPTION:
        return sub_wait(wait, model.sub[wait->a]);
    case W_EACH:
        return each_wait(wait);
    case W_CHANGED:
    case W_HOLDS:
        return property_wait(wait, model.property[wait->a]);
    case W_SEND:
    case W_RECEIVE:
    case W_READABLE:
    case W_DRAINED:
        return channel_wait(wait, model.channel[wait->a]);
    case W_JOIN:
        return begin_join(wait);
    case W_PHASE:
        return begin_phase(wait);
    case W_GONE:
        return begin_gone(wait);
    case W_CALL:
        return begin_call(wait);
    case W_RACE:
    case W_ALL:
    case W_SETTLED:
    case W_ANY:
    case W_TIMEOUT:
    case W_ON_CLOCK:
        return begin_composition(wait);
    default:
        return BEGUN_DONE;
    }
}

/* While a wait begins on another clock, that is its flow's. */
begun wait_begin(nwait *wait)
{
    nflow *flow = wait->flow;
    nclock *own = flow->clock;
    if (wait->lends && wait->lent != NULL && wait->lent->ended) {
        wait_discard(wait);
        wait->branches.count = 0;
        wait->settled = true;
        return failed(wait, FLOW_CLOSED);
    }
    flow->clock = wait->lends && wait->lent != NULL ? wait->lent : own;
    begun how = begin(wait);
    if (wait->lends) {
        flow->clock = own->ended ? own->parent : own;
    }
    return how;
}

/* A leaf leaves what it waits for; a value that it had received goes back. */
void leaf_drop(nwait *wait)
{
    if (wait->has_value && wait->kind == W_EACH) {
        each_give_back(wait);
    } else if (wait->has_value && wait->channel != NULL) {
        channel_give_back(wait);
    } else if (wait->has_value) {
        sub_give_back(wait);
    }
    wait->changed = false;
    if (!wait->on) {
        return;
    }
    wait->on = false;
    if (wait->kind == W_JOIN || wait->kind == W_CALL) {
        vec_remove(&wait->target->joiners, wait);
    } else if (wait->kind == W_EACH) {
        wait->set->waiter = NULL;
    } else if (wait->stands_in != NULL) {
        vec_remove(wait->stands_in, wait);
    } else if (wait->source != NULL) {
        vec_remove(&wait->source->list, wait);
    } else if (wait->sub != NULL) {
        vec_remove(&wait->sub->waits, wait);
    } else if (wait->clock != NULL) {
        vec_remove(&model.waits, wait);
        model.count.timers -= is_timer(wait);
        model.count.predicates -= wait->kind == W_UNTIL;
    }
}

/* All of it, the branches that began last first. */
void wait_drop(nwait *wait)
{
    for (int i = wait->branches.count; i-- > 0;) {
        wait_drop(wait->branches.item[i]);
    }
    leaf_drop(wait);
}

/* The flow goes on: what its waits hold is its own now. */
void values_taken(nwait *wait)
{
    if (wait->changed) {
        property_seen(wait);
    } else if (wait->has_value && wait->kind == W_EACH) {
        each_taken(wait);
    } else if (wait->has_value && wait->channel != NULL) {
        channel_taken(wait);
    }
    wait->has_value = false;
    for (int i = wait->branches.count; i-- > 0;) {
        values_taken(wait->branches.item[i]);
    }
}

/* A leaf that stands nowhere any more ends; now: in the step that ends it. */
void wait_end(nwait *wait, int code, bool now)
{
    nflow *flow = wait->flow;
    if (wait->kind == W_PHASE) {
        flow->phase = wait->to_phase;
    }
    wait->code = code;
    if (wait->parent != NULL) {
        composition_told(wait);
        return;
    }
    flow->has_result = true;
    if (now) {
        wake(flow);
    } else {
        queue(flow);
    }
}
