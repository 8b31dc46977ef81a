/* SPDX-License-Identifier: MIT */
/* flow: the rows of .NET's runtime-async benchmark, and SlimTask's two. */
#include "flow_bench_world.h"

#include <stdlib.h>

/* ---- values that are there already ---- */

typedef struct awaiting {
    flow_world *world;
    FLOW_ONCE(uint64_t) once;
    uint64_t sum;
} awaiting;

static awaiting *awaiting_begin(bench_run *run)
{
    awaiting *a = malloc(sizeof *a);
    bench_require(a != NULL, "no memory for a scenario");
    *a = (awaiting){.world = world_begin(run)};
    bench_require(flow_once_init(&a->once, a->world) == FLOW_OK, "no memory for a source");
    (void)flow_once_set(&a->once, &(uint64_t){7});
    run->state = a;
    return a;
}

static void awaiting_end(bench_run *run)
{
    awaiting *a = run->state;
    bench_require(flow_world_destroy(a->world) == FLOW_OK, "a flow has failed");
    free(a);
}

struct awaits_ready {
    flow_frame base;
    awaiting *of;
    uint32_t i;
};

FLOW_STATIC(awaits_ready)
{
    FLOW_BEGIN;
    for (;;) {
        for (self->i = 0; self->i < BENCH_CALLS; self->i++) {
            FLOW_AWAIT(flow_ready());
            self->of->sum = bench_plain_call(self->of->sum, self->i);
        }
        FLOW_AWAIT(flow_next_tick());
    }
    FLOW_END;
}

struct awaits_completed {
    flow_frame base;
    awaiting *of;
    uint64_t value;
    uint32_t i;
};

FLOW_STATIC(awaits_completed)
{
    FLOW_BEGIN;
    for (;;) {
        for (self->i = 0; self->i < BENCH_CALLS; self->i++) {
            FLOW_AWAIT(flow_once_wait(&self->of->once, &self->value));
            self->of->sum = bench_plain_call(self->of->sum, self->value);
        }
        FLOW_AWAIT(flow_next_tick());
    }
    FLOW_END;
}

static void ready_begin(bench_run *run)
{
    awaiting *a = awaiting_begin(run);
    (void)FLOW_RUN(a->world, awaits_ready, .of = a);
}

static void completed_begin(bench_run *run)
{
    awaiting *a = awaiting_begin(run);
    (void)FLOW_RUN(a->world, awaits_completed, .of = a);
}

static void awaits_batch(bench_run *run)
{
    awaiting *a = run->state;
    bench_start(run);
    tick(a->world);
    bench_stop(run);
    bench_use(a->sum);
    run->items = BENCH_CALLS;
}

/* ---- completion sources: made, awaited, set, received ---- */

struct awaits_completion {
    flow_frame base;
    FLOW_COMPLETION(uint64_t) * source;
    uint64_t *sum;
    uint64_t value;
};

FLOW_STATIC(awaits_completion)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_completion_wait(self->source, &self->value));
    *self->sum += self->value;
    FLOW_END;
}

static void completion_batch(bench_run *run)
{
    flow_world *world = run->state;
    uint32_t rounds = bench_rounds(run->n);
    uint64_t sum = 0;
    bench_start(run);
    for (uint32_t i = 0; i < rounds; i++) {
        struct awaits_completion frame = {.source = NULL, .sum = &sum};
        union {
            flow_completion completion;
            uint64_t *type_;
        } source = {.type_ = NULL};
        bench_require(flow_completion_init(&source, world) == FLOW_OK, "no memory for a source");
        frame.source = (void *)&source;
        for (uint32_t k = 0; k < run->n; k++) {
            (void)flow_start(world, FLOW_FUNCTION(awaits_completion), &frame, NULL);
        }
        (void)flow_completion_set(&source, &(uint64_t){1});
        flush(world);
        flow_completion_fini(&source);
    }
    bench_stop(run);
    run->items = rounds * run->n;
    bench_require(sum == run->items, "a completion was not received");
}

