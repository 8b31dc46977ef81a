/* SPDX-License-Identifier: MIT */
/*
 * Records: what stands in the world for a signal and its like. The host's struct names it by id and
 * generation; the record heads the list of waiting nodes, oldest first.
 *
 * Whoever visits that list may call conditions of the user's, which may do anything: a visit knows
 * the first and the last of what is still to come, and a node that leaves takes itself out of every
 * visit. What joins meanwhile stands behind the last.
 */
#include "completion.h"

flow_status flow__record_make(flow_source *source, flow_world *world, uint32_t size,
                              flow_record_type type)
{
    flow_node *record = flow__aside_take(world);
    *source = (flow_source){NULL, 0, 0, 0};
    if (record == NULL) {
        return FLOW_NOMEM;
    }
    record->kind = FLOW_NODE_RECORD;
    record->branch = (uint16_t)type;
    record->seq = ++world->record_generation;
    record->code = (int32_t)size;
    *source = (flow_source){world, flow__node_id(record), record->seq, size};
    return FLOW_OK;
}

const char *flow__record_type_name(uint32_t type)
{
    static const char *const names[] = {"signal",
                                        "once",
                                        "property",
                                        "subscription",
                                        "completion",
                                        "set",
                                        "receivers",
                                        "cancel source",
                                        "channel",
                                        "room in channel",
                                        "value in channel",
                                        "end of channel",
                                        "semaphore",
                                        "mutex",
                                        "event",
                                        "event",
                                        "barrier"};
    return names[type];
}

const char *flow__record_name(const flow_node *record)
{
    return flow__record_type_name(record->branch);
}

/* One that nothing waits on any more. */
void flow__record_free(flow_world *world, flow_node *record)
{
    flow__aside_give(world, record);
}

/* ---- visits ---- */

/* False: refused, because conditions have nested too deep. */
bool flow__visit_begin(flow_visit *visit, flow_node *record, const void *value)
{
    flow_visit *outer = record->on.visit;
    *visit = (flow_visit){record, record->seq,  outer ? outer->depth + 1 : 1,
                          0,      record->prev, record->next,
                          value,  outer,        NULL};
    if (visit->depth > FLOW_NESTING_LIMIT) {
        (void)flow__misuse(flow__world_of(record), NULL,
                           "a condition on a value gives a new value, again and again");
        return false;
    }
    record->on.visit = visit;
    return true;
}

flow_node *flow__visit_next(flow_visit *visit)
{
    flow_node *node = visit->next;
    FLOW_FAULT_(4) visit->last = NULL;
    if (node != NULL) {
        visit->next = node == visit->last ? NULL : node->next;
    }
    return node;
}

void flow__visit_end(const flow_visit *visit)
{
    flow_node *record = visit->record;
    if (record->kind == FLOW_NODE_RECORD && record->seq == visit->generation) {
        record->on.visit = visit->outer;
    }
}

/* ---- waiting ---- */

static void held_take(flow_world *world, flow_node *node)
{
    const flow_node *record = node->on.object;
    node->kind = FLOW_NODE_DONE;
    if (record->branch == FLOW_RECORD_SET) {
        flow__each_take(world, node);
    } else if (record->branch >= FLOW_RECORD_SEMAPHORE) {
        flow__permit_taken(world, node);
    } else {
        flow__ring_taken(world, node);
    }
}

/* The flow ended before it went on, or the wait lost. */
void flow__held_give_back(flow_world *world, flow_node *node)
{
    const flow_node *record = node->on.object;
    if (record->branch == FLOW_RECORD_SET) {
        flow__each_give_back(world, node);
    } else if (record->branch >= FLOW_RECORD_SEMAPHORE) {
        flow__permit_give_back(world, node);
    } else {
        flow__ring_give_back(world, node);
    }
}

