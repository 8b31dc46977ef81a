/* SPDX-License-Identifier: MIT */
/*
 * Threads for tests: flow itself starts none. pthread, because the thread sanitizer knows it.
 */
#ifndef TESTS_THREADS_H
#define TESTS_THREADS_H

#include "story.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

typedef struct test_thread {
    pthread_t thread;
    void (*run)(void *arg);
    void *arg;
} test_thread;

static void *test_thread_main(void *self)
{
    test_thread *thread = self;
    thread->run(thread->arg);
    return NULL;
}

static inline void test_thread_start(test_thread *thread, void (*run)(void *arg), void *arg)
{
    *thread = (test_thread){.run = run, .arg = arg};
    assert_int_equal(pthread_create(&thread->thread, NULL, test_thread_main, thread), 0);
}

static inline void test_thread_join(test_thread *thread)
{
    assert_int_equal(pthread_join(thread->thread, NULL), 0);
}

/* run(arg) on a thread of its own, from its beginning to its end. */
static inline void test_on_thread(void (*run)(void *arg), void *arg)
{
    test_thread thread;
    test_thread_start(&thread, run, arg);
    test_thread_join(&thread);
}

#endif
