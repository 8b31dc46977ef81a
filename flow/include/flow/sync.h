/* SPDX-License-Identifier: MIT */
/*
 * Semaphores, mutexes, events and barriers for flows. They keep flows out of each other's way
 * across awaits; between two awaits a flow is alone anyway. Not for threads.
 *
 *     flow_mutex door;                                   a member of the host's struct
 *     flow_mutex_init(&room->door, world);
 *     FLOW_AWAIT(flow_lock(&room->door));                one flow at a time from here on
 *     FLOW_AWAIT(FLOW_CALL(walk_through));
 *     flow_unlock(flow, &room->door);                    or the end of the function does it
 *
 * Who waits is served in the order in which the waits began, and nobody overtakes. What a function
 * holds is given back when it ends, in whatever way, with its deferred cleanups; what a wait was
 * granted whose flow is cancelled before it goes on, or that loses, goes to the next. The structs
 * may be moved or copied; all zero: not made yet. The end of the world ends them. World's thread.
 */
#ifndef FLOW_SYNC_H
#define FLOW_SYNC_H

#include "flow/signal.h"

FLOW_EXTERN_C_BEGIN_

typedef struct flow_semaphore {
    flow_source source_;
} flow_semaphore;
typedef struct flow_mutex {
    flow_source source_;
} flow_mutex;
typedef struct flow_event {
    flow_source source_;
} flow_event;
typedef struct flow_barrier {
    flow_source source_;
} flow_barrier;

/* ---- semaphores ---- */

/* Makes a semaphore with that many permits. OK, or NOMEM: then waits on it fail as CLOSED. */
flow_status flow_semaphore_init(flow_semaphore *semaphore, flow_world *world, uint32_t permits);

/* Ends it: waits end as CLOSED, and so do later ones. What is held is held no more. */
void flow_semaphore_fini(flow_semaphore *semaphore);

/* Waits for a permit, which the running function holds until it ends or flow_release gives it back.
 * 64 bytes while it is held; NOMEM. */
FLOW_NODISCARD_ FLOW_INLINE_ flow_wait flow_acquire(flow_semaphore *semaphore)
{
    return flow_wait_of_(FLOW_WAIT_SIGNAL_, FLOW_NEXT_ACQUIRE_, &semaphore->source_, 0);
}

/* The same without waiting: OK; BUSY: there is none; CLOSED, NOMEM. */
flow_status flow_try_acquire(flow_task *flow, flow_semaphore *semaphore);

/* Gives back the permit that the flow has acquired last, before its function ends. One that it has
 * not is misuse. O(deferred cleanups of the flow). */
void flow_release(flow_task *flow, flow_semaphore *semaphore);

/* Waits for a permit and consumes it: for semaphores that count what others provide. */
FLOW_NODISCARD_ FLOW_INLINE_ flow_wait flow_take(flow_semaphore *semaphore)
{
    return flow_wait_of_(FLOW_WAIT_SIGNAL_, FLOW_NEXT_, &semaphore->source_, 0);
}

/* Adds permits: from flows or outside. Takes no memory. O(permits that are waited for). */
void flow_semaphore_add(flow_semaphore *semaphore, uint32_t permits);

/* Permits that nobody has. O(1). */
uint32_t flow_semaphore_permits(const flow_semaphore *semaphore);

/* ---- mutexes ---- */

/* Makes a mutex: a semaphore of one permit, which a flow holds that cannot lock it again. */
flow_status flow_mutex_init(flow_mutex *mutex, flow_world *world);
void flow_mutex_fini(flow_mutex *mutex);

/* Waits until the mutex is free, and holds it until the running function ends or flow_unlock. A
 * flow that holds it already would wait for itself: misuse, and the wait fails. */
FLOW_NODISCARD_ FLOW_INLINE_ flow_wait flow_lock(flow_mutex *mutex)
{
    return flow_wait_of_(FLOW_WAIT_SIGNAL_, FLOW_NEXT_ACQUIRE_, &mutex->source_, 0);
}

/* OK, BUSY, CLOSED, NOMEM. */
flow_status flow_try_lock(flow_task *flow, flow_mutex *mutex);
void flow_unlock(flow_task *flow, flow_mutex *mutex);

/* The flow that holds it, or the null handle. */
flow_handle flow_mutex_holder(const flow_mutex *mutex);

/* ---- events ---- */

/* How an event ends being set. */
typedef enum flow_reset {
    FLOW_RESET_MANUAL, /* flow_event_reset: until then every wait is done at once */
    FLOW_RESET_AUTO    /* the one wait that it ends does so */
} flow_reset;

/* Makes an event that is not set. */
flow_status flow_event_init(flow_event *event, flow_world *world, flow_reset reset);
void flow_event_fini(flow_event *event);

/* Sets it: of manual reset, ends all present waits; of auto reset, the first one, or else the next
 * to come. Setting what is set changes nothing. Takes no memory. */
void flow_event_set(flow_event *event);
void flow_event_reset(flow_event *event);
int flow_event_is_set(const flow_event *event);

/* Waits until it is set; done at once where it is. */
FLOW_NODISCARD_ FLOW_INLINE_ flow_wait flow_event_wait(flow_event *event)
{
    return flow_wait_of_(FLOW_WAIT_SIGNAL_, FLOW_NEXT_, &event->source_, 0);
}

/* ---- barriers ---- */

/* Makes a barrier for that many parties, 1 and more. */
flow_status flow_barrier_init(flow_barrier *barrier, flow_world *world, uint32_t parties);
void flow_barrier_fini(flow_barrier *barrier);

/* Waits until as many flows wait as there are parties; then all go on, and the barrier begins anew.
 * *place, an int that lives until the wait ends, or null, becomes the place in which the flow came,
 * from 0; the last one does not suspend. A wait that ends early does not count. */
FLOW_NODISCARD_ FLOW_INLINE_ flow_wait flow_arrive(flow_barrier *barrier, int *place)
{
    return flow_wait_of_(FLOW_WAIT_SIGNAL_, FLOW_NEXT_, &barrier->source_, place);
}

/* Changes the number of parties, 1 and more; those that wait go on if they are enough now. */
void flow_barrier_set_parties(flow_barrier *barrier, uint32_t parties);

FLOW_EXTERN_C_END_

#endif
