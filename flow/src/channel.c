/* SPDX-License-Identifier: MIT */
/*
 * Channels. Values and receives are a ring's. Sends that wait stand on a record of their own, and
 * so do those who watch for something to read, and for the end. The senders' record closes with the
 * channel; the receivers' closes when nothing is kept any more and no value is on its way to a
 * flow, which may yet give it back.
 */
#include "ring.h"
#include "tape.h"

typedef struct channel {
    flow_ring ring;
    flow_node *senders;
    flow_node *readable; /* who waits for something to read */
    flow_node *drained;  /* who waits for the end */
    flow_task *lease;    /* whose it is, or null */
    flow_node *release;  /* the deferred cleanup of the lease */
} channel;

enum { UNBOUNDED_ROOM = 8 };

static bool is_closed(const channel *c)
{
    return c->senders->flags & FLOW_NODE_CLOSED;
}

static channel *channel_of(const flow_channel *named)
{
    const flow_node *record = flow__record(named);
    return record != NULL && record->branch == FLOW_RECORD_CHANNEL ? record->to.value : NULL;
}

/* ---- what happens when something has changed ---- */

static void tell_all(flow_world *world, const flow_node *record)
{
    while (record->prev != NULL) {
        flow_node *node = record->prev;
        flow__leaf_unlink(world, node);
        flow__node_end(world, node, FLOW_OK, false);
    }
}

/* Closed, and nothing is to come out any more. */
static void tell_end(flow_world *world, channel *c)
{
    int code = c->senders->code;
    const char *message = c->senders->up.message;
    flow__record_close(world, c->ring.record, code, message);
    flow__record_close(world, c->readable, code, message);
    if (code == FLOW_CLOSED) {
        tell_all(world, c->drained);
    } else {
        flow__record_close(world, c->drained, code, message);
    }
}

/* The first waiting send: its value is kept. */
static void admit(flow_world *world, channel *c)
{
    flow_node *node = c->senders->prev;
    flow__ring_add(&c->ring, node->to.out);
    flow__leaf_unlink(world, node);
    flow__node_end(world, node, FLOW_OK, false);
}

void flow__channel_changed(flow_world *world, flow_ring *r)
{
    channel *c = (channel *)(void *)r;
    while (c->senders->prev != NULL && r->count < r->capacity) {
        admit(world, c);
    }
    if (r->count != 0) {
        tell_all(world, c->readable);
    } else if (is_closed(c) && r->handed == 0) {
        tell_end(world, c);
    }
}

/* ---- making and ending ---- */

static flow_node *record_make(flow_world *world, flow_record_type type)
{
    flow_source made;
    return flow__record_make(&made, world, 0, type) == FLOW_OK ? flow__record(&made) : NULL;
}

static void channel_free(flow_world *world, channel *c)
{
    flow_node *records[] = {c->senders, c->readable, c->drained};
    for (size_t i = 0; i < sizeof records / sizeof *records; i++) {
        if (records[i] != NULL) {
            flow__record_free(world, records[i]);
        }
    }
}

flow_status flow_channel_init_(flow_channel *named, flow_world *world, uint32_t size,
                               uint32_t capacity)
{
    uint32_t room = capacity == FLOW_UNBOUNDED ? UNBOUNDED_ROOM : capacity == 0 ? 1 : capacity;
    channel *c = flow__block_take(world, sizeof *c);
    *named = (flow_channel){NULL, 0, 0, 0};
    if (c == NULL) {
        return FLOW_NOMEM;
    }
    *c = (channel){.senders = record_make(world, FLOW_RECORD_SENDERS),
                   .readable = record_make(world, FLOW_RECORD_READABLE),
                   .drained = record_make(world, FLOW_RECORD_DRAINED)};
    bool ring = flow__ring_make(world, &c->ring, size, capacity, room);
    c->ring.policy = FLOW_FAIL_WHEN_FULL; /* what is given back is kept */
    if (c->senders != NULL && c->readable != NULL && c->drained != NULL && ring &&
        flow__record_make(named, world, size, FLOW_RECORD_CHANNEL) == FLOW_OK) {
        c->ring.record = flow__record(named);
        c->ring.record->to.value = c;
        return FLOW_OK;
    }
    channel_free(world, c);
    if (ring) {
        flow__block_give(c->ring.slots);
    }
    flow__block_give(c);
    return FLOW_NOMEM;
}

