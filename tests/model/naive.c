/* SPDX-License-Identifier: MIT */
/* The reference's world: lists, ticks in their six steps, and what the host and bodies can do. */
#include "naive.h"

#include <stdlib.h>
#include <string.h>

naive model;

static void **made; /* all memory of the reference */
static int made_count, made_room;

/* ---- lists ---- */

/* Zeroed, and kept until the program is over. */
void *make(size_t size)
{
    if (made_count == made_room) {
        made_room = made_room ? made_room * 2 : 1024;
        made = realloc(made, (size_t)made_room * sizeof *made);
    }
    if (made == NULL || (made[made_count] = calloc(1, size)) == NULL) {
        abort();
    }
    return made[made_count++];
}

static void all_free(void)
{
    while (made_count > 0) {
        free(made[--made_count]);
    }
    free(made);
    made = NULL;
    made_room = 0;
}

/* What it grows out of stays behind until then, too. */
void vec_push(vec *v, void *item)
{
    if (v->count == v->room) {
        v->room = v->room ? v->room * 2 : 4;
        void **grown = make((size_t)v->room * sizeof *grown);
        for (int i = 0; i < v->count; i++) {
            grown[i] = v->item[i];
        }
        v->item = grown;
    }
    v->item[v->count++] = item;
}

void vec_remove(vec *v, const void *item)
{
    int kept = 0;
    for (int i = 0; i < v->count; i++) {
        v->item[kept] = v->item[i];
        kept += v->item[i] != item;
    }
    v->count = kept;
}

bool vec_has(const vec *v, const void *item)
{
    for (int i = 0; i < v->count; i++) {
        if (v->item[i] == item) {
            return true;
        }
    }
    return false;
}

vec vec_copy(const vec *v)
{
    vec copy = {0};
    for (int i = 0; i < v->count; i++) {
        vec_push(&copy, v->item[i]);
    }
    return copy;
}

/* ---- ticks ---- */

static void held_released(int phase, bool counted)
{
    for (int i = 0; i < model.clocks.count; i++) {
        const nclock *clock = model.clocks.item[i];
        vec held = vec_copy(&model.held);
        for (int k = 0; k < held.count; k++) {
            nflow *flow = held.item[k];
            if (flow->doing == IS_HELD && flow->held_on == clock && flow->phase == phase &&
                !clock_paused(clock) && (!counted || clock->counts || clock->ended)) {
                vec_remove(&model.held, flow);
                wake(flow);
            }
        }
    }
}

/* What a tick takes of a clock, in its steps 3 to 5. */
typedef bool (*chooser)(const nwait *wait);

static bool is_timer(const nwait *wait)
{
    return wait->kind == W_SECONDS;
}

static bool is_count(const nwait *wait)
{
    return wait->kind != W_SECONDS && wait->kind != W_UNTIL;
}

static bool is_frames(const nwait *wait)
{
    return wait->kind == W_FRAMES || wait->kind == W_NEXT_FRAME;
}

static bool is_due(const nwait *wait)
{
    const nclock *clock = wait->clock;
    int64_t now = is_timer(wait)    ? clock_now(clock, wait->phase)
                  : is_frames(wait) ? model.frame
                                    : clock->ticks[wait->phase];
    return wait->due <= now;
}

static void wait_over(nwait *wait, int code)
{
    wait->on = false;
    vec_remove(&model.waits, wait);
    model.count.timers -= wait->kind == W_SECONDS;
    model.count.predicates -= wait->kind == W_UNTIL;
    wait_end(wait, code, true);
    settle_marked();
}

/* The next of those that waited when the tick began: the oldest; of timers the earliest. */
static nwait *next_due(const vec *then, const nclock *clock, int phase, chooser chosen)
{
    nwait *best = NULL;
    for (int i = 0; i < then->count; i++) {
        nwait *wait = then->item[i];
        if (wait->on && wait->clock == clock && wait->phase == phase && chosen(wait) &&
            is_due(wait) && (best == NULL || (is_timer(wait) && wait->due < best->due))) {
            best = wait;
        }
    }
    return best;
}

static bool takes_part(const nclock *clock)
{
    return clock->counts && !clock_paused(clock);
}

