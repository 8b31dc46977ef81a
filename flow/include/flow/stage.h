/* SPDX-License-Identifier: MIT */
/*
 * Stages of streams: sources, operators, and what to await at the end of a chain.
 *
 *     FLOW_STREAM(int) numbers, squares; int n;
 *     flow_stream_range(flow, &self->numbers, 0, 10);
 *     flow_stream_filter(flow, &self->numbers, &self->numbers, is_odd, NULL);
 *     flow_stream_map(flow, &self->squares, &self->numbers, square, NULL);
 *     FLOW_FOREACH(&self->squares, &self->n) { ... }
 *
 * Each call opens a stream in the running scope, inside a body. An operator takes the streams it is
 * given over: they are used up, become children of the new one, and end with it, before it. A
 * stream may take the place of its own source, as above, where the types are the same. All return a
 * flow_status that need not be looked at: what went wrong is the failure of the first move.
 *
 * A stage is a flow of the library (stream_map in a dump) and does nothing until it is moved. What
 * it costs is taken when it is opened or first moved; an element takes no memory. Functions of the
 * user's are called in the flow that moves, in order, one at a time; `arg` is borrowed as long as
 * the stream lives, values for the call. World's thread only.
 */
#ifndef FLOW_STAGE_H
#define FLOW_STAGE_H

#include "flow/poll.h"
#include "flow/property.h"
#include "flow/stream.h"
#include "flow/subscription.h"

FLOW_EXTERN_C_BEGIN_

/* Makes *out of *value. */
typedef void (*flow_map)(const void *value, void *out, void *arg);

/* Makes *out of two. */
typedef void (*flow_combine)(const void *first, const void *second, void *out, void *arg);

/* Brings *state up to date with one more value. */
typedef void (*flow_fold)(void *state, const void *value, void *arg);

/* Opens *stream, a FLOW_STREAM(T) of the type that the resulting stream has, for one value. */
typedef void (*flow_opener)(flow_task *flow, void *stream, const void *value, void *arg);

/* What flow_stream_buffer yields: up to N elements. */
#define FLOW_BATCH(T, N)                                                                           \
    struct {                                                                                       \
        T items[N];                                                                                \
        uint32_t count;                                                                            \
    }

/* ---- sources ---- */

/* No element; none, and no end; a failure at the first move (code as for FLOW_FAIL). */
#define flow_stream_empty(flow, s) flow_stream_repeat_(flow, FLOW_OPENS_(s), NULL, 0)
#define flow_stream_never(flow, s) flow_stream_never_(flow, FLOW_OPENS_(s))
#define flow_stream_fail(flow, s, code, message)                                                   \
    flow_stream_fail_(flow, FLOW_OPENS_(s), (code), (message))

/* *value once; so many times. The value is copied now. */
#define flow_stream_single(flow, s, ...)                                                           \
    flow_stream_repeat_(flow, FLOW_OPENS_AS_(s, (__VA_ARGS__)), (__VA_ARGS__), 1)
#define flow_stream_repeat(flow, s, value, times)                                                  \
    flow_stream_repeat_(flow, FLOW_OPENS_AS_(s, value), (value), (times))

/* The ints from first up to end, which is left out. */
#define flow_stream_range(flow, s, first, end)                                                     \
    flow_stream_range_(flow, FLOW_OPENS_AS_(s, (int *)0), (first), (end))

/* The elements of an array, which is borrowed as long as the stream lives. */
#define flow_stream_array(flow, s, array, count)                                                   \
    flow_stream_array_(flow, FLOW_OPENS_AS_(s, array), (array), (count))

/* Awaits a leaf wait again and again (flow_next_tick(), flow_frames(3), flow_until(...)), and each
 * time yields how often it has, an int64_t from 1. What passes while nobody moves is not made up
 * for. Fails as the wait fails. */
#define flow_stream_every(flow, s, wait)                                                           \
    flow_stream_every_(flow, FLOW_OPENS_AS_(s, (int64_t *)0), (wait))

/* Yields first after `delay` seconds of its clock, from the first move, and then on the grid of
 * that plus k times `period` (at least 1e-9), or never again when that is 0. Elements are the
 * numbers of the grid's points, int64_t from 0. Points that go by while nobody moves, or in one
 * long frame, come as one: the last. Another period is misuse. */
