/* SPDX-License-Identifier: MIT */
/* Clocks: what each of them counts, scale, deadlines to the nanosecond, lateness, and time that is
 * not what it should be. */
#include "flows.h"

#include <math.h>

static flow_handle start(struct story *story, const char *name, flow_wait wait)
{
    return FLOW_RUN(story->world, waiter, .name = name, .wait = wait);
}

static flow_handle start_on(struct story *story, flow_clock clock, const char *name, flow_wait wait)
{
    return FLOW_RUN_WITH(story->world, &(flow_options){.clock = clock}, waiter, .name = name,
                         .wait = wait);
}

static int64_t now_us(const struct story *story, flow_clock clock, flow_phase phase)
{
    return flow_clock_now_ns(story->world, clock, phase) / 1000;
}

static void set_scale(struct story *story, flow_clock clock, double scale)
{
    assert_int_equal(flow_clock_set_scale(story->world, clock, scale), FLOW_OK);
}

/* ---- which clock counts what ---- */

static void time_is_kept_per_clock_and_phase(void **state)
{
    (void)state;
    struct story story;
    story_begin(&story, NULL);
    assert_int_equal(flow_world_begin_frame(story.world, 0.500),
                     FLOW_OK); /* a hitch that the host clamps to 100 ms */
    assert_int_equal(flow_world_tick(story.world, FLOW_EARLY, 0.100), FLOW_OK);
    set_scale(&story, FLOW_CLOCK_GAME, 0.5);
    assert_int_equal(flow_world_tick(story.world, FLOW_UPDATE, 0.100), FLOW_OK);
    assert_int_equal(now_us(&story, FLOW_CLOCK_REAL, FLOW_EARLY), 500000);
    assert_int_equal(now_us(&story, FLOW_CLOCK_REAL, FLOW_UPDATE), 500000);
    assert_int_equal(now_us(&story, FLOW_CLOCK_REAL, FLOW_LATE), 500000); /* in begin_frame alone */
    assert_int_equal(now_us(&story, FLOW_CLOCK_UNSCALED, FLOW_EARLY), 100000);
    assert_int_equal(now_us(&story, FLOW_CLOCK_UNSCALED, FLOW_UPDATE), 100000);
    assert_int_equal(now_us(&story, FLOW_CLOCK_UNSCALED, FLOW_LATE), 0);
    assert_int_equal(now_us(&story, FLOW_CLOCK_GAME, FLOW_EARLY), 100000);
    assert_int_equal(now_us(&story, FLOW_CLOCK_GAME, FLOW_UPDATE), 50000);
    assert_int_equal(now_us(&story, FLOW_CLOCK_REAL, FLOW_FIXED), 0);
    story_end(&story);
}

static void fixed_is_game_time_on_every_clock(void **state)
{
    (void)state;
    struct story story;
    story_begin(&story, NULL);
    flow_clock own = flow_clock_create(story.world, FLOW_CLOCK_GAME, "own");
    flow_clock aside = flow_clock_create(story.world, FLOW_CLOCK_UNSCALED, "aside");
    flow_clock under = flow_clock_create(story.world, own, "under");
    set_scale(&story, FLOW_CLOCK_GAME, 0.5);
    set_scale(&story, own, 3);
    set_scale(&story, aside, 2);
    set_scale(&story, under, 2);
    story_frame(&story, 40); /* at half speed: two steps of 10 ms */
    assert_int_equal(now_us(&story, FLOW_CLOCK_REAL, FLOW_FIXED), 20000);
    assert_int_equal(now_us(&story, FLOW_CLOCK_UNSCALED, FLOW_FIXED), 20000);
    assert_int_equal(now_us(&story, FLOW_CLOCK_GAME, FLOW_FIXED), 20000);
    assert_int_equal(now_us(&story, own, FLOW_FIXED), 60000);
    assert_int_equal(now_us(&story, aside, FLOW_FIXED), 40000);
    assert_int_equal(now_us(&story, under, FLOW_FIXED), 120000);
    assert_int_equal(now_us(&story, own, FLOW_UPDATE), 60000); /* 40 x 0.5 x 3 */
    assert_int_equal(now_us(&story, aside, FLOW_UPDATE), 80000);
    assert_int_equal(now_us(&story, under, FLOW_UPDATE), 120000);
    story_end(&story);
}

