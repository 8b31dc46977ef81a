/* SPDX-License-Identifier: MIT */
/* Pause: counted, it holds what lives on the clock and returns it in its old order; nothing else
 * moves on a paused clock. */
#include "flows.h"

static int is_set(void *arg)
{
    return *(const int *)arg;
}

static int count_calls(void *arg)
{
    ++*(int *)arg;
    return 0;
}

static flow_handle start(struct story *story, const char *name, flow_wait wait)
{
    return FLOW_RUN(story->world, waiter, .name = name, .wait = wait);
}

static flow_handle start_on(struct story *story, flow_clock clock, const char *name, flow_wait wait)
{
    return FLOW_RUN_WITH(story->world, &(flow_options){.clock = clock}, waiter, .name = name,
                         .wait = wait);
}

static void pause_game(struct story *story)
{
    assert_int_equal(flow_clock_pause(story->world, FLOW_CLOCK_GAME), FLOW_OK);
}

static void release_game(struct story *story)
{
    assert_int_equal(flow_clock_release(story->world, FLOW_CLOCK_GAME), FLOW_OK);
}

static void act_pause(flow_task *flow, void *clock)
{
    story_log(story_of(flow), "pause");
    assert_int_equal(flow_clock_pause(flow_world_of(flow), *(flow_clock *)clock), FLOW_OK);
}

static void act_release(flow_task *flow, void *clock)
{
    story_log(story_of(flow), "release");
    assert_int_equal(flow_clock_release(flow_world_of(flow), *(flow_clock *)clock), FLOW_OK);
}

static flow_clock game = FLOW_CLOCK_GAME;

static void release_from_unscaled(struct story *story, flow_wait wait)
{
    (void)FLOW_RUN_WITH(story->world, &(flow_options){.clock = FLOW_CLOCK_UNSCALED}, doer,
                        .wait = wait, .act = act_release, .arg = &game);
}

/* ---- what a pause is ---- */

static void pauses_are_counted_and_reach_down_the_tree(void **state)
{
    (void)state;
    struct story story;
    story_begin(&story, NULL);
    flow_clock child = flow_clock_create(story.world, FLOW_CLOCK_GAME, "child");
    pause_game(&story);
    pause_game(&story);
    assert_int_equal(flow_clock_pauses(story.world, FLOW_CLOCK_GAME), 2);
    assert_int_equal(flow_clock_pauses(story.world, child), 0);
    assert_true(flow_clock_is_paused(story.world, child));
    assert_int_equal(flow_clock_pause(story.world, child), FLOW_OK);
    release_game(&story);
    assert_true(flow_clock_is_paused(story.world, FLOW_CLOCK_GAME));
    release_game(&story);
    assert_false(flow_clock_is_paused(story.world, FLOW_CLOCK_GAME));
    assert_true(flow_clock_is_paused(story.world, child));
    flow_clock grandchild = flow_clock_create(story.world, child, "born under a pause");
    assert_true(flow_clock_is_paused(story.world, grandchild));
    assert_int_equal(flow_clock_release(story.world, child), FLOW_OK);
    assert_false(flow_clock_is_paused(story.world, grandchild));
    assert_int_equal(flow_clock_release(story.world, child), FLOW_MISUSE);
    assert_int_equal(flow_clock_pause(story.world, FLOW_CLOCK_REAL), FLOW_MISUSE);
    assert_int_equal(flow_clock_pause(story.world, FLOW_CLOCK_UNSCALED), FLOW_MISUSE);
    assert_int_equal(flow_clock_pause(story.world, 0), FLOW_STALE);
    assert_int_equal(flow_clock_pause(story.world, 77), FLOW_STALE);
    story.expect_misuses = 3;
    story_end(&story);
}

