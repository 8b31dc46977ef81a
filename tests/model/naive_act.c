/* SPDX-License-Identifier: MIT */
/* What the host and bodies do with flows and clocks, on the reference. */
#include "naive.h"

/* ---- flows ---- */

static nflow *whom_of(int whom)
{
    if (whom == NOBODY) {
        return NULL;
    }
    return whom < FLOW_SLOTS + GROUP_SLOTS ? model.slot[whom]
                                           : model.owner[whom - FLOW_SLOTS - GROUP_SLOTS].group;
}

nflow *live(int whom)
{
    nflow *flow = whom_of(whom);
    if (flow == NULL || flow->doing == IS_OVER) {
        model.count.stale++;
        return NULL;
    }
    return flow;
}

/* The scope that is to own what is started; null: it has ended, or takes nothing more. */
static nflow *taker(nflow *owner, nframe **scope)
{
    *scope = owner->doing == IS_OVER ? NULL : owner->top;
    return owner->doing != IS_OVER && takes_children(owner, *scope) ? owner : NULL;
}

static int started(int slot, nflow *owner, int block, nclock *clock, int phase)
{
    nframe *scope;
    nflow *flow = NULL;
    if (taker(owner, &scope) != NULL) {
        flow = flow_new(owner, scope, block);
        flow->clock = clock != NULL ? clock : flow->clock;
        flow->phase = phase != 0 ? phase : flow->phase;
        start(flow);
    }
    model.slot[slot] = flow;
    return flow != NULL;
}

int naive_start(struct side *side, const struct ins *ins)
{
    nflow *owner = whom_of(ins->c);
    nclock *clock = ins->d / 8 ? model.clock[ins->d / 8 - 1] : NULL;
    (void)side;
    if (clock != NULL && clock->ended) {
        model.slot[ins->a] = NULL;
        return 0;
    }
    return started(ins->a, owner ? owner : model.root, ins->b, clock, ins->d % 8);
}

int naive_spawn(struct run *run, const struct ins *ins)
{
    const nflow *flow = run->flow;
    return started(ins->a, run->flow, ins->b, flow->clock, flow->phase);
}

int naive_group(struct side *side, const struct ins *ins)
{
    nflow *owner = whom_of(ins->c);
    nframe *scope;
    (void)side;
    model.slot[ins->a] = NULL;
    owner = owner != NULL ? owner : model.root;
    if (taker(owner, &scope) == NULL) {
        return 0;
    }
    model.slot[ins->a] = group_new(owner, scope);
    model.slot[ins->a]->fail_fast = ins->d;
    return 1;
}

int naive_cancel(struct side *side, int whom)
{
    nflow *flow = live(whom);
    (void)side;
    return flow != NULL ? cancel(flow, FLOW_CAUSE_EXPLICIT) : FLOW_STALE;
}

int naive_clear(struct side *side, int whom)
{
    nflow *group = live(whom);
    (void)side;
    return group != NULL ? clear(group) : FLOW_STALE;
}

/* One that is asked and has no members ends in its next step 6. */
int naive_stop(struct side *side, int whom)
{
    nflow *flow = live(whom);
    (void)side;
    if (flow == NULL) {
        return FLOW_STALE;
    }
    flow->asked = true;
    if (flow->doing == IS_GROUP && !flow->pending) {
        flow->doing = IS_CLOSING;
        ended_told(flow);
    }
    return FLOW_OK;
}

int naive_state(struct side *side, int whom, flow_outcome *outcome)
{
    const nflow *flow = whom_of(whom);
    *outcome = (flow_outcome){.code = FLOW_STALE};
    if (flow == NULL) {
        return FLOW_STALE;
    }
    if (flow->doing != IS_OVER) {
        *outcome = (flow_outcome){.state = FLOW_STATE_LIVE};
        return FLOW_PENDING;
    }
    side->outside |= model.ends - flow->end > 50;
    *outcome = flow->outcome;
    return FLOW_OK;
}

/* ---- clocks and owners ---- */

nclock *clock_of(int clock)
{
    nclock *c = model.clock[clock];
    return c != NULL && !c->ended ? c : NULL;
}

int naive_pause(struct side *side, int clock)
{
    nclock *c = clock_of(clock);
    (void)side;
    if (c == NULL) {
        return FLOW_STALE;
    }
    c->pauses++;
    return FLOW_OK;
}

int naive_release(struct side *side, int clock)
{
    nclock *c = clock_of(clock);
    (void)side;
    if (c == NULL || c->pauses == 0) {
        return 1;
    }
    c->pauses--;
    return FLOW_OK;
}

int naive_scale(struct side *side, int clock, double scale)
{
    nclock *c = clock_of(clock);
    (void)side;
    if (c == NULL) {
        return FLOW_STALE;
    }
    c->scale = scale;
    return FLOW_OK;
}

int naive_clock_make(struct side *side, int slot, int parent)
{
    (void)side;
    bool named = model.clock[parent] != NULL;
    nclock *p = named ? clock_of(parent) : model.clock[2];
    model.clock[slot] = p != NULL ? clock_new(p) : NULL;
    return p != NULL;
}

