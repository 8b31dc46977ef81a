/* SPDX-License-Identifier: MIT */
/*
 * The clock: clamping, fixed steps, scale, and sums that balance to the nanosecond.
 */
#include <math.h>

#include "test_fixture.h"

static const struct engine_clock_desc ten_ms = {
    .fixed_ns = 10 * MS, .clamp_ns = 100 * MS, .max_steps = 5};

static void assert_balance(const struct engine_clock *clock)
{
    assert_int_equal(clock->steps * clock->desc.fixed_ns + clock->accumulator_ns + clock->left_ns +
                         engine_clock_dropped(clock) + clock->scaled_ns,
                     clock->real_ns);
}

static struct engine_clock start(void)
{
    struct engine_clock clock;
    assert_true(engine_clock_init(&clock, 0, &ten_ms));
    return clock;
}

/* One frame of `ms`. Returns the steps it ran. */
static int run(struct engine_clock *clock, int64_t ms)
{
    int steps = 0;
    engine_clock_begin_frame(clock, clock->last_ns + ms * MS, false);
    while (engine_clock_step(clock)) {
        steps++;
    }
    assert_balance(clock);
    return steps;
}

static void a_long_frame_runs_max_steps_and_counts_what_it_drops(void **state)
{
    struct engine_clock clock = start();
    (void)state;
    assert_int_equal(run(&clock, 5000), 5);
    assert_int_equal(clock.real_dt_ns, 5000 * MS);
    assert_int_equal(clock.dt_ns, 100 * MS);
    assert_int_equal(clock.clamped_ns, 4900 * MS);
    assert_int_equal(clock.skipped_ns, 50 * MS);
    assert_int_equal(clock.steps_skipped, 5);
    assert_int_equal(clock.dropped_dt_ns, 4950 * MS);
    assert_int_equal(5 * 10 * MS + clock.dropped_dt_ns, 5000 * MS);
    assert_int_equal(run(&clock, 10), 1);
    assert_int_equal(clock.dropped_dt_ns, 0);
    assert_int_equal(run(&clock, 0), 0);
}

static void a_clock_that_goes_back_gives_dt_0_and_one_anomaly(void **state)
{
    struct engine_clock clock = start();
    (void)state;
    run(&clock, 20);
    assert_int_equal(run(&clock, -140000), 0);
    assert_int_equal(clock.dt_ns, 0);
    assert_int_equal(clock.real_dt_ns, 0);
    assert_int_equal(clock.anomalies, 1);
    assert_int_equal(run(&clock, 10), 1);
    assert_int_equal(clock.anomalies, 1);
    assert_int_equal(clock.real_ns, 30 * MS);
}

static void bad_descs_are_refused_and_leave_the_clock_alone(void **state)
{
    const struct engine_clock_desc bad[] = {{0, 100 * MS, 5},
                                            {-1, 100 * MS, 5},
                                            {11 * SECOND, 100 * MS, 5},
                                            {10 * MS, 0, 5},
                                            {10 * MS, 100 * MS, 0}};
    struct engine_clock clock = {.anomalies = 77};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_false(engine_clock_init(&clock, 0, &bad[i]));
    }
    assert_false(engine_clock_init(&clock, 0, NULL));
    assert_false(engine_clock_init(NULL, 0, &ten_ms));
    assert_int_equal(clock.anomalies, 77);
}

static void time_that_is_no_whole_step_is_kept_for_the_next_frame(void **state)
{
    struct engine_clock clock = start();
    (void)state;
    assert_int_equal(run(&clock, 35), 3);
    assert_int_equal(clock.accumulator_ns, 5 * MS);
    assert_true(engine_clock_alpha(&clock) == 0.5);
    assert_int_equal(run(&clock, 3), 0);
    assert_int_equal(run(&clock, 2), 1);
    assert_int_equal(clock.accumulator_ns, 0);
}

static void half_scale_runs_half_the_steps_and_books_the_rest(void **state)
{
    struct engine_clock clock = start();
    int steps = 0;
    (void)state;
    assert_true(engine_clock_set_scale(&clock, 0.5));
    for (int i = 0; i < 100; i++) {
        steps += run(&clock, 16);
    }
    assert_int_equal(steps, 80);
    assert_int_equal(clock.scaled_ns, 800 * MS);
}

static void double_scale_adds_time_and_books_it_as_negative(void **state)
{
    struct engine_clock clock = start();
    (void)state;
    assert_true(engine_clock_set_scale(&clock, 2.0));
    assert_int_equal(run(&clock, 10), 2);
    assert_int_equal(clock.scaled_ns, -10 * MS);
}

