/* SPDX-License-Identifier: MIT */
/* Operators that make one stream of one, element by element. */
#include "stream.h"

static flow_status open_stage(FLOW_STAGE_ARGS_, flow_stream *source, const flow_function *fn,
                              void *frame)
{
    return flow__stage_open(flow, stream, size, site, fn, frame, source, NULL);
}

struct stream_map {
    FLOW_STAGE_HEAD__;
    flow_map map;
    void *arg;
};

FLOW_STATIC(stream_map)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_MOVE__(&self->source);
        if (!self->source.more_) {
            break;
        }
        self->map(flow__moved(&self->source), flow__yield_outlet(&self->yields)->to, self->arg);
        FLOW_YIELD_PLACED__;
    }
    FLOW_END;
}

flow_status flow_stream_map_(FLOW_STAGE_ARGS_, flow_stream *source, flow_map map, void *arg)
{
    struct stream_map frame = {.map = map, .arg = arg};
    return open_stage(flow, stream, size, site, source, FLOW_FUNCTION(stream_map), &frame);
}

/* ---- those that fulfil something ---- */

#define MATCHING_STAGE                                                                             \
    FLOW_STAGE_HEAD__;                                                                             \
    flow_match match;                                                                              \
    void *arg

#define MATCHES (self->match(flow__moved(&self->source), self->arg) != 0)

struct stream_filter {
    MATCHING_STAGE;
};

FLOW_STATIC(stream_filter)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_MOVE__(&self->source);
        if (!self->source.more_) {
            break;
        }
        if (MATCHES) {
            FLOW_YIELD__(flow__moved(&self->source));
        }
    }
    FLOW_END;
}

flow_status flow_stream_filter_(FLOW_STAGE_ARGS_, flow_stream *source, flow_match match, void *arg)
{
    struct stream_filter frame = {.match = match, .arg = arg};
    return open_stage(flow, stream, size, site, source, FLOW_FUNCTION(stream_filter), &frame);
}

struct stream_take_while {
    MATCHING_STAGE;
};

FLOW_STATIC(stream_take_while)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_MOVE__(&self->source);
        if (!self->source.more_ || !MATCHES) {
            break;
        }
        FLOW_YIELD__(flow__moved(&self->source));
    }
    FLOW_END;
}

flow_status flow_stream_take_while_(FLOW_STAGE_ARGS_, flow_stream *source, flow_match match,
                                    void *arg)
{
    struct stream_take_while frame = {.match = match, .arg = arg};
    return open_stage(flow, stream, size, site, source, FLOW_FUNCTION(stream_take_while), &frame);
}

struct stream_skip_while {
    MATCHING_STAGE;
    bool passes;
};

FLOW_STATIC(stream_skip_while)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_MOVE__(&self->source);
        if (!self->source.more_) {
            break;
        }
        self->passes = self->passes || !MATCHES;
        if (self->passes) {
            FLOW_YIELD__(flow__moved(&self->source));
        }
    }
    FLOW_END;
}

flow_status flow_stream_skip_while_(FLOW_STAGE_ARGS_, flow_stream *source, flow_match match,
                                    void *arg)
{
    struct stream_skip_while frame = {.match = match, .arg = arg};
    return open_stage(flow, stream, size, site, source, FLOW_FUNCTION(stream_skip_while), &frame);
}

/* ---- so many ---- */

struct stream_take {
    FLOW_STAGE_HEAD__;
    uint64_t left;
};

/* The last element is handed over when the source has ended. */
FLOW_STATIC(stream_take)
{
    const flow_outlet *outlet;
    FLOW_BEGIN;
    while (self->left > 0) {
        FLOW_MOVE__(&self->source);
        if (!self->source.more_) {
            break;
        }
        if (--self->left > 0) {
            FLOW_YIELD__(flow__moved(&self->source));
        } else {
            outlet = flow__yield_outlet(&self->yields);
            flow__element_copy(outlet->to, flow__moved(&self->source), outlet->size);
            flow_stream_end_(&self->source);
            FLOW_YIELD_PLACED__;
        }
    }
    FLOW_END;
}

