/* SPDX-License-Identifier: MIT */
/*
 * Semaphores and their kin. A permit that is granted is held by the node of the wait until its flow
 * goes on; then, if it was acquired, by a deferred cleanup of the scope, made when the wait began.
 * So granting and giving back take no memory. Somebody waits only where there is no permit.
 */
#include "tape.h"

typedef struct permits {
    flow_node *record;
    const flow_task *holder; /* of a mutex, or null */
    uint32_t free;
    uint32_t out; /* held by nodes and scopes */
    bool gone;    /* ended; freed when none is out any more */
} permits;

static permits *permits_of(const flow_source *source)
{
    const flow_node *record = flow__record(source);
    return record ? record->to.value : NULL;
}

/* ---- granting and giving back ---- */

static void free_if_over(flow_world *world, permits *p)
{
    if (p->gone && p->out == 0) {
        flow__record_free(world, p->record);
        flow__block_give(p);
    }
}

/* A permit goes to the first who waits, or is free. */
static void permit_add(flow_world *world, permits *p)
{
    flow_node *node = p->record->prev;
    if (node == NULL) {
        bool full =
            p->free == UINT32_MAX || (p->record->branch == FLOW_RECORD_AUTO_EVENT && p->free == 1);
        p->free += !full;
        return;
    }
    flow__record_leave(node);
    p->out++;
    flow__node_end_kept(world, node, FLOW_NODE_HELD);
}

static void permit_back(flow_world *world, permits *p)
{
    p->out--;
    if (!p->gone) {
        permit_add(world, p);
    }
    free_if_over(world, p);
}

/* The end of the scope that holds it. */
static void permit_end(void *held)
{
    permits *p = held;
    p->holder = NULL;
    permit_back(flow__world_of(p), p);
}

/* The flow holds the permit from now on, by the cleanup, or has consumed it. */
static void permit_take(flow_world *world, permits *p, flow_task *task, flow_node *cleanup)
{
    if (cleanup == NULL) {
        p->out--;
        free_if_over(world, p);
        return;
    }
    cleanup->kind = FLOW_NODE_DEFER;
    cleanup->on.cleanup = permit_end;
    cleanup->to.arg = p;
    flow__resource_push(task, cleanup);
    p->holder = p->record->branch == FLOW_RECORD_MUTEX ? task : NULL;
}

static flow_node *cleanup_of(const flow_world *world, flow_node *node)
{
    flow_node *cleanup = node->pos ? flow__node(world, node->pos) : NULL;
    node->pos = 0;
    return cleanup;
}

void flow__permit_taken(flow_world *world, flow_node *node)
{
    const flow_node *record = node->on.object;
    permit_take(world, record->to.value, flow__node_task(node), cleanup_of(world, node));
}

void flow__permit_give_back(flow_world *world, flow_node *node)
{
    const flow_node *record = node->on.object;
    flow__aside_drop(world, node);
    permit_back(world, record->to.value);
}

/* ---- waiting ---- */

static flow_begun begin_permit(flow_world *world, flow_task *task, permits *p,
                               const flow_wait *wait, flow_node *node, flow_result *result)
{
    static const char locked[] = "flow_lock: the flow holds the mutex already";
    if (p->holder == task) {
        return flow__begun_failed(result, (int)flow__misuse(world, task, locked), locked);
    }
    if (wait->code_ == FLOW_NEXT_ACQUIRE_) {
        flow_node *cleanup = flow__aside_take(world);
        if (cleanup == NULL) {
            return flow__begun_failed(result, FLOW_NOMEM, "no memory to hold a permit");
        }
        node->pos = flow__node_id(cleanup);
    }
    if (p->free == 0) {
        return FLOW_BEGUN_WAITS;
    }
    p->free--;
    p->out++;
    if (node->flags & FLOW_NODE_HAS_PARENT) {
        node->on.object = p->record;
        node->kind = FLOW_NODE_HELD;
    } else {
        permit_take(world, p, task, cleanup_of(world, node));
    }
    return FLOW_BEGUN_DONE;
}

