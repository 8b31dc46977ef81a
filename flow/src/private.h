/* SPDX-License-Identifier: MIT */
/*
 * What flow's sources share: the layout of a world.
 *
 * Everything lives in 32 KiB pages aligned to their size, so that any address in a page finds its
 * world by masking. Tasks, wait nodes and queue chunks are pools of equal slots, each slot known by
 * a 32-bit id (page and slot). A task is a hot line of 64 bytes (public, async.h), which is all
 * that a resume touches, and 48 cold bytes in the same page.
 */
#ifndef FLOW_PRIVATE_H
#define FLOW_PRIVATE_H

#include "flow/flow.h"

#include "inbox.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Kept out of the common path, so that it needs no stack frame: what is rare, what is not. */
#if defined(__GNUC__) || defined(__clang__)
#define FLOW_COLD_ __attribute__((noinline, cold))
#define FLOW_APART_ __attribute__((noinline))
#else
#define FLOW_COLD_
#define FLOW_APART_
#endif

/* A fault that a test builds in, to see that the model test catches it (tests/build/faults.sh). */
#ifdef FLOW_FAULT
#define FLOW_FAULT_(number) if (FLOW_FAULT == (number))
#else
#define FLOW_FAULT_(number) if (0)
#endif

/* A broken rule of the interface: where assertions are on, the handler is called before the call
 * fails. */
void flow__assert_failed(const char *rule, const char *file, int line);

/* world.c: an allocator for who names none */
void *flow__default_alloc(void *user, size_t size, size_t alignment);
void flow__default_free(void *user, void *memory, size_t size);

/* Each part stands on the ones before it. */
/* clang-format off */
#include "pages.h"
#include "lane.h"
#include "node.h"
#include "failure.h"
/* clang-format on */

/* ---- the world ---- */

/* The arguments of a composition or of a call, while they are evaluated. They may start and cancel
 * flows, which evaluate theirs; so this belongs to whoever is running. */
typedef struct flow_composing {
    flow_task *task; /* whose calls become child flows, or null */
    char *sp;        /* its stack pointer */
    uint32_t depth;
    flow_prepared what; /* the call that did not fit the open segment */
    flow_task *child;   /* its task, in a composition */
} flow_composing;

/* Code on the C stack: who was running when a nested start or unwinding began. */
typedef struct flow_activation {
    flow_task *task;
    struct flow_activation *outer;
    flow_composing composing; /* what it was evaluating */
} flow_activation;

/* What is known of past frames, for ages: every frame of the last 256, every 16th of the last
 * 4,096, and so on, about 4.8 hours at 60 a second. */
enum { FLOW_AGE_RING = 256, FLOW_AGE_LEVELS = 4 };

typedef struct flow_age_mark {
    uint64_t seq; /* waits that had begun when the frame did */
    int64_t real; /* ns of the clock real */
} flow_age_mark;

/* For how long something waits. */
typedef struct flow_age {
    uint64_t frames;
    double seconds; /* of the clock real */
    bool exact;     /* else it is at least that long, and not a sixteenth longer */
} flow_age;

/* The slots of flows that have ended rest in batches: sixteen full ones at least, 256 flows. */
enum { FLOW_ENDED_BATCH = 16, FLOW_ENDED_BATCHES = 17 };

typedef struct flow_ended_batch {
    flow_task *newest, *oldest; /* linked by top_, from the newest */
} flow_ended_batch;

enum { FLOW_AWAIT_CAP = 1000000 };

/* A list of marked or deep flows is not empty; a clock is paused; a clock has ended on which
 * something waits; it is traced; a profiler records (changes between ticks only). */
enum {
    FLOW_ATTENTION_OWED = 1,
    FLOW_ATTENTION_PAUSED = 2,
    FLOW_ATTENTION_ENDED = 4,
    FLOW_ATTENTION_TRACED = 8,
    FLOW_ATTENTION_PROFILED = 16
};

