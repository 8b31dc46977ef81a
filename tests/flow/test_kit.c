/* SPDX-License-Identifier: MIT */
/* The test kit: virtual time, reports that fail a test unless accepted, questions to the tree. */
#include "flow/test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "flow/flow.h"

/* What a kit's test under test said. */
struct heard {
    int errors;
    int line;
    char message[512];
    char dump[4096];
    int host_failures, host_warnings; /* of the world's own callbacks */
};

static void hear_error(void *user, const char *message, const char *file, int line)
{
    struct heard *heard = user;
    assert_string_equal(file, __FILE__);
    heard->errors++;
    heard->line = line;
    (void)snprintf(heard->message, sizeof heard->message, "%s", message);
}

static void hear_dump(void *user, const char *text, size_t length)
{
    struct heard *heard = user;
    size_t used = strlen(heard->dump);
    (void)snprintf(heard->dump + used, sizeof heard->dump - used, "%.*s", (int)length, text);
}

static void hear_failure(void *user, const flow_failure *failure)
{
    (void)failure;
    ((struct heard *)user)->host_failures++;
}

static void hear_warning(void *user, const flow_warning *warning)
{
    (void)warning;
    ((struct heard *)user)->host_warnings++;
}

static void begin(flow_test *test, struct heard *heard)
{
    flow_world_desc world = {.on_failure = hear_failure, .on_warning = hear_warning, .user = heard};
    *heard = (struct heard){0};
    assert_int_equal(
        flow_test_begin(
            test, (&(flow_test_desc){
                      .world = &world, .on_error = hear_error, .sink = hear_dump, .user = heard})),
        1);
}

/* Ends a test that must pass, after so many errors. */
static void end(flow_test *test, const struct heard *heard, int errors)
{
    assert_int_equal(flow_test_end(test), 1);
    assert_int_equal(heard->errors, errors);
    assert_null(test->world);
}

struct sleeper {
    flow_frame base;
    double seconds;
    int fail;
};

FLOW_STATIC(sleeper)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_seconds(self->seconds));
    if (self->fail != 0) {
        FLOW_FAIL(self->fail, "overslept");
    }
    FLOW_END;
}

struct in_game {
    flow_frame base;
    int winner;
};

FLOW_STATIC(in_game)
{
    FLOW_BEGIN;
    (void)FLOW_SPAWN(sleeper, .seconds = 5.0);
    FLOW_RACE(self->winner, flow_seconds(2.0), flow_never());
    FLOW_END;
}

struct game {
    flow_frame base;
};

FLOW_STATIC(game)
{
    FLOW_BEGIN;
    FLOW_AWAIT(FLOW_CALL(in_game));
    FLOW_END;
}

/* Counts its ticks. */
struct counter {
    flow_frame base;
    int *count;
};

FLOW_STATIC(counter)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_AWAIT(flow_next_tick());
        ++*self->count;
    }
    FLOW_END;
}

/* ---- begin and end ---- */

static void a_test_that_leaves_nothing_passes(void **state)
{
    (void)state;
    flow_test test;
    struct heard heard;
    begin(&test, &heard);
    flow_handle flow = FLOW_RUN(test.world, sleeper, .seconds = 0.5);
    assert_int_equal(flow_test_run_until_done(test.world, flow, 1.0), 1);
    end(&test, &heard, 0);
    assert_string_equal(heard.dump, "");
}

static void a_left_flow_fails_the_test_with_a_dump(void **state)
{
    (void)state;
    flow_test test;
    struct heard heard;
    begin(&test, &heard);
    (void)FLOW_RUN(test.world, sleeper, .seconds = 0.5);
    assert_int_equal(flow_test_end(&test), 0);
    assert_int_equal(heard.line, __LINE__ - 1);
    assert_int_equal(heard.errors, 1);
    assert_string_equal(heard.message, "at its end: 1 live flows, 0 reports not accepted");
    assert_non_null(strstr(heard.dump, "sleeper #"));
}

static void a_left_report_fails_the_test_with_its_text(void **state)
{
    (void)state;
    flow_test test;
    struct heard heard;
    begin(&test, &heard);
    flow_handle flow = FLOW_RUN(test.world, sleeper, .fail = 7);
    assert_int_equal(flow_test_run_until_done(test.world, flow, 1.0), 1);
    assert_int_equal(heard.errors, 0);
    assert_int_equal(flow_test_end(&test), 0);
    assert_int_equal(heard.errors, 1);
    assert_non_null(strstr(heard.message, "0 live flows, 1 reports not accepted, first: sleeper "
                                          "failed with 7: overslept, at "));
    assert_non_null(strstr(heard.message, "(unhandled)"));
}

struct long_goodbye {
    flow_frame base;
};

