/* SPDX-License-Identifier: MIT */
/*
 * Frames: where a call's arguments and state live.
 *
 * A task's first frame is inside the task when it has at most 16 bytes of state. Frames of calls
 * stand one after another in 256-byte segments; a frame too large or too strictly aligned for that
 * has a block of its own. A segment begins with a head that names the frame under which it was
 * opened; a frame in the same segment as its caller knows the distance. So a call is a bump of a
 * pointer, and a frame never moves.
 */
#include "private.h"

enum { SEGMENT = 256, HEAD = 16, OWN_BLOCK = 0xffff, NESTED_MARK = 16 };

/* In front of a segment's first frame, and of a frame in a block of its own. */
typedef struct head {
    flow_frame *caller;
    char *sp; /* what sp_ was before; in front of a first frame: the task */
} head;

static head *segment_head(const void *address)
{
    return (head *)((uintptr_t)address & ~(uintptr_t)(SEGMENT - 1));
}

static head *block_head(const flow_frame *frame)
{
    return (head *)(void *)((char *)(uintptr_t)frame - HEAD);
}

flow_frame *flow__caller(const flow_task *task, const flow_frame *frame)
{
    if (frame->up_ == OWN_BLOCK) {
        return block_head(frame)->caller;
    }
    if (frame->up_ != 0) {
        return (flow_frame *)(void *)((char *)(uintptr_t)frame - (size_t)frame->up_ * 16);
    }
    return (const void *)frame == (const void *)task->first_ ? NULL : segment_head(frame)->caller;
}

/* Closes the open segment, which is empty. */
void flow__segment_close(flow_task *task)
{
    head *segment = segment_head(task->sp_ - 1);
    if (segment->caller->up_ != OWN_BLOCK) {
        segment->caller->flags_ &= (uint8_t)~FLOW_FRAME_MEMORY;
    }
    task->sp_ = segment->sp;
    flow__block_give(segment);
}

static flow_frame *segment_open(flow_world *world, flow_task *flow, flow_frame *self, uint32_t size)
{
    head *segment = flow__block_take(world, SEGMENT);
    if (segment == NULL) {
        return NULL;
    }
    segment->caller = self;
    segment->sp = flow->sp_;
    self->flags_ |= FLOW_FRAME_MEMORY;
    flow->sp_ = (char *)segment + HEAD + size;
    return (flow_frame *)(void *)((char *)segment + HEAD);
}

static flow_frame *own_block(flow_world *world, const flow_function *fn, flow_frame *caller,
                             char *sp)
{
    char *block = flow__block_take(world, (size_t)fn->size + HEAD + fn->align);
    if (block == NULL) {
        return NULL;
    }
    uintptr_t at = ((uintptr_t)block + HEAD + fn->align - 1) & ~(uintptr_t)(fn->align - 1);
    flow_frame *frame = (flow_frame *)at;
    block_head(frame)->caller = caller;
    block_head(frame)->sp = sp;
    return frame;
}

/* Blocks of a page are equal, so the one that an address is in is found by division. */
static void own_block_free(const flow_frame *frame)
{
    flow_page *page = flow__page_of(frame);
    uintptr_t first = (uintptr_t)page + (page->block_size == SEGMENT ? SEGMENT : FLOW_PAGE_HEAD);
    uintptr_t offset =
        page->block_size ? ((uintptr_t)frame - first) / page->block_size * page->block_size : 0;
    flow__block_give((void *)(first + offset));
}

/* The first frame of a new task, when it does not fit into the task; its place there goes on naming
 * the function. */
bool flow__first_frame(flow_world *world, flow_task *task, const flow_function *fn)
{
    task->top_ = own_block(world, fn, NULL, (char *)(void *)task);
    return task->top_ != NULL;
}