/* ---- functions that return a value, and one that suspends once in a hundred ---- */

struct value_of {
    flow_frame base;
    uint64_t a, *out;
};

FLOW_STATIC(value_of)
{
    FLOW_BEGIN;
    *self->out = self->a;
    FLOW_END;
}

struct computed {
    flow_frame base;
    uint64_t a, *out;
};

FLOW_STATIC(computed)
{
    FLOW_BEGIN;
    if (self->a % 100 == 0) {
        FLOW_AWAIT(flow_next_tick());
    }
    *self->out = self->a;
    FLOW_END;
}

#define SUMMING(name, callee)                                                                      \
    struct name {                                                                                  \
        flow_frame base;                                                                           \
        uint64_t *sum, value;                                                                      \
        uint32_t i;                                                                                \
    };                                                                                             \
    FLOW_STATIC(name)                                                                              \
    {                                                                                              \
        FLOW_BEGIN;                                                                                \
        for (self->i = 0; self->i < BENCH_CALLS; self->i++) {                                      \
            FLOW_AWAIT(FLOW_CALL(callee, .a = self->i, .out = &self->value));                      \
            *self->sum += self->value;                                                             \
        }                                                                                          \
        FLOW_END;                                                                                  \
    }                                                                                              \
    static void name##_batch(bench_run *run)                                                       \
    {                                                                                              \
        uint64_t sum = 0;                                                                          \
        run->items = BENCH_CALLS;                                                                  \
        bench_start(run);                                                                          \
        (void)FLOW_RUN((flow_world *)run->state, name, .sum = &sum);                               \
        for (uint32_t i = 0; i < run->items; i += 100) {                                           \
            tick(run->state);                                                                      \
        }                                                                                          \
        bench_stop(run);                                                                           \
        bench_require(sum == (uint64_t)run->items * (run->items - 1) / 2, "a call is missing");    \
    }
SUMMING(uses, value_of)
SUMMING(computes, computed)

struct fibonacci {
    flow_frame base;
    uint64_t *out, a, b;
    uint32_t n;
};

FLOW_STATIC(fibonacci)
{
    FLOW_BEGIN;
    if (self->n < 2) {
        *self->out = self->n;
    } else {
        FLOW_AWAIT(FLOW_CALL(fibonacci, .out = &self->a, .n = self->n - 1));
        FLOW_AWAIT(FLOW_CALL(fibonacci, .out = &self->b, .n = self->n - 2));
        *self->out = self->a + self->b;
    }
    FLOW_END;
}

static void fibonacci_batch(bench_run *run)
{
    uint64_t result = 0;
    bench_start(run);
    (void)FLOW_RUN((flow_world *)run->state, fibonacci, .out = &result, .n = run->n);
    flush(run->state);
    bench_stop(run);
    bench_require(result == BENCH_FIBONACCI_20, "the wrong number");
    run->items = 1;
}

#define IN(suite, scenario, n, begin, batch, end)                                                  \
    {                                                                                              \
        suite, scenario, "flow", n, begin, batch, end                                              \
    }
#define WORLD(suite, scenario, n, batch) IN(suite, scenario, n, empty_world_begin, batch, world_end)
static const bench_case cases[] = {
    IN("runtime_async", "ready", 1, ready_begin, awaits_batch, awaiting_end),
    IN("runtime_async", "completed_source", 1, completed_begin, awaits_batch, awaiting_end),
    WORLD("runtime_async", "completion_source", 1, completion_batch),
    WORLD("runtime_async", "fibonacci", 20, fibonacci_batch),
    WORLD("slimtask", "use", 1, uses_batch),
    WORLD("slimtask", "compute", 1, computes_batch),
    WORLD("onity", "completion_source", 1, completion_batch),
    WORLD("onity", "completion_source", 4, completion_batch),
};
const bench_cases bench_flow_runtime = BENCH_CASES(cases);
