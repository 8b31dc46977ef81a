/* SPDX-License-Identifier: MIT */
/* Failures: where they go, what is told of them, and what takes them. */
#include <string.h>

#include "actor.h"

/* ---- the report ---- */

struct battle {
    flow_frame base;
    int late;
};
static int battle_line;

FLOW_STATIC(battle)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_ticks(self->late));
    battle_line = __LINE__ + 1;
    FLOW_FAIL(42, "the dragon won");
    FLOW_END;
}

struct in_game {
    flow_frame base;
    int late;
};

FLOW_STATIC(in_game)
{
    FLOW_BEGIN;
    FLOW_AWAIT(FLOW_CALL(battle, .late = self->late));
    story_log(story_of(flow), "never");
    FLOW_FINALLY;
    story_log(story_of(flow), "in_game-%s", actor_cause(flow_cause_of(flow)));
    FLOW_END;
}

struct game {
    flow_frame base;
    int late;
};

FLOW_STATIC(game)
{
    FLOW_BEGIN;
    FLOW_AWAIT(FLOW_CALL(in_game, .late = self->late));
    story_log(story_of(flow), "never");
    FLOW_FINALLY;
    story_log(story_of(flow), "game-%s", actor_cause(flow_cause_of(flow)));
    FLOW_END;
}

/* D04 */
static void
a_failure_climbs_from_await_to_await_and_is_reported_with_path_file_and_line(void **state)
{
    (void)state;
    for (int late = 0; late < 2; late++) {
        struct story s;
        flow_outcome outcome;
        story_begin(&s, NULL);
        flow_handle h =
            FLOW_RUN_WITH(s.world, &(flow_options){.outcome = &outcome}, game, .late = late);
        if (late) {
            assert_int_equal(s.failure_count, 0);
            story_update(&s, 1);
        }
        story_expect(&s, "in_game-f game-f");
        assert_int_equal(s.failure_count, 1);
        const flow_failure *failure = &s.failures[0].failure;
        assert_int_equal(failure->kind, FLOW_FAILURE_UNHANDLED);
        assert_int_equal(failure->code, 42);
        assert_string_equal(failure->message, "the dragon won");
        assert_string_equal(failure->path, "game > in_game > battle");
        assert_string_equal(failure->file, __FILE__);
        assert_int_equal(failure->line, battle_line);
        assert_int_equal(failure->flow.slot, h.slot);
        assert_int_equal(failure->flow.generation, h.generation);
        assert_outcome(s.world, h, FLOW_STATE_FAILED, FLOW_CAUSE_NONE, 42);
        assert_string_equal(outcome.message, "the dragon won");
        assert_string_equal(outcome.file, __FILE__);
        assert_int_equal(outcome.line, battle_line);
        assert_int_equal(flow_world_counters(s.world).failed, 1);
        s.expect_failures = 1;
        story_end(&s);
    }
}

static void without_on_failure_the_next_call_of_the_world_returns_unhandled(void **state)
{
    flow_outcome outcome;
    (void)state;
    flow_world *world = flow_world_create(NULL);
    assert_int_equal(flow_world_tick(world, FLOW_UPDATE, 0.01), FLOW_OK);
    flow_handle h = FLOW_RUN_WITH(world, &(flow_options){.outcome = &outcome}, battle);
    assert_outcome(world, h, FLOW_STATE_FAILED, FLOW_CAUSE_NONE, 42);
    assert_int_equal(outcome.state, FLOW_STATE_FAILED);
    assert_int_equal(flow_world_begin_frame(world, 0.01), FLOW_UNHANDLED);
    assert_int_equal(flow_world_begin_frame(world, 0.01), FLOW_OK); /* told once */
    (void)FLOW_RUN(world, battle, .late = 1);
    (void)FLOW_RUN(world, battle, .late = 1);
    assert_int_equal(flow_world_tick(world, FLOW_UPDATE, 0.01), FLOW_UNHANDLED);
    assert_int_equal(flow_world_tick(world, FLOW_UPDATE, 0.01), FLOW_OK);
    (void)FLOW_RUN(world, battle);
    assert_int_equal(flow_world_flush(world, FLOW_UPDATE), FLOW_UNHANDLED);
    (void)FLOW_RUN(world, battle);
    assert_int_equal(flow_world_destroy(world), FLOW_UNHANDLED);
}

