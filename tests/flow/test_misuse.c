/* SPDX-License-Identifier: MIT */
/* What is said of a broken rule: which, by whom, where, and who was there earlier. */
#include "flows.h"
#include "threads.h"

#include <stdio.h>
#include <string.h>

static int bad_line, join_line, spawn_line, owner_line, first_line;

struct wrong {
    flow_frame base;
};

FLOW_STATIC(wrong)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_next_tick());
    bad_line = __LINE__ + 1;
    FLOW_AWAIT(flow_ticks(-1));
    FLOW_END;
}

struct calls_wrong {
    flow_frame base;
};

FLOW_STATIC(calls_wrong)
{
    FLOW_BEGIN;
    FLOW_AWAIT(FLOW_CALL(wrong));
    FLOW_END;
}

static void an_await_that_breaks_a_rule_is_told_with_flow_path_place_and_start(void **state)
{
    struct story s;
    char expected[1024];
    (void)state;
    story_begin(&s, NULL);
    flow_handle group = flow_group_create(s.world, &(flow_group_desc){.name = "level"});
    int started = __LINE__ + 1;
    (void)FLOW_RUN_WITH(s.world, &(flow_options){.owner = group}, calls_wrong);
    story_update(&s, 10);
    (void)snprintf(expected, sizeof expected,
                   "flow_ticks, flow_frames: the count is negative: flow wrong #2.1 in level > "
                   "calls_wrong > wrong, at %s:%d, started at %s:%d",
                   __FILE__, bad_line, __FILE__, started);
    assert_string_equal(s.misuse, expected);
    assert_int_equal(s.failure_count, 1);
    assert_int_equal(s.failures[0].failure.code, FLOW_MISUSE);
    assert_int_equal(s.failures[0].failure.line, bad_line);
    s.expect_misuses = s.expect_failures = 1;
    story_end(&s);
}

struct door {
    flow_frame base;
    flow_handle house;
};

FLOW_STATIC(door)
{
    FLOW_BEGIN;
    join_line = __LINE__ + 1;
    FLOW_AWAIT(flow_join(self->house, NULL));
    FLOW_END;
}

struct house {
    flow_frame base;
};

FLOW_STATIC(house)
{
    FLOW_BEGIN;
    (void)flow_set_name(flow, "house", 7);
    owner_line = __LINE__ + 1;
    FLOW_AWAIT(flow_next_tick());
    spawn_line = __LINE__ + 1;
    (void)FLOW_SPAWN(door, .house = flow_self(flow));
    FLOW_AWAIT(flow_never());
    FLOW_END;
}

static void who_was_there_earlier_is_told_too(void **state)
{
    struct story s;
    char expected[1024];
    (void)state;
    story_begin(&s, NULL);
    int started = __LINE__ + 1;
    (void)FLOW_RUN(s.world, house);
    story_update(&s, 10);
    (void)snprintf(expected, sizeof expected,
                   "flow_join: a flow cannot wait for its own end, nor for an owner's: flow door "
                   "#2.1 in house#7 > door, at %s:%d, started at %s:%d; earlier: flow house #1.1 "
                   "in house#7, at %s:%d, started at %s:%d",
                   __FILE__, join_line, __FILE__, spawn_line, __FILE__, owner_line, __FILE__,
                   started);
    assert_string_equal(s.misuse, expected);
    s.expect_misuses = s.expect_failures = 1;
    story_end(&s);
}

static void releases_what_nobody_paused(flow_task *flow, void *arg)
{
    (void)arg;
    first_line += flow_clock_release(flow_world_of(flow), FLOW_CLOCK_GAME) == FLOW_MISUSE;
}

static void a_call_that_breaks_a_rule_is_told_with_the_flow_that_made_it(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    first_line = 0;
    (void)FLOW_RUN(s.world, doer, .wait = flow_next_tick(), .act = releases_what_nobody_paused);
    story_update(&s, 10);
    assert_int_equal(first_line, 1);
    assert_non_null(strstr(s.misuse, "flow_clock_release: the clock is not paused: flow doer #1.1 "
                                     "in doer, after "));
    assert_non_null(strstr(s.misuse, ", started at " __FILE__));
    assert_int_equal(flow_clock_release(s.world, FLOW_CLOCK_GAME), FLOW_MISUSE);
    assert_string_equal(s.misuse, "flow_clock_release: the clock is not paused");
    s.expect_misuses = 2;
    story_end(&s);
}

/* ---- the message of a world is the same text, in a build without assertions too ---- */

struct heard {
    int count;
    flow_warning_id id;
    flow_handle flow;
    char text[1024];
};