/* What flows may take of a frame: flow_yield_over_budget. */
typedef struct flow_budget {
    uint64_t ns;           /* the whole of it; 0: none */
    uint64_t spent, frame; /* what the ticks of that frame took, up to `since` */
    uint64_t since;        /* now_ns, when it was last read */
    bool runs;             /* in a tick */
} flow_budget;

typedef struct flow_tape flow_tape;

struct flow_world {
    flow_frame *prepared;          /* first member: flow_prepared_frame_ reads it */
    flow_task *current;            /* running now, or null */
    FLOW_ATOMIC(uintptr_t) thread; /* whose it is */
    flow_task *marked;  /* cancelled with code on the C stack, newest first; linked by pos_ */
    flow_task *gradual; /* groups being cancelled a little each tick; linked by pos_ */
    flow_task *deep;    /* starts and cancels nested too deep, newest first */
    uint32_t seq;       /* counts waits */
    uint32_t nesting;
    uint32_t paused_clocks;
    bool inside;           /* ticking, flushing, or in a callback */
    uint8_t attention;     /* why resumes take the careful way: FLOW_ATTENTION_ */
    uint32_t released;     /* phases in which a released pause has held flows to give back: bits */
    uint32_t fixed_phases; /* FLOW_FIXED and the host's that are like it: bits */
    bool destroying;
    bool traced;     /* by flow_world_trace */
    flow_tape *tape; /* that records or replays, or null */
    uint64_t frame;
    uint32_t resume_cap;

    flow_activation *outer; /* running further out; apart from `current`, so that the two are not
                               loaded as one */
    flow_task *free_tasks;
    flow_task *ended_newest; /* of the batch that is being filled: see flow__slot_give */
    uint32_t ended_count, ended_at;
    flow_ended_batch ended[FLOW_ENDED_BATCHES];
    flow_node *free_nodes;
    flow_counters count;
    uint32_t groups;
    flow_task *root; /* the group that owns what nobody else does */
    flow_pool tasks, nodes;
    flow_chunk_store chunks;
    flow_slab slab;
    flow_queue ready[FLOW_PHASE_LIMIT];

    flow_lane **lanes;              /* by clock and phase: flow__lane_index */
    flow_clock_state **clocks;      /* by index; 0 unused */
    flow_clock_state **clock_order; /* those in use, in order of creation */
    uint32_t clock_count, clock_capacity, clocks_used;

    flow_composing composing;
    flow_task *preparing;    /* starts being prepared, newest first; linked by sp_ */
    flow_frame *nested_call; /* the frame of the call in whose arguments another stands */

    flow_fault *faults; /* in use */
    flow_fault *free_faults;
    uint32_t fault_reserve;
    flow_fault last_fault;        /* when even the reserve is spent */
    bool unhandled;               /* a failure that the next call returns */
    const flow_frame *no_finally; /* the last frame asked for a finally section that it has not */
    uint16_t warned;
    uint32_t record_generation;
    flow_cleanup cleanups[FLOW_CLEANUPS_WATCHED];
    uint32_t cleanups_used;

    flow_budget budget;
    flow_world_desc desc;
    flow_trace_sink trace_sink;
    void *trace_user;
    uint64_t trace_hash;
    void *reports_to; /* what its callbacks get instead of desc.user: see test.c; or null */
    struct flow_cell *free_cells; /* of completions */
    flow_job *jobs;               /* under way on executors, the newest first */
    uint32_t jobs_made;           /* ever: numbers them */
    flow_inbox inbox;             /* the only part that other threads touch */
    struct flow_profile *profile; /* that watches it, or null */

    /* what a resume never touches */
    flow_age_mark ages[FLOW_AGE_LEVELS][FLOW_AGE_RING]; /* see age.c */
    uint64_t seq_total;                                 /* seq without its wrap, at this frame */
};

/* Is this the world's thread? */
static inline bool flow__is_here(const flow_world *world)
{
    return flow__thread() == flow__load_relaxed(&world->thread);
}

