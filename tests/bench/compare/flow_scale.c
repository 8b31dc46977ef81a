/* SPDX-License-Identifier: MIT */
/* flow: many sleepers, many starts, and frames in which few of many are due. */
#include "flow_bench_world.h"

#include <stdlib.h>

struct sleeper {
    flow_frame base;
    double seconds;
    uint64_t *woken;
};

FLOW_STATIC(sleeper)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_seconds(self->seconds));
    ++*self->woken;
    FLOW_END;
}

static uint64_t woken;

static void sleepers_start(flow_world *world, uint32_t n, double from)
{
    for (uint32_t i = 0; i < n; i++) {
        (void)FLOW_RUN(world, sleeper, .seconds = from + 1e-6 * (i * 7919u % n), .woken = &woken);
    }
    bench_require(flow_world_counters(world).live >= n, "a sleeper did not start");
}

static void sleepers_begin(bench_run *run)
{
    sleepers_start(world_begin(run), run->n, 1e9);
}

/* Frames in which nothing is due. */
static void idle_batch(bench_run *run)
{
    flow_world *world = run->state;
    run->items = 4096;
    bench_start(run);
    for (uint32_t i = 0; i < run->items; i++) {
        bench_require(flow_world_begin_frame(world, 0.01) == FLOW_OK, "a failure");
        tick(world);
    }
    bench_stop(run);
}

static void insert_wake_batch(bench_run *run, int inserting)
{
    flow_world *world = run->state;
    uint64_t before = woken;
    if (inserting) {
        bench_start(run);
    }
    sleepers_start(world, run->n, 10.0);
    if (inserting) {
        bench_stop(run);
    } else {
        bench_start(run);
    }
    bench_require(flow_world_tick(world, FLOW_UPDATE, 20.0) == FLOW_OK, "a failure");
    if (!inserting) {
        bench_stop(run);
    }
    bench_require(woken - before == run->n, "a sleeper did not wake");
}

static void insert_batch(bench_run *run)
{
    insert_wake_batch(run, 1);
}

static void wake_batch(bench_run *run)
{
    insert_wake_batch(run, 0);
}

static void cancel_all_batch(bench_run *run)
{
    flow_world *world = run->state;
    flow_handle crowd = flow_group_create(world, &(flow_group_desc){.name = "crowd"});
    for (uint32_t i = 0; i < run->n; i++) {
        (void)FLOW_RUN_WITH(world, FLOW_OPTIONS(.owner = crowd), sleeper,
                            .seconds = 1e-3 * (i * 7919u % run->n), .woken = &woken);
    }
    bench_start(run);
    (void)flow_cancel(world, crowd);
    bench_stop(run);
    bench_require(flow_world_counters(world).live == 0, "a sleeper is left");
}

/* ---- predicates: the one wait that is polled ---- */

static uint64_t asked;

static int never_true(void *arg)
{
    asked++;
    return *(int *)arg;
}

struct polls {
    flow_frame base;
    int zero;
};

FLOW_STATIC(polls)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_until(never_true, &self->zero));
    FLOW_END;
}

static void predicates_begin(bench_run *run)
{
    flow_world *world = world_begin(run);
    for (uint32_t i = 0; i < run->n; i++) {
        (void)FLOW_RUN(world, polls, .zero = 0);
    }
}

static void predicates_batch(bench_run *run)
{
    uint64_t before = asked;
    ticks_in_which(run, run->n, 0);
    bench_require(asked - before == run->items, "a predicate was not asked");
}

/* ---- a few due in each frame, among n ---- */

enum { DUE = 128 };

struct due_each_tick {
    flow_frame base;
    uint64_t count;
};

FLOW_STATIC(due_each_tick)
{
    FLOW_BEGIN;
    for (;;) {
        self->count++;
        FLOW_AWAIT(flow_next_tick());
    }
    FLOW_END;
}

static void few_of_many_begin(bench_run *run)
{
    flow_world *world = world_begin(run);
    sleepers_start(world, run->n, 1e9);
    for (int i = 0; i < DUE; i++) {
        (void)FLOW_RUN(world, due_each_tick, .count = 0);
    }
}

static void few_of_many_batch(bench_run *run)
{
    ticks_of(run, DUE);
}

/* ---- what a suspended flow with 16 bytes of state costs, half of them asleep ---- */

struct of_16_bytes {
    flow_frame base;
    uint64_t *woken;
    double seconds;
};

FLOW_STATIC(of_16_bytes)
{
    FLOW_BEGIN;
    if (self->seconds > 0.0) {
        FLOW_AWAIT(flow_seconds(self->seconds));
    }
    for (;;) {
        FLOW_AWAIT(flow_next_tick());
    }
    FLOW_END;
}

static void bytes_begin(bench_run *run)
{
    flow_world *world = world_begin(run);
    size_t empty = flow_world_counters(world).bytes;
    for (uint32_t i = 0; i < run->n; i++) {
        (void)FLOW_RUN(world, of_16_bytes, .woken = &woken, .seconds = i % 2 ? 1e6 : 0.0);
    }
    bench_require(flow_world_counters(world).live == run->n, "a flow did not start");
    run->bytes = (double)(flow_world_counters(world).bytes - empty) / run->n;
}

static void bytes_batch(bench_run *run)
{
    ticks_in_which(run, run->n, run->n / 2);
}

#define IN(scenario, n, begin, batch)                                                              \
    {                                                                                              \
        "scale", scenario, "flow", n, begin, batch, world_end                                      \
    }
static const bench_case cases[] = {
    IN("sleepers_idle", 100, sleepers_begin, idle_batch),
    IN("sleepers_idle", 100000, sleepers_begin, idle_batch),
    IN("sleepers_idle", 1000000, sleepers_begin, idle_batch),
    IN("sleepers_insert", 100000, empty_world_begin, insert_batch),
    IN("sleepers_insert", 1000000, empty_world_begin, insert_batch),
    IN("sleepers_wake", 100000, empty_world_begin, wake_batch),
    IN("sleepers_wake", 1000000, empty_world_begin, wake_batch),
    IN("sleepers_cancel", 100000, empty_world_begin, cancel_all_batch),
    IN("sleepers_cancel", 1000000, empty_world_begin, cancel_all_batch),
    IN("predicates", 4096, predicates_begin, predicates_batch),
    IN("few_of_many", 1000, few_of_many_begin, few_of_many_batch),
    IN("few_of_many", 10000, few_of_many_begin, few_of_many_batch),
    IN("few_of_many", 100000, few_of_many_begin, few_of_many_batch),
    IN("few_of_many", 1000000, few_of_many_begin, few_of_many_batch),
    IN("bytes", 100000, bytes_begin, bytes_batch),
};
const bench_cases bench_flow_scale = BENCH_CASES(cases);