/* Ends all waits on a record; of a barrier, each learns its place. */
static void all_end(flow_world *world, const flow_node *record)
{
    for (int place = 0; record->prev != NULL; place++) {
        flow_node *node = record->prev;
        flow__leaf_unlink(world, node);
        if (node->to.out != NULL) {
            *(int *)node->to.out = place;
        }
        flow__node_end(world, node, FLOW_OK, false);
    }
}

static flow_begun begin_barrier(flow_world *world, const flow_node *record, const flow_wait *wait)
{
    const permits *p = record->to.value;
    if (record->pos + 1 < p->free) {
        return FLOW_BEGUN_WAITS;
    }
    if (wait->out_ != NULL) {
        *(int *)wait->out_ = (int)record->pos;
    }
    all_end(world, record);
    return FLOW_BEGUN_DONE;
}

flow_begun flow__sync_begin(flow_world *world, flow_task *task, flow_node *record,
                            const flow_wait *wait, flow_node *node, flow_result *result)
{
    permits *p = record->to.value;
    if (record->branch == FLOW_RECORD_BARRIER) {
        return begin_barrier(world, record, wait);
    }
    if (record->branch == FLOW_RECORD_EVENT) {
        return p->free != 0 ? FLOW_BEGUN_DONE : FLOW_BEGUN_WAITS;
    }
    return begin_permit(world, task, p, wait, node, result);
}

/* ---- making and ending ---- */

static flow_status sync_init(flow_source *source, flow_world *world, flow_record_type type,
                             uint32_t free)
{
    permits *p = flow__block_take(world, sizeof *p);
    *source = (flow_source){NULL, 0, 0, 0};
    if (p == NULL || flow__record_make(source, world, 0, type) != FLOW_OK) {
        if (p != NULL) {
            flow__block_give(p);
        }
        return FLOW_NOMEM;
    }
    flow_node *record = flow__record(source);
    *p = (permits){.record = record, .free = free};
    record->to.value = p;
    return FLOW_OK;
}

static void sync_fini(flow_source *source)
{
    permits *p = permits_of(source);
    flow_world *world = source->world_;
    *source = (flow_source){world, 0, 0, 0};
    if (p != NULL) {
        flow__record_close(world, p->record, FLOW_CLOSED, NULL);
        p->record->seq = ++world->record_generation; /* nobody finds it from now on */
        p->gone = true;
        free_if_over(world, p);
    }
}

static flow_status try_hold(flow_task *flow, const flow_source *source)
{
    permits *p = permits_of(source);
    if (p == NULL) {
        return FLOW_CLOSED;
    }
    if (p->free == 0) {
        return FLOW_BUSY;
    }
    if (flow_defer(flow, permit_end, p) != FLOW_OK) {
        return FLOW_NOMEM;
    }
    p->free--;
    p->out++;
    p->holder = p->record->branch == FLOW_RECORD_MUTEX ? flow : NULL;
    return FLOW_OK;
}

static void give_up(flow_task *flow, const flow_source *source)
{
    permits *p = permits_of(source);
    flow_world *world = flow__world_of(flow);
    uint32_t newest = flow__cold(flow)->resources;
    flow_node *node = newest ? flow__node(world, newest) : NULL;
    while (
        p != NULL && node != NULL &&
        !(node->kind == FLOW_NODE_DEFER && node->on.cleanup == permit_end && node->to.arg == p)) {
        node = node->sibling;
    }
    if (p != NULL && node != NULL) {
        flow__resource_remove(flow, node);
        permit_end(p);
    } else if (p != NULL) {
        (void)flow__misuse(world, flow, "flow_release, flow_unlock: the flow does not hold it");
    }
}

/* ---- semaphores ---- */

flow_status flow_semaphore_init(flow_semaphore *semaphore, flow_world *world, uint32_t count)
{
    return sync_init(&semaphore->source_, world, FLOW_RECORD_SEMAPHORE, count);
}

void flow_semaphore_fini(flow_semaphore *semaphore)
{
    sync_fini(&semaphore->source_);
}

flow_status flow_try_acquire(flow_task *flow, flow_semaphore *semaphore)
{
    return try_hold(flow, &semaphore->source_);
}

