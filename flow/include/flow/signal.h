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

/* What names a signal, or another thing that waits can be on, in its world. All zero: not made yet.
 * Its members are flow's own business. */
typedef struct flow_source {
    flow_world *world_;
    uint32_t id_;
    uint32_t generation_;
    uint32_t size_; /* of a value, in bytes */
} flow_source;

/* A signal of no particular type: what every FLOW_SIGNAL(T) begins with. All zero: not made yet. */
typedef flow_source flow_signal;

/* A signal that carries values of type T (an object type; flow_nothing for none). */
#define FLOW_SIGNAL(T)                                                                             \
    union {                                                                                        \
        flow_signal signal;                                                                        \
        flow_source source_;                                                                       \
        T *type_;                                                                                  \
    }

/* The type of signals without a value: emit and await them with NULL. */
typedef char flow_nothing;

/* Makes a signal in a world, of which it takes 64 bytes until flow_signal_fini. The end of the
 * world ends its signals: use none of them afterwards. Copies of the struct name the same signal.
 * OK, or NOMEM: then it is a closed one, and whoever awaits it fails. */
#define flow_signal_init(s, world)                                                                 \
    flow_signal_init_(&(s)->signal, (world), (uint32_t)sizeof(*(s)->type_))

/* Ends a signal: its waits end as CLOSED, and so do later ones. A signal that was never made is
 * left alone. */
#define flow_signal_fini(s) flow_signal_fini_(&(s)->signal)

/* Ends the present waits as CLOSED and every later one at once; emitting does nothing from now on.
 */
#define flow_signal_close(s) flow_signal_close_(&(s)->signal)

/* Closes with an error: the present waits fail with that code and message, and so does every later
 * one, until flow_signal_fini. code is a positive one of the user's or a negative flow_status,
 * message static text or null. Closing what is closed already changes nothing. */
#define flow_signal_fail(s, code, message) flow_signal_fail_(&(s)->signal, (code), (message))

/* Gives *value to every flow that waits now and queues them, and to every subscription; returns how
 * many. value may be null: then nothing is copied (a subscription keeps zeros). Takes no memory.
 * O(receivers). Emitting the same signal from inside a condition of flow_next_if is fine: who was
 * to get the earlier value gets it first. */
#define flow_emit(s, ...) flow_emit_(FLOW_TYPED_(s, (__VA_ARGS__), signal), (__VA_ARGS__))

/* How many flows wait for it. O(1). */
#define flow_signal_waiters(s) flow_signal_waiters_(&(s)->signal)

/* The next emit, copied to *out (of the signal's type; null where it does not matter; it must live
 * until the wait ends). Fails as CLOSED when the signal is closed or ended. Always suspends, except
 * on a closed one. */
#define flow_next(s, out) flow_next_(FLOW_TYPED_(s, out, source_), (out))

/* The same, but a close is no failure: *closed (an int, which must live until the wait ends) is 1
 * when the signal was closed or ended, and 0 when a value came. What flow_signal_fail gave is still
 * a failure. */
#define flow_next_or_closed(s, out, closed)                                                        \
    flow_next_or_closed_(FLOW_TYPED_(s, out, source_), (out), (closed))

/* The next emit whose value fulfils match(value, arg), a flow_match; those that do not go by. The
 * condition is tested in the emit, in the order in which the waits began. arg is borrowed until the
 * wait ends. */
#define flow_next_if(s, out, match, arg)                                                           \
    flow_next_if_(FLOW_TYPED_(s, out, signal), (out), (match), (arg))

/* What is named, after a look at the pointer's type: a wrong one is a default diagnostic of both
 * compilers. */
#define FLOW_TYPED_(s, pointer, member) ((void)sizeof(1 ? (s)->type_ : (pointer)), &(s)->member)

flow_status flow_signal_init_(flow_signal *signal, flow_world *world, uint32_t size);
void flow_signal_fini_(flow_signal *signal);
void flow_signal_close_(flow_signal *signal);
void flow_signal_fail_(flow_signal *signal, int code, const char *message);
uint32_t flow_emit_(flow_signal *signal, const void *value);
uint32_t flow_signal_waiters_(const flow_signal *signal);

/* How a wait on a source goes (flow_wait.code_). */
enum {
    FLOW_NEXT_,
    FLOW_NEXT_OR_CLOSED_,
    FLOW_NEXT_IF_,
    FLOW_NEXT_CHANGED_,
    FLOW_NEXT_EMIT_,
    FLOW_NEXT_GONE_,
    FLOW_NEXT_SEND_,
    FLOW_NEXT_READABLE_,
    FLOW_NEXT_DRAINED_,
    FLOW_NEXT_ACQUIRE_
};

FLOW_NODISCARD_ FLOW_INLINE_ flow_wait flow_next_(flow_source *source, void *out)
{
    return flow_wait_of_(FLOW_WAIT_SIGNAL_, FLOW_NEXT_, source, out);
}

FLOW_NODISCARD_ FLOW_INLINE_ flow_wait flow_next_or_closed_(flow_source *source, void *out,
                                                            int *closed)
{
    flow_wait w = flow_wait_of_(FLOW_WAIT_SIGNAL_, FLOW_NEXT_OR_CLOSED_, source, out);
    w.arg_ = closed;
    return w;
}

FLOW_NODISCARD_ FLOW_INLINE_ flow_wait flow_next_if_(flow_signal *signal, void *out,
                                                     flow_match match, void *arg)
{
    flow_wait w = flow_wait_of_(FLOW_WAIT_SIGNAL_, FLOW_NEXT_IF_, signal, out);
    w.match_ = match;
    w.arg_ = arg;
    return w;
}

FLOW_EXTERN_C_END_

#endif
