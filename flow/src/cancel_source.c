/* SPDX-License-Identifier: MIT */
/*
 * Cancel sources. A record for the waits, which is closed well while the source is cancelled, and
 * what is linked to it. Cancelling takes the links off the source before it follows them, so that
 * whatever cleanups do to the source meets one that has none; lists of links that are being
 * followed form a queue, so that sources linked to sources need no C stack.
 */
#include "tape.h"

#include <math.h>

/* A flow or group, or a source's record. */
typedef struct cancel_link {
    uint32_t id, generation;
    bool is_source;
} cancel_link;

typedef struct cancel_list {
    struct cancel_list *next; /* to be followed after it */
    uint32_t count, capacity;
    cancel_link links[];
} cancel_list;

/* What a record of this type has beside it. */
typedef struct cancel_state {
    cancel_list *list; /* or null */
    flow_handle timer;
} cancel_state;

static cancel_state *state_of(const flow_node *record)
{
    return record->to.value;
}

static flow_node *record_of(const flow_cancel_source *source)
{
    return flow__record(&source->source_);
}

static bool is_cancelled(const flow_node *record)
{
    return record->flags & FLOW_NODE_CLOSED;
}

/* ---- making and ending ---- */

flow_status flow_cancel_source_init(flow_cancel_source *source, flow_world *world)
{
    cancel_state *state = flow__block_take(world, sizeof *state);
    flow_status status =
        state ? flow__record_make(&source->source_, world, 0, FLOW_RECORD_CANCEL) : FLOW_NOMEM;
    if (status != FLOW_OK) {
        *source = (flow_cancel_source){{NULL, 0, 0, 0}};
        if (state != NULL) {
            flow__block_give(state);
        }
        return status;
    }
    *state = (cancel_state){NULL, {0, 0}};
    record_of(source)->to.value = state;
    return FLOW_OK;
}

static void timer_stop(flow_world *world, cancel_state *state)
{
    flow_task *timer = flow__task_of(world, state->timer);
    state->timer = (flow_handle){0, 0};
    if (timer != NULL) {
        (void)flow__cancel(world, timer, FLOW_CAUSE_EXPLICIT);
    }
}

void flow_cancel_source_fini(flow_cancel_source *source)
{
    flow_node *record = record_of(source);
    flow_world *world = source->source_.world_;
    *source = (flow_cancel_source){{world, 0, 0, 0}};
    if (record != NULL) {
        cancel_state *state = state_of(record);
        timer_stop(world, state);
        flow__record_close(world, record, FLOW_CLOSED, NULL);
        flow__record_free(world, record);
        if (state->list != NULL) {
            flow__block_give(state->list);
        }
        flow__block_give(state);
    }
}

/* ---- links ---- */

static flow_node *linked_record(flow_world *world, const cancel_link *link)
{
    flow_source source = {world, link->id, link->generation, 0};
    return link->is_source ? flow__record(&source) : NULL;
}

static flow_task *linked_flow(const flow_world *world, const cancel_link *link)
{
    flow_handle handle = {link->id, link->generation};
    return link->is_source ? NULL : flow__task_of(world, handle);
}

/* Forgets what has ended. */
static void list_prune(flow_world *world, cancel_list *list)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        if (linked_flow(world, &list->links[i]) != NULL ||
            linked_record(world, &list->links[i]) != NULL) {
            list->links[kept++] = list->links[i];
        }
    }
    list->count = kept;
}

/* Makes room for one more, twice as much when most of what is there still lives: so a source that
 * lives long keeps little more than what lives with it. */
static bool list_make_room(flow_world *world, cancel_state *state)
{
    cancel_list *old = state->list;
    uint32_t capacity = 4;
    if (old != NULL) {
        list_prune(world, old);
        if (old->count < old->capacity / 2) {
            return true;
        }
        capacity = 2 * old->capacity;
    }
    cancel_list *list = flow__block_take(world, sizeof *list + capacity * sizeof list->links[0]);
    if (list == NULL) {
        return old != NULL && old->count < old->capacity;
    }
    *list = (cancel_list){NULL, 0, capacity};
    if (old != NULL) {
        list->count = old->count;
        memcpy(list->links, old->links, old->count * sizeof list->links[0]);
        flow__block_give(old);
    }
    state->list = list;
    return true;
}

static flow_status link_add(flow_world *world, const flow_node *record, cancel_link link)
{
    cancel_state *state = state_of(record);
    bool full = state->list == NULL || state->list->count == state->list->capacity;
    if (full && !list_make_room(world, state)) {
        return FLOW_NOMEM;
    }
    state->list->links[state->list->count++] = link;
    return FLOW_OK;
}

flow_status flow_cancel_link(flow_cancel_source *source, flow_handle flow)
{
    const flow_node *record = record_of(source);
    flow_world *world = source->source_.world_;
    if (record == NULL) {
        return FLOW_CLOSED;
    }
    if (flow__task_of(world, flow) == NULL) {
        return FLOW_STALE;
    }
    if (is_cancelled(record)) {
        (void)flow_cancel(world, flow);
        return FLOW_OK;
    }
    return link_add(world, record, (cancel_link){flow.slot, flow.generation, false});
}

