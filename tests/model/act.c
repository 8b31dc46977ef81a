/* SPDX-License-Identifier: MIT */
/* What both sides share: how an instruction is carried out, and what is written down. */
#include "model.h"

#include <string.h>

/* ---- runs ---- */

struct run *run_make(struct side *side, int block)
{
    struct run *run = &side->run[side->runs];
    if (side->runs < RUNS - 1) {
        side->runs++;
    } else {
        side->outside = true;
    }
    memset(run, 0, sizeof *run);
    run->side = side;
    run->block = &side->program->block[block];
    return run;
}

static void note_time(struct run *run)
{
    int now, ticks, step;
    run->side->call->time(run, &now, &ticks, &step);
    note(&run->side->trace, EV_NOW, run->number, now, ticks, step);
}

void run_enters(struct run *run, void *flow)
{
    const struct side_calls *call = run->side->call;
    run->flow = flow;
    run->number = ++run->side->begun;
    note(&run->side->trace, EV_ENTER, run->number, (int)(run->block - run->side->program->block),
         call->phase(run), (int)call->cause(run));
    note_time(run);
}

void run_goes_on(struct run *run)
{
    const struct side_calls *call = run->side->call;
    note(&run->side->trace, EV_GOES_ON, run->number, run->next - 1, call->phase(run),
         (int)call->cause(run));
    note_time(run);
    if (run->ins->op != OP_TRY || run->outcome.state == FLOW_STATE_DONE) {
        results(run, &run->side->program->wait[run->ins->wait]);
    }
}

void run_tried(struct run *run)
{
    note(&run->side->trace, EV_TRIED, run->number, (int)run->outcome.state, run->outcome.code, 0);
    run_goes_on(run);
}

void run_over(struct run *run)
{
    note(&run->side->trace, EV_OVER, run->number, 0, 0, 0);
}

void run_closes(struct run *run)
{
    run->closing = true;
    run->next = 0;
    note(&run->side->trace, EV_FINALLY, run->number, (int)run->side->call->cause(run), 0, 0);
}

void run_closed(struct run *run)
{
    note(&run->side->trace, EV_CLEANED, run->number, 0, 0, 0);
}

/* ---- acts ---- */

static bool has_fuel(struct side *side)
{
    return side->fuel-- > 0;
}

static const double scales[] = {1.0, 0.0, 2.0, 3.0, 1.0 / 7.0, 3.0 / 7.0};

static void wait_counts(struct side *side, const struct wait *wait)
{
    side->waits[wait->kind]++;
    for (int i = 0; i < wait->branches; i++) {
        wait_counts(side, &side->program->wait[wait->branch[i]]);
    }
}

/* What only the running flow can do. */
static int act_inside(struct run *run, const struct ins *ins)
{
    struct side *side = run->side;
    const struct side_calls *call = side->call;
    switch (ins->op) {
    case OP_SPAWN:
        return has_fuel(side) ? call->spawn(run, ins) : -1;
    case OP_SELF:
        call->self(run, ins->a);
        return 0;
    case OP_DEFER: {
        struct cleanup *cleanup = &side->cleanup[side->cleanups];
        side->cleanups += side->cleanups < CLEANUPS - 1;
        *cleanup = (struct cleanup){side, ins, run->number};
        return call->defer(run, cleanup);
    }
    case OP_HOLD:
        return call->hold(run, ins->a);
    case OP_SCOPE_CLOCK:
        return call->scope_clock(run, ins->a, ins->b);
    case OP_SUBSCRIBE:
        return call->subscribe(run, ins);
    case OP_INTERVAL:
        return call->interval(run, ins->a, ins->b);
    case OP_SET_BEGIN:
        return call->set_begin(run);
    case OP_SET_ADD:
        wait_counts(side, &side->program->wait[ins->wait]);
        call->set_add(run, ins);
        return 0;
    case OP_SET_CLEAR:
        call->set_clear(run);
        return 0;
    case OP_SET_LEFT:
        return call->set_left(run);
    default:
        return call->asked_to_stop(run);
    }
}