/* Its head, once its arguments are written. */
void flow__first_frame_begin(flow_task *task)
{
    flow_frame *frame = task->top_;
    bool inside = (void *)frame == (void *)task->first_;
    frame->at_ = 0;
    frame->up_ = inside ? 0 : OWN_BLOCK;
    frame->flags_ = inside ? 0 : FLOW_FRAME_MEMORY;
    frame->depth_ = 0;
}

/* Out of the common path: a call whose frame does not fit the open segment, or becomes a child
 * flow. */
flow_frame *flow_prepare_(flow_task *flow, flow_frame *self, const flow_function *fn,
                          const char *site)
{
    flow_world *world = flow__world_of(flow);
    flow_frame *frame = NULL;
    if (flow->kind_ == FLOW_KIND_AWAY) {
        return NULL;
    }
    if (world->composing.task == flow) {
        flow_task *child = flow__task_new(world, fn, flow, self, site);
        if (child != NULL) {
            frame = child->top_;
        }
        world->composing.child = child;
        world->composing.what = FLOW_PREPARED_CHILD;
    } else if (fn->size <= SEGMENT - HEAD && fn->align <= 16) {
        frame = segment_open(world, flow, self, fn->size);
    } else {
        frame = own_block(world, fn, self, flow->sp_);
        world->composing.what = FLOW_PREPARED_BLOCK;
    }
    return frame;
}

/* The task whose first frame this is. */
flow_task *flow__task_of_frame(flow_frame *frame)
{
    if (frame->up_ == OWN_BLOCK) {
        return (flow_task *)(void *)block_head(frame)->sp;
    }
    return (flow_task *)(void *)((char *)frame - offsetof(flow_task, first_));
}

/* Gives back what a call took in whose arguments another stands. */
static void nested_drop(flow_world *world, flow_task *flow, flow_frame *callee, flow_prepared what)
{
    world->nested_call = NULL;
    flow->sp_ -= flow->sp_ != NULL ? NESTED_MARK : 0;
    if (what == FLOW_PREPARED_CHILD) {
        flow__task_discard(world, world->composing.child);
    } else if (what == FLOW_PREPARED_BLOCK) {
        own_block_free(callee);
    } else {
        flow->sp_ = (char *)(void *)callee;
        flow__segment_trim(flow);
    }
}

/* How a call goes on that is no frame on the open segment: 0: a frame in a block of its own,
 * FLOW_CALL_CHILD: the first frame of a child flow, else a status: it cannot. */
int32_t flow_call_slow_(flow_task *flow, flow_frame *callee)
{
    flow_world *world = flow__world_of(flow);
    if (flow->kind_ == FLOW_KIND_AWAY) {
        return FLOW_MISUSE;
    }
    flow_prepared what = world->composing.what;
    world->composing.what = FLOW_PREPARED_NOTHING;
    if (callee == NULL) {
        return world->nested_call ? FLOW_MISUSE : FLOW_NOMEM;
    }
    if (callee == world->nested_call) { /* the outer one */
        nested_drop(world, flow, callee, what);
        return FLOW_MISUSE;
    }
    if (what == FLOW_PREPARED_CHILD) {
        flow__first_frame_begin(world->composing.child);
        return FLOW_CALL_CHILD;
    }
    callee->flags_ = FLOW_FRAME_MEMORY;
    callee->up_ = OWN_BLOCK;
    flow->sp_ = NULL;
    return 0;
}

/* A call among the arguments of another: it fails, and the outer one gets its frame back. */
void flow_call_nested_(flow_task *flow, flow_frame *outer)
{
    flow_world *world = flow__world_of(flow);
    world->nested_call = outer;
    flow->sp_ += flow->sp_ != NULL ? NESTED_MARK : 0; /* so that the outer one is looked at */
    (void)flow__misuse(world, flow, "a FLOW_CALL stands among the arguments of another");
}

flow_frame *flow_call_outer_(flow_task *flow)
{
    return flow->kind_ == FLOW_KIND_AWAY ? NULL : flow__world_of(flow)->nested_call;
}

