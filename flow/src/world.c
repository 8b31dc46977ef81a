/* SPDX-License-Identifier: MIT */
/* A world's beginning and end. */
#include "tape.h"

#include <stdlib.h>
#if defined(_MSC_VER) || defined(__MINGW32__)
#include <malloc.h>
#endif

/* ---- the default allocator ---- */

void *flow__default_alloc(void *user, size_t size, size_t alignment)
{
    (void)user;
#if defined(_MSC_VER) || defined(__MINGW32__)
    return _aligned_malloc(size, alignment);
#else
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
#endif
}

void flow__default_free(void *user, void *memory, size_t size)
{
    (void)user;
    (void)size;
#if defined(_MSC_VER) || defined(__MINGW32__)
    _aligned_free(memory);
#else
    free(memory);
#endif
}

/* ---- creation ---- */

static bool faults_reserve(flow_world *world)
{
    for (int i = 0; i < FLOW_FAULT_RESERVE; i++) {
        flow_fault *fault = flow__block_take(world, sizeof *fault);
        if (fault == NULL) {
            return false;
        }
        fault->outer = world->free_faults;
        world->free_faults = fault;
    }
    return true;
}

static bool world_init(flow_world *world)
{
    for (int phase = 0; phase < FLOW_PHASE_LIMIT; phase++) {
        world->ready[phase].reserved = true;
    }
    world->chunks.reserved_queues = FLOW_PHASE_LIMIT;
    return faults_reserve(world) && flow__clocks_init(world) && flow__reserve_for_tasks(world, 1) &&
           flow__root_make(world);
}

/* The world, and behind it the places of its inbox. */
static const size_t world_bytes = (sizeof(flow_world) + 63) / 64 * 64;

static size_t world_size(const flow_world_desc *desc)
{
    return world_bytes + flow__inbox_size(desc);
}

static uint32_t fixed_phases(const flow_world_desc *desc)
{
    uint32_t bits = 1u << FLOW_FIXED;
    for (uint32_t i = 0; i < FLOW_HOST_PHASES; i++) {
        bits |= desc->host_phases[i].fixed ? 1u << (FLOW_PHASE_HOST + i) : 0;
    }
    return bits;
}

flow_world *flow_world_create(const flow_world_desc *desc)
{
    flow_world_desc from = {0};
    if (desc != NULL) {
        from = *desc;
    }
    if (from.allocator.alloc == NULL) {
        from.allocator = (flow_allocator){flow__default_alloc, flow__default_free, NULL};
    }
    size_t size = world_size(&from);
    if (from.byte_budget != 0 && from.byte_budget < size) {
        return NULL;
    }
    flow_world *world = from.allocator.alloc(from.allocator.user, size, 64);
    if (world == NULL) {
        return NULL;
    }
    memset(world, 0, sizeof *world);
    world->desc = from;
    world->slab.bytes = size;
    flow__inbox_init(world, (char *)world + world_bytes);

    double budget = from.now_ns != NULL && from.frame_budget > 0.0 ? from.frame_budget * 1e9 : 0.0;
    world->budget.ns = budget < 1e18 ? (uint64_t)budget : (uint64_t)1e18;
    world->resume_cap = from.resume_cap ? from.resume_cap : 65536;
    world->fixed_phases = fixed_phases(&from);
    if (!world_init(world)) {
        flow__slab_free_all(world);
        from.allocator.free(from.allocator.user, world, size);
        return NULL;
    }
    return world;
}

uint64_t flow_world_frame(const flow_world *world)
{
    return world->frame;
}

flow_world *flow_world_of(const flow_task *flow)
{
    return flow__world_of(flow);
}

const char *flow_world_phase_name(const flow_world *world, flow_phase phase)
{
    const char *name = phase >= FLOW_PHASE_HOST && phase < FLOW_PHASE_LIMIT
                           ? world->desc.host_phases[phase - FLOW_PHASE_HOST].name
                           : NULL;
    return name != NULL ? name : flow_phase_name(phase);
}

void *flow_world_user(const flow_world *world)
{
    return world->desc.user;
}

