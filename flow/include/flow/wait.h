/* SPDX-License-Identifier: MIT */
/*
 * Waits: what a flow can await.
 *
 * A wait is a small value, cold until it is awaited; creating one costs nothing and takes no
 * memory. Await it at once (FLOW_AWAIT(flow_seconds(1))) or hand it to a composition; never keep
 * one across an await. Whether it suspends is said for each. A single wait resumes its flow in the
 * step of the tick that ends it, in the order in which the waits began.
 */
#ifndef FLOW_WAIT_H
#define FLOW_WAIT_H

#include "flow/clock.h"

FLOW_EXTERN_C_BEGIN_

/* A condition that a flow waits for; arg is what flow_until was given. Runs inside the world, where
 * tick, flush and destroy are refused. Nonzero ends the wait. */
typedef int (*flow_predicate)(void *arg);

/* A condition on a value: of a signal that is emitted (null when the emit gave none), of a property
 * that is set. The value is borrowed for the call. Runs inside the world, where tick, flush and
 * destroy are refused; it may emit, set, start and cancel. Nonzero: it holds. */
typedef int (*flow_match)(const void *value, void *arg);

/* What a wait is made of; flow's own business. */
typedef enum flow_wait_kind_ {
    FLOW_WAIT_LAST_, /* ends a list */
    FLOW_WAIT_READY_,
    FLOW_WAIT_FAILED_,
    FLOW_WAIT_NEVER_,
    FLOW_WAIT_NEXT_TICK_,
    FLOW_WAIT_NEXT_FRAME_,
    FLOW_WAIT_TICKS_,
    FLOW_WAIT_FRAMES_,
    FLOW_WAIT_SECONDS_,
    FLOW_WAIT_UNTIL_,
    FLOW_WAIT_SIGNAL_,
    FLOW_WAIT_JOIN_,
    FLOW_WAIT_MOVE_,
    FLOW_WAIT_PHASE_,
    FLOW_WAIT_SINCE_,
    FLOW_WAIT_INTERVAL_,
    FLOW_WAIT_BUDGET_,
    FLOW_WAIT_JOB_,
    FLOW_WAIT_CALL_, /* from here on: no leaves */
    FLOW_WAIT_RACE_,
    FLOW_WAIT_ALL_,
    FLOW_WAIT_ALL_SETTLED_,
    FLOW_WAIT_ANY_,
    FLOW_WAIT_TIMEOUT_,
    FLOW_WAIT_ON_CLOCK_
} flow_wait_kind_;

/* Where the branches of a composition are (flow_wait.list_). */
enum { FLOW_LIST_WRITTEN_, FLOW_LIST_OF_SET_, FLOW_LIST_IN_SET_ };

/* The kinds of FLOW_WAIT_JOB_: executor.h. */
enum { FLOW_JOB_RUN_, FLOW_JOB_RUN_WITH_, FLOW_JOB_PARTS_, FLOW_JOB_AWAY_, FLOW_JOB_HOME_ };

struct flow_frame;
struct flow_job;

/* An awaitable value. Its members are flow's own business. */
typedef struct flow_wait {
    flow_wait_kind_ kind_;
    int32_t code_; /* failure code, clock, phase; how a call goes on; of TICKS and FRAMES: count_ is
                      that of the clock or world */
    union {
        double seconds_; /* of SECONDS, SINCE and TIMEOUT */
        size_t size_;    /* of a job's data */
    };
    union {
        int64_t count_; /* of TICKS and FRAMES; of SINCE, ns; a handle's bits */
        void *arg_;     /* of a match; where a close is told, a version kept, a stream's end told; a
                           job's desc or name */
        int list_;      /* of a composition: FLOW_LIST_ */
    };
    void *object_; /* signal, message, frame, task or branches */
    void *out_;    /* where the result goes, or null */
    union {
        flow_predicate test_;
        flow_match match_;
        int (*run_)(struct flow_job *job, void *data);
    };
} flow_wait;

