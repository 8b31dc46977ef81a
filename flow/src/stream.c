/* SPDX-License-Identifier: MIT */
/*
 * Streams. To move one is to run its producer here and now, up to its next yield; where that is too
 * deep on the C stack, or the producer is at home elsewhere, its turn comes in the ready queue; and
 * where it waits for something itself, so does the mover. An element goes straight to a mover whose
 * code is on the C stack and who awaits nothing else; to all others by way of the slot, where it
 * stays until its flow goes on, so that a wait which loses or is cancelled loses nothing.
 */
#include "stream.h"
#include "task.h"

/* ---- making and ending ---- */

/* A type's alignment divides its size; more than 64 is nobody's, and blocks are aligned to 32. */
static flow_outlet *outlet_take(flow_world *world, uint32_t size)
{
    size_t align = size % 64 == 0 ? 64 : 32;
    flow_outlet *outlet = flow__block_take(world, sizeof *outlet + align - 32 + size);
    if (outlet != NULL) {
        uintptr_t slot = ((uintptr_t)(outlet + 1) + align - 1) & ~(uintptr_t)(align - 1);
        *outlet = (flow_outlet){(void *)slot, NULL, (char *)slot, size};
    }
    return outlet;
}

static void stream_free(flow_world *world, flow_node *stream)
{
    flow_fault *fault = flow__fault_of_node(stream);
    if (fault != NULL) {
        flow__fault_report(world, fault, FLOW_FAILURE_UNDELIVERED);
    }
    flow__block_give(stream->to.value);
    flow__aside_give(world, stream);
}

/* A wait for the next element is over without one. */
static void tell_over(flow_world *world, flow_node *stream, int code)
{
    flow_node *wait = flow__node(world, stream->pos);
    const flow_outlet *outlet = stream->to.value;
    flow_fault *fault = flow__fault_of_node(stream);
    stream->pos = 0;
    stream->code = 0;
    if (fault != NULL) {
        flow__fault_to_node(fault, wait);
    }
    *outlet->more = 0;
    flow__node_end(world, wait, code, false);
}

/* Nobody moves it from now on. */
static void stream_end(flow_world *world, flow_node *stream)
{
    stream->seq = ++world->record_generation; /* nobody finds it */
    stream->flags |= FLOW_STREAM_GONE;
    if (stream->pos != 0) {
        flow_node *wait = flow__node(world, stream->pos);
        if (wait->kind == FLOW_NODE_MOVED) {
            flow__moved_take(wait);
        } else {
            tell_over(world, stream, FLOW_OK);
        }
    }
    if (stream->flags & FLOW_STREAM_OVER) {
        stream_free(world, stream);
    } else {
        (void)flow__cancel(world, stream->on.object, FLOW_CAUSE_EXPLICIT);
    }
}

/* The end of the scope that holds it. */
static void stream_release(void *ended)
{
    flow_node *stream = ended;
    stream_end(flow__world_of(stream), stream);
}

void flow_stream_end_(flow_stream *stream)
{
    flow_node *node = flow__stream_node(stream);
    bool opened = stream->node_ != NULL;
    stream->node_ = NULL;
    stream->generation_ = opened ? FLOW_STREAM_ENDED : stream->generation_;
    stream->more_ = 0;
    if (node != NULL) {
        flow__resource_remove(node->up.task, node->sibling);
        stream_end(flow__world_of(node), node);
    }
}

/* ---- opening ---- */

