/* SPDX-License-Identifier: MIT */
/*
 * Leaf waits. The three commonest (next tick, next frame, a timer on the flow's own clock) take no
 * record: the task itself stands in its lane's queue or heap. All others, and every leaf of a
 * composition, take a node (node.c).
 */
#include "private.h"

#include <math.h>

static void timers_count(flow_world *world)
{
    world->count.timers++;
    if (world->count.timers > world->count.timers_peak) {
        world->count.timers_peak = world->count.timers;
    }
}

/* ---- the three that need no node ---- */

/* An await was done at once: how many more of those may follow in this slice? */
int flow__done_at_once(flow_task *flow, flow_frame *self)
{
    if (flow->budget_ != 0) {
        return 0;
    }
    return flow__fault_raise(flow, self, FLOW_ENDLESS,
                             "a million awaits completed at once in one slice");
}

/* What an await looks at before it suspends; true: do not. */
static bool must_stop(flow_task *flow)
{
    return FLOW_UNLIKELY_(flow->flags_ != 0) && flow__stop_if_cancelled(flow);
}

/* A failure that a FLOW_TRY takes is no suspension: then the flow is on top and runs next. */
static const flow_step suspended = {FLOW_STEP_STOPPED_};

FLOW_COLD_ static flow_step await_tick_slow(flow_task *flow, flow_frame *self)
{
    if (must_stop(flow)) {
        return suspended;
    }
    flow_world *world = flow__world_of(flow);
    if (!flow__queue_push(world, &flow__home(world, flow)->ticks, (uintptr_t)flow, &flow->pos_)) {
        (void)flow__fault_raise(flow, self, FLOW_NOMEM, "no memory to wait for a tick");
        return suspended;
    }
    flow->budget_ = ++world->seq;
    flow->kind_ = FLOW_KIND_TICK;
    flow__segment_trim(flow);
    return suspended;
}

/* The commonest wait of all: straight through, or else the slow way. */
flow_step flow_await_tick_(flow_task *flow, flow_frame *self)
{
    flow_world *world = flow__world_of(flow);
    if (FLOW_UNLIKELY_(flow->flags_ != 0)) {
        return await_tick_slow(flow, self); /* on a worker, nothing else may be looked at */
    }
    flow_queue *queue = &flow__home(world, flow)->ticks;
    uintptr_t *end = queue->end;
    if (FLOW_UNLIKELY_(flow__chunk_ends(end) || ((uintptr_t)flow->sp_ & 255) == 16)) {
        return await_tick_slow(flow, self);
    }
    *end = (uintptr_t)flow;
    queue->end = end + 1;
    flow->pos_ = (uint32_t)((uintptr_t)end / sizeof *end) + queue->bias;
    flow->budget_ = ++world->seq;
    flow->kind_ = FLOW_KIND_TICK;
    return suspended;
}

/* The frame queue is in order of frames too: all that was pushed before this frame is due in it. */
static bool frames_push(flow_world *world, flow_queue *queue, uintptr_t entry, uint32_t *pos)
{
    if (queue->stamp != world->frame) {
        queue->stamp = world->frame;
        queue->fresh = queue->end;
    }
    return flow__queue_push(world, queue, entry, pos);
}

flow_step flow_await_frame_(flow_task *flow, flow_frame *self)
{
    if (must_stop(flow)) {
        return suspended;
    }
    flow_world *world = flow__world_of(flow);
    if (FLOW_UNLIKELY_(
            !frames_push(world, &flow__home(world, flow)->frames, (uintptr_t)flow, &flow->pos_))) {
        (void)flow__fault_raise(flow, self, FLOW_NOMEM, "no memory to wait for a frame");
        return suspended;
    }
    flow->budget_ = ++world->seq;
    flow->kind_ = FLOW_KIND_FRAME;
    flow__segment_trim(flow);
    return suspended;
}

/* Nanoseconds of a wait, at least 0; what is longer than 292 years never ends. */
static int64_t due_at(int64_t now, double seconds)
{
    double ns = seconds <= 0.0 ? 0.0 : seconds * 1e9 + 0.5;
    double most = (double)(INT64_MAX - (now > 0 ? now : 0));
    return ns >= most ? INT64_MAX : now + (int64_t)ns;
}

