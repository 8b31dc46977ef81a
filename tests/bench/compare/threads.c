/* SPDX-License-Identifier: MIT */
/* Hops to a worker and back: flow's, and what is under them alone, a queue with a semaphore there
 * and a locked list with one back. */
#include "pool.h"

#include <stdlib.h>

enum { HOPS = 512 };

static void take_in(flow_world *world)
{
    bench_require(flow_world_begin_frame(world, 0.0) == FLOW_OK, "a flow has failed");
    flush(world);
}

static void one_worker_begin(bench_run *run)
{
    (void)pool_begin(run, 1, 1);
}

/* ---- one function after the other on a worker ---- */

static int nothing(flow_job *job, void *data)
{
    (void)job;
    ++*(uint64_t *)data;
    return 0;
}

struct hops {
    flow_frame base;
    bench_pool *pool;
    uint64_t data;
    uint32_t left;
};

FLOW_STATIC(hops)
{
    FLOW_BEGIN;
    for (; self->left > 0; self->left--) {
        FLOW_AWAIT(flow_run_on(&self->pool->executor, nothing, &self->data));
        self->pool->done++;
    }
    FLOW_END;
}

static void hops_batch(bench_run *run)
{
    bench_pool *p = run->state;
    uint64_t goal = p->done + HOPS;
    run->items = HOPS;
    bench_start(run);
    (void)FLOW_RUN(p->world, hops, .pool = p, .left = HOPS);
    while (p->done != goal) {
        pool_await(p, 1);
        take_in(p->world);
    }
    bench_stop(run);
}

/* ---- n flows that each go to a worker and come back ---- */

struct switches {
    flow_frame base;
    bench_pool *pool;
    uint64_t there;
};

FLOW_STATIC(switches)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_AWAIT(flow_next_tick());
        FLOW_AWAIT(flow_switch_to(&self->pool->executor));
        self->there++;
        FLOW_AWAIT(flow_switch_home());
        self->pool->done++;
    }
    FLOW_END;
}

static void switches_begin(bench_run *run)
{
    bench_pool *p = pool_begin(run, 1, 1);
    for (uint32_t i = 0; i < run->n; i++) {
        (void)FLOW_RUN(p->world, switches, .pool = p);
    }
}

/* The worker is kept from the queue meanwhile, so that what a hop costs its world is seen alone:
 * giving the work, and taking it in and resuming. */
static void apart(bench_run *run, int enqueue)
{
    bench_pool *p = run->state;
    uint32_t rounds = bench_rounds(run->n);
    uint64_t before = p->done;
    p->held = 1;
    for (uint32_t round = 0; round < rounds; round++) {
        if (enqueue) {
            bench_start(run);
        }
        tick(p->world);
        if (enqueue) {
            bench_stop(run);
        }
        bench_require(p->submitted == run->n, "a hop was not given");
        pool_release(p);
        if (!enqueue) {
            bench_start(run);
        }
        take_in(p->world);
        if (!enqueue) {
            bench_stop(run);
        }
    }
    run->items = run->n * rounds;
    bench_require(p->done - before == run->items, "a flow did not come home");
}

static void enqueue_batch(bench_run *run)
{
    apart(run, 1);
}

static void dispatch_batch(bench_run *run)
{
    apart(run, 0);
}

static void round_trip_batch(bench_run *run)
{
    bench_pool *p = run->state;
    uint32_t rounds = bench_rounds(run->n);
    uint64_t before = p->done;
    bench_start(run);
    for (uint32_t round = 0; round < rounds; round++) {
        tick(p->world);
        pool_await(p, run->n);
        take_in(p->world);
    }
    bench_stop(run);
    run->items = run->n * rounds;
    bench_require(p->done - before == run->items, "a flow did not come home");
}

/* A hop that begins in a flow that is cancelled already: no work is given, the flow unwinds. */
struct cancelled_switch {
    flow_frame base;
    bench_pool *pool;
    uint64_t *cleaned;
};

FLOW_STATIC(cancelled_switch)
{
    FLOW_BEGIN;
    (void)flow_cancel(flow_world_of(flow), flow_self(flow));
    FLOW_AWAIT(flow_switch_to(&self->pool->executor));
    FLOW_FINALLY;
    ++*self->cleaned;
    FLOW_END;
}

