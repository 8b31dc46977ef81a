/* SPDX-License-Identifier: MIT */
/*
 * A world: one timeline of flows on one thread.
 *
 * The host creates it, calls flow_world_begin_frame once a frame and flow_world_tick once per
 * occurrence of a phase, and destroys it. Nothing else is needed to plug flow into a loop.
 *
 * Order inside a tick, always:
 *
 *     1  every clock advances this phase's time
 *     2  resumes held by a pause that was released
 *     3  timers that are due, by deadline
 *     4  tick and frame waits, in the order they began
 *     5  predicates, in the order they began
 *     6  the ready queue, first in first out, additions included
 *
 * Steps 3 to 5 go clock by clock in order of creation and take in what was waiting when the tick
 * began.
 *
 * A world need not follow the rendered frames. For lockstep or a server, pump one by hand: when the
 * commands of everybody for a turn are there, emit them in one order, then begin_frame and the
 * ticks of the turn with the same dt everywhere; while they are missing, leave it alone, and
 * nothing in it moves. Another world, for the view, goes on with every frame. Equal calls give
 * equal traces (trace.h), whose hash peers can compare after each turn.
 *
 * All functions here belong to the world's thread. All memory of a world comes from its allocator
 * hook, in pages, and goes back to it in flow_world_destroy and flow_world_trim.
 */
#ifndef FLOW_WORLD_H
#define FLOW_WORLD_H

#include "flow/phase.h"

FLOW_EXTERN_C_BEGIN_

typedef struct flow_world flow_world;

/* A running flow, as its body sees it. Valid as a pointer only inside the body; outside, hold a
 * flow_handle. */
typedef struct flow_task flow_task;

/* Where a world's memory comes from. alloc gets a size and a power-of-two alignment (up to 32 KiB)
 * and returns null when there is no more; free gets back exactly what alloc gave. Called on the
 * world's thread only, and after warm-up not at all. */
typedef struct flow_allocator {
    void *(*alloc)(void *user, size_t size, size_t alignment);
    void (*free)(void *user, void *memory, size_t size);
    void *user;
} flow_allocator;

/* What kind of failure a report tells of. */
typedef enum flow_failure_kind {
    FLOW_FAILURE_UNHANDLED,  /* a root failed, and nobody awaits it */
    FLOW_FAILURE_CLEANUP,    /* something failed while unwinding; the outcome was fixed already */
    FLOW_FAILURE_UNDELIVERED /* its receiver was gone, or the group had failed already */
} flow_failure_kind;

/* One failure, valid during the call of on_failure. */
typedef struct flow_failure {
    flow_failure_kind kind;
    flow_handle flow;    /* the flow that failed; it has ended or is about to */
    int code;            /* negative flow_status or positive user code */
    const char *message; /* static text of the flow, may be null */
    const char *path;    /* "game > in_game > battle", outermost first; valid during the call */
    const char *file;
    int line;
} flow_failure;

/* Every warning: id, text. Each id is reported once per world; MISUSE each time, since it may be of
 * another rule. */
#define FLOW_WARNINGS(X)                                                                           \
    X(RESUME_CAP, "more resumes in one tick than its cap; the rest waits for the next tick")       \
    X(OWN_CLOCK_PAUSED, "a flow paused the clock it runs on; something else must release it")      \
    X(BAD_DT, "a negative, NaN or absurd dt was taken as 0")                                       \
    X(BAD_SCALE, "a negative, NaN or infinite clock scale was refused")                            \
    X(CUT_AT_DESTROY, "destroying the world cut a finally section that was awaiting")              \
    X(LONG_CLEANUP, "a finally section has been awaiting for more than 10 seconds")                \
    X(MISUSE, "a rule of the interface was broken")                                                \
    X(INBOX_FULL, "the inbox was full: what another thread sent was refused")                      \
    X(DROPPED_AT_DESTROY, "destroying the world dropped what other threads had sent")              \
    X(JOB_OVERDUE, "destroying the world waits for a job that does not end")                       \
    X(RECORDING_CUT, "a recording ends early: its buffer is full, or could not be written")

typedef enum flow_warning_id {
#define FLOW_WARNING_ENUM_(name, text) FLOW_WARNING_##name,
    FLOW_WARNINGS(FLOW_WARNING_ENUM_)
#undef FLOW_WARNING_ENUM_
        FLOW_WARNING_COUNT
} flow_warning_id;

typedef struct flow_warning {
    flow_warning_id id;
    const char *
        text; /* one line, valid during the call: what the id says, or for MISUSE the rule; the
                 flow, its path and place, where it was started; for MISUSE also the flow that was
                 there earlier: "flow_join: a flow cannot wait for its own end: flow door #2.1 in
                 house > door, at door.c:31, started at house.c:12; earlier: flow house #1.1 ..." */
    flow_handle flow; /* whom it concerns, or null handle; of RESUME_CAP, who would be next */
} flow_warning;