static void scale_0_between_two_steps_stops_further_steps(void **state)
{
    struct engine_clock clock = start();
    (void)state;
    engine_clock_begin_frame(&clock, 40 * MS, false);
    assert_true(engine_clock_step(&clock));
    assert_true(engine_clock_step(&clock));
    assert_true(engine_clock_set_scale(&clock, 0.0));
    assert_false(engine_clock_step(&clock));
    assert_false(engine_clock_step(&clock));
    assert_int_equal(clock.scaled_ns, 20 * MS);
    assert_balance(&clock);
    assert_true(engine_clock_set_scale(&clock, 1.0));
    assert_int_equal(run(&clock, 10), 1);
}

static void a_scale_set_between_steps_counts_from_exactly_there(void **state)
{
    struct engine_clock clock = start();
    (void)state;
    engine_clock_begin_frame(&clock, 40 * MS, false);
    assert_true(engine_clock_step(&clock)); /* 10 of 40 ms */
    assert_true(engine_clock_set_scale(&clock, 0.5));
    assert_true(engine_clock_step(&clock)); /* 20 more */
    assert_false(engine_clock_step(&clock));
    assert_int_equal(clock.accumulator_ns, 5 * MS);
    assert_balance(&clock);
}

static void bad_scales_are_refused(void **state)
{
    struct engine_clock clock = start();
    (void)state;
    assert_false(engine_clock_set_scale(&clock, -0.1));
    assert_false(engine_clock_set_scale(&clock, ENGINE_TIME_SCALE_MAX * 2.0));
    assert_false(engine_clock_set_scale(&clock, (double)NAN));
    assert_int_equal(run(&clock, 10), 1);
}

static void hidden_time_stands_still_and_is_booked(void **state)
{
    struct engine_clock clock = start();
    (void)state;
    engine_clock_begin_frame(&clock, 70 * MS, true);
    assert_false(engine_clock_step(&clock));
    assert_int_equal(clock.dt_ns, 0);
    assert_int_equal(clock.real_dt_ns, 70 * MS);
    assert_int_equal(clock.hidden_ns, 70 * MS);
    assert_int_equal(clock.clamped_ns, 0);
    assert_balance(&clock);
}

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static void sums_balance_exactly_over_random_frames_and_scales(void **state)
{
    struct engine_clock_desc desc = {.fixed_ns = 16666667, .clamp_ns = 100 * MS, .max_steps = 5};
    struct engine_clock clock;
    uint32_t seed = 42;
    int64_t now = 0;
    (void)state;
    assert_true(engine_clock_init(&clock, 0, &desc));
    for (int i = 0; i < 20000; i++) {
        now += (int64_t)next_random(&seed) * (i % 97 == 0 ? 60 : 2) - (i % 53 == 0 ? 50 * MS : 0);
        engine_clock_begin_frame(&clock, now, i % 31 == 0);
        while (engine_clock_step(&clock)) {
            if (next_random(&seed) % 8 == 0) {
                assert_true(
                    engine_clock_set_scale(&clock, (double)(next_random(&seed) % 4000) / 1000.0));
            }
        }
        assert_balance(&clock);
        assert_int_equal(clock.left_ns, 0);
        assert_in_range(clock.accumulator_ns, 0, desc.fixed_ns - 1);
        if (i % 11 == 0) {
            assert_true(engine_clock_set_scale(&clock, 1.0));
        }
    }
    assert_true(clock.anomalies > 0 && clock.steps > 1000 && clock.steps_skipped > 0);
}

static void thirty_days_of_frames_lose_nothing(void **state)
{
    struct engine_clock_desc desc = {
        .fixed_ns = 10 * SECOND, .clamp_ns = 10 * SECOND, .max_steps = 1};
    struct engine_clock clock;
    (void)state;
    assert_true(engine_clock_init(&clock, INT64_MAX / 2, &desc));
    for (int64_t i = 0; i < 30 * 24 * 360; i++) {
        assert_int_equal(run(&clock, 10000), 1);
    }
    assert_int_equal(clock.steps * desc.fixed_ns, 30 * 24 * 3600 * SECOND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_long_frame_runs_max_steps_and_counts_what_it_drops),
        cmocka_unit_test(a_clock_that_goes_back_gives_dt_0_and_one_anomaly),
        cmocka_unit_test(bad_descs_are_refused_and_leave_the_clock_alone),
        cmocka_unit_test(time_that_is_no_whole_step_is_kept_for_the_next_frame),
        cmocka_unit_test(half_scale_runs_half_the_steps_and_books_the_rest),
        cmocka_unit_test(double_scale_adds_time_and_books_it_as_negative),
        cmocka_unit_test(scale_0_between_two_steps_stops_further_steps),
        cmocka_unit_test(a_scale_set_between_steps_counts_from_exactly_there),
        cmocka_unit_test(bad_scales_are_refused),
        cmocka_unit_test(hidden_time_stands_still_and_is_booked),
        cmocka_unit_test(sums_balance_exactly_over_random_frames_and_scales),
        cmocka_unit_test(thirty_days_of_frames_lose_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
