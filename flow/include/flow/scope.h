/* SPDX-License-Identifier: MIT */
/*
 * Scopes: who owns a flow, how long it lives, how it ends.
 *
 * One run of a flow function is a scope; what is started in it is its child and never outlives it.
 * When a scope ends, its children are unwound first (descendants before ancestors, siblings
 * beginning with the youngest), then its finally section, then its deferred cleanups, last in first
 * out. A group is a scope for code outside flows.
 *
 * Cancelling a suspended flow unwinds it before flow_cancel returns, up to the first await in a
 * finally section; a flow with code on the C stack unwinds at its own next await. Unwinding takes
 * no memory. World's thread only.
 */
#ifndef FLOW_SCOPE_H
#define FLOW_SCOPE_H

#include "flow/async.h"

FLOW_EXTERN_C_BEGIN_

/* How to start a flow; start from {0}. */
typedef struct flow_options {
    flow_handle owner; /* a group or a flow to own it; null: the world (FLOW_RUN) or the running
                          scope (FLOW_SPAWN) */
    flow_phase phase;  /* FLOW_INHERIT: FLOW_SPAWN the running flow's; FLOW_RUN and flow_start the
                          owner's */
    flow_clock clock;  /* FLOW_CLOCK_INHERIT: the starter's, FLOW_CLOCK_GAME outside flows */
    flow_outcome *outcome; /* filled when the flow ends; must live until then; may be null */
} flow_options;

/* How to make a group; start from {0}. */
typedef struct flow_group_desc {
    const char *name;  /* for dumps and paths; borrowed while the group lives */
    flow_handle owner; /* a group or flow that it ends with; null: the world */
    flow_phase phase;  /* for its members, unless their options say otherwise */
    flow_clock clock;
    int fail_fast; /* a member's failure cancels the others and ends the group */
} flow_group_desc;

/* Starts a flow whose frame is a copy of *frame, which begins with a flow_frame; runs it to its
 * first suspension, as FLOW_RUN does. For starters that choose the function at run time, and for
 * C++. options may be null. Returns the null handle when refused: no memory, an owner that has
 * ended, a world being destroyed; options->outcome says which. */
flow_handle flow_start(flow_world *world, const flow_function *fn, const void *frame,
                       const flow_options *options);

/* A scope for code outside flows. Null handle when there is no memory or its owner has ended. */
FLOW_NODISCARD_ flow_handle flow_group_create(flow_world *world, const flow_group_desc *desc);

/* Cancels every member, youngest first; the group lives on and takes new ones. Returns as
 * flow_cancel does. O(members). */
flow_status flow_group_clear(flow_world *world, flow_handle group);

/* Flows that a flow or group owns directly, and 0 for a stale handle. O(children). */
uint32_t flow_child_count(const flow_world *world, flow_handle flow);

/* Ends a flow or group with everything in it, cause EXPLICIT. OK: unwound when it returns; PENDING:
 * marked, because code of it is on the C stack, or a finally section awaits; STALE: it had ended
 * already. */
flow_status flow_cancel(flow_world *world, flow_handle flow);

/* Ends a group with everything in it, a few flows a tick, so that a crowd's end makes no long
 * frame: from now on nothing of it resumes and it takes no new members, and at the start of each
 * following tick of the group's phase up to flows_per_tick flows (1 or more) are unwound, in the
 * order of flow_cancel, cause EXPLICIT. Finally sections and shields that await go on meanwhile.
 * PENDING; OK for an empty group, which ends at once; STALE; MISUSE for a flow or a budget of 0.
 * What ends an owner of the group ends the rest with it. Takes no memory. O(flows in it) to mark
 * them. */
flow_status flow_cancel_gradually(flow_world *world, flow_handle group, uint32_t flows_per_tick);

/* Asks a flow or group to stop, where flow_cancel forces it: nothing is unwound; every flow of the
 * subtree, those that start in it later too, sees the request with flow_stop_requested and ends
 * itself when it likes. A group that is asked takes no new members (they are refused as in one that
 * has ended) and ends as DONE in step 6 of its phase when its last member has ended, paused or not,
 * so that it can be joined: flow_request_stop(world, g), then FLOW_AWAIT(flow_join(g, NULL)). May
 * be repeated; cannot be taken back. OK or STALE. O(1), takes no memory. */
flow_status flow_request_stop(flow_world *world, flow_handle flow);

/* Was the running flow, or anything that owns it, asked to stop? 1 or 0. O(depth of owners). */
int flow_stop_requested(const flow_task *flow);

/* How a flow stands. STATE_NONE for a handle that nothing is known of any more. O(1). */
flow_state flow_state_of(const flow_world *world, flow_handle flow);

