/* SPDX-License-Identifier: MIT */
/*
 * Threads for the bench: a locked queue with a semaphore that workers wait at, and a semaphore that
 * tells the one who gave the work of each end. Both sides sleep where they wait, so that a hop is
 * the same hop each time: with a side that polls, a worker fell asleep in some runs and not in
 * others, and two runs differed tenfold.
 */
#ifndef BENCH_POOL_H
#define BENCH_POOL_H

#include "flow_bench_world.h"

#include <pthread.h>
#include <semaphore.h>

enum { POOL_MOST_THREADS = 4 };

typedef struct bench_pool {
    pthread_t thread[POOL_MOST_THREADS];
    uint32_t threads;
    pthread_mutex_t lock;
    sem_t there_is_work, there_is_news;
    flow_work *first, *last;
    uint32_t submitted;
    int held; /* work stays in the queue until pool_release */
    flow_executor executor;
    flow_world *world; /* of a flow case */
    void *data;        /* the case's own */
    uint64_t done;
} bench_pool;

/* A pool of so many threads as the case's state; with a world where that is asked for. */
bench_pool *pool_begin(bench_run *run, uint32_t threads, int with_world);
void pool_end(bench_run *run);

/* Gives work, as the pool's executor does. */
int pool_submit(void *user, flow_work *work);

/* Lets the workers at what was held, and sleeps until all of it is done. */
void pool_release(bench_pool *pool);

/* Sleeps until so many pieces of work have been done. */
void pool_await(bench_pool *pool, uint32_t pieces);

/* How many workers this machine can have at work, up to POOL_MOST_THREADS. */
uint32_t pool_parallelism(void);

#endif