/* The head of what belongs to the world's thread alone; true: refuse, this is another one. */
static inline bool flow__elsewhere(const flow_world *world, const char *rule)
{
    return FLOW_UNLIKELY_(!flow__is_here(world)) && flow__wrong_thread(rule);
}

/* Where the lane of a clock in a phase stands among the lanes; there is no phase 0. */
enum { FLOW_LANES = FLOW_PHASE_LIMIT - 1 };
static inline uint32_t flow__lane_index(uint32_t clock, uint32_t phase)
{
    return clock * FLOW_LANES + phase - 1;
}

/* What waits in a phase on a clock; null while nothing ever did. */
static inline flow_lane *flow__lane(const flow_world *world, uint32_t clock, uint32_t phase)
{
    return world->lanes[flow__lane_index(clock, phase)];
}

/* Did a wait begin after the moment when the world's count of waits was `last`, a moment of this
 * tick? */
static inline bool flow__began_since(const flow_world *world, uint32_t seq, uint32_t last)
{
    return world->seq - seq < world->seq - last;
}

static inline flow_task *flow__task(const flow_world *world, uint32_t id)
{
    char *page = flow__pool_page(&world->tasks, id >> FLOW_ID_SHIFT);
    return (flow_task *)(void *)(page + FLOW_PAGE_HEAD) + (id & ((1u << FLOW_ID_SHIFT) - 1));
}

static inline flow_node *flow__node(const flow_world *world, uint32_t id)
{
    char *page = flow__pool_page(&world->nodes, id >> FLOW_ID_SHIFT);
    return (flow_node *)(void *)(page + FLOW_PAGE_HEAD) + (id & ((1u << FLOW_ID_SHIFT) - 1));
}

/* The task or null that a handle names. */
static inline flow_task *flow__task_of(const flow_world *world, flow_handle handle)
{
    uint32_t slot = handle.slot & ((1u << FLOW_ID_SHIFT) - 1);
    if (handle.slot >> FLOW_ID_SHIFT >= world->tasks.pages || slot >= FLOW_TASKS_PER_PAGE) {
        return NULL;
    }
    flow_task *task = flow__task(world, handle.slot);
    bool lives = task->kind_ != FLOW_KIND_FREE && flow__cold(task)->generation == handle.generation;
    return lives ? task : NULL;
}
flow_handle flow__handle_of(const flow_task *task);

/* diagnose.c, stuck.c */
const flow_task *flow__walk_next(const flow_world *world, const flow_task *task, int *depth);
const flow_clock_state *flow__clock_of_lane(const flow_world *world, const flow_lane *lane,
                                            uint32_t phase);
size_t flow__describe_live(const flow_world *world, const flow_task *task, char *text,
                           size_t capacity);
void flow__cleanup_waits(flow_world *world, flow_task *task, flow_frame *frame);
void flow__cleanups_check(flow_world *world, flow_phase phase);

/* scope.c */
void flow__resource_push(flow_task *flow, flow_node *node);
flow_node *flow__resource_add(flow_task *flow, flow_node_kind kind);
void flow__resource_remove(flow_task *flow, flow_node *node);
void flow__resource_pass(flow_task *from, flow_node *node, flow_task *to);

/* async.c: frames */

/* The function that a flow, not a group, was started with. */
static inline const flow_function *flow__first_function(const flow_task *task)
{
    return ((const flow_frame *)(const void *)task->first_)->fn_;
}
bool flow__first_frame(flow_world *world, flow_task *task, const flow_function *fn);
void flow__first_frame_begin(flow_task *task);
flow_task *flow__task_of_frame(flow_frame *frame);
void flow__frame_pop(flow_world *world, flow_task *task);
flow_frame *flow__caller(const flow_task *task, const flow_frame *frame);
void flow__segment_close(flow_task *task);

/* A flow that is about to wait keeps no empty segment. */
static inline void flow__segment_trim(flow_task *task)
{
    if (((uintptr_t)task->sp_ & 255) == 16) {
        flow__segment_close(task);
    }
}

