/* SPDX-License-Identifier: MIT */
/*
 * The inbox, as the sources see it: a ring of messages for what may be refused, and a list of
 * arrivals, linked through themselves, for what may not: completions and jobs that are over.
 */
#ifndef FLOW_INBOX_PRIVATE_H
#define FLOW_INBOX_PRIVATE_H

#include "atomic.h"

#include "flow/world.h"

struct flow_message;

/* Something that comes home to the world's thread by itself. */
typedef enum flow_arrival_kind {
    FLOW_ARRIVAL_COMPLETION,
    FLOW_ARRIVAL_JOB,
    FLOW_ARRIVAL_NEWS /* of a job, whose own arrival is behind it */
} flow_arrival_kind;

typedef struct flow_arrival {
    struct flow_arrival *next;
    flow_arrival_kind kind;
    uint32_t job; /* of JOB: its number */
    size_t after; /* messages that were sent before it: it is taken behind them */
    void (*take)(flow_world *world, struct flow_arrival *arrival);
} flow_arrival;

typedef struct flow_inbox {
    FLOW_ATOMIC(size_t) tail;             /* messages ever sent, in places, times 2; odd: closed */
    FLOW_ATOMIC(flow_arrival *) arrivals; /* the newest first */
    FLOW_ATOMIC(uint32_t) refused;
    char apart_[64];          /* senders write above, the world below */
    FLOW_ATOMIC(size_t) head; /* messages ever taken, in places */
    size_t capacity;          /* places, a power of two */
    struct flow_message *messages;
    FLOW_ATOMIC(uint32_t) * published; /* by place: of how many places the message is, or 0 */
    flow_arrival *first, *last;        /* collected, the oldest first */
    uint64_t refused_before;
    uint64_t taken, dropped; /* messages */
    uint64_t arrived;
    uint32_t refused_seen;
} flow_inbox;

size_t flow__inbox_size(const flow_world_desc *desc);
void flow__inbox_init(flow_world *world, void *memory);
void flow__inbox_take(flow_world *world);
void flow__inbox_arrivals(flow_world *world);
bool flow__inbox_own(flow_world *world, bool take);
bool flow__inbox_job(flow_world *world, uint32_t number);
void flow__inbox_fetch(flow_world *world, const flow_arrival *arrival);
void flow__inbox_close(flow_world *world);
void flow__inbox_drop(flow_world *world);
void flow__arrive_home(flow_world *world, flow_arrival *arrival);
bool flow__wrong_thread(const char *rule);

/* Is there anything to take? */
static inline bool flow__inbox_empty(const flow_inbox *inbox)
{
    return flow__load_relaxed(&inbox->tail) >> 1 == flow__load_relaxed(&inbox->head) &&
           flow__load_relaxed(&inbox->arrivals) == NULL && inbox->first == NULL;
}

#endif
