/* SPDX-License-Identifier: MIT */
/*
 * Async functions in C: how a flow is written, called and awaited.
 *
 *     struct blink { flow_frame base; int times; };
 *
 *     FLOW_STATIC(blink)
 *     {
 *         FLOW_BEGIN;
 *         while (self->times-- > 0)
 *             FLOW_AWAIT(flow_seconds(0.5));
 *         FLOW_FINALLY;
 *         puts("dark");
 *         FLOW_END;
 *     }
 *
 * A flow function is a struct, its frame, whose first member is `flow_frame base`, and a body.
 * Inside the body `flow` is the running task and `self` the frame. What must outlive an await lives
 * in the frame; a local does not. FLOW_BEGIN is the first statement and FLOW_END the last. Macros
 * in capitals may return or jump; everything in small letters is a call.
 *
 * A body runs on its world's thread. Awaiting something that is done does not suspend and costs
 * about a call; a real suspension saves the frame's place and returns to the tick.
 */
#ifndef FLOW_ASYNC_H
#define FLOW_ASYNC_H

#include "flow/wait.h"

FLOW_EXTERN_C_BEGIN_

struct flow_function;

/* The head of every frame: 16 bytes, and what makes frames 16-aligned. Its members are flow's own
 * business. */
typedef struct flow_frame {
    FLOW_ALIGNAS_(16) const struct flow_function *fn_;
    uint32_t at_;   /* resume point, and the source line in the upper half */
    uint16_t up_;   /* 16-byte units down to the caller's frame; 0: its place is written in the
                       segment's head */
    uint8_t flags_; /* 0 in the common case: then leaving it is two stores */
    uint8_t depth_; /* direct calls on the C stack since the slice began */
} flow_frame;

/* What a body returns; only the macros make one. */
typedef enum flow_step_kind_ {
    FLOW_STEP_STOPPED_,
    FLOW_STEP_ENDED_,
    FLOW_STEP_LEFT_
} flow_step_kind_;
typedef struct flow_step {
    flow_step_kind_ kind_;
} flow_step;

/* What is known of a flow function at compile time: one constant each. */
typedef struct flow_function {
    flow_step (*run_)(flow_task *flow, flow_frame *frame);
    const char *name;
    const char *file;
    uint32_t line;
    uint32_t size;  /* of the frame, in bytes */
    uint32_t align; /* of the frame, at least 16 */
} flow_function;

/* A task's hot line: all that a resume touches. Public so that awaits inline; its members are
 * flow's own business. */
struct flow_task {
    flow_frame *top_; /* innermost frame */
    char *sp_;        /* where the next frame goes; 256-byte segments end where its low byte is 0 */
    uint32_t pos_;    /* place in the queue it stands in, or the node it waits on */
    uint32_t budget_; /* running: awaits it may still complete; waiting: when the wait began */
    uint16_t clock_;
    uint8_t phase_;
    uint8_t kind_; /* what it is doing */
    uint16_t flags_;
    uint8_t cause_;
    uint8_t marks_;
    FLOW_ALIGNAS_(16) unsigned char first_[32]; /* its first frame, when that is small */
};

/* Frame flags that inlined code knows. */
enum { FLOW_FRAME_TRY_ = 1, FLOW_FRAME_SHIELD_ = 2 };

/* Direct calls, nested starts and nested cancels that go straight onto the C stack; deeper ones are
 * queued, so that the stack a world needs does not grow with the depth of a story. A constant of
 * the interface: order depends on it. */
#define FLOW_NESTING_LIMIT 16

/* Resume points are cases of a wider integer than any that a user switches on, so that a resume
 * label inside the user's own switch is out of its range, which both compilers report. */
#if defined(__SIZEOF_INT128__)
__extension__ typedef unsigned __int128 flow_wide_;
#define FLOW_WIDE_0_ ((flow_wide_)1 << 100)
#else
typedef uint64_t flow_wide_;
#define FLOW_WIDE_0_ ((flow_wide_)1 << 63)
#endif
#define FLOW_POINT_FINALLY_ 1u

FLOW_NODISCARD_ flow_frame *flow_prepare_(flow_task *flow, flow_frame *self,
                                          const flow_function *fn, const char *site);