/* wait.c, node.c: leaf waits and their nodes */
flow_node *flow__node_take(flow_world *world);
bool flow__nodes_grow(flow_world *world);
void flow__node_give(flow_world *world, flow_node *node);

/* The same, inlined where flows wait all the time. */
FLOW_INLINE_ flow_node *flow__node_pop(flow_world *world)
{
    flow_node *node = world->free_nodes;
    if (FLOW_UNLIKELY_(node == NULL)) {
        if (!flow__nodes_grow(world)) {
            return NULL;
        }
        node = world->free_nodes;
    }
    world->free_nodes = node->sibling;
    *node = (flow_node){.seq = node->seq};
    world->count.waits++;
    return node;
}

FLOW_INLINE_ void flow__node_push(flow_world *world, flow_node *node)
{
    node->kind = FLOW_NODE_FREE;
    node->sibling = world->free_nodes;
    world->free_nodes = node;
    world->count.waits--;
}
flow_node *flow__aside_take(flow_world *world);
void flow__aside_give(flow_world *world, flow_node *node);
typedef enum flow_begun { FLOW_BEGUN_WAITS, FLOW_BEGUN_DONE, FLOW_BEGUN_FAILED } flow_begun;
struct flow_result {
    int code;
    const char *message;
    flow_fault *fault; /* when a flow failed; else null */
};

static inline flow_begun flow__begun_failed(flow_result *result, int code, const char *message)
{
    *result = (flow_result){code, message, NULL};
    return FLOW_BEGUN_FAILED;
}

flow_begun flow__leaf_begin(flow_world *world, flow_task *task, const flow_wait *wait,
                            flow_node *node, flow_result *result);
int flow__await_leaf(flow_world *world, flow_task *flow, flow_frame *self, const flow_wait *wait);
void flow__leaf_unlink(flow_world *world, flow_node *node);
bool flow__owns(const flow_world *world, const flow_task *task, const flow_task *waiter);
void flow__joiners_add(flow_world *world, flow_task *task, flow_node *node);
void flow__joiners_leave(flow_world *world, flow_node *node);
int flow__done_at_once(flow_task *flow, flow_frame *self);
void flow__leaf_drop(flow_world *world, flow_node *node);
void flow__node_drop(flow_world *world, flow_node *node);
flow_task *flow__node_task(const flow_node *node);
void flow__wait_drop(flow_world *world, flow_task *task);
void flow__node_end(flow_world *world, flow_node *node, int code, bool run_now);
flow_result flow__node_result(const flow_node *node);
void flow__node_end_kept(flow_world *world, flow_node *node, flow_node_kind kind);
void flow__until_pass(flow_world *world, const flow_clock_state *clock, flow_lane *lane,
                      uint32_t last);
void flow__joiners_tell(flow_world *world, flow_task *task, const flow_outcome *outcome,
                        flow_fault **fault);

#include "record.h"

/* interval.c */
void flow__interval_beat(flow_interval *interval, int64_t now);
int64_t flow__interval_due(flow_interval *interval, const flow_clock_state *clock, uint32_t phase);

/* signal.c, delivery.c */
uint32_t flow__signal_give(const flow_source *signal, const void *value, flow_delivery *delivery);
flow_begun flow__delivery_begin(flow_world *world, const flow_task *task, flow_node *record,
                                const flow_wait *wait, flow_node *node, flow_result *result);
void flow__delivery_reaches(flow_world *world, flow_delivery *d, const flow_node *node);
void flow__receipts_end(flow_task *flow, const flow_source *signal);

/* sync.c */
flow_begun flow__sync_begin(flow_world *world, flow_task *task, flow_node *record,
                            const flow_wait *wait, flow_node *node, flow_result *result);
void flow__permit_taken(flow_world *world, flow_node *node);
void flow__permit_give_back(flow_world *world, flow_node *node);

