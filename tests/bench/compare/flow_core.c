/* SPDX-License-Identifier: MIT */
/* flow: resuming, starting, calling. */
#include "flow_bench_world.h"

#include <stdlib.h>

/* ---- resume: n flows that count ticks ---- */

struct counter {
    flow_frame base;
    uint64_t count;
    uint64_t state;
};

FLOW_STATIC(counter)
{
    FLOW_BEGIN;
    for (;;) {
        self->count++;
        FLOW_AWAIT(flow_next_tick());
    }
    FLOW_END;
}

static void counters_start(bench_run *run, flow_world *world)
{
    for (uint32_t i = 0; i < run->n; i++) {
        (void)FLOW_RUN(world, counter, .state = i);
    }
}

static void resume_begin(bench_run *run)
{
    flow_world *world = world_begin(run);
    size_t empty = flow_world_counters(world).bytes;
    counters_start(run, world);
    bench_require(flow_world_counters(world).live == run->n, "a flow did not start");
    if (run->n >= 4096) { /* fewer stay within what a world takes when it is made */
        run->bytes = (double)(flow_world_counters(world).bytes - empty) / run->n;
    }
}

/* Where order and memory disagree: the flows come to their loops in a shuffled order. */
struct shuffled {
    flow_frame base;
    double first;
    uint64_t count;
};

FLOW_STATIC(shuffled)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_seconds(self->first));
    for (;;) {
        self->count++;
        FLOW_AWAIT(flow_next_tick());
    }
    FLOW_END;
}

static void shuffled_begin(bench_run *run)
{
    flow_world *world = world_begin(run);
    uint32_t *order = malloc(run->n * sizeof *order);
    bench_require(order != NULL, "no memory for an order");
    bench_shuffle(order, run->n);
    for (uint32_t i = 0; i < run->n; i++) {
        (void)FLOW_RUN(world, shuffled, .first = 1e-9 * order[i]);
    }
    free(order);
    tick(world);
}

/* Eight kinds of body in random order. */
#define KIND(name, work)                                                                           \
    struct name {                                                                                  \
        flow_frame base;                                                                           \
        uint64_t a, b;                                                                             \
    };                                                                                             \
    FLOW_STATIC(name)                                                                              \
    {                                                                                              \
        FLOW_BEGIN;                                                                                \
        for (;;) {                                                                                 \
            work;                                                                                  \
            FLOW_AWAIT(flow_next_tick());                                                          \
        }                                                                                          \
        FLOW_END;                                                                                  \
    }
KIND(kind0, self->a += 1)
KIND(kind1, self->a ^= self->b)
KIND(kind2, self->a += self->b++)
KIND(kind3, self->b = self->a * 3 + 1)
KIND(kind4, self->a = self->a << 1 | self->a >> 63)
KIND(kind5, self->a -= self->b ^ 7)
KIND(kind6, self->a += self->a >> 3)
KIND(kind7, self->b += self->a & 15)

static void mixed_begin(bench_run *run)
{
    static const flow_function *const kinds[8] = {
        FLOW_FUNCTION(kind0), FLOW_FUNCTION(kind1), FLOW_FUNCTION(kind2), FLOW_FUNCTION(kind3),
        FLOW_FUNCTION(kind4), FLOW_FUNCTION(kind5), FLOW_FUNCTION(kind6), FLOW_FUNCTION(kind7)};
    flow_world *world = world_begin(run);
    uint32_t *order = malloc(run->n * sizeof *order);
    bench_require(order != NULL, "no memory for an order");
    bench_shuffle(order, run->n);
    for (uint32_t i = 0; i < run->n; i++) {
        struct kind0 frame = {.a = i, .b = 1};
        (void)flow_start(world, kinds[order[i] % 8], &frame, NULL);
    }
    free(order);
}

/* ---- the innermost of d calls is resumed ---- */

struct deep {
    flow_frame base;
    int calls;
    uint64_t count;
};