static void a_paused_clock_counts_no_time_and_no_ticks_and_asks_no_predicate(void **state)
{
    (void)state;
    struct story story;
    int calls = 0;
    story_begin(&story, NULL);
    (void)start(&story, "timer", flow_seconds(0.030));
    (void)start(&story, "ticks", flow_ticks(3));
    (void)start(&story, "frames", flow_frames(3));
    (void)start(&story, "until", flow_until(count_calls, &calls));
    (void)start_on(&story, FLOW_CLOCK_UNSCALED, "unscaled", flow_seconds(0.050));
    story_frame(&story, 10);
    pause_game(&story);
    story_frames(&story, 3, 10);
    story_expect(&story, "");
    story_frame(&story, 10);
    story_expect(&story, "unscaled"); /* B07 */
    assert_int_equal(calls, 2);
    assert_int_equal(flow_clock_now_ns(story.world, FLOW_CLOCK_GAME, FLOW_UPDATE), 10000000);
    assert_int_equal(flow_clock_now_ns(story.world, FLOW_CLOCK_GAME, FLOW_FIXED), 10000000);
    assert_int_equal(flow_clock_now_ns(story.world, FLOW_CLOCK_UNSCALED, FLOW_FIXED),
                     10000000); /* nor anything in FIXED */
    release_game(&story);
    story_frame(&story, 10);
    story_expect(&story,
                 "frames"); /* rendered frames went on; it is due at the first tick that counts */
    assert_int_equal(calls, 3);
    story_frame(&story, 10);
    story_expect(&story, "timer ticks");
    story_end(&story);
}

static void a_scaled_wait_across_a_pause_counts_unpaused_time_to_the_millisecond(void **state)
{
    (void)state;
    for (int paused_at = 0; paused_at < 50; paused_at += 7) { /* B08 */
        struct story story;
        story_begin(&story, NULL);
        (void)start(&story, "50ms", flow_seconds(0.050));
        story_frames(&story, paused_at, 1);
        pause_game(&story);
        story_frames(&story, 5, 100);
        release_game(&story);
        story_frames(&story, 49 - paused_at, 1);
        story_expect(&story, "");
        story_frame(&story, 1);
        story_expect(&story, "50ms");
        story_end(&story);
    }
}

/* ---- what it holds ---- */

static void held_resumes_return_in_their_old_order_before_anything_else(void **state)
{
    (void)state;
    struct story story;
    FLOW_SIGNAL(flow_nothing) first, second;
    story_begin(&story, NULL);
    assert_int_equal(flow_signal_init(&first, story.world), FLOW_OK);
    assert_int_equal(flow_signal_init(&second, story.world), FLOW_OK);
    (void)start(&story, "second", flow_next(&second, NULL));
    (void)start(&story, "first", flow_next(&first, NULL));
    (void)start(&story, "elsewhere", flow_seconds_on(FLOW_CLOCK_UNSCALED, 0.010));
    assert_int_equal(flow_emit(&first, NULL), 1); /* ready before the pause came */
    pause_game(&story);
    story_frame(&story, 10); /* step 3: elsewhere; step 6: first */
    assert_int_equal(flow_emit(&second, NULL), 1);
    story_frame(&story, 10);
    story_expect(&story, "");
    story_alive(&story, 3, 0, 0);
    (void)start_on(&story, FLOW_CLOCK_UNSCALED, "timer", flow_seconds(0));
    (void)start(&story, "tick", flow_next_tick());
    release_game(&story);
    story_expect(&story, "");
    story_frame(&story, 10);
    story_expect(&story, "elsewhere first second timer tick");
    story_end(&story);
}

static void a_flow_is_held_by_its_own_clock_whatever_clock_its_wait_counts_on(void **state)
{
    (void)state;
    struct story story;
    story_begin(&story, NULL);
    flow_clock own = flow_clock_create(story.world, FLOW_CLOCK_UNSCALED, "own");
    (void)start_on(&story, own, "on_own", flow_seconds_on(FLOW_CLOCK_GAME, 0.010));
    (void)start(&story, "counts_own", flow_seconds_on(own, 0.010));
    assert_int_equal(flow_clock_pause(story.world, own), FLOW_OK);
    story_frames(&story, 3, 10);
    story_expect(&story, ""); /* one is held, the other's time stands still */
    assert_int_equal(flow_clock_release(story.world, own), FLOW_OK);
    story_frame(&story, 10);
    story_expect(&story, "on_own counts_own");
    story_end(&story);
}

