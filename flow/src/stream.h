/* SPDX-License-Identifier: MIT */
/*
 * What the sources of streams share.
 *
 * A stream is a node of kind STREAM: it stands first among those who wait for its producer's end,
 * so that the failure comes to it. Its `to` is the outlet, `up` the flow whose scope holds it,
 * `sibling` that scope's deferred cleanup which ends it, `pos` the wait of a move under way, `code`
 * and `on` how the producer failed, `seq` the generation.
 *
 * Operators are generators of the library. They leave the elements of their source in its slot, and
 * build what they yield where it is wanted, so that an element is copied once for each stage.
 */
#ifndef FLOW_STREAM_PRIVATE_H
#define FLOW_STREAM_PRIVATE_H

#include "private.h"

typedef struct flow_outlet {
    void *to;      /* where the next element goes: to who moves directly, or into the slot */
    int *more;     /* of the move that waits */
    char *slot;    /* an element that stays: one that nobody has taken, or an operator's own */
    uint32_t size; /* of an element */
} flow_outlet;

/* flow_node.flags of a stream. */
enum {
    FLOW_STREAM_HERE = 1, /* who moves it is on the C stack */
    FLOW_STREAM_KEPT = 2, /* the slot holds an element that nobody has taken */
    FLOW_STREAM_OVER = 4, /* the producer has ended */
    FLOW_STREAM_GONE = 8  /* nobody moves it any more */
};

/* Why a stream has no node: flow_stream.generation_. Else a status, with its sign. */
enum { FLOW_STREAM_UNOPENED = 0, FLOW_STREAM_ENDED = 1 };

/* The head of every stage's frame, and the frame of one that needs no more. */
#define FLOW_STAGE_HEAD__                                                                          \
    flow_frame base;                                                                               \
    flow_yields yields;                                                                            \
    flow_stream source;                                                                            \
    flow_stream other

typedef struct flow_stage {
    FLOW_STAGE_HEAD__;
} flow_stage;

/* The live node of a stream, or null. */
static inline flow_node *flow__stream_node(const flow_stream *stream)
{
    flow_node *node = stream->node_;
    bool lives = node != NULL && node->kind == FLOW_NODE_STREAM && node->seq == stream->generation_;
    return lives ? node : NULL;
}

static inline flow_outlet *flow__outlet(const flow_stream *stream)
{
    const flow_node *node = stream->node_;
    return node->to.value;
}

/* The element that was moved last to nowhere in particular. */
static inline void *flow__moved(const flow_stream *stream)
{
    return flow__outlet(stream)->slot;
}

/* A generator's own: `to` is where it may build its next element, the slot is free while it runs.
 */
static inline flow_outlet *flow__yield_outlet(const flow_yields *yields)
{
    const flow_node *node = yields->node_;
    return node->to.value;
}

static inline void flow__element_copy(void *to, const void *from, uint32_t size)
{
    if (size == 4) {
        memcpy(to, from, 4);
    } else if (size == 8) {
        memcpy(to, from, 8);
    } else {
        memcpy(to, from, size);
    }
}

bool flow__stream_refused(flow_task *flow, flow_stream *stream);
flow_status flow__stage_open(flow_task *flow, flow_stream *stream, uint32_t size, const char *site,
                             const flow_function *fn, void *frame, flow_stream *source,
                             flow_stream *other);
flow_status flow__stage_start(flow_task *flow, const flow_function *fn, void *frame,
                              flow_stream *source, const char *site);
void flow__yield_placed(flow_task *flow, flow_frame *self, const flow_yields *yields, uint32_t at);

/* A move inside an operator: the element stays in the source's slot, or goes somewhere. */
#define FLOW_MOVE__(source) FLOW_MOVE___(source, NULL, __COUNTER__ - flow_base_)
#define FLOW_MOVE_TO__(source, out) FLOW_MOVE___(source, out, __COUNTER__ - flow_base_)
#define FLOW_MOVE___(source, out, point)                                                           \
    do {                                                                                           \
        if (flow_await_move_(flow, &self->base, (source), (out), &(source)->more_,                 \
                             FLOW_AT_(point))) {                                                   \
            return flow_step_of_(FLOW_STEP_STOPPED_);                                              \
        case FLOW_WIDE_0_ + (point):;                                                              \
        }                                                                                          \
    } while (0)

/* Yields what was built in place. */
#define FLOW_YIELD_PLACED__ FLOW_YIELD_PLACED___(__COUNTER__ - flow_base_)
#define FLOW_YIELD_PLACED___(point)                                                                \
    do {                                                                                           \
        flow__yield_placed(flow, &self->base, &self->yields, FLOW_AT_(point));                     \
        return flow_step_of_(FLOW_STEP_STOPPED_);                                                  \
    case FLOW_WIDE_0_ + (point):;                                                                  \
    } while (0)

/* Yields a copy of what lies somewhere. */
#define FLOW_YIELD__(value) FLOW_YIELD_(&self->yields, (value), __COUNTER__ - flow_base_)

#endif
