/* SPDX-License-Identifier: MIT */
/*
 * Depth: 100,000 nested calls, starts and cancels begin, complete and unwind on a stack of 256 KiB
 * (design.md 3.9). ctest-stack-kib: 256
 */
#include "actor.h"

enum { N = 100000 };

/* ---- calls ---- */

struct tally {
    long begun, ended, finals, cancelled;
};

struct call {
    flow_frame base;
    struct tally *tally;
    int n;
    int ticks; /* at the bottom */
    int fail;
};
FLOW_FORWARD(call);

FLOW_STATIC(call)
{
    FLOW_BEGIN;
    self->tally->begun++;
    if (self->n > 1) {
        FLOW_AWAIT(FLOW_CALL(call, .tally = self->tally, .n = self->n - 1, .ticks = self->ticks,
                             .fail = self->fail));
    } else {
        FLOW_AWAIT(flow_ticks(self->ticks));
        if (self->fail) {
            FLOW_FAIL(7, "at the bottom");
        }
    }
    self->tally->ended++;
    FLOW_FINALLY;
    self->tally->finals++;
    self->tally->cancelled += flow_cause_of(flow) == FLOW_CAUSE_EXPLICIT;
    FLOW_END;
}

static void calls_begin_suspend_and_complete(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    for (int ticks = 0; ticks < 2; ticks++) {
        struct tally tally = {0};
        flow_handle h = FLOW_RUN(s.world, call, .tally = &tally, .n = N, .ticks = ticks);
        assert_int_equal(tally.begun, N);
        assert_int_equal(tally.ended, ticks ? 0 : N);
        story_update(&s, 1);
        assert_int_equal(tally.ended, N);
        assert_int_equal(tally.finals, N);
        assert_int_equal(tally.cancelled, 0);
        assert_outcome(s.world, h, FLOW_STATE_DONE, FLOW_CAUSE_NONE, 0);
    }
    assert_int_equal(flow_world_counters(s.world).finally_runs, 2 * N);
    story_end(&s);
}

static void calls_unwind_when_cancelled(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    struct tally tally = {0};
    flow_handle h = FLOW_RUN(s.world, call, .tally = &tally, .n = N, .ticks = 1);
    assert_int_equal(flow_cancel(s.world, h), FLOW_OK);
    assert_int_equal(tally.ended, 0);
    assert_int_equal(tally.finals, N);
    assert_int_equal(tally.cancelled, N);
    assert_int_equal(flow_world_counters(s.world).finally_runs, N);
    story_alive(&s, 0, 0, 0);
    tally = (struct tally){0};
    (void)FLOW_RUN(s.world, call, .tally = &tally, .n = N, .ticks = 1);
    assert_int_equal(story_destroy(&s), FLOW_OK);
    assert_int_equal(tally.finals, N);
    story_end(&s);
}

static void a_failure_climbs_out_of_all_of_them(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    for (int ticks = 0; ticks < 2; ticks++) {
        struct tally tally = {0};
        flow_handle h = FLOW_RUN(s.world, call, .tally = &tally, .n = N, .ticks = ticks, .fail = 1);
        story_update(&s, 1);
        assert_int_equal(tally.finals, N);
        assert_int_equal(tally.ended, 0);
        assert_outcome(s.world, h, FLOW_STATE_FAILED, FLOW_CAUSE_NONE, 7);
    }
    s.expect_failures = 2;
    story_end(&s);
}

/* ---- calls from finally sections ---- */

struct closing_call {
    flow_frame base;
    struct tally *tally;
    int n;
};
FLOW_FORWARD(closing_call);

FLOW_STATIC(closing_call)
{
    FLOW_BEGIN;
    self->tally->begun++;
    FLOW_FINALLY;
    if (self->n > 1) {
        FLOW_AWAIT(FLOW_CALL(closing_call, .tally = self->tally, .n = self->n - 1));
    }
    self->tally->finals++;
    FLOW_END;
}