int flow_await_slow_(flow_task *flow, flow_frame *self, const flow_wait *wait);
flow_step flow_await_tick_(flow_task *flow, flow_frame *self);
flow_step flow_await_frame_(flow_task *flow, flow_frame *self);
int flow_await_call_slow_(flow_task *flow, flow_frame *self, flow_frame *callee);
int flow_call_stopped_(flow_task *flow, flow_frame *self, flow_frame *callee, flow_step step);
int32_t flow_call_slow_(flow_task *flow, flow_frame *callee);
flow_frame *flow_call_outer_(flow_task *flow);
void flow_call_nested_(flow_task *flow, flow_frame *outer);
flow_step flow_fail_(flow_task *flow, flow_frame *self, int code, const char *message, int line);
flow_step flow_bad_point_(flow_task *flow, flow_frame *self);
void flow_tried_(flow_task *flow, flow_frame *self, flow_outcome *outcome);
void flow_shield_(flow_task *flow, flow_frame *self);
void flow_unshield_(flow_task *flow, flow_frame *self);

FLOW_INLINE_ flow_step flow_step_of_(flow_step_kind_ kind)
{
    flow_step s;
    s.kind_ = kind;
    return s;
}

/* Room for a callee's frame: in the open segment when there is any, else out of line. */
FLOW_INLINE_ flow_frame *flow_room_(flow_task *flow, flow_frame *self, const flow_function *fn,
                                    const char *site)
{
    char *at = flow->sp_;
    if (FLOW_LIKELY_(((0u - (uintptr_t)at) & 255u) >= fn->size && fn->align == 16)) {
        flow->sp_ = at + fn->size;
        return (flow_frame *)(void *)at;
    }
    return flow_prepare_(flow, self, fn, site);
}

/* The head of a callee's frame, written in place with its arguments. */
FLOW_INLINE_ flow_frame flow_head_(const flow_frame *self, const flow_frame *callee,
                                   const flow_function *fn)
{
    flow_frame head;
    uintptr_t far = ((uintptr_t)callee ^ (uintptr_t)self) & ~(uintptr_t)255;
    head.fn_ = fn;
    head.at_ = 0;
    head.up_ = far ? (uint16_t)0 : (uint16_t)(((uintptr_t)callee - (uintptr_t)self) / 16);
    head.flags_ = 0;
    head.depth_ = (uint8_t)(self->depth_ + 1);
    return head;
}

/* Takes room for a callee; *place is its frame until the call is made, so that a call among its
 * arguments is noticed. */
FLOW_INLINE_ int flow_take_(flow_frame **place, flow_task *flow, flow_frame *self,
                            const flow_function *fn, const char *site)
{
    if (FLOW_UNLIKELY_(*place != 0)) {
        flow_call_nested_(flow, *place);
        *place = 0;
        return 0;
    }
    *place = flow_room_(flow, self, fn, site);
    return *place != 0;
}

/* The wait for a callee whose arguments are written. Anything but a frame on the open segment goes
 * the slow way. */
FLOW_NODISCARD_ FLOW_INLINE_ flow_wait flow_call_(flow_frame **place, flow_task *flow,
                                                  const flow_function *fn)
{
    flow_frame *callee = *place;
    int32_t how = 0;
    *place = 0;
    if (FLOW_UNLIKELY_(callee == 0 || (char *)(void *)callee + fn->size != flow->sp_)) {
        how = flow_call_slow_(flow, callee);
        how = callee == 0 && how == 0 ? FLOW_NOMEM : how; /* without a frame it never goes on */
        *place = flow_call_outer_(flow);
    }
    return flow_wait_of_(FLOW_WAIT_CALL_, how, callee, 0);
}

/* Runs a callee straight on the C stack. 0: it ended, go on; else return STOPPED. */
FLOW_INLINE_ int flow_await_call_(flow_task *flow, flow_frame *self, flow_frame *callee)
{
    const flow_function *fn = callee->fn_;
    if (FLOW_LIKELY_(callee->flags_ == 0 && callee->depth_ < FLOW_NESTING_LIMIT &&
                     (char *)(void *)callee + fn->size == flow->sp_ && --flow->budget_ != 0)) {
        flow->top_ = callee;
        flow_step step = fn->run_(flow, callee);
        if (FLOW_LIKELY_(step.kind_ == FLOW_STEP_ENDED_ && callee->flags_ == 0)) {
            flow->top_ = self;
            flow->sp_ = (char *)(void *)callee;
            return 0;
        }
        return flow_call_stopped_(flow, self, callee, step);
    }
    return flow_await_call_slow_(flow, self, callee);
}