#define flow_stream_timer(flow, s, delay, period)                                                  \
    flow_stream_timer_(flow, FLOW_OPENS_AS_(s, (int64_t *)0), (delay), (period))
#define flow_stream_interval(flow, s, period) flow_stream_timer(flow, s, period, period)

/* What a signal emits while a move waits, or what a subscription or channel keeps, until it is
 * closed. Fails as the source was said to fail. It is borrowed. */
#define flow_stream_from(flow, s, source)                                                          \
    flow_stream_from_(flow, FLOW_OPENS_AS_(s, (source)->type_), &(source)->source_)

/* The value of a property, then the latest at each move after a change, until it ends. */
#define flow_stream_property(flow, s, p)                                                           \
    flow_stream_property_(flow, FLOW_OPENS_AS_(s, (p)->type_), &(p)->property)

/* *variable, looked at in each tick of the flow's phase while a move waits: its value, then each
 * that differs from the one before, byte by byte. It is borrowed as long as the stream lives. */
#define flow_stream_watch(flow, s, variable)                                                       \
    flow_stream_watch_(flow, FLOW_OPENS_AS_(s, variable), (variable))

/* ---- one in, one out ---- */

/* Each element as map(element, out, arg) makes it. */
#define flow_stream_map(flow, s, source, map, arg)                                                 \
    flow_stream_map_(flow, FLOW_OPENS_(s), &(source)->stream, (map), (arg))

/* Those that fulfil match(element, arg); those before the first that does not; those from the first
 * that does not. */
#define flow_stream_filter(flow, s, source, match, arg)                                            \
    flow_stream_filter_(flow, FLOW_STAGE_(s, source), (match), (arg))
#define flow_stream_take_while(flow, s, source, match, arg)                                        \
    flow_stream_take_while_(flow, FLOW_STAGE_(s, source), (match), (arg))
#define flow_stream_skip_while(flow, s, source, match, arg)                                        \
    flow_stream_skip_while_(flow, FLOW_STAGE_(s, source), (match), (arg))

/* The first n, where the source ends before the last of them is handed over; all but the first n.
 */
#define flow_stream_take(flow, s, source, n)                                                       \
    flow_stream_take_(flow, FLOW_STAGE_(s, source), (uint64_t)(n))
#define flow_stream_skip(flow, s, source, n)                                                       \
    flow_stream_skip_(flow, FLOW_STAGE_(s, source), (uint64_t)(n))

/* Until a leaf wait ends; from then on. The wait begins now, lives as long as the stream, whether
 * it is moved or not, and the stream fails as the wait fails. */
#define flow_stream_take_until(flow, s, source, wait)                                              \
    flow_stream_until_(flow, FLOW_STAGE_(s, source), (wait), 0)
#define flow_stream_skip_until(flow, s, source, wait)                                              \
    flow_stream_until_(flow, FLOW_STAGE_(s, source), (wait), 1)

/* Those that differ, byte by byte, from the one before; from the last `memory` that were different
 * (1 and more), O(memory) each. */
#define flow_stream_distinct_until_changed(flow, s, source)                                        \
    flow_stream_changed_(flow, FLOW_STAGE_(s, source))
#define flow_stream_distinct(flow, s, source, memory)                                              \
    flow_stream_distinct_(flow, FLOW_STAGE_(s, source), (uint32_t)(memory))

/* combine(before, element, out, arg) for each element but the first. */
#define flow_stream_pairwise(flow, s, source, combine, arg)                                        \
    flow_stream_pairwise_(flow, FLOW_OPENS_(s), &(source)->stream, (combine), (arg))

/* The state, which begins as *initial, after fold(state, element, arg) for each element. */
#define flow_stream_scan(flow, s, source, initial, fold, arg)                                      \
    flow_stream_scan_(flow, FLOW_OPENS_AS_(s, initial), &(source)->stream, (initial), (fold), (arg))

/* Batches of N elements, the last with what is left; s is a stream of a FLOW_BATCH(T, N). */
#define flow_stream_buffer(flow, s, source)                                                        \
    flow_stream_buffer_(                                                                           \
        flow, FLOW_OPENS_(s),                                                                      \
        ((void)sizeof(1 ? (s)->type_->items : (source)->type_), &(source)->stream),                \
        (uint32_t)sizeof((s)->type_->items[0]), (uint32_t)sizeof((s)->type_->items))

