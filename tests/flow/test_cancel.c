/* SPDX-License-Identifier: MIT */
/* Cancelling from outside: from each state a flow can be in (A04, A09, A10, A12, A13, A16). */
#include <string.h>

#include "actor.h"

/* What a flow waits on in these tests. Each kind is one wait, at the top level or below two calls.
 */
enum kind {
    TICK,
    TICKS,
    FRAME,
    FRAMES,
    TIMER,
    OTHER_CLOCK,
    NEVER,
    UNTIL,
    SIGNAL,
    JOIN,
    PHASE,
    RACE,
    ALL,
    TIMEOUT,
    NESTED,
    KINDS
};

struct place {
    FLOW_SIGNAL(int) signal;
    flow_handle other; /* somebody to join */
    int polls;
};

static int counts(void *arg)
{
    ++*(int *)arg;
    return 0;
}

struct sleeper {
    flow_frame base;
    struct place *place;
    enum kind kind;
    int value;
};

static flow_wait leaf(struct sleeper *self)
{
    switch (self->kind) {
    case TICK:
        return flow_next_tick();
    case TICKS:
        return flow_ticks(5);
    case FRAME:
        return flow_next_frame();
    case FRAMES:
        return flow_frames(5);
    case TIMER:
        return flow_seconds(100000.0);
    case OTHER_CLOCK:
        return flow_seconds_on(FLOW_CLOCK_REAL, 100000.0);
    case UNTIL:
        return flow_until(counts, &self->place->polls);
    case SIGNAL:
        return flow_next(&self->place->signal, &self->value);
    case JOIN:
        return flow_join(self->place->other, NULL);
    case PHASE:
        return flow_switch_phase(FLOW_LATE);
    case NEVER:
    case RACE:
    case ALL:
    case TIMEOUT:
    case NESTED:
    case KINDS:
        break;
    }
    return flow_never();
}

FLOW_STATIC(sleeper)
{
    FLOW_BEGIN;
    if (self->kind == RACE) {
        FLOW_RACE(self->value, flow_next_tick(), flow_seconds(9),
                  FLOW_CALL(actor, .name = "a", .ticks = -1), flow_next(&self->place->signal, NULL),
                  flow_until(counts, &self->place->polls));
    } else if (self->kind == ALL) {
        FLOW_ALL(flow_next_tick(), flow_join(self->place->other, NULL),
                 FLOW_CALL(actor, .name = "a", .ticks = -1), flow_ready(), flow_frames(3));
    } else if (self->kind == TIMEOUT) {
        FLOW_TIMEOUT(&self->value, FLOW_CALL(actor, .name = "a", .ticks = -1), 9.0);
    } else if (self->kind == NESTED) {
        FLOW_ALL(flow_race(&self->value, flow_never(), FLOW_CALL(actor, .name = "a", .ticks = -1)),
                 flow_timeout(NULL, flow_next(&self->place->signal, NULL), 9.0));
    } else {
        FLOW_AWAIT(leaf(self));
    }
    story_log(story_of(flow), "never");
    FLOW_FINALLY;
    story_log(story_of(flow), "s-%s", actor_cause(flow_cause_of(flow)));
    FLOW_END;
}

struct middle {
    flow_frame base;
    struct place *place;
    enum kind kind;
    int depth;
};
FLOW_FORWARD(middle);

FLOW_STATIC(middle)
{
    FLOW_BEGIN;
    if (self->depth > 0) {
        FLOW_AWAIT(
            FLOW_CALL(middle, .place = self->place, .kind = self->kind, .depth = self->depth - 1));
    } else {
        FLOW_AWAIT(FLOW_CALL(sleeper, .place = self->place, .kind = self->kind));
    }
    story_log(story_of(flow), "never");
    FLOW_FINALLY;
    story_log(story_of(flow), "m%d-%s", self->depth, actor_cause(flow_cause_of(flow)));
    FLOW_END;
}

static void place_begin(struct story *s, struct place *place)
{
    story_begin(s, NULL);
    memset(place, 0, sizeof *place);
    assert_int_equal(flow_signal_init(&place->signal, s->world), FLOW_OK);
    place->other = FLOW_RUN_WITH(s->world, &(flow_options){.phase = FLOW_END_OF_FRAME}, actor,
                                 .name = "o", .ticks = -1);
    story_expect(s, "o+");
}

static void expect_only_the_other(struct story *s, struct place *place)
{
    story_alive(s, 1, 1, 0);
    assert_int_equal(flow_world_counters(s->world).predicates, 0);
    assert_int_equal(flow_signal_waiters(&place->signal), 0);
    int polls = place->polls;
    assert_int_equal(flow_emit(&place->signal, &(int){7}), 0);
    story_frames(s, 8, 20);
    assert_int_equal(place->polls, polls); /* and "never" is not in the log */
}

