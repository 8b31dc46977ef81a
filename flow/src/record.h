/* SPDX-License-Identifier: MIT */
/* Records: what a signal and its like have in the world, those who wait for it in a list, and the
 * visits that give them a value. A part of private.h, which includes it in its place. */
#ifndef FLOW_RECORD_H
#define FLOW_RECORD_H

typedef enum flow_record_type {
    FLOW_RECORD_SIGNAL,
    FLOW_RECORD_ONCE,
    FLOW_RECORD_PROPERTY,
    FLOW_RECORD_SUBSCRIPTION,
    FLOW_RECORD_COMPLETION,
    FLOW_RECORD_SET,
    FLOW_RECORD_DELIVERY,
    FLOW_RECORD_CANCEL,
    FLOW_RECORD_CHANNEL,
    FLOW_RECORD_SENDERS, /* these three head other waits on a channel */
    FLOW_RECORD_READABLE,
    FLOW_RECORD_DRAINED,
    FLOW_RECORD_SEMAPHORE,
    FLOW_RECORD_MUTEX,
    FLOW_RECORD_EVENT,
    FLOW_RECORD_AUTO_EVENT,
    FLOW_RECORD_BARRIER
} flow_record_type;

typedef struct flow_delivery flow_delivery;

/* A visit to the waiters that a record has when it begins, safe against whatever happens to them
 * and to the record meanwhile. */
typedef struct flow_visit {
    flow_node *record;
    uint32_t generation; /* the record's */
    uint32_t depth;      /* of visits to this record */
    uint32_t reached;    /* how many got the value */
    flow_node *next, *last;
    const void *value;
    struct flow_visit *outer;
    flow_delivery *delivery; /* that the value belongs to, or null */
} flow_visit;

flow_status flow__record_make(flow_source *source, flow_world *world, uint32_t size,
                              flow_record_type type);

/* The live record that is named, or null. */
static inline flow_node *flow__record(const flow_source *source)
{
    if (source->world_ == NULL || source->id_ == 0) {
        return NULL;
    }
    flow_node *record = flow__node(source->world_, source->id_);
    return record->kind == FLOW_NODE_RECORD && record->seq == source->generation_ ? record : NULL;
}

/* Most values are a number or a pointer. */
static inline void flow__value_copy(void *to, const void *from, uint32_t size)
{
    if (size == 8) {
        memcpy(to, from, 8);
    } else {
        memcpy(to, from, size);
    }
}
const char *flow__record_name(const flow_node *record);
const char *flow__record_type_name(uint32_t type);
void flow__record_free(flow_world *world, flow_node *record);
void flow__record_close(flow_world *world, flow_node *record, int code, const char *message);

/* Last in the record's list; a feed is no waiter. */
static inline void flow__record_join(flow_node *record, flow_node *node, flow_node_kind kind)
{
    node->kind = (uint8_t)kind;
    node->on.object = record;
    node->prev = record->next;
    node->next = NULL;
    *(record->next ? &record->next->next : &record->prev) = node;
    record->next = node;
    record->pos += kind != FLOW_NODE_FEED;
}

/* Out of the record's list, and out of every visit over it. */
static inline void flow__record_leave(flow_node *node)
{
    flow_node *record = node->on.object;
    for (flow_visit *visit = record->on.visit; visit != NULL; visit = visit->outer) {
        if (visit->next == node) {
            visit->next = node == visit->last ? NULL : node->next;
        }
        if (visit->last == node) {
            visit->last = node->prev;
        }
    }
    *(node->prev ? &node->prev->next : &record->prev) = node->next;
    *(node->next ? &node->next->prev : &record->next) = node->prev;
    record->pos -= node->kind != FLOW_NODE_FEED;
}

void flow__waiter_drop(flow_world *world, flow_node *node);

/* What a wait on a record has beside its node is not needed any more. */
static inline void flow__aside_drop(flow_world *world, flow_node *node)
{
    if (FLOW_UNLIKELY_(node->pos != 0)) {
        flow__aside_give(world, flow__node(world, node->pos));
        node->pos = 0;
    }
}

void flow__value_take(flow_world *world, flow_node *node);
void flow__held_give_back(flow_world *world, flow_node *node);
flow_begun flow__record_wait(flow_world *world, flow_task *task, const flow_wait *wait,
                             flow_node *node, flow_result *result);
flow_begun flow__begin_closed(const flow_wait *wait, const flow_node *record, flow_result *result);
bool flow__aside_made(flow_world *world, const flow_wait *wait, flow_node *node);
bool flow__matches(flow_world *world, const flow_node *node, const void *value);
bool flow__visit_begin(flow_visit *visit, flow_node *record, const void *value);
flow_node *flow__visit_next(flow_visit *visit);
void flow__visit_end(const flow_visit *visit);

#endif