FLOW_STATIC(deep)
{
    FLOW_BEGIN;
    if (self->calls > 1) {
        FLOW_AWAIT(FLOW_CALL(deep, .calls = self->calls - 1));
    }
    for (;;) {
        self->count++;
        FLOW_AWAIT(flow_next_tick());
    }
    FLOW_END;
}

static void deep_begin(bench_run *run)
{
    flow_world *world = world_begin(run);
    for (int i = 0; i < BENCH_DEEP_FLOWS; i++) {
        (void)FLOW_RUN(world, deep, .calls = (int)run->n);
    }
}

static void deep_batch(bench_run *run)
{
    ticks_of(run, BENCH_DEEP_FLOWS);
}

/* ---- start, suspend, end ---- */

struct once_suspended {
    flow_frame base;
    uint64_t *ended;
    int suspensions;
};

FLOW_STATIC(once_suspended)
{
    FLOW_BEGIN;
    for (; self->suspensions > 0; self->suspensions--) {
        FLOW_AWAIT(flow_next_tick());
    }
    ++*self->ended;
    FLOW_END;
}

static void lifecycle(bench_run *run, int suspensions)
{
    flow_world *world = run->state;
    uint64_t ended = 0;
    bench_start(run);
    for (uint32_t i = 0; i < run->n; i++) {
        (void)FLOW_RUN(world, once_suspended, .ended = &ended, .suspensions = suspensions);
    }
    for (int i = 0; i < suspensions; i++) {
        tick(world);
    }
    bench_stop(run);
    bench_require(ended == run->n, "a flow did not end");
}

static void lifecycle_batch(bench_run *run)
{
    lifecycle(run, 1);
}

static void lifecycle_4_batch(bench_run *run)
{
    lifecycle(run, 4);
}

/* The whole kind ends at once, and starts again. */
static void cliff_batch(bench_run *run)
{
    flow_world *world = run->state;
    uint32_t rounds = bench_rounds(run->n);
    uint64_t ended = 0;
    for (uint32_t i = 0; i < run->n; i++) {
        (void)FLOW_RUN(world, once_suspended, .ended = &ended, .suspensions = 1);
    }
    bench_start(run);
    for (uint32_t round = 0; round < rounds; round++) {
        tick(world);
        for (uint32_t i = 0; i < run->n; i++) {
            (void)FLOW_RUN(world, once_suspended, .ended = &ended, .suspensions = 1);
        }
    }
    bench_stop(run);
    tick(world);
    bench_require(ended == (uint64_t)run->n * (rounds + 1), "a flow did not end");
    run->items = run->n * rounds;
}

/* ---- the same with diagnostics on: the profiler, and the trace's hash ---- */

typedef struct watched {
    flow_world *world;
    flow_profile *profile; /* or null: it is traced */
} watched;

static watched *watched_begin(bench_run *run, int profiled)
{
    watched *w = malloc(sizeof *w);
    bench_require(w != NULL, "no memory for a scenario");
    *w = (watched){.world = world_begin(run)};
    if (profiled) {
        w->profile = flow_profile_create(&(flow_profile_desc){.now_ns = bench_clock});
        bench_require(w->profile != NULL && flow_profile_watch(w->profile, w->world) == FLOW_OK &&
                          flow_profile_switch(w->profile, 1) == FLOW_OK,
                      "no profile");
    } else {
        flow_world_trace(w->world, NULL, NULL);
    }
    run->state = w;
    return w;
}

static void watched_end(bench_run *run)
{
    watched *w = run->state;
    if (w->profile != NULL) {
        bench_require(flow_profile_destroy(w->profile) == FLOW_OK, "a profile is in use");
    }
    bench_require(flow_world_destroy(w->world) == FLOW_OK, "a flow has failed");
    free(w);
}

static void watched_tick(watched *w)
{
    if (w->profile != NULL) {
        flow_profile_next_frame(w->profile, NULL);
    }
    tick(w->world);
}

