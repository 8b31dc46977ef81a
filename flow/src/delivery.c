/* SPDX-License-Identifier: MIT */
/*
 * Deliveries. Each receiver's scope gets a receipt, which is a deferred cleanup: it ends with the
 * scope, or earlier, and the last one ends the emitter's wait. Receipts are made before anything is
 * emitted. The delivery outlives an emitter that has gone, as receivers may still use the payload.
 */
#include "private.h"

struct flow_delivery {
    flow_source signal;
    flow_node *record; /* heads the emitter's wait */
    const flow_task *emitter;
    flow_node *receipts; /* not yet given out, linked by sibling */
    void *value;         /* the emitter's */
    uint32_t left;       /* receipts given out, and one while it is being emitted */
};

enum { PAYLOAD_AT = (sizeof(flow_delivery) + 15) / 16 * 16 };

static void *payload_of(flow_delivery *d)
{
    return d->value ? (char *)d + PAYLOAD_AT : NULL;
}

/* ---- making and ending ---- */

static void receipts_give(flow_world *world, flow_delivery *d)
{
    while (d->receipts != NULL) {
        flow_node *receipt = d->receipts;
        d->receipts = receipt->sibling;
        flow__aside_give(world, receipt);
    }
}

static void delivery_free(flow_world *world, flow_delivery *d)
{
    receipts_give(world, d);
    flow__record_free(world, d->record);
    flow__block_give(d);
}

static flow_delivery *delivery_make(flow_world *world, const flow_source *signal,
                                    uint32_t receivers, void *value)
{
    flow_source own;
    flow_delivery *d = flow__block_take(world, (size_t)PAYLOAD_AT + (value ? signal->size_ : 0));
    if (d == NULL) {
        return NULL;
    }
    if (flow__record_make(&own, world, 0, FLOW_RECORD_DELIVERY) != FLOW_OK) {
        flow__block_give(d);
        return NULL;
    }
    *d = (flow_delivery){.signal = *signal, .record = flow__record(&own), .value = value};
    d->left = 1;
    for (uint32_t i = 0; i < receivers; i++) {
        flow_node *receipt = flow__aside_take(world);
        if (receipt == NULL) {
            delivery_free(world, d);
            return NULL;
        }
        receipt->sibling = d->receipts;
        d->receipts = receipt;
    }
    if (value != NULL) {
        memcpy(payload_of(d), value, signal->size_);
    }
    return d;
}

/* All have finished with it. */
static void write_back(flow_delivery *d)
{
    if (d->value != NULL) {
        memcpy(d->value, payload_of(d), d->signal.size_);
    }
}

static void receipt_end(void *delivery)
{
    flow_delivery *d = delivery;
    flow_world *world = flow__world_of(d->record);
    flow_node *node = d->record->prev;
    if (--d->left != 0) {
        return;
    }
    if (node != NULL) {
        write_back(d);
        flow__leaf_unlink(world, node);
    }
    delivery_free(world, d);
    if (node != NULL) {
        flow__node_end(world, node, FLOW_OK, false);
    }
}

/* ---- receivers ---- */

/* Does the receiver go on only when the emitter has ended? */
static bool awaits_emitter(const flow_world *world, const flow_task *receiver,
                           const flow_task *emitter)
{
    while (emitter != receiver) {
        const flow_cold *cold = flow__cold(emitter);
        if (cold->joiners == 0 ||
            !(flow__node(world, cold->joiners)->flags & FLOW_NODE_OWNS)) { /* no called flow */
            return false;
        }
        emitter = flow__task(world, cold->owner);
    }
    return true;
}

/* A wait gets the value that is being emitted. */
void flow__delivery_reaches(flow_world *world, flow_delivery *d, const flow_node *node)
{
    flow_task *task = flow__node_task(node);
    flow_node *receipt = d->receipts;
    if (receipt == NULL || awaits_emitter(world, task, d->emitter)) {
        return;
    }
    d->receipts = receipt->sibling;
    receipt->kind = FLOW_NODE_DEFER;
    receipt->on.cleanup = receipt_end;
    receipt->to.arg = d;
    flow__resource_push(task, receipt);
    d->left++;
}

/* The next receipt of the signal among the top scope's resources, from `node` on. */
static flow_node *receipt_from(const flow_task *flow, const flow_source *signal, flow_node *node)
{
    for (; node != NULL && node->up.frame == flow->top_; node = node->sibling) {
        if (node->kind == FLOW_NODE_DEFER && node->on.cleanup == receipt_end) {
            const flow_delivery *d = node->to.arg;
            if (d->signal.id_ == signal->id_ && d->signal.generation_ == signal->generation_) {
                return node;
            }
        }
    }
    return NULL;
}

static flow_node *receipt_of(const flow_task *flow, const flow_source *signal)
{
    uint32_t newest = flow__cold(flow)->resources;
    return newest ? receipt_from(flow, signal, flow__node(flow__world_of(flow), newest)) : NULL;
}

/* The top scope has finished with what it has received through the signal. */
void flow__receipts_end(flow_task *flow, const flow_source *signal)
{
    flow_node *receipt = receipt_of(flow, signal);
    while (receipt != NULL) {
        flow_node *older = receipt->sibling;
        void *delivery = receipt->to.arg;
        flow__resource_remove(flow, receipt);
        receipt_end(delivery);
        receipt = receipt_from(flow, signal, older);
    }
}

void flow_finish_(flow_task *flow, const flow_signal *signal)
{
    flow__receipts_end(flow, signal);
}

int flow_payload_(flow_task *flow, const flow_signal *signal, void *out)
{
    const flow_node *receipt = receipt_of(flow, signal);
    void *payload = receipt ? payload_of(receipt->to.arg) : NULL;
    memcpy(out, &payload, sizeof payload);
    return payload != NULL;
}

/* ---- emitting ---- */

flow_begun flow__delivery_begin(flow_world *world, const flow_task *task, flow_node *record,
                                const flow_wait *wait, flow_node *node, flow_result *result)
{
    flow_delivery *d = delivery_make(world, wait->object_, record->pos, wait->out_);
    if (d == NULL) {
        return flow__begun_failed(result, FLOW_NOMEM, "no memory for a delivery");
    }
    d->emitter = task;
    record->flags |= FLOW_NODE_DELIVERS;
    flow__signal_give(&d->signal, payload_of(d), d);
    receipts_give(world, d);
    if (--d->left == 0) {
        write_back(d);
        delivery_free(world, d);
        return FLOW_BEGUN_DONE;
    }
    node->to.out = NULL;
    flow__record_join(d->record, node, FLOW_NODE_SIGNAL);
    return FLOW_BEGUN_WAITS;
}
