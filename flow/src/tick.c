/* SPDX-License-Identifier: MIT */
/*
 * A tick, in its six steps. Clocks go in order of creation; what waits is in the order in which it began, except that timers
 * go by deadline. Steps 2 to 5 take in what was there when the tick began: queues by a count, heaps and predicates by the
 * sequence number of their waits.
 */
#include "private.h"

static void entry_due(flow_world *world, uintptr_t entry)
{
    if (entry & 1) {
        flow__node_end(world, (flow_node *)(entry - 1), 0, true);
    } else {
        flow__wake(world, (flow_task *)entry);
    }
    flow__outermost(world);
}

static uintptr_t peek(const flow_queue *queue)
{
    return flow__queue_due(queue) != 0 ? queue->head->entry[queue->first] : 0;
}

/* The next due entry, holes skipped; 0: none. */
static uintptr_t next_due(flow_world *world, flow_queue *queue)
{
    while (queue->popped != queue->due) {
        uintptr_t entry = flow__queue_pop(world, queue);
        if (FLOW_LIKELY_(entry != 0)) {
            return entry;
        }
        queue->dead -= queue->dead > 0;
    }
    return 0;
}

/* Step 2, and the head of step 6: what a pause held goes on first, in its old order. */
static void held_drain(flow_world *world, flow_phase phase)
{
    for (uint32_t i = 0; i < world->clocks_used; i++) {
        flow_clock_state *clock = world->clock_order[i];
        flow_lane        *lane = flow__lane(world, clock->index, phase);
        if (lane == NULL || clock->paused) {
            continue;
        }
        lane->held.due = lane->held.pushed;
        uintptr_t entry;
        while (!clock->paused && (entry = next_due(world, &lane->held)) != 0) {
            flow__resume(world, (flow_task *)entry);
            flow__outermost(world);
        }
    }
}

static void heap_due(flow_world *world, flow_heap *heap, flow_heap_entry entry)
{
    flow__heap_pop(heap);
    if (entry.ref & FLOW_REF_NODE) {
        entry_due(world, (uintptr_t)flow__node(world, entry.ref & ~(uint32_t)FLOW_REF_NODE) | 1);
    } else {
        entry_due(world, (uintptr_t)flow__task(world, entry.ref));
    }
}

/* Step 3 for one lane. */
static void timers_drain(flow_world *world, flow_lane *lane, int64_t now, uint32_t last)
{
    flow_heap_entry *top;
    while ((top = flow__heap_top(world, &lane->timers)) != NULL && top->due <= now && (int32_t)(top->seq - last) <= 0) {
        flow_heap_entry entry = *top;
        world->count.timers--;
        world->lateness = now - entry.due;
        world->late_task = entry.ref & FLOW_REF_NODE ? flow__node_task(flow__node(world, entry.ref & ~(uint32_t)FLOW_REF_NODE))
                                                     : flow__task(world, entry.ref);
        heap_due(world, &lane->timers, entry);
    }
}

/* A flow a few turns ahead, so that its line is there when its turn comes. */
static inline void prefetch(const flow_chunk *chunk, uint32_t place)
{
#if defined(__GNUC__) || defined(__clang__)
    if (place < FLOW_CHUNK_ENTRIES) {
        __builtin_prefetch((const void *)(chunk->entry[place] & ~(uintptr_t)1), 1);
    }
#else
    (void)chunk;
    (void)place;
#endif
}

/* Step 4 where nothing but next-tick waits is there: the common case. */
static void ticks_drain(flow_world *world, flow_queue *queue)
{
    uintptr_t entry;
    while ((entry = next_due(world, queue)) != 0) {
        prefetch(queue->head, queue->first + 6);
        if (FLOW_LIKELY_((entry & 1) == 0 && ((flow_task *)entry)->flags_ == 0 && world->paused_clocks == 0)) {
            world->count.resumed++;
            flow__slice(world, (flow_task *)entry);
            world->current = NULL;
            flow__outermost(world);
        } else {
            entry_due(world, entry);
        }
    }
}

static uint32_t seq_of(uintptr_t entry)
{
    return entry & 1 ? ((const flow_node *)(entry - 1))->seq : ((const flow_task *)entry)->budget_;
}

static void holes_drop(flow_world *world, flow_queue *queue)
{
    while (flow__queue_due(queue) != 0 && peek(queue) == 0) {
        (void)flow__queue_pop(world, queue);
        queue->dead -= queue->dead > 0;
    }
}