flow_status flow_stream_take_(FLOW_STAGE_ARGS_, flow_stream *source, uint64_t n)
{
    struct stream_take frame = {.left = n};
    return open_stage(flow, stream, size, site, source, FLOW_FUNCTION(stream_take), &frame);
}

struct stream_skip {
    FLOW_STAGE_HEAD__;
    uint64_t left;
};

FLOW_STATIC(stream_skip)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_MOVE__(&self->source);
        if (!self->source.more_) {
            break;
        }
        if (self->left > 0) {
            self->left--;
        } else {
            FLOW_YIELD__(flow__moved(&self->source));
        }
    }
    FLOW_END;
}

flow_status flow_stream_skip_(FLOW_STAGE_ARGS_, flow_stream *source, uint64_t n)
{
    struct stream_skip frame = {.left = n};
    return open_stage(flow, stream, size, site, source, FLOW_FUNCTION(stream_skip), &frame);
}

/* ---- those that differ ---- */

/* What was yielded last lies in the slot. */
struct stream_changed {
    FLOW_STAGE_HEAD__;
    bool any;
};

FLOW_STATIC(stream_changed)
{
    const flow_outlet *outlet;
    FLOW_BEGIN;
    for (;;) {
        FLOW_MOVE__(&self->source);
        if (!self->source.more_) {
            break;
        }
        outlet = flow__yield_outlet(&self->yields);
        if (!self->any || memcmp(outlet->slot, flow__moved(&self->source), outlet->size) != 0) {
            self->any = true;
            flow__element_copy(outlet->slot, flow__moved(&self->source), outlet->size);
            FLOW_YIELD__(outlet->slot);
        }
    }
    FLOW_END;
}

flow_status flow_stream_changed_(FLOW_STAGE_ARGS_, flow_stream *source)
{
    struct stream_changed frame = {.any = false};
    return open_stage(flow, stream, size, site, source, FLOW_FUNCTION(stream_changed), &frame);
}

struct stream_distinct {
    FLOW_STAGE_HEAD__;
    char *seen; /* a ring */
    uint32_t memory, count, at;
};

static bool seen_before(struct stream_distinct *self)
{
    size_t size = flow__yield_outlet(&self->yields)->size;
    const void *value = flow__moved(&self->source);
    for (uint32_t i = 0; i < self->count; i++) {
        if (memcmp(self->seen + i * size, value, size) == 0) {
            return true;
        }
    }
    memcpy(self->seen + self->at * size, value, size);
    self->at = self->at + 1 < self->memory ? self->at + 1 : 0;
    self->count += self->count < self->memory;
    return false;
}

FLOW_STATIC(stream_distinct)
{
    FLOW_BEGIN;
    self->seen = flow__block_take(flow__world_of(flow),
                                  (size_t)self->memory * flow__yield_outlet(&self->yields)->size);
    if (self->seen == NULL) {
        FLOW_FAIL(FLOW_NOMEM, "no memory for what a stream has had");
    }
    for (;;) {
        FLOW_MOVE__(&self->source);
        if (!self->source.more_) {
            break;
        }
        if (!seen_before(self)) {
            FLOW_YIELD__(flow__moved(&self->source));
        }
    }
    FLOW_FINALLY;
    if (self->seen != NULL) {
        flow__block_give(self->seen);
    }
    FLOW_END;
}

flow_status flow_stream_distinct_(FLOW_STAGE_ARGS_, flow_stream *source, uint32_t memory)
{
    struct stream_distinct frame = {.memory = memory > 0 ? memory : 1};
    return open_stage(flow, stream, size, site, source, FLOW_FUNCTION(stream_distinct), &frame);
}

/* ---- several elements together ---- */

struct stream_pairwise {
    FLOW_STAGE_HEAD__;
    flow_combine combine;
    void *arg;
    char *before;
};