static void a_release_in_step_3_returns_the_held_at_the_head_of_step_6(void **state)
{
    (void)state;
    struct story story;
    int open = 0;
    FLOW_SIGNAL(flow_nothing) signal;
    story_begin(&story, NULL);
    assert_int_equal(flow_signal_init(&signal, story.world), FLOW_OK);
    (void)start(&story, "held1", flow_next(&signal, NULL));
    (void)start(&story, "held2", flow_next(&signal, NULL));
    assert_int_equal(flow_emit(&signal, NULL), 2);
    pause_game(&story);
    story_frame(&story, 10);
    release_from_unscaled(&story, flow_seconds(0));
    (void)start_on(&story, FLOW_CLOCK_UNSCALED, "tick", flow_next_tick());
    (void)start_on(&story, FLOW_CLOCK_UNSCALED, "until", flow_until(is_set, &open));
    (void)start_on(&story, FLOW_CLOCK_UNSCALED, "ready", flow_next(&signal, NULL));
    assert_int_equal(flow_emit(&signal, NULL), 1);
    open = 1;
    story_frame(&story, 10);
    story_expect(&story, "release tick until held1 held2 ready");
    story_end(&story);
}

static void a_release_in_step_6_returns_the_held_before_the_rest_of_the_queue(void **state)
{
    (void)state;
    struct story story;
    FLOW_SIGNAL(flow_nothing) signal;
    story_begin(&story, NULL);
    assert_int_equal(flow_signal_init(&signal, story.world), FLOW_OK);
    (void)start(&story, "held1", flow_next(&signal, NULL));
    (void)start(&story, "held2", flow_next(&signal, NULL));
    assert_int_equal(flow_emit(&signal, NULL), 2);
    pause_game(&story);
    story_frame(&story, 10);
    (void)start_on(&story, FLOW_CLOCK_UNSCALED, "before", flow_next(&signal, NULL));
    release_from_unscaled(&story, flow_next(&signal, NULL));
    (void)start_on(&story, FLOW_CLOCK_UNSCALED, "after", flow_next(&signal, NULL));
    assert_int_equal(flow_emit(&signal, NULL), 3);
    story_frame(&story, 10);
    story_expect(&story, "before release held1 held2 after");
    story_end(&story);
}

static void a_release_before_a_flush_returns_the_held_at_its_head(void **state)
{
    (void)state;
    for (int another_phase = 0; another_phase < 2; another_phase++) {
        struct story story;
        FLOW_SIGNAL(flow_nothing) signal;
        story_begin(&story, NULL);
        assert_int_equal(flow_signal_init(&signal, story.world), FLOW_OK);
        (void)start(&story, "held", flow_next(&signal, NULL));
        assert_int_equal(flow_emit(&signal, NULL), 1);
        pause_game(&story);
        story_frame(&story, 10);
        release_game(&story);
        (void)start(&story, "ready", flow_next(&signal, NULL));
        assert_int_equal(flow_emit(&signal, NULL), 1);
        if (another_phase) {
            assert_int_equal(flow_world_flush(story.world, FLOW_EARLY), FLOW_OK);
        }
        assert_int_equal(flow_world_flush(story.world, FLOW_UPDATE), FLOW_OK);
        story_expect(&story, "held ready");
        story_end(&story);
    }
}

struct impatient {
    flow_frame base;
    int timed_out;
};

FLOW_STATIC(impatient)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_timeout_on(FLOW_CLOCK_UNSCALED, &self->timed_out,
                               FLOW_CALL(waiter, .name = "x", .wait = flow_never()), 0.020));
    story_log(story_of(flow), "timed_out:%d", self->timed_out);
    FLOW_END;
}

static void a_composition_that_settles_during_a_pause_unwinds_and_goes_on_after_it(void **state)
{
    (void)state;
    struct story story;
    story_begin(&story, NULL);
    (void)FLOW_RUN(story.world, impatient);
    pause_game(&story);
    story_frames(&story, 5, 10);
    story_expect(&story, ""); /* losers are unwound at the start of its turn, and that is held */
    release_game(&story);
    (void)start(&story, "tick", flow_next_tick());
    story_frame(&story, 10);
    story_expect(&story, "x~ timed_out:1 tick");
    story_alive(&story, 0, 0, 0);
    story_end(&story);
}