static void a_flow_is_unwound_from_every_wait_before_cancel_returns(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        struct story s;
        struct place place;
        place_begin(&s, &place);
        flow_handle h = FLOW_RUN(s.world, sleeper, .place = &place, .kind = (enum kind)kind);
        int branch = kind >= RACE;
        assert_int_equal(flow_cancel(s.world, h), FLOW_OK);
        story_expect(&s, branch ? "a+ a-x s-x" : "s-x");
        assert_outcome(s.world, h, FLOW_STATE_CANCELLED, FLOW_CAUSE_EXPLICIT, 0);
        assert_int_equal(flow_world_counters(s.world).finally_runs, branch ? 2 : 1);
        assert_int_equal(flow_cancel(s.world, h), FLOW_STALE);
        expect_only_the_other(&s, &place);
        story_expect(&s, "");
        flow_signal_fini(&place.signal);
        story_end(&s);
    }
}

/* A05: three cleanups, inner first; the same some frames later, when the wait has been moved about.
 */
static void calls_at_depth_are_unwound_from_the_inside_out(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        struct story s;
        struct place place;
        place_begin(&s, &place);
        flow_handle h =
            FLOW_RUN(s.world, middle, .place = &place, .kind = (enum kind)kind, .depth = 2);
        assert_int_equal(flow_cancel(s.world, h), FLOW_OK);
        story_expect(&s, kind >= RACE ? "a+ a-x s-x m0-x m1-x m2-x" : "s-x m0-x m1-x m2-x");
        expect_only_the_other(&s, &place);
        story_expect(&s, "");
        flow_signal_fini(&place.signal);
        story_end(&s);
    }
}

static void the_world_may_end_with_flows_in_every_wait(void **state)
{
    (void)state;
    for (int depth = 0; depth < 3; depth++) {
        struct story s;
        struct place place;
        place_begin(&s, &place);
        for (int kind = 0; kind < KINDS; kind++) {
            (void)FLOW_RUN(s.world, middle, .place = &place, .kind = (enum kind)kind,
                           .depth = depth);
        }
        s.log[0] = '\0';
        story_update(&s, 1);
        assert_int_equal(story_destroy(&s), FLOW_OK);
        story_end(&s);
    }
}

/* ---- ready, held, queued ---- */

static void a_flow_whose_wait_has_ended_is_cancelled_before_its_turn(void **state)
{
    struct story s;
    struct place place;
    (void)state;
    place_begin(&s, &place);
    flow_handle a = FLOW_RUN(s.world, sleeper, .place = &place, .kind = SIGNAL);
    flow_handle b = FLOW_RUN(s.world, sleeper, .place = &place, .kind = SIGNAL);
    flow_handle r = FLOW_RUN(s.world, sleeper, .place = &place, .kind = RACE);
    assert_int_equal(flow_emit(&place.signal, &(int){1}), 3);
    assert_int_equal(flow_cancel(s.world, a), FLOW_OK);
    assert_int_equal(flow_cancel(s.world, r), FLOW_OK);
    story_expect(&s, "a+ s-x a-l s-x"); /* the loser keeps the cause it was marked with */
    assert_int_equal(flow_cancel(s.world, b), FLOW_OK);
    story_expect(&s, "s-x");
    expect_only_the_other(&s, &place);
    flow_signal_fini(&place.signal);
    story_end(&s);
}

static void a_closed_wait_of_a_flow_cancelled_before_its_turn_is_not_reported(void **state)
{
    struct story s;
    struct place place;
    (void)state;
    place_begin(&s, &place);
    flow_handle a = FLOW_RUN(s.world, sleeper, .place = &place, .kind = SIGNAL);
    flow_signal_close(&place.signal);
    assert_int_equal(flow_cancel(s.world, a), FLOW_OK);
    story_expect(&s, "s-x");
    assert_outcome(s.world, a, FLOW_STATE_CANCELLED, FLOW_CAUSE_EXPLICIT, 0);
    story_update(&s, 1);
    assert_int_equal(s.failure_count, 0);
    flow_signal_fini(&place.signal);
    story_end(&s);
}

static void a_held_flow_unwinds_without_waiting_for_the_release(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        struct story s;
        struct place place;
        place_begin(&s, &place);
        flow_handle h = FLOW_RUN(s.world, sleeper, .place = &place, .kind = (enum kind)kind);
        assert_int_equal(flow_clock_pause(s.world, FLOW_CLOCK_GAME), FLOW_OK);
        (void)flow_emit(&place.signal, &(int){1});
        story_frames(&s, 3, 50000000);
        s.log[0] = '\0';
        assert_int_equal(flow_cancel(s.world, h), FLOW_OK);
        assert_true(strstr(s.log, "s-x") != NULL && strstr(s.log, "never") == NULL);
        s.log[0] = '\0';
        assert_int_equal(flow_clock_release(s.world, FLOW_CLOCK_GAME), FLOW_OK);
        expect_only_the_other(&s, &place);
        story_expect(&s, "");
        flow_signal_fini(&place.signal);
        story_end(&s);
    }
}