static int await_timer(flow_world *world, flow_task *flow, flow_frame *self, double seconds)
{
    const flow_time *time = &world->clocks[flow->clock_]->time[flow->phase_];
    flow_heap_entry entry = {due_at(time->now, seconds), world->seq + 1, flow__task_id(flow)};
    if (!flow__heap_push(world, &flow__home(world, flow)->timers, entry)) {
        return flow__fault_raise(flow, self, FLOW_NOMEM, "no memory for a timer");
    }
    flow->budget_ = ++world->seq;
    flow->pos_ = (uint32_t)(entry.due / 1000000);
    flow->kind_ = FLOW_KIND_TIMER;
    timers_count(world);
    flow__segment_trim(flow);
    return 1;
}

/* ---- leaves with a node ---- */

static flow_begun no_memory(flow_result *result)
{
    return flow__begun_failed(result, FLOW_NOMEM, "no memory for a wait");
}

static flow_begun begin_heap(flow_world *world, flow_node *node, flow_lane *lane, flow_heap *heap,
                             int64_t due, flow_node_kind kind, flow_result *result)
{
    node->kind = (uint8_t)kind;
    node->on.due = due;
    node->to.lane = lane;
    flow_heap_entry entry = {due, node->seq, flow__node_id(node) | FLOW_REF_NODE};
    if (!flow__heap_push(world, heap, entry)) {
        return no_memory(result);
    }
    if (kind == FLOW_NODE_TIMER) {
        timers_count(world);
    }
    return FLOW_BEGUN_WAITS;
}

static flow_begun begin_queue(flow_world *world, flow_node *node, flow_lane *lane,
                              flow_node_kind kind, flow_result *result)
{
    node->kind = (uint8_t)kind;
    node->to.lane = lane;
    uintptr_t entry = (uintptr_t)node | 1;
    bool pushed = kind == FLOW_NODE_TICK ? flow__queue_push(world, &lane->ticks, entry, &node->pos)
                                         : frames_push(world, &lane->frames, entry, &node->pos);
    return pushed ? FLOW_BEGUN_WAITS : no_memory(result);
}

static flow_begun begin_seconds(flow_world *world, const flow_task *task, const flow_wait *wait,
                                flow_node *node, flow_result *result)
{
    if (isnan(wait->seconds_)) {
        (void)flow__misuse_at(world, task, "flow_seconds: NaN is no time", NULL);
        return flow__begun_failed(result, FLOW_MISUSE, "flow_seconds: NaN is no time");
    }
    bool since = wait->kind_ == FLOW_WAIT_SINCE_;
    flow_clock clock = (flow_clock)wait->code_;
    flow_clock_state *c = clock ? flow__clock(world, clock) : world->clocks[task->clock_];
    if (c == NULL) {
        return flow__begun_failed(result, FLOW_CLOSED, "a wait on a clock that has ended");
    }
    flow_lane *lane = flow__lane(world, c->index, task->phase_);
    lane = lane != NULL ? lane : flow__lane_made(world, c->index, task->phase_);
    if (lane == NULL) {
        return no_memory(result);
    }
    int64_t now = c->time[task->phase_].now;
    int64_t due = due_at(since ? wait->count_ : now, wait->seconds_);
    if (since && due <= now) {
        return FLOW_BEGUN_DONE;
    }
    return begin_heap(world, node, lane, &lane->timers, due, FLOW_NODE_TIMER, result);
}

static flow_begun begin_interval(flow_world *world, const flow_task *task, const flow_wait *wait,
                                 flow_node *node, flow_result *result)
{
    flow_interval *interval = wait->object_;
    const flow_clock_state *c = flow__clock(world, interval->clock_);
    if (!(interval->period > 0.0)) {
        (void)flow__misuse_at(world, task, "flow_interval_next: the interval was not begun", NULL);
        return flow__begun_failed(result, FLOW_MISUSE,
                                  "flow_interval_next: the interval was not begun");
    }
    if (c == NULL) {
        return flow__begun_failed(result, FLOW_CLOSED, "a wait on a clock that has ended");
    }
    flow_lane *lane = flow__lane(world, c->index, task->phase_);
    lane = lane != NULL ? lane : flow__lane_made(world, c->index, task->phase_);
    if (lane == NULL) {
        return no_memory(result);
    }
    int64_t due = flow__interval_due(interval, c, task->phase_);
    interval->out_ = wait->out_;
    if (due <= c->time[task->phase_].now) {
        flow__interval_beat(interval, c->time[task->phase_].now);
        return FLOW_BEGUN_DONE;
    }
    node->interval = interval;
    return begin_heap(world, node, lane, &lane->timers, due, FLOW_NODE_TIMER, result);
}

