/* SPDX-License-Identifier: MIT */
/* flow: cancelling. Every function has a finally section; half-way waits are of every kind. */
#include "flow_bench_world.h"

#include <stdlib.h>

typedef struct cancelling {
    flow_world *world;
    flow_handle group;
    FLOW_SIGNAL(uint64_t) signal;
    uint64_t cleaned;
} cancelling;

static void cancelling_begin(bench_run *run)
{
    cancelling *c = malloc(sizeof *c);
    bench_require(c != NULL, "no memory for a scenario");
    *c = (cancelling){.world = flow_world_create(NULL)};
    bench_require(c->world != NULL, "no memory for a world");
    c->group = flow_group_create(c->world, &(flow_group_desc){.name = "crowd"});
    bench_require(flow_signal_init(&c->signal, c->world) == FLOW_OK, "no memory for a signal");
    run->state = c;
}

static void cancelling_end(bench_run *run)
{
    cancelling *c = run->state;
    bench_require(flow_world_destroy(c->world) == FLOW_OK, "a flow has failed");
    free(c);
}

/* ---- side by side ---- */

struct guarded {
    flow_frame base;
    cancelling *of;
    uint32_t kind;
};

FLOW_STATIC(guarded)
{
    FLOW_BEGIN;
    if (self->kind == 0) {
        FLOW_AWAIT(flow_next_tick());
    } else if (self->kind == 1) {
        FLOW_AWAIT(flow_seconds(1000.0 + (double)self->kind));
    } else {
        FLOW_AWAIT(flow_next(&self->of->signal, NULL));
    }
    FLOW_FINALLY;
    self->of->cleaned++;
    FLOW_END;
}

static void guarded_start(cancelling *c, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        (void)FLOW_RUN_WITH(c->world, FLOW_OPTIONS(.owner = c->group), guarded, .of = c,
                            .kind = i % 3);
    }
}

static void cancel_batch(bench_run *run)
{
    cancelling *c = run->state;
    uint32_t rounds = bench_rounds(run->n);
    uint64_t before = c->cleaned;
    for (uint32_t round = 0; round < rounds; round++) {
        guarded_start(c, run->n);
        bench_start(run);
        (void)flow_group_clear(c->world, c->group);
        bench_stop(run);
    }
    run->items = run->n * rounds;
    bench_require(c->cleaned - before == run->items, "a finally section did not run");
}

/* The same functions, ended by what they wait for. */
static void normal_batch(bench_run *run)
{
    cancelling *c = run->state;
    uint32_t rounds = bench_rounds(run->n);
    uint64_t before = c->cleaned;
    for (uint32_t round = 0; round < rounds; round++) {
        guarded_start(c, run->n);
        bench_start(run);
        (void)flow_emit(&c->signal, &(uint64_t){1});
        bench_require(flow_world_tick(c->world, FLOW_UPDATE, 2000.0) == FLOW_OK, "a failure");
        bench_stop(run);
    }
    run->items = run->n * rounds;
    bench_require(c->cleaned - before == run->items, "a finally section did not run");
}

/* ---- nested: n calls, one in the other ---- */

struct guarded_chain {
    flow_frame base;
    cancelling *of;
    uint32_t calls;
};

FLOW_STATIC(guarded_chain)
{
    FLOW_BEGIN;
    if (self->calls > 1) {
        FLOW_AWAIT(FLOW_CALL(guarded_chain, .of = self->of, .calls = self->calls - 1));
    } else {
        FLOW_AWAIT(flow_next_tick());
    }
    FLOW_FINALLY;
    self->of->cleaned++;
    FLOW_END;
}

static void nested(bench_run *run, int cancelled)
{
    cancelling *c = run->state;
    uint32_t rounds = bench_rounds(run->n);
    uint64_t before = c->cleaned;
    for (uint32_t round = 0; round < rounds; round++) {
        flow_handle h = FLOW_RUN(c->world, guarded_chain, .of = c, .calls = run->n);
        flush(c->world); /* calls deeper than the nesting limit begin from the queue */
        bench_start(run);
        if (cancelled) {
            (void)flow_cancel(c->world, h);
        } else {
            tick(c->world);
        }
        bench_stop(run);
    }
    run->items = run->n * rounds;
    bench_require(c->cleaned - before == run->items, "a finally section did not run");
}

static void nested_batch(bench_run *run)
{
    nested(run, 1);
}

static void nested_normal_batch(bench_run *run)
{
    nested(run, 0);
}

/* ---- leaf waits: eight timers a flow, none with code to unwind ---- */

struct eight_leaves {
    flow_frame base;
    uint64_t unused;
};

FLOW_STATIC(eight_leaves)
{
    FLOW_BEGIN;
    FLOW_ALL(flow_seconds(1), flow_seconds(2), flow_seconds(3), flow_seconds(4), flow_seconds(5),
             flow_seconds(6), flow_seconds(7), flow_seconds(8));
    FLOW_END;
}

static void leaves_batch(bench_run *run)
{
    cancelling *c = run->state;
    uint32_t rounds = bench_rounds(run->n);
    for (uint32_t round = 0; round < rounds; round++) {
        for (uint32_t i = 0; i < run->n / 8; i++) {
            (void)FLOW_RUN_WITH(c->world, FLOW_OPTIONS(.owner = c->group), eight_leaves,
                                .unused = i);
        }
        bench_start(run);
        (void)flow_group_clear(c->world, c->group);
        bench_stop(run);
    }
    bench_require(flow_world_counters(c->world).live == 0, "a flow is left");
    run->items = run->n / 8 * 8 * rounds;
}

#define AT(scenario, n, batch)                                                                     \
    {                                                                                              \
        "flowtask", scenario, "flow", n, cancelling_begin, batch, cancelling_end                   \
    }
static const bench_case cases[] = {
    AT("cancel", 100, cancel_batch),
    AT("cancel", 500, cancel_batch),
    AT("cancel", 4096, cancel_batch),
    AT("cancel_normal", 100, normal_batch),
    AT("cancel_normal", 500, normal_batch),
    AT("cancel_normal", 4096, normal_batch),
    AT("cancel_nested", 100, nested_batch),
    AT("cancel_nested", 500, nested_batch),
    AT("cancel_nested", 4096, nested_batch),
    AT("cancel_nested_normal", 100, nested_normal_batch),
    AT("cancel_nested_normal", 500, nested_normal_batch),
    AT("cancel_nested_normal", 4096, nested_normal_batch),
    AT("cancel_leaves", 100, leaves_batch),
    AT("cancel_leaves", 500, leaves_batch),
    AT("cancel_leaves", 4096, leaves_batch),
};
const bench_cases bench_flow_cancel = BENCH_CASES(cases);