/* Step 4 in full: four sources, each in order; the oldest wait of all goes first. */
static void waits_merge(flow_world *world, flow_lane *lane, int64_t ticks, uint32_t last)
{
    flow_queue *const queues[] = {&lane->ticks, &lane->frames};
    flow_heap *const  heaps[] = {&lane->later_ticks, &lane->later_frames};
    const int64_t     now[] = {ticks, (int64_t)world->frame};
    for (;;) {
        int      best = -1;
        uint32_t best_seq = 0;
        for (int i = 0; i < 2; i++) {
            holes_drop(world, queues[i]);
            uintptr_t entry = peek(queues[i]);
            if (entry != 0 && (best < 0 || (int32_t)(seq_of(entry) - best_seq) < 0)) {
                best = i;
                best_seq = seq_of(entry);
            }
        }
        for (int i = 0; i < 2; i++) {
            const flow_heap_entry *top = flow__heap_top(world, heaps[i]);
            if (top != NULL && top->due <= now[i] && (int32_t)(top->seq - last) <= 0 &&
                (best < 0 || (int32_t)(top->seq - best_seq) < 0)) {
                best = 2 + i;
                best_seq = top->seq;
            }
        }
        if (best < 0) {
            return;
        }
        if (best < 2) {
            entry_due(world, flow__queue_pop(world, queues[best]));
        } else {
            heap_due(world, heaps[best - 2], *flow__heap_top(world, heaps[best - 2]));
        }
    }
}

/* Step 6: the ready queue, and what becomes ready meanwhile. */
static void ready_drain(flow_world *world, flow_phase phase)
{
    flow_queue *queue = &world->ready[phase];
    uint32_t    resumes = 0;
    for (;;) {
        if (FLOW_UNLIKELY_(world->released)) {
            world->released = false;
            held_drain(world, phase);
        }
        queue->due = queue->pushed;
        uintptr_t entry = next_due(world, queue);
        if (entry == 0) {
            return;
        }
        flow__wake(world, (flow_task *)entry);
        flow__outermost(world);
        if (++resumes == world->resume_cap && flow__queue_count(queue) > queue->dead) {
            flow__warn(world, FLOW_WARNING_RESUME_CAP, NULL, NULL);
            return;
        }
    }
}

/* Fixes what steps 3 and 4 will take. */
static void snapshot(flow_world *world, flow_phase phase)
{
    for (uint32_t i = 0; i < world->clocks_used; i++) {
        flow_clock_state *clock = world->clock_order[i];
        flow_lane        *lane = flow__lane(world, clock->index, phase);
        if (lane != NULL) {
            flow_queue *frames = &lane->frames;
            lane->ticks.due = clock->paused ? lane->ticks.popped : lane->ticks.pushed;
            frames->due = frames->stamp != world->frame ? frames->pushed : frames->old;
            frames->due = clock->paused ? frames->popped : frames->due;
        }
    }
}

static void waits_drain(flow_world *world, flow_phase phase, uint32_t last)
{
    for (uint32_t i = 0; i < world->clocks_used; i++) {
        flow_clock_state *clock = world->clock_order[i];
        flow_lane        *lane = flow__lane(world, clock->index, phase);
        if (lane == NULL || clock->paused) {
            continue;
        }
        if (flow__queue_due(&lane->frames) == 0 && lane->later_ticks.count == 0 && lane->later_frames.count == 0) {
            ticks_drain(world, &lane->ticks);
        } else if (flow__queue_due(&lane->ticks) == 0 && lane->later_ticks.count == 0 && lane->later_frames.count == 0) {
            ticks_drain(world, &lane->frames);
        } else {
            waits_merge(world, lane, (int64_t)clock->time[phase].ticks, last);
        }
    }
}

static void steps(flow_world *world, flow_phase phase)
{
    uint32_t last = world->seq;
    snapshot(world, phase);
    world->released = false;
    held_drain(world, phase);
    for (uint32_t i = 0; i < world->clocks_used; i++) {
        flow_clock_state *clock = world->clock_order[i];
        if (flow__lane(world, clock->index, phase) != NULL && !clock->paused) {
            timers_drain(world, flow__lane(world, clock->index, phase), clock->time[phase].now, last);
        }
    }
    waits_drain(world, phase, last);
    for (uint32_t i = 0; i < world->clocks_used; i++) {
        flow_clock_state *clock = world->clock_order[i];
        if (flow__lane(world, clock->index, phase) != NULL && !clock->paused) {
            flow__until_pass(world, flow__lane(world, clock->index, phase), last);
        }
    }
    ready_drain(world, phase);
}

static flow_status enter(flow_world *world, flow_phase phase)
{
    if (world->inside || world->current != NULL || world->destroying) {
        (void)flow__misuse(world, world->current, "tick, flush: called from inside the world");
        return FLOW_REENTRANT;
    }
    if (phase <= FLOW_INHERIT || phase >= FLOW_PHASE_LIMIT) {
        return flow__misuse(world, NULL, "tick, flush: no such phase");
    }
    world->inside = true;
    world->phase = (uint8_t)phase;
    return FLOW_OK;
}

flow_status flow_world_tick(flow_world *world, flow_phase phase, double dt)
{
    flow_status status = enter(world, phase);
    if (status != FLOW_OK) {
        return status;
    }
    flow__clocks_advance(world, phase, flow__tick_dt(world, dt));
    steps(world, phase);
    world->inside = false;
    return flow__met(world);
}

flow_status flow_world_flush(flow_world *world, flow_phase phase)
{
    flow_status status = enter(world, phase);
    if (status != FLOW_OK) {
        return status;
    }
    ready_drain(world, phase);
    world->inside = false;
    return flow__met(world);
}
