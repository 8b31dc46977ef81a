/* SPDX-License-Identifier: MIT */
/*
 * Streams: sequences that are pulled, one element at a time, from flows that make them.
 *
 *     struct countdown { flow_frame base; FLOW_YIELDS(int) yields; int from; };
 *
 *     FLOW_STATIC(countdown)                                   a generator: a flow that yields
 *     {
 *         FLOW_BEGIN;
 *         for (; self->from > 0; self->from--) {
 *             FLOW_YIELD(&self->from);
 *             FLOW_AWAIT(flow_seconds(1));
 *         }
 *         FLOW_END;
 *     }
 *
 *     FLOW_STREAM(int) numbers; int n;                         members of the consumer's frame
 *     FLOW_GENERATE(&self->numbers, countdown, .from = 3);
 *     FLOW_FOREACH(&self->numbers, &self->n) {                 a loop whose body may await
 *         FLOW_AWAIT(FLOW_CALL(show, .number = self->n));
 *     }
 *
 * A stream's producer is a flow, a child of the scope that opened it. It is cold: it runs when an
 * element is asked for (a move), up to its next yield, and stands there meanwhile. Where it runs
 * where it is asked, as a start would, the move does not suspend; else the consumer waits, and goes
 * on in step 6 of its phase. There is one move of a stream at a time. An element that a losing or
 * cancelled move was to get is kept for the next one.
 *
 * A failure of the producer fails the move that meets it, now or later; where none comes it is
 * reported as UNDELIVERED. A stream that is left early, or whose scope ends, cancels its producer:
 * its finally section runs then, what it has opened itself first. World's thread only.
 */
#ifndef FLOW_STREAM_H
#define FLOW_STREAM_H

#include "flow/scope.h"

FLOW_EXTERN_C_BEGIN_

/* A stream of no particular type: what every FLOW_STREAM(T) begins with. All zero: not opened yet;
 * whoever moves it fails as CLOSED. Its members are flow's own business. */
typedef struct flow_stream {
    void *node_;
    uint32_t generation_; /* without a node: why there is none */
    int more_;
} flow_stream;

/* A stream of elements of type T, an object type. It is opened in a flow and lives in the frame of
 * that flow, of a caller, or in what outlives it. */
#define FLOW_STREAM(T)                                                                             \
    union {                                                                                        \
        flow_stream stream;                                                                        \
        T *type_;                                                                                  \
    }

/* Where a generator's elements go. All zero: nowhere. */
typedef struct flow_yields {
    void *node_;
} flow_yields;

/* The member `yields` of a generator's frame: says what it yields. A generator may hand it to a
 * function that it calls (.yields = self->yields, of one typedef), which yields in its place then.
 */
#define FLOW_YIELDS(T)                                                                             \
    union {                                                                                        \
        flow_yields yields;                                                                        \
        T *type_;                                                                                  \
    }

/* Ends a stream before its scope does: its producer is cancelled (cause EXPLICIT), which unwinds it
 * before this returns, up to the first await of a finally section; a kept element is dropped, a
 * kept failure reported as UNDELIVERED, a move that waits is told that there is no more. Moves from
 * now on find the end. One that was never opened is left alone. Takes no memory. */
#define flow_stream_end(s) flow_stream_end_(&(s)->stream)

/* A move: the next element, copied to *out (of the stream's type; null where it does not matter)
 * when the flow goes on. *more, an int, becomes 1, or 0 at the end, and at every move after it.
 * Both must live until the wait ends. Does not suspend where the producer yields at once. Fails as
 * the producer fails, once; as CANCELLED when it was cancelled; as CLOSED on a stream that was
 * never opened, as NOMEM on one that could not be. A second move while one waits is misuse. */
#define flow_stream_next(s, out, more) flow_stream_next_(FLOW_TYPED_(s, out, stream), (out), (more))

void flow_stream_end_(flow_stream *stream);
flow_status flow_stream_generate_(flow_task *flow, flow_stream *stream, uint32_t size,
                                  const flow_function *fn, const void *frame, size_t yields,
                                  const char *site);
int flow_await_move_(flow_task *flow, flow_frame *self, flow_stream *stream, void *out, int *more,
                     uint32_t at);
void flow_yield_(flow_task *flow, flow_frame *self, const flow_yields *yields, const void *value,
                 uint32_t at);

FLOW_NODISCARD_ FLOW_INLINE_ flow_wait flow_stream_next_(flow_stream *stream, void *out, int *more)
{
    flow_wait w = flow_wait_of_(FLOW_WAIT_MOVE_, 0, stream, out);
    w.arg_ = more;
    return w;
}

