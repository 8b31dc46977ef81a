/* SPDX-License-Identifier: MIT */
/* Once: a value that is set one time, for waits begun before and after. */
#include "flows.h"

#include <string.h>

struct level {
    int number;
    char name[28];
};
typedef FLOW_ONCE(struct level) level_once;

static const struct level cave = {3, "cave"};

static void wait_for(struct story *story, const char *name, level_once *once, struct level *out)
{
    (void)FLOW_RUN(story->world, waiter, .name = name, .wait = flow_once_wait(once, out));
}

static void waits_before_and_after_the_set_get_the_value(void **state)
{
    (void)state;
    struct story story;
    level_once once;
    struct level got[3], sent = cave;
    memset(got, 0, sizeof got);
    story_begin(&story, NULL);
    assert_int_equal(flow_once_init(&once, story.world), FLOW_OK);
    wait_for(&story, "a", &once, &got[0]);
    wait_for(&story, "b", &once, NULL);
    wait_for(&story, "c", &once, &got[1]);
    assert_int_equal(flow_once_read(&once, &got[2]), FLOW_PENDING);
    assert_int_equal(flow_once_set(&once, &sent), 1);
    memset(&sent, 0, sizeof sent);
    wait_for(&story, "d", &once, &got[2]); /* at once, while the earlier ones are queued */
    story_expect(&story, "d");
    story_update(&story, 10);
    story_expect(&story, "a b c");
    for (int i = 0; i < 3; i++) {
        assert_memory_equal(&got[i], &cave, sizeof cave);
    }
    story_alive(&story, 0, 0, 0);
    story_end(&story);
}

static void a_second_set_changes_nothing_and_says_so(void **state)
{
    (void)state;
    struct story story;
    level_once once;
    struct level got = {0, ""}, other = {4, "tower"};
    story_begin(&story, NULL);
    assert_int_equal(flow_once_init(&once, story.world), FLOW_OK);
    assert_int_equal(flow_once_set(&once, &cave), 1);
    assert_int_equal(flow_once_set(&once, &other), 0);
    assert_int_equal(flow_once_fail(&once, 7, "too late"), 0);
    assert_int_equal(flow_once_read(&once, &got), FLOW_OK);
    assert_memory_equal(&got, &cave, sizeof cave);
    assert_int_equal(flow_once_read(&once, NULL), FLOW_OK);
    story_end(&story);
}

static void set_with_null_is_all_zero(void **state)
{
    (void)state;
    struct story story;
    level_once once;
    struct level got = cave;
    story_begin(&story, NULL);
    assert_int_equal(flow_once_init(&once, story.world), FLOW_OK);
    assert_int_equal(flow_once_set(&once, NULL), 1);
    wait_for(&story, "a", &once, &got);
    story_expect(&story, "a");
    assert_int_equal(got.number, 0);
    story_end(&story);
}

static void a_failed_one_fails_every_wait(void **state)
{
    (void)state;
    struct story story;
    level_once once;
    struct level got = cave;
    story_begin(&story, NULL);
    assert_int_equal(flow_once_init(&once, story.world), FLOW_OK);
    wait_for(&story, "before", &once, &got);
    assert_int_equal(flow_once_fail(&once, 9, "the file is damaged"), 1);
    wait_for(&story, "after", &once, &got);
    story_update(&story, 10);
    story_expect(&story, "after!9 before!9");
    assert_int_equal(flow_once_set(&once, &cave), 0);
    assert_int_equal(flow_once_read(&once, &got), 9);
    assert_memory_equal(&got, &cave, sizeof cave); /* untouched */
    story_end(&story);
}

struct loader {
    flow_frame base;
    level_once *once;
};

FLOW_STATIC(loader)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_once_wait(self->once, NULL));
    FLOW_END;
}

static void its_failure_is_reported_with_its_message(void **state)
{
    (void)state;
    struct story story;
    level_once once;
    story_begin(&story, NULL);
    assert_int_equal(flow_once_init(&once, story.world), FLOW_OK);
    (void)FLOW_RUN(story.world, loader, .once = &once);
    assert_int_equal(flow_once_fail(&once, 9, "the file is damaged"), 1);
    story_update(&story, 10);
    assert_int_equal(flow_once_init(&once, story.world), FLOW_OK);
    (void)FLOW_RUN(story.world, loader, .once = &once);
    flow_once_fini(&once);
    story_update(&story, 10);
    story.expect_failures = 2;
    assert_int_equal(story.failures[0].failure.code, 9);
    assert_string_equal(story.failures[0].failure.message, "the file is damaged");
    assert_int_equal(story.failures[1].failure.code, FLOW_CLOSED);
    story_end(&story);
}

static void failing_with_success_is_misuse(void **state)
{
    (void)state;
    struct story story;
    level_once once;
    story_begin(&story, NULL);
    assert_int_equal(flow_once_init(&once, story.world), FLOW_OK);
    assert_int_equal(flow_once_fail(&once, 0, NULL), 1);
    story.expect_misuses = story.misuses;
    assert_int_equal(flow_once_read(&once, NULL), FLOW_MISUSE);
    story_end(&story);
}

