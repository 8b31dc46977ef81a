/* SPDX-License-Identifier: MIT */
/*
 * Signals. To emit is to copy the value to each wait and to queue its flow. Conditions of the
 * user's run meanwhile; one that emits the same signal again first lets the earlier value reach all
 * its receivers, so that everybody sees values in order.
 */
#include "tape.h"

flow_status flow_signal_init_(flow_signal *signal, flow_world *world, uint32_t size)
{
    return flow__record_make(signal, world, size, FLOW_RECORD_SIGNAL);
}

static void close_tell(const flow_signal *signal, int code, const char *message)
{
    if (flow__listened(signal->world_)) {
        flow__tape_source(FLOW_INPUT_CLOSE, signal, NULL, code, message);
    }
}

void flow_signal_close_(flow_signal *signal)
{
    flow_node *record = flow__record(signal);
    if (record != NULL && record->branch != FLOW_RECORD_CHANNEL) {
        close_tell(signal, FLOW_CLOSED, NULL);
        flow__record_close(signal->world_, record, FLOW_CLOSED, NULL);
    }
}

void flow_signal_fail_(flow_signal *signal, int code, const char *message)
{
    flow_node *record = flow__record(signal);
    if (record == NULL) {
        return;
    }
    if (code == FLOW_OK) {
        (void)flow__misuse(signal->world_, NULL,
                           "flow_signal_fail with the code 0, which is success");
        code = FLOW_MISUSE;
    }
    close_tell(signal, code, message);
    flow__record_close(signal->world_, record, code, message);
}

void flow_signal_fini_(flow_signal *signal)
{
    flow_node *record = flow__record(signal);
    if (record != NULL) {
        flow_signal_close_(signal);
        flow__record_free(signal->world_, record);
    }
    *signal = (flow_signal){signal->world_, 0, 0, 0};
}

static void deliver(flow_world *world, flow_visit *visit, uint32_t size)
{
    for (flow_node *node; (node = flow__visit_next(visit)) != NULL;) {
        if (node->kind == FLOW_NODE_FEED) {
            flow__ring_put(world, node->to.value, visit->value);
            visit->reached++;
            continue;
        }
        if (node->pos != 0 && !flow__matches(world, node, visit->value)) {
            continue;
        }
        flow__record_leave(node); /* as flow__leaf_unlink does, for a signal's */
        flow__aside_drop(world, node);
        if (node->to.out != NULL && visit->value != NULL) {
            flow__value_copy(node->to.out, visit->value, size);
        }
        visit->reached++;
        if (visit->delivery != NULL) {
            flow__delivery_reaches(world, visit->delivery, node);
        }
        flow__node_end(world, node, 0, false);
    }
}

/* Gives the value to those who wait for the signal, which a condition may end meanwhile. */
uint32_t flow__signal_give(const flow_source *signal, const void *value, flow_delivery *delivery)
{
    flow_node *record = flow__record(signal);
    if (record == NULL || (record->flags & FLOW_NODE_CLOSED)) {
        return 0;
    }
    flow_source given = *signal; /* a condition may free what holds it */
    flow_world *world = given.world_;
    if (record->on.visit != NULL) {
        deliver(world, record->on.visit, given.size_);
    }
    flow_visit visit;
    if (flow__record(&given) != record || !flow__visit_begin(&visit, record, value)) {
        return 0;
    }
    visit.delivery = delivery;
    deliver(world, &visit, given.size_);
    flow__visit_end(&visit);
    return visit.reached;
}

uint32_t flow_emit_(flow_signal *signal, const void *value)
{
    if (signal->world_ != NULL &&
        flow__elsewhere(signal->world_, "flow_emit: called on another thread than the world's; "
                                        "there, flow_emit_any_thread does it")) {
        return 0;
    }
    flow_world *world = signal->world_;
    if (world != NULL && flow__listened(world)) {
        flow__tape_source(FLOW_INPUT_EMIT, signal, value, FLOW_OK, NULL);
    }
    uint32_t reached = flow__signal_give(signal, value, NULL);
    if (world != NULL) {
        flow__outermost(world); /* a full subscription may have failed a scope */
    }
    return reached;
}

uint32_t flow_signal_waiters_(const flow_signal *signal)
{
    const flow_node *record = flow__record(signal);
    return record ? record->pos : 0;
}