static flow_begun begin_count(flow_world *world, const flow_task *task, const flow_wait *wait,
                              flow_node *node, flow_result *result)
{
    bool ticks = wait->kind_ == FLOW_WAIT_TICKS_;
    flow_lane *lane = flow__lane(world, task->clock_, task->phase_);
    if (wait->count_ < 0) {
        (void)flow__misuse_at(world, task, "flow_ticks, flow_frames: the count is negative", NULL);
        return flow__begun_failed(result, FLOW_MISUSE,
                                  "flow_ticks, flow_frames: the count is negative");
    }
    int64_t now = ticks ? (int64_t)world->clocks[task->clock_]->time[task->phase_].ticks
                        : (int64_t)world->frame;
    int64_t count = wait->code_ != 0 ? wait->count_ - now : wait->count_;
    if (count <= 0) {
        return FLOW_BEGUN_DONE;
    }
    if (count == 1) {
        return begin_queue(world, node, lane, ticks ? FLOW_NODE_TICK : FLOW_NODE_FRAME, result);
    }
    int64_t due = count < INT64_MAX - now ? now + count : INT64_MAX;
    return begin_heap(world, node, lane, ticks ? &lane->later_ticks : &lane->later_frames, due,
                      ticks ? FLOW_NODE_TICKS : FLOW_NODE_FRAMES, result);
}

static flow_begun begin_until(flow_world *world, const flow_task *task, const flow_wait *wait,
                              flow_node *node)
{
    bool inside = world->inside;
    world->inside = true;
    bool holds = wait->test_(wait->out_) != 0;
    world->inside = inside;
    if (holds) {
        return FLOW_BEGUN_DONE;
    }
    flow_lane *lane = flow__lane(world, task->clock_, task->phase_);
    node->kind = FLOW_NODE_UNTIL;
    node->pos = flow__lane_index(task->clock_, task->phase_);
    node->on.test = wait->test_;
    node->to.arg = wait->out_;
    node->text = wait->object_;
    node->code = lane->until_last ? (int32_t)flow__node_id(lane->until_last) : 0;
    node->next = NULL;
    *(lane->until_last ? &lane->until_last->next : &lane->until_first) = node;
    lane->until_last = node;
    world->count.predicates++;
    return FLOW_BEGUN_WAITS;
}

/* Is `task` the flow that waits, or one that owns it? */
bool flow__owns(const flow_world *world, const flow_task *task, const flow_task *waiter)
{
    while (waiter != task && waiter != world->root) {
        waiter = flow__task(world, flow__cold(waiter)->owner);
    }
    return waiter == task;
}

void flow__joiners_add(flow_world *world, flow_task *task, flow_node *node)
{
    flow_cold *cold = flow__cold(task);
    node->kind = FLOW_NODE_JOIN;
    node->on.object = task;
    node->next = NULL;
    node->prev = node; /* the first one's prev is the last */
    if (cold->joiners == 0) {
        cold->joiners = flow__node_id(node);
        return;
    }
    flow_node *first = flow__node(world, cold->joiners);
    node->prev = first->prev;
    first->prev->next = node;
    first->prev = node;
}

static flow_begun begin_join(flow_world *world, const flow_task *task, const flow_wait *wait,
                             flow_node *node, flow_result *result)
{
    static const char join_own[] =
        "flow_join: a flow cannot wait for its own end, nor for an owner's";
    flow_handle handle = {(uint32_t)wait->count_, (uint32_t)((uint64_t)wait->count_ >> 32)};
    flow_task *target = flow__task_of(world, handle);
    flow_outcome *outcome = wait->out_;
    if (target == NULL) {
        flow_outcome known = {FLOW_STATE_NONE, FLOW_CAUSE_NONE, FLOW_STALE, NULL, NULL, 0};
        if (flow_outcome_of(world, handle, &known) != FLOW_OK) {
            world->count.stale++;
        }
        if (outcome != NULL) {
            *outcome = known;
        }
        return FLOW_BEGUN_DONE;
    }
    if (flow__owns(world, target, task)) {
        (void)flow__misuse_at(world, task, join_own, target);
        return flow__begun_failed(result, FLOW_MISUSE, join_own);
    }
    node->to.out = outcome;
    flow__joiners_add(world, target, node);
    return FLOW_BEGUN_WAITS;
}

