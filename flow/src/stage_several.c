/* SPDX-License-Identifier: MIT */
/* Operators on several streams, and the ends of chains. */
#include "stream.h"

static flow_status open_on_two(FLOW_STAGE_ARGS_, flow_stream *first, flow_stream *second,
                               const flow_function *fn, void *frame)
{
    return flow__stage_open(flow, stream, size, site, fn, frame, first, second);
}

struct stream_concat {
    FLOW_STAGE_HEAD__;
};

FLOW_STATIC(stream_concat)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_MOVE__(&self->source);
        if (!self->source.more_) {
            break;
        }
        FLOW_YIELD__(flow__moved(&self->source));
    }
    flow_stream_end_(&self->source);
    for (;;) {
        FLOW_MOVE__(&self->other);
        if (!self->other.more_) {
            break;
        }
        FLOW_YIELD__(flow__moved(&self->other));
    }
    FLOW_END;
}

flow_status flow_stream_concat_(FLOW_STAGE_ARGS_, flow_stream *first, flow_stream *second)
{
    struct stream_concat frame = {.source = {0}};
    return open_on_two(flow, stream, size, site, first, second, FLOW_FUNCTION(stream_concat),
                       &frame);
}

/* ---- as they come ---- */

/* Both are moved at once; who was served last comes second the next time. */
#define TWO_STREAMS                                                                                \
    FLOW_STAGE_HEAD__;                                                                             \
    int turn;  /* 1: other is asked first */                                                       \
    int which; /* of those, in the order in which they are asked */                                \
    int more[2];                                                                                   \
    int served; /* 0: source, 1: other */                                                          \
    bool over[2]

#define ASKED(i) (((i) ^ self->turn) ? &self->other : &self->source)

#define MOVE_EITHER                                                                                \
    do {                                                                                           \
        if (self->over[0] || self->over[1]) {                                                      \
            self->which = self->over[self->turn];                                                  \
            FLOW_AWAIT(flow_stream_next_(ASKED(self->which), NULL, &self->more[self->which]));     \
        } else {                                                                                   \
            FLOW_RACE(self->which, flow_stream_next_(ASKED(0), NULL, &self->more[0]),              \
                      flow_stream_next_(ASKED(1), NULL, &self->more[1]));                          \
        }                                                                                          \
        self->served = self->which ^ self->turn;                                                   \
        self->over[self->served] = !self->more[self->which];                                       \
        self->turn = !self->served;                                                                \
    } while (0)

#define SERVED (self->served ? &self->other : &self->source)

struct stream_merge {
    TWO_STREAMS;
};

FLOW_STATIC(stream_merge)
{
    FLOW_BEGIN;
    while (!self->over[0] || !self->over[1]) {
        MOVE_EITHER;
        if (!self->over[self->served]) {
            FLOW_YIELD__(flow__moved(SERVED));
        }
    }
    FLOW_END;
}

flow_status flow_stream_merge_(FLOW_STAGE_ARGS_, flow_stream *first, flow_stream *second)
{
    struct stream_merge frame = {.turn = 0};
    return open_on_two(flow, stream, size, site, first, second, FLOW_FUNCTION(stream_merge),
                       &frame);
}

/* Copies of the latest of each: while a move goes on, the slots are written. */
struct stream_latest {
    TWO_STREAMS;
    flow_combine combine;
    void *arg;
    char *latest[2];
};

static bool latest_keep(flow_task *flow, struct stream_latest *self)
{
    const flow_outlet *outlet = flow__outlet(SERVED);
    char **latest = &self->latest[self->served];
    if (*latest == NULL) {
        *latest = flow__block_take(flow__world_of(flow), outlet->size);
    }
    if (*latest != NULL) {
        memcpy(*latest, outlet->slot, outlet->size);
    }
    return *latest != NULL;
}

/* Can there be another pair? Not where one has ended without an element, or both have. */
static bool latest_goes_on(const struct stream_latest *self)
{
    return !(self->over[0] && (self->over[1] || self->latest[0] == NULL)) &&
           !(self->over[1] && self->latest[1] == NULL);
}

FLOW_STATIC(stream_latest)
{
    FLOW_BEGIN;
    while (latest_goes_on(self)) {
        MOVE_EITHER;
        if (self->over[self->served]) {
            continue;
        }
        if (!latest_keep(flow, self)) {
            FLOW_FAIL(FLOW_NOMEM, "no memory for an element");
        }
        if (self->latest[0] != NULL && self->latest[1] != NULL) {
            self->combine(self->latest[0], self->latest[1], flow__yield_outlet(&self->yields)->to,
                          self->arg);
            FLOW_YIELD_PLACED__;
        }
    }
    FLOW_FINALLY;
    for (int i = 0; i < 2; i++) {
        if (self->latest[i] != NULL) {
            flow__block_give(self->latest[i]);
        }
    }
    FLOW_END;
}

