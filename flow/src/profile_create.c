/* SPDX-License-Identifier: MIT */
/*
 * A profile's beginning and end. Everything it will ever need is one block, taken here and cleared,
 * so that recording neither allocates nor meets a page for the first time.
 */
#include "profiler.h"

/* ---- memory ---- */

/* Cuts the block into its parts; with block null it only counts. */
typedef struct cutter {
    char *block;
    size_t used;
} cutter;

static void *block_cut(cutter *from, size_t count, size_t size)
{
    void *part = from->block != NULL ? from->block + from->used : NULL;
    from->used += (count * size + 63) / 64 * 64;
    return part;
}

/* The index stays at most half full. */
static uint32_t index_size(uint32_t rows)
{
    uint32_t size = 64;
    while (size < 2 * rows) {
        size *= 2;
    }
    return size;
}

static flow_profile *block_lay_out(cutter *from, const flow_profile_desc *desc)
{
    flow_profile *profile = block_cut(from, 1, sizeof *profile);
    flow_profile parts = {0};
    parts.events = block_cut(from, desc->events, sizeof *parts.events);
    parts.open = block_cut(from, FLOW_OPEN_LIMIT, sizeof *parts.open);
    parts.rows = block_cut(from, desc->rows, sizeof *parts.rows);
    parts.index = block_cut(from, index_size(desc->rows), sizeof *parts.index);
    parts.touched = block_cut(from, desc->rows, sizeof *parts.touched);
    parts.frames = block_cut(from, FLOW_PROFILE_FRAMES, sizeof *parts.frames);
    parts.frame_events = block_cut(from, FLOW_PROFILE_FRAMES, sizeof *parts.frame_events);
    parts.dist = block_cut(from, 2, sizeof *parts.dist);
    parts.trace.lives = block_cut(from, FLOW_TRACE_LIVES, sizeof *parts.trace.lives);
    parts.window.lives = block_cut(from, FLOW_TRACE_LIVES, sizeof *parts.window.lives);
    if (profile != NULL) {
        *profile = parts;
    }
    return profile;
}

static size_t block_size(const flow_profile_desc *desc)
{
    cutter counts = {NULL, 0};
    (void)block_lay_out(&counts, desc);
    return counts.used;
}

static uint32_t power_of_two(uint32_t number)
{
    uint32_t power = 1024;
    while (power < number && power < UINT32_C(1) << 30) {
        power *= 2;
    }
    return power;
}

static flow_profile_desc with_defaults(const flow_profile_desc *desc)
{
    flow_profile_desc full = *desc;
    full.target_hz = full.target_hz > 0.0 ? full.target_hz : 60.0;
    full.hitch_ms = full.hitch_ms > 0.0 ? full.hitch_ms : 100.0;
    full.events = power_of_two(full.events != 0 ? full.events : 65536);
    full.rows = full.rows == 0 ? 256 : full.rows < 8 ? 8 : full.rows < 16384 ? full.rows : 16384;
    if (full.allocator.alloc == NULL) {
        full.allocator = (flow_allocator){flow__default_alloc, flow__default_free, NULL};
    }
    return full;
}

flow_profile *flow_profile_create(const flow_profile_desc *desc)
{
    if (desc == NULL || desc->now_ns == NULL) {
        flow__assert_failed("flow_profile_create: a profile needs a clock", __FILE__, __LINE__);
        return NULL;
    }
    flow_profile_desc full = with_defaults(desc);
    size_t size = block_size(&full);
    cutter block = {full.allocator.alloc(full.allocator.user, size, 64), 0};
    if (block.block == NULL) {
        return NULL;
    }
    memset(block.block, 0, size);
    flow_profile *profile = block_lay_out(&block, &full);
    profile->desc = full;
    profile->mask = full.events - 1;
    profile->index_mask = index_size(full.rows) - 1;
    profile->cancel = -1;
    (void)flow__row_named(profile, FLOW_PROFILE_OTHER, "other");
    (void)flow__row_named(profile, FLOW_PROFILE_UNACCOUNTED, "unaccounted");
    return profile;
}

/* ---- on and off ---- */

bool flow__profile_inside(const flow_profile *profile)
{
    const flow_world *world = profile->world;
    return world != NULL && (world->inside || world->current != NULL);
}

/* The frame under way is dropped. */
static void recording_stop(flow_profile *profile)
{
    if (profile->on) {
        profile->on = false;
        profile->depth = 0;
        profile->cancel = -1;
        flow__rows_drop(profile);
    }
    if (profile->world != NULL) {
        profile->world->attention &= (uint8_t)~FLOW_ATTENTION_PROFILED;
    }
}

flow_status flow_profile_switch(flow_profile *profile, int on)
{
    if (flow__profile_inside(profile)) {
        return FLOW_REENTRANT;
    }
    if (!on) {
        recording_stop(profile);
    }
    profile->armed = on != 0;
    return FLOW_OK;
}

flow_status flow_profile_watch(flow_profile *profile, flow_world *world)
{
    if (flow__profile_inside(profile) ||
        (world != NULL && (world->inside || world->current != NULL))) {
        return FLOW_REENTRANT;
    }
    if (world != NULL && world->profile != NULL && world->profile != profile) {
        return FLOW_FULL;
    }
    recording_stop(profile);
    if (profile->world != NULL) {
        profile->world->profile = NULL;
    }
    profile->world = world;
    if (world != NULL) {
        world->profile = profile;
        (void)snprintf(profile->world_name, sizeof profile->world_name, "%s",
                       flow__task_name(world->root));
    }
    return FLOW_OK;
}

/* The world is about to end: what its end unwinds belongs to no frame. */
void flow__profile_forget(flow_world *world)
{
    flow_profile *profile = world->profile;
    if (profile != NULL) {
        recording_stop(profile);
        world->profile = NULL;
        profile->world = NULL;
    }
}

/* ---- the end ---- */

flow_status flow_profile_finish(flow_profile *profile)
{
    if (flow__profile_inside(profile)) {
        return FLOW_REENTRANT;
    }
    recording_stop(profile);
    profile->armed = false;
    flow__hitch_tell(profile);
    profile->failed |= !flow__trace_finish(profile);
    if (profile->csv_open) {
        profile->csv_open = false;
        profile->failed |= !flow__file_close(&profile->csv);
    }
    return profile->failed ? FLOW_IO : FLOW_OK;
}

flow_status flow_profile_destroy(flow_profile *profile)
{
    if (profile == NULL) {
        return FLOW_OK;
    }
    flow_status status = flow_profile_finish(profile);
    if (status == FLOW_REENTRANT) {
        return status;
    }
    (void)flow_profile_watch(profile, NULL);
    flow_allocator allocator = profile->desc.allocator;
    allocator.free(allocator.user, profile, block_size(&profile->desc));
    return status;
}