struct watch {
    flow_frame base;
};

FLOW_STATIC(watch)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_AWAIT(flow_next_tick());
        story_log(story_of(flow), "%d/%d/%d", (int)(flow_now_ns(flow) / 1000000),
                  (int)(flow_dt(flow) * 1000 + 0.5), (int)flow_tick_count(flow));
        assert_true(flow_now(flow) * 1e9 - (double)flow_now_ns(flow) < 1.0);
    }
    FLOW_END;
}

static void a_flow_reads_time_step_and_ticks_of_its_clock_in_its_phase(void **state)
{
    (void)state;
    struct story story;
    story_begin(&story, NULL);
    (void)FLOW_RUN_WITH(story.world, &(flow_options){.phase = FLOW_FIXED}, watch);
    story_frame(&story, 30);
    story_expect(&story, "10/10/1 20/10/2 30/10/3");
    (void)FLOW_RUN_WITH(story.world,
                        (&(flow_options){.clock = FLOW_CLOCK_REAL, .phase = FLOW_LATE}), watch);
    story_frame(&story, 7);
    story_expect(&story, "37/7/2");
    (void)FLOW_RUN_WITH(story.world, &(flow_options){.phase = FLOW_EARLY}, watch);
    set_scale(&story, FLOW_CLOCK_GAME, 0);
    story_frame(&story, 8);
    story_expect(&story, "37/0/3 45/8/3"); /* scale 0 stops time and still counts ticks */
    story_end(&story);
}

/* ---- scale ---- */

static void scenario_3_pause_and_scale(void **state)
{
    (void)state;
    struct story story;
    story_begin(&story, NULL);
    (void)start(&story, "S", flow_seconds(0.100));
    (void)start_on(&story, FLOW_CLOCK_UNSCALED, "U", flow_seconds(0.100));
    story_frame(&story, 40);
    set_scale(&story, FLOW_CLOCK_GAME, 0);
    story_frame(&story, 40);
    story_expect(&story, "");
    story_frame(&story, 40);
    story_expect(&story, "U");
    story_frame(&story, 40);
    set_scale(&story, FLOW_CLOCK_GAME, 1);
    story_frame(&story, 40);
    story_expect(&story, "");
    story_frame(&story, 40);
    story_expect(&story, "S");
    story_end(&story);
}

static void a_timer_is_due_exactly_when_the_integral_of_the_scale_reaches_it(void **state)
{
    (void)state;
    static const struct {
        double scale;
        int frames;
    } parts[] = {{1, 3}, {0.5, 4}, {0, 5}, {2, 3}}; /* 30 + 20 + 0 + 60 ms */
    for (int target = 1; target <= 110; target++) {
        struct story story;
        int integral = 0, over = 0;
        story_begin(&story, NULL);
        (void)start(&story, "due", flow_seconds(target / 1000.0));
        for (int part = 0; part < 4; part++) {
            set_scale(&story, FLOW_CLOCK_GAME, parts[part].scale);
            for (int i = 0; i < parts[part].frames; i++) {
                story_update(&story, 10);
                integral += (int)(10 * parts[part].scale + 0.5);
                if (over == 0 && integral >= target) {
                    over = 1;
                    story_expect(&story, "due");
                }
                story_expect(&story, "");
            }
        }
        assert_int_equal(over, 1);
        story_end(&story);
    }
}