/* The producer and what stands for the stream, held by the running scope. */
static flow_status producer_make(flow_task *flow, flow_node *node, const flow_function *fn,
                                 const void *frame, size_t yields, const char *site)
{
    flow_world *world = flow__world_of(flow);
    flow_node *release = flow__resource_add(flow, FLOW_NODE_DEFER);
    if (release == NULL) {
        return FLOW_NOMEM;
    }
    release->on.cleanup = stream_release;
    release->to.arg = node;
    flow_status status;
    flow_task *producer = flow__task_parked(world, fn, frame, flow, site, &status);
    if (producer == NULL) {
        flow__resource_remove(flow, release);
        return status;
    }
    flow_yields *to = (flow_yields *)(void *)((char *)producer->top_ + yields);
    to->node_ = node;
    flow__joiners_add(world, producer, node);
    node->kind = FLOW_NODE_STREAM;
    node->up.task = flow;
    node->sibling = release;
    node->seq = ++world->record_generation;
    return FLOW_OK;
}

/* `status` is why there is no stream. */
static flow_status open_failed(flow_stream *stream, flow_status status)
{
    *stream = (flow_stream){NULL, (uint32_t)status, 0};
    return status;
}

/* Not on a worker: nothing of the world is touched there. */
bool flow__stream_refused(flow_task *flow, flow_stream *stream)
{
    if (FLOW_LIKELY_(flow->kind_ != FLOW_KIND_AWAY)) {
        return false;
    }
    (void)open_failed(stream, FLOW_MISUSE);
    return flow__away_misused(flow, "a stream is opened at home, not on a worker");
}

flow_status flow_stream_generate_(flow_task *flow, flow_stream *stream, uint32_t size,
                                  const flow_function *fn, const void *frame, size_t yields,
                                  const char *site)
{
    flow_world *world = flow__world_of(flow);
    if (flow__stream_refused(flow, stream)) {
        return FLOW_MISUSE;
    }
    flow_node *node = flow__aside_take(world);
    flow_outlet *outlet = node ? outlet_take(world, size) : NULL;
    flow_status status = outlet ? producer_make(flow, node, fn, frame, yields, site) : FLOW_NOMEM;
    if (status == FLOW_OK) {
        node->to.value = outlet;
        *stream = (flow_stream){node, node->seq, 0};
        return FLOW_OK;
    }
    if (outlet != NULL) {
        flow__block_give(outlet);
    }
    if (node != NULL) {
        flow__aside_give(world, node);
    }
    return open_failed(stream, status);
}

/* ---- yields ---- */

/* An element came while its mover waits, or after it has gone. */
FLOW_COLD_ static void given_late(flow_world *world, flow_node *stream)
{
    stream->flags |= FLOW_STREAM_KEPT;
    if (stream->pos != 0) {
        flow__node_end_kept(world, flow__node(world, stream->pos), FLOW_NODE_MOVED);
    }
}

/* What may keep a flow from yielding. */
FLOW_COLD_ static bool yield_refused(flow_task *flow, flow_frame *self, const flow_node *stream)
{
    const char *rule = NULL;
    if (flow->kind_ == FLOW_KIND_AWAY) {
        return flow__stop_if_cancelled(flow); /* which refuses it */
    }
    if (stream == NULL || stream->on.object != flow) {
        rule = "FLOW_YIELD in a flow that is no producer of a stream";
    } else if (flow->flags_ & FLOW_TASK_PROTECTED) {
        rule = "FLOW_YIELD in a finally section or a shield";
    } else {
        return flow__stop_if_cancelled(flow);
    }
    (void)flow__misuse(flow__world_of(flow), flow, rule);
    (void)flow__fault_raise(flow, self, FLOW_MISUSE, rule);
    return true;
}

/* The element is where it belongs; the flow stands until the next move. */
FLOW_INLINE_ void park(flow_task *flow, flow_node *stream)
{
    flow_world *world = flow__world_of(flow);
    flow->kind_ = FLOW_KIND_PARKED;
    flow->budget_ = ++world->seq;
    flow__segment_trim(flow);
    if (FLOW_LIKELY_(stream->flags == FLOW_STREAM_HERE)) {
        stream->flags = 0;
    } else {
        given_late(world, stream);
    }
}