static void pre_cancelled_batch(bench_run *run)
{
    bench_pool *p = run->state;
    uint32_t rounds = bench_rounds(run->n);
    uint64_t cleaned = 0;
    run->items = run->n * rounds;
    bench_start(run);
    for (uint32_t i = 0; i < run->items; i++) {
        (void)FLOW_RUN(p->world, cancelled_switch, .pool = p, .cleaned = &cleaned);
    }
    bench_stop(run);
    bench_require(cleaned == run->items && p->submitted == 0, "a cancelled flow went on");
}

/* ---- the floor ---- */

typedef struct bare {
    flow_work work;
    bench_pool *pool;
} bare;

/* What has come back, newest first: linked by next, under the pool's lock. */
static flow_work *back;

static void bare_run(flow_work *work, int dropped)
{
    bench_pool *p = ((bare *)(void *)work)->pool;
    (void)dropped;
    (void)pthread_mutex_lock(&p->lock);
    work->next = back;
    back = work;
    (void)pthread_mutex_unlock(&p->lock);
}

static uint32_t bare_take_in(bench_pool *p)
{
    uint32_t count = 0;
    (void)pthread_mutex_lock(&p->lock);
    flow_work *taken = back;
    back = NULL;
    (void)pthread_mutex_unlock(&p->lock);
    for (; taken != NULL; taken = taken->next) {
        count++;
    }
    return count;
}

static void bare_trips(bench_run *run, uint32_t at_once, uint32_t rounds)
{
    bench_pool *p = run->state;
    bare *works = p->data;
    uint32_t came = 0;
    bench_start(run);
    for (uint32_t round = 0; round < rounds; round++) {
        for (uint32_t i = 0; i < at_once; i++) {
            (void)pool_submit(p, &works[i].work);
        }
        pool_await(p, at_once);
        came += bare_take_in(p);
    }
    bench_stop(run);
    run->items = at_once * rounds;
    bench_require(came == run->items, "a piece of work did not come back");
}

static void bare_hops_batch(bench_run *run)
{
    bare_trips(run, 1, HOPS);
}

static void bare_round_trip_batch(bench_run *run)
{
    bare_trips(run, run->n, bench_rounds(run->n));
}

static void bare_begin(bench_run *run)
{
    bench_pool *p = pool_begin(run, 1, 0);
    bare *works = calloc(run->n, sizeof *works);
    bench_require(works != NULL, "no memory for work");
    for (uint32_t i = 0; i < run->n; i++) {
        works[i] = (bare){.work = {.run = bare_run}, .pool = p};
    }
    p->data = works;
}

static void bare_end(bench_run *run)
{
    free(((bench_pool *)run->state)->data);
    pool_end(run);
}

#define FLOW(suite, scenario, n, begin, batch)                                                     \
    {                                                                                              \
        suite, scenario, "flow", n, begin, batch, pool_end                                         \
    }
#define BARE(suite, scenario, n, batch)                                                            \
    {                                                                                              \
        suite, scenario, "floor", n, bare_begin, batch, bare_end                                   \
    }
static const bench_case cases[] = {
    BARE("runtime_async", "worker", 1, bare_hops_batch),
    FLOW("runtime_async", "worker", 1, one_worker_begin, hops_batch),
    FLOW("onity", "thread_enqueue", 128, switches_begin, enqueue_batch),
    FLOW("onity", "thread_enqueue", 4096, switches_begin, enqueue_batch),
    FLOW("onity", "thread_dispatch", 128, switches_begin, dispatch_batch),
    FLOW("onity", "thread_dispatch", 4096, switches_begin, dispatch_batch),
    BARE("onity", "thread_round_trip", 128, bare_round_trip_batch),
    FLOW("onity", "thread_round_trip", 128, switches_begin, round_trip_batch),
    BARE("onity", "thread_round_trip", 4096, bare_round_trip_batch),
    FLOW("onity", "thread_round_trip", 4096, switches_begin, round_trip_batch),
    FLOW("onity", "thread_pre_cancelled", 128, one_worker_begin, pre_cancelled_batch),
    FLOW("onity", "thread_pre_cancelled", 4096, one_worker_begin, pre_cancelled_batch),
};
const bench_cases bench_threads = BENCH_CASES(cases);
