/* SPDX-License-Identifier: MIT */
/*
 * The runner: measures every scenario and writes a line a case.
 *
 *     compare [--suite NAME] [--scenario NAME] [--repetitions N] [--label COMPILER]
 *             [--samples FILE] [--peer FILE]...
 *
 * A peer is a shared object: Lua and LuaJIT, which have the same names, each keep their own.
 * Output: suite,scenario,n,implementation,compiler,ns_min,ns_median,bytes,allocations. Bytes and
 * allocations read n/a where they are not known. --samples takes every repetition too.
 */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    WARM_UP = 2,
    LARGEST_IN_CACHES = 65536,
    MOST_REPETITIONS = 101,
    MOST_CASES = 512,
    MOST_PER_SCENARIO = 16,
    MOST_PEERS = 8
};

static const bench_cases *const own_lists[] = {
    &bench_floor,     &bench_flow_core,  &bench_flow_cancel,  &bench_flow_compose,
    &bench_flow_sets, &bench_flow_onity, &bench_flow_runtime, &bench_flow_scale,
    &bench_threads,   &bench_elements};

static const bench_case *cases[MOST_CASES];
static size_t case_count;
static int counts_allocations;

static struct {
    const char *suite, *scenario, *label, *samples, *peer[MOST_PEERS];
    int repetitions, peers;
    uint32_t most;
} options = {.label = "cc", .repetitions = 9, .most = UINT32_MAX};

/* ---- what the cases use ---- */

static double now_ns(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

uint64_t bench_clock(void *user)
{
    (void)user;
    return (uint64_t)now_ns();
}

void bench_start(bench_run *run)
{
    run->started_allocations = bench_allocations();
    run->started_ns = now_ns();
}

void bench_stop(bench_run *run)
{
    run->ns += now_ns() - run->started_ns;
    run->allocations += bench_allocations() - run->started_allocations;
}

void bench_use(uint64_t result)
{
    static volatile uint64_t sink;
    sink = sink + result;
}

void bench_fail(const char *what)
{
    (void)fprintf(stderr, "compare: %s\n", what);
    exit(1);
}

BENCH_APART uint64_t bench_plain_call(uint64_t a, uint64_t b)
{
    return ((a ^ b) + (a << 1)) ^ (b >> 1); /* three that need one another */
}

uint32_t bench_rounds(uint32_t n)
{
    return n < BENCH_CALLS ? BENCH_CALLS / n : 1;
}

void bench_shuffle(uint32_t *order, uint32_t n)
{
    uint64_t random = 88172645463325252u;
    for (uint32_t i = 0; i < n; i++) {
        order[i] = i;
    }
    for (uint32_t i = n; i-- > 1;) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        uint32_t other = (uint32_t)(random % (i + 1)), kept = order[i];
        order[i] = order[other];
        order[other] = kept;
    }
}

/* ---- one scenario ---- */

typedef struct measured {
    const bench_case *what;
    bench_run run;
    double sample[MOST_REPETITIONS];
    uint64_t allocations; /* the most of a repetition */
} measured;

static void batch_once(measured *m)
{
    m->run.ns = 0.0;
    m->run.allocations = 0;
    m->run.items = m->run.n;
    m->what->batch(&m->run);
}

/* Each batch has one before it that does not count: the other cases have been at the caches, and
 * what their eviction costs is not what a scenario asks. What is larger than any cache goes
 * without.
 */