/* A loop's flow_stream.more_: 1 while it goes on, 0 when it is over, or that its move waits. Its
 * flow_how_: 0, or that the move which waited is done. */
enum { FLOW_FOREACH_WAITS_ = 2, FLOW_FOREACH_MOVED_ = 16 };

/* The next turn of a loop. 1: the move is done; 0: it waits, or the flow stops. */
FLOW_INLINE_ int flow_foreach_goes_(flow_task *flow, flow_frame *self, flow_stream *stream,
                                    void *out, int *how, uint32_t at)
{
    if (*how == FLOW_FOREACH_MOVED_) {
        *how = 0;
        return 1;
    }
    if (FLOW_LIKELY_(flow_await_move_(flow, self, stream, out, &stream->more_, at) == 0)) {
        return 1;
    }
    stream->more_ = FLOW_FOREACH_WAITS_;
    return 0;
}

/* A loop is left: by break or at the end for good, or to wait; or its move has come. */
FLOW_INLINE_ void flow_foreach_left_(flow_stream *stream, int how)
{
    if (stream->more_ == 0 || (stream->more_ == 1 && how != FLOW_FOREACH_MOVED_)) {
        flow_stream_end_(stream);
    }
}

FLOW_EXTERN_C_END_

#ifndef __cplusplus

/* Opens a stream on a generator, inside a body: its arguments are those of FLOW_CALL. Nothing of it
 * runs before the first move. Returns a flow_status that need not be looked at: OK; NOMEM, where
 * the first move fails as that; CANCELLED in a scope that has ended. Takes a flow and 250 bytes or
 * so, until it ends; an element takes nothing. */
#define FLOW_GENERATE(s, ...) FLOW_GENERATE_(s, __VA_ARGS__, .base = FLOW_START_BASE_)
#define FLOW_GENERATE_(s, name, ...)                                                               \
    flow_stream_generate_(flow, FLOW_TYPED_(s, ((struct name *)0)->yields.type_, stream),          \
                          (uint32_t)sizeof(*(s)->type_), &name##_flow_,                            \
                          &(struct name){__VA_ARGS__(name##_flow_)},                               \
                          offsetof(struct name, yields), FLOW_SITE_)

/* In a generator: gives *value, which is copied, to whoever moved, and suspends until the next
 * move. Null gives zeros. In a finally section or a shield it is misuse. */
#define FLOW_YIELD(value)                                                                          \
    FLOW_YIELD_(FLOW_TYPED_(&self->yields, value, yields), (value), __COUNTER__ - flow_base_)
#define FLOW_YIELD_(to, value, point)                                                              \
    do {                                                                                           \
        flow_yield_(flow, &self->base, to, value, FLOW_AT_(point));                                \
        return flow_step_of_(FLOW_STEP_STOPPED_);                                                  \
    case FLOW_WIDE_0_ + (point):;                                                                  \
    } while (0)

/* A loop over a stream: FLOW_FOREACH(&self->numbers, &self->n) { ... }. Each turn moves it to *out,
 * fails as the move fails, and runs the body, which may await, break and continue. When the loop
 * is over, at the end of the stream or by break, the stream is ended. FLOW_RETURN leaves that to
 * the scope's end. `s` is evaluated several times a turn, so let it name a member of the frame; put
 * the loop in braces where an if without braces would hold it. */
#define FLOW_FOREACH(s, out) FLOW_FOREACH_(s, out, __COUNTER__ - flow_base_)
#define FLOW_FOREACH_(s, out, point)                                                               \
    for ((s)->stream.more_ = 1; (s)->stream.more_ != 0;                                            \
         flow_foreach_left_(&(s)->stream, flow_how_))                                              \
        if ((s)->stream.more_ == FLOW_FOREACH_WAITS_) {                                            \
            return flow_step_of_(FLOW_STEP_STOPPED_);                                              \
        case FLOW_WIDE_0_ + (point):                                                               \
            flow_how_ = FLOW_FOREACH_MOVED_;                                                       \
        } else                                                                                     \
            for (; flow_foreach_goes_(flow, &self->base, FLOW_TYPED_(s, out, stream), (out),       \
                                      &flow_how_, FLOW_AT_(point));)                               \
                if ((s)->stream.more_ == 0) {                                                      \
                    break;                                                                         \
                } else

#endif /* !__cplusplus */

#endif
