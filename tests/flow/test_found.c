/* SPDX-License-Identifier: MIT */
/* What the random programs of tests/model have found, each told as a small story. */
#include <stdbool.h>

#include "actor.h"
#include "flows.h"

/* What a test's flows name. */
static struct scene {
    flow_handle first, second;
    flow_owner owner;
    flow_clock clock;
    FLOW_SIGNAL(int) signal;
} scene;

static void cancel_first(flow_task *flow, void *arg)
{
    (void)arg;
    (void)flow_cancel(flow_world_of(flow), scene.first);
}

/* ---- cancelling from inside ---- */

struct cancels_first { /* in its first slice, and then it returns */
    flow_frame base;
};

FLOW_STATIC(cancels_first)
{
    FLOW_BEGIN;
    cancel_first(flow, NULL);
    FLOW_END;
}

struct passes_on {
    flow_frame base;
};

FLOW_STATIC(passes_on)
{
    FLOW_BEGIN;
    FLOW_AWAIT(FLOW_CALL(cancels_first));
    story_log(story_of(flow), "never");
    FLOW_FINALLY;
    story_log(story_of(flow), "p-%s", actor_cause(flow_cause_of(flow)));
    FLOW_END;
}

struct calls_passes_on {
    flow_frame base;
};

FLOW_STATIC(calls_passes_on)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_next_tick());
    FLOW_AWAIT(FLOW_CALL(passes_on));
    story_log(story_of(flow), "never");
    FLOW_END;
}

static void the_caller_of_a_function_that_cancels_its_flow_and_returns_goes_no_further(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    scene.first = FLOW_RUN(s.world, calls_passes_on);
    story_update(&s, 1);
    story_expect(&s, "p-x");
    assert_outcome(s.world, scene.first, FLOW_STATE_CANCELLED, FLOW_CAUSE_EXPLICIT, 0);
    story_end(&s);
}

struct cancels_in_branch {
    flow_frame base;
};

FLOW_STATIC(cancels_in_branch)
{
    FLOW_BEGIN;
    cancel_first(flow, NULL);
    FLOW_FINALLY;
    story_log(story_of(flow), "b-%s", actor_cause(flow_cause_of(flow)));
    FLOW_END;
}

struct races {
    flow_frame base;
    int index;
};

FLOW_STATIC(races)
{
    FLOW_BEGIN;
    FLOW_RACE(self->index, FLOW_CALL(cancels_in_branch));
    story_log(story_of(flow), "raced");
    FLOW_END;
}

struct shields_races {
    flow_frame base;
};

FLOW_STATIC(shields_races)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_next_tick());
    FLOW_SHIELD(FLOW_CALL(races));
    story_log(story_of(flow), "shielded");
    FLOW_AWAIT(flow_ready());
    story_log(story_of(flow), "never");
    FLOW_END;
}

struct owns_shield {
    flow_frame base;
};

FLOW_STATIC(owns_shield)
{
    FLOW_BEGIN;
    (void)FLOW_SPAWN(shields_races);
    FLOW_AWAIT(flow_never());
    FLOW_END;
}

static void what_a_shield_protects_is_not_cancelled_by_one_of_its_own_branches(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    scene.first = FLOW_RUN(s.world, owns_shield);
    story_update(&s, 1);
    story_expect(&s, "b- raced shielded");
    assert_outcome(s.world, scene.first, FLOW_STATE_CANCELLED, FLOW_CAUSE_EXPLICIT, 0);
    story_end(&s);
}

/* Two fall over the same full ring; the finally section of the one cancels a third. */
struct listener {
    flow_frame base;
    const char *name;
    FLOW_SUBSCRIPTION(int) ring;
};

FLOW_STATIC(listener)
{
    FLOW_BEGIN;
    (void)flow_subscribe(flow, &self->ring, &scene.signal, FLOW_FAIL_WHEN_FULL, 1);
    FLOW_AWAIT(flow_never());
    FLOW_FINALLY;
    story_log(story_of(flow), "%s-%s", self->name, actor_cause(flow_cause_of(flow)));
    cancel_first(flow, NULL);
    FLOW_END;
}

static void deferred(void *story)
{
    story_log(story, "deferred");
}

struct defers {
    flow_frame base;
};

FLOW_STATIC(defers)
{
    FLOW_BEGIN;
    FLOW_DEFER(deferred, story_of(flow));
    FLOW_AWAIT(flow_never());
    FLOW_END;
}