static void a_bad_scale_is_refused(void **state)
{
    (void)state;
    struct story story;
    story_begin(&story, NULL);
    flow_clock own = flow_clock_create(story.world, FLOW_CLOCK_INHERIT, "own");
    set_scale(&story, own, 0.25);
    const double bad[] = {-1.0, (double)NAN, HUGE_VAL, -HUGE_VAL, -1e-9};
    for (int i = 0; i < 5; i++) {
        assert_int_equal(flow_clock_set_scale(story.world, own, bad[i]), FLOW_MISUSE);
    }
    assert_true(fabs(flow_clock_scale(story.world, own) - 0.25) < 1e-12);
    assert_int_equal(story.warning_count, 1);
    assert_int_equal(story.warnings[0], FLOW_WARNING_BAD_SCALE);
    story.expect_warnings = 1;
    assert_int_equal(flow_clock_set_scale(story.world, FLOW_CLOCK_UNSCALED, 2),
                     FLOW_MISUSE); /* never scaled */
    assert_int_equal(flow_clock_set_scale(story.world, FLOW_CLOCK_REAL, 2), FLOW_MISUSE);
    story.expect_misuses = story.misuses;
    story_update(&story, 40);
    assert_int_equal(now_us(&story, own, FLOW_UPDATE), 10000);
    assert_int_equal(now_us(&story, FLOW_CLOCK_UNSCALED, FLOW_UPDATE), 40000);
    assert_int_equal(now_us(&story, FLOW_CLOCK_REAL, FLOW_UPDATE), 40000);
    story_end(&story);
}

static void scales_multiply_down_the_tree_and_stay_finite(void **state)
{
    (void)state;
    struct story story;
    story_begin(&story, NULL);
    flow_clock a = flow_clock_create(story.world, FLOW_CLOCK_GAME, "a");
    flow_clock b = flow_clock_create(story.world, a, "b");
    set_scale(&story, FLOW_CLOCK_GAME, 0.5);
    set_scale(&story, a, 4);
    set_scale(&story, b, 0.25);
    assert_true(fabs(flow_clock_effective_scale(story.world, b) - 0.5) < 1e-12);
    assert_int_equal(flow_clock_pause(story.world, a), FLOW_OK);
    assert_true(fabs(flow_clock_effective_scale(story.world, b)) < 1e-12);
    assert_true(fabs(flow_clock_scale(story.world, b) - 0.25) < 1e-12);
    assert_int_equal(flow_clock_release(story.world, a), FLOW_OK);
    set_scale(&story, a, 1e200);
    set_scale(&story, b, 1e200);
    assert_true(isfinite(flow_clock_effective_scale(story.world, b)));
    story_update(&story, 0);
    assert_int_equal(now_us(&story, b, FLOW_UPDATE),
                     0); /* whatever the scale, no time is no time */
    int64_t before = 0;
    for (int i = 0; i < 8; i++) {
        story_update(&story, 10);
        assert_true(now_us(&story, b, FLOW_UPDATE) >= before); /* it saturates and never wraps */
        before = now_us(&story, b, FLOW_UPDATE);
    }
    story_end(&story);
}

/* ---- exactness ---- */

static void thirty_days_of_uptime_lose_nothing(void **state)
{
    (void)state;
    struct story story;
    story_begin(&story, NULL);
    for (int hour = 0; hour < 30 * 24; hour++) {
        story_update(&story, 3600e3);
    }
    assert_int_equal(flow_clock_now_ns(story.world, FLOW_CLOCK_GAME, FLOW_UPDATE),
                     2592000000000000);
    (void)start(&story, "5ms", flow_seconds(0.005));
    for (int i = 0; i < 4; i++) {
        story_update(&story, 1);
        story_expect(&story, "");
    }
    story_update(&story, 1);
    story_expect(&story, "5ms");
    story_end(&story);
}

