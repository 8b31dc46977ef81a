/* SPDX-License-Identifier: MIT */
/* Tweens: from exactly 0 to exactly 1, once a tick, on any clock, with any easing. */
#include "flows.h"

#include <math.h>

static void tell(void *arg, double t)
{
    story_log(arg, "%.3f", t);
}

/* Tells exact ends apart from what is nearly there. */
static void tell_ends(void *arg, double t)
{
    story_log(arg, "%s", t == 0.0 ? "0" : t == 1.0 ? "1" : "between");
}

static double over_the_top(double t)
{
    return 5.0 + t;
}

/* Moves something, then says so. */
struct mover {
    flow_frame base;
    double seconds;
    flow_easing ease;
    void (*apply)(void *arg, double t);
    flow_clock clock;
};

FLOW_STATIC(mover)
{
    FLOW_BEGIN;
    FLOW_ON_CLOCK(self->clock, FLOW_CALL(flow_tween, .seconds = self->seconds, .ease = self->ease,
                                         .apply = self->apply, .arg = story_of(flow)));
    story_log(story_of(flow), "there");
    FLOW_FINALLY;
    story_log(story_of(flow), "left");
    FLOW_END;
}

static void a_tween_tells_0_at_once_its_part_in_each_tick_and_1_at_the_end(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, mover, .seconds = 0.1, .apply = tell);
    story_expect(&s, "0.000");
    story_frames(&s, 3, 25);
    story_expect(&s, "0.250 0.500 0.750");
    story_frame(&s, 25);
    story_expect(&s, "1.000 there left");
    (void)FLOW_RUN(s.world, mover, .seconds = 0.1, .apply = tell);
    story_frames(&s, 2, 70); /* beyond its end */
    story_expect(&s, "0.000 0.700 1.000 there left");
    story_end(&s);
}

static void its_ends_are_exact_whatever_the_easing_says(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, mover, .seconds = 0.3, .apply = tell_ends, .ease = over_the_top);
    story_frames(&s, 3, 100);
    story_expect(&s, "0 between between 1 there left");
    story_end(&s);
}

static void no_time_at_all_ends_in_the_next_tick(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, mover, .seconds = 0, .apply = tell_ends);
    (void)FLOW_RUN(s.world, mover, .seconds = -3, .apply = tell_ends);
    story_expect(&s, "0 0");
    story_frame(&s, 0);
    story_expect(&s, "1 1 there left there left");
    story_end(&s);
}

static void it_goes_with_its_clock_and_stops_with_its_pause(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, mover, .seconds = 0.2, .apply = tell); /* the flow's own: game */
    assert_int_equal(flow_clock_set_scale(s.world, FLOW_CLOCK_GAME, 0.5), FLOW_OK);
    story_frame(&s, 100);
    story_expect(&s, "0.000 0.250");
    assert_int_equal(flow_clock_set_scale(s.world, FLOW_CLOCK_GAME, 0), FLOW_OK);
    story_frame(&s, 100);
    story_expect(&s, "0.250"); /* told again: scale 0 counts ticks */
    assert_int_equal(flow_clock_pause(s.world, FLOW_CLOCK_GAME), FLOW_OK);
    story_frame(&s, 100);
    story_expect(&s, "");
    assert_int_equal(flow_clock_release(s.world, FLOW_CLOCK_GAME), FLOW_OK);
    assert_int_equal(flow_clock_set_scale(s.world, FLOW_CLOCK_GAME, 2), FLOW_OK);
    story_frame(&s, 50);
    story_expect(&s, "0.750");
    story_frame(&s, 50);
    story_expect(&s, "1.000 there left");
    story_end(&s);
}

static void a_menu_fades_while_the_game_is_paused(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN_WITH(s.world, FLOW_OPTIONS(.clock = FLOW_CLOCK_UNSCALED), mover, .seconds = 0.2,
                        .apply = tell);
    assert_int_equal(flow_clock_pause(s.world, FLOW_CLOCK_GAME), FLOW_OK);
    story_frames(&s, 2, 100);
    story_expect(&s, "0.000 0.500 1.000 there left");
    story_end(&s);
}

