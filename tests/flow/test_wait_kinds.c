/* SPDX-License-Identifier: MIT */
/* Each kind of leaf wait by itself: what ends it, how, and what is left of it. */
#include "flows.h"

#include <math.h>
#include <string.h>

struct poll {
    int calls;
    int holds_at;
};

static int poll(void *arg)
{
    struct poll *p = arg;
    p->calls++;
    return p->calls >= p->holds_at;
}

static flow_handle start(struct story *story, const char *name, flow_wait wait)
{
    return FLOW_RUN(story->world, waiter, .name = name, .wait = wait);
}

/* ---- done at once, misuse ---- */

static void zero_ticks_and_frames_and_a_true_predicate_are_done_at_once(void **state)
{
    (void)state;
    struct story story;
    struct poll true_at_once = {0, 1};
    story_begin(&story, NULL);
    (void)start(&story, "ready", flow_ready());
    (void)start(&story, "ticks", flow_ticks(0));
    (void)start(&story, "frames", flow_frames(0));
    (void)start(&story, "until", flow_until(poll, &true_at_once));
    story_expect(&story, "ready ticks frames until");
    story_alive(&story, 0, 0, 0);
    assert_int_equal(true_at_once.calls, 1);
    story_end(&story);
}

static void a_negative_count_and_nan_seconds_are_misuse(void **state)
{
    (void)state;
    struct story story;
    story_begin(&story, NULL);
    flow_wait wrong[] = {flow_ticks(-1),
                         flow_frames(-1),
                         flow_ticks(INT64_MIN),
                         flow_frames(INT64_MIN),
                         flow_seconds((double)NAN),
                         flow_seconds_on(FLOW_CLOCK_REAL, (double)NAN),
                         flow_seconds(-(double)NAN)};
    for (int i = 0; i < 7; i++) {
        (void)start(&story, "wrong", wrong[i]);
        story_expect(&story, "wrong!-10");
        assert_int_equal(story.misuses, i + 1);
        assert_non_null(strstr(story.misuse, "waiter")); /* the message names the flow */
        story_alive(&story, 0, 0, 0);
    }
    story.expect_misuses = 7;
    story_end(&story);
}

static void a_misuse_that_nobody_takes_fails_the_flow_with_its_line(void **state)
{
    (void)state;
    struct story story;
    story_begin(&story, NULL);
    (void)FLOW_RUN(story.world, doer, .wait = flow_ticks(-1));
    assert_int_equal(story.failure_count, 1);
    assert_int_equal(story.failures[0].failure.code, FLOW_MISUSE);
    assert_string_equal(story.failures[0].path, "doer");
    assert_int_not_equal(story.failures[0].failure.line, 0);
    story.expect_failures = 1;
    story.expect_misuses = 1;
    story_end(&story);
}

static void an_endless_time_and_a_huge_count_just_wait(void **state)
{
    (void)state;
    struct story story;
    story_begin(&story, NULL);
    flow_handle handles[] = {
        start(&story, "a", flow_seconds(HUGE_VAL)), start(&story, "b", flow_seconds(1e300)),
        start(&story, "c", flow_ticks(INT64_MAX)), start(&story, "d", flow_frames(INT64_MAX))};
    story_frames(&story, 3, 10);
    for (int i = 0; i < 3; i++) {
        story_update(&story, 1e9);
    }
    (void)start(&story, "e",
                flow_ticks(INT64_MAX)); /* now that ticks and frames have been counted */
    (void)start(&story, "f", flow_frames(INT64_MAX));
    (void)start(&story, "g", flow_seconds(HUGE_VAL));
    story_frames(&story, 3, 10);
    story_expect(&story, "");
    for (int i = 0; i < 4; i++) {
        assert_int_equal(flow_cancel(story.world, handles[i]), FLOW_OK);
    }
    story_expect(&story, "a~ b~ c~ d~");
    story_end(&story);
}

/* ---- predicates, never, failed ---- */