static void batch(measured *m, int repetition)
{
    if (m->run.n <= LARGEST_IN_CACHES) {
        batch_once(m);
    }
    batch_once(m);
    if (repetition >= 0) {
        m->sample[repetition] = m->run.ns / m->run.items;
        m->allocations = m->run.allocations > m->allocations ? m->run.allocations : m->allocations;
    }
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void tell(measured *m, FILE *samples)
{
    const bench_case *c = m->what;
    if (samples != NULL) {
        for (int i = 0; i < options.repetitions; i++) {
            (void)fprintf(samples, "%s,%s,%u,%s,%s,%d,%.3f\n", c->suite, c->scenario, c->n,
                          c->implementation, options.label, i, m->sample[i]);
        }
    }
    qsort(m->sample, (size_t)options.repetitions, sizeof m->sample[0], by_value);
    (void)printf("%s,%s,%u,%s,%s,%.3f,%.3f,", c->suite, c->scenario, c->n, c->implementation,
                 options.label, m->sample[0], m->sample[options.repetitions / 2]);
    if (m->run.bytes >= 0.0) {
        (void)printf("%.1f,", m->run.bytes);
    } else {
        (void)printf("n/a,");
    }
    if (counts_allocations) {
        (void)printf("%llu\n", (unsigned long long)m->allocations);
    } else {
        (void)printf("n/a\n");
    }
    (void)fflush(stdout);
}

static void scenario_run(measured *all, int count, FILE *samples)
{
    for (int i = 0; i < count; i++) {
        all[i].run = (bench_run){.n = all[i].what->n, .bytes = -1.0};
        if (all[i].what->begin != NULL) {
            all[i].what->begin(&all[i].run);
        }
    }
    for (int repetition = -WARM_UP; repetition < options.repetitions; repetition++) {
        for (int i = 0; i < count; i++) {
            batch(&all[repetition & 1 ? count - 1 - i : i], repetition);
        }
    }
    for (int i = 0; i < count; i++) {
        if (all[i].what->end != NULL) {
            all[i].what->end(&all[i].run);
        }
        tell(&all[i], samples);
    }
}

static int same_scenario(const bench_case *a, const bench_case *b)
{
    return strcmp(a->suite, b->suite) == 0 && strcmp(a->scenario, b->scenario) == 0 && a->n == b->n;
}

/* ---- all of them ---- */

static void list_collect(const bench_cases *list)
{
    for (size_t k = 0; k < list->count; k++) {
        const bench_case *c = &list->first[k];
        if ((options.suite == NULL || strcmp(options.suite, c->suite) == 0) &&
            (options.scenario == NULL || strcmp(options.scenario, c->scenario) == 0) &&
            c->n <= options.most) {
            bench_require(case_count < MOST_CASES, "too many cases");
            cases[case_count++] = c;
        }
    }
}

static void peer_collect(const char *file)
{
    void *peer = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    bench_require(peer != NULL, "a peer cannot be opened");
    union {
        void *object;
        bench_cases (*function)(void);
    } found = {dlsym(peer, "bench_peer")};
    bench_require(found.object != NULL, "a peer has no bench_peer");
    bench_cases list = found.function();
    list_collect(&list);
}

static void cases_collect(void)
{
    for (size_t i = 0; i < sizeof own_lists / sizeof *own_lists; i++) {
        list_collect(own_lists[i]);
    }
    for (int i = 0; i < options.peers; i++) {
        peer_collect(options.peer[i]);
    }
}

static void cases_run(FILE *samples)
{
    static measured all[MOST_PER_SCENARIO];
    for (size_t i = 0; i < case_count; i++) {
        int count = 0;
        if (cases[i] == NULL) {
            continue;
        }
        const bench_case *first = cases[i];
        for (size_t k = i; k < case_count; k++) {
            if (cases[k] != NULL && same_scenario(first, cases[k])) {
                bench_require(count < MOST_PER_SCENARIO, "too many cases of one scenario");
                all[count++] = (measured){.what = cases[k]};
                cases[k] = NULL;
            }
        }
        scenario_run(all, count, samples);
    }
}

/* The counter must see 64 KiB that are asked for, and nothing where nothing is. */
static int counter_works(void)
{
    bench_run empty = {0}, one = {0};
    bench_start(&empty);
    bench_stop(&empty);
    uint64_t bytes = bench_allocated_bytes();
    bench_start(&one);
    void *volatile block = malloc(65536);
    bench_stop(&one);
    free(block);
    return empty.allocations == 0 && one.allocations == 1 &&
           bench_allocated_bytes() - bytes == 65536;
}

static void options_read(int argc, char **argv)
{
    for (int i = 1; i < argc; i += 2) {
        bench_require(i + 1 < argc, "an option has no value");
        if (strcmp(argv[i], "--suite") == 0) {
            options.suite = argv[i + 1];
        } else if (strcmp(argv[i], "--scenario") == 0) {
            options.scenario = argv[i + 1];
        } else if (strcmp(argv[i], "--label") == 0) {
            options.label = argv[i + 1];
        } else if (strcmp(argv[i], "--samples") == 0) {
            options.samples = argv[i + 1];
        } else if (strcmp(argv[i], "--most") == 0) {
            options.most = (uint32_t)strtoul(argv[i + 1], NULL, 10);
        } else if (strcmp(argv[i], "--peer") == 0) {
            bench_require(options.peers < MOST_PEERS, "too many peers");
            options.peer[options.peers++] = argv[i + 1];
        } else if (strcmp(argv[i], "--repetitions") == 0) {
            options.repetitions = atoi(argv[i + 1]);
            bench_require(options.repetitions >= 1 && options.repetitions <= MOST_REPETITIONS,
                          "--repetitions takes 1 to 101");
        } else {
            bench_require(0, "unknown option");
        }
    }
}

int main(int argc, char **argv)
{
    options_read(argc, argv);
    counts_allocations = counter_works();
    FILE *samples = options.samples != NULL ? fopen(options.samples, "w") : NULL;
    bench_require(options.samples == NULL || samples != NULL, "the samples file cannot be written");
    cases_collect();
    bench_require(case_count > 0, "no such suite");
    cases_run(samples);
    if (samples != NULL) {
        bench_require(fclose(samples) == 0, "the samples could not be written");
    }
    return 0;
}