static void profiled_begin(bench_run *run)
{
    counters_start(run, watched_begin(run, 1)->world);
}

static void traced_begin(bench_run *run)
{
    counters_start(run, watched_begin(run, 0)->world);
}

static void empty_profiled_begin(bench_run *run)
{
    (void)watched_begin(run, 1);
}

static void empty_traced_begin(bench_run *run)
{
    (void)watched_begin(run, 0);
}

static void watched_resume_batch(bench_run *run)
{
    uint32_t rounds = bench_rounds(run->n);
    bench_start(run);
    for (uint32_t i = 0; i < rounds; i++) {
        watched_tick(run->state);
    }
    bench_stop(run);
    run->items = run->n * rounds;
}

static void watched_lifecycle_batch(bench_run *run)
{
    watched *w = run->state;
    uint64_t ended = 0;
    bench_start(run);
    for (uint32_t i = 0; i < run->n; i++) {
        (void)FLOW_RUN(w->world, once_suspended, .ended = &ended, .suspensions = 1);
    }
    watched_tick(w);
    bench_stop(run);
    bench_require(ended == run->n, "a flow did not end");
}

/* ---- calls that do not suspend ---- */

struct leaf {
    flow_frame base;
    uint64_t *sum;
    uint64_t a;
};

FLOW_STATIC(leaf)
{
    FLOW_BEGIN;
    *self->sum += self->a;
    FLOW_END;
}

struct caller {
    flow_frame base;
    uint64_t sum;
    uint32_t i;
};

FLOW_STATIC(caller)
{
    FLOW_BEGIN;
    for (;;) {
        for (self->i = 0; self->i < BENCH_CALLS; self->i++) {
            FLOW_AWAIT(FLOW_CALL(leaf, .sum = &self->sum, .a = self->i));
        }
        FLOW_AWAIT(flow_next_tick());
    }
    FLOW_END;
}

static void call_begin(bench_run *run)
{
    flow_world *world = world_begin(run);
    (void)FLOW_RUN(world, caller, .sum = 0);
}

static void one_tick_batch(bench_run *run)
{
    bench_start(run);
    tick(run->state);
    bench_stop(run);
    run->items = BENCH_CALLS;
}

/* A chain of n calls in which nobody waits. */
struct sync_chain {
    flow_frame base;
    uint64_t *sum;
    uint32_t calls;
};

FLOW_STATIC(sync_chain)
{
    FLOW_BEGIN;
    if (self->calls > 1) {
        FLOW_AWAIT(FLOW_CALL(sync_chain, .sum = self->sum, .calls = self->calls - 1));
    }
    ++*self->sum;
    FLOW_END;
}

struct sync_chains {
    flow_frame base;
    uint64_t *sum;
    uint32_t calls, left;
};

FLOW_STATIC(sync_chains)
{
    FLOW_BEGIN;
    for (; self->left > 0; self->left--) {
        FLOW_AWAIT(FLOW_CALL(sync_chain, .sum = self->sum, .calls = self->calls));
    }
    FLOW_END;
}

static void sync_chain_batch(bench_run *run)
{
    uint64_t sum = 0;
    run->items = bench_rounds(run->n);
    bench_start(run);
    (void)FLOW_RUN((flow_world *)run->state, sync_chains, .sum = &sum, .calls = run->n,
                   .left = run->items);
    flush(run->state); /* calls deeper than the nesting limit begin from the queue */
    bench_stop(run);
    bench_require(sum == (uint64_t)run->items * run->n, "a call is missing");
}

/* A chain of n calls whose innermost yields once. */
struct chain {
    flow_frame base;
    int calls;
};

FLOW_STATIC(chain)
{
    FLOW_BEGIN;
    if (self->calls > 1) {
        FLOW_AWAIT(FLOW_CALL(chain, .calls = self->calls - 1));
    } else {
        FLOW_AWAIT(flow_next_tick());
    }
    FLOW_END;
}

struct chains {
    flow_frame base;
    int calls;
};

