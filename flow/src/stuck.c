/* SPDX-License-Identifier: MIT */
/*
 * What hangs, and what became of a flow. A world is stuck when no tick can make any of its flows go
 * on: each waits for a signal, for another's end, for ever, or for a clock that stands. Whether the
 * host will emit or release something is more than a world can know.
 */
#include "task.h"

#include <stdio.h>

/* ---- cleanups that take long ---- */

static const int64_t long_cleanup_ns = 10000000000;

static int64_t unscaled_now(const flow_world *world, uint32_t phase)
{
    return world->clocks[FLOW_CLOCK_UNSCALED]->time[phase].now;
}

static bool cleanup_goes_on(const flow_cleanup *cleanup)
{
    const flow_task *task = cleanup->task;
    if (task->kind_ == FLOW_KIND_FREE || flow__cold(task)->generation != cleanup->generation) {
        return false;
    }
    const flow_frame *frame = task->top_;
    while (frame != NULL && frame != cleanup->frame) {
        frame = flow__caller(task, frame);
    }
    return frame != NULL && (frame->flags_ & FLOW_FRAME_FINALLY);
}

/* Forgets those that are over. */
static void cleanups_drop(flow_world *world)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < world->cleanups_used; i++) {
        if (cleanup_goes_on(&world->cleanups[i])) {
            world->cleanups[kept++] = world->cleanups[i];
        }
    }
    world->cleanups_used = kept;
}

/* A finally section has begun, and waits. When all places are taken it is not watched: one of those
 * that have them is over soon, or is the one that the warning is about. */
void flow__cleanup_waits(flow_world *world, flow_task *task, flow_frame *frame)
{
    bool waits = flow__waits(task);
    if (!waits || (world->warned & (1u << FLOW_WARNING_LONG_CLEANUP))) {
        return;
    }
    if (world->cleanups_used == FLOW_CLEANUPS_WATCHED) {
        cleanups_drop(world);
    }
    uint32_t place = 0;
    while (place < world->cleanups_used && world->cleanups[place].frame != frame) {
        place++;
    }
    if (place < FLOW_CLEANUPS_WATCHED) {
        world->cleanups_used += place == world->cleanups_used;
        world->cleanups[place] = (flow_cleanup){task, frame, unscaled_now(world, task->phase_),
                                                flow__cold(task)->generation, task->phase_};
    }
}

/* Of a tick, while there is anything to watch. */
void flow__cleanups_check(flow_world *world, flow_phase phase)
{
    int64_t now = unscaled_now(world, phase);
    cleanups_drop(world);
    for (uint32_t i = 0; i < world->cleanups_used; i++) {
        const flow_cleanup *cleanup = &world->cleanups[i];
        if (cleanup->phase == (uint8_t)phase && now - cleanup->since > long_cleanup_ns) {
            world->cleanups_used = 0;
            flow__warn(world, FLOW_WARNING_LONG_CLEANUP, cleanup->task, NULL);
        }
    }
}

/* ---- stuck ---- */

/* Does no tick bring time on the clock? */
static bool time_stands(const flow_world *world, const flow_clock_state *clock)
{
    bool stands = clock->paused != 0;
    while (!stands && clock != NULL) {
        stands = !(clock->scale > 0.0);
        clock = clock->parent ? world->clocks[clock->parent] : NULL;
    }
    return stands;
}

/* The clock that a leaf counts on, which need not be its flow's. */
static const flow_clock_state *clock_of(const flow_world *world, const flow_task *task,
                                        const flow_node *node)
{
    if (node->kind == FLOW_NODE_UNTIL) {
        return world->clocks[node->pos / FLOW_LANES];
    }
    uint32_t phase = node->flags & FLOW_NODE_MOVES ? (uint32_t)node->code : task->phase_;
    return flow__clock_of_lane(world, node->to.lane, phase);
}

static bool node_can_end(const flow_world *world, const flow_task *task, const flow_node *root);

/* A called flow is judged by what it waits for. */
static bool leaf_can_end(const flow_world *world, const flow_task *task, const flow_node *node,
                         const flow_node *root)
{
    if (node->kind >= FLOW_NODE_TICK && node->kind <= FLOW_NODE_UNTIL) {
        const flow_clock_state *clock = clock_of(world, task, node);
        return node->kind == FLOW_NODE_TIMER ? !time_stands(world, clock) : clock->paused == 0;
    }
    if (node->kind == FLOW_NODE_JOB) {
        return true;
    }
    const flow_node *each =
        node->kind == FLOW_NODE_SIGNAL ? flow__each_root(node->on.object) : NULL;
    return each != NULL && (root->kind == FLOW_NODE_EACH || node_can_end(world, task, each));
}