static void a_tick_of_a_sixtieth_carries_its_remainder(void **state)
{
    (void)state;
    struct story story;
    story_begin(&story, NULL);
    flow_clock third = flow_clock_create(story.world, FLOW_CLOCK_GAME, "third");
    set_scale(&story, third, 1.0 / 3.0);
    for (int i = 0; i < 60 * 600; i++) { /* ten minutes */
        assert_int_equal(flow_world_tick(story.world, FLOW_UPDATE, 1.0 / 60.0), FLOW_OK);
    }
    assert_in_range(flow_clock_now_ns(story.world, FLOW_CLOCK_GAME, FLOW_UPDATE), 599999999999,
                    600000000001);
    assert_in_range(flow_clock_now_ns(story.world, third, FLOW_UPDATE), 199999999999, 200000000001);
    story_end(&story);
}

static void a_clock_that_starts_where_32_bits_of_milliseconds_end_goes_on(void **state)
{
    (void)state;
    struct story story;
    story_begin(&story, NULL);
    story_update(&story, 4294967296.0 - 10); /* B14 */
    (void)start(&story, "50ms", flow_seconds(0.050));
    story_update(&story, 49);
    story_expect(&story, "");
    story_update(&story, 1);
    story_expect(&story, "50ms");
    story_end(&story);
}

struct pulse {
    flow_frame base;
    int n, carry;
    double lateness;
};

FLOW_STATIC(pulse)
{
    FLOW_BEGIN;
    for (self->n = 1; self->n <= 100; self->n++) {
        FLOW_AWAIT(flow_seconds(0.1 - self->lateness));
        self->lateness = self->carry ? flow_lateness(flow) : 0.0;
    }
    story_log(story_of(flow), "%d", (int)(flow_now_ns(flow) / 1000000));
    FLOW_END;
}

static void a_loop_that_carries_its_lateness_keeps_its_pace(void **state)
{
    (void)state;
    struct story story;
    story_begin(&story, NULL);
    (void)FLOW_RUN(story.world, pulse, .carry = 1);
    (void)FLOW_RUN(story.world, pulse, .carry = 0);
    story_frames(&story, 588, 17);
    story_expect(&story, "");
    story_frame(&story, 17); /* 10,013 ms: the first tick at or after 10 s */
    story_expect(&story, "10013");
    story_frames(&story, 11, 17);
    story_expect(&story, "10200"); /* every 0.1 s became six ticks of 17 ms */
    story_end(&story);
}

/* ---- lateness ---- */

struct late {
    flow_frame base;
    const char *name;
    flow_wait wait;
    int index, then_a_tick;
};

FLOW_STATIC(late)
{
    FLOW_BEGIN;
    FLOW_RACE(self->index, self->wait, flow_never());
    if (self->then_a_tick) {
        FLOW_AWAIT(flow_next_tick());
    }
    story_log(story_of(flow), "%s:%d", self->name, (int)(flow_lateness(flow) * 1e6 + 0.5));
    FLOW_END;
}

static void lateness_is_the_flows_own_whoever_elses_timer_ended_meanwhile(void **state)
{
    (void)state;
    struct story story;
    story_begin(&story, NULL);
    (void)FLOW_RUN(story.world, late, .name = "a", .wait = flow_seconds(0.010));
    (void)FLOW_RUN(story.world, late, .name = "b", .wait = flow_seconds(0.015));
    (void)FLOW_RUN(story.world, late, .name = "c", .wait = flow_seconds(0.0175), .then_a_tick = 1);
    (void)start(&story, "x", flow_seconds(0.020));
    (void)start(&story, "y", flow_seconds(0.030));
    story_update(&story, 20);
    story_expect(&story, "x a:10000 b:5000");
    story_update(&story, 20);
    story_expect(&story, "y c:2500");
    (void)FLOW_RUN(story.world, late, .name = "new",
                   .wait = flow_ready()); /* perhaps in the slot of one that was late */
    (void)FLOW_RUN(story.world, late, .name = "tick", .wait = flow_next_tick());
    story_update(&story, 20);
    story_expect(&story, "new:0 tick:0");
    story_end(&story);
}

/* ---- dt that is none ---- */