FLOW_STATIC(long_goodbye)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_never());
    FLOW_FINALLY;
    FLOW_AWAIT(flow_next_tick());
    FLOW_END;
}

static void what_the_end_of_the_world_reports_fails_the_test(void **state)
{
    (void)state;
    flow_test test;
    struct heard heard;
    begin(&test, &heard);
    (void)FLOW_RUN(test.world, long_goodbye);
    assert_int_equal(flow_test_end(&test), 0);
    assert_non_null(strstr(heard.message, "1 live flows, 1 reports not accepted, first: warning: "
                                          "destroying the world cut"));
}

static void a_test_without_memory_for_a_world_fails_at_its_begin(void **state)
{
    (void)state;
    flow_test test;
    struct heard heard = {0};
    flow_world_desc world = {.byte_budget = 1};
    flow_test_desc desc = {.world = &world, .on_error = hear_error, .user = &heard};
    assert_int_equal(flow_test_begin(&test, &desc), 0);
    assert_int_equal(heard.errors, 1);
    assert_null(test.world);
}

/* ---- reports ---- */

static void an_accepted_failure_passes_and_only_once(void **state)
{
    (void)state;
    flow_test test;
    struct heard heard;
    begin(&test, &heard);
    flow_handle flow = FLOW_RUN(test.world, sleeper, .fail = 7);
    assert_int_equal(flow_test_run_until_done(test.world, flow, 1.0), 1);
    assert_null(flow_test_accept_failure(&test, 8));
    assert_int_equal(heard.errors, 1);
    assert_string_equal(heard.message, "there was no failure with code 8");
    const flow_test_report *report = flow_test_accept_failure(&test, 7);
    assert_non_null(report);
    assert_int_equal(report->failure, FLOW_FAILURE_UNHANDLED);
    assert_int_equal(report->flow.slot, flow.slot);
    assert_null(flow_test_accept_failure(&test, 7));
    end(&test, &heard, 2);
}

static void warnings_and_misuse_are_recorded_apart(void **state)
{
    (void)state;
    flow_test test;
    struct heard heard;
    begin(&test, &heard);
    assert_int_equal(flow_test_frame(test.world, -1.0), FLOW_OK);
    assert_int_equal(flow_clock_release(test.world, FLOW_CLOCK_GAME), FLOW_MISUSE);
    assert_int_equal(test.report_count, 2);
    assert_int_equal(heard.errors, 0);
    assert_non_null(flow_test_accept_warning(&test, FLOW_WARNING_BAD_DT));
    assert_null(flow_test_accept_misuse(&test, "no rule reads so"));
    assert_non_null(flow_test_accept_misuse(&test, "release"));
    end(&test, &heard, 1);
}

static void the_worlds_own_callbacks_and_user_stay_the_hosts(void **state)
{
    (void)state;
    flow_test test;
    struct heard heard;
    begin(&test, &heard);
    assert_ptr_equal(flow_world_user(test.world), &heard);
    (void)FLOW_RUN(test.world, sleeper, .fail = 7);
    assert_int_equal(flow_test_frame(test.world, -1.0), FLOW_OK);
    assert_int_equal(heard.host_failures, 1);
    assert_int_equal(heard.host_warnings, 1);
    assert_non_null(flow_test_accept_failure(&test, 7));
    assert_non_null(flow_test_accept_warning(&test, FLOW_WARNING_BAD_DT));
    end(&test, &heard, 0);
}

static void reports_beyond_those_kept_fail_the_test(void **state)
{
    (void)state;
    flow_test test;
    struct heard heard;
    begin(&test, &heard);
    for (int i = 0; i <= FLOW_TEST_REPORTS; i++) {
        (void)FLOW_RUN(test.world, sleeper, .fail = 7 + i);
    }
    assert_int_equal(flow_test_frame(test.world, 0.1), FLOW_OK);
    for (int i = 0; i < FLOW_TEST_REPORTS; i++) {
        assert_non_null(flow_test_accept_failure(&test, 7 + i));
    }
    assert_int_equal(flow_test_end(&test), 0);
    assert_non_null(strstr(heard.message, "1 reports not accepted, first: sleeper failed with 23"));
}

static flow_assert_handler handler_before;

static void some_handler(const char *rule, const char *file, int line)
{
    (void)rule;
    (void)file;
    (void)line;
}

static void the_assert_handler_is_the_former_one_after_the_end(void **state)
{
    (void)state;
    flow_test test;
    struct heard heard;
    handler_before = flow_set_assert_handler(some_handler);
    begin(&test, &heard);
    end(&test, &heard, 0);
    assert_ptr_equal(flow_set_assert_handler(handler_before), some_handler);
}

/* ---- virtual time ---- */