/* channel.c */
flow_begun flow__channel_receive(flow_world *world, const flow_task *task, flow_node *record,
                                 const flow_wait *wait, flow_node *node, flow_result *result);
flow_begun flow__channel_begin(flow_world *world, flow_node *record, const flow_wait *wait,
                               flow_node *node, flow_result *result);
bool flow__channel_pull(const flow_node *record, const flow_task *task);
void flow__channel_arrives(const flow_channel *named, const void *value);

/* once.c */
void flow__once_give(flow_world *world, flow_node *record, int code, const char *message,
                     const void *value, uint32_t size);
bool flow__once_read(const flow_node *record, uint32_t size, void *out);

/* property.c */
flow_begun flow__property_begin(flow_world *world, flow_node *record, const flow_wait *wait,
                                flow_result *result);
void flow__property_seen(flow_world *world, const flow_node *node);

/* ring.c, subscription.c */
void flow__ring_put(flow_world *world, void *fed, const void *value);
void flow__ring_close(flow_world *world, void *closed, int code, const char *message);
void flow__ring_let_go(flow_world *world, flow_node *node);
void flow__ring_taken(flow_world *world, flow_node *node);
bool flow__ring_is(const flow_node *record);
void flow__ring_give_back(flow_world *world, flow_node *node);
bool flow__ring_has(const flow_node *record);
flow_begun flow__ring_begin(flow_world *world, flow_node *record, const flow_wait *wait,
                            flow_node *node, flow_result *result);

/* stream.c */
flow_begun flow__move_begin(flow_world *world, flow_task *task, const flow_wait *wait,
                            flow_node *node, flow_result *result);
void flow__moved_take(flow_node *node);
void flow__move_leave(const flow_node *node);
void flow__stream_over(flow_world *world, flow_node *stream, const flow_outcome *outcome,
                       flow_fault **fault);

/* compose.c */
int flow__compose_begin(flow_task *flow, flow_frame *self, const flow_wait *wait);
void flow__branch_done(flow_world *world, flow_node *branch);
void flow__wait_discard(flow_world *world, const flow_wait *wait);
void flow__compose_drop(flow_world *world, flow_node *root);
void flow__branches_drop(flow_world *world, flow_node *root);
void flow__unwind_marked(flow_world *world, flow_task *task);
bool flow__compose_close(flow_world *world, flow_node *root);
flow_node *flow__tree_next(const flow_node *root, const flow_node *node);
bool flow__call_lives(const flow_node *node);
flow_outcome flow__branch_outcome(const flow_node *branch);
flow_begun flow__branches_start(flow_world *world, flow_task *flow, flow_node *root);

/* set.c */
typedef struct flow_branches flow_branches;
void flow__set_discard(flow_world *world, flow_source *set);
int flow__branches_of(flow_world *world, const flow_task *flow, const flow_wait *wait,
                      flow_branches **branches);
flow_node *flow__branches_next(flow_world *world, flow_branches *branches, flow_wait *wait);
bool flow__branches_only(flow_world *world, flow_branches *branches, flow_wait *wait);
void flow__branches_discard(flow_world *world, flow_branches *branches);
void flow__branches_free(flow_branches *branches);
flow_task *flow__branch_call(const flow_wait *wait);
int flow__branch_tag(const flow_node *node, uint16_t branch);
void flow__each_told(flow_world *world, flow_node *branch);
flow_begun flow__each_begin(flow_world *world, flow_task *task, flow_node *record,
                            const flow_wait *wait, flow_node *node, flow_result *result);
void flow__each_take(flow_world *world, flow_node *node);
void flow__each_give_back(flow_world *world, flow_node *node);
const flow_node *flow__each_root(const flow_node *record);

/* task.c */
flow_task *flow__task_new(flow_world *world, const flow_function *fn, flow_task *owner,
                          flow_frame *scope, const char *site);
flow_task *flow__task_parked(flow_world *world, const flow_function *fn, const void *frame,
                             flow_task *owner, const char *site, flow_status *status);
