/* SPDX-License-Identifier: MIT */
/* Timers for hosts: they go off once or again and again, begin anew, stop, and survive a callback
 * that fails. */
#include "flows.h"

#include <string.h>

/* What a callback is told to do. */
struct bell {
    struct story *story;
    flow_timer timer;
    int code;    /* returns it */
    int stops;   /* stops its timer */
    int restart; /* restarts it that many times */
};

static int rings(void *arg, uint64_t count)
{
    struct bell *bell = arg;
    story_log(bell->story, "%d@%.0f", (int)count,
              flow_clock_now(bell->story->world, FLOW_CLOCK_UNSCALED, FLOW_UPDATE) * 1000.0);
    if (bell->stops) {
        flow_timer_stop(&bell->timer);
        story_log(bell->story, "stopped:%d", flow_timer_runs(&bell->timer));
    }
    if (bell->restart > 0) {
        bell->restart--;
        assert_int_equal(flow_timer_restart(&bell->timer), FLOW_OK);
    }
    return bell->code;
}

static void bell_begin(struct bell *bell, struct story *story, double seconds, int periodic)
{
    flow_timer_desc desc = {
        .seconds = seconds, .periodic = periodic, .callback = rings, .arg = bell};
    bell->story = story;
    assert_int_equal(flow_timer_start(&bell->timer, story->world, &desc), FLOW_OK);
}

static void updates(struct story *s, int count, double ms)
{
    while (count-- > 0) {
        story_update(s, ms);
    }
}