/* Slots for that many flows and for those that ended last, with a place in a tick queue and in the
 * ready queue each. */
flow_status flow_world_reserve(flow_world *world, uint32_t flows)
{
    flow_task *first = NULL;
    uint32_t more = flows > world->count.live
                        ? flows - world->count.live + FLOW_ENDED_BATCH * FLOW_ENDED_BATCHES
                        : 0;
    flow_status status = flow__reserve_for_waits(world, flows) ? FLOW_OK : FLOW_NOMEM;
    while (more-- > 0 && status == FLOW_OK) {
        flow_task *task = flow__group_new(world, world->root, NULL);
        if (task == NULL) {
            status = FLOW_NOMEM;
            break;
        }
        task->pos_ = first ? flow__task_id(first) : 0;
        first = task;
    }
    while (first != NULL) {
        flow_task *next = first->pos_ ? flow__task(world, first->pos_) : NULL;
        flow__group_free(world, first);
        first = next;
    }
    return status;
}

/* ---- the end ---- */

/* Ends a finally section or a shield that would go on awaiting. */
static void cut(flow_world *world, flow_task *task)
{
    flow__warn(world, FLOW_WARNING_CUT_AT_DESTROY, task, NULL);
    flow__wait_drop(world, task);
    task->kind_ = FLOW_KIND_RUNNING;
    (void)flow__fault_raise(task, task->top_, FLOW_CANCELLED, "cut by the end of the world");
    flow__go_on(world, task);
}

/* One pass over all slots, deepest slots in no particular order: what is protected is cut, what
 * waited for it goes on. */
static void cut_all(flow_world *world)
{
    for (uint32_t page = 0; page < world->tasks.pages; page++) {
        for (uint32_t slot = 0; slot < FLOW_TASKS_PER_PAGE; slot++) {
            flow_task *task = flow__task(world, (page << FLOW_ID_SHIFT) | slot);
            if (flow__waits(task) && (task->flags_ & FLOW_TASK_LEAVING)) {
                flow__wait_drop(world, task);
                task->flags_ &= (uint16_t)~FLOW_TASK_LEAVING;
                task->kind_ = FLOW_KIND_RUNNING;
                flow__go_on(world, task);
            } else if (flow__waits(task)) {
                cut(world, task);
            }
        }
    }
}

flow_status flow_world_destroy(flow_world *world)
{
    if (world == NULL) {
        return FLOW_OK;
    }
    if (flow__elsewhere(world, "flow_world_destroy: called on another thread than the world's")) {
        return FLOW_MISUSE;
    }
    if (world->inside || world->current != NULL) {
        (void)flow__misuse(world, world->current,
                           "flow_world_destroy: called from inside the world");
        return FLOW_REENTRANT;
    }
    if (world->tape != NULL) {
        world->tape->end(world->tape);
    }
    world->destroying = true;
    flow__inbox_close(world);
    flow__profile_forget(world);
    if (world->root->kind_ != FLOW_KIND_FREE) { /* it has ended where this is the second call */
        (void)flow__cancel(world, world->root, FLOW_CAUSE_WORLD_DESTROYED);
    }
    if (world->jobs != NULL && !flow__jobs_wait(world)) {
        return FLOW_PENDING;
    }
    /* Each pass ends somebody, or nobody ever will: groups count too, since an owner may wait for
     * one. */
    for (uint32_t left = UINT32_MAX;
         flow__cold(world->root)->last_child != 0 && world->count.live + world->groups < left;) {
        left = world->count.live + world->groups;
        cut_all(world);
    }
    if (flow__cold(world->root)->last_child != 0) {
        (void)flow__misuse(
            world, NULL,
            "flow_world_destroy: a flow cannot be ended; this is an error of flow's own");
    }
    flow__inbox_drop(world);
    flow_status status = flow__met(world);
    flow_world_desc desc = world->desc;
    flow_allocator allocator = desc.allocator;
    flow__slab_free_all(world);
    allocator.free(allocator.user, world, world_size(&desc));
    return status;
}