/* How a flow ended: OK and *outcome filled, PENDING while it lives, STALE when it is no longer
 * known: of the last 256 that ended it is. O(1). */
flow_status flow_outcome_of(const flow_world *world, flow_handle flow, flow_outcome *outcome);

/* Registers fn(arg) to run when the running scope (the function that calls) ends, after its finally
 * section, last in first out. Synchronous; runs inside the world. NOMEM: not registered. */
FLOW_NODISCARD_ flow_status flow_defer(flow_task *flow, void (*fn)(void *arg), void *arg);

/* Pauses a clock as long as the running scope (the function that calls) lives: the pause is
 * released with the scope's deferred cleanups, last in first out, however it ends; the dump names
 * the flow as its holder. Release it in no other way. A flow that pauses the clock it runs on is
 * warned of once: something else must end it. OK; STALE for a clock that has ended; MISUSE for
 * `real` and `unscaled`; NOMEM: not paused. */
FLOW_NODISCARD_ flow_status flow_pause_clock(flow_task *flow, flow_clock clock);

/* Makes a clock under parent (FLOW_CLOCK_INHERIT: the running flow's) that ends when the running
 * scope does, as flow_clock_destroy ends it, with the deferred cleanups. name is borrowed. Returns
 * FLOW_CLOCK_INHERIT when it cannot be made; see flow_clock_create. */
FLOW_NODISCARD_ flow_clock flow_scope_clock(flow_task *flow, flow_clock parent, const char *name);

/* The handle of the running flow; why it is being unwound (NONE while it is not). O(1). */
flow_handle flow_self(const flow_task *flow);
flow_cause flow_cause_of(const flow_task *flow);

/* The running flow's world's frame count, phase and clock. O(1). */
uint64_t flow_frame_count(const flow_task *flow);
flow_phase flow_phase_of(const flow_task *flow);
flow_clock flow_clock_of(const flow_task *flow);

flow_frame *flow_start_prepare_(flow_world *world, const flow_function *fn,
                                const flow_options *options, flow_task *from, const char *site);
flow_handle flow_start_prepared_(flow_world *world);
flow_handle flow_start_refused_(flow_world *world);

/* The frame that flow_start_prepare_ made: a world's first member. */
FLOW_INLINE_ flow_frame *flow_prepared_frame_(flow_world *world)
{
    return *(flow_frame **)(void *)world;
}

FLOW_EXTERN_C_END_

#ifndef __cplusplus

/* Starts a root flow now and runs it to its first suspension: flow_handle h = FLOW_RUN(world,
 * blink, .times = 3). `world` is evaluated more than once. The null handle when it is refused (see
 * flow_start). */
#define FLOW_RUN(world, ...) FLOW_START_((world), NULL, NULL, __VA_ARGS__, .base = FLOW_START_BASE_)

/* The same with options: FLOW_RUN_WITH(world, FLOW_OPTIONS(.phase = FLOW_FIXED, .owner = group),
 * blink, .times = 3). */
#define FLOW_OPTIONS(...) (&(flow_options){__VA_ARGS__})
#define FLOW_RUN_WITH(world, options, ...)                                                         \
    FLOW_START_((world), (options), NULL, __VA_ARGS__, .base = FLOW_START_BASE_)

/* Starts a child of the running scope, inside a body. Its failure cancels and fails the scope. */
#define FLOW_SPAWN(...)                                                                            \
    FLOW_START_(flow_world_of(flow), NULL, flow, __VA_ARGS__, .base = FLOW_START_BASE_)
#define FLOW_SPAWN_WITH(options, ...)                                                              \
    FLOW_START_(flow_world_of(flow), (options), flow, __VA_ARGS__, .base = FLOW_START_BASE_)

#define FLOW_START_(world, options, from, name, ...)                                               \
    (flow_start_prepare_(world, &name##_flow_, options, from, FLOW_SITE_) != NULL                  \
         ? ((void)(*(struct name *)(void *)flow_prepared_frame_(world) =                           \
                       (struct name){__VA_ARGS__(name##_flow_)}),                                  \
            flow_start_prepared_(world))                                                           \
         : flow_start_refused_(world))
#define FLOW_START_BASE_(fn)                                                                       \
    {                                                                                              \
        &fn, 0, 0, 0, 0                                                                            \
    }

/* flow_defer that fails the flow when there is no memory. */
#define FLOW_DEFER(fn, arg)                                                                        \
    do {                                                                                           \
        if (flow_defer(flow, (fn), (arg)) != FLOW_OK) {                                            \
            FLOW_FAIL(FLOW_NOMEM, "no memory for a deferred cleanup");                             \
        }                                                                                          \
    } while (0)

#endif /* !__cplusplus */

#endif