/* The same with a flow function, which may await: `name` is called for each element, one after
 * another, and is a call of the stage's; the stream fails as it fails. Its frame says with a member
 * `maps` of what it makes what, and is zero else:
 *
 *     struct load { flow_frame base; FLOW_MAPS(int, struct tile) maps; };
 *     flow_stream_map_await(flow, &self->tiles, &self->ids, load, NULL);
 *
 * It finds the element in *maps.value, leaves the result in *maps.out, and has maps.arg, borrowed.
 * A filter makes an int: not 0 lets the element pass. */
#define flow_stream_map_await(flow, s, source, name, arg)                                          \
    flow_stream_map_await_(flow, FLOW_OPENS_AS_(s, ((struct name *)0)->maps.out),                  \
                           &(source)->stream, FLOW_MAPPER_(name, source, arg))
#define flow_stream_filter_await(flow, s, source, name, arg)                                       \
    flow_stream_filter_await_(flow, FLOW_STAGE_(s, source),                                        \
                              ((void)sizeof(1 ? (int *)0 : ((struct name *)0)->maps.out),          \
                               FLOW_MAPPER_(name, source, arg)))

/* The member `maps` of the frame of a function that makes a U of a T. */
#define FLOW_MAPS(T, U)                                                                            \
    struct {                                                                                       \
        const T *value;                                                                            \
        U *out;                                                                                    \
        void *arg;                                                                                 \
    }

/* ---- time ---- */

/* An element when `seconds` have passed without another one; what is left at the source's end at
 * once. */
#define flow_stream_debounce(flow, s, source, seconds)                                             \
    flow_stream_debounce_(flow, FLOW_STAGE_(s, source), (seconds))

/* Those that come `seconds` or more after the last that it yielded. Times are the flow's clock's.
 */
#define flow_stream_throttle(flow, s, source, seconds)                                             \
    flow_stream_throttle_(flow, FLOW_STAGE_(s, source), (seconds))

/* ---- several ---- */

/* All of first, then all of second. */
#define flow_stream_concat(flow, s, first, second)                                                 \
    flow_stream_concat_(flow, FLOW_STAGE_(s, first), FLOW_ALSO_(s, second))

/* The elements of both as they come; they take turns where both have some. */
#define flow_stream_merge(flow, s, first, second)                                                  \
    flow_stream_merge_(flow, FLOW_STAGE_(s, first), FLOW_ALSO_(s, second))

/* combine(first, second, out, arg) for the k-th of each, which are moved at the same time, until
 * one of them ends. */
#define flow_stream_zip(flow, s, first, second, combine, arg)                                      \
    flow_stream_zip_(flow, FLOW_OPENS_(s), &(first)->stream, &(second)->stream, (combine), (arg))

/* combine(first, second, out, arg) for the latest of each, at each new one from when both have one;
 * until both have ended. */
#define flow_stream_combine_latest(flow, s, first, second, combine, arg)                           \
    flow_stream_latest_(flow, FLOW_OPENS_(s), &(first)->stream, &(second)->stream, (combine), (arg))

/* For each element the elements of the stream that open(flow, &stream, element, arg) opens, one
 * stream after another. */
#define flow_stream_flat_map(flow, s, source, open, arg)                                           \
    flow_stream_flat_map_(flow, FLOW_OPENS_(s), &(source)->stream, (open), (arg))

/* Runs ahead: from the first move on the source is moved without pause, and its elements are kept
 * in a ring, as a subscription keeps them. Then policy and capacity, as for flow_subscribe; a full
 * one with FLOW_FAIL_WHEN_FULL fails as FULL. */
#define flow_stream_queue(flow, s, source, ...)                                                    \
    flow_stream_queue_(flow, FLOW_STAGE_(s, source), FLOW_POLICY_(__VA_ARGS__, 1, 0))

/* Shares a stream: a child of the running scope moves it from now on, and emits each element on the
 * signal, to any number of receivers; at the end it closes the signal, or fails it as the stream
 * fails. Subscribe before. */
#define flow_stream_share(flow, s, source)                                                         \
    flow_stream_share_(flow, ((void)sizeof(1 ? (s)->type_ : (source)->type_), &(s)->signal),       \
                       &(source)->stream, FLOW_SITE_)

/* What a stage is told of the stream that it opens, and of the ones that it takes over. */
#define FLOW_OPENS_(s) &(s)->stream, (uint32_t)sizeof(*(s)->type_), FLOW_SITE_
#define FLOW_OPENS_AS_(s, pointer)                                                                 \
    FLOW_TYPED_(s, pointer, stream), (uint32_t)sizeof(*(s)->type_), FLOW_SITE_
