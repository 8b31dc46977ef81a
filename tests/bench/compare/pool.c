/* SPDX-License-Identifier: MIT */
/* Threads for the bench: see pool.h. */
#define _POSIX_C_SOURCE 200809L
#include "pool.h"

#include <stdlib.h>
#include <unistd.h>

int pool_submit(void *user, flow_work *work)
{
    bench_pool *p = user;
    work->next = NULL;
    (void)pthread_mutex_lock(&p->lock);
    *(p->first != NULL ? &p->last->next : &p->first) = work;
    p->last = work;
    p->submitted++;
    (void)pthread_mutex_unlock(&p->lock);
    if (!p->held) {
        (void)sem_post(&p->there_is_work);
    }
    return 0;
}

void pool_await(bench_pool *p, uint32_t pieces)
{
    while (pieces-- > 0) {
        (void)sem_wait(&p->there_is_news);
    }
}

void pool_release(bench_pool *p)
{
    for (uint32_t i = 0; i < p->submitted; i++) {
        (void)sem_post(&p->there_is_work);
    }
    pool_await(p, p->submitted);
    p->submitted = 0;
}

/* Works until it wakes and there is nothing to do. */
static void *works(void *user)
{
    bench_pool *p = user;
    for (;;) {
        (void)sem_wait(&p->there_is_work);
        (void)pthread_mutex_lock(&p->lock);
        flow_work *work = p->first;
        p->first = work != NULL ? work->next : NULL;
        (void)pthread_mutex_unlock(&p->lock);
        if (work == NULL) {
            return NULL;
        }
        work->run(work, 0);
        (void)sem_post(&p->there_is_news);
    }
}

bench_pool *pool_begin(bench_run *run, uint32_t threads, int with_world)
{
    bench_pool *p = calloc(1, sizeof *p);
    bench_require(p != NULL, "no memory for a pool");
    p->threads = threads;
    p->executor = (flow_executor){.submit = pool_submit, .user = p, .parallelism = threads};
    bench_require(pthread_mutex_init(&p->lock, NULL) == 0 &&
                      sem_init(&p->there_is_work, 0, 0) == 0 &&
                      sem_init(&p->there_is_news, 0, 0) == 0,
                  "a pool cannot be made");
    for (uint32_t i = 0; i < threads; i++) {
        bench_require(pthread_create(&p->thread[i], NULL, works, p) == 0, "no worker");
    }
    if (with_world) {
        p->world = flow_world_create(&(flow_world_desc){.inbox_capacity = 8192});
        bench_require(p->world != NULL, "no memory for a world");
    }
    run->state = p;
    return p;
}

void pool_end(bench_run *run)
{
    bench_pool *p = run->state;
    if (p->world != NULL) {
        bench_require(flow_world_destroy(p->world) == FLOW_OK, "a flow has failed");
    }
    for (uint32_t i = 0; i < p->threads; i++) {
        (void)sem_post(&p->there_is_work);
    }
    for (uint32_t i = 0; i < p->threads; i++) {
        (void)pthread_join(p->thread[i], NULL);
    }
    (void)sem_destroy(&p->there_is_work);
    (void)sem_destroy(&p->there_is_news);
    (void)pthread_mutex_destroy(&p->lock);
    free(p);
}

uint32_t pool_parallelism(void)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors < 1                   ? 1
           : processors > POOL_MOST_THREADS ? POOL_MOST_THREADS
                                            : (uint32_t)processors;
}
