/* SPDX-License-Identifier: MIT */
/* Beats that keep their grid, and waits counted from a given start (lessons B12, B13, B17). */
#include "flows.h"

/* Keeps a beat; writes down each resume as count and time. */
struct beat {
    flow_frame base;
    double period;
    flow_clock clock;
    double body; /* seconds that its body takes */
    uint64_t count;
    int quiet;
    flow_interval beat;
};

FLOW_STATIC(beat)
{
    FLOW_BEGIN;
    (void)flow_interval_begin(flow, &self->beat, self->period, self->clock);
    for (;;) {
        FLOW_AWAIT(flow_interval_next(&self->beat, &self->count));
        if (!self->quiet) {
            story_log(story_of(flow), "%d@%.0f", (int)self->count, flow_now(flow) * 1000.0);
        }
        if (self->body > 0.0) {
            FLOW_AWAIT(flow_seconds(self->body));
        }
    }
    FLOW_END;
}

/* Counts beats in the host's memory. */
struct counter {
    flow_frame base;
    double period;
    uint64_t *beats;
    flow_interval beat;
};

FLOW_STATIC(counter)
{
    FLOW_BEGIN;
    (void)flow_interval_begin(flow, &self->beat, self->period, FLOW_CLOCK_INHERIT);
    for (;;) {
        FLOW_AWAIT(flow_interval_next(&self->beat, NULL));
        *self->beats = self->beat.beats;
    }
    FLOW_END;
}

static void the_hundredth_beat_comes_at_the_first_tick_that_reaches_it(void **state)
{
    struct story s; /* B12 */
    uint64_t beats = 0;
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, counter, .period = 0.1, .beats = &beats);
    for (int ms = 17; ms <= 60000; ms += 17) {
        story_update(&s, 17);
        assert_int_equal(beats, ms / 100);
    }
    story_end(&s);
}

static void thirty_days_of_thirds_of_a_second_lose_no_beat(void **state)
{
    struct story s; /* B13 */
    uint64_t beats = 0;
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, counter, .period = 1.0 / 3, .beats = &beats);
    for (int hour = 1; hour <= 30 * 24; hour++) {
        story_update(&s, 3600e3 - 1);
        assert_int_equal(beats, (uint64_t)hour * 3600 * 3 - 1);
        story_update(&s, 1);
        assert_int_equal(beats, (uint64_t)hour * 3600 * 3);
    }
    story_end(&s);
}

static void a_hitch_comes_as_one_beat_with_a_count(void **state)
{
    struct story s; /* B17 */
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, beat, .period = 0.05);
    story_update(&s, 60);
    story_update(&s, 1000);
    story_update(&s, 30);
    story_update(&s, 20);
    story_expect(&s, "1@60 20@1060 1@1110");
    story_end(&s);
}

static void beats_that_pass_while_the_flow_is_elsewhere_are_given_at_once(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, beat, .period = 0.1, .body = 0.25);
    for (int i = 0; i < 80; i++) {
        story_update(&s, 10);
    }
    story_expect(&s, "1@100 2@350 3@600");
    story_end(&s);
}

/* Races a beat with a signal. */
struct racer {
    flow_frame base;
    flow_signal *signal;
    uint64_t count;
    int index;
    flow_interval beat;
};

FLOW_STATIC(racer)
{
    FLOW_BEGIN;
    (void)flow_interval_begin(flow, &self->beat, 0.1, FLOW_CLOCK_INHERIT);
    for (;;) {
        self->count = 0;
        FLOW_RACE(self->index, flow_next_(self->signal, NULL),
                  flow_interval_next(&self->beat, &self->count));
        story_log(story_of(flow), "%d:%d@%.0f", self->index, (int)self->count,
                  flow_now(flow) * 1000.0);
    }
    FLOW_END;
}