/* The flow goes on: what its wait holds, or the waits in a composition, is its own from now on. */
void flow__value_take(flow_world *world, flow_node *root)
{
    for (flow_node *node = root; node != NULL; node = flow__tree_next(root, node)) {
        if (node->kind == FLOW_NODE_CHANGED) {
            flow__property_seen(world, node);
        } else if (node->kind == FLOW_NODE_HELD) {
            held_take(world, node);
        } else if (node->kind == FLOW_NODE_MOVED) {
            flow__moved_take(node);
        }
    }
}

/* A wait is over, whether its value came or not. */
void flow__waiter_drop(flow_world *world, flow_node *node)
{
    const flow_node *record = node->on.object;
    flow__record_leave(node);
    flow__aside_drop(world, node);
    if (flow__ring_is(record)) {
        flow__ring_let_go(world, node);
    }
}

/* Does a value fulfil the condition of a wait, if it has one? False also when the condition itself
 * has ended the wait. */
bool flow__matches(flow_world *world, const flow_node *node, const void *value)
{
    const flow_node *aside = node->pos ? flow__node(world, node->pos) : NULL;
    if (aside == NULL || aside->on.match == NULL) {
        return true;
    }
    uint32_t seq = node->seq;
    bool inside = world->inside;
    world->inside = true;
    bool holds = aside->on.match(value, aside->to.arg) != 0;
    world->inside = inside;
    return holds && node->kind == FLOW_NODE_SIGNAL && node->seq == seq;
}

/* A wait on what is closed. */
flow_begun flow__begin_closed(const flow_wait *wait, const flow_node *record, flow_result *result)
{
    int code = record ? record->code : FLOW_CLOSED;
    if (wait->code_ == FLOW_NEXT_GONE_) {
        return FLOW_BEGUN_DONE; /* its owner went between the making of the wait and its begin */
    }
    if (wait->code_ == FLOW_NEXT_DRAINED_ && code == FLOW_CLOSED) {
        return FLOW_BEGUN_DONE;
    }
    bool tells = wait->code_ == FLOW_NEXT_OR_CLOSED_ || wait->code_ == FLOW_NEXT_READABLE_;
    if (tells && wait->arg_ != NULL && code == FLOW_CLOSED) {
        *(int *)wait->arg_ = 1;
        return FLOW_BEGUN_DONE;
    }
    const char *message = record ? record->up.message : NULL;
    return flow__begun_failed(result, code, message ? message : flow_status_text(code));
}

/* What the wait needs beside its node. */
bool flow__aside_made(flow_world *world, const flow_wait *wait, flow_node *node)
{
    flow_node *aside = flow__aside_take(world);
    if (aside == NULL) {
        return false;
    }
    aside->kind = FLOW_NODE_ASIDE;
    aside->branch = (uint16_t)wait->code_;
    if (wait->code_ == FLOW_NEXT_OR_CLOSED_ || wait->code_ == FLOW_NEXT_READABLE_) {
        aside->branch = FLOW_NEXT_OR_CLOSED_;
        aside->up.closed = wait->arg_;
        *aside->up.closed = 0;
    } else if (wait->code_ == FLOW_NEXT_CHANGED_) {
        aside->up.seen = wait->arg_;
    } else {
        aside->on.match = wait->match_;
        aside->to.arg = wait->arg_;
    }
    node->pos = flow__node_id(aside);
    return true;
}

/* What those that keep something look at first. WAITS: the wait is to join the others. */
static flow_begun kind_begin(flow_world *world, flow_task *task, flow_node *record,
                             const flow_wait *wait, flow_node *node, flow_result *result)
{
    switch (record->branch) {
    case FLOW_RECORD_PROPERTY:
        return flow__property_begin(world, record, wait, result);
    case FLOW_RECORD_SUBSCRIPTION:
        return flow__ring_begin(world, record, wait, node, result);
    case FLOW_RECORD_CHANNEL:
        return flow__channel_receive(world, task, record, wait, node, result);
    case FLOW_RECORD_SET:
        return flow__each_begin(world, task, record, wait, node, result);
    case FLOW_RECORD_SEMAPHORE:
    case FLOW_RECORD_MUTEX:
    case FLOW_RECORD_EVENT:
    case FLOW_RECORD_AUTO_EVENT:
    case FLOW_RECORD_BARRIER:
        return flow__sync_begin(world, task, record, wait, node, result);
    default:
        return FLOW_BEGUN_WAITS;
    }
}