/* ---- in the middle of a tick ---- */

static void a_clock_released_in_a_tick_that_it_has_not_counted_waits_for_the_next(void **state)
{
    (void)state;
    struct story story;
    int calls = 0;
    story_begin(&story, NULL);
    (void)start(&story, "until", flow_until(count_calls, &calls));
    pause_game(&story);
    (void)start(&story, "zero", flow_seconds(0));
    (void)start(&story, "tick", flow_next_tick());
    release_from_unscaled(&story, flow_seconds(0));
    story_frame(&story, 10);
    story_expect(&story, "release");
    assert_int_equal(calls, 1);
    story_frame(&story, 10);
    story_expect(&story, "zero tick");
    assert_int_equal(calls, 2);
    story_end(&story);
}

static void a_clock_paused_in_step_5_asks_no_more_predicates(void **state)
{
    (void)state;
    struct story story;
    int open = 0, calls = 0;
    story_begin(&story, NULL);
    (void)FLOW_RUN(story.world, doer, .wait = flow_until(is_set, &open), .act = act_pause,
                   .arg = &game);
    (void)start(&story, "until", flow_until(count_calls, &calls));
    open = 1;
    story_frame(&story, 10);
    story_expect(&story, "pause");
    assert_int_equal(calls, 1);
    release_game(&story);
    story_frame(&story, 10);
    assert_int_equal(calls, 2);
    story.expect_warnings = 1; /* it paused the clock it runs on */
    story_end(&story);
}

static void what_is_due_after_a_pause_in_the_same_step_is_held(void **state)
{
    (void)state;
    struct story story;
    story_begin(&story, NULL);
    flow_wait waits[] = {flow_seconds(0), flow_next_tick()};
    for (int i = 0; i < 2; i++) {
        (void)start(&story, "before", waits[i]);
        (void)FLOW_RUN(story.world, doer, .wait = waits[i], .act = act_pause, .arg = &game);
        (void)start(&story, "after", waits[i]);
        story_frame(&story, 10);
        story_expect(&story, "before pause");
        story_frame(&story, 10);
        story_expect(&story, "");
        release_game(&story);
        story_frame(&story, 10);
        story_expect(&story, "after");
    }
    story.expect_warnings = 1;
    story_end(&story);
}

/* ---- one's own clock ---- */

struct pauser {
    flow_frame base;
};

FLOW_STATIC(pauser)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_next_tick());
    assert_int_equal(flow_clock_pause(flow_world_of(flow), FLOW_CLOCK_GAME), FLOW_OK);
    story_log(story_of(flow), "goes_on");
    FLOW_AWAIT(flow_ready()); /* done at once: nothing to hold */
    story_log(story_of(flow), "still");
    FLOW_AWAIT(flow_next_tick());
    story_log(story_of(flow), "released");
    FLOW_END;
}

static void pausing_ones_own_clock_warns_once_and_stops_at_the_next_suspension(void **state)
{
    (void)state;
    struct story story;
    story_begin(&story, NULL);
    for (int i = 0; i < 2; i++) {
        (void)FLOW_RUN(story.world, pauser);
        story_frames(&story, 3, 10);
        story_expect(&story, "goes_on still");
        assert_int_equal(story.warning_count, 1);
        release_game(&story);
        story_frame(&story, 10);
        story_expect(&story, "released");
    }
    assert_int_equal(story.warnings[0], FLOW_WARNING_OWN_CLOCK_PAUSED);
    story.expect_warnings = 1;
    story_end(&story);
}