void flow_release(flow_task *flow, flow_semaphore *semaphore)
{
    give_up(flow, &semaphore->source_);
}

void flow_semaphore_add(flow_semaphore *semaphore, uint32_t count)
{
    flow_source source = semaphore->source_;
    permits *p = permits_of(&source);
    if (p != NULL && flow__listened(source.world_)) {
        flow__tape_source(FLOW_INPUT_ADD, &source, NULL, (int)count, NULL);
    }
    while (p != NULL && count != 0 && p->record->prev != NULL) {
        permit_add(source.world_, p);
        count--;
    }
    if (p != NULL) {
        p->free += count < UINT32_MAX - p->free ? count : UINT32_MAX - p->free;
    }
}

uint32_t flow_semaphore_permits(const flow_semaphore *semaphore)
{
    const permits *p = permits_of(&semaphore->source_);
    return p ? p->free : 0;
}

/* ---- mutexes ---- */

flow_status flow_mutex_init(flow_mutex *mutex, flow_world *world)
{
    return sync_init(&mutex->source_, world, FLOW_RECORD_MUTEX, 1);
}

void flow_mutex_fini(flow_mutex *mutex)
{
    sync_fini(&mutex->source_);
}

flow_status flow_try_lock(flow_task *flow, flow_mutex *mutex)
{
    return try_hold(flow, &mutex->source_);
}

void flow_unlock(flow_task *flow, flow_mutex *mutex)
{
    give_up(flow, &mutex->source_);
}

flow_handle flow_mutex_holder(const flow_mutex *mutex)
{
    const permits *p = permits_of(&mutex->source_);
    return p != NULL && p->holder != NULL ? flow__handle_of(p->holder) : (flow_handle){0, 0};
}

/* ---- events ---- */

flow_status flow_event_init(flow_event *event, flow_world *world, flow_reset reset)
{
    return sync_init(&event->source_, world,
                     reset == FLOW_RESET_AUTO ? FLOW_RECORD_AUTO_EVENT : FLOW_RECORD_EVENT, 0);
}

void flow_event_fini(flow_event *event)
{
    sync_fini(&event->source_);
}

void flow_event_set(flow_event *event)
{
    permits *p = permits_of(&event->source_);
    if (p != NULL && flow__listened(event->source_.world_)) {
        flow__tape_source(FLOW_INPUT_EVENT_SET, &event->source_, NULL, FLOW_OK, NULL);
    }
    if (p != NULL && p->record->branch == FLOW_RECORD_AUTO_EVENT) {
        permit_add(event->source_.world_, p);
    } else if (p != NULL) {
        p->free = 1;
        all_end(event->source_.world_, p->record);
    }
}

void flow_event_reset(flow_event *event)
{
    permits *p = permits_of(&event->source_);
    if (p != NULL && flow__listened(event->source_.world_)) {
        flow__tape_source(FLOW_INPUT_EVENT_RESET, &event->source_, NULL, FLOW_OK, NULL);
    }
    if (p != NULL) {
        p->free = 0;
    }
}

int flow_event_is_set(const flow_event *event)
{
    const permits *p = permits_of(&event->source_);
    return p != NULL && p->free != 0;
}

/* ---- barriers: `free` is the number of parties ---- */

static uint32_t parties_of(flow_world *world, uint32_t parties)
{
    if (parties == 0) {
        (void)flow__misuse(world, NULL, "flow_barrier: a barrier has 1 party at least");
    }
    return parties ? parties : 1;
}

flow_status flow_barrier_init(flow_barrier *barrier, flow_world *world, uint32_t parties)
{
    return sync_init(&barrier->source_, world, FLOW_RECORD_BARRIER, parties_of(world, parties));
}

void flow_barrier_fini(flow_barrier *barrier)
{
    sync_fini(&barrier->source_);
}

void flow_barrier_set_parties(flow_barrier *barrier, uint32_t parties)
{
    flow_world *world = barrier->source_.world_;
    permits *p = permits_of(&barrier->source_);
    if (p == NULL) {
        return;
    }
    p->free = parties_of(world, parties);
    if (p->record->pos >= p->free) {
        all_end(world, p->record);
    }
}