/* How to create a world. Start from {0}: every field has a default. */
typedef struct flow_world_desc {
    const char *name;         /* for dumps; borrowed while the world lives; default "world" */
    flow_allocator allocator; /* default: aligned_alloc and free */
    size_t byte_budget;       /* most bytes the world may take from the allocator; 0: no limit */
    uint32_t resume_cap;      /* resumes of step 6 per tick; 0: 65,536 */
    void (*on_failure)(void *user,
                       const flow_failure *failure); /* may start and cancel flows, not tick */
    void (*on_warning)(void *user, const flow_warning *warning);
    void *user;                     /* handed to all callbacks but the allocator's */
    uint64_t (*now_ns)(void *user); /* a monotonic clock in nanoseconds, read for budgets alone;
                                       null: none is kept. From the world's thread */
    uint32_t inbox_capacity; /* places for what other threads send (inbox.h), 32 bytes each; rounded
                                up to a power of two; 0: 1,024 */
    double inbox_budget;     /* seconds that a frame may spend on taking in the inbox, by now_ns; at
                                least one thing is taken, the rest stays in order; 0: no limit */
    double frame_budget;     /* seconds that a frame's flows may take, by now_ns, before those that
                                await flow_yield_over_budget leave the rest to the next; 0: none */
    double job_limit;        /* seconds that flow_world_destroy waits for jobs (executor.h); 0: 5 */
    flow_phase_desc host_phases[FLOW_HOST_PHASES]; /* from FLOW_PHASE_HOST on */
} flow_world_desc;

/* Creates a world, or returns null when its first pages (about 285 KiB) cannot be had. desc may be
 * null. */
FLOW_NODISCARD_ flow_world *flow_world_create(const flow_world_desc *desc);

/* Cancels every flow with cause WORLD_DESTROYED, cuts finally sections that would await (a warning
 * names the first), drops what other threads have sent (a warning says so; who posted it is told),
 * and gives all memory back. Jobs on executors are asked to stop and waited for: as long as
 * desc.job_limit, in sleeps of the executor, or not at all when that cannot sleep. Returns OK,
 * UNHANDLED (a failure was met and there is no on_failure), PENDING (a job is still under way, and
 * a warning names it: nothing else is left of the world's flows, but it stands until it is
 * destroyed again), REENTRANT (called from inside the world: nothing happens), MISUSE (on another
 * thread: the same). null is OK. */
flow_status flow_world_destroy(flow_world *world);

/* Opens a rendered frame: counts it, advances the clock `real` by real_dt seconds, unclamped, and
 * takes in what other threads have sent until now (inbox.h). A negative or NaN dt counts as 0 with
 * a warning. Returns OK, UNHANDLED or REENTRANT. O(clocks + what was sent). */
flow_status flow_world_begin_frame(flow_world *world, double real_dt);

/* Runs one occurrence of a phase: dt is what the clock `unscaled` advances by in it, in seconds; in
 * FLOW_FIXED, and in host phases that are `fixed`, `real`, `unscaled` and `game` all advance by it.
 * Returns OK; UNHANDLED if a root failed since the last call and there is no on_failure; REENTRANT
 * from inside the world; MISUSE for a phase out of range. O(clocks + due + predicates). */
flow_status flow_world_tick(flow_world *world, flow_phase phase, double dt);

/* Step 6 of a tick alone: runs what is ready in the phase, without time, timers or predicates.
 * Returns as tick does. */
flow_status flow_world_flush(flow_world *world, flow_phase phase);

/* The count of begin_frame so far; 0 before the first. */
uint64_t flow_world_frame(const flow_world *world);

/* The world a running flow lives in. O(1). */
flow_world *flow_world_of(const flow_task *flow);

/* What a phase is called in this world: as desc.host_phases says, else as flow_phase_name. */
const char *flow_world_phase_name(const flow_world *world, flow_phase phase);

/* What desc.user was. */
void *flow_world_user(const flow_world *world);

/* Takes memory for this many suspended flows now, so that reaching them takes none later. OK or
 * NOMEM. */
FLOW_NODISCARD_ flow_status flow_world_reserve(flow_world *world, uint32_t flows);

/* Gives memory back that nothing uses now: large blocks, and spans of pages in which only frames
 * were. What was made for flows, waits and the reserve stays, so that handles stay safe and nothing
 * that must not fail can fail; the next starts may take memory again. Returns the bytes given back.
 * For after a level's end: O(memory of the world). */
size_t flow_world_trim(flow_world *world);

FLOW_EXTERN_C_END_

#endif