FLOW_INLINE_ flow_wait flow_wait_of_(flow_wait_kind_ kind, int32_t code, void *object, void *out)
{
    flow_wait w;
    w.kind_ = kind;
    w.code_ = code;
    w.seconds_ = 0.0;
    w.count_ = 0;
    w.object_ = object;
    w.out_ = out;
    w.test_ = 0;
    return w;
}

/* Done already: never suspends. */
FLOW_NODISCARD_ FLOW_INLINE_ flow_wait flow_ready(void)
{
    return flow_wait_of_(FLOW_WAIT_READY_, 0, 0, 0);
}

/* Failed already, with a positive code of the user's or a negative flow_status; message is static
 * text. */
FLOW_NODISCARD_ FLOW_INLINE_ flow_wait flow_failed(int code, const char *message)
{
    flow_wait w = flow_wait_of_(FLOW_WAIT_FAILED_, code, 0, 0);
    union {
        const char *text;
        void *object;
    } carried;
    carried.text = message;
    w.object_ = carried.object;
    return w;
}

/* Never ends by itself: only cancellation, a race or a timeout ends it. */
FLOW_NODISCARD_ FLOW_INLINE_ flow_wait flow_never(void)
{
    return flow_wait_of_(FLOW_WAIT_NEVER_, 0, 0, 0);
}

/* The next tick of the home phase that the flow's clock counts, never the current one. About 8
 * bytes while waiting. */
FLOW_NODISCARD_ FLOW_INLINE_ flow_wait flow_next_tick(void)
{
    return flow_wait_of_(FLOW_WAIT_NEXT_TICK_, 0, 0, 0);
}

/* The n-th later tick of the home phase; 0 is done at once, a negative count is misuse. */
FLOW_NODISCARD_ FLOW_INLINE_ flow_wait flow_ticks(int64_t n)
{
    flow_wait w = flow_wait_of_(FLOW_WAIT_TICKS_, 0, 0, 0);
    w.count_ = n;
    return w;
}

/* The first tick of the home phase in a later rendered frame, wherever in a frame it was called. */
FLOW_NODISCARD_ FLOW_INLINE_ flow_wait flow_next_frame(void)
{
    return flow_wait_of_(FLOW_WAIT_NEXT_FRAME_, 0, 0, 0);
}

/* The first tick of the home phase n rendered frames later; 0 is done at once, a negative count is
 * misuse. */
FLOW_NODISCARD_ FLOW_INLINE_ flow_wait flow_frames(int64_t n)
{
    flow_wait w = flow_wait_of_(FLOW_WAIT_FRAMES_, 0, 0, 0);
    w.count_ = n;
    return w;
}

/* The first tick of the home phase at which the clock has advanced by that many seconds. 0 and less
 * is the next tick, NaN is misuse. On the flow's own clock: a scaled clock takes longer, a paused
 * one stands still. 16 bytes while waiting, O(log n) to begin and to end, nothing in between.
 * flow_lateness() tells by how much it was missed. */
FLOW_NODISCARD_ FLOW_INLINE_ flow_wait flow_seconds_on(flow_clock clock, double seconds)
{
    flow_wait w = flow_wait_of_(FLOW_WAIT_SECONDS_, (int32_t)clock, 0, 0);
    w.seconds_ = seconds;
    return w;
}
FLOW_NODISCARD_ FLOW_INLINE_ flow_wait flow_seconds(double seconds)
{
    return flow_seconds_on(FLOW_CLOCK_INHERIT, seconds);
}

/* The same counted from a given start instead of from the await: n ticks after flow_tick_count()
 * was `start`, n frames after flow_frame_count() was, that many seconds after flow_now_ns() was.
 * Done at once when that has passed, so that a cooldown overlaps what the flow does meanwhile. The
 * start is read in the flow's own phase, and on the clock that is waited on. */
