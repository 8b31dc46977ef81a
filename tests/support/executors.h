/* SPDX-License-Identifier: MIT */
/*
 * Executors for tests. `hand` does nothing by itself: the test says when the next piece of work is
 * done, and it is done on a thread of its own, so that the order is the test's. `pool` is a few
 * threads that do what comes.
 */
#ifndef TESTS_EXECUTORS_H
#define TESTS_EXECUTORS_H

#include "threads.h"

#include <poll.h>

/* ---- by hand ---- */

struct hand {
    flow_executor executor;
    flow_work *first, *last;
    int count;  /* pieces of work that it has now */
    int closed; /* takes none any more */
    int slept;
    void (*while_asleep)(struct hand *hand);
};

static inline int hand_submit(void *user, flow_work *work)
{
    struct hand *hand = user;
    if (hand->closed) {
        return 1;
    }
    work->next = NULL;
    *(hand->last ? &hand->last->next : &hand->first) = work;
    hand->last = work;
    hand->count++;
    return 0;
}

static inline void hand_sleep(void *user, double seconds)
{
    struct hand *hand = user;
    assert_true(seconds > 0.0);
    hand->slept++;
    if (hand->while_asleep != NULL) {
        hand->while_asleep(hand);
    }
}

static inline void hand_begin(struct hand *hand, uint32_t parallelism)
{
    *hand = (struct hand){.executor = {hand_submit, hand_sleep, hand, parallelism}};
}

static inline flow_work *hand_take(struct hand *hand)
{
    flow_work *work = hand->first;
    assert_non_null(work);
    hand->first = work->next;
    hand->last = hand->first ? hand->last : NULL;
    hand->count--;
    return work;
}

static inline void hand_run(void *work)
{
    flow_work *w = work;
    w->run(w, 0);
}

/* Does the oldest piece of work on another thread, and waits until it is done. */
static inline void hand_do(struct hand *hand)
{
    test_on_thread(hand_run, hand_take(hand));
}

static inline void hand_do_all(struct hand *hand)
{
    while (hand->count != 0) {
        hand_do(hand);
    }
}

/* Says of the oldest piece of work that it will never be done. */
static inline void hand_drop(struct hand *hand)
{
    flow_work *work = hand_take(hand);
    work->run(work, 1);
}

/* ---- threads ---- */

enum { POOL_MOST = 8 };

struct pool {
    flow_executor executor;
    pthread_mutex_t lock;
    pthread_cond_t more;
    flow_work *first, *last;
    test_thread threads[POOL_MOST];
    int count, closed;
};

static inline int pool_submit(void *user, flow_work *work)
{
    struct pool *pool = user;
    pthread_mutex_lock(&pool->lock);
    int closed = pool->closed;
    if (!closed) {
        work->next = NULL;
        *(pool->last ? &pool->last->next : &pool->first) = work;
        pool->last = work;
        pthread_cond_signal(&pool->more);
    }
    pthread_mutex_unlock(&pool->lock);
    return closed;
}

static inline void pool_sleep(void *user, double seconds)
{
    (void)user;
    (void)poll(NULL, 0, (int)(seconds * 1000.0 + 0.5));
}

static inline void pool_main(void *arg)
{
    struct pool *pool = arg;
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        flow_work *work = pool->first;
        if (work != NULL) {
            pool->first = work->next;
            pool->last = pool->first ? pool->last : NULL;
            int dropped = pool->closed;
            pthread_mutex_unlock(&pool->lock);
            work->run(work, dropped);
            pthread_mutex_lock(&pool->lock);
        } else if (pool->closed) {
            break;
        } else {
            pthread_cond_wait(&pool->more, &pool->lock);
        }
    }
    pthread_mutex_unlock(&pool->lock);
}

static inline void pool_begin(struct pool *pool, int threads)
{
    *pool = (struct pool){.executor = {pool_submit, pool_sleep, pool, (uint32_t)threads},
                          .count = threads};
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->more, NULL);
    for (int i = 0; i < threads; i++) {
        test_thread_start(&pool->threads[i], pool_main, pool);
    }
}

/* Ends the threads; what has not begun is dropped, and nothing is taken any more. */
static inline void pool_close(struct pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->closed = 1;
    pthread_cond_broadcast(&pool->more);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < pool->count; i++) {
        test_thread_join(&pool->threads[i]);
    }
}

/* When nobody can ask it for anything any more. */
static inline void pool_free(struct pool *pool)
{
    pthread_cond_destroy(&pool->more);
    pthread_mutex_destroy(&pool->lock);
}

static inline void pool_end(struct pool *pool)
{
    pool_close(pool);
    pool_free(pool);
}

#endif
