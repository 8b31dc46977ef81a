/* SPDX-License-Identifier: MIT */
/*
 * Signals. The host's struct names a record in the world, which heads the list of waiting nodes,
 * oldest first. To emit is to copy the value to each and to queue its flow; no code of a user's
 * runs meanwhile, so the list at that moment is all there is.
 */
#include "private.h"

/* The live record a signal names, or null. */
flow_node *flow__signal_record(const flow_signal *signal)
{
    if (signal->world_ == NULL || signal->id_ == 0) {
        return NULL;
    }
    flow_node *record = flow__node(signal->world_, signal->id_);
    return record->kind == FLOW_NODE_RECORD && record->seq == signal->generation_ ? record : NULL;
}

flow_status flow_signal_init_(flow_signal *signal, flow_world *world, uint32_t size)
{
    flow_node *record = flow__node_take(world);
    *signal = (flow_signal){NULL, 0, 0, 0};
    if (record == NULL) {
        return FLOW_NOMEM;
    }
    world->count.waits--; /* a record is no wait */
    record->kind = FLOW_NODE_RECORD;
    record->seq = ++world->signal_generation;
    *signal = (flow_signal){world, flow__node_id(record), record->seq, size};
    return FLOW_OK;
}

static flow_node *first_out(flow_world *world, flow_node *record)
{
    flow_node *node = record->prev;
    if (node != NULL) {
        flow__leaf_unlink(world, node);
    }
    return node;
}

void flow_signal_close_(flow_signal *signal)
{
    flow_node *record = flow__signal_record(signal);
    if (record == NULL) {
        return;
    }
    record->flags |= FLOW_NODE_CLOSED;
    for (flow_node *node; (node = first_out(signal->world_, record)) != NULL;) {
        flow__node_end(signal->world_, node, FLOW_CLOSED, false);
    }
}

void flow_signal_fini_(flow_signal *signal)
{
    flow_node *record = flow__signal_record(signal);
    if (record != NULL) {
        flow_signal_close_(signal);
        signal->world_->count.waits++;
        flow__node_give(signal->world_, record);
    }
    *signal = (flow_signal){signal->world_, 0, 0, 0};
}

uint32_t flow_emit_(flow_signal *signal, const void *value)
{
    flow_node *record = flow__signal_record(signal);
    uint32_t receivers = 0;
    if (record == NULL || (record->flags & FLOW_NODE_CLOSED)) {
        return 0;
    }
    for (flow_node *node; (node = first_out(signal->world_, record)) != NULL; receivers++) {
        if (node->to.out != NULL && value != NULL) {
            memcpy(node->to.out, value, signal->size_);
        }
        flow__node_end(signal->world_, node, 0, false);
    }
    return receivers;
}

uint32_t flow_signal_waiters_(const flow_signal *signal)
{
    const flow_node *record = flow__signal_record(signal);
    return record ? record->pos : 0;
}