#define FLOW_STAGE_(s, source) FLOW_OPENS_AS_(s, (source)->type_), &(source)->stream
#define FLOW_ALSO_(s, source) ((void)sizeof(1 ? (s)->type_ : (source)->type_), &(source)->stream)

/* FLOW_MAPS of no particular types, and the function that has it. */
typedef struct flow_maps {
    const void *value;
    void *out;
    void *arg;
} flow_maps;
typedef struct flow_mapper {
    const flow_function *fn;
    size_t maps; /* where its frame has it */
    void *arg;
    const char *site;
} flow_mapper;
FLOW_INLINE_ flow_mapper flow_mapper_(const flow_function *fn, size_t maps, void *arg,
                                      const char *site)
{
    flow_mapper m;
    m.fn = fn;
    m.maps = maps;
    m.arg = arg;
    m.site = site;
    return m;
}
#define FLOW_MAPPER_(name, source, arg)                                                            \
    ((void)sizeof(1 ? (source)->type_ : ((struct name *)0)->maps.value),                           \
     flow_mapper_(&name##_flow_, offsetof(struct name, maps), (arg), FLOW_SITE_))

#define FLOW_STAGE_ARGS_ flow_task *flow, flow_stream *stream, uint32_t size, const char *site
flow_status flow_stream_repeat_(FLOW_STAGE_ARGS_, const void *value, uint64_t times);
flow_status flow_stream_never_(FLOW_STAGE_ARGS_);
flow_status flow_stream_fail_(FLOW_STAGE_ARGS_, int code, const char *message);
flow_status flow_stream_range_(FLOW_STAGE_ARGS_, int first, int end);
flow_status flow_stream_array_(FLOW_STAGE_ARGS_, const void *array, size_t count);
flow_status flow_stream_every_(FLOW_STAGE_ARGS_, flow_wait wait);
flow_status flow_stream_timer_(FLOW_STAGE_ARGS_, double delay, double period);
flow_status flow_stream_from_(FLOW_STAGE_ARGS_, flow_source *source);
flow_status flow_stream_property_(FLOW_STAGE_ARGS_, flow_property *property);
flow_status flow_stream_watch_(FLOW_STAGE_ARGS_, const void *variable);
flow_status flow_stream_map_(FLOW_STAGE_ARGS_, flow_stream *source, flow_map map, void *arg);
flow_status flow_stream_filter_(FLOW_STAGE_ARGS_, flow_stream *source, flow_match match, void *arg);
flow_status flow_stream_take_while_(FLOW_STAGE_ARGS_, flow_stream *source, flow_match match,
                                    void *arg);
flow_status flow_stream_skip_while_(FLOW_STAGE_ARGS_, flow_stream *source, flow_match match,
                                    void *arg);
flow_status flow_stream_take_(FLOW_STAGE_ARGS_, flow_stream *source, uint64_t n);
flow_status flow_stream_skip_(FLOW_STAGE_ARGS_, flow_stream *source, uint64_t n);
flow_status flow_stream_until_(FLOW_STAGE_ARGS_, flow_stream *source, flow_wait wait, int skips);
flow_status flow_stream_changed_(FLOW_STAGE_ARGS_, flow_stream *source);
flow_status flow_stream_distinct_(FLOW_STAGE_ARGS_, flow_stream *source, uint32_t memory);
flow_status flow_stream_pairwise_(FLOW_STAGE_ARGS_, flow_stream *source, flow_combine combine,
                                  void *arg);
flow_status flow_stream_scan_(FLOW_STAGE_ARGS_, flow_stream *source, const void *initial,
                              flow_fold fold, void *arg);
flow_status flow_stream_buffer_(FLOW_STAGE_ARGS_, flow_stream *source, uint32_t item,
                                uint32_t items);
flow_status flow_stream_map_await_(FLOW_STAGE_ARGS_, flow_stream *source, flow_mapper mapper);
flow_status flow_stream_filter_await_(FLOW_STAGE_ARGS_, flow_stream *source, flow_mapper mapper);
flow_status flow_stream_debounce_(FLOW_STAGE_ARGS_, flow_stream *source, double seconds);
flow_status flow_stream_throttle_(FLOW_STAGE_ARGS_, flow_stream *source, double seconds);
flow_status flow_stream_concat_(FLOW_STAGE_ARGS_, flow_stream *first, flow_stream *second);
flow_status flow_stream_merge_(FLOW_STAGE_ARGS_, flow_stream *first, flow_stream *second);
flow_status flow_stream_zip_(FLOW_STAGE_ARGS_, flow_stream *first, flow_stream *second,
                             flow_combine combine, void *arg);
flow_status flow_stream_latest_(FLOW_STAGE_ARGS_, flow_stream *first, flow_stream *second,
                                flow_combine combine, void *arg);
flow_status flow_stream_flat_map_(FLOW_STAGE_ARGS_, flow_stream *source, flow_opener open,
                                  void *arg);
flow_status flow_stream_queue_(FLOW_STAGE_ARGS_, flow_stream *source, flow_policy policy,
                               uint32_t capacity);
flow_status flow_stream_share_(flow_task *flow, flow_signal *signal, flow_stream *source,
                               const char *site);

/* ---- the end of a chain ---- */

struct flow_stream_first_ {
    flow_frame base;
    flow_stream *stream;
    void *out;
    int *found;
};
struct flow_stream_last_ {
    flow_frame base;
    flow_stream *stream;
    void *out;
    int *found;
    uint32_t size;
};
struct flow_stream_fold_ {
    flow_frame base;
    flow_stream *stream;
    void *state;
    flow_fold fold;
    void *arg;
};
struct flow_stream_to_array_ {
    flow_frame base;
    flow_stream *stream;
    void *array;
    size_t capacity;
    size_t *count;
    uint32_t size;
};
struct flow_stream_each_ {
    flow_frame base;
    flow_stream *stream;
    flow_mapper mapper;
};
FLOW_DECLARE(flow_stream_each_);
FLOW_DECLARE(flow_stream_first_);
FLOW_DECLARE(flow_stream_last_);
FLOW_DECLARE(flow_stream_fold_);
FLOW_DECLARE(flow_stream_to_array_);

/* For flow_stream_count: counts into an int64_t. */
void flow_stream_counted_(void *state, const void *value, void *arg);

FLOW_EXTERN_C_END_

#ifndef __cplusplus

/* Waits, for use inside a body, each a call of a flow function that moves the stream to what it
 * needs and then ends it. They fail as the stream fails. What they point to must live until then.
 *
 * The first element, the last one: *found, an int, is 0 when there was none, and *out left alone
 * then. */
#define flow_stream_first(s, out_, found_)                                                         \
    FLOW_CALL(flow_stream_first_, .stream = FLOW_TYPED_(s, out_, stream), .out = (out_),           \
              .found = (found_))
#define flow_stream_last(s, out_, found_)                                                          \
    FLOW_CALL(flow_stream_last_, .stream = FLOW_TYPED_(s, out_, stream), .out = (out_),            \
              .found = (found_), .size = (uint32_t)sizeof(*(s)->type_))

/* fold(state, element, arg) for each element: sums, extremes, a call for each. */
#define flow_stream_fold(s, state_, fold_, arg_)                                                   \
    FLOW_CALL(flow_stream_fold_, .stream = &(s)->stream, .state = (state_), .fold = (fold_),       \
              .arg = (arg_))

/* *n, an int64_t, is set to the number of elements. */
#define flow_stream_count(s, n)                                                                    \
    FLOW_CALL(flow_stream_fold_, .stream = &(s)->stream,                                           \
              .state = (*(n) = 0, (void)sizeof(1 ? (int64_t *)0 : (n)), (n)),                      \
              .fold = flow_stream_counted_)

/* Copies up to `capacity` elements to array and sets *count, a size_t. What comes after them is not
 * looked at. */
#define flow_stream_to_array(s, array_, capacity_, count_)                                         \
    FLOW_CALL(flow_stream_to_array_, .stream = FLOW_TYPED_(s, array_, stream), .array = (array_),  \
              .capacity = (capacity_), .count = (count_), .size = (uint32_t)sizeof(*(s)->type_))

/* Calls the flow function `name` for each element, one after another: see flow_stream_map_await.
 * What it makes is left out: maps.out is null. */
#define flow_stream_for_each(s, name, arg_)                                                        \
    FLOW_CALL(flow_stream_each_, .stream = &(s)->stream, .mapper = FLOW_MAPPER_(name, s, arg_))

#endif /* !__cplusplus */

#endif
