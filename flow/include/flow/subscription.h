/* SPDX-License-Identifier: MIT */
/*
 * Subscriptions: what a signal emits, kept from the moment the subscription is made.
 *
 *     FLOW_SUBSCRIPTION(struct hit) hits;                       in a frame, or in a host's struct
 *     flow_subscribe(flow, &self->hits, &enemy->damaged, FLOW_DROP_OLDEST, 8);
 *     FLOW_AWAIT(flow_next(&self->hits, &self->hit));           at once where something is kept
 *
 * Values come out in the order in which they went in. One that a wait has received is not consumed
 * before its flow goes on: if the wait loses its race, or the flow ends first, the value goes to
 * the next who waits, or back to its place at the front. When the signal closes, what is kept is
 * still delivered, then waits end as those on the signal would. World's thread only.
 */
#ifndef FLOW_SUBSCRIPTION_H
#define FLOW_SUBSCRIPTION_H

#include "flow/signal.h"

FLOW_EXTERN_C_BEGIN_

/* A subscription of no particular type: what every FLOW_SUBSCRIPTION(T) begins with. All zero: not
 * made yet. */
typedef flow_source flow_subscription;

/* A subscription to a signal that carries values of type T. It may be moved or copied; what it
 * keeps lives in the world. */
#define FLOW_SUBSCRIPTION(T)                                                                       \
    union {                                                                                        \
        flow_subscription subscription;                                                            \
        flow_source source_;                                                                       \
        T *type_;                                                                                  \
    }

/* What happens to a value that finds the subscription full, and to one that is given back to a full
 * one. */
typedef enum flow_policy {
    FLOW_KEEP_LATEST,   /* keeps one value, the latest; one given back is dropped */
    FLOW_DROP_OLDEST,   /* the oldest makes room; one given back is the oldest: dropped */
    FLOW_DROP_NEWEST,   /* it is dropped itself; the newest makes room for one given back */
    FLOW_FAIL_WHEN_FULL /* fails the scope that owns the subscription with the code FULL; one given
                           back is kept beyond the capacity */
} flow_policy;

/* Subscribes to the signal s from now on, for the running scope: released with it, as a deferred
 * cleanup, last in first out. Then policy, and capacity, the number of values kept (1 and more;
 * left out and of no account for FLOW_KEEP_LATEST). Memory for them is taken here. OK; NOMEM or
 * CLOSED, where the signal is: then it is a closed subscription, and whoever awaits it fails. */
#define flow_subscribe(flow, sub, s, ...)                                                          \
    flow_subscribe_(FLOW_SUBSCRIBED_(sub, s), (flow), &(s)->signal, FLOW_POLICY_(__VA_ARGS__, 1, 0))

/* The same outside flows: it lasts until flow_unsubscribe, or as long as the world. With
 * FLOW_FAIL_WHEN_FULL, which has no scope to fail here, waits fail as FULL once what is kept has
 * been delivered. */
#define flow_subscribe_in(world, sub, s, ...)                                                      \
    flow_subscribe_in_(FLOW_SUBSCRIBED_(sub, s), (world), &(s)->signal,                            \
                       FLOW_POLICY_(__VA_ARGS__, 1, 0))

/* Ends it before its scope does: what it keeps is dropped, waits on it end as CLOSED, and so do
 * later ones. One that was never made is left alone. O(deferred cleanups of the flow). */
#define flow_unsubscribe(sub) flow_unsubscribe_(&(sub)->subscription)

/* Takes the next value without waiting: 1, and *out is it, or 0 when nothing is kept. O(1). */
#define flow_try_next(sub, out) flow_try_next_(FLOW_TYPED_(sub, out, source_), (out))

/* How many values are kept. O(1). */
#define flow_subscription_count(sub) flow_ring_count_(&(sub)->subscription)

/* flow_next(sub, out) and flow_next_or_closed(sub, out, closed), of signal.h, wait for the next
 * value: at once where one is kept. Each wait wants an out of its own, which is not to be touched
 * before the flow goes on. Waits that begin earlier are served first. */

#define FLOW_SUBSCRIBED_(sub, s) ((void)sizeof(1 ? (sub)->type_ : (s)->type_), &(sub)->subscription)
#define FLOW_POLICY_(policy, capacity, ...) (policy), (uint32_t)(capacity)

flow_status flow_subscribe_(flow_subscription *subscription, flow_task *flow,
                            const flow_signal *signal, flow_policy policy, uint32_t capacity);
flow_status flow_subscribe_in_(flow_subscription *subscription, flow_world *world,
                               const flow_signal *signal, flow_policy policy, uint32_t capacity);
void flow_unsubscribe_(flow_subscription *subscription);
int flow_try_next_(flow_source *source, void *out);
uint32_t flow_ring_count_(const flow_source *source);

FLOW_EXTERN_C_END_

#endif