static void a_timer_goes_off_once(void **state)
{
    struct story s;
    struct bell bell = {0};
    (void)state;
    story_begin(&s, NULL);
    bell_begin(&bell, &s, 0.05, 0);
    assert_int_equal(flow_timer_runs(&bell.timer), 1);
    updates(&s, 10, 20);
    story_expect(&s, "1@60");
    assert_int_equal(flow_timer_runs(&bell.timer), 0);
    flow_timer_stop(&bell.timer);
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

static void a_periodic_timer_keeps_its_grid_and_counts_a_hitch(void **state)
{
    struct story s;
    struct bell bell = {0};
    (void)state;
    story_begin(&s, NULL);
    bell_begin(&bell, &s, 0.05, 1);
    updates(&s, 6, 20);
    updates(&s, 1, 180);
    updates(&s, 1, 49);
    updates(&s, 1, 1);
    story_expect(&s, "1@60 1@100 4@300 1@350");
    story_end(&s);
}

static void a_restarted_timer_begins_anew(void **state)
{
    struct story s;
    struct bell bell = {0};
    (void)state;
    story_begin(&s, NULL);
    bell_begin(&bell, &s, 0.05, 0);
    updates(&s, 2, 20);
    assert_int_equal(flow_timer_restart(&bell.timer), FLOW_OK);
    updates(&s, 2, 20);
    story_expect(&s, "");
    updates(&s, 5, 20);
    story_expect(&s, "1@100");
    assert_int_equal(flow_timer_restart(&bell.timer), FLOW_OK); /* after it went off, too */
    updates(&s, 3, 20);
    story_expect(&s, "1@240");
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

static void a_stopped_timer_calls_no_more(void **state)
{
    struct story s;
    struct bell bell = {0};
    (void)state;
    story_begin(&s, NULL);
    bell_begin(&bell, &s, 0.05, 1);
    updates(&s, 3, 20);
    flow_timer_stop(&bell.timer);
    flow_timer_stop(&bell.timer);
    story_alive(&s, 0, 0, 0);
    updates(&s, 9, 20);
    story_expect(&s, "1@60");
    story_end(&s);
}

static void a_callback_that_fails_is_reported_and_stops_nothing(void **state)
{
    struct story s; /* P16 */
    struct bell bell = {.code = 42};
    (void)state;
    story_begin(&s, NULL);
    bell_begin(&bell, &s, 0.1, 1);
    updates(&s, 3, 100);
    story_expect(&s, "1@100 1@200 1@300");
    assert_int_equal(s.failure_count, 3);
    assert_int_equal(s.failures[2].failure.code, 42);
    assert_int_equal(s.failures[2].failure.kind, FLOW_FAILURE_UNHANDLED);
    assert_string_equal(s.failures[2].path, "timer");
    assert_int_equal(flow_timer_runs(&bell.timer), 1);
    s.expect_failures = 3;
    story_end(&s);
}

static void a_callback_may_stop_and_restart_its_own_timer(void **state)
{
    struct story s;
    struct bell once = {.restart = 2}, beat = {.restart = 1}, last = {.stops = 1};
    (void)state;
    story_begin(&s, NULL);
    bell_begin(&once, &s, 0.1, 0);
    updates(&s, 5, 100);
    story_expect(&s, "1@100 1@200 1@300");
    bell_begin(&beat, &s, 0.1, 1);
    updates(&s, 3, 100);
    story_expect(&s, "1@600 1@700 1@800");
    flow_timer_stop(&beat.timer);
    bell_begin(&last, &s, 0.1, 1);
    updates(&s, 3, 100);
    story_expect(&s, "1@900 stopped:0");
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

static void a_timer_lives_in_phase_and_on_clock_and_ends_with_its_owner(void **state)
{
    struct story s;
    struct bell bell = {0};
    char text[1024];
    (void)state;
    story_begin(&s, NULL);
    bell.story = &s;
    flow_handle level = flow_group_create(s.world, &(flow_group_desc){.name = "level"});
    flow_timer_desc desc = {.seconds = 0.1,
                            .periodic = 1,
                            .callback = rings,
                            .arg = &bell,
                            .name = "autosave",
                            .owner = level,
                            .phase = FLOW_LATE,
                            .clock = FLOW_CLOCK_UNSCALED};
    assert_int_equal(flow_timer_start(&bell.timer, s.world, &desc), FLOW_OK);
    assert_int_equal(flow_clock_pause(s.world, FLOW_CLOCK_GAME), FLOW_OK);
    (void)flow_world_dump_text(s.world, text, sizeof text);
    assert_non_null(strstr(text, "autosave"));
    assert_non_null(strstr(text, "[late, unscaled]"));
    story_frame(&s, 100);
    story_expect(&s, "1@100");
    assert_int_equal(flow_cancel(s.world, level), FLOW_OK);
    assert_int_equal(flow_timer_runs(&bell.timer), 0);
    assert_int_equal(flow_timer_restart(&bell.timer), FLOW_STALE);
    assert_int_equal(flow_timer_runs(&bell.timer), 0);
    story_end(&s);
}

static void what_is_no_timer_is_refused(void **state)
{
    struct story s;
    flow_timer timer = {0};
    struct bell bell = {0};
    double zero = 0.0;
    (void)state;
    story_begin(&s, NULL);
    bell.story = &s;
    const flow_timer_desc descs[] = {
        {.seconds = 1},
        {.seconds = zero / zero, .callback = rings},
        {.seconds = 0, .periodic = 1, .callback = rings},
        {.seconds = 1, .callback = rings, .phase = FLOW_PHASE_LIMIT},
        {.seconds = 1, .callback = rings, .clock = 77},
    };
    for (int i = 0; i < 5; i++) {
        assert_int_equal(flow_timer_start(&timer, s.world, &descs[i]), FLOW_MISUSE);
        assert_int_equal(flow_timer_runs(&timer), 0);
    }
    flow_timer never = {0};
    assert_int_equal(flow_timer_restart(&never), FLOW_MISUSE);
    flow_timer_stop(&never);
    assert_int_equal(flow_timer_runs(&never), 0);
    bell_begin(&bell, &s, -1, 0); /* the next tick */
    updates(&s, 1, 10);
    story_expect(&s, "1@10");
    s.expect_misuses = STORY_MISUSES(6);
    story_end(&s);
}

static void without_memory_a_timer_says_so(void **state)
{
    (void)state;
    for (long at = 1, failed = 1; failed; at++) {
        struct story s;
        struct bell bells[40];
        memset(bells, 0, sizeof bells);
        story_begin(&s, NULL);
        s.fail_at = s.calls + at;
        failed = 0;
        for (int i = 0; i < 40; i++) {
            flow_timer_desc desc = {
                .seconds = 0.1, .periodic = 1, .callback = rings, .arg = &bells[i], .name = "bell"};
            bells[i].story = &s;
            flow_status status = flow_timer_start(&bells[i].timer, s.world, &desc);
            assert_true(status == FLOW_OK || status == FLOW_NOMEM);
            assert_int_equal(flow_timer_runs(&bells[i].timer), status == FLOW_OK);
            failed += status != FLOW_OK;
        }
        story_update(&s, 100);
        for (int i = 0; i < 40; i++) {
            flow_timer_stop(&bells[i].timer);
        }
        story_alive(&s, 0, 0, 0);
        s.expect_failures = s.failure_count;
        s.fail_at = 0;
        story_end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_timer_goes_off_once),
        cmocka_unit_test(a_periodic_timer_keeps_its_grid_and_counts_a_hitch),
        cmocka_unit_test(a_restarted_timer_begins_anew),
        cmocka_unit_test(a_stopped_timer_calls_no_more),
        cmocka_unit_test(a_callback_that_fails_is_reported_and_stops_nothing),
        cmocka_unit_test(a_callback_may_stop_and_restart_its_own_timer),
        cmocka_unit_test(a_timer_lives_in_phase_and_on_clock_and_ends_with_its_owner),
        cmocka_unit_test(what_is_no_timer_is_refused),
        cmocka_unit_test(without_memory_a_timer_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
