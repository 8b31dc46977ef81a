/* SPDX-License-Identifier: MIT */
/*
 * A task's slot and its place among its siblings: what starting and ending a flow do for every
 * flow, inlined where they do.
 *
 * A free slot keeps the next free one where a live task has its top frame. Slot 0 is the root
 * group, which is nobody's child, so that the id 0 ends every list.
 */
#ifndef FLOW_TASK_H
#define FLOW_TASK_H

#include "private.h"

/* What a free slot keeps of its last flow where that had its first frame: see also remember. */
typedef struct flow_ended {
    const flow_function *fn; /* where a frame has it; null: the name is kept */
    int64_t number;
    const char *name;
} flow_ended;
_Static_assert(offsetof(flow_ended, fn) == offsetof(flow_frame, fn_), "a first frame's place");

static inline flow_cold *flow__cold_at(const flow_world *world, uint32_t id)
{
    char *page = flow__pool_page(&world->tasks, id >> FLOW_ID_SHIFT);
    return (flow_cold *)(void *)(page + FLOW_COLD_OFFSET) + (id & ((1u << FLOW_ID_SHIFT) - 1));
}

void flow__ended_batch(flow_world *world, flow_task *oldest);

/* How a flow ended stays readable in its slot, which is not taken again while its batch rests. The
 * links are written while the slot is at hand: none is touched when its time is over. */
static inline void flow__slot_give(flow_world *world, flow_task *task)
{
    if (FLOW_UNLIKELY_(world->ended_count++ % FLOW_ENDED_BATCH == 0)) {
        flow__ended_batch(world, task);
    }
    task->kind_ = FLOW_KIND_FREE;
    task->top_ = (flow_frame *)(void *)world->ended_newest;
    world->ended_newest = task;
}

static inline flow_task *flow__slot_take(flow_world *world)
{
    flow_task *task = world->free_tasks;
    world->free_tasks = (flow_task *)(void *)task->top_;
    return task;
}

/* A handle is valid as long as its slot's generation is its own; 0 is never one. */
static inline void flow__generation_next(flow_cold *cold)
{
    FLOW_FAULT_(9) return;
    cold->generation++;
    cold->generation += cold->generation == 0;
}

static inline void flow__child_link(flow_world *world, flow_task *task, flow_cold *cold,
                                    flow_task *owner, uint32_t owner_id, flow_frame *scope)
{
    flow_cold *above = flow__cold(owner);
    uint32_t id = flow__task_id(task);
    uint32_t older = above->last_child;
    cold->owner = owner_id;
    cold->owner_frame = scope;
    cold->older = older;
    cold->younger = 0;
    above->last_child = id;
    if (older != 0) {
        flow__cold_at(world, older)->younger = id;
    }
    if (scope != NULL) {
        scope->flags_ |= FLOW_FRAME_CHILDREN;
    }
}

/* `above` is the owner's cold half. */
static inline void flow__child_unlink_from(flow_world *world, const flow_cold *cold,
                                           flow_cold *above)
{
    if (FLOW_UNLIKELY_(cold->younger != 0)) {
        flow__cold_at(world, cold->younger)->older = cold->older;
    } else {
        above->last_child = cold->older;
    }
    if (cold->older != 0) {
        flow__cold_at(world, cold->older)->younger = cold->younger;
    }
}

static inline void flow__child_unlink(flow_world *world, const flow_cold *cold)
{
    flow__child_unlink_from(world, cold, flow__cold_at(world, cold->owner));
}

/* Takes a free slot for a task owned by a scope, at home where its owner is; its first frame is in
 * it. */
FLOW_INLINE_ flow_task *flow__task_fill(flow_world *world, const flow_function *fn,
                                        flow_task *owner, flow_frame *scope, const char *site)
{
    flow_task *task = flow__slot_take(world);
    flow_cold *cold = flow__cold(task);
    cold->what.site = site;
    /* children, resources and joiners are none: that is how the slot's last flow left it */
    task->top_ = (flow_frame *)(void *)task->first_;
    task->top_->fn_ = fn; /* with its arguments it is written again */
    task->sp_ = NULL;
    task->clock_ = owner->clock_;
    task->phase_ = owner->phase_;
    task->kind_ = FLOW_KIND_EMBRYO;
    task->flags_ = 0;
    task->cause_ = FLOW_CAUSE_NONE;
    task->marks_ = 0;
    if (FLOW_UNLIKELY_(world->attention & FLOW_ATTENTION_ENDED)) {
        const flow_clock_state *clock = world->clocks[task->clock_]; /* where the owner waits yet */
        task->clock_ = clock->ended ? clock->parent : task->clock_;
    }
    flow__child_link(world, task, cold, owner, owner == world->root ? 0 : flow__task_id(owner),
                     scope);
    if (++world->count.live > world->count.live_peak) {
        world->count.live_peak = world->count.live;
    }
    return task;
}

/* Is a task to be had, with its first frame, without taking memory? */
FLOW_INLINE_ bool flow__task_at_hand(const flow_world *world, const flow_function *fn)
{
    return world->count.live < world->chunks.task_limit && world->free_tasks != NULL &&
           fn->size <= sizeof((flow_task *)NULL)->first_ && fn->align <= 16;
}

/* A flow ends about which nobody else is to be told: no one waits for it, it holds nothing, and has
 * not failed. `above` is its owner's cold half. */
static inline void flow__plain_end(flow_world *world, flow_task *task, flow_cold *cold,
                                   flow_cold *above, flow_state state)
{
    flow__child_unlink_from(world, cold, above);
    flow__generation_next(cold);
    task->flags_ = (uint16_t)state;
    task->pos_ = (uint32_t)world->frame;
    flow__slot_give(world, task);
    world->count.live--;
}

#endif