static void a_cancel_goes_before_what_is_owed_to_others(void **state)
{
    struct story s;
    int value = 1;
    (void)state;
    story_begin(&s, NULL);
    assert_int_equal(flow_signal_init(&scene.signal, s.world), FLOW_OK);
    (void)FLOW_RUN(s.world, listener, .name = "a");
    (void)FLOW_RUN(s.world, listener, .name = "b");
    scene.first = FLOW_RUN(s.world, defers); /* it owns something, so it goes the longer way */
    (void)flow_emit(&scene.signal, &value);
    (void)flow_emit(&scene.signal, &value);
    story_expect(&s, "b-f deferred a-f");
    flow_signal_fini(&scene.signal);
    s.expect_failures = 2;
    story_end(&s);
}

/* ---- causes ---- */

struct leaves_two {
    flow_frame base;
};

struct cancels_at_its_end {
    flow_frame base;
};

FLOW_STATIC(cancels_at_its_end)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_never());
    FLOW_FINALLY;
    story_log(story_of(flow), "y-%s", actor_cause(flow_cause_of(flow)));
    cancel_first(flow, NULL);
    FLOW_END;
}

FLOW_STATIC(leaves_two)
{
    FLOW_BEGIN;
    (void)FLOW_SPAWN(actor, .name = "o", .ticks = -1);
    (void)FLOW_SPAWN(cancels_at_its_end);
    FLOW_END;
}

struct shields_leaves_two {
    flow_frame base;
};

FLOW_STATIC(shields_leaves_two)
{
    FLOW_BEGIN;
    scene.first = flow_self(flow);
    FLOW_SHIELD(FLOW_CALL(leaves_two));
    FLOW_END;
}

static void a_child_is_told_the_cause_that_its_owner_has_when_its_turn_comes(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, shields_leaves_two);
    story_expect(&s, "o+ y-p o-x");
    story_end(&s);
}

/* ---- failures of children ---- */

struct fails_twice {
    flow_frame base;
};

FLOW_STATIC(fails_twice)
{
    FLOW_BEGIN;
    (void)FLOW_SPAWN(actor, .name = "c", .fail = 1);
    FLOW_FAIL(2, "after its child");
    FLOW_FINALLY;
    story_log(story_of(flow), "f-%s", actor_cause(flow_cause_of(flow)));
    FLOW_END;
}

static void report_logged(struct story *story)
{
    const flow_failure *failure = &story->failures[story->failure_count - 1].failure;
    story_log(story, "report:%d,%d", (int)failure->kind, failure->code);
}

static void what_fails_after_a_child_has_failed_is_undelivered_at_once(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    s.on_report = report_logged;
    flow_handle h = FLOW_RUN(s.world, fails_twice);
    story_expect(&s, "c+ c-f report:2,2 f-f report:0,1");
    assert_outcome(s.world, h, FLOW_STATE_FAILED, FLOW_CAUSE_NONE, 1);
    s.expect_failures = 2;
    story_end(&s);
}

struct shielded_body {
    flow_frame base;
    bool called;
};

FLOW_STATIC(shielded_body)
{
    FLOW_BEGIN;
    (void)FLOW_SPAWN(actor, .name = "c", .ticks = 1, .fail = 1);
    FLOW_SHIELD(self->called ? flow_ticks(2) : flow_next(&scene.signal, (int *)NULL));
    story_log(story_of(flow), "body");
    FLOW_END;
}

struct shields_body {
    flow_frame base;
};

FLOW_STATIC(shields_body)
{
    FLOW_BEGIN;
    FLOW_SHIELD(FLOW_CALL(shielded_body, .called = true));
    story_log(story_of(flow), "never");
    FLOW_END;
}

static void a_childs_failure_is_its_callers_even_under_the_callers_own_shield(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle h = FLOW_RUN(s.world, shields_body);
    story_update(&s, 1);
    story_update(&s, 1);
    story_expect(&s, "c+ c-f body");
    assert_outcome(s.world, h, FLOW_STATE_FAILED, FLOW_CAUSE_NONE, 1);
    s.expect_failures = 1;
    story_end(&s);
}

static void a_shielded_await_that_fails_after_a_child_is_undelivered(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    s.on_report = report_logged;
    assert_int_equal(flow_signal_init(&scene.signal, s.world), FLOW_OK);
    flow_handle h = FLOW_RUN(s.world, shielded_body);
    story_update(&s, 1);
    flow_signal_close(&scene.signal);
    story_update(&s, 1);
    story_expect(&s, "c+ c-f report:2,-4 report:0,1");
    assert_outcome(s.world, h, FLOW_STATE_FAILED, FLOW_CAUSE_NONE, 1);
    s.expect_failures = 2;
    story_end(&s);
}

