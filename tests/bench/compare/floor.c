/* SPDX-License-Identifier: MIT */
/* The floor: an indirect call per item over an array, a hand-written protothread, and plain calls.
 */
#include "bench.h"

#include <stdlib.h>

struct item {
    void (*fn)(struct item *item);
    uint64_t count;
    uint32_t at;
    char fill[44];
};

BENCH_APART static void item_count(struct item *item)
{
    item->count++;
}

/* A protothread: the place to go on is kept by hand. */
BENCH_APART static void item_resume(struct item *item)
{
    switch (item->at) {
    case 0:
        item->count = 0;
        for (;;) {
            item->count++;
            item->at = 1;
            return;
        case 1:;
        }
    default:
        break;
    }
}

static void items_begin(bench_run *run, void (*fn)(struct item *item))
{
    struct item *items = aligned_alloc(64, run->n * sizeof *items);
    bench_require(items != NULL, "no memory for items");
    for (uint32_t i = 0; i < run->n; i++) {
        items[i] = (struct item){.fn = fn};
    }
    run->state = items;
}

static void floor_begin(bench_run *run)
{
    items_begin(run, item_count);
}

static void protothread_begin(bench_run *run)
{
    items_begin(run, item_resume);
}

BENCH_APART static void items_batch(bench_run *run)
{
    struct item *items = run->state;
    uint32_t rounds = 4 * bench_rounds(run->n);
    uint64_t before = items[0].count;
    bench_start(run);
    for (uint32_t round = 0; round < rounds; round++) {
        for (uint32_t i = 0; i < run->n; i++) {
            items[i].fn(&items[i]);
        }
    }
    bench_stop(run);
    bench_require(items[0].count == before + rounds, "an item was not called");
    run->items = run->n * rounds;
}

static void items_end(bench_run *run)
{
    free(run->state);
}

/* ---- start, call once, end: items from a pool ---- */

typedef struct pool {
    struct item *items, *queue[4096];
    struct item *free; /* linked by fn */
} pool;

static void pool_give(pool *p, struct item *item)
{
    union {
        struct item *item;
        void (*fn)(struct item *);
    } link = {p->free};
    item->fn = link.fn;
    p->free = item;
}

static struct item *pool_take(pool *p)
{
    union {
        void (*fn)(struct item *);
        struct item *item;
    } link = {p->free->fn};
    struct item *item = p->free;
    p->free = link.item;
    return item;
}

static void pool_begin(bench_run *run)
{
    pool *p = malloc(sizeof *p);
    bench_require(p != NULL && run->n <= 4096, "no memory for a pool");
    p->items = aligned_alloc(64, run->n * sizeof *p->items);
    bench_require(p->items != NULL, "no memory for items");
    p->free = NULL;
    for (uint32_t i = run->n; i-- > 0;) {
        pool_give(p, &p->items[i]);
    }
    run->state = p;
}

BENCH_APART static void pool_batch(bench_run *run)
{
    pool *p = run->state;
    uint64_t ended = 0;
    bench_start(run);
    for (uint32_t i = 0; i < run->n; i++) {
        struct item *item = pool_take(p);
        *item = (struct item){.fn = item_resume};
        item->fn(item);
        p->queue[i] = item;
    }
    for (uint32_t i = 0; i < run->n; i++) {
        struct item *item = p->queue[i];
        item->fn(item);
        ended += item->count == 2;
        pool_give(p, item);
    }
    bench_stop(run);
    bench_require(ended == run->n, "an item was not called twice");
}

static void pool_end(bench_run *run)
{
    pool *p = run->state;
    free(p->items);
    free(p);
}

/* ---- plain calls ---- */

/* Into memory, as what awaits keeps it there. */
BENCH_APART static void calls(uint32_t rounds, uint64_t *sum)
{
    for (uint32_t i = 0; i < rounds; i++) {
        *sum = bench_plain_call(*sum, i);
    }
}

static void calls_batch(bench_run *run)
{
    uint64_t sum = 0;
    run->items = BENCH_CALLS;
    bench_start(run);
    calls(run->items, &sum);
    bench_stop(run);
    bench_use(sum);
}

static uint64_t fibonacci(uint64_t n);

/* Called through a pointer that the compiler cannot see through, so that each level is a call. */
static uint64_t (*volatile fibonacci_call)(uint64_t n) = fibonacci;

static uint64_t fibonacci(uint64_t n)
{
    return n < 2 ? n : fibonacci_call(n - 1) + fibonacci_call(n - 2);
}

static void fibonacci_batch(bench_run *run)
{
    bench_start(run);
    uint64_t result = fibonacci(run->n);
    bench_stop(run);
    bench_require(result == BENCH_FIBONACCI_20, "the wrong number");
    run->items = 1;
}

static uint64_t deep(uint64_t sum, uint32_t calls);
static uint64_t (*volatile deep_call)(uint64_t sum, uint32_t calls) = deep;

static uint64_t deep(uint64_t sum, uint32_t calls)
{
    return (calls > 1 ? deep_call(sum, calls - 1) : sum) + 1;
}

static void deep_batch(bench_run *run)
{
    uint64_t sum = 0;
    run->items = bench_rounds(run->n);
    bench_start(run);
    for (uint32_t i = 0; i < run->items; i++) {
        sum = deep_call(sum, run->n);
    }
    bench_stop(run);
    bench_require(sum == (uint64_t)run->items * run->n, "a call is missing");
}

static const bench_case cases[] = {
    {"flowtask", "sync_chain", "plain C", 1, NULL, deep_batch, NULL},
    {"flowtask", "sync_chain", "plain C", 10, NULL, deep_batch, NULL},
    {"flowtask", "sync_chain", "plain C", 100, NULL, deep_batch, NULL},
    {"scale", "resume_one", "floor", 128, floor_begin, items_batch, items_end},
    {"scale", "resume_one", "floor", 4096, floor_begin, items_batch, items_end},
    {"scale", "resume_one", "floor", 100000, floor_begin, items_batch, items_end},
    {"scale", "resume_one", "floor", 1000000, floor_begin, items_batch, items_end},
    {"scale", "resume_one", "protothread", 4096, protothread_begin, items_batch, items_end},
    {"onity", "lifecycle_1", "protothread", 4096, pool_begin, pool_batch, pool_end},
    {"runtime_async", "baseline", "plain C", 1, NULL, calls_batch, NULL},
    {"runtime_async", "call", "plain C", 1, NULL, calls_batch, NULL},
    {"runtime_async", "ready", "plain C", 1, NULL, calls_batch, NULL},
    {"runtime_async", "completed_source", "plain C", 1, NULL, calls_batch, NULL},
    {"slimtask", "use", "plain C", 1, NULL, calls_batch, NULL},
    {"runtime_async", "fibonacci", "plain C", 20, NULL, fibonacci_batch, NULL},
};
const bench_cases bench_floor = BENCH_CASES(cases);