static void ending_one_closes_its_waits_and_makes_it_new(void **state)
{
    (void)state;
    struct story story;
    level_once once;
    story_begin(&story, NULL);
    memset(&once, 0, sizeof once);
    wait_for(&story, "never_made", &once, NULL);
    assert_int_equal(flow_once_set(&once, &cave), 0);
    flow_once_fini(&once);
    assert_int_equal(flow_once_init(&once, story.world), FLOW_OK);
    wait_for(&story, "a", &once, NULL);
    level_once copy = once;
    flow_once_fini(&once);
    wait_for(&story, "b", &once, NULL);
    assert_int_equal(flow_once_read(&once, NULL), FLOW_CLOSED);
    assert_int_equal(flow_once_init(&once, story.world), FLOW_OK);
    assert_int_equal(flow_once_set(&copy, &cave), 0); /* never its successor */
    assert_int_equal(flow_once_read(&once, NULL), FLOW_PENDING);
    wait_for(&story, "c", &once, NULL);
    story_update(&story, 10);
    assert_int_equal(flow_once_set(&once, &cave), 1);
    story_update(&story, 10);
    story_expect(&story, "never_made!-4 b!-4 a!-4 c");
    story_end(&story);
}

struct chooser {
    flow_frame base;
    level_once *once;
    struct level level;
    int index;
};

FLOW_STATIC(chooser)
{
    FLOW_BEGIN;
    FLOW_RACE(self->index, flow_seconds(1), flow_once_wait(self->once, &self->level));
    story_log(story_of(flow), "%d:%d", self->index, self->level.number);
    FLOW_ALL(flow_next_tick(), flow_once_wait(self->once, &self->level));
    story_log(story_of(flow), "all:%d", self->level.number);
    FLOW_END;
}

static void it_takes_part_in_compositions(void **state)
{
    (void)state;
    struct story story;
    level_once once;
    story_begin(&story, NULL);
    assert_int_equal(flow_once_init(&once, story.world), FLOW_OK);
    (void)FLOW_RUN(story.world, chooser, .once = &once);
    story_update(&story, 500);
    assert_int_equal(flow_once_set(&once, &cave), 1);
    story_update(&story, 100);
    story_update(&story, 100);
    story_expect(&story, "1:3 all:3");
    story_alive(&story, 0, 0, 0);
    story_end(&story);
}

static void cancelled_waits_leave_nothing_behind(void **state)
{
    (void)state;
    struct story story;
    level_once once;
    struct level got = {0, ""};
    story_begin(&story, NULL);
    assert_int_equal(flow_once_init(&once, story.world), FLOW_OK);
    flow_handle flow =
        FLOW_RUN(story.world, waiter, .name = "a", .wait = flow_once_wait(&once, &got));
    wait_for(&story, "b", &once, NULL);
    assert_int_equal(flow_cancel(story.world, flow), FLOW_OK);
    assert_int_equal(flow_once_set(&once, &cave), 1);
    assert_int_equal(got.number, 0);
    story_update(&story, 10);
    story_expect(&story, "a~ b");
    story_alive(&story, 0, 0, 0);
    story_end(&story);
}

static void making_one_may_fail_for_want_of_memory(void **state)
{
    (void)state;
    struct story story;
    struct big {
        char bytes[100000];
    };
    FLOW_ONCE(struct big) big;
    level_once once;
    story_begin(&story, NULL);
    assert_int_equal(flow_once_init(&once, story.world), FLOW_OK);
    story.fail_at = story.calls + 1;
    assert_int_equal(flow_once_init(&big, story.world), FLOW_NOMEM);
    story.fail_at = 0;
    assert_int_equal(flow_once_set(&big, NULL), 0);
    (void)FLOW_RUN(story.world, waiter, .name = "big", .wait = flow_once_wait(&big, NULL));
    story_expect(&story, "big!-4");
    flow_once_fini(&big);
    assert_int_equal(flow_once_set(&once, &cave), 1);
    story_end(&story);
}

static void the_dump_names_the_wait(void **state)
{
    (void)state;
    struct story story;
    level_once once;
    char text[1024];
    story_begin(&story, NULL);
    assert_int_equal(flow_once_init(&once, story.world), FLOW_OK);
    wait_for(&story, "a", &once, NULL);
    (void)flow_world_dump_text(story.world, text, sizeof text);
    assert_non_null(strstr(text, "waits for once "));
    flow_once_fini(&once);
    story_update(&story, 10);
    story_expect(&story, "a!-4");
    story_end(&story);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waits_before_and_after_the_set_get_the_value),
        cmocka_unit_test(a_second_set_changes_nothing_and_says_so),
        cmocka_unit_test(set_with_null_is_all_zero),
        cmocka_unit_test(a_failed_one_fails_every_wait),
        cmocka_unit_test(its_failure_is_reported_with_its_message),
        cmocka_unit_test(failing_with_success_is_misuse),
        cmocka_unit_test(ending_one_closes_its_waits_and_makes_it_new),
        cmocka_unit_test(it_takes_part_in_compositions),
        cmocka_unit_test(cancelled_waits_leave_nothing_behind),
        cmocka_unit_test(making_one_may_fail_for_want_of_memory),
        cmocka_unit_test(the_dump_names_the_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
