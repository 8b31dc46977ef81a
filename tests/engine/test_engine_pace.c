/* SPDX-License-Identifier: MIT */
/*
 * Pacing on a virtual clock: absolute deadlines.
 */
#include "test_fixture.h"

/* An engine with a cap, on a virtual clock. */
static struct engine *create_capped(struct virtual_time *time, double cap)
{
    struct engine_desc desc = {.no_audio = true,
                               .frame_cap = cap,
                               .time = {.now = virtual_now, .sleep = virtual_sleep, .user = time}};
    return create_engine(&desc);
}

static void six_hundred_frames_at_60_take_ten_seconds(void **state)
{
    struct virtual_time time = {.now = 0};
    struct engine *engine = create_capped(&time, 60.0);
    (void)state;
    for (int i = 0; i < 600; i++) {
        run_frame(engine, &time, i % 7); /* work of 0 to 6 ms */
    }
    assert_int_equal(time.now, 600 * INT64_C(16666667));
    assert_int_equal(time.sleeps, 600);
    engine_destroy(engine);
}

static void a_late_frame_does_not_shift_later_ones(void **state)
{
    struct virtual_time time = {.now = 0};
    struct engine *engine = create_capped(&time, 100.0);
    (void)state;
    run_frame(engine, &time, 0);
    assert_int_equal(time.now, 10 * MS);
    run_frame(engine, &time, 13); /* to 23: 3 late */
    assert_int_equal(time.now, 23 * MS);
    run_frame(engine, &time, 1);
    assert_int_equal(time.now, 30 * MS);
    run_frame(engine, &time, 47); /* to 77: whole periods are skipped, the grid stays */
    assert_int_equal(time.now, 77 * MS);
    run_frame(engine, &time, 1);
    assert_int_equal(time.now, 80 * MS);
    run_frame(engine, &time, 1);
    assert_int_equal(time.now, 90 * MS);
    engine_destroy(engine);
}

static void headless_without_a_cap_never_waits(void **state)
{
    struct virtual_time time = {.now = 0};
    struct engine *engine = create_capped(&time, 0.0);
    (void)state;
    for (int i = 0; i < 120; i++) {
        run_frame(engine, &time, 1);
    }
    assert_int_equal(time.sleeps, 0);
    assert_int_equal(time.now, 120 * MS);
    assert_int_equal(engine_frame_number(engine), 120);
    engine_destroy(engine);
}

static void waiting_counts_as_wait_and_not_as_work(void **state)
{
    struct virtual_time time = {.now = 0};
    struct engine *engine = create_capped(&time, 100.0);
    const struct engine_frame_stats *stats;
    (void)state;
    run_frame(engine, &time, 4);
    stats = engine_stats_recent(engine_get_stats(engine), 0);
    assert_int_equal(stats->wait_ns, 6 * MS);
    assert_int_equal(stats->phase_ns[ENGINE_PHASE_PACE], 6 * MS);
    assert_int_equal(stats->work_ns, 0); /* the 4 ms passed between the frames */
    assert_int_equal(stats->total_ns, 6 * MS);
    engine_destroy(engine);
}

static void spend(struct engine *engine, void *user, const struct engine_frame *frame)
{
    (void)engine;
    (void)frame;
    ((struct virtual_time *)user)->now += 3 * MS;
}

static void phases_add_up_to_the_frame_and_callbacks_are_measured(void **state)
{
    struct virtual_time time = {.now = 0};
    struct engine *engine = create_capped(&time, 50.0);
    const struct engine_frame_stats *stats;
    struct engine_callback_stats cost;
    (void)state;
    assert_true(engine_on(engine, ENGINE_PHASE_UPDATE, spend, &time, "spend"));
    assert_true(engine_on(engine, ENGINE_PHASE_RENDER, spend, &time, "draw"));
    run_frame(engine, &time, 0);
    stats = engine_stats_recent(engine_get_stats(engine), 0);
    assert_int_equal(stats->phase_ns[ENGINE_PHASE_UPDATE], 3 * MS);
    assert_int_equal(stats->phase_ns[ENGINE_PHASE_RENDER], 3 * MS);
    assert_int_equal(stats->work_ns, 6 * MS);
    assert_int_equal(stats->wait_ns, 14 * MS);
    assert_int_equal(stats->total_ns, 20 * MS);
    assert_true(engine_get_callback_stats(engine, 0, &cost));
    assert_string_equal(cost.name, "spend");
    assert_int_equal(cost.frame_ns, 3 * MS);
    run_frame(engine, &time, 0);
    assert_true(engine_get_callback_stats(engine, 0, &cost));
    assert_int_equal(cost.frame_ns, 3 * MS);
    assert_int_equal(cost.total_ns, 6 * MS);
    engine_destroy(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(six_hundred_frames_at_60_take_ten_seconds),
        cmocka_unit_test(a_late_frame_does_not_shift_later_ones),
        cmocka_unit_test(headless_without_a_cap_never_waits),
        cmocka_unit_test(waiting_counts_as_wait_and_not_as_work),
        cmocka_unit_test(phases_add_up_to_the_frame_and_callbacks_are_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