static void a_beat_that_loses_a_race_stays_to_be_given(void **state)
{
    struct story s;
    FLOW_SIGNAL(flow_nothing) signal = {0};
    (void)state;
    story_begin(&s, NULL);
    assert_int_equal(flow_signal_init(&signal, s.world), FLOW_OK);
    (void)FLOW_RUN(s.world, racer, .signal = &signal.signal);
    story_update(&s, 50);
    (void)flow_emit(&signal, NULL);
    story_update(&s, 60);
    story_update(&s, 80);
    (void)flow_emit(&signal, NULL); /* settles before the tick that brings 300 */
    story_update(&s, 120);
    story_expect(&s, "0:0@110 1:1@110 0:0@310 1:2@310");
    story_alive(&s, 1, 3, 1);
    flow_signal_fini(&signal); /* it ends as CLOSED, and the world before its turn comes */
    story_end(&s);
}

static void a_beat_goes_with_its_clock_through_scale_and_pause(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_clock slow = flow_clock_create(s.world, FLOW_CLOCK_GAME, "slow");
    assert_int_equal(flow_clock_set_scale(s.world, slow, 0.5), FLOW_OK);
    (void)FLOW_RUN(s.world, beat, .period = 0.1, .clock = slow);
    story_update(&s, 199);
    story_update(&s, 1);
    story_expect(&s, "1@200");
    assert_int_equal(flow_clock_pause(s.world, slow), FLOW_OK);
    story_update(&s, 1000);
    assert_int_equal(flow_clock_release(s.world, slow), FLOW_OK);
    assert_int_equal(flow_clock_set_scale(s.world, slow, 2), FLOW_OK);
    story_update(&s, 49);
    story_update(&s, 1);
    story_expect(&s, "1@1250");
    assert_int_equal(flow_clock_destroy(s.world, slow), FLOW_OK);
    story_update(&s, 1);
    assert_int_equal(s.failures[0].failure.code, FLOW_CLOSED);
    story_alive(&s, 0, 0, 0);
    s.expect_failures = 1;
    story_end(&s);
}

/* Takes its beat to another phase, whose time is another. */
struct mover {
    flow_frame base;
    flow_interval beat;
};

FLOW_STATIC(mover)
{
    FLOW_BEGIN;
    (void)flow_interval_begin(flow, &self->beat, 0.1, FLOW_CLOCK_INHERIT);
    FLOW_AWAIT(flow_seconds(0.03));
    FLOW_AWAIT(flow_switch_phase(FLOW_FIXED));
    FLOW_AWAIT(flow_interval_next(&self->beat, NULL));
    story_log(story_of(flow), "%.0f", flow_now(flow) * 1000.0);
    FLOW_END;
}

static void a_beat_counts_on_in_another_phase(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    for (int i = 0; i < 10; i++) { /* fixed time stands at 50 ms by then, that of UPDATE at 500 */
        (void)flow_world_tick(s.world, FLOW_UPDATE, 0.05);
        (void)flow_world_tick(s.world, FLOW_FIXED, 0.005);
    }
    (void)FLOW_RUN(s.world, mover);
    (void)flow_world_tick(s.world, FLOW_UPDATE, 0.03);
    for (int i = 0; i < 10; i++) {
        (void)flow_world_tick(s.world, FLOW_FIXED, 0.01);
    }
    story_expect(&s, "130"); /* it went on at 60, with 70 to go as it had in UPDATE */
    story_end(&s);
}

/* Begins with a period that is none, and awaits it; and one that was never begun. */
static void a_period_that_is_none_is_misuse(void **state)
{
    static const double periods[] = {0, -1, 1e-10};
    struct story s;
    flow_interval never = {0};
    (void)state;
    story_begin(&s, NULL);
    for (int i = 0; i < 3; i++) {
        (void)FLOW_RUN(s.world, beat, .period = periods[i]);
    }
    (void)FLOW_RUN(s.world, waiter, .name = "never", .wait = flow_interval_next(&never, NULL));
    story_expect(&s, "never!-10");
    s.expect_failures = 3;
    s.expect_misuses = 7;
    story_end(&s);
}

