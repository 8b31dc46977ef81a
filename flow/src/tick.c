/* SPDX-License-Identifier: MIT */
/*
 * A tick, in its six steps. Clocks go in order of creation; what waits is in the order in which it
 * began, except that timers go by deadline. Steps 2 to 5 take in what was there when the tick
 * began: queues by a count, heaps and predicates by the sequence number of their waits.
 */
#include "tape.h"

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
    return queue->first != queue->due ? *queue->first : 0;
}

/* A flow a few turns ahead, so that its line is there when its turn comes. */
static inline void prefetch(const flow_queue *queue)
{
#if defined(__GNUC__) || defined(__clang__)
    if (((uintptr_t)queue->first & (FLOW_CHUNK_SIZE - 1)) <
        FLOW_CHUNK_SIZE - 7 * sizeof(uintptr_t)) {
        __builtin_prefetch((const void *)(queue->first[6] & ~(uintptr_t)1), 1);
    }
#else
    (void)queue;
#endif
}

/* The next due entry, holes skipped; 0: none. */
static inline uintptr_t next_due(flow_world *world, flow_queue *queue)
{
    while (queue->first != queue->due) {
        if (FLOW_UNLIKELY_(flow__chunk_ends(queue->first))) {
            flow__queue_head_done(world, queue);
            continue;
        }
        prefetch(queue);
        uintptr_t entry = *queue->first++;
        if (FLOW_LIKELY_(entry != 0)) {
            return entry;
        }
        queue->dead -= queue->dead > 0;
    }
    if (queue->first == queue->end && queue->tail != NULL) {
        flow__queue_rewind(queue);
    }
    return 0;
}