flow_begun flow__record_wait(flow_world *world, flow_task *task, const flow_wait *wait,
                             flow_node *node, flow_result *result)
{
    const flow_source *source = wait->object_;
    if (source->world_ != NULL && source->world_ != world) {
        (void)flow__misuse_at(world, task, "a wait on what belongs to another world", NULL);
        return flow__begun_failed(result, FLOW_MISUSE, "a wait on what belongs to another world");
    }
    flow_node *record = flow__record(source);
    if (record != NULL && (record->flags & FLOW_NODE_DELIVERS) && wait->code_ != FLOW_NEXT_EMIT_) {
        flow__receipts_end(task, source);
    }
    if (record != NULL && record->branch == FLOW_RECORD_COMPLETION &&
        !flow__completion_wanted(world, record)) {
        record = NULL;
    }
    if (record != NULL && record->branch == FLOW_RECORD_CHANNEL && wait->code_ >= FLOW_NEXT_SEND_) {
        return flow__channel_begin(world, record, wait, node, result);
    }
    if (record != NULL && flow__once_read(record, source->size_, wait->out_)) {
        flow__completion_received(world, record);
        return FLOW_BEGUN_DONE;
    }
    node->to.out = wait->out_;
    bool kept = record != NULL && flow__ring_has(record);
    if (record == NULL || ((record->flags & FLOW_NODE_CLOSED) && !kept)) {
        flow_begun begun = flow__begin_closed(wait, record, result);
        if (record != NULL) {
            flow__completion_received(world, record);
        }
        return begun;
    }
    if (wait->code_ == FLOW_NEXT_EMIT_) {
        return flow__delivery_begin(world, task, record, wait, node, result);
    }
    flow_begun begun = kind_begin(world, task, record, wait, node, result);
    if (begun != FLOW_BEGUN_WAITS) {
        return begun;
    }
    bool plain = wait->code_ == FLOW_NEXT_ || wait->code_ == FLOW_NEXT_GONE_ ||
                 wait->code_ == FLOW_NEXT_ACQUIRE_;
    if (!plain && !flow__aside_made(world, wait, node)) {
        if (flow__ring_is(record)) {
            flow__ring_let_go(world, node);
        }
        return flow__begun_failed(result, FLOW_NOMEM, "no memory for a wait");
    }
    flow__record_join(record, node, FLOW_NODE_SIGNAL);
    return FLOW_BEGUN_WAITS;
}

/* ---- closing ---- */

/* A waiter learns of the close. */
static void tell_closed(flow_world *world, flow_node *node, int code, const char *message)
{
    if (node->kind == FLOW_NODE_FEED) {
        flow__ring_close(world, node->to.value, code, message);
        return;
    }
    const flow_node *aside = node->pos ? flow__node(world, node->pos) : NULL;
    if (aside != NULL && aside->branch == FLOW_NEXT_OR_CLOSED_ && code == FLOW_CLOSED) {
        *aside->up.closed = 1;
        code = FLOW_OK;
    }
    flow__leaf_unlink(world, node);
    if (code != FLOW_OK && message != NULL) {
        node->flags |= FLOW_NODE_SAYS;
        node->on.message = message;
    }
    flow__node_end(world, node, code, false);
}

/* Ends the waits on a record, those of now and those to come. The first close counts. */
void flow__record_close(flow_world *world, flow_node *record, int code, const char *message)
{
    if (!(record->flags & FLOW_NODE_CLOSED)) {
        record->flags |= FLOW_NODE_CLOSED;
        record->code = code;
        record->up.message = message;
    }
    while (record->prev != NULL) {
        tell_closed(world, record->prev, record->code, record->up.message);
    }
}