static void due_end(const vec *then, nclock *clock, int phase, chooser chosen)
{
    nwait *wait;
    while (!clock->ended && (wait = next_due(then, clock, phase, chosen)) != NULL) {
        wait_over(wait, 0);
    }
}

static bool is_ticks_1(const nwait *w)
{
    return w->kind == W_NEXT_TICK || w->kind == W_PHASE || (w->kind == W_TICKS && w->a == 1);
}

static bool is_frames_1(const nwait *w)
{
    return w->kind == W_NEXT_FRAME || (w->kind == W_FRAMES && w->a == 1);
}

static bool is_ticks_n(const nwait *w)
{
    return w->kind == W_TICKS && w->a > 1;
}

static bool is_frames_n(const nwait *w)
{
    return w->kind == W_FRAMES && w->a > 1;
}

static bool is_until(const nwait *w)
{
    return w->kind == W_UNTIL;
}

/* Waits on a clock that has ended fail: timers, ticks, frames, predicates. */
static void closed_end(const vec *then, const nclock *clock, int phase)
{
    static const chooser order[] = {is_timer,   is_ticks_1,  is_frames_1,
                                    is_ticks_n, is_frames_n, is_until};
    for (int k = 0; k < 6; k++) {
        for (;;) {
            nwait *best = NULL;
            for (int i = 0; i < then->count; i++) {
                nwait *wait = then->item[i];
                if (wait->on && wait->clock == clock && wait->phase == phase && order[k](wait) &&
                    (best == NULL || (order[k] != is_until && wait->due < best->due))) {
                    best = wait;
                }
            }
            if (best == NULL) {
                break;
            }
            wait_over(best, FLOW_CLOSED);
        }
    }
}

static void predicates_asked(const vec *then, const nclock *clock, int phase)
{
    for (int i = 0; i < then->count && !clock_paused(clock); i++) {
        nwait *wait = then->item[i];
        if (!wait->on || wait->kind != W_UNTIL || wait->clock != clock || wait->phase != phase) {
            continue;
        }
        if (predicate_run(&model.side->asked[wait->spec - model.side->program->wait]) && wait->on) {
            wait_over(wait, 0);
        }
        settle_marked();
    }
}

static void ready_run(int phase)
{
    vec *ready = &model.ready[phase];
    for (;;) {
        held_released(phase, false);
        if (ready->count == 0) {
            return;
        }
        nflow *flow = ready->item[0];
        vec_remove(ready, flow);
        wake(flow);
    }
}

static void tick(int phase, double dt)
{
    clocks_advance(phase, dt); /* 1 */
    vec then = vec_copy(&model.waits);
    held_released(phase, true);                    /* 2 */
    for (int i = 0; i < model.clocks.count; i++) { /* 3 */
        nclock *clock = model.clocks.item[i];
        if (clock->closes) {
            closed_end(&then, clock, phase);
        } else if (takes_part(clock)) {
            due_end(&then, clock, phase, is_timer);
        }
    }
    for (int i = 0; i < model.clocks.count; i++) { /* 4 */
        if (takes_part(model.clocks.item[i])) {
            due_end(&then, model.clocks.item[i], phase, is_count);
        }
    }
    for (int i = 0; i < model.clocks.count; i++) { /* 5 */
        if (takes_part(model.clocks.item[i])) {
            predicates_asked(&then, model.clocks.item[i], phase);
        }
    }
    ready_run(phase); /* 6 */
}

/* ---- acts ---- */

static nflow *whom_of(int whom)
{
    if (whom == NOBODY) {
        return NULL;
    }
    return whom < FLOW_SLOTS + GROUP_SLOTS ? model.slot[whom]
                                           : model.owner[whom - FLOW_SLOTS - GROUP_SLOTS].group;
}

static nflow *live(int whom)
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

static int naive_start(struct side *side, const struct ins *ins)
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

static int naive_spawn(struct run *run, const struct ins *ins)
{
    const nflow *flow = run->flow;
    return started(ins->a, run->flow, ins->b, flow->clock, flow->phase);
}

static int naive_group(struct side *side, const struct ins *ins)
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