static void hear(void *user, const flow_warning *warning)
{
    struct heard *heard = user;
    heard->count++;
    heard->id = warning->id;
    heard->flow = warning->flow;
    (void)snprintf(heard->text, sizeof heard->text, "%s", warning->text);
}

static void keep_quiet(const char *rule, const char *file, int line)
{
    (void)rule;
    (void)file;
    (void)line;
}

static void warnings_come_once_a_kind_and_misuse_each_time(void **state)
{
    struct heard heard = {0};
    (void)state;
    flow_assert_handler former = flow_set_assert_handler(keep_quiet);
    flow_world *world = flow_world_create(&(flow_world_desc){.on_warning = hear, .user = &heard});
    assert_non_null(world);
    for (int i = 0; i < 3; i++) {
        (void)flow_world_begin_frame(world, -1.0);
    }
    assert_int_equal(heard.count, 1);
    assert_int_equal(heard.id, FLOW_WARNING_BAD_DT);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(flow_clock_release(world, FLOW_CLOCK_GAME), FLOW_MISUSE);
    }
    assert_int_equal(heard.count, 4);
    assert_int_equal(heard.id, FLOW_WARNING_MISUSE);
    assert_string_equal(heard.text, "flow_clock_release: the clock is not paused");
    assert_int_equal(heard.flow.generation, 0);
    assert_int_equal(flow_world_destroy(world), FLOW_OK);
    (void)flow_set_assert_handler(former);
}

/* ---- scenario 5 ---- */

typedef FLOW_COMPLETION(int) int_completion;

struct chooser {
    flow_frame base;
    flow_set set;
    flow_outcome none, all;
};

FLOW_STATIC(chooser)
{
    FLOW_BEGIN;
    assert_int_equal(flow_set_begin(flow, &self->set), FLOW_OK);
    FLOW_TRY(&self->none, flow_race_of(&self->set, NULL));
    assert_int_equal(flow_set_begin(flow, &self->set), FLOW_OK);
    FLOW_TRY(&self->all, flow_all_of(&self->set));
    story_log(story_of(flow), "race of none: %d, all of none: %d", self->none.code, self->all.code);
    FLOW_END;
}

struct elsewhere {
    flow_world *world;
    flow_handle flow;
    flow_status status;
};

static void cancel_by_the_wrong_call(void *arg)
{
    struct elsewhere *there = arg;
    there->status = flow_cancel(there->world, there->flow);
}

static void scenario_5_misuse_is_named(void **state)
{
    struct story s;
    int_completion done;
    int value = 0;
    (void)state;
    story_begin(&s, NULL);
    assert_int_equal(flow_completion_init(&done, s.world), FLOW_OK);
    assert_int_equal(flow_completion_set(&done, &(int){1}), 1);
    assert_int_equal(flow_completion_set(&done, &(int){0}), 0);
    assert_int_equal(flow_completion_read(&done, &value), FLOW_OK);
    assert_int_equal(value, 1);
    flow_completion_fini(&done);

    (void)FLOW_RUN(s.world, chooser);
    story_expect(&s, "race of none: -5, all of none: 0");

    struct elsewhere there = {.world = s.world,
                              .flow = FLOW_RUN(s.world, waiter, .name = "a", .wait = flow_never())};
    test_on_thread(cancel_by_the_wrong_call, &there);
    assert_int_equal(there.status, FLOW_MISUSE);
    assert_non_null(strstr(s.misuse, "flow_cancel: called on another thread"));
    assert_int_equal(flow_state_of(s.world, there.flow), FLOW_STATE_LIVE);

    assert_int_equal(flow_cancel(s.world, there.flow), FLOW_OK);
    flow_handle owner = {0, 0};
    do { /* until the slot is somebody else's */
        (void)flow_cancel(s.world, owner);
        owner = FLOW_RUN(s.world, waiter, .name = "b", .wait = flow_next_tick());
        s.log[0] = '\0';
    } while (owner.slot != there.flow.slot);
    assert_int_equal(flow_cancel(s.world, there.flow), FLOW_STALE);
    story_expect(&s, "");
    story_update(&s, 10);
    story_expect(&s, "b");
    s.expect_misuses = 1;
    story_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_await_that_breaks_a_rule_is_told_with_flow_path_place_and_start),
        cmocka_unit_test(who_was_there_earlier_is_told_too),
        cmocka_unit_test(a_call_that_breaks_a_rule_is_told_with_the_flow_that_made_it),
        cmocka_unit_test(warnings_come_once_a_kind_and_misuse_each_time),
        cmocka_unit_test(scenario_5_misuse_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