static inline bool may_yield(flow_task *flow, flow_frame *self, const flow_node *stream)
{
    bool plain = flow->flags_ == 0 && stream != NULL && stream->on.object == flow;
    return FLOW_LIKELY_(plain) || !yield_refused(flow, self, stream);
}

void flow_yield_(flow_task *flow, flow_frame *self, const flow_yields *yields, const void *value,
                 uint32_t at)
{
    flow_node *stream = yields->node_;
    self->at_ = at;
    if (!may_yield(flow, self, stream)) {
        return;
    }
    const flow_outlet *outlet = stream->to.value;
    if (FLOW_UNLIKELY_(value == NULL)) {
        memset(outlet->to, 0, outlet->size);
    } else if (value != outlet->to) {
        flow__element_copy(outlet->to, value, outlet->size);
    }
    park(flow, stream);
}

void flow__yield_placed(flow_task *flow, flow_frame *self, const flow_yields *yields, uint32_t at)
{
    flow_node *stream = yields->node_;
    self->at_ = at;
    if (may_yield(flow, self, stream)) {
        park(flow, stream);
    }
}

/* ---- moves ---- */

/* May the producer run where it is moved? Its first slice does as any start does. */
static inline bool runs_here(const flow_world *world, const flow_task *flow,
                             const flow_task *producer)
{
    bool home = producer->clock_ == flow->clock_ && producer->phase_ == flow->phase_;
    return world->nesting < FLOW_NESTING_LIMIT &&
           (home || (producer->top_->flags_ & FLOW_FRAME_CLEANED));
}

/* It begins (see flow__task_parked), or goes on. */
FLOW_INLINE_ bool turn_begins(flow_world *world, flow_task *producer)
{
    uint8_t flags = producer->top_->flags_;
    bool begins = flags & FLOW_FRAME_CLEANED;
    world->count.resumed += !begins;
    producer->top_->flags_ = flags & (uint8_t)~FLOW_FRAME_CLEANED;
    return begins;
}

/* Where somebody looks on. */
FLOW_COLD_ static void watched_run(flow_world *world, flow_task *producer, bool begins)
{
    bool profiled = flow__profiled(world);
    producer->budget_ = FLOW_NODE_MOVE;
    if (profiled && begins) {
        flow__profile_start(world, producer);
    } else if (profiled) {
        flow__profile_resume(world, producer);
    }
    if (flow__traced(world)) {
        flow__trace(world, begins ? FLOW_TRACE_START : FLOW_TRACE_RESUME, producer,
                    FLOW_STATE_LIVE);
    }
    flow__slice(world, producer);
    if (profiled) {
        flow__profile_close(world);
    }
}

/* On top of the flow that moves it, which awaits: it evaluates no arguments that would have to be
 * kept (flow__activation_open), and is the one that runs. */
FLOW_INLINE_ void producer_run(flow_world *world, flow_task *flow, flow_task *producer)
{
    flow_activation here;
    here.task = flow;
    here.outer = world->outer;
    world->outer = &here;
    world->nesting++;
    bool begins = turn_begins(world, producer);
    if (FLOW_UNLIKELY_(world->attention & (FLOW_ATTENTION_TRACED | FLOW_ATTENTION_PROFILED))) {
        watched_run(world, producer, begins);
    } else {
        flow__slice(world, producer);
    }
    world->nesting--;
    world->outer = here.outer;
    world->current = flow;
    flow__outermost(world);
}

/* Its turn comes later: a beginning as a start that is nested too deep, else in its phase. */
static void producer_queue(flow_world *world, flow_task *producer)
{
    if (producer->top_->flags_ & FLOW_FRAME_CLEANED) {
        producer->top_->flags_ &= (uint8_t)~FLOW_FRAME_CLEANED;
        producer->kind_ = FLOW_KIND_QUEUED;
        flow__put_off(world, producer);
    } else {
        producer->budget_ = FLOW_NODE_MOVE; /* why it resumes */
        flow__queue_ready(world, producer);
    }
}

