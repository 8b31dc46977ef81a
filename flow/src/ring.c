/* SPDX-License-Identifier: MIT */
/*
 * Rings. A value goes into a slot, or into the hands of the first who waits on the record. One that
 * was handed to a wait is held by its node until the flow goes on; given back, it finds its place
 * by its number. Whatever may be given back has its room from the moment the wait began, so that
 * neither handing over nor cancelling takes memory.
 */
#include "ring.h"

/* ---- slots ---- */

static char *slot_at(const flow_ring *r, uint32_t i)
{
    uint32_t place = i < r->room - r->head ? r->head + i : i - (r->room - r->head);
    return r->slots + (size_t)place * r->stride;
}

static uint32_t number_at(const flow_ring *r, uint32_t i)
{
    uint32_t number;
    memcpy(&number, slot_at(r, i), sizeof number);
    return number;
}

static void value_copy(const flow_ring *r, void *out, const void *value)
{
    if (value != NULL) {
        memcpy(out, value, r->size);
    } else {
        memset(out, 0, r->size);
    }
}

static void slot_write(const flow_ring *r, uint32_t i, uint32_t number, const void *value)
{
    char *slot = slot_at(r, i);
    memcpy(slot, &number, sizeof number);
    value_copy(r, slot + sizeof number, value);
}

/* The newest value; there is room for it. Null: zeros. */
void flow__ring_add(flow_ring *r, const void *value)
{
    slot_write(r, r->count++, r->number++, value);
}

/* Takes the oldest out, to *out if that is not null; its number. */
uint32_t flow__ring_front(flow_ring *r, void *out)
{
    uint32_t number = number_at(r, 0);
    if (out != NULL) {
        memcpy(out, slot_at(r, 0) + sizeof number, r->size);
    }
    r->head = r->head + 1 == r->room ? 0 : r->head + 1;
    r->count--;
    return number;
}

/* That many slots, whatever they are for; false: no memory. */
bool flow__ring_room(flow_world *world, flow_ring *r, uint32_t need)
{
    if (need <= r->room) {
        return true;
    }
    uint32_t room = need + need / 2;
    bool fits = need > r->count && room > need && room <= SIZE_MAX / 2 / r->stride;
    char *slots = fits ? flow__block_take(world, (size_t)room * r->stride) : NULL;
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

/* Room for one more value to be given back beyond the capacity. */
static bool room_to_give_back(flow_world *world, flow_ring *r)
{
    uint32_t most =
        r->capacity == FLOW_UNBOUNDED || r->count > r->capacity ? r->count : r->capacity;
    return r->policy != FLOW_FAIL_WHEN_FULL || flow__ring_room(world, r, most + r->held + 1);
}

/* A ring without its record; false: no memory. */
bool flow__ring_make(flow_world *world, flow_ring *r, uint32_t size, uint32_t capacity,
                     uint32_t room)
{
    size_t stride = ((size_t)size + sizeof(uint32_t) + 3) & ~(size_t)3;
    bool fits = stride <= UINT32_MAX && room <= SIZE_MAX / 2 / stride;
    *r = (flow_ring){.size = size, .stride = (uint32_t)stride, .capacity = capacity, .room = room};
    r->slots = fits ? flow__block_take(world, room * stride) : NULL;
    return r->slots != NULL;
}

void flow__ring_free_if_over(flow_world *world, flow_ring *r)
{
    if (r->gone && r->held == 0) {
        flow__block_give(r->slots);
        flow__record_free(world, r->record);
        flow__block_give(r);
    }
}

/* ---- waits ---- */

static void changed(flow_world *world, flow_ring *r)
{
    if (r->record->branch == FLOW_RECORD_CHANNEL && !r->gone) {
        flow__channel_changed(world, r);
    }
    flow__ring_free_if_over(world, r);
}

/* To a wait, which holds it until its flow goes on. */
void flow__ring_hand_over(flow_world *world, flow_node *node, uint32_t number, const void *value)
{
    const flow_node *record = node->on.object;
    flow_ring *r = flow__ring_of(record);
    flow__record_leave(node);
    flow__aside_drop(world, node);
    value_copy(r, node->to.out, value);
    node->pos = number;
    r->handed++;
    flow__node_end_kept(world, node, FLOW_NODE_HELD);
}

static void let_go(flow_ring *r, flow_node *node)
{
    if (node->flags & FLOW_NODE_STASH) {
        flow__block_give(node->to.out);
        node->flags &= (uint8_t)~FLOW_NODE_STASH;
        node->to.out = NULL;
    }
    r->held--;
}

/* A wait ends without a value. */
void flow__ring_let_go(flow_world *world, flow_node *node)
{
    flow_ring *r = flow__ring_of(node->on.object);
    let_go(r, node);
    flow__ring_free_if_over(world, r);
}

/* Its flow goes on: the value is consumed. */
void flow__ring_taken(flow_world *world, flow_node *node)
{
    flow_ring *r = flow__ring_of(node->on.object);
    r->handed--;
    let_go(r, node);
    changed(world, r);
}

/* A value goes back to its place: before all that came after it. */
static void put_back(flow_ring *r, uint32_t number, const void *value)
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
    flow_ring *r = flow__ring_of(record);
    r->handed--;
    FLOW_FAULT_(5) return;
    if (record->prev != NULL) {
        flow__ring_hand_over(world, record->prev, node->pos, node->to.out);
    } else if (!r->gone) {
        put_back(r, node->pos, node->to.out);
    }
    let_go(r, node);
    changed(world, r);
}

/* Begins a wait: DONE when a value is kept, WAITS when it is to join the others. */
flow_begun flow__ring_begin(flow_world *world, flow_node *record, const flow_wait *wait,
                            flow_node *node, flow_result *result)
{
    flow_ring *r = flow__ring_of(record);
    node->on.object = record;
    node->to.out = wait->out_;
    bool holds = r->count == 0 || (node->flags & FLOW_NODE_HAS_PARENT);
    if (holds) {
        void *stash = node->to.out == NULL ? flow__block_take(world, r->size) : NULL;
        if ((node->to.out == NULL && stash == NULL) || !room_to_give_back(world, r)) {
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
    uint32_t number = flow__ring_front(r, node->to.out);
    if (wait->code_ == FLOW_NEXT_OR_CLOSED_) {
        *(int *)wait->arg_ = 0;
    }
    if (holds) {
        node->kind = FLOW_NODE_HELD;
        node->pos = number;
        r->handed++;
    }
    changed(world, r);
    return FLOW_BEGUN_DONE;
}

/* Is the record one of a ring? */
bool flow__ring_is(const flow_node *record)
{
    return record->branch == FLOW_RECORD_SUBSCRIPTION || record->branch == FLOW_RECORD_CHANNEL;
}

bool flow__ring_has(const flow_node *record)
{
    return flow__ring_is(record) && flow__ring_of(record)->count != 0;
}

int flow_try_next_(flow_source *source, void *out)
{
    const flow_node *record = flow__record(source);
    bool has = record != NULL && (record->branch == FLOW_RECORD_CHANNEL
                                      ? flow__channel_pull(record, source->world_->current)
                                      : flow__ring_has(record));
    if (!has) {
        return 0;
    }
    (void)flow__ring_front(flow__ring_of(record), out);
    changed(source->world_, flow__ring_of(record));
    return 1;
}

uint32_t flow_ring_count_(const flow_source *source)
{
    const flow_node *record = flow__record(source);
    return record && flow__ring_is(record) ? flow__ring_of(record)->count : 0;
}