static void calls_from_finally_sections_nest_as_deep(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    struct tally tally = {0};
    (void)FLOW_RUN(s.world, closing_call, .tally = &tally, .n = N);
    assert_int_equal(tally.begun, N);
    assert_int_equal(tally.finals, N);
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

/* ---- starts ---- */

struct start {
    flow_frame base;
    struct tally *tally;
    int n;
};
FLOW_FORWARD(start);

FLOW_STATIC(start)
{
    FLOW_BEGIN;
    self->tally->begun++;
    if (self->n > 1) {
        assert_int_not_equal(FLOW_SPAWN(start, .tally = self->tally, .n = self->n - 1).generation,
                             0);
    }
    FLOW_AWAIT(flow_never());
    FLOW_FINALLY;
    self->tally->finals++;
    self->tally->cancelled += flow_cause_of(flow) == FLOW_CAUSE_EXPLICIT;
    FLOW_END;
}

static void starts_begin_before_the_outermost_returns_and_unwind(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    struct tally tally = {0};
    flow_handle h = FLOW_RUN(s.world, start, .tally = &tally, .n = N);
    assert_int_equal(tally.begun, N);
    flow_counters count = flow_world_counters(s.world);
    assert_int_equal(count.live, N);
    assert_int_equal(count.started, N);
    assert_int_equal(flow_cancel(s.world, h), FLOW_OK);
    assert_int_equal(tally.finals, N);
    assert_int_equal(tally.cancelled, N);
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

static void a_world_with_them_can_be_destroyed(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    struct tally tally = {0};
    (void)FLOW_RUN(s.world, start, .tally = &tally, .n = N);
    assert_int_equal(story_destroy(&s), FLOW_OK);
    assert_int_equal(tally.finals, N);
    story_end(&s);
}

/* ---- order of starts nested too deep ---- */

struct fan {
    flow_frame base;
    int depth;
};

struct leafling {
    flow_frame base;
    int i;
};

FLOW_STATIC(leafling)
{
    FLOW_BEGIN;
    story_log(story_of(flow), "%d", self->i);
    FLOW_END;
}
FLOW_FORWARD(fan);

FLOW_STATIC(fan)
{
    FLOW_BEGIN;
    if (self->depth + 1 < FLOW_NESTING_LIMIT) {
        (void)FLOW_RUN(flow_world_of(flow), fan, .depth = self->depth + 1);
    } else {
        (void)FLOW_RUN(flow_world_of(flow), leafling, .i = 1);
        (void)FLOW_RUN(flow_world_of(flow), leafling, .i = 2);
        (void)FLOW_RUN(flow_world_of(flow), leafling, .i = 3);
        story_log(story_of(flow), "queued");
    }
    FLOW_AWAIT(flow_ready());
    story_log(story_of(flow), "f");
    FLOW_END;
}

static void starts_nested_too_deep_are_done_newest_first_before_the_outermost_returns(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, fan, .depth = 1);
    story_expect(
        &s,
        "1 2 3 queued f f f f f f f f f f f f f f f"); /* one less than the limit: all at once */
    (void)FLOW_RUN(s.world, fan);
    story_expect(&s, "queued f f f f f f f f f f f f f f f f 3 2 1");
    story_end(&s);
}

/* ---- cancels from finally sections ---- */

static flow_handle chain[N];

struct link {
    flow_frame base;
    struct tally *tally;
    int i;
    int by_defer;
};

static void cancel_next(struct link *self, flow_world *world)
{
    if (self->i + 1 < N) {
        (void)flow_cancel(world, chain[self->i + 1]);
    }
    self->tally->finals++;
}

static flow_world *chain_world;

static void cancel_next_deferred(void *arg)
{
    cancel_next(arg, chain_world);
}

FLOW_STATIC(link)
{
    FLOW_BEGIN;
    if (self->by_defer) {
        FLOW_DEFER(cancel_next_deferred, self);
    }
    FLOW_AWAIT(flow_next_tick());
    FLOW_FINALLY;
    if (!self->by_defer) {
        cancel_next(self, flow_world_of(flow));
    }
    FLOW_END;
}

static void cancels_from_finally_sections_and_defers_reach_the_end_of_the_chain(void **state)
{
    (void)state;
    for (int by_defer = 0; by_defer < 2; by_defer++) {
        struct story s;
        story_begin(&s, NULL);
        struct tally tally = {0};
        chain_world = s.world;
        for (int i = 0; i < N; i++) {
            chain[i] = FLOW_RUN(s.world, link, .tally = &tally, .i = i, .by_defer = by_defer);
        }
        assert_int_equal(flow_cancel(s.world, chain[0]), FLOW_OK);
        assert_int_equal(tally.finals, N);
        flow_counters count = flow_world_counters(s.world);
        assert_int_equal(count.cancelled, N);
        assert_int_equal(count.finally_runs, N);
        story_alive(&s, 0, 0, 0);
        story_end(&s);
    }
}

/* ---- everything nested in everything ---- */

struct knot {
    flow_frame base;
    struct tally *tally;
    int n;
    int depth;
};
FLOW_FORWARD(knot);

/* Calls down sixteen deep, starts the next there, whose end cancels and starts more. */
FLOW_STATIC(knot)
{
    FLOW_BEGIN;
    self->tally->begun++;
    if (self->depth > 0) {
        FLOW_AWAIT(FLOW_CALL(knot, .tally = self->tally, .n = self->n, .depth = self->depth - 1));
    } else if (self->n > 0) {
        (void)FLOW_SPAWN(knot, .tally = self->tally, .n = self->n - 1, .depth = FLOW_NESTING_LIMIT);
        FLOW_AWAIT(flow_next_tick());
    }
    FLOW_FINALLY;
    self->tally->finals++;
    if (self->depth == FLOW_NESTING_LIMIT / 2 && self->n > 0) {
        FLOW_AWAIT(FLOW_CALL(closing_call, .tally = self->tally, .n = 20));
        (void)FLOW_RUN(flow_world_of(flow), closing_call, .tally = self->tally, .n = 20);
    }
    FLOW_END;
}

static void calls_starts_and_cleanups_nested_in_each_other_stay_within_the_stack(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    for (int ended = 0; ended < 2; ended++) {
        struct tally tally = {0};
        flow_handle h =
            FLOW_RUN(s.world, knot, .tally = &tally, .n = 1000, .depth = FLOW_NESTING_LIMIT);
        assert_int_equal(tally.begun, 1001 * (FLOW_NESTING_LIMIT + 1));
        if (ended) {
            story_update(&s, 1);
        } else {
            assert_int_equal(flow_cancel(s.world, h), FLOW_OK);
        }
        assert_int_equal(tally.finals, 1001 * (FLOW_NESTING_LIMIT + 1) + 1000 * 40);
        story_alive(&s, 0, 0, 0);
    }
    story_end(&s);
}

/* ---- long slices ---- */

struct million {
    flow_frame base;
    long done;
    int out;
};

struct one {
    flow_frame base;
    int *out;
};

FLOW_STATIC(one)
{
    FLOW_BEGIN;
    *self->out = 1;
    FLOW_END;
}

FLOW_STATIC(million)
{
    FLOW_BEGIN;
    while (self->done < 900000) {
        FLOW_AWAIT(FLOW_CALL(one, .out = &self->out));
        self->done += self->out;
    }
    FLOW_AWAIT(flow_next_tick());
    while (self->done < 1800000) {
        FLOW_AWAIT(flow_ready());
        self->done++;
    }
    FLOW_END;
}

static void nearly_a_million_awaits_may_complete_at_once_in_each_slice(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle h = FLOW_RUN(s.world, million);
    story_update(&s, 1);
    assert_outcome(s.world, h, FLOW_STATE_DONE, FLOW_CAUSE_NONE, 0);
    story_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_begin_suspend_and_complete),
        cmocka_unit_test(calls_unwind_when_cancelled),
        cmocka_unit_test(a_failure_climbs_out_of_all_of_them),
        cmocka_unit_test(calls_from_finally_sections_nest_as_deep),
        cmocka_unit_test(starts_begin_before_the_outermost_returns_and_unwind),
        cmocka_unit_test(a_world_with_them_can_be_destroyed),
        cmocka_unit_test(starts_nested_too_deep_are_done_newest_first_before_the_outermost_returns),
        cmocka_unit_test(cancels_from_finally_sections_and_defers_reach_the_end_of_the_chain),
        cmocka_unit_test(calls_starts_and_cleanups_nested_in_each_other_stay_within_the_stack),
        cmocka_unit_test(nearly_a_million_awaits_may_complete_at_once_in_each_slice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