static void a_predicate_is_asked_at_once_and_then_once_a_tick_of_its_phase(void **state)
{
    (void)state;
    struct story story;
    struct poll third = {0, 3};
    story_begin(&story, NULL);
    (void)start(&story, "third", flow_until(poll, &third));
    assert_int_equal(third.calls, 1);
    assert_int_equal(flow_world_counters(story.world).predicates, 1);
    story_frame(&story, 35); /* five phases, three fixed steps */
    assert_int_equal(third.calls, 2);
    story_expect(&story, "");
    story_frame(&story, 10);
    story_expect(&story, "third");
    story_frames(&story, 3, 10);
    assert_int_equal(third.calls, 3);
    story_alive(&story, 0, 0, 0);
    story_end(&story);
}

static void a_predicate_is_not_asked_again_when_its_flow_has_gone(void **state)
{
    (void)state;
    struct story story;
    struct poll never = {0, 1000};
    story_begin(&story, NULL);
    flow_handle flow = start(&story, "a", flow_until(poll, &never));
    story_update(&story, 10);
    assert_int_equal(flow_cancel(story.world, flow), FLOW_OK);
    story_update(&story, 10);
    assert_int_equal(never.calls, 2);
    story_alive(&story, 0, 0, 0);
    story_end(&story);
}

struct mover {
    flow_frame base;
    struct poll *poll;
    int index;
};

FLOW_STATIC(mover)
{
    FLOW_BEGIN;
    FLOW_RACE(self->index, flow_until(poll, self->poll), flow_switch_phase(FLOW_LATE));
    story_log(story_of(flow), "%d in %s", self->index, flow_phase_name(flow_phase_of(flow)));
    FLOW_AWAIT(flow_never());
    FLOW_END;
}

static void a_predicate_that_lost_to_a_change_of_phase_is_not_asked_again(void **state)
{
    (void)state;
    struct story story;
    struct poll never = {0, 1000};
    story_begin(&story, NULL);
    (void)FLOW_RUN(story.world, mover, .poll = &never);
    story_frame(&story, 10);
    story_expect(&story, "1 in late");
    int calls = never.calls;
    story_frames(&story, 3, 10);
    assert_int_equal(never.calls, calls);
    assert_int_equal(flow_world_counters(story.world).predicates, 0);
    story_end(&story);
}

static void never_ends_by_cancellation_alone(void **state)
{
    (void)state;
    struct story story;
    story_begin(&story, NULL);
    flow_handle flow = start(&story, "never", flow_never());
    story_frames(&story, 100, 10);
    story_expect(&story, "");
    story_alive(&story, 1, 1, 0);
    assert_int_equal(flow_cancel(story.world, flow), FLOW_OK);
    story_expect(&story, "never~");
    story_alive(&story, 0, 0, 0);
    story_end(&story);
}

static void a_failed_wait_fails_with_its_code_and_message(void **state)
{
    (void)state;
    struct story story;
    flow_outcome outcome = {0};
    story_begin(&story, NULL);
    (void)start(&story, "user", flow_failed(7, "no luck"));
    (void)start(&story, "nomem", flow_failed(FLOW_NOMEM, "full"));
    story_expect(&story, "user!7 nomem!-6");
    flow_handle flow = FLOW_RUN_WITH(story.world, &(flow_options){.outcome = &outcome}, doer,
                                     .wait = flow_failed(7, "no luck"));
    assert_int_equal(flow_state_of(story.world, flow), FLOW_STATE_FAILED);
    assert_int_equal(outcome.state, FLOW_STATE_FAILED);
    assert_int_equal(outcome.code, 7);
    assert_string_equal(outcome.message, "no luck");
    assert_int_equal(story.failures[0].failure.line, outcome.line);
    story.expect_failures = 1;
    story_end(&story);
}

/* ---- join ---- */

struct joiner {
    flow_frame base;
    flow_handle whom;
    flow_outcome outcome;
};

FLOW_STATIC(joiner)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_join(self->whom, &self->outcome));
    story_log(story_of(flow), "joined:state%d,cause%d,code%d", (int)self->outcome.state,
              (int)self->outcome.cause, self->outcome.code);
    FLOW_END;
}

struct ender {
    flow_frame base;
    int code;
};

