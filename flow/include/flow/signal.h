/* SPDX-License-Identifier: MIT */
/*
 * Signals: something happened, and every flow that was waiting at that moment learns of it.
 *
 *     FLOW_SIGNAL(struct hit) damaged;         a member of the host's struct
 *     flow_signal_init(&enemy->damaged, world);
 *     flow_emit(&enemy->damaged, &hit);        from the world's thread, in or outside flows
 *     FLOW_AWAIT(flow_next(&enemy->damaged, &self->hit));
 *
 * A signal is an edge: it keeps nothing. Its receivers are fixed when it is emitted: each gets a
 * copy of the value at once and is queued, in the order in which the waits began; a wait begun
 * meanwhile gets the next emit. A struct that embeds signals may be moved or copied; the waiters
 * live in the world. World's thread only.
 */
#ifndef FLOW_SIGNAL_H
#define FLOW_SIGNAL_H

#include "flow/scope.h"

FLOW_EXTERN_C_BEGIN_

/* A signal of no particular type: what every FLOW_SIGNAL(T) begins with. All zero: not made yet. */
typedef struct flow_signal {
    flow_world *world_;
    uint32_t id_;
    uint32_t generation_;
    uint32_t size_; /* of a value, in bytes */
} flow_signal;

/* A signal that carries values of type T (an object type; flow_nothing for none). */
#define FLOW_SIGNAL(T)                                                                             \
    union {                                                                                        \
        flow_signal signal;                                                                        \
        T *type_;                                                                                  \
    }

/* The type of signals without a value: emit and await them with NULL. */
typedef char flow_nothing;

/* Makes a signal in a world. OK, or NOMEM: then it is a closed one, and whoever awaits it fails. */
#define flow_signal_init(s, world)                                                                 \
    flow_signal_init_(&(s)->signal, (world), (uint32_t)sizeof(*(s)->type_))

/* Ends a signal: its waits end as CLOSED, and so do later ones. A signal that was never made is
 * left alone. */
#define flow_signal_fini(s) flow_signal_fini_(&(s)->signal)

/* Ends the present waits as CLOSED and every later one at once; emitting does nothing from now on.
 */
#define flow_signal_close(s) flow_signal_close_(&(s)->signal)

/* Gives *value to every flow that waits now and queues them; returns how many. value may be null:
 * then nothing is copied. Takes no memory. O(receivers). */
#define flow_emit(s, ...) flow_emit_(FLOW_TYPED_(s, (__VA_ARGS__)), (__VA_ARGS__))

/* How many flows wait for it. O(1). */
#define flow_signal_waiters(s) flow_signal_waiters_(&(s)->signal)

/* The next emit, copied to *out (of the signal's type; null where it does not matter; it must live
 * until the wait ends). Fails as CLOSED when the signal is closed or ended. Always suspends, except
 * on a closed one. */
#define flow_next(s, out) flow_next_(FLOW_TYPED_(s, out), (out))

/* The signal, after a look at the pointer's type: a wrong one is a default diagnostic of both
 * compilers. */
#define FLOW_TYPED_(s, pointer) ((void)sizeof(1 ? (s)->type_ : (pointer)), &(s)->signal)

flow_status flow_signal_init_(flow_signal *signal, flow_world *world, uint32_t size);
void flow_signal_fini_(flow_signal *signal);
void flow_signal_close_(flow_signal *signal);
uint32_t flow_emit_(flow_signal *signal, const void *value);
uint32_t flow_signal_waiters_(const flow_signal *signal);

FLOW_NODISCARD_ FLOW_INLINE_ flow_wait flow_next_(flow_signal *signal, void *out)
{
    return flow_wait_of_(FLOW_WAIT_SIGNAL_, 0, signal, out);
}

FLOW_EXTERN_C_END_

#endif