static int naive_cancel(struct side *side, int whom)
{
    nflow *flow = live(whom);
    (void)side;
    return flow != NULL ? cancel(flow, FLOW_CAUSE_EXPLICIT) : FLOW_STALE;
}

static int naive_clear(struct side *side, int whom)
{
    nflow *group = live(whom);
    (void)side;
    return group != NULL ? clear(group) : FLOW_STALE;
}

/* One that is asked and has no members ends in its next step 6. */
static int naive_stop(struct side *side, int whom)
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

static int naive_state(struct side *side, int whom, flow_outcome *outcome)
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

static int naive_emit(struct side *side, int signal, int value)
{
    (void)side;
    return source_emit(model.signal[signal], value);
}

static void naive_close(struct side *side, int signal)
{
    (void)side;
    source_close(model.signal[signal], FLOW_CLOSED);
}

static void naive_fail(struct side *side, int signal, int code)
{
    (void)side;
    source_close(model.signal[signal], code);
}

static void naive_renew(struct side *side, int signal)
{
    (void)side;
    source_close(model.signal[signal], FLOW_CLOSED);
    model.signal[signal] = source_new();
}

static nclock *clock_of(int clock)
{
    nclock *c = model.clock[clock];
    return c != NULL && !c->ended ? c : NULL;
}

static int naive_pause(struct side *side, int clock)
{
    nclock *c = clock_of(clock);
    (void)side;
    if (c == NULL) {
        return FLOW_STALE;
    }
    c->pauses++;
    return FLOW_OK;
}

static int naive_release(struct side *side, int clock)
{
    nclock *c = clock_of(clock);
    (void)side;
    if (c == NULL || c->pauses == 0) {
        return 1;
    }
    c->pauses--;
    return FLOW_OK;
}

static int naive_scale(struct side *side, int clock, double scale)
{
    nclock *c = clock_of(clock);
    (void)side;
    if (c == NULL) {
        return FLOW_STALE;
    }
    c->scale = scale;
    return FLOW_OK;
}

static int naive_clock_make(struct side *side, int slot, int parent)
{
    (void)side;
    bool named = model.clock[parent] != NULL;
    nclock *p = named ? clock_of(parent) : model.clock[2];
    model.clock[slot] = p != NULL ? clock_new(p) : NULL;
    return p != NULL;
}

static int naive_clock_end(struct side *side, int clock)
{
    nclock *c = clock_of(clock);
    (void)side;
    if (c == NULL) {
        return FLOW_STALE;
    }
    clock_end(c);
    return FLOW_OK;
}

static int naive_owner_end(struct side *side, int owner)
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

static int naive_owner_begin(struct side *side, int owner)
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

static int naive_take(struct side *side, int subscription, int *value)
{
    nsub *sub = model.sub[subscription];
    (void)side;
    if (sub == NULL || sub->values.count == 0) {
        return 0;
    }
    *value = ((nvalue *)sub->values.item[0])->value;
    vec_remove(&sub->values, sub->values.item[0]);
    return 1;
}

static int naive_count(struct side *side, int subscription)
{
    (void)side;
    return model.sub[subscription] != NULL ? model.sub[subscription]->values.count : 0;
}

static void naive_unsubscribe(struct side *side, int subscription)
{
    (void)side;
    if (model.sub[subscription] != NULL) {
        sub_end(model.sub[subscription]);
    }
    model.sub[subscription] = NULL;
}

/* ---- of the running flow ---- */

static void naive_self(struct run *run, int slot)
{
    model.slot[slot] = run->flow;
}

static void resource_add(const struct run *run, resource_kind kind, void *what)
{
    nflow *flow = run->flow;
    resource *r = make(sizeof *r);
    *r = (resource){kind, what};
    vec_push(&flow->top->resources, r);
}

static int naive_defer(struct run *run, struct cleanup *cleanup)
{
    resource_add(run, R_DEFER, cleanup);
    return FLOW_OK;
}

static int naive_hold(struct run *run, int clock)
{
    nclock *c = clock_of(clock);
    if (c == NULL) {
        return FLOW_STALE;
    }
    c->pauses++;
    resource_add(run, R_PAUSE, c);
    return FLOW_OK;
}