static int act_on_flows(struct side *side, const struct ins *ins)
{
    const struct side_calls *call = side->call;
    flow_outcome outcome;
    switch (ins->op) {
    case OP_START:
        return has_fuel(side) ? call->start(side, ins) : -1;
    case OP_GROUP:
        return call->group(side, ins);
    case OP_CANCEL:
        return call->cancel(side, ins->a);
    case OP_CLEAR:
        return call->clear(side, ins->a);
    case OP_GRADUAL:
        return call->gradual(side, ins->a, ins->b);
    case OP_STOP:
        return call->stop(side, ins->a);
    case OP_OWNER_END:
        return call->owner_end(side, ins->a);
    case OP_OWNER_BEGIN:
        return call->owner_begin(side, ins->a);
    default: {
        int known = call->state(side, ins->a, &outcome);
        note(&side->trace, EV_KNOWN, (int)outcome.state, (int)outcome.cause, outcome.code, 0);
        return known;
    }
    }
}

static int act_on_sources(struct side *side, const struct ins *ins)
{
    const struct side_calls *call = side->call;
    int value = 0;
    switch (ins->op) {
    case OP_EMIT:
        return has_fuel(side) ? call->emit(side, ins->a, ins->b) : -1;
    case OP_CLOSE:
        call->close(side, ins->a);
        return 0;
    case OP_BREAK:
        call->fail(side, ins->a, ins->b);
        return 0;
    case OP_RENEW:
        call->renew(side, ins->a);
        return 0;
    case OP_TAKE:
        return call->take(side, ins->a, &value) ? value : -1;
    case OP_COUNT:
        return call->count(side, ins->a);
    default:
        call->unsubscribe(side, ins->a);
        return 0;
    }
}

static int act_on_values(struct side *side, const struct ins *ins)
{
    const struct side_calls *call = side->call;
    int value = 0;
    switch (ins->op) {
    case OP_SET:
        return has_fuel(side) ? call->set(side, ins->a, ins->b) : -1;
    case OP_READ: {
        int version = call->read(side, ins->a, &value);
        note(&side->trace, EV_READ, value, version, 0, 0);
        return version;
    }
    case OP_PROPERTY:
        call->property(side, ins->a, ins->b);
        return 0;
    case OP_SEND:
        return has_fuel(side) ? call->send(side, ins->a, &ins->b) : -1;
    case OP_RECEIVE:
        return call->receive(side, ins->a, &value) ? value : -1;
    case OP_KEPT:
        return call->kept(side, ins->a);
    case OP_CHANNEL_CLOSE:
        call->channel_close(side, ins->a);
        return 0;
    case OP_CHANNEL_BREAK:
        call->channel_fail(side, ins->a, ins->b);
        return 0;
    default:
        call->channel(side, ins->a, ins->b);
        return 0;
    }
}

static int act_later(struct side *side, const struct ins *ins)
{
    const struct side_calls *call = side->call;
    if (!has_fuel(side)) {
        return -1;
    }
    switch (ins->op) {
    case OP_POST:
        return call->post(side, ins);
    case OP_CANCEL_ANY:
        return call->cancel_any(side, ins->a);
    default:
        return call->emit_any(side, ins->a, &ins->b);
    }
}

static int act_on_clocks(struct side *side, const struct ins *ins)
{
    const struct side_calls *call = side->call;
    switch (ins->op) {
    case OP_PAUSE:
        return call->pause(side, ins->a);
    case OP_RELEASE:
        return call->release(side, ins->a);
    case OP_SCALE:
        return call->scale(side, ins->a, scales[ins->b]);
    case OP_CLOCK_MAKE:
        return call->clock_make(side, ins->a, ins->b);
    default:
        return call->clock_end(side, ins->a);
    }
}

static void act(struct side *side, struct run *run, const struct ins *ins)
{
    int result = 0;
    if (ins->op == OP_NONE) {
        return;
    }
    side->ops[ins->op]++;
    if (ins->op < OP_START) {
        result = act_inside(run, ins);
    } else if (ins->op < OP_PAUSE) {
        result = act_on_flows(side, ins);
    } else if (ins->op < OP_EMIT) {
        result = act_on_clocks(side, ins);
    } else if (ins->op < OP_SET) {
        result = act_on_sources(side, ins);
    } else if (ins->op < OP_POST) {
        result = act_on_values(side, ins);
    } else {
        result = act_later(side, ins);
    }
    note(&side->trace, EV_ACT, (int)ins->op, ins->a, run ? run->number : 0, result);
}

static void acts(struct side *side, struct list list)
{
    for (int i = 0; i < list.count; i++) {
        act(side, NULL, &side->program->ins[list.first + i]);
    }
}