int naive_clock_end(struct side *side, int clock)
{
    nclock *c = clock_of(clock);
    (void)side;
    if (c == NULL) {
        return FLOW_STALE;
    }
    clock_end(c);
    return FLOW_OK;
}

int naive_owner_end(struct side *side, int owner)
{
    nowner *o = &model.owner[owner];
    nsource *gone = o->gone;
    nflow *group = o->group;
    (void)side;
    if (gone == NULL) {
        return FLOW_STALE;
    }
    o->gone = NULL;
    (void)source_emit(gone, 0);
    source_close(gone, FLOW_CLOSED);
    return group->doing == IS_OVER ? FLOW_OK : cancel(group, FLOW_CAUSE_OWNER_ENDED);
}

int naive_owner_begin(struct side *side, int owner)
{
    nowner *o = &model.owner[owner];
    (void)side;
    if (o->group->doing != IS_OVER) {
        return 1;
    }
    o->group = group_new(model.root, NULL);
    o->gone = source_new();
    return FLOW_OK;
}

/* ---- of the running flow ---- */

void naive_self(struct run *run, int slot)
{
    model.slot[slot] = run->flow;
}

void resource_add(const struct run *run, resource_kind kind, void *what)
{
    nflow *flow = run->flow;
    resource *r = make(sizeof *r);
    *r = (resource){kind, what};
    vec_push(&flow->top->resources, r);
}

int naive_defer(struct run *run, struct cleanup *cleanup)
{
    resource_add(run, R_DEFER, cleanup);
    return FLOW_OK;
}

int naive_hold(struct run *run, int clock)
{
    nclock *c = clock_of(clock);
    if (c == NULL) {
        return FLOW_STALE;
    }
    c->pauses++;
    resource_add(run, R_PAUSE, c);
    return FLOW_OK;
}

int naive_scope_clock(struct run *run, int slot, int parent)
{
    bool own = parent == CLOCKS || model.clock[parent] == NULL;
    nclock *p = own ? ((nflow *)run->flow)->clock : clock_of(parent);
    model.clock[slot] = p != NULL ? clock_new(p) : NULL;
    if (p != NULL) {
        resource_add(run, R_CLOCK, model.clock[slot]);
    }
    return p != NULL;
}

int naive_asked_to_stop(struct run *run)
{
    const nflow *flow = run->flow;
    while (flow != NULL && !flow->asked) {
        flow = flow->owner;
    }
    return flow != NULL;
}

flow_cause naive_cause(struct run *run)
{
    return ((const nflow *)run->flow)->cause;
}

int naive_phase(struct run *run)
{
    return ((const nflow *)run->flow)->phase;
}

void naive_time(struct run *run, int *now, int *ticks, int *step)
{
    const nflow *flow = run->flow;
    *now = (int)clock_now(flow->clock, flow->phase);
    *ticks = (int)flow->clock->ticks[flow->phase];
    *step = (int)flow->clock->step[flow->phase];
}
/* ---- the host ---- */

static int message_send(nmessage message)
{
    nmessage *kept = make(sizeof *kept);
    *kept = message;
    vec_push(&model.inbox, kept);
    return FLOW_OK;
}

int naive_post(struct side *side, const struct ins *ins)
{
    (void)side;
    return message_send((nmessage){.ins = ins});
}

int naive_cancel_any(struct side *side, int whom)
{
    (void)side;
    return message_send((nmessage){.flow = whom_of(whom)});
}

int naive_emit_any(struct side *side, int signal, const int *value)
{
    (void)side;
    return message_send((nmessage){.source = model.signal[signal], .value = *value});
}

static void message_take(const nmessage *message)
{
    if (message->ins != NULL) {
        posted_run(model.side, message->ins);
    } else if (message->source != NULL) {
        (void)source_emit(message->source, message->value);
    } else if (message->flow == NULL || message->flow->doing == IS_OVER) {
        model.count.stale++;
    } else {
        (void)cancel(message->flow, FLOW_CAUSE_EXPLICIT);
    }
    settle_marked();
}

/* Takes in what was sent until now. */
void naive_frame(struct side *side, double dt)
{
    vec inbox = model.inbox;
    (void)side;
    model.frame++;
    real_advance(dt);
    model.inbox = (vec){0};
    for (int i = 0; i < inbox.count; i++) {
        message_take(inbox.item[i]);
    }
}

void naive_tick(struct side *side, int phase, double dt)
{
    (void)side;
    tick(phase, dt);
}

void naive_flush(struct side *side, int phase)
{
    (void)side;
    settle_marked();
    ready_run(phase);
}

flow_counters naive_counters(struct side *side)
{
    (void)side;
    return model.count;
}

void naive_clock_now(struct side *side, int clock, int phase, int *now)
{
    (void)side;
    *now = clock_of(clock) != NULL ? (int)clock_now(model.clock[clock], phase) : 0;
}