flow_status flow_stream_latest_(FLOW_STAGE_ARGS_, flow_stream *first, flow_stream *second,
                                flow_combine combine, void *arg)
{
    struct stream_latest frame = {.combine = combine, .arg = arg};
    return open_on_two(flow, stream, size, site, first, second, FLOW_FUNCTION(stream_latest),
                       &frame);
}

/* ---- pairs ---- */

struct stream_zip {
    FLOW_STAGE_HEAD__;
    flow_combine combine;
    void *arg;
    int which;
    int more[2];
};

FLOW_STATIC(stream_zip)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_RACE(self->which, flow_stream_next_(&self->source, NULL, &self->more[0]),
                  flow_stream_next_(&self->other, NULL, &self->more[1]));
        if (!self->more[self->which]) {
            break;
        }
        FLOW_AWAIT(flow_stream_next_(self->which ? &self->source : &self->other, NULL,
                                     &self->more[!self->which]));
        if (!self->more[!self->which]) {
            break;
        }
        self->combine(flow__moved(&self->source), flow__moved(&self->other),
                      flow__yield_outlet(&self->yields)->to, self->arg);
        FLOW_YIELD_PLACED__;
    }
    FLOW_END;
}

flow_status flow_stream_zip_(FLOW_STAGE_ARGS_, flow_stream *first, flow_stream *second,
                             flow_combine combine, void *arg)
{
    struct stream_zip frame = {.combine = combine, .arg = arg};
    return open_on_two(flow, stream, size, site, first, second, FLOW_FUNCTION(stream_zip), &frame);
}

/* ---- a stream for each element ---- */

struct stream_flat_map {
    FLOW_STAGE_HEAD__; /* other: the inner stream */
    flow_opener open;
    void *arg;
};

FLOW_STATIC(stream_flat_map)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_MOVE__(&self->source);
        if (!self->source.more_) {
            break;
        }
        self->open(flow, &self->other, flow__moved(&self->source), self->arg);
        for (;;) {
            FLOW_MOVE__(&self->other);
            if (!self->other.more_) {
                break;
            }
            FLOW_YIELD__(flow__moved(&self->other));
        }
        flow_stream_end_(&self->other);
    }
    FLOW_END;
}

flow_status flow_stream_flat_map_(FLOW_STAGE_ARGS_, flow_stream *source, flow_opener open,
                                  void *arg)
{
    struct stream_flat_map frame = {.open = open, .arg = arg};
    return open_on_two(flow, stream, size, site, source, NULL, FLOW_FUNCTION(stream_flat_map),
                       &frame);
}

/* ---- the end of a chain ---- */

FLOW_DEFINE(flow_stream_first_)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_stream_next_(self->stream, self->out, self->found));
    flow_stream_end_(self->stream);
    FLOW_END;
}

FLOW_DEFINE(flow_stream_last_)
{
    FLOW_BEGIN;
    for (*self->found = 0;; *self->found = 1) {
        FLOW_MOVE__(self->stream);
        if (!self->stream->more_) {
            break;
        }
        if (self->out != NULL) {
            memcpy(self->out, flow__moved(self->stream), self->size);
        }
    }
    flow_stream_end_(self->stream);
    FLOW_END;
}

FLOW_DEFINE(flow_stream_fold_)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_MOVE__(self->stream);
        if (!self->stream->more_) {
            break;
        }
        self->fold(self->state, flow__moved(self->stream), self->arg);
    }
    flow_stream_end_(self->stream);
    FLOW_END;
}

void flow_stream_counted_(void *state, const void *value, void *arg)
{
    int64_t *count = state;
    (void)value;
    (void)arg;
    ++*count;
}

FLOW_DEFINE(flow_stream_to_array_)
{
    FLOW_BEGIN;
    for (*self->count = 0; *self->count < self->capacity; ++*self->count) {
        FLOW_MOVE_TO__(self->stream, (char *)self->array + *self->count * self->size);
        if (!self->stream->more_) {
            break;
        }
    }
    flow_stream_end_(self->stream);
    FLOW_END;
}

#undef TWO_STREAMS
#undef ASKED
#undef MOVE_EITHER
#undef SERVED