static void cancelled_it_stops_where_it_is(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle h = FLOW_RUN(s.world, mover, .seconds = 0.4, .apply = tell);
    story_frame(&s, 100);
    assert_int_equal(flow_cancel(s.world, h), FLOW_OK);
    story_frame(&s, 100);
    story_expect(&s, "0.000 0.250 left");
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

static void nan_and_no_apply_are_misuse(void **state)
{
    struct story s;
    double zero = 0.0;
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, mover, .seconds = zero / zero, .apply = tell);
    (void)FLOW_RUN(s.world, mover, .seconds = 1);
    story_expect(&s, "left left");
    assert_int_equal(s.failures[0].failure.code, FLOW_MISUSE);
    assert_int_equal(s.failures[1].failure.code, FLOW_MISUSE);
    s.expect_failures = 2;
    s.expect_misuses = 2;
    story_end(&s);
}

/* ---- easings ---- */

static int near(double a, double b)
{
    return fabs(a - b) < 1e-12;
}

static void easings_go_from_0_to_1(void **state)
{
    static const flow_easing all[] = {
        flow_ease_in_quad,   flow_ease_out_quad,     flow_ease_in_out_quad, flow_ease_in_cubic,
        flow_ease_out_cubic, flow_ease_in_out_cubic, flow_ease_smooth,      flow_ease_in_back,
        flow_ease_out_back,  flow_ease_out_bounce};
    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        assert_true(near(all[i](0.0), 0.0));
        assert_true(near(all[i](1.0), 1.0));
        for (int k = 1; k <= 10000; k++) { /* no jump anywhere */
            assert_true(fabs(all[i](k * 1e-4) - all[i]((k - 1) * 1e-4)) < 1e-3);
        }
    }
}

static void easings_have_the_shape_that_their_name_says(void **state)
{
    double least = 0.0, most = 1.0;
    (void)state;
    for (int k = 0; k <= 1000; k++) {
        double t = k * 1e-3;
        assert_true(near(flow_ease_in_quad(t), t * t));
        assert_true(near(flow_ease_in_cubic(t), t * t * t));
        assert_true(near(flow_ease_out_quad(t), 1.0 - flow_ease_in_quad(1.0 - t)));
        assert_true(near(flow_ease_out_cubic(t), 1.0 - flow_ease_in_cubic(1.0 - t)));
        assert_true(near(flow_ease_in_out_quad(t), 1.0 - flow_ease_in_out_quad(1.0 - t)));
        assert_true(near(flow_ease_in_out_cubic(t), 1.0 - flow_ease_in_out_cubic(1.0 - t)));
        assert_true(near(flow_ease_smooth(t), 1.0 - flow_ease_smooth(1.0 - t)));
        least = flow_ease_in_back(t) < least ? flow_ease_in_back(t) : least;
        most = flow_ease_out_back(t) > most ? flow_ease_out_back(t) : most;
    }
    assert_true(fabs(least + 0.1) < 1e-3); /* a tenth beyond */
    assert_true(fabs(most - 1.1) < 1e-3);
    assert_true(near(flow_ease_in_out_quad(0.25), 0.125));
    assert_true(near(flow_ease_in_out_cubic(0.25), 0.0625));
    for (int k = 1; k <= 3; k++) { /* it touches the floor, and rises to a quarter each time */
        static const double touches[] = {1.0 / 2.75, 2.0 / 2.75, 2.5 / 2.75};
        static const double heights[] = {1.0 / 4, 1.0 / 16, 1.0 / 64};
        static const double tops[] = {1.5 / 2.75, 2.25 / 2.75, 2.625 / 2.75};
        assert_true(near(flow_ease_out_bounce(touches[k - 1]), 1.0));
        assert_true(near(1.0 - flow_ease_out_bounce(tops[k - 1]), heights[k - 1]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tween_tells_0_at_once_its_part_in_each_tick_and_1_at_the_end),
        cmocka_unit_test(its_ends_are_exact_whatever_the_easing_says),
        cmocka_unit_test(no_time_at_all_ends_in_the_next_tick),
        cmocka_unit_test(it_goes_with_its_clock_and_stops_with_its_pause),
        cmocka_unit_test(a_menu_fades_while_the_game_is_paused),
        cmocka_unit_test(cancelled_it_stops_where_it_is),
        cmocka_unit_test(nan_and_no_apply_are_misuse),
        cmocka_unit_test(easings_go_from_0_to_1),
        cmocka_unit_test(easings_have_the_shape_that_their_name_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
