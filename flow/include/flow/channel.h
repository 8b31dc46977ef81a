/* SPDX-License-Identifier: MIT */
/*
 * Channels: queues of values between flows, which slow down those who send faster than others
 * receive.
 *
 *     FLOW_CHANNEL(struct order) orders;                        a member of the host's struct
 *     flow_channel_init(&kitchen->orders, world, 8);
 *     FLOW_AWAIT(flow_send(&kitchen->orders, &self->order));    waits while 8 are kept
 *     FLOW_AWAIT(flow_next(&kitchen->orders, &self->order));    waits while none is
 *
 * Values come out in the order in which they went in; each has one receiver. Waiting sends keep
 * their place, and so do waiting receives: neither is overtaken. A value that a wait has received
 * is not consumed before its flow goes on: if the wait loses its race, or the flow ends first, the
 * value goes to the next who waits, or back to its place at the front, beyond the capacity if need
 * be. A struct that embeds channels may be moved or copied; what they keep lives in the world.
 * World's thread only, but for what says otherwise.
 */
#ifndef FLOW_CHANNEL_H
#define FLOW_CHANNEL_H

#include "flow/inbox.h"
#include "flow/subscription.h"

FLOW_EXTERN_C_BEGIN_

/* A channel of no particular type: what every FLOW_CHANNEL(T) begins with. All zero: not made yet.
 */
typedef flow_source flow_channel;

/* A channel of values of type T. */
#define FLOW_CHANNEL(T)                                                                            \
    union {                                                                                        \
        flow_channel channel;                                                                      \
        flow_source source_;                                                                       \
        T *type_;                                                                                  \
    }

/* A capacity that is none: sends never wait, and take memory as the channel grows. */
#define FLOW_UNBOUNDED UINT32_MAX

/* Makes a channel in a world that keeps up to `capacity` values, whose memory is taken here; 0: a
 * send waits until its value is received. The end of the world ends it. OK, or NOMEM: then it is a
 * closed one. */
#define flow_channel_init(c, world, capacity)                                                      \
    flow_channel_init_(&(c)->channel, (world), (uint32_t)sizeof(*(c)->type_), (capacity))

/* Ends a channel and drops what it keeps: waits end as CLOSED, and so do later ones. One that was
 * never made is left alone. */
#define flow_channel_fini(c) flow_channel_fini_(&(c)->channel)

/* No more values: waiting sends and later ones fail as CLOSED, and their values were not delivered.
 * What is kept can still be received, then receives end as CLOSED. */
#define flow_channel_close(c) flow_channel_close_(&(c)->channel, FLOW_CLOSED, 0)

/* The same with an error: in the place of CLOSED stand that code and message. code is a positive
 * one of the user's or a negative flow_status, message static text or null. The first close counts.
 */
#define flow_channel_fail(c, code, message) flow_channel_fail_(&(c)->channel, (code), (message))

/* Sends *value, which must live until the wait ends: done at once where there is room and nobody
 * waits to send, or somebody waits to receive; else in its turn. A wait that ends early has sent
 * nothing. Fails as the channel is closed, and as NOMEM where it is unbounded. */
#define flow_send(c, ...) flow_channel_send_(FLOW_TYPED_(c, (__VA_ARGS__), channel), (__VA_ARGS__))

/* Sends without waiting. OK; FULL: there is no room, or others wait to send; CLOSED, or what
 * flow_channel_fail was given; NOMEM. O(1). */
#define flow_try_send(c, ...)                                                                      \
    flow_channel_try_send_(FLOW_TYPED_(c, (__VA_ARGS__), channel), (__VA_ARGS__))

/* Sends from any thread, through the inbox: the value is copied now and arrives in the next
 * begin_frame. As no thread can wait, it is kept beyond the capacity, with the sends that waited
 * before it; without memory for that the channel fails as NOMEM. One that is closed by then drops
 * it. OK, FULL (the inbox), CLOSED (the world); as flow_emit_any_thread. flow_close_any_thread(c)
 * closes it, behind what the thread has sent. */
#define flow_send_any_thread(c, ...)                                                               \
    flow_send_(FLOW_TYPED_(c, (__VA_ARGS__), source_), FLOW_SEND_VALUE_, (__VA_ARGS__))

/* Receives are flow_next(c, out) and flow_next_or_closed(c, out, closed) of signal.h; each wants an
 * out of its own, which is not to be touched before the flow goes on. flow_try_next(c, out) of
 * subscription.h receives without waiting. */

/* Waits until there is something to receive, and receives nothing: somebody else may be quicker.
 * At the end of the channel it fails as a receive does; or, where closed is no null pointer to an
 * int, is done with *closed 1. */
#define flow_readable(c, closed) flow_readable_(&(c)->source_, (closed))

/* Waits until the channel is closed and all that it kept has been received. Fails with what
 * flow_channel_fail was given. */
#define flow_drained(c) flow_drained_(&(c)->source_)

/* How many values are kept. O(1). */
#define flow_channel_count(c) flow_ring_count_(&(c)->channel)

/* Reserves the channel for the running function: until it ends, or flow_channel_release, a receive
 * by anybody but its flow and those that it owns is misuse and fails. OK; BUSY: it is reserved, or
 * somebody waits to receive; CLOSED; NOMEM. Released as a deferred cleanup, last in first out. */
#define flow_channel_lease(flow, c) flow_channel_lease_((flow), &(c)->channel)
#define flow_channel_release(flow, c) flow_channel_release_((flow), &(c)->channel)

flow_status flow_channel_init_(flow_channel *channel, flow_world *world, uint32_t size,
                               uint32_t capacity);
void flow_channel_fini_(flow_channel *channel);
void flow_channel_close_(const flow_channel *channel, int code, const char *message);
void flow_channel_fail_(const flow_channel *channel, int code, const char *message);
int flow_channel_try_send_(const flow_channel *channel, const void *value);
flow_status flow_channel_lease_(flow_task *flow, const flow_channel *channel);
void flow_channel_release_(flow_task *flow, const flow_channel *channel);

FLOW_NODISCARD_ FLOW_INLINE_ flow_wait flow_channel_send_(flow_channel *channel, const void *value)
{
    union {
        const void *given;
        void *object;
    } carried;
    carried.given = value;
    return flow_wait_of_(FLOW_WAIT_SIGNAL_, FLOW_NEXT_SEND_, channel, carried.object);
}

FLOW_NODISCARD_ FLOW_INLINE_ flow_wait flow_readable_(flow_source *source, int *closed)
{
    flow_wait w = flow_wait_of_(FLOW_WAIT_SIGNAL_, FLOW_NEXT_READABLE_, source, 0);
    w.arg_ = closed;
    return w;
}

FLOW_NODISCARD_ FLOW_INLINE_ flow_wait flow_drained_(flow_source *source)
{
    return flow_wait_of_(FLOW_WAIT_SIGNAL_, FLOW_NEXT_DRAINED_, source, 0);
}

FLOW_EXTERN_C_END_

#endif