static void pausing_another_clock_is_no_reason_to_warn(void **state)
{
    (void)state;
    struct story story;
    story_begin(&story, NULL);
    flow_clock own = flow_clock_create(story.world, FLOW_CLOCK_UNSCALED, "own");
    flow_options on_own = {.clock = own};
    (void)FLOW_RUN_WITH(story.world, &on_own, doer, .wait = flow_next_tick(), .act = act_pause,
                        .arg = &game);
    story_frame(&story, 10);
    assert_int_equal(flow_clock_pause(story.world, own),
                     FLOW_OK); /* a first slice runs where it is called */
    (void)FLOW_RUN_WITH(story.world, &on_own, doer, .wait = flow_ready(), .act = act_pause,
                        .arg = &game);
    story_expect(&story, "pause pause");
    story_end(&story);
}

/* ---- unwinding ---- */

struct careful {
    flow_frame base;
};

FLOW_STATIC(careful)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_never());
    FLOW_FINALLY;
    story_log(story_of(flow), "unwinds");
    FLOW_AWAIT(flow_next_tick());
    story_log(story_of(flow), "closed");
    FLOW_END;
}

static void starting_to_unwind_is_never_held_but_awaits_in_a_finally_section_are(void **state)
{
    (void)state;
    struct story story;
    story_begin(&story, NULL);
    flow_handle flow = FLOW_RUN(story.world, careful);
    pause_game(&story);
    assert_int_equal(flow_cancel(story.world, flow), FLOW_PENDING);
    story_expect(&story, "unwinds");
    story_frames(&story, 3, 10);
    story_expect(&story, "");
    assert_int_equal(flow_state_of(story.world, flow), FLOW_STATE_LIVE);
    release_game(&story);
    story_frame(&story, 10);
    story_expect(&story, "closed");
    assert_int_equal(flow_state_of(story.world, flow), FLOW_STATE_CANCELLED);
    story_end(&story);
}

static void a_held_flow_that_is_cancelled_unwinds_at_once_and_resumes_no_more(void **state)
{
    (void)state;
    struct story story;
    FLOW_SIGNAL(flow_nothing) signal;
    story_begin(&story, NULL);
    assert_int_equal(flow_signal_init(&signal, story.world), FLOW_OK);
    flow_handle flow = start(&story, "held", flow_next(&signal, NULL));
    assert_int_equal(flow_emit(&signal, NULL), 1);
    pause_game(&story);
    story_frame(&story, 10);
    assert_int_equal(flow_cancel(story.world, flow), FLOW_OK);
    story_expect(&story, "held~");
    release_game(&story);
    story_frames(&story, 2, 10);
    story_expect(&story, "");
    story_alive(&story, 0, 0, 0);
    story_end(&story);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pauses_are_counted_and_reach_down_the_tree),
        cmocka_unit_test(a_paused_clock_counts_no_time_and_no_ticks_and_asks_no_predicate),
        cmocka_unit_test(a_scaled_wait_across_a_pause_counts_unpaused_time_to_the_millisecond),
        cmocka_unit_test(held_resumes_return_in_their_old_order_before_anything_else),
        cmocka_unit_test(a_flow_is_held_by_its_own_clock_whatever_clock_its_wait_counts_on),
        cmocka_unit_test(a_release_in_step_3_returns_the_held_at_the_head_of_step_6),
        cmocka_unit_test(a_release_in_step_6_returns_the_held_before_the_rest_of_the_queue),
        cmocka_unit_test(a_release_before_a_flush_returns_the_held_at_its_head),
        cmocka_unit_test(a_composition_that_settles_during_a_pause_unwinds_and_goes_on_after_it),
        cmocka_unit_test(a_clock_released_in_a_tick_that_it_has_not_counted_waits_for_the_next),
        cmocka_unit_test(a_clock_paused_in_step_5_asks_no_more_predicates),
        cmocka_unit_test(what_is_due_after_a_pause_in_the_same_step_is_held),
        cmocka_unit_test(pausing_ones_own_clock_warns_once_and_stops_at_the_next_suspension),
        cmocka_unit_test(pausing_another_clock_is_no_reason_to_warn),
        cmocka_unit_test(starting_to_unwind_is_never_held_but_awaits_in_a_finally_section_are),
        cmocka_unit_test(a_held_flow_that_is_cancelled_unwinds_at_once_and_resumes_no_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
