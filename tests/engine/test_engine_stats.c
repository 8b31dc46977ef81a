/* SPDX-License-Identifier: MIT */
/*
 * Statistics: percentiles by nearest rank, the ring of recent frames, the report.
 */
#include "test_fixture.h"

static void add(struct engine_stats *stats, int64_t work, int64_t wait)
{
    struct engine_frame_stats frame = {.number = (uint64_t)engine_stats_count(stats) + 1,
                                       .real_ns = work + wait,
                                       .used_ns = work + wait,
                                       .work_ns = work,
                                       .wait_ns = wait,
                                       .total_ns = work + wait,
                                       .steps = 1};
    engine_stats_add(stats, &frame);
}

static int64_t work(const struct engine_stats *stats, double p)
{
    return engine_stats_percentile(stats, ENGINE_SERIES_WORK, p);
}

static void empty_statistics_say_0(void **state)
{
    struct engine_stats *stats = engine_stats_create();
    (void)state;
    assert_int_equal(engine_stats_count(stats), 0);
    assert_int_equal(work(stats, 0.5), 0);
    assert_int_equal(engine_stats_max(stats, ENGINE_SERIES_TOTAL), 0);
    assert_int_equal(engine_stats_recent_percentile(stats, ENGINE_SERIES_WORK, 0.5), 0);
    assert_null(engine_stats_recent(stats, 0));
    engine_stats_destroy(stats);
    engine_stats_destroy(NULL);
}

static void percentiles_are_nearest_ranks(void **state)
{
    struct engine_stats *stats = engine_stats_create();
    (void)state;
    for (int i = 100; i >= 1; i--) {
        add(stats, i, 200);
    }
    assert_int_equal(work(stats, 0.0), 1);
    assert_int_equal(work(stats, 0.5), 50);
    assert_int_equal(work(stats, 0.501), 51);
    assert_int_equal(work(stats, 0.95), 95);
    assert_int_equal(work(stats, 0.99), 99);
    assert_int_equal(work(stats, 1.0), 100);
    assert_int_equal(engine_stats_percentile(stats, ENGINE_SERIES_TOTAL, 0.5), 250);
    assert_int_equal(engine_stats_max(stats, ENGINE_SERIES_TOTAL), 300);
    assert_int_equal(engine_stats_recent_percentile(stats, ENGINE_SERIES_WORK, 0.95), 95);
    engine_stats_destroy(stats);
}

static void one_hitch_among_300_frames_shows_in_the_maximum(void **state)
{
    struct engine_stats *stats = engine_stats_create();
    (void)state;
    for (int i = 0; i < 300; i++) {
        add(stats, i == 150 ? 120 * MS : 16 * MS, 0);
    }
    assert_int_equal(engine_stats_max(stats, ENGINE_SERIES_WORK), 120 * MS);
    assert_int_equal(work(stats, 1.0), 120 * MS);
    assert_in_range(work(stats, 0.99), 16 * MS, 16 * MS + 16 * MS / 250);
    assert_int_equal(engine_stats_recent_percentile(stats, ENGINE_SERIES_WORK, 0.99), 16 * MS);
    engine_stats_reset(stats);
    assert_int_equal(engine_stats_count(stats), 0);
    assert_int_equal(engine_stats_max(stats, ENGINE_SERIES_WORK), 0);
    engine_stats_destroy(stats);
}

static void percentiles_are_at_most_four_in_a_thousand_too_large(void **state)
{
    (void)state;
    for (int64_t value = 1; value < INT64_MAX / 3; value = value * 3 / 2 + 1) {
        struct engine_stats *stats = engine_stats_create();
        add(stats, value, 0);
        add(stats, value * 2, 0);
        assert_true(work(stats, 0.5) >= value);
        assert_true(work(stats, 0.5) - value <= value / 250);
        assert_int_equal(work(stats, 1.0), value * 2);
        engine_stats_destroy(stats);
    }
}

static void the_last_240_frames_are_kept_whole(void **state)
{
    struct engine_stats *stats = engine_stats_create();
    (void)state;
    for (int i = 1; i <= 1000; i++) {
        add(stats, i, 0);
    }
    assert_int_equal(engine_stats_count(stats), 1000);
    assert_int_equal(engine_stats_recent(stats, 0)->work_ns, 1000);
    assert_int_equal(engine_stats_recent(stats, 239)->work_ns, 761);
    assert_int_equal(engine_stats_recent(stats, 239)->number, 761);
    assert_null(engine_stats_recent(stats, 240));
    assert_null(engine_stats_recent(stats, -1));
    assert_int_equal(engine_stats_recent_percentile(stats, ENGINE_SERIES_WORK, 0.5), 880);
    engine_stats_destroy(stats);
}

static void the_report_says_frames_percentiles_and_phases(void **state)
{
    struct engine_stats *stats = engine_stats_create();
    FILE *file = tmpfile();
    char text[1024] = "";
    (void)state;
    assert_non_null(file);
    for (int i = 0; i < 60; i++) {
        add(stats, 0, 16 * MS);
    }
    assert_true(engine_stats_report(stats, file));
    (void)rewind(file);
    assert_true(fread(text, 1, sizeof text - 1, file) > 0);
    (void)fclose(file);
    assert_non_null(strstr(text, "frames 60: 0.960 s, 0.000 s of it dropped; 60 fixed steps"));
    assert_non_null(
        strstr(text, "total  p50   16.000  p95   16.000  p99   16.000  max   16.000 ms\n"));
    assert_non_null(strstr(text, "mean of the last 60, ms: begin 0.000 early 0.000 fixed 0.000"));
    engine_stats_destroy(stats);
}

static void an_engine_adds_each_frame(void **state)
{
    struct engine *engine = create_plain_engine();
    const struct engine_frame_stats *last;
    (void)state;
    for (int i = 0; i < 5; i++) {
        engine_iterate(engine);
    }
    assert_int_equal(engine_stats_count(engine_get_stats(engine)), 5);
    last = engine_stats_recent(engine_get_stats(engine), 0);
    assert_int_equal(last->number, 5);
    assert_int_equal(last->steps, 1);
    assert_int_equal(last->real_ns, 16666667);
    assert_int_equal(last->used_ns, 16666667);
    assert_int_equal(last->work_ns + last->wait_ns, last->total_ns);
    engine_destroy(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_statistics_say_0),
        cmocka_unit_test(percentiles_are_nearest_ranks),
        cmocka_unit_test(one_hitch_among_300_frames_shows_in_the_maximum),
        cmocka_unit_test(percentiles_are_at_most_four_in_a_thousand_too_large),
        cmocka_unit_test(the_last_240_frames_are_kept_whole),
        cmocka_unit_test(the_report_says_frames_percentiles_and_phases),
        cmocka_unit_test(an_engine_adds_each_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