flow_task *flow__group_new(flow_world *world, flow_task *owner, flow_frame *scope);
bool flow__root_make(flow_world *world);
void flow__group_free(flow_world *world, flow_task *group);
void flow__task_discard(flow_world *world, flow_task *task);
void flow__task_start(flow_world *world, flow_task *task);
void flow__task_end(flow_world *world, flow_task *task);
void flow__scope_fail(flow_world *world, flow_task *owner, flow_frame *scope, flow_fault *fault);
void flow__owner_told(flow_world *world, flow_task *owner);
void flow__group_clear(flow_world *world, flow_task *group);
void flow__queue_ready(flow_world *world, flow_task *task);
bool flow__on_stack(const flow_world *world, const flow_task *tree);

/* run.c: slices */
void flow__run(flow_world *world, flow_task *task);
void flow__poison_stack(void);
void flow__resume(flow_world *world, flow_task *task);
void flow__wake(flow_world *world, flow_task *task);

/* unwind.c: leaving frames */
void flow__slice_over(flow_world *world, flow_task *task, flow_step step);
bool flow__drive(flow_world *world, flow_task *root, flow_frame *stop_at);
void flow__drive_nested(flow_world *world, flow_task *task);
void flow__after(flow_world *world, flow_task *task, flow_step step);
void flow__arrive(flow_world *world, flow_task *task);
void flow__go_on(flow_world *world, flow_task *task);
bool flow__try_takes(flow_world *world, flow_task *task, const flow_frame *frame,
                     const flow_fault *fault);
void flow__unwind_begin(flow_world *world, flow_task *task, flow_cause cause);
typedef enum flow_alone { FLOW_ALONE_NOT, FLOW_ALONE_ENDED, FLOW_ALONE_PENDING } flow_alone;
flow_alone flow__unwind_alone(flow_world *world, flow_task *task, flow_cause cause);
bool flow__ends_by_itself(flow_task *task, flow_cause cause);

/* cancel.c: marking and cancelling */
void flow__mark(flow_world *world, flow_task *task, flow_cause cause);
void flow__mark_push(flow_world *world, flow_task *task);
void flow__unmark(flow_world *world, flow_task *task);
void flow__stop(flow_world *world, flow_task *task);
bool flow__stop_if_cancelled(flow_task *flow);
bool flow__cancel(flow_world *world, flow_task *task, flow_cause cause);
void flow__put_off(flow_world *world, flow_task *task);
void flow__settle(flow_world *world);

/* tick.c */
bool flow__budget_left(flow_world *world);

/* gradual.c */
void flow__gradual_pass(flow_world *world, flow_phase phase);

/* Is the task suspended: does it stand in a queue or a heap, or on a node? */
static inline bool flow__waits(const flow_task *task)
{
    return task->kind_ >= FLOW_KIND_READY && task->kind_ <= FLOW_KIND_NODE;
}

/* Is the task to be left at the first chance? */
static inline bool flow__must_leave(const flow_task *task)
{
    return (task->flags_ & (FLOW_TASK_CANCELLED | FLOW_TASK_CHILD_FAULT)) &&
           !(task->flags_ & FLOW_TASK_PROTECTED);
}

/* A running body stops at its next await; and where it comes to its end instead, that is looked at
 * before its caller goes on. */
static inline void flow__cut_short(flow_task *task)
{
    task->budget_ = 1;
    if (task->top_ != NULL) {
        task->top_->flags_ |= FLOW_FRAME_CHILDREN; /* not to be left by the shortest way */
    }
}

/* What waits where the task is at home. */
static inline flow_lane *flow__home(const flow_world *world, const flow_task *task)
{
    return flow__lane(world, task->clock_, task->phase_);
}

/* What is owed when a slice, a start or a cancel comes to its end. */
static inline void flow__outermost(flow_world *world)
{
    if (FLOW_UNLIKELY_(world->attention & FLOW_ATTENTION_OWED)) {
        flow__settle(world);
    }
}