static void lease_end(void *leased)
{
    channel *c = leased;
    c->lease = NULL;
}

void flow_channel_fini_(flow_channel *named)
{
    channel *c = channel_of(named);
    flow_world *world = named->world_;
    *named = (flow_channel){world, 0, 0, 0};
    if (c == NULL) {
        return;
    }
    if (c->lease != NULL) {
        flow__resource_remove(c->lease, c->release);
    }
    flow__record_close(world, c->senders, FLOW_CLOSED, NULL);
    c->ring.count = 0;
    tell_end(world, c);
    c->ring.record->seq = ++world->record_generation; /* nobody finds it from now on */
    c->ring.gone = true;
    channel_free(world, c);
    flow__ring_free_if_over(world, &c->ring);
}

void flow_channel_close_(const flow_channel *named, int code, const char *message)
{
    channel *c = channel_of(named);
    if (c != NULL && flow__listened(named->world_)) {
        flow__tape_source(FLOW_INPUT_CLOSE, named, NULL, code, message);
    }
    if (c != NULL) {
        flow__record_close(named->world_, c->senders, code, message);
        flow__channel_changed(named->world_, &c->ring);
    }
}

void flow_channel_fail_(const flow_channel *named, int code, const char *message)
{
    if (code == FLOW_OK) {
        (void)flow__misuse(named->world_, NULL,
                           "flow_channel_fail with the code 0, which is success");
        code = FLOW_MISUSE;
    }
    flow_channel_close_(named, code, message);
}

/* ---- sending ---- */

/* Without waiting: OK, FULL, NOMEM, or as what the channel is closed. */
static int send_now(flow_world *world, channel *c, const void *value)
{
    flow_ring *r = &c->ring;
    if (is_closed(c)) {
        return c->senders->code;
    }
    if (r->record->prev != NULL) {
        flow__ring_hand_over(world, r->record->prev, r->number++, value);
        return FLOW_OK;
    }
    if (c->senders->prev != NULL || r->count >= r->capacity) {
        return FLOW_FULL;
    }
    if (r->capacity == FLOW_UNBOUNDED && !flow__ring_room(world, r, r->count + r->held + 1)) {
        return FLOW_NOMEM;
    }
    flow__ring_add(r, value);
    tell_all(world, c->readable);
    return FLOW_OK;
}

int flow_channel_try_send_(const flow_channel *named, const void *value)
{
    if (named->world_ != NULL &&
        flow__elsewhere(named->world_, "flow_try_send: called on another thread than the world's; "
                                       "there, flow_send_any_thread does it")) {
        return FLOW_MISUSE;
    }
    channel *c = channel_of(named);
    if (c != NULL && flow__listened(named->world_)) {
        flow__tape_source(FLOW_INPUT_SEND, named, value, FLOW_OK, NULL);
    }
    return c ? send_now(named->world_, c, value) : (int)FLOW_CLOSED;
}

/* What another thread has sent, which is neither to wait nor to overtake those who do. */
void flow__channel_arrives(const flow_channel *named, const void *value)
{
    flow_world *world = named->world_;
    channel *c = channel_of(named);
    if (c == NULL || is_closed(c)) {
        return;
    }
    flow_ring *r = &c->ring;
    bool waits = r->record->prev == NULL;
    if (waits && !flow__ring_room(world, r, r->count + r->held + c->senders->pos + 1)) {
        flow_channel_close_(named, FLOW_NOMEM, "no memory for what another thread has sent");
    } else if (waits) {
        while (c->senders->prev != NULL) {
            admit(world, c);
        }
        flow__ring_add(r, value);
        tell_all(world, c->readable);
    } else {
        flow__ring_hand_over(world, r->record->prev, r->number++, value);
    }
}

