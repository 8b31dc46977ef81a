/* SPDX-License-Identifier: MIT */
/*
 * 65,536 elements: one loop on this thread, and the same loop as one await over the workers of this
 * machine; each written element by element, and four at a time.
 */
#include "pool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ELEMENTS = 65536, LANES = 4, PASSES = 8 };

/* Particles that are pulled to the origin and slowed down: from one array into another, so that
 * every pass does the same. */
typedef struct elements {
    _Alignas(64) float from[ELEMENTS];
    _Alignas(64) float to[ELEMENTS];
    bench_pool *pool;
} elements;

typedef float lanes __attribute__((vector_size(LANES * sizeof(float))));

/* Compilers are kept from making one of the other. */
#if defined(__clang__)
#define ELEMENT_BY_ELEMENT _Pragma("clang loop vectorize(disable) interleave(disable)")
#define NOT_VECTORIZED
#else
#define ELEMENT_BY_ELEMENT
#define NOT_VECTORIZED __attribute__((optimize("no-tree-vectorize")))
#endif

BENCH_APART NOT_VECTORIZED static void some_scalar(void *arg, size_t begin, size_t end)
{
    elements *e = arg;
    ELEMENT_BY_ELEMENT
    for (size_t i = begin; i < end; i++) {
        float x = e->from[i];
        float pull = x / (1.0F + x * x);
        e->to[i] = (x - pull * 0.016F) * 0.98F + pull * pull * 0.001F;
    }
}

BENCH_APART static void some_simd(void *arg, size_t begin, size_t end)
{
    elements *e = arg;
    for (size_t i = begin; i < end; i += LANES) {
        lanes x;
        memcpy(&x, &e->from[i], sizeof x);
        lanes pull = x / (1.0F + x * x);
        lanes to = (x - pull * 0.016F) * 0.98F + pull * pull * 0.001F;
        memcpy(&e->to[i], &to, sizeof to);
    }
}

static elements *elements_begin(bench_run *run)
{
    elements *e = aligned_alloc(64, sizeof *e + (64 - sizeof *e % 64) % 64);
    bench_require(e != NULL, "no memory for elements");
    for (size_t i = 0; i < ELEMENTS; i++) {
        e->from[i] = (float)(i % 1000) * 0.01F - 5.0F;
    }
    run->state = e;
    return e;
}

static void clear(elements *e)
{
    memset(e->to, 0, sizeof e->to);
}

/* Every element was done, with what plain C makes of it. */
static void check(const elements *e)
{
    for (size_t i = 0; i < ELEMENTS; i++) {
        float x = e->from[i], pull = x / (1.0F + x * x);
        float to = (x - pull * 0.016F) * 0.98F + pull * pull * 0.001F;
        bench_require(fabsf(e->to[i] - to) <= 1e-5F, "an element is wrong");
    }
}

/* ---- on this thread ---- */

static void serial(bench_run *run, flow_range_fn fn)
{
    elements *e = run->state;
    clear(e);
    bench_start(run);
    for (int pass = 0; pass < PASSES; pass++) {
        fn(e, 0, ELEMENTS);
    }
    bench_stop(run);
    run->items = PASSES * ELEMENTS;
    check(e);
}

static void serial_begin(bench_run *run)
{
    (void)elements_begin(run);
}

static void serial_end(bench_run *run)
{
    free(run->state);
}

static void serial_scalar_batch(bench_run *run)
{
    serial(run, some_scalar);
}

static void serial_simd_batch(bench_run *run)
{
    serial(run, some_simd);
}

/* ---- on the workers ---- */

struct passes {
    flow_frame base;
    elements *elements;
    flow_range_fn fn;
    int left;
};

FLOW_STATIC(passes)
{
    FLOW_BEGIN;
    for (; self->left > 0; self->left--) {
        FLOW_AWAIT(flow_parallel_for(&self->elements->pool->executor, ELEMENTS, 0, self->fn,
                                     self->elements));
    }
    self->elements->pool->done++;
    FLOW_END;
}

static void parallel(bench_run *run, flow_range_fn fn)
{
    elements *e = run->state;
    bench_pool *p = e->pool;
    uint64_t goal = p->done + 1;
    clear(e);
    bench_start(run);
    (void)FLOW_RUN(p->world, passes, .elements = e, .fn = fn, .left = PASSES);
    while (p->done != goal) {
        pool_await(p, 1);
        bench_require(flow_world_begin_frame(p->world, 0.0) == FLOW_OK, "a failure");
        flush(p->world);
    }
    bench_stop(run);
    run->items = PASSES * ELEMENTS;
    check(e);
}

static void parallel_begin(bench_run *run)
{
    bench_pool *p = pool_begin(run, pool_parallelism(), 1);
    elements_begin(run)->pool = p;
}

static void parallel_end(bench_run *run)
{
    elements *e = run->state;
    run->state = e->pool;
    pool_end(run);
    free(e);
}

static void parallel_scalar_batch(bench_run *run)
{
    parallel(run, some_scalar);
}

static void parallel_simd_batch(bench_run *run)
{
    parallel(run, some_simd);
}

static const bench_case cases[] = {
    {"onity", "elements", "plain C", ELEMENTS, serial_begin, serial_scalar_batch, serial_end},
    {"onity", "elements", "flow", ELEMENTS, parallel_begin, parallel_scalar_batch, parallel_end},
    {"onity", "elements_simd", "plain C", ELEMENTS, serial_begin, serial_simd_batch, serial_end},
    {"onity", "elements_simd", "flow", ELEMENTS, parallel_begin, parallel_simd_batch, parallel_end},
};
const bench_cases bench_elements = BENCH_CASES(cases);