/* Scenario 8: started and cancelled before any tick. */
static void a_flow_cancelled_before_any_tick_cleaned_up_once_and_a_join_ends_at_once(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle h = FLOW_RUN(s.world, actor, .name = "a", .ticks = 3);
    assert_int_equal(flow_cancel(s.world, h), FLOW_OK);
    story_expect(&s, "a+ a-x");
    struct place p = {.other = h};
    (void)FLOW_RUN(s.world, sleeper, .place = &p, .kind = JOIN);
    story_expect(&s, "never s-"); /* the join was done at once */
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

/* ---- answers ---- */

static void cancel_says_ok_pending_or_stale(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle h = FLOW_RUN(s.world, actor, .name = "a", .ticks = -1, .closing = 2);
    assert_int_equal(flow_cancel(s.world, h), FLOW_PENDING); /* its finally section awaits */
    assert_int_equal(flow_cancel(s.world, h), FLOW_PENDING);
    assert_int_equal(flow_state_of(s.world, h), FLOW_STATE_LIVE);
    story_update(&s, 1);
    assert_int_equal(flow_cancel(s.world, h), FLOW_PENDING);
    story_expect(&s, "a+ a-x");
    story_update(&s, 1);
    story_expect(&s, "a.");
    assert_int_equal(flow_cancel(s.world, h), FLOW_STALE);
    assert_outcome(s.world, h, FLOW_STATE_CANCELLED, FLOW_CAUSE_EXPLICIT, 0);
    assert_int_equal(flow_world_counters(s.world).finally_runs, 1);
    story_end(&s);
}

static void a_cancel_after_the_body_ended_changes_nothing(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle h = FLOW_RUN(s.world, actor, .name = "a", .ticks = 1, .closing = 2);
    story_update(&s, 1);
    assert_int_equal(flow_cancel(s.world, h), FLOW_PENDING);
    story_update(&s, 1);
    story_update(&s, 1);
    story_expect(&s, "a+ a= a- a.");
    assert_outcome(s.world, h, FLOW_STATE_DONE, FLOW_CAUSE_NONE, 0);

    h = FLOW_RUN(s.world, actor, .name = "b", .ticks = 1, .fail = 3, .closing = 1);
    story_update(&s, 1);
    assert_int_equal(flow_cancel(s.world, h), FLOW_PENDING);
    story_update(&s, 1);
    story_expect(&s, "b+ b-f b.");
    assert_outcome(s.world, h, FLOW_STATE_FAILED, FLOW_CAUSE_NONE, 3);
    assert_int_equal(s.failures[0].failure.kind, FLOW_FAILURE_UNHANDLED);
    s.expect_failures = 1;
    story_end(&s);
}

/* G01: other timers do not notice. */
static void cancelling_and_starting_again_leaves_other_timers_exact(void **state)
{
    struct story s;
    struct place place;
    (void)state;
    place_begin(&s, &place);
    flow_handle h = {0, 0};
    (void)FLOW_RUN(s.world, actor, .name = "t", .ticks = 100);
    for (int i = 0; i < 100; i++) {
        (void)flow_cancel(s.world, h);
        h = FLOW_RUN(s.world, sleeper, .place = &place, .kind = (enum kind)(i % KINDS));
        s.log[0] = '\0';
        story_update(&s, 1);
        assert_true((strstr(s.log, "t=") != NULL) == (i == 99));
    }
    flow_signal_fini(&place.signal);
    s.log[0] = '\0';
    story_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_flow_is_unwound_from_every_wait_before_cancel_returns),
        cmocka_unit_test(calls_at_depth_are_unwound_from_the_inside_out),
        cmocka_unit_test(the_world_may_end_with_flows_in_every_wait),
        cmocka_unit_test(a_flow_whose_wait_has_ended_is_cancelled_before_its_turn),
        cmocka_unit_test(a_closed_wait_of_a_flow_cancelled_before_its_turn_is_not_reported),
        cmocka_unit_test(a_held_flow_unwinds_without_waiting_for_the_release),
        cmocka_unit_test(a_flow_cancelled_before_any_tick_cleaned_up_once_and_a_join_ends_at_once),
        cmocka_unit_test(cancel_says_ok_pending_or_stale),
        cmocka_unit_test(a_cancel_after_the_body_ended_changes_nothing),
        cmocka_unit_test(cancelling_and_starting_again_leaves_other_timers_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