struct two_fail {
    flow_frame base;
};

FLOW_STATIC(two_fail)
{
    FLOW_BEGIN;
    (void)FLOW_SPAWN(actor, .name = "a", .ticks = 1, .fail = 1);
    (void)FLOW_SPAWN(actor, .name = "b", .ticks = 1, .fail = 2);
    FLOW_AWAIT(FLOW_CALL(actor, .name = "c", .ticks = -1, .closing = 1));
    FLOW_END;
}

static void the_first_of_two_children_that_fail_is_told_also_where_a_section_delays_it(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    s.on_report = report_logged;
    flow_handle h = FLOW_RUN(s.world, two_fail);
    story_update(&s, 1);
    story_expect(&s, "a+ b+ c+ a-f c-f b-f report:2,2");
    story_update(&s, 1);
    story_expect(&s, "c. report:0,1");
    assert_outcome(s.world, h, FLOW_STATE_FAILED, FLOW_CAUSE_NONE, 1);
    s.expect_failures = 2;
    story_end(&s);
}

/* The host ends the very flow whose branch has failed too late. */
static void report_cancels_first(struct story *story)
{
    report_logged(story);
    (void)flow_cancel(story->world, scene.first);
}

struct races_a_late_failure {
    flow_frame base;
    int index;
};

FLOW_STATIC(races_a_late_failure)
{
    FLOW_BEGIN;
    FLOW_RACE(self->index, FLOW_CALL(actor, .name = "a", .fail = 1, .closing = 1),
              FLOW_CALL(actor, .name = "b"));
    story_log(story_of(flow), "never");
    FLOW_END;
}

static void
a_report_of_a_late_failure_may_end_the_composition_that_it_was_too_late_for(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    s.on_report = report_cancels_first;
    scene.first = FLOW_RUN(s.world, races_a_late_failure);
    story_expect(&s, "a+ a-f b+ b= b-");
    story_update(&s, 1);
    story_expect(&s, "a. report:2,1");
    assert_outcome(s.world, scene.first, FLOW_STATE_CANCELLED, FLOW_CAUSE_EXPLICIT, 0);
    s.expect_failures = 1;
    story_end(&s);
}

/* ---- clocks and frames ---- */

static void ends_clock(flow_task *flow, void *arg)
{
    (void)arg;
    story_log(story_of(flow), "end");
    assert_int_equal(flow_clock_destroy(flow_world_of(flow), scene.clock), FLOW_OK);
}

static void what_waits_on_a_clock_that_ends_in_their_tick_fails_in_the_next(void **state)
{
    (void)state;
    flow_wait waits[] = {flow_seconds(0.0), flow_next_tick(), flow_next_frame(), flow_ticks(2),
                         flow_frames(2)};
    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++) {
        struct story s;
        story_begin(&s, NULL);
        scene.clock = flow_clock_create(s.world, FLOW_CLOCK_GAME, "own");
        flow_options there = {.clock = scene.clock};
        (void)FLOW_RUN_WITH(s.world, &there, doer, .wait = waits[i], .act = ends_clock);
        (void)FLOW_RUN_WITH(s.world, &there, waiter, .name = "a", .wait = waits[i]);
        story_update(&s, 1);
        if (i >= 3) {
            story_expect(&s, "");
            story_update(&s, 1);
        }
        story_expect(&s, "end");
        story_update(&s, 1);
        story_expect(&s, "a!-4");
        story_end(&s);
    }
}

static void what_failed_with_its_clock_fails_also_after_a_pause_has_held_it(void **state)
{
    (void)state;
    flow_wait waits[] = {flow_seconds(0.0), flow_next_tick(), flow_next_frame(), flow_ticks(2)};
    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++) {
        struct story s;
        story_begin(&s, NULL);
        scene.clock = flow_clock_create(s.world, FLOW_CLOCK_GAME, "own");
        flow_options there = {.clock = scene.clock};
        (void)FLOW_RUN_WITH(s.world, &there, waiter, .name = "a", .wait = waits[i]);
        assert_int_equal(flow_clock_destroy(s.world, scene.clock), FLOW_OK);
        assert_int_equal(flow_clock_pause(s.world, FLOW_CLOCK_GAME), FLOW_OK);
        story_update(&s, 1);
        story_expect(&s, "");
        assert_int_equal(flow_clock_release(s.world, FLOW_CLOCK_GAME), FLOW_OK);
        story_update(&s, 1);
        story_expect(&s, "a!-4");
        story_end(&s);
    }
}