/* Step 2, and the head of step 6: what a pause held goes on first, in its old order. */
static void held_drain(flow_world *world, flow_phase phase, bool counted)
{
    if (!counted) { /* what step 2 leaves is for step 6 */
        world->released &= ~(1u << phase);
    }
    for (uint32_t i = 0; i < world->clocks_used; i++) {
        const flow_clock_state *clock = world->clock_order[i];
        flow_lane *lane = flow__lane(world, clock->index, phase);
        if (lane == NULL || clock->paused || (counted && !clock->counts && !clock->ended)) {
            continue;
        }
        uintptr_t entry;
        lane->held.due = lane->held.end;
        while (!clock->paused && (entry = next_due(world, &lane->held)) != 0) {
            flow_task *task = (flow_task *)entry;
            task->clock_ =
                clock->ended ? clock->parent : task->clock_; /* at home on the parent from now on */
            flow__wake(world, task);
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

/* How late is kept with the flow, in 32 bits: up to 4.29 s. */
static void timer_met(const flow_world *world, const flow_heap_entry *entry, int64_t now)
{
    int64_t late = now - entry->due;
    flow_task *task;
    if (entry->ref & FLOW_REF_NODE) {
        const flow_node *node = flow__node(world, entry->ref & ~(uint32_t)FLOW_REF_NODE);
        task = flow__node_task(node);
        if (node->interval != NULL) {
            flow__interval_beat(node->interval, now);
        }
    } else {
        task = flow__task(world, entry->ref);
    }
    task->marks_ = (uint8_t)((task->marks_ & ~FLOW_MARK_LATE) | (late != 0 ? FLOW_MARK_LATE : 0));
    if (late != 0) {
        flow__cold(task)->late = late < UINT32_MAX ? (uint32_t)late : UINT32_MAX;
    }
}

/* Step 3 for one lane. */
static void timers_drain(flow_world *world, const flow_clock_state *clock, flow_lane *lane,
                         int64_t now, uint32_t last)
{
    flow_heap_entry *top;
    while (!clock->ended && (top = flow__heap_due(world, &lane->timers, now)) != NULL &&
           !flow__began_since(world, top->seq, last)) {
        flow_heap_entry entry = *top;
        world->count.timers--;
        timer_met(world, &entry, now);
        heap_due(world, &lane->timers, entry);
    }
}

/* ---- a clock that has ended: what waits on it fails as CLOSED ---- */

static void entry_closed(flow_world *world, const flow_clock_state *clock, uintptr_t entry)
{
    if (entry & 1) {
        flow__node_end(world, (flow_node *)(entry - 1), FLOW_CLOSED, true);
    } else {
        flow_task *task = (flow_task *)entry;
        task->clock_ = clock->parent;
        task->flags_ |= FLOW_TASK_RESULT;
        task->budget_ = 0; /* no node: CLOSED */
        flow__wake(world, task);
    }
    flow__outermost(world);
}

static void heap_closed(flow_world *world, const flow_clock_state *clock, flow_heap *heap,
                        uint32_t *timers)
{
    const flow_heap_entry *top;
    while ((top = flow__heap_top(world, heap)) != NULL) {
        flow_heap_entry entry = *top;
        flow__heap_pop(heap);
        *timers -= timers == &world->count.timers;
        entry_closed(world, clock,
                     entry.ref & FLOW_REF_NODE
                         ? (uintptr_t)flow__node(world, entry.ref & ~(uint32_t)FLOW_REF_NODE) | 1
                         : (uintptr_t)flow__task(world, entry.ref));
    }
}

static void queue_closed(flow_world *world, const flow_clock_state *clock, flow_queue *queue)
{
    uintptr_t entry;
    queue->due = queue->end;
    while ((entry = next_due(world, queue)) != 0) {
        entry_closed(world, clock, entry);
    }
}

static void ended_drain(flow_world *world, const flow_clock_state *clock, flow_phase phase,
                        uint32_t last)
{
    flow_lane *lane = flow__lane(world, clock->index, phase);
    uint32_t none = 0;
    if (lane == NULL) {
        return;
    }
    heap_closed(world, clock, &lane->timers, &world->count.timers);
    queue_closed(world, clock, &lane->ticks);
    queue_closed(world, clock, &lane->frames);
    heap_closed(world, clock, &lane->later_ticks, &none);
    heap_closed(world, clock, &lane->later_frames, &none);
    while (lane->until_first != NULL && !flow__began_since(world, lane->until_first->seq, last)) {
        flow_node *node = lane->until_first;
        flow__leaf_unlink(world, node);
        flow__node_end(world, node, FLOW_CLOSED, true);
        flow__outermost(world);
    }
}

/* Step 4 where nothing but next-tick waits is there: the common case. Where one of them ends the
 * clock, the others fail in the next tick. */
static void ticks_drain(flow_world *world, const flow_clock_state *clock, flow_queue *queue)
{
    uint64_t resumed = 0;
    bool careful = world->attention != 0;
    uintptr_t entry;
    while (!(careful && clock->ended) && (entry = next_due(world, queue)) != 0) {
        if (FLOW_LIKELY_((entry & 1) == 0 && ((flow_task *)entry)->flags_ == 0 && !careful)) {
            resumed++;
            flow__slice(world, (flow_task *)entry);
            if (FLOW_LIKELY_(world->attention == 0)) {
                continue;
            }
            world->current = NULL;
            flow__outermost(world);
        } else {
            world->current = NULL;
            entry_due(world, entry);
        }
        careful = world->attention != 0;
    }
    world->current = NULL;
    world->count.resumed += resumed;
}

static uint32_t seq_of(uintptr_t entry)
{
    return entry & 1 ? ((const flow_node *)(entry - 1))->seq : ((const flow_task *)entry)->budget_;
}

static void holes_drop(flow_world *world, flow_queue *queue)
{
    while (queue->first != queue->due) {
        if (flow__chunk_ends(queue->first)) {
            flow__queue_head_done(world, queue);
        } else if (*queue->first == 0) {
            queue->first++;
            queue->dead -= queue->dead > 0;
        } else {
            return;
        }
    }
}

/* Frames may have passed without a tick of the phase: what waited for one of them and for another
 * is due alike now, and goes in the order in which it began. */
static void due_levelled(flow_world *world, flow_heap *heap, int64_t now)
{
    const flow_heap_entry *top;
    while ((top = flow__heap_top(world, heap)) != NULL && top->due < now) {
        flow_heap_entry entry = *top;
        flow__heap_pop(heap);
        entry.due = now;
        (void)flow__heap_push(world, heap, entry); /* where it has left room */
    }
}

/* Step 4 in full: four sources, each in order; the oldest wait of all goes first. */
static void waits_merge(flow_world *world, const flow_clock_state *clock, flow_lane *lane,
                        int64_t ticks, uint32_t last)
{
    flow_queue *const queues[] = {&lane->ticks, &lane->frames};
    flow_heap *const heaps[] = {&lane->later_ticks, &lane->later_frames};
    const int64_t now[] = {ticks, (int64_t)world->frame};
    due_levelled(world, heaps[1], now[1]);
    while (!clock->ended) {
        int best = -1;
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
            const flow_heap_entry *top = flow__heap_due(world, heaps[i], now[i]);
            if (top != NULL && !flow__began_since(world, top->seq, last) &&
                (best < 0 || (int32_t)(top->seq - best_seq) < 0)) {
                best = 2 + i;
                best_seq = top->seq;
            }
        }
        if (best < 0) {
            return;
        }
        if (best < 2) {
            entry_due(world, *queues[best]->first++);
        } else {
            heap_due(world, heaps[best - 2], *flow__heap_top(world, heaps[best - 2]));
        }
    }
}

/* Does anybody stand in the queue? */
static bool is_ready(flow_world *world, flow_queue *queue)
{
    queue->due = queue->end;
    holes_drop(world, queue);
    return queue->first != queue->end;
}

/* Step 6: the ready queue, and what becomes ready meanwhile. */
static void ready_drain(flow_world *world, flow_phase phase)
{
    flow_queue *queue = &world->ready[phase];
    uint32_t resumes = 0;
    for (;;) {
        if (FLOW_UNLIKELY_(world->released & (1u << phase))) {
            held_drain(world, phase, false);
        }
        queue->due = queue->end;
        uintptr_t entry = next_due(world, queue);
        if (entry == 0) {
            return;
        }
        flow__wake(world, (flow_task *)entry);
        flow__outermost(world);
        if (++resumes >= world->resume_cap && is_ready(world, queue)) {
            flow__warn(world, FLOW_WARNING_RESUME_CAP, (const flow_task *)*queue->first, NULL);
            return;
        }
    }
}

/* The lane that the i-th clock has here, if the clock takes part in this tick and is not paused by
 * now. */
static flow_lane *lane_of(const flow_world *world, uint32_t i, flow_phase phase)
{
    const flow_clock_state *clock = world->clock_order[i];
    return clock->counts && !clock->paused ? flow__lane(world, clock->index, phase) : NULL;
}

/* Fixes what step 4 will take. */
static void snapshot(flow_world *world, flow_phase phase)
{
    for (uint32_t i = 0; i < world->clocks_used; i++) {
        flow_lane *lane = lane_of(world, i, phase);
        if (lane != NULL) {
            flow_queue *frames = &lane->frames;
            lane->ticks.due = lane->ticks.end;
            frames->due = frames->stamp == world->frame ? frames->fresh : frames->end;
        }
    }
}

/* Step 4 for one lane. */
static void waits_drain(flow_world *world, const flow_clock_state *clock, flow_lane *lane,
                        int64_t ticks, uint32_t last)
{
    bool later = lane->later_ticks.count != 0 || lane->later_frames.count != 0;
    if (!later && lane->frames.first == lane->frames.due) {
        ticks_drain(world, clock, &lane->ticks);
    } else if (!later && lane->ticks.first == lane->ticks.due) {
        ticks_drain(world, clock, &lane->frames);
    } else {
        waits_merge(world, clock, lane, ticks, last);
    }
}

static void steps(flow_world *world, flow_phase phase)
{
    uint32_t last = world->seq;
    flow_lane *lane;
    snapshot(world, phase);
    if (FLOW_UNLIKELY_(world->gradual != NULL)) {
        flow__gradual_pass(world, phase); /* what awaits in there does so from this tick on */
    }
    held_drain(world, phase, true);
    for (uint32_t i = 0; i < world->clocks_used; i++) {
        const flow_clock_state *clock = world->clock_order[i];
        if (clock->closes) {
            ended_drain(world, clock, phase, last);
        } else if ((lane = lane_of(world, i, phase)) != NULL) {
            timers_drain(world, clock, lane, clock->time[phase].now, last);
        }
    }
    for (uint32_t i = 0; i < world->clocks_used; i++) {
        const flow_clock_state *clock = world->clock_order[i];
        if ((lane = lane_of(world, i, phase)) != NULL) {
            waits_drain(world, clock, lane, (int64_t)clock->time[phase].ticks, last);
        }
    }
    for (uint32_t i = 0; i < world->clocks_used; i++) {
        if ((lane = lane_of(world, i, phase)) != NULL) {
            flow__until_pass(world, world->clock_order[i], lane, last);
        }
    }
    ready_drain(world, phase);
}

static flow_status enter(flow_world *world, flow_input_kind kind, flow_phase phase, double dt)
{
    if (flow__elsewhere(world, "tick, flush: called on another thread than the world's")) {
        return FLOW_MISUSE;
    }
    if (world->inside || world->current != NULL || world->destroying) {
        (void)flow__misuse(world, world->current, "tick, flush: called from inside the world");
        return FLOW_REENTRANT;
    }
    if (phase <= FLOW_INHERIT || phase >= FLOW_PHASE_LIMIT) {
        return flow__misuse(world, NULL, "tick, flush: no such phase");
    }
    if (flow__listened(world)) {
        flow__tape_time(world, kind, phase, dt);
    }
    flow__clocks_reap(world);
    world->inside = true;
    flow__outermost(world); /* what a close between ticks has put off */
    return FLOW_OK;
}

/* ---- the frame's budget ---- */

/* The time since the last look at the clock, which may go back. */
static uint64_t budget_lap(flow_world *world)
{
    uint64_t now = world->desc.now_ns(world->desc.user);
    uint64_t lap = now > world->budget.since ? now - world->budget.since : 0;
    world->budget.since = now;
    return lap;
}

/* A tick has begun. */
static void budget_open(flow_world *world)
{
    if (world->budget.frame != world->frame) {
        world->budget.frame = world->frame;
        world->budget.spent = 0;
    }
    (void)budget_lap(world);
    world->budget.runs = true;
}

static void budget_close(flow_world *world)
{
    world->budget.spent += budget_lap(world);
    world->budget.runs = false;
}

/* Is there time left for flows in this frame? */
bool flow__budget_left(flow_world *world)
{
    if (!world->budget.runs) {
        return false;
    }
    world->budget.spent += budget_lap(world);
    bool left = world->budget.spent < world->budget.ns;
    return world->tape != NULL ? flow__tape_answer(world, left) : left;
}

flow_status flow_world_tick(flow_world *world, flow_phase phase, double dt)
{
    flow_status status = enter(world, FLOW_INPUT_TICK, phase, dt);
    if (status != FLOW_OK) {
        return status;
    }
    bool profiled = flow__profiled(world);
    if (profiled) {
        flow__profile_tick(world, phase);
    }
    if (FLOW_UNLIKELY_(world->budget.ns != 0)) {
        budget_open(world);
    }
    flow__clocks_advance(world, phase, flow__tick_dt(world, dt));
    if (FLOW_UNLIKELY_(world->cleanups_used != 0)) {
        flow__cleanups_check(world, phase);
    }
    steps(world, phase);
    if (profiled) {
        flow__profile_close(world);
    }
    world->inside = false;
    if (FLOW_UNLIKELY_(world->budget.ns != 0)) {
        budget_close(world);
    }
    return flow__met(world);
}

flow_status flow_world_flush(flow_world *world, flow_phase phase)
{
    flow_status status = enter(world, FLOW_INPUT_FLUSH, phase, 0.0);
    if (status != FLOW_OK) {
        return status;
    }
    bool profiled = flow__profiled(world);
    if (profiled) {
        flow__profile_tick(world, phase);
    }
    ready_drain(world, phase);
    if (profiled) {
        flow__profile_close(world);
    }
    world->inside = false;
    return flow__met(world);
}