/* Lets a parked producer go on, for a mover whose element goes to the slot. False: the stream was
 * ended meanwhile. */
static bool producer_move(flow_world *world, flow_task *flow, flow_node *stream)
{
    flow_task *producer = stream->on.object;
    uint32_t generation = stream->seq;
    flow_outlet *outlet = stream->to.value;
    outlet->to = outlet->slot;
    if (producer->kind_ != FLOW_KIND_PARKED) {
        return true; /* it waits for something of its own */
    }
    if (!runs_here(world, flow, producer)) {
        producer_queue(world, producer);
        return true;
    }
    stream->flags |= FLOW_STREAM_HERE;
    producer_run(world, flow, producer);
    if (stream->kind != FLOW_NODE_STREAM || stream->seq != generation) {
        return false;
    }
    if (!(stream->flags & (FLOW_STREAM_HERE | FLOW_STREAM_OVER))) {
        stream->flags |= FLOW_STREAM_KEPT;
    }
    stream->flags &= (uint8_t)~FLOW_STREAM_HERE;
    return true;
}

/* A move of what is no live stream. */
static flow_begun begin_without(const flow_stream *stream, int *more, flow_result *result)
{
    *more = 0;
    if (stream->node_ != NULL || stream->generation_ == FLOW_STREAM_ENDED) {
        return FLOW_BEGUN_DONE;
    }
    int code = (int32_t)stream->generation_;
    if (code == FLOW_STREAM_UNOPENED) {
        return flow__begun_failed(result, FLOW_CLOSED, "a stream that was never opened");
    }
    return flow__begun_failed(result, code,
                              code == FLOW_NOMEM    ? "no memory to open a stream"
                              : code == FLOW_MISUSE ? "a stream that a stage has taken over"
                                                    : flow_status_text(code));
}

/* The producer has ended. */
static flow_begun begin_over(flow_node *stream, flow_node *wait, int *more, flow_result *result)
{
    *more = 0;
    if (stream->code == 0) {
        return FLOW_BEGUN_DONE;
    }
    *result = flow__node_result(stream);
    stream->code = 0;
    if (result->fault != NULL) {
        flow__fault_to_node(result->fault, wait);
    }
    return FLOW_BEGUN_FAILED;
}

/* Begins a move on a wait's node. */
flow_begun flow__move_begin(flow_world *world, flow_task *task, const flow_wait *wait,
                            flow_node *node, flow_result *result)
{
    static const char twice[] = "a stream is moved while another move of it waits";
    const flow_stream *stream = wait->object_;
    flow_node *source = flow__stream_node(stream);
    int *more = wait->arg_;
    if (source == NULL) {
        return begin_without(stream, more, result);
    }
    if (source->pos != 0 || (source->flags & FLOW_STREAM_HERE)) {
        const flow_node *other = source->pos ? flow__node(world, source->pos) : NULL;
        (void)flow__misuse_at(world, task, twice, other ? flow__node_task(other) : NULL);
        return flow__begun_failed(result, FLOW_MISUSE, twice);
    }
    flow_outlet *outlet = source->to.value;
    if (!(source->flags & (FLOW_STREAM_KEPT | FLOW_STREAM_OVER)) &&
        !producer_move(world, task, source)) {
        *more = 0;
        return FLOW_BEGUN_DONE;
    }
    if ((source->flags & (FLOW_STREAM_KEPT | FLOW_STREAM_OVER)) == FLOW_STREAM_OVER) {
        return begin_over(source, node, more, result);
    }
    outlet->more = more;
    node->on.object = source;
    node->to.out = wait->out_;
    node->kind = source->flags & FLOW_STREAM_KEPT ? FLOW_NODE_MOVED : FLOW_NODE_MOVE;
    source->pos = flow__node_id(node);
    if (node->kind == FLOW_NODE_MOVE) {
        return FLOW_BEGUN_WAITS;
    }
    if (!(node->flags & FLOW_NODE_HAS_PARENT)) {
        flow__moved_take(node);
    }
    return FLOW_BEGUN_DONE;
}