/* ---- what FLOW_TRY takes ---- */

struct takes {
    flow_frame base;
    int late;
    int i;
    flow_outcome outcome;
    flow_signal *signal;
};

static void told(flow_task *flow, struct takes *self)
{
    story_log(story_of(flow), "%d:%d", (int)self->outcome.state, self->outcome.code);
}

FLOW_STATIC(takes)
{
    FLOW_BEGIN;
    FLOW_TRY(&self->outcome, FLOW_CALL(in_game, .late = self->late));
    told(flow, self);
    assert_int_equal(self->outcome.line, battle_line);
    assert_int_equal(flow_cause_of(flow), FLOW_CAUSE_NONE); /* it goes on as if nothing had been */
    FLOW_TRY(&self->outcome, flow_failed(5, "leaf"));
    told(flow, self);
    assert_string_equal(self->outcome.message, "leaf");
    FLOW_TRY(&self->outcome, flow_ready());
    told(flow, self);
    assert_null(self->outcome.message);
    FLOW_TRY(&self->outcome, flow_next_(self->signal, NULL));
    told(flow, self);
    FLOW_TRY(&self->outcome,
             flow_race(&self->i, FLOW_CALL(in_game, .late = self->late), flow_never()));
    told(flow, self);
    FLOW_TRY(&self->outcome, flow_all(flow_ticks(self->late),
                                      FLOW_CALL(in_game, .late = self->late), flow_never()));
    told(flow, self);
    FLOW_TRY(&self->outcome, flow_timeout(&self->i, FLOW_CALL(in_game, .late = self->late), 9));
    told(flow, self);
    FLOW_TRY(&self->outcome, FLOW_CALL(actor, .name = "a"));
    told(flow, self);
    FLOW_TRY(NULL, flow_failed(5, "nobody looks"));
    FLOW_TRY(NULL, FLOW_CALL(battle, .late = self->late));
    FLOW_FAIL(6, "of its own"); /* a TRY before does not take this */
    FLOW_END;
}

static void try_takes_failures_of_calls_leaves_and_compositions(void **state)
{
    (void)state;
    for (int late = 0; late < 2; late++) {
        struct story s;
        FLOW_SIGNAL(flow_nothing) signal;
        story_begin(&s, NULL);
        assert_int_equal(flow_signal_init(&signal, s.world), FLOW_OK);
        flow_handle h = FLOW_RUN(s.world, takes, .late = late, .signal = &signal.signal);
        story_update(&s, 1);
        flow_signal_close(&signal);
        for (int i = 0; i < 6; i++) {
            story_update(&s, 1);
        }
        story_expect(&s, "in_game-f 3:42 3:5 2:0 3:-4 in_game-f 3:42 in_game-f 3:42 in_game-f 3:42 "
                         "a+ a= a- 2:0");
        assert_outcome(s.world, h, FLOW_STATE_FAILED, FLOW_CAUSE_NONE, 6);
        assert_int_equal(s.failure_count, 1);
        assert_string_equal(s.failures[0].path, "takes");
        s.expect_failures = 1;
        flow_signal_fini(&signal);
        story_end(&s);
    }
}

struct outer_try {
    flow_frame base;
    flow_outcome outcome;
    int closing;
    int late;
};

FLOW_STATIC(outer_try)
{
    FLOW_BEGIN;
    FLOW_TRY(&self->outcome, FLOW_CALL(actor, .name = "a", .ticks = self->late, .fail = 4,
                                       .closing = self->closing));
    story_log(story_of(flow), "took:%d@%d", self->outcome.code, (int)flow_tick_count(flow));
    FLOW_END;
}