static void without_memory_a_beat_fails_and_leaves_nothing(void **state)
{
    (void)state;
    for (long at = 1, failed = 1; failed; at++) {
        struct story s;
        uint64_t beats[300] = {0};
        uint32_t beating = 0;
        story_begin(&s, NULL);
        s.fail_at = s.calls + at;
        for (int i = 0; i < 300; i++) {
            (void)FLOW_RUN_WITH(s.world, FLOW_OPTIONS(.phase = FLOW_LATE), counter, .period = 0.01,
                                .beats = &beats[i]);
        }
        uint32_t live = flow_world_counters(s.world).live;
        story_frame(&s, 25);
        for (int i = 0; i < 300; i++) {
            beating += beats[i] == 2;
        }
        assert_int_equal(beating, live); /* those that are there all beat */
        story_alive(&s, live, live, live);
        failed = live < 300;
        s.fail_at = 0;
        s.expect_failures = s.failure_count;
        story_end(&s);
    }
}

/* ---- from a given start ---- */

static void waits_count_from_a_given_start(void **state)
{
    struct story s; /* P04 */
    (void)state;
    story_begin(&s, NULL);
    story_frames(&s, 10, 10);
    uint64_t start = 7; /* both counts are 10 now */
    (void)FLOW_RUN(s.world, waiter, .name = "t3", .wait = flow_ticks_since(start, 3));
    (void)FLOW_RUN(s.world, waiter, .name = "t0", .wait = flow_ticks_since(start, 0));
    (void)FLOW_RUN(s.world, waiter, .name = "t4", .wait = flow_ticks_since(start, 4));
    (void)FLOW_RUN(s.world, waiter, .name = "t6", .wait = flow_ticks_since(start, 6));
    (void)FLOW_RUN(s.world, waiter, .name = "f2", .wait = flow_frames_since(start, 2));
    (void)FLOW_RUN(s.world, waiter, .name = "f5", .wait = flow_frames_since(start, 5));
    (void)FLOW_RUN(s.world, waiter, .name = "s50", .wait = flow_seconds_since(50000000, 0.05));
    (void)FLOW_RUN(s.world, waiter, .name = "s70", .wait = flow_seconds_since(50000000, 0.07));
    (void)FLOW_RUN(s.world, waiter, .name = "r90",
                   .wait = flow_seconds_since_on(FLOW_CLOCK_REAL, 90000000, 0.02));
    story_expect(&s, "t3 t0 f2 s50");
    story_frame(&s, 10);
    story_expect(&s, "r90 t4");
    story_frame(&s, 10);
    story_expect(&s, "s70 f5");
    story_frame(&s, 10);
    story_expect(&s, "t6");
    (void)FLOW_RUN(s.world, waiter, .name = "far", .wait = flow_ticks_since(UINT64_MAX, 1));
    (void)FLOW_RUN(s.world, waiter, .name = "past", .wait = flow_seconds_since(INT64_MIN, 1));
    (void)FLOW_RUN(s.world, waiter, .name = "negative", .wait = flow_frames_since(5, -1));
    story_expect(&s, "past negative!-10");
    s.expect_misuses = 1;
    story_alive(&s, 1, 1, 0);
    story_end(&s);
    story_expect(&s, "far~");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_hundredth_beat_comes_at_the_first_tick_that_reaches_it),
        cmocka_unit_test(thirty_days_of_thirds_of_a_second_lose_no_beat),
        cmocka_unit_test(a_hitch_comes_as_one_beat_with_a_count),
        cmocka_unit_test(beats_that_pass_while_the_flow_is_elsewhere_are_given_at_once),
        cmocka_unit_test(a_beat_that_loses_a_race_stays_to_be_given),
        cmocka_unit_test(a_beat_goes_with_its_clock_through_scale_and_pause),
        cmocka_unit_test(a_beat_counts_on_in_another_phase),
        cmocka_unit_test(a_period_that_is_none_is_misuse),
        cmocka_unit_test(without_memory_a_beat_fails_and_leaves_nothing),
        cmocka_unit_test(waits_count_from_a_given_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
