/* SPDX-License-Identifier: MIT */
/* A hop to a worker and back: flow's, and what is under it alone, a queue with a semaphore there
 * and a locked list back. */
#define _POSIX_C_SOURCE 200809L
#include "flow_bench_world.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { HOPS = 512 };

typedef struct worker {
    pthread_t thread;
    pthread_mutex_t lock;
    sem_t there_is_work;
    flow_work *first, *last;
    flow_executor executor;
    flow_world *world; /* of the flow case */
    uint64_t done;
} worker;

static int submit(void *user, flow_work *work)
{
    worker *w = user;
    work->next = NULL;
    (void)pthread_mutex_lock(&w->lock);
    *(w->first != NULL ? &w->last->next : &w->first) = work;
    w->last = work;
    (void)pthread_mutex_unlock(&w->lock);
    (void)sem_post(&w->there_is_work);
    return 0;
}

/* Works until it wakes and there is nothing to do. */
static void *works(void *user)
{
    worker *w = user;
    for (;;) {
        (void)sem_wait(&w->there_is_work);
        (void)pthread_mutex_lock(&w->lock);
        flow_work *work = w->first;
        w->first = work != NULL ? work->next : NULL;
        (void)pthread_mutex_unlock(&w->lock);
        if (work == NULL) {
            return NULL;
        }
        work->run(work, 0);
    }
}

static worker *worker_begin(bench_run *run)
{
    worker *w = calloc(1, sizeof *w);
    bench_require(w != NULL, "no memory for a worker");
    w->executor = (flow_executor){.submit = submit, .user = w, .parallelism = 1};
    (void)pthread_mutex_init(&w->lock, NULL);
    bench_require(sem_init(&w->there_is_work, 0, 0) == 0 &&
                      pthread_create(&w->thread, NULL, works, w) == 0,
                  "a worker cannot be made");
    run->state = w;
    return w;
}

static void worker_end(bench_run *run)
{
    worker *w = run->state;
    if (w->world != NULL) {
        bench_require(flow_world_destroy(w->world) == FLOW_OK, "a flow has failed");
    }
    (void)sem_post(&w->there_is_work);
    (void)pthread_join(w->thread, NULL);
    (void)sem_destroy(&w->there_is_work);
    (void)pthread_mutex_destroy(&w->lock);
    free(w);
}

/* ---- flow ---- */

static int nothing(flow_job *job, void *data)
{
    (void)job;
    ++*(uint64_t *)data;
    return 0;
}

struct hops {
    flow_frame base;
    worker *worker;
    uint64_t data;
    uint32_t left;
};

FLOW_STATIC(hops)
{
    FLOW_BEGIN;
    for (; self->left > 0; self->left--) {
        FLOW_AWAIT(flow_run_on(&self->worker->executor, nothing, &self->data));
        self->worker->done++;
    }
    FLOW_END;
}

static void flow_begin(bench_run *run)
{
    worker *w = worker_begin(run);
    w->world = flow_world_create(NULL);
    bench_require(w->world != NULL, "no memory for a world");
}

static void flow_batch(bench_run *run)
{
    worker *w = run->state;
    uint64_t goal = w->done + HOPS;
    run->items = HOPS;
    bench_start(run);
    (void)FLOW_RUN(w->world, hops, .worker = w, .left = HOPS);
    while (w->done != goal) {
        bench_require(flow_world_begin_frame(w->world, 0.0) == FLOW_OK, "a failure");
        flush(w->world);
    }
    bench_stop(run);
}

/* ---- the floor ---- */

typedef struct bare {
    flow_work work;
    worker *worker;
    int *back; /* under the worker's lock */
} bare;

static void bare_run(flow_work *work, int dropped)
{
    bare *b = (bare *)(void *)work;
    (void)dropped;
    (void)pthread_mutex_lock(&b->worker->lock);
    *b->back = 1;
    (void)pthread_mutex_unlock(&b->worker->lock);
}

static void bare_batch(bench_run *run)
{
    worker *w = run->state;
    run->items = HOPS;
    bench_start(run);
    for (uint32_t i = 0; i < HOPS; i++) {
        int back = 0, seen = 0;
        bare b = {.work = {.run = bare_run}, .worker = w, .back = &back};
        (void)submit(w, &b.work);
        while (!seen) {
            (void)pthread_mutex_lock(&w->lock);
            seen = back;
            (void)pthread_mutex_unlock(&w->lock);
        }
        w->done++;
    }
    bench_stop(run);
}

static void bare_begin(bench_run *run)
{
    (void)worker_begin(run);
}

static const bench_case cases[] = {
    {"onity", "worker", "floor", 1, bare_begin, bare_batch, worker_end},
    {"onity", "worker", "flow", 1, flow_begin, flow_batch, worker_end},
};
const bench_cases bench_worker = BENCH_CASES(cases);