/* Somebody else's code is going to run on top of what runs now. */
static inline void flow__activation_open(flow_world *world, flow_activation *here)
{
    *here = (flow_activation){world->current, world->outer, world->composing};
    world->composing = (flow_composing){0};
    if (here->task != NULL) {
        world->outer = here;
    }
    world->nesting++;
}

static inline void flow__activation_close(flow_world *world, const flow_activation *here)
{
    world->nesting--;
    world->current = here->task;
    world->outer = here->outer;
    world->composing = here->composing;
}

/* A body's turn, between the hooks of a profiler of the user's own where flow is compiled with
 * them: see docs/profiling.md. */
#ifndef FLOW_ZONE_BEGIN
#define FLOW_ZONE_BEGIN(function, file, line) ((void)0)
#define FLOW_ZONE_END() ((void)0)
#endif
static inline flow_step flow__body(flow_task *task, flow_frame *top)
{
    FLOW_ZONE_BEGIN(top->fn_->name, top->fn_->file, top->at_ >> 16);
    flow_step step = top->fn_->run_(task, top);
    FLOW_ZONE_END();
    return step;
}

/* ---- the profiler (profile.c) ---- */

/* Why a flow resumes: the flow_node_kind of its wait, or one of these. */
enum {
    FLOW_WHY_CHILDREN = 62, /* what it owned has cleaned up */
    FLOW_WHY_CLOCK_ENDED = 63,
    FLOW_WHY_RECORD = 64 /* and a flow_record_type */
};

static inline bool flow__profiled(const flow_world *world)
{
#ifdef FLOW_NO_PROFILE
    (void)world;
    return false;
#else
    return FLOW_UNLIKELY_(world->attention & FLOW_ATTENTION_PROFILED);
#endif
}

/* Spans, each closed by flow__profile_close. Only while flow__profiled. */
void flow__profile_resume(flow_world *world, const flow_task *task);
void flow__profile_start(flow_world *world, const flow_task *task);
void flow__profile_on(flow_world *world, const flow_task *task, bool finally_begins);
void flow__profile_predicate(flow_world *world, const flow_node *node);
void flow__profile_cancel(flow_world *world, const flow_task *task);
void flow__profile_tick(flow_world *world, flow_phase phase);
void flow__profile_inbox(flow_world *world);
void flow__profile_inbox_end(flow_world *world, uint64_t taken); /* closes it */
void flow__profile_close(flow_world *world);
void flow__profile_resumed(flow_world *world); /* closes what flow__profile_resume opened */
/* No spans: a flow ended; the world is about to end, profiled or not. */
void flow__profile_forget(flow_world *world);
void flow__profile_end(flow_world *world, const flow_task *task, flow_state state);
/* Of a world with a profile: the clock that jobs are timed with on their workers, null while it is
 * off; and one that was. */
void flow__profile_clock(const flow_world *world, uint64_t (**now_ns)(void *user), void **user);
void flow__profile_job(flow_world *world, const char *name, uint64_t (*now_ns)(void *user),
                       int64_t began, int64_t ended);

/* Runs what is on top of a task for one slice. */
static inline void flow__slice(flow_world *world, flow_task *task)
{
    flow_frame *top = task->top_;
    task->kind_ = FLOW_KIND_RUNNING;
    task->budget_ = FLOW_AWAIT_CAP;
    world->current = task;
#ifdef FLOW_POISON_STACK
    flow__poison_stack();
#endif
    flow_step step = flow__body(task, top);
    if (FLOW_UNLIKELY_(task->kind_ == FLOW_KIND_RUNNING)) {
        flow__slice_over(world, task, step);
    }
}

/* fault.c */
flow_fault *flow__fault_new(flow_world *world, flow_task *task, int code, const char *message);
void flow__fault_free(flow_world *world, flow_fault *fault);
flow_fault *flow__fault_of(flow_world *world, flow_task *task);
flow_fault *flow__fault_under(const flow_world *world, const flow_task *task,
                              const flow_frame *frame);