FLOW_STATIC(ender)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_next_tick());
    if (self->code != 0) {
        FLOW_FAIL(self->code, "as told");
    }
    FLOW_END;
}

static flow_handle join(struct story *story, flow_handle whom)
{
    return FLOW_RUN(story->world, joiner, .whom = whom);
}

static void joining_a_live_flow_gives_its_end_whatever_it_is(void **state)
{
    (void)state;
    struct story story;
    story_begin(&story, NULL);
    (void)join(&story, FLOW_RUN(story.world, ender, .code = 0));
    (void)join(&story, FLOW_RUN(story.world, ender, .code = 9));
    flow_handle cancelled = FLOW_RUN(story.world, ender, .code = 0);
    (void)join(&story, cancelled);
    story_alive(&story, 6, 3, 0);
    assert_int_equal(flow_cancel(story.world, cancelled), FLOW_OK);
    story_expect(&story, ""); /* the joiner is queued */
    story_update(&story, 10);
    story_expect(
        &story, "joined:state4,cause1,code0 joined:state2,cause0,code0 joined:state3,cause0,code9");
    story_alive(&story, 0, 0, 0);
    assert_int_equal(story.failure_count,
                     1); /* joining does not handle a failure: the root's is still told */
    story.expect_failures = 1;
    story_end(&story);
}

static void joiners_go_on_in_the_order_in_which_they_began(void **state)
{
    (void)state;
    static const char *const names[] = {"0", "1", "2", "3", "4"};
    struct story story;
    story_begin(&story, NULL);
    flow_handle target = FLOW_RUN(story.world, ender);
    flow_handle joiners[5];
    flow_outcome outcomes[5];
    for (int i = 0; i < 5; i++) {
        joiners[i] = start(&story, names[i], flow_join(target, &outcomes[i]));
    }
    assert_int_equal(flow_cancel(story.world, joiners[4]), FLOW_OK);
    assert_int_equal(flow_cancel(story.world, joiners[0]), FLOW_OK);
    assert_int_equal(flow_cancel(story.world, joiners[2]), FLOW_OK);
    story_expect(&story, "4~ 0~ 2~");
    (void)start(&story, "5", flow_join(target, NULL));
    story_update(&story, 10);
    story_expect(&story, "1 3 5");
    assert_int_equal(outcomes[3].state, FLOW_STATE_DONE);
    target = FLOW_RUN(story.world, ender);
    for (int i = 0; i < 3; i++) { /* all of them go, then new ones come */
        joiners[i] = start(&story, names[i], flow_join(target, NULL));
    }
    for (int i = 0; i < 3; i++) {
        assert_int_equal(flow_cancel(story.world, joiners[i]), FLOW_OK);
    }
    story_expect(&story, "0~ 1~ 2~");
    (void)start(&story, "3", flow_join(target, NULL));
    (void)start(&story, "4", flow_join(target, NULL));
    story_update(&story, 10);
    story_expect(&story, "3 4");
    story_end(&story);
}

static void joining_a_flow_that_has_ended_gives_its_outcome_at_once_or_stale(void **state)
{
    (void)state;
    struct story story;
    story_begin(&story, NULL);
    flow_handle ended = FLOW_RUN(story.world, ender, .code = 9);
    story_update(&story, 10);
    (void)start(
        &story, "null",
        flow_join(ended, NULL)); /* takes another slot or the same: known or not, it is done */
    story_expect(&story, "null");
    flow_handle nobody = {0, 0};
    (void)join(&story, nobody);
    story_expect(&story, "joined:state0,cause0,code-2");
    for (int i = 0; i < 300; i++) { /* it is not one of the last 256 any more */
        (void)flow_cancel(story.world, FLOW_RUN(story.world, ender));
    }
    for (int i = 0; i < 2000; i++) { /* and its slot is somebody else's by now */
        (void)start(&story, "", flow_never());
    }
    flow_outcome outcome = {0};
    assert_int_equal(flow_outcome_of(story.world, ended, &outcome), FLOW_STALE);
    (void)join(&story, ended);
    story_expect(&story, "joined:state0,cause0,code-2");
    story.expect_failures = 1;
    assert_true(flow_world_counters(story.world).stale >= 2);
    assert_int_equal(story_destroy(&story), FLOW_OK);
    story.log[0] = '\0';
    story_end(&story);
}