/* How an await goes on; the two waits that always suspend are begun by FLOW_SUSPEND_. */
enum { FLOW_HOW_DONE_, FLOW_HOW_STOPPED_, FLOW_HOW_TICK_, FLOW_HOW_FRAME_ };

/* Begins a wait. DONE: go on; else FLOW_SUSPEND_ and be resumed at `at`. */
FLOW_INLINE_ int flow_await_(flow_task *flow, flow_frame *self, flow_wait wait, uint32_t at)
{
    self->at_ = at;
    if (wait.kind_ == FLOW_WAIT_CALL_) {
        if (FLOW_LIKELY_(wait.code_ == 0)) {
            return flow_await_call_(flow, self, (flow_frame *)wait.object_);
        }
    }
    if (wait.kind_ == FLOW_WAIT_NEXT_TICK_) {
        return FLOW_HOW_TICK_;
    }
    if (wait.kind_ == FLOW_WAIT_NEXT_FRAME_) {
        return FLOW_HOW_FRAME_;
    }
    if (wait.kind_ == FLOW_WAIT_READY_ && FLOW_LIKELY_(--flow->budget_ != 0)) {
        return 0;
    }
    flow_wait kept = wait; /* so that the common cases need no wait in memory */
    return flow_await_slow_(flow, self, &kept);
}

FLOW_EXTERN_C_END_

/* Makes a flow function callable from other files and from C++: in a header, beside its struct. */
#define FLOW_DECLARE(name) FLOW_EXTERN_C_ const flow_function name##_flow_

/* What names a flow function as a value, for flow_start. */
#define FLOW_FUNCTION(name) (&name##_flow_)

#ifndef __cplusplus

/* Resume points are counted by __COUNTER__, of which the newest clang warns as of an extension. It
 * is expanded in bodies, so the warning stays off after this header. */
#if defined(__clang__)
#if __has_warning("-Wc2y-extensions")
#pragma clang diagnostic ignored "-Wc2y-extensions"
#endif
#endif

/* Defines a flow function for this file: follow it with the body in braces. `struct name` must be
 * complete. */
#define FLOW_STATIC(name) FLOW_BODY_(name, static)

/* Defines one that FLOW_DECLARE has announced. */
#define FLOW_DEFINE(name) FLOW_BODY_(name, )

/* Announces a FLOW_STATIC function that comes later in the file, for mutual recursion. */
#define FLOW_FORWARD(name) static const flow_function name##_flow_

#define FLOW_BODY_(name, linkage)                                                                  \
    static flow_step name##_body_(flow_task *flow, struct name *self);                             \
    static flow_step name##_run_(flow_task *flow, flow_frame *frame)                               \
    {                                                                                              \
        return name##_body_(flow, (struct name *)(void *)frame);                                   \
    }                                                                                              \
    _Static_assert(_Alignof(struct name) <= 16384, "a frame is aligned to 16 KiB at most");        \
    _Static_assert(offsetof(struct name, base) == 0, "a frame begins with `flow_frame base`");     \
    linkage const flow_function name##_flow_ = {name##_run_,                                       \
                                                #name,                                             \
                                                __FILE__,                                          \
                                                __LINE__,                                          \
                                                (uint32_t)sizeof(struct name),                     \
                                                (uint32_t) _Alignof(struct name)};                 \
    static flow_step name##_body_(flow_task *flow, struct name *self)

/* First statement of a body. */
#define FLOW_BEGIN                                                                                 \
    flow_frame *flow_new_ = NULL;                                                                  \
    int flow_how_ = 0;                                                                             \
    enum { flow_base_ = __COUNTER__ - 1 };                                                         \
    (void)flow_new_;                                                                               \
    (void)flow_how_;                                                                               \
    (void)flow;                                                                                    \
    switch ((flow_wide_)(self->base.at_ & 0xffffu) | FLOW_WIDE_0_) {                               \
    case FLOW_WIDE_0_:

/* Last statement of a body: the flow function returns. */
#define FLOW_END                                                                                   \
    return flow_step_of_(FLOW_STEP_ENDED_);                                                        \
    default:                                                                                       \
        return flow_bad_point_(flow, &self->base);                                                 \
        }

/* What follows runs exactly once when the function is left, by return, failure or cancellation,
 * after everything that was started in it has ended. Optional, once per body, before FLOW_END. It
 * may await; such awaits run to their end. */
#define FLOW_FINALLY                                                                               \
    return flow_step_of_(FLOW_STEP_LEFT_);                                                         \
    case FLOW_WIDE_0_ + FLOW_POINT_FINALLY_:

/* Leaves the function from anywhere in its body; the finally section follows. In the finally
 * section: ends it. */
#define FLOW_RETURN return flow_step_of_(FLOW_STEP_LEFT_)

/* Fails: code is a positive one of the user's or a negative flow_status, message static text. The
 * failure climbs from await to await until a FLOW_TRY takes it. Needs no memory. */
#define FLOW_FAIL(code, message) return flow_fail_(flow, &self->base, (code), (message), __LINE__)

/* Awaits one wait: goes on when it is done, and does not suspend when it already is. Fails as the
 * wait fails. */
#define FLOW_AWAIT(wait) FLOW_AWAIT_((wait), __COUNTER__ - flow_base_)
#define FLOW_AWAIT_(wait, point)                                                                   \
    do {                                                                                           \
        if ((flow_how_ = flow_await_(flow, &self->base, wait, FLOW_AT_(point))) != 0) {            \
            FLOW_SUSPEND_                                                                          \
        case FLOW_WIDE_0_ + (point):;                                                              \
        }                                                                                          \
    } while (0)
#define FLOW_AT_(point) ((uint32_t)(point) | ((uint32_t)__LINE__ << 16))
/* Calls that are returned as they are, each by itself, become jumps: a body that only awaits ticks
 * and frames needs no stack frame. */
#define FLOW_SUSPEND_                                                                              \
    if (flow_how_ == FLOW_HOW_TICK_) {                                                             \
        return flow_await_tick_(flow, &self->base);                                                \
    }                                                                                              \
    if (flow_how_ == FLOW_HOW_FRAME_) {                                                            \
        return flow_await_frame_(flow, &self->base);                                               \
    }                                                                                              \
    return flow_step_of_(FLOW_STEP_STOPPED_);

/* Awaits one wait and takes its failure as a value: *outcome is DONE, FAILED, or CANCELLED when the
 * callee ended cancelled by itself. Cancellation of the flow itself is not caught. */
#define FLOW_TRY(outcome, wait) FLOW_TRY_((outcome), (wait), __COUNTER__ - flow_base_)
#define FLOW_TRY_(outcome, wait, point)                                                            \
    do {                                                                                           \
        self->base.flags_ |= FLOW_FRAME_TRY_;                                                      \
        if ((flow_how_ = flow_await_(flow, &self->base, wait, FLOW_AT_(point))) != 0) {            \
            FLOW_SUSPEND_                                                                          \
        case FLOW_WIDE_0_ + (point):;                                                              \
        }                                                                                          \
        flow_tried_(flow, &self->base, outcome);                                                   \
    } while (0)

/* Awaits one wait that cancellation does not cut short: a cancelled flow unwinds at the first
 * unshielded await after it. */
#define FLOW_SHIELD(wait) FLOW_SHIELD_((wait), __COUNTER__ - flow_base_)
#define FLOW_SHIELD_(wait, point)                                                                  \
    do {                                                                                           \
        flow_shield_(flow, &self->base);                                                           \
        if ((flow_how_ = flow_await_(flow, &self->base, wait, FLOW_AT_(point))) != 0) {            \
            FLOW_SUSPEND_                                                                          \
        case FLOW_WIDE_0_ + (point):;                                                              \
        }                                                                                          \
        flow_unshield_(flow, &self->base);                                                         \
    } while (0)

/* A call of another flow function as a wait: FLOW_AWAIT(FLOW_CALL(walk_to, .target = p)). Arguments
 * are designated initialisers of the callee's frame, written once, straight into it, in unspecified
 * order; what is not named is zero. Await it at once; a FLOW_CALL among the arguments of another is
 * misuse. Fails with NOMEM when there is no room. */
#define FLOW_CALL(...) FLOW_CALL_(__VA_ARGS__, .base = FLOW_BASE_)
#define FLOW_CALL_(name, ...) FLOW_CALL__(name, &name##_flow_, __VA_ARGS__)
#define FLOW_CALL__(name, fn, ...)                                                                 \
    (flow_take_(&flow_new_, flow, &self->base, fn, FLOW_SITE_)                                     \
         ? (void)(*(struct name *)(void *)flow_new_ = (struct name){__VA_ARGS__(fn)})              \
         : (void)0,                                                                                \
     flow_call_(&flow_new_, flow, fn))
#define FLOW_BASE_(fn) flow_head_(&self->base, flow_new_, fn)

#endif /* !__cplusplus */

#endif
