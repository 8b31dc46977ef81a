/* SPDX-License-Identifier: MIT */
/*
 * Comparing flow with its peers: what a case is and how it is measured.
 *
 * A case is one implementation of one scenario at one size. The runner (runner.c) measures all
 * cases of a scenario in one process, in alternating order: two batches to warm up, then the
 * repetitions, each right after one that does not count. A batch does its own preparations,
 * brackets what counts with bench_start and bench_stop, as often as it likes, and checks that
 * everything was done before it hands its result on with bench_use.
 */
#ifndef BENCH_H
#define BENCH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bench_run {
    uint32_t n;           /* the case's size */
    uint32_t items;       /* what a batch is divided by; n unless the batch sets it */
    void *state;          /* the case's own */
    double ns;            /* of the current batch */
    uint64_t allocations; /* of the current batch */
    double bytes;         /* per item, where the case tells; else negative */
    double started_ns;
    uint64_t started_allocations;
} bench_run;

typedef struct bench_case {
    const char *suite, *scenario, *implementation;
    uint32_t n;
    void (*begin)(bench_run *run); /* may be null */
    void (*batch)(bench_run *run);
    void (*end)(bench_run *run); /* may be null */
} bench_case;

typedef struct bench_cases {
    const bench_case *first;
    size_t count;
} bench_cases;

#define BENCH_CASES(list)                                                                          \
    {                                                                                              \
        (list), sizeof(list) / sizeof *(list)                                                      \
    }

#ifdef __cplusplus
#define BENCH_EXTERN_C extern "C"
#else
#define BENCH_EXTERN_C
#endif
#define BENCH_PEER(list)                                                                           \
    BENCH_EXTERN_C __attribute__((visibility("default"))) bench_cases bench_peer(void);            \
    bench_cases bench_peer(void)                                                                   \
    {                                                                                              \
        bench_cases cases_of_peer = BENCH_CASES(list);                                             \
        return cases_of_peer;                                                                      \
    }

enum {
    BENCH_CALLS = 16384,   /* items of a batch of calls: a constant, so that no loop asks for it */
    BENCH_DEEP_FLOWS = 64, /* how many flows a scenario of call depth has */
    BENCH_FIBONACCI_20 = 6765 /* what fibonacci of 20 is */
};

void bench_start(bench_run *run);
void bench_stop(bench_run *run);

/* The clock of the measurements, for what wants one of its own. */
uint64_t bench_clock(void *user);

/* What the optimiser cannot know to be unused. */
void bench_use(uint64_t result);

/* Ends the program with the text. */
__attribute__((noreturn, cold)) void bench_fail(const char *what);

/* Ends it when something was not done. */
static inline void bench_require(int holds, const char *what)
{
    if (!holds) {
        bench_fail(what);
    }
}

/* The same numbers in every implementation: a permutation of 0 .. n-1. */
void bench_shuffle(uint32_t *order, uint32_t n);

/* alloc.c: calls of malloc and its kin so far, and bytes asked for; 0 where they cannot be counted.
 */
uint64_t bench_allocations(void);
uint64_t bench_allocated_bytes(void);

/* How often a batch repeats n items so that the clock can tell it: about BENCH_CALLS in all. */
uint32_t bench_rounds(uint32_t n);

/* The lists of the program itself, one a file. A peer is a shared object with one of its own,
 * defined by BENCH_PEER. */
extern const bench_cases bench_floor, bench_flow_core, bench_flow_cancel, bench_flow_compose,
    bench_flow_sets, bench_flow_onity, bench_flow_runtime, bench_flow_scale, bench_threads,
    bench_elements;

/* A call that does about three cycles of work and is never inlined. */
uint64_t bench_plain_call(uint64_t a, uint64_t b);

#ifdef __cplusplus
}
#endif

#if defined(__GNUC__) || defined(__clang__)
#define BENCH_APART __attribute__((noinline, aligned(64)))
#else
#define BENCH_APART
#endif

#endif