static flow_begun begin_phase(flow_world *world, const flow_task *task, const flow_wait *wait,
                              flow_node *node, flow_result *result)
{
    if (wait->code_ <= FLOW_INHERIT || wait->code_ >= FLOW_PHASE_LIMIT) {
        (void)flow__misuse_at(world, task, "flow_switch_phase: no such phase", NULL);
        return flow__begun_failed(result, FLOW_MISUSE, "flow_switch_phase: no such phase");
    }
    flow_lane *lane = flow__lane_made(world, task->clock_, (uint32_t)wait->code_);
    if (lane == NULL) {
        return no_memory(result);
    }
    node->flags |= FLOW_NODE_MOVES;
    node->code = wait->code_;
    return begin_queue(world, node, lane, FLOW_NODE_TICK, result);
}

/* Begins any leaf wait on a node that is fresh from flow__node_take; unless it WAITS the node
 * stands nowhere. */
flow_begun flow__leaf_begin(flow_world *world, flow_task *task, const flow_wait *wait,
                            flow_node *node, flow_result *result)
{
    node->seq = ++world->seq;
    switch (wait->kind_) {
    case FLOW_WAIT_READY_:
        return FLOW_BEGUN_DONE;
    case FLOW_WAIT_FAILED_:
        return flow__begun_failed(result, wait->code_, wait->object_);
    case FLOW_WAIT_NEVER_:
        node->kind = FLOW_NODE_NEVER;
        return FLOW_BEGUN_WAITS;
    case FLOW_WAIT_NEXT_TICK_:
        return begin_queue(world, node, flow__home(world, task), FLOW_NODE_TICK, result);
    case FLOW_WAIT_NEXT_FRAME_:
        return begin_queue(world, node, flow__home(world, task), FLOW_NODE_FRAME, result);
    case FLOW_WAIT_TICKS_:
    case FLOW_WAIT_FRAMES_:
        return begin_count(world, task, wait, node, result);
    case FLOW_WAIT_SECONDS_:
    case FLOW_WAIT_SINCE_:
        return begin_seconds(world, task, wait, node, result);
    case FLOW_WAIT_INTERVAL_:
        return begin_interval(world, task, wait, node, result);
    case FLOW_WAIT_BUDGET_:
        return flow__budget_left(world)
                   ? FLOW_BEGUN_DONE
                   : begin_queue(world, node, flow__home(world, task), FLOW_NODE_TICK, result);
    case FLOW_WAIT_UNTIL_:
        return begin_until(world, task, wait, node);
    case FLOW_WAIT_SIGNAL_:
        return flow__record_wait(world, task, wait, node, result);
    case FLOW_WAIT_JOIN_:
        return begin_join(world, task, wait, node, result);
    case FLOW_WAIT_MOVE_:
        return flow__move_begin(world, task, wait, node, result);
    case FLOW_WAIT_PHASE_:
        return begin_phase(world, task, wait, node, result);
    case FLOW_WAIT_JOB_:
        return flow__job_begin(world, task, wait, node, result);
    case FLOW_WAIT_LAST_:
    case FLOW_WAIT_CALL_:
    case FLOW_WAIT_RACE_:
    case FLOW_WAIT_ALL_:
    case FLOW_WAIT_ALL_SETTLED_:
    case FLOW_WAIT_ANY_:
    case FLOW_WAIT_TIMEOUT_:
    case FLOW_WAIT_ON_CLOCK_:
        break;
    }
    (void)flow__misuse_at(world, task, "this wait was made outside the composition that awaits it",
                          NULL);
    return flow__begun_failed(result, FLOW_MISUSE,
                              "this wait was made outside the composition that awaits it");
}

