/* SPDX-License-Identifier: MIT */
/*
 * Composition: waiting for several things at once.
 *
 * Branches start in written order. A leaf wait (a timer, a signal, a tick) takes no task of its
 * own; a FLOW_CALL branch is a child flow of the scope. Losers are unwound, the awaits of their
 * finally sections included, before the caller goes on. The caller is queued when the composition
 * settles and goes on in step 6 of its phase; one that settles while its branches start does not
 * suspend at all.
 *
 * flow_race, flow_all, flow_timeout and flow_on_clock are waits themselves, so they nest:
 * FLOW_AWAIT(flow_all(a, flow_race(&i, b, c))).
 */
#ifndef FLOW_COMPOSE_H
#define FLOW_COMPOSE_H

#include "flow/scope.h"

FLOW_EXTERN_C_BEGIN_

void flow_compose_begin_(flow_task *flow);
void flow_compose_evaluated_(flow_task *flow);

/* A composition whose branches are evaluated; inlined, so that its await knows its kind. */
FLOW_NODISCARD_ FLOW_INLINE_ flow_wait flow_compose_(flow_task *flow, flow_wait_kind_ kind,
                                                     const flow_wait *branches, void *out)
{
    union {
        const flow_wait *given;
        void *object;
    } list;
    flow_compose_evaluated_(flow);
    list.given = branches;
    return flow_wait_of_(kind, 0, list.object, out);
}

FLOW_NODISCARD_ FLOW_INLINE_ flow_wait flow_compose_on_clock_(flow_task *flow, flow_clock clock,
                                                              const flow_wait *wait)
{
    flow_wait w = flow_compose_(flow, FLOW_WAIT_ON_CLOCK_, wait, 0);
    w.code_ = (int32_t)clock;
    return w;
}

FLOW_EXTERN_C_END_

#ifndef __cplusplus

/* Awaits the first of its branches; index, an int, becomes the place of the winner, from 0. A
 * branch that is done at once wins and the rest never start. Fails as the winner fails; a race of
 * nothing fails as EMPTY. */
#define FLOW_RACE(index, ...) FLOW_AWAIT(flow_race(&(index), __VA_ARGS__))

/* Awaits all of its branches. The first failure cancels the rest, waits for them to settle, and is
 * the failure of the whole; a branch that ends cancelled by itself fails it as CANCELLED. */
#define FLOW_ALL(...) FLOW_AWAIT(flow_all(__VA_ARGS__))

/* Awaits all of its branches, however each ends: never fails by them. outcomes, an array of as many
 * flow_outcome that lives until then, or null, tells of each in written order. */
#define FLOW_ALL_SETTLED(outcomes, ...) FLOW_AWAIT(flow_all_settled((outcomes), __VA_ARGS__))

/* Awaits the first of its branches, as FLOW_RACE does, but lets the losing calls run on, owned by
 * the scope like spawned children. Losing leaf waits end. */
#define FLOW_ANY(index, ...) FLOW_AWAIT(flow_any(&(index), __VA_ARGS__))

/* Awaits one wait for at most that many seconds of the flow's clock; *timed_out, an int, becomes 1
 * or 0. A wait that is done at once wins even at 0 s. Leaves neither the timer nor the wait behind.
 */
#define FLOW_TIMEOUT(timed_out, wait, seconds)                                                     \
    FLOW_AWAIT(flow_timeout((timed_out), (wait), (seconds)))

/* The same, but time being up stops the waiting alone: a call runs on, owned by the scope, as a
 * loser of FLOW_ANY does. */
#define FLOW_TIMEOUT_KEEP(timed_out, wait, seconds)                                                \
    FLOW_AWAIT(flow_timeout_keep((timed_out), (wait), (seconds)))

/* Awaits one wait on another clock (FLOW_CLOCK_INHERIT: the flow's own): a tick, time or predicate
 * wait counts and is polled on it, and a call is a child flow that lives on it, as all do that this
 * one calls and starts: its flow_now, flow_dt and flow_tick_count are the clock's, and a pause of
 * the clock holds it. The flow that waits stays on its own clock, so it goes on on that one however
 * the wait ends; while that one is paused it is held here. Arguments are evaluated on the flow's
 * own clock; flow_switch_phase moves the flow and needs no other clock. Fails as CLOSED when the
 * clock has ended, and a leaf wait when it ends meanwhile; a call then goes on on its parent. */
#define FLOW_ON_CLOCK(clock, wait) FLOW_AWAIT(flow_on_clock((clock), (wait)))

/* The same as waits, for nesting, FLOW_TRY and FLOW_SHIELD. `index` and `timed_out` point to ints
 * that live until the wait ends (members of the frame), or are null. Use inside a body only. */
#define flow_race(index, ...)                                                                      \
    (flow_compose_begin_(flow),                                                                    \
     flow_compose_(flow, FLOW_WAIT_RACE_, FLOW_LIST_(__VA_ARGS__), (index)))
#define flow_all(...)                                                                              \
    (flow_compose_begin_(flow), flow_compose_(flow, FLOW_WAIT_ALL_, FLOW_LIST_(__VA_ARGS__), NULL))
#define flow_all_settled(outcomes, ...)                                                            \
    (flow_compose_begin_(flow),                                                                    \
     flow_compose_(flow, FLOW_WAIT_ALL_SETTLED_, FLOW_LIST_(__VA_ARGS__), (outcomes)))
#define flow_any(index, ...)                                                                       \
    (flow_compose_begin_(flow),                                                                    \
     flow_compose_(flow, FLOW_WAIT_ANY_, FLOW_LIST_(__VA_ARGS__), (index)))
#define flow_timeout_on(clock, timed_out, wait, seconds)                                           \
    (flow_compose_begin_(flow),                                                                    \
     flow_compose_(flow, FLOW_WAIT_TIMEOUT_,                                                       \
                   FLOW_LIST_(wait, flow_seconds_on((clock), (seconds))), (timed_out)))
#define flow_timeout(timed_out, wait, seconds)                                                     \
    flow_timeout_on(FLOW_CLOCK_INHERIT, timed_out, wait, seconds)
#define flow_timeout_keep_on(clock, timed_out, wait, seconds)                                      \
    flow_any((timed_out), wait, flow_seconds_on((clock), (seconds)))
#define flow_timeout_keep(timed_out, wait, seconds)                                                \
    flow_timeout_keep_on(FLOW_CLOCK_INHERIT, timed_out, wait, seconds)
#define flow_on_clock(clock, wait)                                                                 \
    (flow_compose_begin_(flow), flow_compose_on_clock_(flow, (clock), FLOW_LIST_(wait)))

/* A race or all of no branches: flow_race(&i, FLOW_NOTHING). */
#define FLOW_NOTHING flow_wait_of_(FLOW_WAIT_LAST_, 0, 0, 0)
#define FLOW_LIST_(...) ((flow_wait[]){__VA_ARGS__, FLOW_NOTHING})

#endif /* !__cplusplus */

#endif