/* Can the wait end by itself? A composition of all needs that of every branch, others of one. */
static bool node_can_end(const flow_world *world, const flow_task *task, const flow_node *root)
{
    const flow_node *node = root;
    for (;;) {
        if (flow__is_composition(node) && node->prev != NULL) {
            node = node->prev;
            continue;
        }
        bool can = !flow__is_composition(node) && leaf_can_end(world, task, node, root);
        for (;;) {
            if (node == root) {
                return can;
            }
            const flow_node *parent = node->up.parent;
            bool needs_every =
                parent->kind == FLOW_NODE_ALL || parent->kind == FLOW_NODE_ALL_SETTLED;
            can = can || (needs_every && node->kind == FLOW_NODE_DONE);
            if (can == needs_every && node->sibling != NULL) {
                node = node->sibling;
                break;
            }
            node = parent;
        }
    }
}

static bool can_go_on(const flow_world *world, const flow_task *task)
{
    const flow_clock_state *clock = world->clocks[task->clock_];
    flow_kind kind = (flow_kind)task->kind_;
    if (kind == FLOW_KIND_CLOSING || kind == FLOW_KIND_GROUP || kind == FLOW_KIND_EMBRYO) {
        return false; /* the last: a branch of a set that was not awaited yet */
    }
    if (kind < FLOW_KIND_READY) {
        return true; /* running, or about to */
    }
    if (clock->paused) {
        return false;
    }
    if (kind == FLOW_KIND_TIMER) {
        return !time_stands(world, clock);
    }
    if (kind == FLOW_KIND_PARKED) {
        return false;
    }
    return kind != FLOW_KIND_NODE || node_can_end(world, task, flow__node(world, task->pos_));
}

uint32_t flow_world_stuck(const flow_world *world, flow_text_sink sink, void *user)
{
    int depth = 0;
    for (const flow_task *task = world->root; task != NULL;
         task = flow__walk_next(world, task, &depth)) {
        if (can_go_on(world, task)) {
            return 0;
        }
    }
    if (world->count.live != 0 && sink != NULL) {
        flow_world_dump(world, sink, user);
    }
    return world->count.live;
}

/* ---- what became of a flow ---- */

/* Where a cancelled flow's first function was last; a file of null: not known. */
static const char *cancelled_at(const flow_task *task, unsigned *line)
{
    const flow_cold *cold = flow__cold(task);
    const flow_frame *frame = (const flow_frame *)(const void *)task->first_;
    if (frame->fn_ != NULL) { /* it is as it was left */
        *line = frame->at_ >> 16;
        return frame->fn_->file;
    }
    *line = cold->late;
    return cold->what.file;
}

static int put_ended(char *text, size_t capacity, const flow_world *world, flow_handle handle,
                     const flow_outcome *outcome)
{
    const flow_task *task = flow__task(world, handle.slot);
    const flow_ended *ended = (const flow_ended *)(const void *)task->first_;
    const char *name = ended->fn != NULL ? ended->fn->name : ended->name;
    char number[16] = "", place[256] = "";
    unsigned line = 0;
    if (ended->fn == NULL && ended->number >= 0) {
        (void)snprintf(number, sizeof number, "#%d", (int)ended->number);
    }
    if (outcome->state == FLOW_STATE_FAILED) {
        return snprintf(text, capacity, "%s%s #%u.%u ended in frame %u: failed with %d, %s (%s:%d)",
                        name, number, handle.slot, handle.generation, task->pos_, outcome->code,
                        outcome->message ? outcome->message : "no message",
                        outcome->file ? outcome->file : "?", outcome->line);
    }
    bool cancelled = outcome->state == FLOW_STATE_CANCELLED;
    bool caused = cancelled && outcome->cause != FLOW_CAUSE_EXPLICIT;
    const char *file = cancelled ? cancelled_at(task, &line) : NULL;
    if (file != NULL) {
        (void)snprintf(place, sizeof place, " (%s:%u)", file, line);
    }
    return snprintf(text, capacity, "%s%s #%u.%u ended in frame %u: %s%s%s%s", name, number,
                    handle.slot, handle.generation, task->pos_, cancelled ? "cancelled" : "done",
                    caused ? ", " : "", caused ? flow_cause_text(outcome->cause) : "", place);
}

size_t flow_describe(const flow_world *world, flow_handle flow, char *text, size_t capacity)
{
    flow_outcome outcome;
    int length = 0;
    const flow_task *task = flow__task_of(world, flow);
    if (task != NULL) {
        return flow__describe_live(world, task, text, capacity);
    }
    if (flow.generation == 0) {
        length = snprintf(text, capacity, "no flow: the null handle");
    } else if (flow_outcome_of(world, flow, &outcome) == FLOW_OK &&
               outcome.state != FLOW_STATE_NONE) {
        length = put_ended(text, capacity, world, flow, &outcome);
    } else {
        length = snprintf(text, capacity, "#%u.%u has ended too long ago to be known", flow.slot,
                          flow.generation);
    }
    return length > 0 ? (size_t)length : 0;
}