flow_fault *flow__fault_of_scope(const flow_world *world, const flow_task *task);
bool flow__scope_fails(const flow_world *world, const flow_task *task, const flow_frame *scope);
flow_fault *flow__fault_of_node(const flow_node *node);
void flow__fault_to_task(flow_world *world, flow_fault *fault, flow_task *task);
void flow__fault_detach(flow_fault *fault);
void flow__fault_to_node(flow_fault *fault, flow_node *node);
void flow__fault_report(flow_world *world, flow_fault *fault, flow_failure_kind kind);
int flow__fault_raise(flow_task *flow, flow_frame *self, int code, const char *message);
int flow__fault_arrive(flow_task *flow, flow_frame *self, const flow_result *result);
void flow__warn(flow_world *world, flow_warning_id id, const flow_task *task, const char *text);
flow_status flow__misuse(flow_world *world, const flow_task *task, const char *rule);
flow_status flow__misuse_at(flow_world *world, const flow_task *task, const char *rule,
                            const flow_task *earlier);
flow_status flow__met(flow_world *world);
const char *flow__task_name(const flow_task *task);
flow_outcome flow__outcome_of_fault(const flow_fault *fault);

/* job.c, away.c */
flow_begun flow__job_begin(flow_world *world, const flow_task *task, const flow_wait *wait,
                           flow_node *node, flow_result *result);
int flow__away_begin(flow_task *flow, flow_frame *self, const flow_wait *wait);
FLOW_COLD_ int flow__away_awaits(flow_task *shadow, flow_frame *self, const flow_wait *wait);
FLOW_COLD_ int flow__away_misused(flow_task *shadow, const char *rule);
FLOW_COLD_ flow_step flow__away_fails(flow_task *shadow, int code, const char *message);
FLOW_COLD_ int flow__away_stop_requested(const flow_task *shadow);
FLOW_COLD_ void flow__away_told(const flow_task *task);
void flow__away_stop(const flow_world *world);
void flow__job_leave(const flow_node *node);
const char *flow__job_name(const flow_node *node);
uint32_t flow__point(const flow_world *world, const flow_task *task, const flow_frame *frame);
bool flow__jobs_wait(flow_world *world);
bool flow__job_end(flow_world *world, uint32_t number);

/* trace.c */
FLOW_COLD_ void flow__trace(flow_world *world, int kind, const flow_task *task, flow_state state);
uint64_t flow__trace_mix(uint64_t hash, const flow_trace_event *event);
void flow__trace_attend(flow_world *world);

static inline bool flow__traced(const flow_world *world)
{
    return FLOW_UNLIKELY_(world->attention & FLOW_ATTENTION_TRACED);
}

/* Is what is being done to the world an input that a tape is to know of? See tape.h. */
static inline bool flow__listened(const flow_world *world)
{
    return FLOW_UNLIKELY_(world->tape != NULL) && !world->inside && world->current == NULL;
}

/* age.c */
void flow__age_frame(flow_world *world);
flow_age flow__age_of(const flow_world *world, uint32_t seq);

/* walk.c */
typedef struct flow_selection {
    const flow_filter *filter;
    int inside; /* the depth of the flow in whose subtree the walk is, or 0 */
} flow_selection;

const flow_frame *flow__frames(const flow_task *task);
bool flow__selects(const flow_world *world, flow_selection *selection, const flow_task *task,
                   int depth);

/* diagnose.c */
int64_t flow__node_left(const flow_world *world, const flow_task *task, const flow_node *node);
double flow__node_remaining(const flow_world *world, const flow_task *task, const flow_node *node);
double flow__timer_remaining(const flow_world *world, const flow_task *task);
const char *flow__node_word(const flow_node *node);
const char *flow__kind_word(const flow_task *task);
void flow__wait_text(const flow_world *world, const flow_task *task, char *text, size_t capacity);

#endif