static flow_begun begin_send(flow_world *world, channel *c, const flow_wait *wait, flow_node *node,
                             flow_result *result)
{
    int code = send_now(world, c, wait->out_);
    if (code == FLOW_OK) {
        return FLOW_BEGUN_DONE;
    }
    if (code != FLOW_FULL || is_closed(c)) {
        const char *message = is_closed(c) ? c->senders->up.message : "no memory for a value";
        return flow__begun_failed(result, code, message ? message : flow_status_text(code));
    }
    node->to.out = wait->out_;
    flow__record_join(c->senders, node, FLOW_NODE_SIGNAL);
    tell_all(world, c->readable); /* where there is no capacity: else nobody waits for that */
    return FLOW_BEGUN_WAITS;
}

/* ---- receiving, watching ---- */

/* A lease keeps others out. */
static bool may_receive(const flow_node *record, const flow_task *task)
{
    flow_world *world = flow__world_of(record);
    const channel *c = record->to.value;
    if (c->lease == NULL || (task != NULL && flow__owns(world, c->lease, task))) {
        return true;
    }
    (void)flow__misuse(world, task, "a receive on a channel that another flow has leased");
    return false;
}

/* Is something to be received? Where there is no capacity, it is taken from the first send that
 * waits. */
static bool pull(flow_world *world, channel *c)
{
    if (c->ring.count == 0 && c->senders->prev != NULL &&
        flow__ring_room(world, &c->ring, c->ring.held + 1)) {
        admit(world, c);
    }
    return c->ring.count != 0;
}

bool flow__channel_pull(const flow_node *record, const flow_task *task)
{
    return may_receive(record, task) && pull(flow__world_of(record), record->to.value);
}

flow_begun flow__channel_receive(flow_world *world, const flow_task *task, flow_node *record,
                                 const flow_wait *wait, flow_node *node, flow_result *result)
{
    channel *c = record->to.value;
    if (!may_receive(record, task)) {
        return flow__begun_failed(result, FLOW_MISUSE,
                                  "a receive on a channel that another flow has leased");
    }
    (void)pull(world, c);
    return flow__ring_begin(world, record, wait, node, result);
}

/* Every wait on a channel but a receive. */
flow_begun flow__channel_begin(flow_world *world, flow_node *record, const flow_wait *wait,
                               flow_node *node, flow_result *result)
{
    channel *c = record->to.value;
    bool over = record->flags & FLOW_NODE_CLOSED;
    if (wait->code_ == FLOW_NEXT_SEND_) {
        return begin_send(world, c, wait, node, result);
    }
    if (over) {
        return flow__begin_closed(wait, record, result);
    }
    if (wait->code_ == FLOW_NEXT_DRAINED_) {
        flow__record_join(c->drained, node, FLOW_NODE_SIGNAL);
        return FLOW_BEGUN_WAITS;
    }
    if (c->ring.count != 0 || c->senders->prev != NULL) {
        if (wait->arg_ != NULL) {
            *(int *)wait->arg_ = 0;
        }
        return FLOW_BEGUN_DONE;
    }
    if (wait->arg_ != NULL && !flow__aside_made(world, wait, node)) {
        return flow__begun_failed(result, FLOW_NOMEM, "no memory for a wait");
    }
    flow__record_join(c->readable, node, FLOW_NODE_SIGNAL);
    return FLOW_BEGUN_WAITS;
}

flow_status flow_channel_lease_(flow_task *flow, const flow_channel *named)
{
    channel *c = channel_of(named);
    if (c == NULL) {
        return FLOW_CLOSED;
    }
    if (c->lease != NULL || c->ring.record->prev != NULL) {
        return FLOW_BUSY;
    }
    if (flow_defer(flow, lease_end, c) != FLOW_OK) {
        return FLOW_NOMEM;
    }
    c->lease = flow;
    c->release = flow__node(flow__world_of(flow), flow__cold(flow)->resources);
    return FLOW_OK;
}

void flow_channel_release_(flow_task *flow, const flow_channel *named)
{
    channel *c = channel_of(named);
    if (c != NULL && c->lease == flow) {
        flow__resource_remove(flow, c->release);
        c->lease = NULL;
    } else if (c != NULL) {
        (void)flow__misuse(named->world_, flow, "flow_channel_release by a flow that has no lease");
    }
}