/* What a single leaf waits for, kept until its flow has resumed where a branch has its place. */
static uint16_t why(const flow_node *node)
{
    return node->kind == FLOW_NODE_SIGNAL
               ? (uint16_t)(FLOW_WHY_RECORD + ((const flow_node *)node->on.object)->branch)
               : node->kind;
}

/* The flow suspends on a node that waits. */
static void await_node(flow_task *flow, flow_node *node)
{
    node->branch = why(node);
    flow->pos_ = flow__node_id(node);
    flow->budget_ = node->seq;
    flow->kind_ = FLOW_KIND_NODE;
    flow__segment_trim(flow);
}

/* Awaits any leaf on a node. */
int flow__await_leaf(flow_world *world, flow_task *flow, flow_frame *self, const flow_wait *wait)
{
    flow_result result = {0, NULL, NULL};
    flow_node *node = flow__node_pop(world);
    flow_begun begun = node ? FLOW_BEGUN_WAITS : no_memory(&result);
    if (node != NULL) {
        node->up.task = flow;
        begun = flow__leaf_begin(world, flow, wait, node, &result);
        if (begun != FLOW_BEGUN_WAITS) {
            if (result.fault != NULL) {
                flow__fault_to_task(world, result.fault, flow);
            }
            flow__node_give(world, node);
        }
    }
    if (must_stop(flow)) { /* a predicate cancelled the flow */
        if (begun == FLOW_BEGUN_WAITS) {
            flow__leaf_drop(world, node);
        }
        return 1;
    }
    if (begun == FLOW_BEGUN_FAILED) {
        return flow__fault_arrive(flow, self, &result);
    }
    if (begun == FLOW_BEGUN_DONE) {
        flow->budget_ -= flow->budget_ != 0;
        return flow__done_at_once(flow, self);
    }
    await_node(flow, node);
    return 1;
}

/* Awaits a signal or its like. Straight through goes what is commonest: the next value of a signal,
 * a result that is not there yet, and one that is. */
static int await_source(flow_world *world, flow_task *flow, flow_frame *self, const flow_wait *wait)
{
    const flow_source *source = wait->object_;
    flow_node *record = source->world_ == world ? flow__record(source) : NULL;
    if (FLOW_UNLIKELY_(record == NULL || record->branch > FLOW_RECORD_ONCE ||
                       wait->code_ != FLOW_NEXT_)) {
        return flow__await_leaf(world, flow, self, wait);
    }
    if (record->flags != 0) {
        if (!flow__once_read(record, source->size_, wait->out_)) {
            return flow__await_leaf(world, flow, self, wait);
        }
        flow->budget_ -= flow->budget_ != 0;
        return flow__done_at_once(flow, self);
    }
    flow_node *node = flow__node_pop(world);
    if (FLOW_UNLIKELY_(node == NULL)) {
        return flow__await_leaf(world, flow, self, wait);
    }
    node->up.task = flow;
    node->seq = ++world->seq;
    node->to.out = wait->out_;
    flow__record_join(record, node, FLOW_NODE_SIGNAL);
    await_node(flow, node);
    return 1;
}

/* Without a node, since it is one of the commonest where it is used. */
static int await_budget(flow_world *world, flow_task *flow, flow_frame *self)
{
    if (!flow__budget_left(world)) {
        (void)flow_await_tick_(flow, self);
        return 1;
    }
    flow->budget_ -= flow->budget_ != 0;
    return flow__done_at_once(flow, self);
}

/* A leaf on another clock is a leaf that stands in its lanes; anything else is a composition of
 * one. */
static int await_on_clock(flow_world *world, flow_task *flow, flow_frame *self,
                          const flow_wait *wait)
{
    const flow_wait *inner = wait->object_;
    flow_result result = {0, NULL, NULL};
    uint16_t own = flow->clock_;
    if (inner->kind_ >= FLOW_WAIT_CALL_) {
        flow_wait list[] = {*wait, {.kind_ = FLOW_WAIT_LAST_}};
        flow_wait all = flow_wait_of_(FLOW_WAIT_ALL_, 0, list, NULL);
        return flow__compose_begin(flow, self, &all);
    }
    if (!flow__phase_lane_made(world, own, inner)) {
        return flow__fault_raise(flow, self, FLOW_NOMEM, "no memory for a wait");
    }
    if (!flow__clock_lend(world, flow, wait, &result)) {
        return flow__fault_raise(flow, self, result.code, result.message);
    }
    int stopped = flow__await_leaf(world, flow, self, inner);
    flow__clock_take_back(world, flow, own);
    return stopped;
}