static int naive_scope_clock(struct run *run, int slot, int parent)
{
    bool own = parent == CLOCKS || model.clock[parent] == NULL;
    nclock *p = own ? ((nflow *)run->flow)->clock : clock_of(parent);
    model.clock[slot] = p != NULL ? clock_new(p) : NULL;
    if (p != NULL) {
        resource_add(run, R_CLOCK, model.clock[slot]);
    }
    return p != NULL;
}

static int naive_subscribe(struct run *run, const struct ins *ins)
{
    nsource *source = model.signal[ins->b];
    model.sub[ins->a] = NULL;
    if (source->closed) {
        return FLOW_CLOSED;
    }
    nsub *sub = sub_new(source, ins->c % 4, ins->c / 4);
    sub->owner = run->flow;
    sub->scope = sub->owner->top;
    model.sub[ins->a] = sub;
    resource_add(run, R_SUBSCRIPTION, sub);
    return FLOW_OK;
}

static int naive_asked(struct run *run)
{
    const nflow *flow = run->flow;
    while (flow != NULL && !flow->asked) {
        flow = flow->owner;
    }
    return flow != NULL;
}

static flow_cause naive_cause(struct run *run)
{
    return ((const nflow *)run->flow)->cause;
}

static int naive_phase(struct run *run)
{
    return ((const nflow *)run->flow)->phase;
}

static void naive_time(struct run *run, int *now, int *ticks, int *step)
{
    const nflow *flow = run->flow;
    *now = (int)clock_now(flow->clock, flow->phase);
    *ticks = (int)flow->clock->ticks[flow->phase];
    *step = (int)flow->clock->step[flow->phase];
}

/* ---- the host ---- */

static void naive_frame(struct side *side, double dt)
{
    (void)side;
    model.frame++;
    real_advance(dt);
}

static void naive_tick(struct side *side, int phase, double dt)
{
    (void)side;
    tick(phase, dt);
}

static void naive_flush(struct side *side, int phase)
{
    (void)side;
    ready_run(phase);
}

static flow_counters naive_counters(struct side *side)
{
    (void)side;
    return model.count;
}

static void naive_clock_now(struct side *side, int clock, int phase, int *now)
{
    (void)side;
    *now = clock_of(clock) != NULL ? (int)clock_now(model.clock[clock], phase) : 0;
}

static const struct side_calls naive_calls = {
    naive_start,     naive_group,       naive_cancel, naive_clear,      naive_stop,
    naive_state,     naive_emit,        naive_close,  naive_fail,       naive_renew,
    naive_pause,     naive_release,     naive_scale,  naive_clock_make, naive_clock_end,
    naive_owner_end, naive_owner_begin, naive_take,   naive_count,      naive_unsubscribe,
    naive_spawn,     naive_self,        naive_defer,  naive_hold,       naive_scope_clock,
    naive_subscribe, naive_asked,       naive_cause,  naive_phase,      naive_time,
    naive_frame,     naive_tick,        naive_flush,  naive_counters,   naive_clock_now};

static void furnish(void)
{
    static const int parents[CLOCKS] = {-1, -1, 1, 2, 3, 1, 2};
    for (int i = 0; i < CLOCKS; i++) {
        model.clock[i] = clock_new(parents[i] < 0 ? NULL : model.clock[parents[i]]);
    }
    model.root = group_new(NULL, NULL);
    model.root->phase = FLOW_UPDATE;
    model.root->clock = model.clock[2];
    for (int i = 0; i < SIGNALS; i++) {
        model.signal[i] = source_new();
    }
    for (int i = 0; i < GROUP_SLOTS; i++) {
        model.slot[FLOW_SLOTS + i] = group_new(model.root, NULL);
    }
    for (int i = 0; i < OWNERS; i++) {
        model.owner[i] = (nowner){group_new(model.root, NULL), source_new()};
    }
}

void naive_play(struct side *side, const struct program *program)
{
    memset(&model, 0, sizeof model);
    model.side = side;
    side_begin(side, program, &naive_calls);
    furnish();
    side_play(side);
    note(&side->trace, EV_END, (int)model.count.live, 0, 0, 0);
    all_free();
}
