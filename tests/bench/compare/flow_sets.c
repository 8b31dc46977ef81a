/* SPDX-License-Identifier: MIT */
/*
 * flow: OnityTask's combinators. All and any of 2, 16 and 32 inputs, 384 of them outstanding, whose
 * inputs are pending or completed, and which end by success, failure and cancellation.
 */
#include "flow_bench_loop.h"

#define TICK flow_next_tick()
#define DONE flow_ready()
#define NEVER flow_never()
#define FAILS FLOW_CALL(fails_next_tick, .unused = 0)
#define TWICE(x) x, x
#define FOUR(x) TWICE(x), TWICE(x)
#define EIGHT(x) FOUR(x), FOUR(x)
#define OF_2(one, others) one, others
#define OF_16(one, others) one, others, TWICE(others), FOUR(others), EIGHT(others)
#define OF_32(one, others) OF_16(one, others), EIGHT(others), EIGHT(others)

enum { OUTSTANDING = 384, DONE_A_TICK = 8 };

/* ---- pending inputs that succeed: all of them, or one ---- */

#define PENDING(n)                                                                                 \
    LOOP(all_##n)                                                                                  \
    LOOP_BEGIN(all_##n)                                                                            \
    LOOP(any_##n)                                                                                  \
    LOOP_BEGIN(any_##n)
#define all_2_AWAITS() FLOW_ALL(OF_2(TICK, TICK))
#define all_16_AWAITS() FLOW_ALL(OF_16(TICK, TICK))
#define all_32_AWAITS() FLOW_ALL(OF_32(TICK, TICK))
#define any_2_AWAITS() FLOW_ANY(self->winner, OF_2(TICK, NEVER))
#define any_16_AWAITS() FLOW_ANY(self->winner, OF_16(TICK, NEVER))
#define any_32_AWAITS() FLOW_ANY(self->winner, OF_32(TICK, NEVER))
PENDING(2)
PENDING(16)
PENDING(32)

/* ---- completed inputs: several compositions a tick, since none of them waits ---- */

#define COMPLETED(name)                                                                            \
    struct name {                                                                                  \
        flow_frame base;                                                                           \
        int i, winner;                                                                             \
    };                                                                                             \
    FLOW_STATIC(name)                                                                              \
    {                                                                                              \
        FLOW_BEGIN;                                                                                \
        for (;;) {                                                                                 \
            for (self->i = 0; self->i < DONE_A_TICK; self->i++) {                                  \
                name##_AWAITS();                                                                   \
            }                                                                                      \
            FLOW_AWAIT(TICK);                                                                      \
        }                                                                                          \
        FLOW_END;                                                                                  \
    }                                                                                              \
    LOOP_BEGIN(name)
#define all_2_done_AWAITS() FLOW_ALL(OF_2(DONE, DONE))
#define all_16_done_AWAITS() FLOW_ALL(OF_16(DONE, DONE))
#define all_32_done_AWAITS() FLOW_ALL(OF_32(DONE, DONE))
#define any_2_done_AWAITS() FLOW_ANY(self->winner, OF_2(DONE, DONE))
#define any_16_done_AWAITS() FLOW_ANY(self->winner, OF_16(DONE, DONE))
#define any_32_done_AWAITS() FLOW_ANY(self->winner, OF_32(DONE, DONE))
COMPLETED(all_2_done)
COMPLETED(all_16_done)
COMPLETED(all_32_done)
COMPLETED(any_2_done)
COMPLETED(any_16_done)
COMPLETED(any_32_done)

static void done_batch(bench_run *run)
{
    ticks_in_which(run, run->n * DONE_A_TICK, run->n);
}

/* ---- one input fails, which is caught ---- */

struct fails_next_tick {
    flow_frame base;
    uint64_t unused;
};

FLOW_STATIC(fails_next_tick)
{
    FLOW_BEGIN;
    FLOW_AWAIT(TICK);
    FLOW_FAIL(7, "as asked");
    FLOW_END;
}

static uint64_t failures;

#define FAILING(name)                                                                              \
    struct name {                                                                                  \
        flow_frame base;                                                                           \
        flow_outcome outcome;                                                                      \
        int winner;                                                                                \
    };                                                                                             \
    FLOW_STATIC(name)                                                                              \
    {                                                                                              \
        FLOW_BEGIN;                                                                                \
        for (;;) {                                                                                 \
            FLOW_TRY(&self->outcome, name##_WAIT());                                               \
            failures += self->outcome.code == 7;                                                   \
        }                                                                                          \
        FLOW_END;                                                                                  \
    }                                                                                              \
    LOOP_BEGIN(name)
#define all_2_failing_WAIT() flow_all(OF_2(FAILS, NEVER))
#define all_16_failing_WAIT() flow_all(OF_16(FAILS, NEVER))
#define all_32_failing_WAIT() flow_all(OF_32(FAILS, NEVER))
#define any_2_failing_WAIT() flow_any(&self->winner, OF_2(FAILS, NEVER))
#define any_16_failing_WAIT() flow_any(&self->winner, OF_16(FAILS, NEVER))
#define any_32_failing_WAIT() flow_any(&self->winner, OF_32(FAILS, NEVER))
FAILING(all_2_failing)
FAILING(all_16_failing)
FAILING(all_32_failing)
FAILING(any_2_failing)
FAILING(any_16_failing)
FAILING(any_32_failing)

static void failing_batch(bench_run *run)
{
    uint64_t before = failures;
    ticks_of(run, run->n);
    bench_require(failures - before == run->items, "a failure was not caught");
}

/* ---- cancelled from outside, all of them at once ---- */

static void cancelled(bench_run *run, const flow_function *loop)
{
    flow_world *world = run->state;
    uint32_t rounds = bench_rounds(run->n);
    for (uint32_t round = 0; round < rounds; round++) {
        flow_handle crowd = flow_group_create(world, &(flow_group_desc){.name = "crowd"});
        for (uint32_t i = 0; i < run->n; i++) {
            struct all_2 frame = {.count = 0};
            (void)flow_start(world, loop, &frame, &(flow_options){.owner = crowd});
        }
        bench_start(run);
        (void)flow_cancel(world, crowd);
        bench_stop(run);
    }
    bench_require(flow_world_counters(world).live == 0, "a flow is left");
    run->items = run->n * rounds;
}

#define CANCELLED(name)                                                                            \
    static void name##_cancelled_batch(bench_run *run)                                             \
    {                                                                                              \
        cancelled(run, FLOW_FUNCTION(name));                                                       \
    }
CANCELLED(all_2)
CANCELLED(all_16)
CANCELLED(all_32)
CANCELLED(any_2)
CANCELLED(any_16)
CANCELLED(any_32)

#define IN(scenario, begin, batch)                                                                 \
    {                                                                                              \
        "onity", scenario, "flow", OUTSTANDING, begin, batch, world_end                            \
    }
#define EACH_WAY(name)                                                                             \
    IN(#name, name##_begin, ticks_batch), IN(#name "_done", name##_done_begin, done_batch),        \
        IN(#name "_failing", name##_failing_begin, failing_batch),                                 \
        IN(#name "_cancelled", empty_world_begin, name##_cancelled_batch)
static const bench_case cases[] = {EACH_WAY(all_2), EACH_WAY(all_16), EACH_WAY(all_32),
                                   EACH_WAY(any_2), EACH_WAY(any_16), EACH_WAY(any_32)};
const bench_cases bench_flow_sets = BENCH_CASES(cases);