FLOW_STATIC(chains)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_AWAIT(FLOW_CALL(chain, .calls = self->calls));
    }
    FLOW_END;
}

static void chain_begin(bench_run *run)
{
    flow_world *world = world_begin(run);
    for (int i = 0; i < BENCH_DEEP_FLOWS; i++) {
        (void)FLOW_RUN(world, chains, .calls = (int)run->n);
    }
}

static const bench_case cases[] = {
    {"scale", "resume_one", "flow", 128, resume_begin, ticks_batch, world_end},
    {"scale", "resume_one", "flow", 4096, resume_begin, ticks_batch, world_end},
    {"scale", "resume_one", "flow", 100000, resume_begin, ticks_batch, world_end},
    {"scale", "resume_one", "flow", 1000000, resume_begin, ticks_batch, world_end},
    {"scale", "resume_shuffled", "flow", 128, shuffled_begin, ticks_batch, world_end},
    {"scale", "resume_shuffled", "flow", 4096, shuffled_begin, ticks_batch, world_end},
    {"scale", "resume_shuffled", "flow", 100000, shuffled_begin, ticks_batch, world_end},
    {"scale", "resume_shuffled", "flow", 1000000, shuffled_begin, ticks_batch, world_end},
    {"scale", "resume_mixed", "flow", 128, mixed_begin, ticks_batch, world_end},
    {"scale", "resume_mixed", "flow", 4096, mixed_begin, ticks_batch, world_end},
    {"scale", "resume_mixed", "flow", 100000, mixed_begin, ticks_batch, world_end},
    {"scale", "resume_mixed", "flow", 1000000, mixed_begin, ticks_batch, world_end},
    {"scale", "resume_profiled", "flow", 4096, profiled_begin, watched_resume_batch, watched_end},
    {"scale", "resume_traced", "flow", 4096, traced_begin, watched_resume_batch, watched_end},
    {"scale", "lifecycle", "flow", 4096, empty_world_begin, lifecycle_batch, world_end},
    {"scale", "lifecycle_profiled", "flow", 4096, empty_profiled_begin, watched_lifecycle_batch,
     watched_end},
    {"scale", "lifecycle_traced", "flow", 4096, empty_traced_begin, watched_lifecycle_batch,
     watched_end},
    {"flowtask", "sync_chain", "flow", 1, empty_world_begin, sync_chain_batch, world_end},
    {"flowtask", "sync_chain", "flow", 10, empty_world_begin, sync_chain_batch, world_end},
    {"flowtask", "sync_chain", "flow", 100, empty_world_begin, sync_chain_batch, world_end},
    {"flowtask", "resume_deep", "flow", 1, deep_begin, deep_batch, world_end},
    {"flowtask", "resume_deep", "flow", 10, deep_begin, deep_batch, world_end},
    {"flowtask", "resume_deep", "flow", 100, deep_begin, deep_batch, world_end},
    {"onity", "lifecycle_1", "flow", 4096, empty_world_begin, lifecycle_batch, world_end},
    {"onity", "lifecycle_4", "flow", 4096, empty_world_begin, lifecycle_4_batch, world_end},
    {"scale", "start_end", "flow", 1000000, empty_world_begin, lifecycle_batch, world_end},
    {"scale", "cliff", "flow", 128, empty_world_begin, cliff_batch, world_end},
    {"scale", "cliff", "flow", 4096, empty_world_begin, cliff_batch, world_end},
    {"runtime_async", "call", "flow", 1, call_begin, one_tick_batch, world_end},
    {"runtime_async", "yield", "flow", 1, deep_begin, deep_batch, world_end},
    {"runtime_async", "chain", "flow", 1, chain_begin, deep_batch, world_end},
    {"runtime_async", "chain", "flow", 10, chain_begin, deep_batch, world_end},
    {"runtime_async", "chain", "flow", 100, chain_begin, deep_batch, world_end},
};
const bench_cases bench_flow_core = BENCH_CASES(cases);
