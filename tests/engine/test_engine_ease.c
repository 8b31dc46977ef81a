/* SPDX-License-Identifier: MIT */
/*
 * Easing: every curve from 0 to 1, what each does on the way, and a value that moves along one.
 */
#include <math.h>

#include "test_fixture.h"

enum { PARTS = 1000 };

static engine_ease *const curves[] = {engine_ease_in_out, engine_ease_in_cubic,
                                      engine_ease_out_cubic, engine_ease_out_back,
                                      engine_ease_out_elastic};
enum { CURVES = sizeof curves / sizeof curves[0] };

static float at(int part)
{
    return (float)part / PARTS;
}

static void curves_go_from_0_to_1_and_know_nothing_beyond(void **state)
{
    (void)state;
    for (int i = 0; i < CURVES; i++) {
        assert_true(fabsf(curves[i](0.0f)) < 1e-6f);
        assert_true(curves[i](1.0f) == 1.0f);
        assert_true(curves[i](-3.0f) == curves[i](0.0f));
        assert_true(curves[i](7.0f) == 1.0f);
        assert_true(curves[i](NAN) == curves[i](0.0f));
    }
}

static void three_of_them_never_turn_back_and_lie_where_they_should(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        for (int part = 1; part <= PARTS; part++) {
            assert_true(curves[i](at(part)) >= curves[i](at(part - 1)));
        }
    }
    assert_true(engine_ease_in_out(0.5f) == 0.5f);
    assert_true(engine_ease_in_cubic(0.5f) == 0.125f);
    assert_true(engine_ease_out_cubic(0.5f) == 0.875f);
}

static float highest(engine_ease *curve)
{
    float most = 0.0f;
    for (int part = 0; part <= PARTS; part++) {
        most = fmaxf(most, curve(at(part)));
    }
    return most;
}

static void back_goes_a_tenth_beyond_and_elastic_swings_around_its_end(void **state)
{
    int crossings = 0;
    (void)state;
    assert_true(fabsf(highest(engine_ease_out_back) - 1.1f) < 0.001f);
    for (int part = 1; part < PARTS; part++) {
        bool before = engine_ease_out_elastic(at(part - 1)) > 1.0f;
        bool after = engine_ease_out_elastic(at(part)) > 1.0f;
        crossings += before != after;
    }
    assert_int_equal(crossings, 6); /* three swings, and never beyond twice the way */
    assert_true(highest(engine_ease_out_elastic) < 2.0f);
}

static void a_tween_moves_by_what_time_passes_and_stays_at_its_end(void **state)
{
    struct engine_tween tween = {.from = 10.0f, .to = 20.0f, .seconds = 2.0f};
    (void)state;
    assert_true(engine_tween_step(&tween, 0.5f) == 12.5f);
    assert_false(engine_tween_done(&tween));
    assert_true(engine_tween_step(&tween, -1.0f) == 12.5f); /* time does not go back */
    assert_true(engine_tween_step(&tween, 0.5f) == 15.0f);
    tween.ease = engine_ease_in_cubic;
    assert_true(engine_tween_step(&tween, 0.0f) == 11.25f);
    assert_true(engine_tween_step(&tween, 5.0f) == 20.0f);
    assert_true(engine_tween_done(&tween));
    assert_true(engine_tween_step(&tween, 5.0f) == 20.0f);
}

static void a_tween_of_no_time_is_there_at_once(void **state)
{
    struct engine_tween tween = {.from = 1.0f, .to = 2.0f};
    (void)state;
    assert_true(engine_tween_done(&tween));
    assert_true(engine_tween_step(&tween, 0.0f) == 2.0f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curves_go_from_0_to_1_and_know_nothing_beyond),
        cmocka_unit_test(three_of_them_never_turn_back_and_lie_where_they_should),
        cmocka_unit_test(back_goes_a_tenth_beyond_and_elastic_swings_around_its_end),
        cmocka_unit_test(a_tween_moves_by_what_time_passes_and_stays_at_its_end),
        cmocka_unit_test(a_tween_of_no_time_is_there_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