/* Takes the top frame off: the caller is on top, and what the frame used is free again. */
void flow__frame_pop(flow_world *world, flow_task *task)
{
    (void)world;
    flow_frame *frame = task->top_;
    flow_frame *caller = flow__caller(task, frame);
    if ((frame->flags_ & FLOW_FRAME_MEMORY) && task->sp_ != NULL &&
        segment_head(task->sp_ - 1)->caller ==
            frame) { /* calls that were dropped may stand in it */
        flow__segment_close(task);
    }
    if (frame->up_ == OWN_BLOCK) {
        task->sp_ = caller ? block_head(frame)->sp : NULL;
        own_block_free(frame);
    } else if ((void *)frame != (void *)task->first_) {
        task->sp_ = (char *)(void *)frame;
    }
    task->top_ = caller;
}

/* Undoes the preparing of a call that will not run. */
static void callee_drop(flow_world *world, flow_task *flow, flow_frame *self, flow_frame *callee)
{
    flow->top_ = callee;
    flow__frame_pop(world, flow);
    flow->top_ = self;
}

/* A call that did not pass the quick test: marked, endless, deep, large, or misused. */
int flow_await_call_slow_(flow_task *flow, flow_frame *self, flow_frame *callee)
{
    flow_world *world = flow__world_of(flow);
    bool own = callee->up_ == OWN_BLOCK;
    if (!own && (char *)(void *)callee + callee->fn_->size != flow->sp_) {
        return flow__fault_raise(flow, self, FLOW_MISUSE, "a FLOW_CALL was not awaited at once");
    }
    if (flow__stop_if_cancelled(flow)) {
        callee_drop(world, flow, self, callee);
        return 1;
    }
    flow->budget_ -= flow->budget_ != 0 && (own || callee->depth_ >= FLOW_NESTING_LIMIT);
    if (flow->budget_ == 0) {
        callee_drop(world, flow, self, callee);
        return flow__fault_raise(flow, self, FLOW_ENDLESS,
                                 "a million awaits completed at once in one slice");
    }
    flow->top_ = callee;
    if (callee->depth_ >= FLOW_NESTING_LIMIT) {
        return 1; /* the resume loop runs what is on top */
    }
    return flow_call_stopped_(flow, self, callee, callee->fn_->run_(flow, callee));
}

/* A directly called body came back other than by a plain end. */
int flow_call_stopped_(flow_task *flow, flow_frame *self, flow_frame *callee, flow_step step)
{
    if (step.kind_ == FLOW_STEP_STOPPED_) {
        return 1;
    }
    flow_world *world = flow__world_of(flow);
    if (step.kind_ == FLOW_STEP_ENDED_ && (callee->flags_ & (uint8_t)~FLOW_FRAME_MEMORY) == 0 &&
        flow->flags_ == 0) {
        flow__frame_pop(world, flow);
        return 0;
    }
    flow__after(world, flow, step);
    return flow__drive(world, flow, self) ? 0 : 1;
}

flow_step flow_bad_point_(flow_task *flow, flow_frame *self)
{
    flow_world *world = flow__world_of(flow);
    uint32_t point = self->at_ & 0xffff;
    if (point == FLOW_POINT_ENDED || point == FLOW_POINT_LEFT) {
        return flow_step_of_(point == FLOW_POINT_ENDED ? FLOW_STEP_ENDED_ : FLOW_STEP_LEFT_);
    }
    if (point == FLOW_POINT_FINALLY_) {
        world->no_finally = self;
        return flow_step_of_(FLOW_STEP_ENDED_);
    }
    static const char rule[] =
        "a flow resumed at a place it has not: is an await inside a switch of the user's?";
    (void)flow__misuse_at(world, flow, rule, NULL);
    return flow_fail_(flow, self, FLOW_MISUSE, rule, (int)(self->at_ >> 16));
}