flow_status flow_cancel_link_source(flow_cancel_source *source, const flow_cancel_source *other)
{
    const flow_node *record = record_of(source);
    flow_world *world = source->source_.world_;
    if (record == NULL) {
        return FLOW_CLOSED;
    }
    if (record_of(other) == NULL) {
        return FLOW_STALE;
    }
    if (other->source_.world_ != world) {
        return flow__misuse(world, NULL, "flow_cancel_link_source: a source of another world");
    }
    if (is_cancelled(record)) {
        (void)flow_cancel_source_cancel_(&other->source_);
        return FLOW_OK;
    }
    return link_add(world, record,
                    (cancel_link){other->source_.id_, other->source_.generation_, true});
}

/* ---- cancelling ---- */

/* Cancels one source: its waits, and what is linked stands last in the queue. */
static void switch_off(flow_world *world, flow_node *record, cancel_list ***last)
{
    cancel_state *state = state_of(record);
    cancel_list *list = state->list;
    state->list = NULL;
    if (list != NULL) {
        list->next = NULL;
        **last = list;
        *last = &list->next;
    }
    flow__record_close(world, record, FLOW_OK, NULL);
    timer_stop(world, state);
}

static void links_follow(flow_world *world, const cancel_list *list, cancel_list ***last)
{
    for (uint32_t i = 0; i < list->count; i++) {
        flow_task *task = linked_flow(world, &list->links[i]);
        flow_node *record = linked_record(world, &list->links[i]);
        if (task != NULL) {
            (void)flow__cancel(world, task, FLOW_CAUSE_EXPLICIT);
        }
        if (record != NULL && !is_cancelled(record)) {
            switch_off(world, record, last);
        }
    }
}

int flow_cancel_source_cancel_(const flow_source *source)
{
    flow_world *world = source->world_;
    if (world == NULL ||
        flow__elsewhere(world, "flow_cancel_source_cancel: called on another thread than the "
                               "world's; there, flow_cancel_source_cancel_any_thread does it")) {
        return 0;
    }
    flow_node *record = flow__record(source);
    if (record == NULL || is_cancelled(record)) {
        return 0;
    }
    if (flow__listened(world)) {
        flow__tape_source(FLOW_INPUT_SOURCE_CANCEL, source, NULL, FLOW_OK, NULL);
    }
    cancel_list *queue = NULL, **last = &queue;
    switch_off(world, record, &last);
    while (queue != NULL) {
        cancel_list *list = queue;
        links_follow(world, list, &last);
        queue = list->next;
        last = queue != NULL ? last : &queue;
        flow__block_give(list);
    }
    flow__outermost(world);
    return 1;
}

int flow_cancel_source_cancel(flow_cancel_source *source)
{
    return flow_cancel_source_cancel_(&source->source_);
}

flow_status flow_cancel_source_cancel_any_thread(const flow_cancel_source *source)
{
    return flow_send_(&source->source_, FLOW_SEND_CANCEL_, NULL);
}

/* ---- after a time ---- */

static void time_is_up(const flow_source *source)
{
    flow_node *record = flow__record(source);
    if (record != NULL) {
        state_of(record)->timer = (flow_handle){0, 0}; /* it need not be stopped */
        (void)flow_cancel_source_cancel_(source);
    }
}

struct cancel_after {
    flow_frame base;
    flow_clock clock;
    double seconds;
    flow_source source;
};

FLOW_STATIC(cancel_after)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_seconds_on(self->clock, self->seconds));
    time_is_up(&self->source);
    FLOW_END;
}

flow_status flow_cancel_source_cancel_after(flow_cancel_source *source, flow_clock clock,
                                            double seconds)
{
    flow_node *record = record_of(source);
    flow_world *world = source->source_.world_;
    if (record == NULL) {
        return FLOW_CLOSED;
    }
    if (isnan(seconds)) {
        return flow__misuse(world, NULL, "flow_cancel_source_cancel_after: NaN is no time");
    }
    if (clock != FLOW_CLOCK_INHERIT && flow__clock(world, clock) == NULL) {
        return FLOW_STALE;
    }
    if (is_cancelled(record)) {
        return FLOW_OK;
    }
    clock = clock != FLOW_CLOCK_INHERIT ? clock : FLOW_CLOCK_GAME;
    timer_stop(world, state_of(record));
    flow_handle timer = FLOW_RUN(world, cancel_after, .clock = clock, .seconds = seconds,
                                 .source = source->source_);
    if (timer.generation == 0) {
        return world->destroying ? FLOW_CLOSED : FLOW_NOMEM;
    }
    state_of(record)->timer = timer;
    return FLOW_OK;
}

void flow_cancel_source_reset(flow_cancel_source *source)
{
    flow_node *record = record_of(source);
    if (record != NULL && flow__listened(source->source_.world_)) {
        flow__tape_source(FLOW_INPUT_SOURCE_RESET, &source->source_, NULL, FLOW_OK, NULL);
    }
    if (record != NULL) {
        timer_stop(source->source_.world_, state_of(record));
        record->flags &= (uint8_t)~FLOW_NODE_CLOSED;
    }
}

int flow_cancel_source_is_cancelled(const flow_cancel_source *source)
{
    const flow_node *record = record_of(source);
    return record != NULL && is_cancelled(record);
}
