/* SPDX-License-Identifier: MIT */
/*
 * The few atomic operations that flow needs, and which thread this is. Where C11 has no atomics the
 * same names work on plain variables: such a build is for one thread.
 */
#ifndef FLOW_ATOMIC_H
#define FLOW_ATOMIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* load acquires, store releases, cas and swap do both. */
#ifdef __STDC_NO_ATOMICS__
#define FLOW_ATOMIC(T) T
#define flow__load(p) (*(p))
#define flow__load_relaxed(p) (*(p))
#define flow__store(p, v) ((void)(*(p) = (v)))
#define flow__store_relaxed(p, v) ((void)(*(p) = (v)))
#define flow__cas(p, expected, v)                                                                  \
    (*(p) == *(expected) ? (*(p) = (v), true) : (*(expected) = *(p), false))
#define flow__add(p, v) ((*(p) += (v)) - (v))
#else
#include <stdatomic.h>
#define FLOW_ATOMIC(T) _Atomic(T)
#define flow__load(p) atomic_load_explicit((p), memory_order_acquire)
#define flow__load_relaxed(p) atomic_load_explicit((p), memory_order_relaxed)
#define flow__store(p, v) atomic_store_explicit((p), (v), memory_order_release)
#define flow__store_relaxed(p, v) atomic_store_explicit((p), (v), memory_order_relaxed)
#define flow__cas(p, expected, v)                                                                  \
    atomic_compare_exchange_strong_explicit((p), (expected), (v), memory_order_acq_rel,            \
                                            memory_order_acquire)
#define flow__add(p, v) atomic_fetch_add_explicit((p), (v), memory_order_acq_rel)
#endif

/* C11 names no thread without its threads.h; the address of what each thread has of its own does.
 */
#if defined(__GNUC__) || defined(__clang__)
#define FLOW_THREAD_LOCAL __thread
#elif defined(_MSC_VER)
#define FLOW_THREAD_LOCAL __declspec(thread)
#elif !defined(__STDC_NO_THREADS__)
#define FLOW_THREAD_LOCAL _Thread_local
#else
#define FLOW_THREAD_LOCAL
#endif

extern FLOW_THREAD_LOCAL char flow__thread_mark;

static inline uintptr_t flow__thread(void)
{
    return (uintptr_t)&flow__thread_mark;
}

#endif