static void a_failure_is_taken_when_the_failing_functions_finally_has_ended(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, outer_try, .closing = 3);
    for (int i = 0; i < 3; i++) {
        story_update(&s, 1);
    }
    story_expect(&s, "a+ a-f a. took:4@3");
    story_end(&s);
}

static void a_flow_cancelled_while_a_failure_climbs_ends_cancelled(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle h = FLOW_RUN(s.world, outer_try, .closing = 3);
    assert_int_equal(flow_cancel(s.world, h), FLOW_PENDING);
    for (int i = 0; i < 3; i++) {
        story_update(&s, 1);
    }
    story_expect(&s, "a+ a-f a.");
    assert_outcome(s.world, h, FLOW_STATE_CANCELLED, FLOW_CAUSE_EXPLICIT, 0);
    assert_int_equal(s.failures[0].failure.kind, FLOW_FAILURE_UNDELIVERED);
    assert_int_equal(s.failures[0].failure.code, 4);
    s.expect_failures = 1;
    story_end(&s);
}

struct cancelled_and_fails {
    flow_frame base;
};

FLOW_STATIC(cancelled_and_fails)
{
    FLOW_BEGIN;
    (void)flow_cancel(flow_world_of(flow), flow_self(flow));
    FLOW_FAIL(3, "after all");
    FLOW_FINALLY;
    story_log(story_of(flow), "fin-%s", actor_cause(flow_cause_of(flow)));
    FLOW_END;
}

static void a_flow_that_fails_under_cancellation_ends_cancelled(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle h = FLOW_RUN(s.world, cancelled_and_fails);
    story_expect(&s, "fin-x");
    assert_outcome(s.world, h, FLOW_STATE_CANCELLED, FLOW_CAUSE_EXPLICIT, 0);
    assert_int_equal(s.failures[0].failure.kind, FLOW_FAILURE_UNDELIVERED);
    s.expect_failures = 1;
    story_end(&s);
}

/* ---- a callee that ends cancelled by itself ---- */

struct joins_cancelled {
    flow_frame base;
    flow_handle *child;
    int tries;
    flow_outcome outcome;
};

struct tells_handle {
    flow_frame base;
    flow_handle *out;
};

FLOW_STATIC(tells_handle)
{
    FLOW_BEGIN;
    *self->out = flow_self(flow);
    FLOW_AWAIT(flow_never());
    FLOW_END;
}

FLOW_STATIC(joins_cancelled)
{
    FLOW_BEGIN;
    if (self->tries) {
        FLOW_TRY(&self->outcome, flow_all(FLOW_CALL(tells_handle, .out = self->child)));
        story_log(story_of(flow), "took:%d:%d", (int)self->outcome.state, self->outcome.code);
    } else {
        FLOW_ALL(FLOW_CALL(tells_handle, .out = self->child));
    }
    FLOW_END;
}

static void a_branch_that_ends_cancelled_by_itself_fails_its_callers_await(void **state)
{
    struct story s;
    flow_handle child = {0, 0};
    (void)state;
    story_begin(&s, NULL);
    flow_handle h = FLOW_RUN(s.world, joins_cancelled, .child = &child);
    assert_int_equal(flow_cancel(s.world, child), FLOW_OK);
    story_update(&s, 1);
    assert_outcome(s.world, h, FLOW_STATE_FAILED, FLOW_CAUSE_NONE, FLOW_CANCELLED);
    assert_int_equal(s.failures[0].failure.code, FLOW_CANCELLED);
    h = FLOW_RUN(s.world, joins_cancelled, .child = &child, .tries = 1);
    assert_int_equal(flow_cancel(s.world, child), FLOW_OK);
    story_update(&s, 1);
    story_expect(&s, "took:4:-3");
    assert_outcome(s.world, h, FLOW_STATE_DONE, FLOW_CAUSE_NONE, 0);
    s.expect_failures = 1;
    story_end(&s);
}

