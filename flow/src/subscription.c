/* SPDX-License-Identifier: MIT */
/*
 * Subscriptions. A feed stands among the waiters of the signal and puts what is emitted into a
 * ring, or into the hands of the first who waits on the subscription's own record. A value that was
 * handed to a wait is held by its node until the flow goes on; given back, it finds its place by
 * its number. Whatever may be given back has its room from the moment the wait began, so that
 * neither emitting nor cancelling takes memory.
 */
#include "private.h"

typedef struct ring {
    flow_node *feed;   /* in the signal's list; null when that has closed */
    flow_node *record; /* heads the waits */
    flow_task *owner;  /* whose scope it belongs to, or null */
    flow_frame *scope;
    flow_node *release; /* the scope's deferred cleanup */
    char *slots;        /* each a number and a value */
    uint32_t size, stride;
    uint32_t capacity, room; /* room: slots that there are */
    uint32_t head, count;
    uint32_t held;   /* waits that have a value, or will, which they may give back */
    uint32_t number; /* of the next value */
    flow_policy policy;
    bool gone; /* ended; freed when nothing is held any more */
} ring;

/* ---- slots ---- */

static char *slot_at(const ring *r, uint32_t i)
{
    uint32_t place = i < r->room - r->head ? r->head + i : i - (r->room - r->head);
    return r->slots + (size_t)place * r->stride;
}

static uint32_t number_at(const ring *r, uint32_t i)
{
    uint32_t number;
    memcpy(&number, slot_at(r, i), sizeof number);
    return number;
}

static void value_copy(const ring *r, void *out, const void *value)
{
    if (value != NULL) {
        memcpy(out, value, r->size);
    } else {
        memset(out, 0, r->size);
    }
}

static void slot_write(const ring *r, uint32_t i, uint32_t number, const void *value)
{
    char *slot = slot_at(r, i);
    memcpy(slot, &number, sizeof number);
    value_copy(r, slot + sizeof number, value);
}

static uint32_t front_take(ring *r, void *out)
{
    uint32_t number = number_at(r, 0);
    if (out != NULL) {
        memcpy(out, slot_at(r, 0) + sizeof number, r->size);
    }
    r->head = r->head + 1 == r->room ? 0 : r->head + 1;
    r->count--;
    return number;
}

/* Room for one more value to be given back beyond the capacity. */
static bool room_made(flow_world *world, ring *r)
{
    uint32_t need = r->capacity + r->held + 1;
    if (r->policy != FLOW_FAIL_WHEN_FULL || need <= r->room) {
        return true;
    }
    uint32_t room = need + r->held;
    char *slots = flow__block_take(world, (size_t)room * r->stride);
    if (slots == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < r->count; i++) {
        memcpy(slots + (size_t)i * r->stride, slot_at(r, i), r->stride);
    }
    flow__block_give(r->slots);
    r->slots = slots;
    r->room = room;
    r->head = 0;
    return true;
}

/* ---- making and ending ---- */

static void ring_free_if_over(flow_world *world, ring *r)
{
    if (r->gone && r->held == 0) {
        flow__block_give(r->slots);
        flow__record_free(world, r->record);
        flow__block_give(r);
    }
}

/* Nothing comes in any more; what is kept is still delivered. */
void flow__ring_close(flow_world *world, void *closed, int code, const char *message)
{
    ring *r = closed;
    if (r->feed != NULL) {
        flow__record_leave(r->feed);
        flow__aside_give(world, r->feed);
        r->feed = NULL;
    }
    flow__record_close(world, r->record, code, message);
}

/* The end of its scope, or an earlier one. */
static void ring_end(void *ended)
{
    ring *r = ended;
    flow_world *world = flow__world_of(r->record);
    flow__ring_close(world, r, FLOW_CLOSED, NULL);
    r->record->seq = ++world->record_generation; /* nobody finds it from now on */
    r->count = 0;
    r->gone = true;
    ring_free_if_over(world, r);
}