static void ticking_for_a_time_makes_as_many_frames_as_it_takes(void **state)
{
    (void)state;
    static const struct {
        double seconds, dt;
        int frames;
    } rows[] = {
        {1.0, 0.1, 10}, {0.3, 0.1, 3}, {0.25, 0.1, 3}, {0.0, 0.1, 0}, {60.0, FLOW_TEST_DT, 3600}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        flow_test test;
        struct heard heard;
        int count = 0;
        begin(&test, &heard);
        flow_handle flow = FLOW_RUN(test.world, counter, .count = &count);
        assert_int_equal(flow_test_tick_for(test.world, rows[i].seconds, rows[i].dt), FLOW_OK);
        assert_int_equal(count, rows[i].frames);
        assert_int_equal(flow_test_tick_for(test.world, 1.0, 0.0), FLOW_MISUSE);
        assert_int_equal(flow_cancel(test.world, flow), FLOW_OK);
        end(&test, &heard, 0);
    }
}

static void a_frame_ticks_every_phase_but_no_fixed_one_while_the_game_stands_still(void **state)
{
    (void)state;
    flow_test test;
    struct heard heard;
    int counts[FLOW_PHASE_HOST] = {0};
    begin(&test, &heard);
    flow_handle group =
        flow_group_create(test.world, &(flow_group_desc){.clock = FLOW_CLOCK_UNSCALED});
    for (int phase = FLOW_EARLY; phase < FLOW_PHASE_HOST; phase++) {
        (void)FLOW_RUN_WITH(
            test.world,
            FLOW_OPTIONS(.owner = group, .phase = (flow_phase)phase, .clock = FLOW_CLOCK_UNSCALED),
            counter, .count = &counts[phase]);
    }
    assert_int_equal(flow_test_frame(test.world, 0.1), FLOW_OK);
    assert_int_equal(flow_clock_pause(test.world, FLOW_CLOCK_GAME), FLOW_OK);
    assert_int_equal(flow_test_frame(test.world, 0.1), FLOW_OK);
    for (int phase = FLOW_EARLY; phase < FLOW_PHASE_HOST; phase++) {
        assert_int_equal(counts[phase], phase == FLOW_FIXED ? 1 : 2);
    }
    assert_int_equal(flow_cancel(test.world, group), FLOW_OK);
    end(&test, &heard, 0);
}

static int is_three(void *arg)
{
    return *(const int *)arg == 3;
}

static void ticking_until_stops_at_the_frame_in_which_it_happens(void **state)
{
    (void)state;
    flow_test test;
    struct heard heard;
    int count = 0;
    begin(&test, &heard);
    flow_handle flow = FLOW_RUN(test.world, counter, .count = &count);
    assert_int_equal(flow_test_tick_until(test.world, is_three, &count, 1.0), 1);
    assert_int_equal(flow_world_frame(test.world), 3);
    assert_int_equal(flow_test_tick_until(test.world, is_three, &count, 0.0), 1);
    assert_int_equal(flow_world_frame(test.world), 3);
    assert_int_equal(flow_cancel(test.world, flow), FLOW_OK);
    end(&test, &heard, 0);
}

static void a_missed_limit_dumps_the_world_and_fails(void **state)
{
    (void)state;
    flow_test test;
    struct heard heard;
    begin(&test, &heard);
    flow_handle flow = FLOW_RUN(test.world, sleeper, .seconds = 2.0);
    assert_int_equal(flow_test_run_until_done(test.world, flow, 1.0), 0);
    assert_int_equal(heard.line, __LINE__ - 1);
    assert_int_equal(flow_world_frame(test.world), 60);
    assert_string_equal(heard.message, "it did not happen within 1 s");
    assert_non_null(strstr(heard.dump, "waits for timer 1.000 s"));
    assert_int_equal(flow_test_run_until_done(test.world, flow, 1.1), 1);
    end(&test, &heard, 1);
}

static void running_a_flow_that_is_not_known_fails_at_once(void **state)
{
    (void)state;
    flow_test test;
    struct heard heard;
    begin(&test, &heard);
    assert_int_equal(flow_test_run_until_done(test.world, (flow_handle){0}, 1.0), 0);
    assert_int_equal(flow_world_frame(test.world), 0);
    end(&test, &heard, 1);
}

/* ---- the live tree ---- */

