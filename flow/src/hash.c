/* SPDX-License-Identifier: MIT */
/* The hash of the tree of live flows. */
#include "hash.h"
#include "private.h"

static uint64_t mix_leaf(uint64_t hash, const flow_world *world, const flow_task *task,
                         const flow_node *node)
{
    const flow_clock_state *clock = flow__clock_of_lane(world, node->to.lane, task->phase_);
    int64_t now = node->kind == FLOW_NODE_FRAMES  ? (int64_t)world->frame
                  : node->kind == FLOW_NODE_TICKS ? (int64_t)clock->time[task->phase_].ticks
                                                  : clock->time[task->phase_].now;
    return flow__mix(flow__mix(hash, clock->index), (uint64_t)(node->on.due - now));
}

static uint64_t mix_node(uint64_t hash, const flow_world *world, const flow_task *task,
                         const flow_node *root)
{
    for (const flow_node *node = root; node != NULL; node = flow__tree_next(root, node)) {
        hash = node == root ? hash : flow__mix(hash, node->branch);
        hash = flow__mix_text(hash, flow__node_word(node));
        if (node->kind >= FLOW_NODE_TICKS && node->kind <= FLOW_NODE_TIMER) {
            hash = mix_leaf(hash, world, task, node);
        }
    }
    return hash;
}

static uint64_t mix_wait(uint64_t hash, const flow_world *world, const flow_task *task)
{
    hash = flow__mix_text(hash, flow__kind_word(task));
    if (task->kind_ == FLOW_KIND_NODE) {
        hash = mix_node(hash, world, task, flow__node(world, task->pos_));
    }
    return hash;
}

/* Timers of flows stand in heaps, whose order is no part of the story: their hashes are added up.
 */
static uint64_t mix_timers(const flow_world *world, uint32_t clock, uint32_t phase)
{
    const flow_lane *lane = flow__lane(world, clock, phase);
    uint64_t sum = 0;
    for (uint32_t i = 0; lane != NULL && i < lane->timers.count; i++) {
        const flow_heap_entry *entry = flow__heap_at(&lane->timers, i);
        if (flow__heap_entry_lives(world, entry)) {
            int64_t left = entry->due - world->clocks[clock]->time[phase].now;
            const flow_task *task =
                entry->ref & FLOW_REF_NODE ? NULL : flow__task(world, entry->ref);
            sum += task ? flow__mix(flow__mix_text(clock << 8 | phase, flow__task_name(task)),
                                    (uint64_t)left)
                        : 0;
        }
    }
    return sum;
}

uint64_t flow_world_hash(const flow_world *world)
{
    uint64_t hash = FLOW_HASH_START;
    int depth = 0;
    const flow_task *task = world->root;
    while ((task = flow__walk_next(world, task, &depth)) != NULL) {
        hash = flow__mix_text(hash, flow__task_name(task));
        hash = flow__mix(hash, (uint64_t)depth << 32 | (uint64_t)task->phase_ << 16 | task->clock_);
        hash = mix_wait(hash, world, task);
        for (const flow_frame *frame = task->top_; frame != NULL;
             frame = flow__caller(task, frame)) {
            hash = flow__mix(flow__mix_text(hash, frame->fn_->name),
                             flow__point(world, task, frame) & 0xffff);
        }
    }
    for (uint32_t clock = 1; clock < world->clock_count; clock++) {
        for (uint32_t phase = 1; phase < FLOW_PHASE_LIMIT; phase++) {
            hash += mix_timers(world, clock, phase);
        }
    }
    return hash;
}