static void what_a_flow_on_an_ended_clock_owns_lives_on_the_parent(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    scene.clock = flow_clock_create(s.world, FLOW_CLOCK_GAME, "own");
    flow_options there = {.clock = scene.clock};
    flow_handle h = FLOW_RUN_WITH(s.world, &there, actor, .name = "o", .ticks = 1);
    assert_int_equal(flow_clock_destroy(s.world, scene.clock), FLOW_OK);
    flow_options owned = {.owner = h, .phase = FLOW_FIXED};
    (void)FLOW_RUN_WITH(s.world, &owned, waiter, .name = "a", .wait = flow_ticks(1));
    (void)flow_world_tick(s.world, FLOW_FIXED, 0.010);
    story_expect(&s, "o+ a");
    story_update(&s, 1);
    story_expect(&s, "o-f"); /* its own wait stood on the clock */
    s.expect_failures = 1;
    story_end(&s);
}

static void
frame_waits_go_in_the_order_in_which_they_began_whatever_frames_were_left_out(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, waiter, .name = "three", .wait = flow_frames(3));
    (void)FLOW_RUN(s.world, waiter, .name = "two", .wait = flow_frames(2));
    (void)FLOW_RUN(s.world, waiter, .name = "one", .wait = flow_next_frame());
    (void)FLOW_RUN(s.world, waiter, .name = "four", .wait = flow_frames(4));
    for (int i = 0; i < 3; i++) {
        (void)flow_world_begin_frame(s.world, 0.001); /* three frames without a step, say */
    }
    (void)flow_world_tick(s.world, FLOW_UPDATE, 0.001);
    story_expect(&s, "three two one");
    story_update(&s, 1);
    story_expect(&s, "four");
    story_end(&s);
}

/* ---- owners ---- */

static int ends_owner(void *arg)
{
    (void)arg;
    (void)flow_owner_fini(&scene.owner);
    return 0;
}

struct awaits_gone {
    flow_frame base;
    int index;
};

FLOW_STATIC(awaits_gone)
{
    FLOW_BEGIN;
    FLOW_RACE(self->index, flow_until(ends_owner, NULL), flow_owner_gone(&scene.owner));
    story_log(story_of(flow), "gone:%d", self->index);
    FLOW_END;
}

static void an_owner_that_goes_between_the_making_and_the_begin_of_a_wait_has_gone(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    assert_int_equal(flow_owner_init(s.world, &scene.owner, "owner"), FLOW_OK);
    (void)FLOW_RUN(s.world, awaits_gone);
    story_expect(&s, "gone:1");
    story_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            the_caller_of_a_function_that_cancels_its_flow_and_returns_goes_no_further),
        cmocka_unit_test(what_a_shield_protects_is_not_cancelled_by_one_of_its_own_branches),
        cmocka_unit_test(a_cancel_goes_before_what_is_owed_to_others),
        cmocka_unit_test(a_child_is_told_the_cause_that_its_owner_has_when_its_turn_comes),
        cmocka_unit_test(what_fails_after_a_child_has_failed_is_undelivered_at_once),
        cmocka_unit_test(a_childs_failure_is_its_callers_even_under_the_callers_own_shield),
        cmocka_unit_test(a_shielded_await_that_fails_after_a_child_is_undelivered),
        cmocka_unit_test(
            the_first_of_two_children_that_fail_is_told_also_where_a_section_delays_it),
        cmocka_unit_test(
            a_report_of_a_late_failure_may_end_the_composition_that_it_was_too_late_for),
        cmocka_unit_test(what_waits_on_a_clock_that_ends_in_their_tick_fails_in_the_next),
        cmocka_unit_test(what_failed_with_its_clock_fails_also_after_a_pause_has_held_it),
        cmocka_unit_test(what_a_flow_on_an_ended_clock_owns_lives_on_the_parent),
        cmocka_unit_test(
            frame_waits_go_in_the_order_in_which_they_began_whatever_frames_were_left_out),
        cmocka_unit_test(an_owner_that_goes_between_the_making_and_the_begin_of_a_wait_has_gone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