static void a_path_exists_with_its_calls_and_its_beginnings(void **state)
{
    (void)state;
    flow_test test;
    struct heard heard;
    begin(&test, &heard);
    flow_handle flow = FLOW_RUN(test.world, game);
    assert_int_equal(flow_test_assert_path(test.world, "game"), 1);
    assert_int_equal(flow_test_assert_path(test.world, "game > in_game"), 1);
    assert_int_equal(flow_test_assert_path(test.world, "game > in_game > sleeper"), 1);
    assert_int_equal(flow_test_assert_no_path(test.world, "game > in"), 1);
    assert_int_equal(flow_test_assert_no_path(test.world, "in_game"), 1);
    assert_int_equal(flow_test_assert_path(test.world, "game > menu"), 0);
    assert_string_equal(heard.message, "no live flow is \"game > menu\"");
    assert_int_equal(flow_test_assert_no_path(test.world, "game > in_game"), 0);
    assert_string_equal(heard.message, "a live flow is \"game > in_game\"");
    assert_int_equal(flow_cancel(test.world, flow), FLOW_OK);
    assert_int_equal(flow_test_assert_no_path(test.world, "game"), 1);
    end(&test, &heard, 2);
}

static void a_flow_waits_on_what_the_dump_says(void **state)
{
    (void)state;
    flow_test test;
    struct heard heard;
    begin(&test, &heard);
    flow_handle flow = FLOW_RUN(test.world, game);
    (void)FLOW_RUN_WITH(test.world, FLOW_OPTIONS(.owner = flow), counter);
    assert_int_equal(
        flow_test_assert_waits(test.world, "game > in_game", "race(timer 2.000 s, never)"), 1);
    assert_int_equal(flow_test_assert_waits(test.world, "game > in_game > sleeper", "timer"), 1);
    assert_int_equal(flow_test_assert_waits(test.world, "game > in_game > counter", "next tick"),
                     1);
    assert_int_equal(flow_test_assert_waits(test.world, "game > in_game", "timer"), 0);
    assert_string_equal(heard.message, "no \"game > in_game\" waits for \"timer\"");
    assert_int_equal(flow_test_assert_waits(test.world, "game", "race"), 0);
    assert_int_equal(flow_cancel(test.world, flow), FLOW_OK);
    end(&test, &heard, 2);
}

static void nothing_lives_when_no_flow_does(void **state)
{
    (void)state;
    flow_test test;
    struct heard heard;
    begin(&test, &heard);
    flow_handle flow = FLOW_RUN(test.world, sleeper, .seconds = 1.0);
    assert_int_equal(flow_test_assert_nothing_lives(test.world), 0);
    assert_string_equal(heard.message, "1 flows live");
    assert_int_equal(flow_cancel(test.world, flow), FLOW_OK);
    assert_int_equal(flow_test_assert_nothing_lives(test.world), 1);
    end(&test, &heard, 1);
}

static void the_kit_works_on_any_world(void **state)
{
    (void)state;
    flow_world *world = flow_world_create(NULL);
    assert_non_null(world);
    flow_handle flow = FLOW_RUN(world, sleeper, .seconds = 1.0);
    assert_int_equal(flow_test_assert_waits(world, "sleeper", "timer"), 1);
    assert_int_equal(flow_test_run_until_done(world, flow, 1.1), 1);
    (void)FLOW_RUN(world, sleeper, .fail = 7);
    assert_int_equal(flow_test_tick_for(world, 0.2, 0.1), FLOW_UNHANDLED);
    assert_int_equal(flow_world_destroy(world), FLOW_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_test_that_leaves_nothing_passes),
        cmocka_unit_test(a_left_flow_fails_the_test_with_a_dump),
        cmocka_unit_test(a_left_report_fails_the_test_with_its_text),
        cmocka_unit_test(what_the_end_of_the_world_reports_fails_the_test),
        cmocka_unit_test(a_test_without_memory_for_a_world_fails_at_its_begin),
        cmocka_unit_test(an_accepted_failure_passes_and_only_once),
        cmocka_unit_test(warnings_and_misuse_are_recorded_apart),
        cmocka_unit_test(the_worlds_own_callbacks_and_user_stay_the_hosts),
        cmocka_unit_test(reports_beyond_those_kept_fail_the_test),
        cmocka_unit_test(the_assert_handler_is_the_former_one_after_the_end),
        cmocka_unit_test(ticking_for_a_time_makes_as_many_frames_as_it_takes),
        cmocka_unit_test(a_frame_ticks_every_phase_but_no_fixed_one_while_the_game_stands_still),
        cmocka_unit_test(ticking_until_stops_at_the_frame_in_which_it_happens),
        cmocka_unit_test(a_missed_limit_dumps_the_world_and_fails),
        cmocka_unit_test(running_a_flow_that_is_not_known_fails_at_once),
        cmocka_unit_test(a_path_exists_with_its_calls_and_its_beginnings),
        cmocka_unit_test(a_flow_waits_on_what_the_dump_says),
        cmocka_unit_test(nothing_lives_when_no_flow_does),
        cmocka_unit_test(the_kit_works_on_any_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
