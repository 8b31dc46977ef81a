/* SPDX-License-Identifier: MIT */
/*
 * Subscriptions. A feed stands among the waiters of the signal and puts what is emitted into a
 * ring, or into the hands of the first who waits on the subscription's own record.
 */
#include "ring.h"

typedef struct subscription {
    flow_ring ring;
    flow_node *feed;  /* in the signal's list; null when that has closed */
    flow_task *owner; /* whose scope it belongs to, or null */
    flow_frame *scope;
    flow_node *release; /* the scope's deferred cleanup */
} subscription;

/* ---- making and ending ---- */

/* Nothing comes in any more; what is kept is still delivered. */
void flow__ring_close(flow_world *world, void *closed, int code, const char *message)
{
    subscription *sub = closed;
    if (sub->feed != NULL) {
        flow__record_leave(sub->feed);
        flow__aside_give(world, sub->feed);
        sub->feed = NULL;
    }
    flow__record_close(world, sub->ring.record, code, message);
}

/* The end of its scope, or an earlier one. */
static void subscription_end(void *ended)
{
    subscription *sub = ended;
    flow_world *world = flow__world_of(sub->ring.record);
    flow__ring_close(world, sub, FLOW_CLOSED, NULL);
    sub->ring.record->seq = ++world->record_generation; /* nobody finds it from now on */
    sub->ring.count = 0;
    sub->ring.gone = true;
    flow__ring_free_if_over(world, &sub->ring);
}

static subscription *subscription_make(flow_world *world, flow_subscription *named, uint32_t size,
                                       flow_policy policy, uint32_t capacity)
{
    subscription *sub = flow__block_take(world, sizeof *sub);
    if (sub == NULL) {
        return NULL;
    }
    *sub = (subscription){.owner = NULL};
    bool made = flow__ring_make(world, &sub->ring, size, capacity, capacity);
    sub->ring.policy = policy;
    sub->feed = flow__aside_take(world);
    if (made && sub->feed != NULL &&
        flow__record_make(named, world, size, FLOW_RECORD_SUBSCRIPTION) == FLOW_OK) {
        sub->ring.record = flow__record(named);
        sub->ring.record->to.value = sub;
        sub->feed->to.value = sub;
        return sub;
    }
    if (sub->feed != NULL) {
        flow__aside_give(world, sub->feed);
    }
    if (made) {
        flow__block_give(sub->ring.slots);
    }
    flow__block_give(sub);
    return NULL;
}

/* The new one, or null and the status that says why. */
static subscription *subscribe(flow_world *world, flow_subscription *named,
                               const flow_signal *signal, flow_policy policy, uint32_t capacity,
                               flow_status *status)
{
    *named = (flow_subscription){NULL, 0, 0, 0};
    capacity = policy == FLOW_KEEP_LATEST ? 1 : capacity;
    if (capacity == 0 || policy > FLOW_FAIL_WHEN_FULL) {
        *status = flow__misuse(world, NULL, "flow_subscribe: no such policy, or a capacity of 0");
        return NULL;
    }
    if (signal->world_ != NULL && signal->world_ != world) {
        *status = flow__misuse(world, NULL, "flow_subscribe: the signal belongs to another world");
        return NULL;
    }
    flow_node *source = flow__record(signal);
    if (source == NULL || (source->flags & FLOW_NODE_CLOSED)) {
        *status = FLOW_CLOSED;
        return NULL;
    }
    subscription *sub = subscription_make(world, named, signal->size_, policy, capacity);
    *status = sub ? FLOW_OK : FLOW_NOMEM;
    if (sub != NULL) {
        flow__record_join(source, sub->feed, FLOW_NODE_FEED);
    }
    return sub;
}

flow_status flow_subscribe_in_(flow_subscription *named, flow_world *world,
                               const flow_signal *signal, flow_policy policy, uint32_t capacity)
{
    flow_status status;
    (void)subscribe(world, named, signal, policy, capacity, &status);
    return status;
}

flow_status flow_subscribe_(flow_subscription *named, flow_task *flow, const flow_signal *signal,
                            flow_policy policy, uint32_t capacity)
{
    flow_status status;
    flow_world *world = flow__world_of(flow);
    subscription *sub = subscribe(world, named, signal, policy, capacity, &status);
    if (sub == NULL) {
        return status;
    }
    if (flow_defer(flow, subscription_end, sub) != FLOW_OK) {
        subscription_end(sub);
        *named = (flow_subscription){NULL, 0, 0, 0};
        return FLOW_NOMEM;
    }
    sub->owner = flow;
    sub->scope = flow->top_;
    sub->release = flow__node(world, flow__cold(flow)->resources);
    return FLOW_OK;
}

void flow_unsubscribe_(flow_subscription *named)
{
    flow_node *record = flow__record(named);
    flow_world *world = named->world_;
    *named = (flow_subscription){world, 0, 0, 0};
    if (record == NULL) {
        return;
    }
    subscription *sub = record->to.value;
    if (sub->owner != NULL) {
        flow__resource_remove(sub->owner, sub->release);
    }
    subscription_end(sub);
}

/* ---- values that come ---- */

static void overflow(flow_world *world, subscription *sub)
{
    static const char message[] = "a subscription is full";
    flow_task *owner = sub->owner;
    flow_frame *scope = sub->scope;
    flow__ring_close(world, sub, FLOW_FULL, message);
    if (owner != NULL) {
        flow__scope_fail(world, owner, scope, flow__fault_new(world, owner, FLOW_FULL, message));
    }
}

void flow__ring_put(flow_world *world, void *fed, const void *value)
{
    subscription *sub = fed;
    if (sub->ring.record->prev != NULL) {
        flow__ring_hand_over(world, sub->ring.record->prev, sub->ring.number++, value);
        return;
    }
    if (sub->ring.count >= sub->ring.capacity) {
        if (sub->ring.policy == FLOW_DROP_NEWEST) {
            return;
        }
        if (sub->ring.policy == FLOW_FAIL_WHEN_FULL) {
            overflow(world, sub);
            return;
        }
        (void)flow__ring_front(&sub->ring, NULL);
    }
    flow__ring_add(&sub->ring, value);
}