/* The flow that waited goes on: the element is its own. */
void flow__moved_take(flow_node *node)
{
    flow_node *stream = node->on.object;
    const flow_outlet *outlet = stream->to.value;
    stream->flags &= (uint8_t)~FLOW_STREAM_KEPT;
    stream->pos = 0;
    *outlet->more = 1;
    if (node->to.out != NULL) {
        flow__element_copy(node->to.out, outlet->slot, outlet->size);
    }
    node->kind = FLOW_NODE_DONE;
}

/* A wait for an element, come or not, is over: one that came stays for the next. */
void flow__move_leave(const flow_node *node)
{
    flow_node *stream = node->on.object;
    stream->pos = 0;
}

/* Its producer has ended. */
void flow__stream_over(flow_world *world, flow_node *stream, const flow_outcome *outcome,
                       flow_fault **fault)
{
    flow__joiners_leave(world, stream);
    stream->flags |= FLOW_STREAM_OVER;
    stream->on.object = NULL;
    stream->code = outcome->state == FLOW_STATE_FAILED      ? outcome->code
                   : outcome->state == FLOW_STATE_CANCELLED ? FLOW_CANCELLED
                                                            : 0;
    if (*fault != NULL) {
        flow__fault_to_node(*fault, stream);
        *fault = NULL;
    }
    if (stream->flags & FLOW_STREAM_GONE) {
        stream_free(world, stream);
    } else if (stream->pos != 0 && flow__node(world, stream->pos)->kind == FLOW_NODE_MOVE) {
        tell_over(world, stream,
                  stream->code); /* else it has an element, and the next one is told */
    }
}

FLOW_COLD_ static int await_move_slow(flow_task *flow, flow_frame *self, flow_stream *stream,
                                      void *out, int *more)
{
    if (flow->flags_ != 0 && flow__stop_if_cancelled(flow)) {
        return 1;
    }
    flow_wait wait = flow_stream_next_(stream, out, more);
    return flow__await_leaf(flow__world_of(flow), flow, self, &wait);
}

/* May it go straight through? Nobody else moves it, and nothing is kept. */
static inline bool is_plain(const flow_node *node, const flow_stream *stream)
{
    return node != NULL && node->kind == FLOW_NODE_STREAM && node->flags == 0 &&
           node->seq == stream->generation_ && node->pos == 0;
}

/* A move that is awaited alone: straight through, or else as any leaf. */
int flow_await_move_(flow_task *flow, flow_frame *self, flow_stream *stream, void *out, int *more,
                     uint32_t at)
{
    flow_world *world = flow__world_of(flow);
    flow_node *node = stream->node_;
    self->at_ = at;
    if (FLOW_UNLIKELY_(flow->flags_ != 0 || !is_plain(node, stream))) {
        return await_move_slow(flow, self, stream, out, more);
    }
    flow_task *producer = node->on.object;
    flow_outlet *outlet = node->to.value;
    uint32_t generation = node->seq;
    if (FLOW_UNLIKELY_(producer->kind_ != FLOW_KIND_PARKED || !runs_here(world, flow, producer) ||
                       --flow->budget_ == 0)) {
        return await_move_slow(flow, self, stream, out, more);
    }
    node->flags = FLOW_STREAM_HERE;
    outlet->to = out ? out : outlet->slot;
    producer_run(world, flow, producer);
    bool same = node->seq == generation && node->kind == FLOW_NODE_STREAM;
    if (FLOW_LIKELY_(same && node->flags == 0)) {
        *more = 1;
        return 0;
    }
    if (same) {
        node->flags &= (uint8_t)~FLOW_STREAM_HERE;
        outlet->to = outlet->slot;
    }
    return await_move_slow(flow, self, stream, out, more);
}