static int await_call(flow_task *flow, flow_frame *self, const flow_wait *wait)
{
    if (wait->code_ == 0) {
        return flow_await_call_(flow, self, wait->object_);
    }
    if (wait->code_ == FLOW_CALL_CHILD) {
        flow__wait_discard(flow__world_of(flow), wait);
        return flow__fault_raise(flow, self, FLOW_MISUSE,
                                 "a call made for a composition was awaited alone");
    }
    return flow__fault_raise(flow, self, wait->code_,
                             wait->code_ == FLOW_NOMEM
                                 ? "no memory for the frame of a call"
                                 : "a FLOW_CALL stands among the arguments of another");
}

/* Every await but a call, a tick and a frame. */
int flow_await_slow_(flow_task *flow, flow_frame *self, const flow_wait *wait)
{
    flow_world *world = flow__world_of(flow);
    if (FLOW_UNLIKELY_(flow->flags_ != 0) &&
        (flow->kind_ == FLOW_KIND_AWAY ? flow__away_awaits(flow, self, wait)
                                       : flow__stop_if_cancelled(flow))) {
        flow__wait_discard(world, wait);
        return 1;
    }
    if (wait->kind_ == FLOW_WAIT_SIGNAL_) {
        return await_source(world, flow, self, wait);
    }
    if (wait->kind_ == FLOW_WAIT_READY_) {
        return flow__done_at_once(flow, self);
    }
    switch (wait->kind_) {
    case FLOW_WAIT_SECONDS_:
        if (wait->code_ == (int32_t)FLOW_CLOCK_INHERIT &&
            wait->seconds_ < 2e6) { /* pos_ keeps it in ms, for dumps */
            return await_timer(world, flow, self, wait->seconds_);
        }
        return flow__await_leaf(world, flow, self, wait);
    case FLOW_WAIT_TICKS_:
    case FLOW_WAIT_FRAMES_:
        if (wait->count_ != 1 || wait->code_ != 0) {
            return flow__await_leaf(world, flow, self, wait);
        }
        (void)(wait->kind_ == FLOW_WAIT_TICKS_ ? flow_await_tick_ : flow_await_frame_)(flow, self);
        return 1;
    case FLOW_WAIT_RACE_:
    case FLOW_WAIT_ALL_:
    case FLOW_WAIT_ALL_SETTLED_:
    case FLOW_WAIT_ANY_:
    case FLOW_WAIT_TIMEOUT_:
        return flow__compose_begin(flow, self, wait);
    case FLOW_WAIT_ON_CLOCK_:
        return await_on_clock(world, flow, self, wait);
    case FLOW_WAIT_CALL_:
        return await_call(flow, self, wait);
    case FLOW_WAIT_BUDGET_:
        return await_budget(world, flow, self);
    case FLOW_WAIT_MOVE_:
        return flow_await_move_(flow, self, wait->object_, wait->out_, wait->arg_, self->at_);
    case FLOW_WAIT_JOB_:
        return wait->code_ == FLOW_JOB_AWAY_ ? flow__away_begin(flow, self, wait)
                                             : flow__await_leaf(world, flow, self, wait);
    case FLOW_WAIT_LAST_:
    case FLOW_WAIT_READY_:
    case FLOW_WAIT_NEXT_TICK_: /* begun by FLOW_SUSPEND_ */
    case FLOW_WAIT_NEXT_FRAME_:
    case FLOW_WAIT_FAILED_:
    case FLOW_WAIT_NEVER_:
    case FLOW_WAIT_SIGNAL_: /* looked at first */
    case FLOW_WAIT_UNTIL_:
    case FLOW_WAIT_JOIN_:
    case FLOW_WAIT_PHASE_:
    case FLOW_WAIT_SINCE_:
    case FLOW_WAIT_INTERVAL_:
        break;
    }
    return flow__await_leaf(world, flow, self, wait);
}