FLOW_NODISCARD_ FLOW_INLINE_ flow_wait flow_ticks_since(uint64_t start, int64_t n)
{
    flow_wait w = flow_ticks(n);
    if (n >= 0) {
        w.code_ = 1;
        w.count_ = start < (uint64_t)(INT64_MAX - n) ? (int64_t)start + n : INT64_MAX;
    }
    return w;
}
FLOW_NODISCARD_ FLOW_INLINE_ flow_wait flow_frames_since(uint64_t start, int64_t n)
{
    flow_wait w = flow_ticks_since(start, n);
    w.kind_ = FLOW_WAIT_FRAMES_;
    return w;
}
FLOW_NODISCARD_ FLOW_INLINE_ flow_wait flow_seconds_since_on(flow_clock clock, int64_t start_ns,
                                                             double seconds)
{
    flow_wait w = flow_wait_of_(FLOW_WAIT_SINCE_, (int32_t)clock, 0, 0);
    w.count_ = start_ns;
    w.seconds_ = seconds;
    return w;
}
FLOW_NODISCARD_ FLOW_INLINE_ flow_wait flow_seconds_since(int64_t start_ns, double seconds)
{
    return flow_seconds_since_on(FLOW_CLOCK_INHERIT, start_ns, seconds);
}

/* Goes on at once while the ticks of this frame have taken less than the world's frame_budget, else
 * in the next tick: so long work, cut into pieces with one of these after each, fills what is left
 * of the frame and no more. At least one piece is done a tick. What counts is the time from the
 * beginning of each tick since begin_frame to its end or to this wait, whoever ran: flows that
 * share the budget get what is left in the order in which they run. Outside ticks, and in a world
 * without now_ns or frame_budget, it is flow_next_tick. Reads the clock once. How many pieces a
 * tick gets is then up to that clock: for runs that are to be equal, let it be a counted one. */
FLOW_NODISCARD_ FLOW_INLINE_ flow_wait flow_yield_over_budget(void)
{
    return flow_wait_of_(FLOW_WAIT_BUDGET_, 0, 0, 0);
}

/* Tests at once, then in every tick of the home phase that the flow's clock counts, until test(arg)
 * is nonzero. The one wait that is polled. arg is borrowed until the wait ends. The dump shows
 * `test` as it is written here. */
#define flow_until(test, arg) flow_until_((test), (arg), #test)
FLOW_NODISCARD_ FLOW_INLINE_ flow_wait flow_until_(flow_predicate test, void *arg, const char *text)
{
    flow_wait w = flow_wait_of_(FLOW_WAIT_UNTIL_, 0, 0, arg);
    union {
        const char *text;
        void *object;
    } carried;
    carried.text = text;
    w.object_ = carried.object;
    w.test_ = test;
    return w;
}

/* Moves the whole flow, the functions it was called from included, to another phase: it goes on at
 * the first later tick of that phase. FLOW_INHERIT or a number out of range is misuse. */
FLOW_NODISCARD_ FLOW_INLINE_ flow_wait flow_switch_phase(flow_phase phase)
{
    return flow_wait_of_(FLOW_WAIT_PHASE_, (int32_t)phase, 0, 0);
}

/* Until the named flow has ended, in whatever way; outcome, if not null, is filled. Never fails and
 * never hangs: a flow that has ended gives its outcome as long as it is known (the last 256 that
 * ended), else state NONE with the code STALE. Joining oneself or an ancestor is misuse. */
FLOW_NODISCARD_ FLOW_INLINE_ flow_wait flow_join(flow_handle flow, flow_outcome *outcome)
{
    flow_wait w = flow_wait_of_(FLOW_WAIT_JOIN_, 0, 0, outcome);
    w.count_ = (int64_t)(((uint64_t)flow.generation << 32) | flow.slot);
    return w;
}

FLOW_EXTERN_C_END_

#endif