FLOW_STATIC(stream_pairwise)
{
    FLOW_BEGIN;
    FLOW_MOVE__(&self->source);
    if (!self->source.more_) {
        FLOW_RETURN;
    }
    self->before = flow__block_take(flow__world_of(flow), flow__outlet(&self->source)->size);
    if (self->before == NULL) {
        FLOW_FAIL(FLOW_NOMEM, "no memory for an element");
    }
    for (;;) {
        memcpy(self->before, flow__moved(&self->source), flow__outlet(&self->source)->size);
        FLOW_MOVE__(&self->source);
        if (!self->source.more_) {
            break;
        }
        self->combine(self->before, flow__moved(&self->source),
                      flow__yield_outlet(&self->yields)->to, self->arg);
        FLOW_YIELD_PLACED__;
    }
    FLOW_FINALLY;
    if (self->before != NULL) {
        flow__block_give(self->before);
    }
    FLOW_END;
}

flow_status flow_stream_pairwise_(FLOW_STAGE_ARGS_, flow_stream *source, flow_combine combine,
                                  void *arg)
{
    struct stream_pairwise frame = {.combine = combine, .arg = arg};
    return open_stage(flow, stream, size, site, source, FLOW_FUNCTION(stream_pairwise), &frame);
}

/* The state lies in the slot. */
struct stream_scan {
    FLOW_STAGE_HEAD__;
    flow_fold fold;
    void *arg;
};

FLOW_STATIC(stream_scan)
{
    void *held;
    FLOW_BEGIN;
    for (;;) {
        FLOW_MOVE__(&self->source);
        if (!self->source.more_) {
            break;
        }
        held = flow__yield_outlet(&self->yields)->slot;
        self->fold(held, flow__moved(&self->source), self->arg);
        FLOW_YIELD__(held);
    }
    FLOW_END;
}

flow_status flow_stream_scan_(FLOW_STAGE_ARGS_, flow_stream *source, const void *initial,
                              flow_fold fold, void *arg)
{
    struct stream_scan frame = {.fold = fold, .arg = arg};
    flow_status status =
        open_stage(flow, stream, size, site, source, FLOW_FUNCTION(stream_scan), &frame);
    if (status == FLOW_OK) {
        memcpy(flow__moved(stream), initial, size);
    }
    return status;
}

/* A batch is filled in the slot: its items, then how many they are. Sizes in bytes. */
struct stream_buffer {
    FLOW_STAGE_HEAD__;
    uint32_t item, items;
    uint32_t filled;
};

static void batch_count(const struct stream_buffer *self, char *batch)
{
    uint32_t count = self->filled / self->item;
    memcpy(batch + (self->items + sizeof count - 1) / sizeof count * sizeof count, &count,
           sizeof count);
}

FLOW_STATIC(stream_buffer)
{
    char *batch;
    FLOW_BEGIN;
    do {
        batch = flow__yield_outlet(&self->yields)->slot;
        memset(batch, 0, flow__yield_outlet(&self->yields)->size);
        for (self->filled = 0; self->filled < self->items; self->filled += self->item) {
            FLOW_MOVE_TO__(&self->source, flow__yield_outlet(&self->yields)->slot + self->filled);
            if (!self->source.more_) {
                break;
            }
        }
        if (self->filled > 0) {
            batch = flow__yield_outlet(&self->yields)->slot;
            batch_count(self, batch);
            FLOW_YIELD__(batch);
        }
    } while (self->source.more_);
    FLOW_END;
}

flow_status flow_stream_buffer_(FLOW_STAGE_ARGS_, flow_stream *source, uint32_t item,
                                uint32_t items)
{
    struct stream_buffer frame = {.item = item, .items = items};
    return open_stage(flow, stream, size, site, source, FLOW_FUNCTION(stream_buffer), &frame);
}

#undef MATCHING_STAGE
#undef MATCHES