static void a_negative_or_nan_dt_counts_as_0_with_a_warning(void **state)
{
    (void)state;
    const double bad[] = {-1.0, (double)NAN, -HUGE_VAL, HUGE_VAL};
    for (int i = 0; i < 4; i++) {
        for (int in_tick = 0; in_tick < 2; in_tick++) {
            struct story story;
            story_begin(&story, NULL);
            (void)start(&story, "tick", flow_next_tick());
            (void)start(&story, "timer", flow_seconds(0.001));
            assert_int_equal(flow_world_begin_frame(story.world, in_tick ? 0 : bad[i]), FLOW_OK);
            assert_int_equal(flow_world_tick(story.world, FLOW_UPDATE, in_tick ? bad[i] : 0),
                             FLOW_OK);
            story_expect(&story, "tick");
            assert_int_equal(flow_world_frame(story.world), 1);
            assert_int_equal(now_us(&story, FLOW_CLOCK_REAL, FLOW_UPDATE), 0);
            assert_int_equal(now_us(&story, FLOW_CLOCK_GAME, FLOW_UPDATE), 0);
            assert_int_equal(story.warnings[0], FLOW_WARNING_BAD_DT);
            story.expect_warnings = 1;
            story_update(&story, 1);
            story_expect(&story, "timer");
            story_end(&story);
        }
    }
}

struct looper {
    flow_frame base;
    int *n;
};

FLOW_STATIC(looper)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_AWAIT(flow_seconds(0.050));
        ++*self->n;
    }
    FLOW_END;
}

static void a_hitch_runs_a_loop_of_short_timers_once(void **state)
{
    (void)state;
    struct story story;
    int n = 0;
    story_begin(&story, NULL);
    (void)FLOW_RUN(story.world, looper, .n = &n);
    story_update(&story, 1000); /* B17: once, not 20 times */
    assert_int_equal(n, 1);
    story_update(&story, 49);
    assert_int_equal(n, 1);
    story_update(&story, 1);
    assert_int_equal(n, 2);
    story_end(&story);
}

static void a_fixed_delay_ends_in_the_step_that_reaches_it(void **state)
{
    (void)state;
    struct story story;
    story_begin(&story, NULL);
    flow_options fixed = {.phase = FLOW_FIXED};
    (void)FLOW_RUN_WITH(story.world, &fixed, watch);
    (void)FLOW_RUN_WITH(story.world, &fixed, waiter, .name = "two_steps",
                        .wait = flow_seconds(0.020));
    story_frame(&story, 30); /* B04 */
    story_expect(&story, "10/10/1 two_steps 20/10/2 30/10/3");
    story_end(&story);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_is_kept_per_clock_and_phase),
        cmocka_unit_test(fixed_is_game_time_on_every_clock),
        cmocka_unit_test(a_flow_reads_time_step_and_ticks_of_its_clock_in_its_phase),
        cmocka_unit_test(scenario_3_pause_and_scale),
        cmocka_unit_test(a_timer_is_due_exactly_when_the_integral_of_the_scale_reaches_it),
        cmocka_unit_test(a_bad_scale_is_refused),
        cmocka_unit_test(scales_multiply_down_the_tree_and_stay_finite),
        cmocka_unit_test(thirty_days_of_uptime_lose_nothing),
        cmocka_unit_test(a_tick_of_a_sixtieth_carries_its_remainder),
        cmocka_unit_test(a_clock_that_starts_where_32_bits_of_milliseconds_end_goes_on),
        cmocka_unit_test(a_loop_that_carries_its_lateness_keeps_its_pace),
        cmocka_unit_test(lateness_is_the_flows_own_whoever_elses_timer_ended_meanwhile),
        cmocka_unit_test(a_negative_or_nan_dt_counts_as_0_with_a_warning),
        cmocka_unit_test(a_hitch_runs_a_loop_of_short_timers_once),
        cmocka_unit_test(a_fixed_delay_ends_in_the_step_that_reaches_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