static void an_outcome_is_known_until_the_slot_is_taken(void **state)
{
    (void)state;
    struct story story;
    flow_outcome outcome = {0};
    story_begin(&story, NULL);
    flow_handle failed = FLOW_RUN(story.world, ender, .code = 9);
    assert_int_equal(flow_outcome_of(story.world, failed, &outcome), FLOW_PENDING);
    story_update(&story, 10);
    assert_int_equal(flow_outcome_of(story.world, failed, &outcome), FLOW_OK);
    assert_int_equal(outcome.state, FLOW_STATE_FAILED);
    assert_int_equal(outcome.code, 9);
    assert_string_equal(outcome.message, "as told");
    assert_string_equal(outcome.file, __FILE__);
    story.expect_failures = 1;
    story_end(&story);
}

/* ---- joining what cannot end first ---- */

struct self_joiner {
    flow_frame base;
    flow_handle whom;
    flow_outcome outcome, tried;
};

FLOW_STATIC(self_joiner)
{
    FLOW_BEGIN;
    FLOW_TRY(&self->tried,
             flow_join(self->whom.slot ? self->whom : flow_self(flow), &self->outcome));
    story_log(story_of(flow), "misuse:%d", self->tried.code);
    FLOW_AWAIT(flow_next_tick());
    FLOW_END;
}

struct parent {
    flow_frame base;
};

FLOW_STATIC(parent)
{
    FLOW_BEGIN;
    (void)FLOW_SPAWN(self_joiner, .whom = flow_self(flow)); /* an ancestor */
    FLOW_AWAIT(FLOW_CALL(self_joiner));                     /* itself, from a call */
    FLOW_AWAIT(flow_frames(2));
    FLOW_END;
}

static void joining_oneself_or_an_ancestor_is_misuse(void **state)
{
    (void)state;
    struct story story;
    story_begin(&story, NULL);
    (void)FLOW_RUN(story.world, self_joiner);
    story_expect(&story, "misuse:-10");
    (void)FLOW_RUN(story.world, parent);
    story_expect(&story, "misuse:-10 misuse:-10");
    flow_handle group = flow_group_create(story.world, &(flow_group_desc){.name = "group"});
    (void)FLOW_RUN_WITH(story.world, &(flow_options){.owner = group}, self_joiner, .whom = group);
    story_expect(&story, "misuse:-10");
    story_frames(&story, 5, 10);
    assert_int_equal(flow_world_counters(story.world).live, 0);
    assert_int_equal(flow_cancel(story.world, group), FLOW_OK);
    story.expect_misuses = 4;
    story_end(&story);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zero_ticks_and_frames_and_a_true_predicate_are_done_at_once),
        cmocka_unit_test(a_negative_count_and_nan_seconds_are_misuse),
        cmocka_unit_test(a_misuse_that_nobody_takes_fails_the_flow_with_its_line),
        cmocka_unit_test(an_endless_time_and_a_huge_count_just_wait),
        cmocka_unit_test(a_predicate_is_asked_at_once_and_then_once_a_tick_of_its_phase),
        cmocka_unit_test(a_predicate_is_not_asked_again_when_its_flow_has_gone),
        cmocka_unit_test(a_predicate_that_lost_to_a_change_of_phase_is_not_asked_again),
        cmocka_unit_test(never_ends_by_cancellation_alone),
        cmocka_unit_test(a_failed_wait_fails_with_its_code_and_message),
        cmocka_unit_test(joining_a_live_flow_gives_its_end_whatever_it_is),
        cmocka_unit_test(joiners_go_on_in_the_order_in_which_they_began),
        cmocka_unit_test(joining_a_flow_that_has_ended_gives_its_outcome_at_once_or_stale),
        cmocka_unit_test(an_outcome_is_known_until_the_slot_is_taken),
        cmocka_unit_test(joining_oneself_or_an_ancestor_is_misuse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