/* ---- endless loops ---- */

struct endless {
    flow_frame base;
    int what;
    long left; /* so that a test of this ends when the rule does not hold */
    int i;
};

struct big {
    flow_frame base;
    char bytes[400];
};

FLOW_STATIC(big)
{
    FLOW_BEGIN;
    FLOW_END;
}

struct small {
    flow_frame base;
};

FLOW_STATIC(small)
{
    FLOW_BEGIN;
    FLOW_END;
}

struct with_finally {
    flow_frame base;
};

FLOW_STATIC(with_finally)
{
    FLOW_BEGIN;
    FLOW_FINALLY;
    FLOW_END;
}

static int yes(void *arg)
{
    (void)arg;
    return 1;
}

enum { ENDLESS_FORMS = 9 };

FLOW_STATIC(endless)
{
    FLOW_BEGIN;
    while (self->left-- > 0) {
        if (self->what == 0) {
            FLOW_AWAIT(flow_ready());
        } else if (self->what == 1) {
            FLOW_AWAIT(flow_ticks(0));
        } else if (self->what == 2) {
            FLOW_AWAIT(flow_until(yes, NULL));
        } else if (self->what == 3) {
            FLOW_RACE(self->i, flow_ready());
        } else if (self->what == 4) {
            FLOW_TRY(NULL, flow_failed(1, "x"));
        } else if (self->what == 5) {
            FLOW_AWAIT(FLOW_CALL(small));
        } else if (self->what == 6) {
            FLOW_SHIELD(FLOW_CALL(small));
        } else if (self->what == 7) {
            FLOW_AWAIT(FLOW_CALL(big));
        } else {
            FLOW_AWAIT(FLOW_CALL(with_finally));
        }
    }
    FLOW_FINALLY;
    for (self->left = 0; self->left < 1000; self->left++) {
        FLOW_AWAIT(flow_ready()); /* an allowance of its own */
    }
    story_log(story_of(flow), "fin");
    FLOW_END;
}

static void the_millionth_await_that_completes_at_once_fails_the_flow_as_endless(void **state)
{
    (void)state;
    for (int what = 0; what < ENDLESS_FORMS; what++) {
        struct story s;
        story_begin(&s, NULL);
        flow_handle h = FLOW_RUN(s.world, endless, .what = what, .left = 900000);
        assert_outcome(s.world, h, FLOW_STATE_DONE, FLOW_CAUSE_NONE, 0);
        h = FLOW_RUN(s.world, endless, .what = what, .left = 1000001);
        if (flow_state_of(s.world, h) != FLOW_STATE_FAILED) {
            fail_msg("the loop of form %d was not found out", what);
        }
        assert_outcome(s.world, h, FLOW_STATE_FAILED, FLOW_CAUSE_NONE, FLOW_ENDLESS);
        story_expect(&s, "fin fin");
        const flow_failure *last = &s.failures[s.failure_count - 1].failure;
        assert_int_equal(last->kind, FLOW_FAILURE_UNHANDLED);
        assert_int_equal(last->code, FLOW_ENDLESS);
        s.expect_failures =
            what == 4 ? s.failure_count : 1; /* what the last TRY was to take may be told of too */
        story_end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            a_failure_climbs_from_await_to_await_and_is_reported_with_path_file_and_line),
        cmocka_unit_test(without_on_failure_the_next_call_of_the_world_returns_unhandled),
        cmocka_unit_test(try_takes_failures_of_calls_leaves_and_compositions),
        cmocka_unit_test(a_failure_is_taken_when_the_failing_functions_finally_has_ended),
        cmocka_unit_test(a_flow_cancelled_while_a_failure_climbs_ends_cancelled),
        cmocka_unit_test(a_flow_that_fails_under_cancellation_ends_cancelled),
        cmocka_unit_test(a_branch_that_ends_cancelled_by_itself_fails_its_callers_await),
        cmocka_unit_test(the_millionth_await_that_completes_at_once_fails_the_flow_as_endless),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