static ring *ring_make(flow_world *world, flow_subscription *subscription, uint32_t size,
                       flow_policy policy, uint32_t capacity)
{
    size_t stride = ((size_t)size + sizeof(uint32_t) + 3) & ~(size_t)3;
    ring *r = stride <= UINT32_MAX && capacity <= SIZE_MAX / 2 / stride
                  ? flow__block_take(world, sizeof *r)
                  : NULL;
    if (r == NULL) {
        return NULL;
    }
    *r = (ring){.size = size, .stride = (uint32_t)stride, .capacity = capacity, .room = capacity};
    r->policy = policy;
    r->slots = flow__block_take(world, capacity * stride);
    r->feed = flow__aside_take(world);
    if (r->slots != NULL && r->feed != NULL &&
        flow__record_make(subscription, world, size, FLOW_RECORD_SUBSCRIPTION) == FLOW_OK) {
        r->record = flow__record(subscription);
        r->record->to.value = r;
        r->feed->to.value = r;
        return r;
    }
    if (r->feed != NULL) {
        flow__aside_give(world, r->feed);
    }
    if (r->slots != NULL) {
        flow__block_give(r->slots);
    }
    flow__block_give(r);
    return NULL;
}

/* The new ring, or null and the status that says why. */
static ring *subscribe(flow_world *world, flow_subscription *subscription,
                       const flow_signal *signal, flow_policy policy, uint32_t capacity,
                       flow_status *status)
{
    *subscription = (flow_subscription){NULL, 0, 0, 0};
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
    ring *r = ring_make(world, subscription, signal->size_, policy, capacity);
    *status = r ? FLOW_OK : FLOW_NOMEM;
    if (r != NULL) {
        flow__record_join(source, r->feed, FLOW_NODE_FEED);
    }
    return r;
}

flow_status flow_subscribe_in_(flow_subscription *subscription, flow_world *world,
                               const flow_signal *signal, flow_policy policy, uint32_t capacity)
{
    flow_status status;
    (void)subscribe(world, subscription, signal, policy, capacity, &status);
    return status;
}

flow_status flow_subscribe_(flow_subscription *subscription, flow_task *flow,
                            const flow_signal *signal, flow_policy policy, uint32_t capacity)
{
    flow_status status;
    flow_world *world = flow__world_of(flow);
    ring *r = subscribe(world, subscription, signal, policy, capacity, &status);
    if (r == NULL) {
        return status;
    }
    if (flow_defer(flow, ring_end, r) != FLOW_OK) {
        ring_end(r);
        *subscription = (flow_subscription){NULL, 0, 0, 0};
        return FLOW_NOMEM;
    }
    r->owner = flow;
    r->scope = flow->top_;
    r->release = flow__node(world, flow__cold(flow)->resources);
    return FLOW_OK;
}

void flow_unsubscribe_(flow_subscription *subscription)
{
    flow_node *record = flow__record(subscription);
    flow_world *world = subscription->world_;
    *subscription = (flow_subscription){world, 0, 0, 0};
    if (record == NULL) {
        return;
    }
    ring *r = record->to.value;
    if (r->owner != NULL) {
        flow__resource_remove(r->owner, r->release);
    }
    ring_end(r);
}

/* ---- values that come ---- */

/* To a wait, which holds it until its flow goes on. */
static void hand_over(flow_world *world, flow_node *node, uint32_t number, const void *value)
{
    const flow_node *record = node->on.object;
    flow__record_leave(node);
    flow__aside_drop(world, node);
    value_copy(record->to.value, node->to.out, value);
    node->pos = number;
    flow__node_end_kept(world, node, FLOW_NODE_HELD);
}

static void overflow(flow_world *world, ring *r)
{
    static const char message[] = "a subscription is full";
    flow_task *owner = r->owner;
    flow_frame *scope = r->scope;
    flow__ring_close(world, r, FLOW_FULL, message);
    if (owner != NULL) {
        flow__scope_fail(world, owner, scope, flow__fault_new(world, owner, FLOW_FULL, message));
    }
}