/* ---- what calls back ---- */

static void awaits(struct run *run)
{
    struct side *side = run->side;
    side->ops[run->ins->op]++;
    note(&side->trace, EV_AWAITS, run->number, run->next - 1, 0, 0);
    if (run->ins->op <= OP_SHIELD) {
        wait_counts(side, &side->program->wait[run->ins->wait]);
    }
}

const struct ins *run_next(struct run *run)
{
    const struct list *list = run->closing ? &run->block->last : &run->block->body;
    while (run->next < list->count) {
        const struct ins *ins = &run->side->program->ins[list->first + run->next++];
        if (ins->op >= OP_AWAIT && ins->op <= OP_RETURN) {
            run->ins = ins;
            awaits(run);
            return ins;
        }
        act(run->side, run, ins);
    }
    return NULL;
}

void cleanup_run(void *cleanup)
{
    const struct cleanup *c = cleanup;
    note(&c->side->trace, EV_CLEANUP, c->number, 0, 0, 0);
    acts(c->side, c->ins->acts);
}

void posted_run(struct side *side, const struct ins *ins)
{
    note(&side->trace, EV_POSTED, 0, 0, 0, 0);
    acts(side, ins->acts);
}

int predicate_run(void *asked)
{
    const struct asked *a = asked;
    int holds = a->side->tests++ % a->wait->b == 0;
    note(&a->side->trace, EV_TEST, holds, 0, 0, 0);
    acts(a->side, a->wait->acts);
    return holds;
}

int match_run(const void *value, void *asked)
{
    const struct asked *a = asked;
    int given = *(const int *)value, holds = given % a->wait->b == 0;
    note(&a->side->trace, EV_MATCH, given, holds, 0, 0);
    acts(a->side, a->wait->acts);
    return holds;
}

void report_run(struct side *side, int kind, int code)
{
    note(&side->trace, EV_REPORT, kind, code, 0, 0);
    acts(side, side->program->report);
}

/* ---- the host ---- */

static void note_counts(struct side *side)
{
    flow_counters count = side->call->counters(side);
    note(&side->trace, EV_COUNTS, (int)count.live, (int)count.timers, (int)count.predicates,
         (int)count.stale);
    note(&side->trace, EV_TOTALS, (int)count.started,
         (int)(count.ended - count.cancelled - count.failed), (int)count.cancelled,
         (int)count.failed);
    note(&side->trace, EV_FINALS, (int)count.finally_runs, 0, 0, 0);
}

static void note_clocks(struct side *side, int phase)
{
    for (int i = 0; i < CLOCKS; i++) {
        int now;
        side->call->clock_now(side, i, phase, &now);
        note(&side->trace, EV_TIME, i, phase, now, 0);
    }
}

static void host_act(struct side *side, const struct ins *ins)
{
    side->ops[ins->op] += ins->op >= OP_FRAME; /* act() counts the others */
    switch (ins->op) {
    case OP_FRAME:
        side->call->frame(side, ins->b / 1000.0);
        note(&side->trace, EV_FRAME, ins->b, 0, 0, 0);
        break;
    case OP_TICK:
        note(&side->trace, EV_TICK, ins->a, ins->b, 0, 0);
        side->call->tick(side, ins->a, ins->b / 1000.0);
        note_clocks(side, ins->a);
        note_counts(side);
        break;
    case OP_FLUSH:
        note(&side->trace, EV_FLUSH, ins->a, 0, 0, 0);
        side->call->flush(side, ins->a);
        note_counts(side);
        break;
    default:
        act(side, NULL, ins);
        break;
    }
}

void side_begin(struct side *side, const struct program *program, const struct side_calls *call)
{
    struct trace kept = side->trace;
    kept.count = 0;
    side->program = program;
    side->call = call;
    side->trace = kept;
    side->fuel = 150;
    side->tests = 1;
    side->begun = side->runs = side->cleanups = 0;
    side->outside = false;
    for (int i = 0; i < program->wait_count; i++) {
        side->asked[i] = (struct asked){side, &program->wait[i]};
    }
}

void side_play(struct side *side)
{
    const struct list *host = &side->program->host;
    for (int i = 0; i < host->count; i++) {
        host_act(side, &side->program->ins[host->first + i]);
    }
}