void flow__ring_put(flow_world *world, void *fed, const void *value)
{
    ring *r = fed;
    if (r->record->prev != NULL) {
        hand_over(world, r->record->prev, r->number++, value);
        return;
    }
    if (r->count >= r->capacity) {
        if (r->policy == FLOW_DROP_NEWEST) {
            return;
        }
        if (r->policy == FLOW_FAIL_WHEN_FULL) {
            overflow(world, r);
            return;
        }
        (void)front_take(r, NULL);
    }
    slot_write(r, r->count++, r->number++, value);
}

/* ---- waits ---- */

/* A wait holds nothing any more. */
void flow__ring_let_go(flow_world *world, flow_node *node)
{
    const flow_node *record = node->on.object;
    ring *r = record->to.value;
    if (node->flags & FLOW_NODE_STASH) {
        flow__block_give(node->to.out);
        node->flags &= (uint8_t)~FLOW_NODE_STASH;
        node->to.out = NULL;
    }
    r->held--;
    ring_free_if_over(world, r);
}

/* A value goes back to its place: before all that came after it. */
static void put_back(ring *r, uint32_t number, const void *value)
{
    if (r->count >= r->capacity && r->policy != FLOW_FAIL_WHEN_FULL) {
        if (r->policy != FLOW_DROP_NEWEST) {
            return;
        }
        r->count--;
    }
    r->head = r->head == 0 ? r->room - 1 : r->head - 1;
    r->count++;
    uint32_t i = 0;
    for (; i + 1 < r->count && (int32_t)(number_at(r, i + 1) - number) < 0; i++) {
        memcpy(slot_at(r, i), slot_at(r, i + 1), r->stride);
    }
    slot_write(r, i, number, value);
}

/* The flow ended before it went on, or the wait lost: the next who waits gets the value. */
void flow__ring_give_back(flow_world *world, flow_node *node)
{
    const flow_node *record = node->on.object;
    ring *r = record->to.value;
    if (record->prev != NULL) {
        hand_over(world, record->prev, node->pos, node->to.out);
    } else if (!r->gone) {
        put_back(r, node->pos, node->to.out);
    }
    flow__ring_let_go(world, node);
}

/* Begins a wait: DONE when a value is kept, WAITS when it is to join the others. */
flow_begun flow__ring_begin(flow_world *world, flow_node *record, const flow_wait *wait,
                            flow_node *node, flow_result *result)
{
    ring *r = record->to.value;
    node->on.object = record;
    node->to.out = wait->out_;
    bool holds = r->count == 0 || (node->flags & FLOW_NODE_HAS_PARENT);
    if (holds) {
        void *stash = node->to.out == NULL ? flow__block_take(world, r->size) : NULL;
        if ((node->to.out == NULL && stash == NULL) || !room_made(world, r)) {
            if (stash != NULL) {
                flow__block_give(stash);
            }
            return flow__begun_failed(result, FLOW_NOMEM, "no memory for a wait");
        }
        node->flags |= stash ? FLOW_NODE_STASH : 0;
        node->to.out = stash ? stash : node->to.out;
        r->held++;
    }
    if (r->count == 0) {
        return FLOW_BEGUN_WAITS;
    }
    uint32_t number = front_take(r, node->to.out);
    if (wait->code_ == FLOW_NEXT_OR_CLOSED_) {
        *(int *)wait->arg_ = 0;
    }
    if (holds) {
        node->kind = FLOW_NODE_HELD;
        node->pos = number;
    }
    return FLOW_BEGUN_DONE;
}

bool flow__ring_has(const flow_node *record)
{
    return record->branch == FLOW_RECORD_SUBSCRIPTION &&
           ((const ring *)record->to.value)->count != 0;
}

int flow_try_next_(flow_subscription *subscription, void *out)
{
    const flow_node *record = flow__record(subscription);
    if (record == NULL || !flow__ring_has(record)) {
        return 0;
    }
    (void)front_take(record->to.value, out);
    return 1;
}

uint32_t flow_subscription_count_(const flow_subscription *subscription)
{
    const flow_node *record = flow__record(subscription);
    return record ? ((const ring *)record->to.value)->count : 0;
}
