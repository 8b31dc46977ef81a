/* SPDX-License-Identifier: MIT */
/* Properties: values with a version, and waits that see every set. */
#include "flows.h"

#include <string.h>

typedef FLOW_PROPERTY(int) int_property;

static int set(int_property *property, int value)
{
    return flow_property_set(property, &value);
}

static void make(struct story *story, int_property *property, int initial)
{
    story_begin(story, NULL);
    assert_int_equal(flow_property_init(property, story->world, &initial), FLOW_OK);
}

static int at_least(const void *value, void *arg)
{
    return *(const int *)value >= *(const int *)arg;
}

static int never(const void *value, void *arg)
{
    (void)value;
    ++*(int *)arg;
    return 0;
}

/* ---- values and versions ---- */

static void a_set_changes_value_and_version_and_an_equal_one_nothing(void **state)
{
    (void)state;
    struct story story;
    int_property property;
    int value = 0, tests = 0;
    make(&story, &property, 5);
    flow_handle flow = FLOW_RUN(story.world, waiter, .name = "a",
                                .wait = flow_property_until(&property, never, &tests, NULL));
    assert_int_equal(tests, 1);
    assert_int_equal(flow_property_version(&property), 1);
    assert_int_equal(set(&property, 5), 0);
    assert_int_equal(flow_property_version(&property), 1);
    assert_int_equal(tests, 1);
    assert_int_equal(set(&property, 6), 1);
    assert_int_equal(set(&property, 5), 1);
    assert_int_equal(flow_property_version(&property), 3);
    assert_int_equal(tests, 3);
    assert_int_equal(flow_property_get(&property, &value), 1);
    assert_int_equal(value, 5);
    assert_int_equal(flow_cancel(story.world, flow), FLOW_OK);
    story_expect(&story, "a~");
    story_end(&story);
}

static void one_made_of_null_is_all_zero(void **state)
{
    (void)state;
    struct story story;
    int_property property;
    int value = 9;
    story_begin(&story, NULL);
    assert_int_equal(flow_property_init(&property, story.world, NULL), FLOW_OK);
    assert_int_equal(flow_property_get(&property, &value), 1);
    assert_int_equal(value, 0);
    assert_int_equal(flow_property_set(&property, NULL), 0);
    story.expect_misuses = story.misuses;
    assert_int_equal(flow_property_version(&property), 1);
    story_end(&story);
}

struct wide {
    _Alignas(64) char bytes[64];
};

static int is_aligned(const void *value, void *arg)
{
    *(int *)arg += (uintptr_t)value % 64 == 0;
    return 0;
}

static void a_condition_sees_values_as_aligned_as_their_type(void **state)
{
    (void)state;
    struct story story;
    FLOW_PROPERTY(struct wide) property;
    struct wide value;
    int aligned = 0;
    memset(&value, 1, sizeof value);
    story_begin(&story, NULL);
    assert_int_equal(flow_property_init(&property, story.world, NULL), FLOW_OK);
    (void)FLOW_RUN(story.world, waiter, .name = "a",
                   .wait = flow_property_until(&property, is_aligned, &aligned, NULL));
    assert_int_equal(flow_property_set(&property, &value), 1);
    assert_int_equal(aligned, 2);
    flow_property_fini(&property);
    story_update(&story, 10);
    story_expect(&story, "a!-4");
    story_end(&story);
}

/* ---- until ---- */

static void until_tests_at_once_and_at_every_set_between_two_ticks(void **state)
{
    (void)state;
    struct story story;
    int_property property;
    int five = 5, now = 0, later = 0;
    make(&story, &property, 7);
    (void)FLOW_RUN(story.world, waiter, .name = "now",
                   .wait = flow_property_until(&property, at_least, &five, &now));
    story_expect(&story, "now");
    assert_int_equal(now, 7);
    assert_int_equal(set(&property, 1), 1);
    (void)FLOW_RUN(story.world, waiter, .name = "later",
                   .wait = flow_property_until(&property, at_least, &five, &later));
    assert_int_equal(set(&property, 4), 1);
    assert_int_equal(set(&property, 8), 1); /* it held for a moment */
    assert_int_equal(set(&property, 2), 1);
    story_update(&story, 10);
    story_expect(&story, "later");
    assert_int_equal(later, 8);
    story_alive(&story, 0, 0, 0);
    story_end(&story);
}

struct follower {
    flow_frame base;
    int_property *property;
    uint64_t seen;
    int value;
};

FLOW_STATIC(follower)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_AWAIT(flow_property_changed(self->property, &self->seen, &self->value));
        story_log(story_of(flow), "%d@%d", self->value, (int)self->seen);
    }
    FLOW_END;
}

/* ---- changed ---- */

static void changed_gives_the_latest_and_no_version_twice(void **state)
{
    (void)state;
    struct story story; /* C16 */
    int_property property;
    make(&story, &property, 5);
    flow_handle flow = FLOW_RUN(story.world, follower, .property = &property);
    story_expect(&story, "5@1"); /* not seen so far: at once */
    story_update(&story, 10);
    story_expect(&story, "");
    assert_int_equal(set(&property, 6), 1);
    assert_int_equal(set(&property, 7), 1); /* before it goes on */
    story_update(&story, 10);
    story_update(&story, 10);
    story_expect(&story, "7@3");
    assert_int_equal(set(&property, 8), 1);
    story_update(&story, 10);
    story_expect(&story, "8@4");
    assert_int_equal(flow_cancel(story.world, flow), FLOW_OK);
    story_alive(&story, 0, 0, 0);
    story_end(&story);
}

static void a_change_between_two_waits_is_not_lost(void **state)
{
    (void)state;
    struct story story; /* C16 */
    int_property property;
    uint64_t seen = 1;
    int value = 0;
    make(&story, &property, 5);
    assert_int_equal(set(&property, 6), 1);
    (void)FLOW_RUN(story.world, waiter, .name = "a",
                   .wait = flow_property_changed(&property, &seen, &value));
    story_expect(&story, "a");
    assert_int_equal(value, 6);
    assert_int_equal(seen, 2);
    story_end(&story);
}

static void a_property_that_ends_keeps_what_was_told(void **state)
{
    (void)state;
    struct story story;
    int_property property, next;
    int value = 0, other = 77;
    uint64_t seen = 1, none = 1;
    make(&story, &property, 5);
    (void)FLOW_RUN(story.world, waiter, .name = "told",
                   .wait = flow_property_changed(&property, &seen, &value));
    assert_int_equal(set(&property, 6), 1);
    (void)FLOW_RUN(story.world, waiter, .name = "closed",
                   .wait = flow_property_until(&property, never, &other, NULL));
    flow_property_fini(&property);
    assert_int_equal(flow_property_init(&next, story.world, &other), FLOW_OK); /* the same place */
    (void)FLOW_RUN(story.world, waiter, .name = "later",
                   .wait = flow_property_changed(&property, &none, NULL));
    story_update(&story, 10);
    story_expect(&story, "later!-4 told closed!-4");
    assert_int_equal(value, 6);
    assert_int_equal(seen, 2);
    assert_int_equal(flow_property_version(&property), 0);
    assert_int_equal(flow_property_get(&property, &value), 0);
    assert_int_equal(set(&property, 9), 0);
    story_alive(&story, 0, 0, 0);
    story_end(&story);
}

static void a_flow_cancelled_before_its_turn_leaves_nothing_behind(void **state)
{
    (void)state;
    struct story story;
    int_property property;
    make(&story, &property, 5);
    flow_handle flow = FLOW_RUN(story.world, follower, .property = &property);
    assert_int_equal(set(&property, 6), 1);
    assert_int_equal(flow_cancel(story.world, flow), FLOW_OK);
    story_expect(&story, "5@1");
    story_alive(&story, 0, 0, 0);
    story_end(&story);
}

/* ---- sets inside conditions ---- */

struct record {
    int_property *property;
    int seen[16], count;
    int until;    /* it sets one more while the value is less */
    int ends;     /* it ends the property */
    int sets_two; /* at 2, it sets 9 and says that 2 held */
};

static int recording(const void *value, void *arg)
{
    struct record *record = arg;
    int now = *(const int *)value;
    assert_true(record->count < 16);
    record->seen[record->count++] = now;
    if (record->ends && now == 2) {
        flow_property_fini(record->property);
        return 0;
    }
    if (now != 0 && now < record->until) {
        (void)set(record->property, now + 1);
    }
    if (record->sets_two && now == 2) {
        (void)set(record->property, 9);
        return 1;
    }
    return 0;
}

static void a_set_inside_a_condition_shows_everybody_every_version_in_order(void **state)
{
    (void)state;
    static const int in_order[] = {0, 1, 2, 3};
    struct story story; /* E02 */
    int_property property;
    struct record records[3] = {{.property = &property}, {.property = &property, .until = 3}, {0}};
    flow_handle flows[3], follows;
    records[2].property = &property;
    make(&story, &property, 0);
    for (int i = 0; i < 3; i++) {
        flows[i] = FLOW_RUN(story.world, waiter, .name = "w",
                            .wait = flow_property_until(&property, recording, &records[i], NULL));
    }
    follows = FLOW_RUN(story.world, follower, .property = &property, .seen = 1);
    assert_int_equal(set(&property, 1), 1);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(records[i].count, 4);
        assert_memory_equal(records[i].seen, in_order, sizeof in_order);
        assert_int_equal(flow_cancel(story.world, flows[i]), FLOW_OK);
    }
    story_update(&story, 10);
    story_expect(&story, "w~ w~ w~ 3@4"); /* a waiter for changes ends with the last version */
    assert_int_equal(flow_cancel(story.world, follows), FLOW_OK);
    story_end(&story);
}

static void a_condition_that_sets_and_holds_gives_the_value_for_which_it_held(void **state)
{
    (void)state;
    struct story story;
    int_property property;
    int got = 0;
    struct record record = {.property = &property, .sets_two = 1};
    make(&story, &property, 0);
    (void)FLOW_RUN(story.world, waiter, .name = "a",
                   .wait = flow_property_until(&property, recording, &record, &got));
    assert_int_equal(set(&property, 2), 1);
    assert_int_equal(got, 2);
    assert_int_equal(flow_property_get(&property, &got), 1);
    assert_int_equal(got, 9);
    assert_int_equal(set(&property, 2), 1);
    record.count = 0;
    (void)FLOW_RUN(story.world, waiter, .name = "b", /* in its first test */
                   .wait = flow_property_until(&property, recording, &record, &got));
    assert_int_equal(got, 2);
    story_update(&story, 10);
    story_expect(&story, "b a");
    story_end(&story);
}

static void a_condition_may_end_its_property(void **state)
{
    (void)state;
    struct story story;
    int_property property;
    struct record record = {.property = &property, .ends = 1};
    make(&story, &property, 0);
    (void)FLOW_RUN(story.world, waiter, .name = "a",
                   .wait = flow_property_until(&property, recording, &record, NULL));
    (void)FLOW_RUN(story.world, waiter, .name = "b",
                   .wait = flow_property_until(&property, recording, &record, NULL));
    assert_int_equal(set(&property, 2), 1);
    story_update(&story, 10);
    story_expect(&story, "a!-4 b!-4");
    int two = 2;
    assert_int_equal(flow_property_init(&property, story.world, &two), FLOW_OK);
    (void)FLOW_RUN(story.world, waiter, .name = "c",
                   .wait = flow_property_until(&property, recording, &record, NULL));
    story_expect(&story, "c!-4");
    story_alive(&story, 0, 0, 0);
    story_end(&story);
}

static void conditions_that_set_without_end_are_refused(void **state)
{
    (void)state;
    struct story story; /* E05 */
    int_property property;
    struct record record = {.property = &property, .until = 1000};
    int value = 0;
    make(&story, &property, 0);
    flow_handle flow = FLOW_RUN(story.world, waiter, .name = "a",
                                .wait = flow_property_until(&property, recording, &record, NULL));
    assert_int_equal(set(&property, 1), 1);
    assert_int_equal(record.count, 1 + FLOW_PROPERTY_DEPTH);
    assert_int_equal(flow_property_get(&property, &value), 1);
    assert_int_equal(value, FLOW_PROPERTY_DEPTH);
    assert_int_equal(flow_cancel(story.world, flow), FLOW_OK);
    assert_int_equal(set(&property, 0), 1);
    assert_int_equal(set(&property, 1), 1);
    record.count = 0;
    (void)FLOW_RUN(story.world, waiter, .name = "b",
                   .wait = flow_property_until(&property, recording, &record, NULL));
    story_expect(&story, "a~ b!-10");
    story.expect_misuses = 2;
    assert_int_equal(story.misuses, 2);
    story_alive(&story, 0, 0, 0);
    story_end(&story);
}

/* ---- in compositions, and without memory ---- */

struct watcher {
    flow_frame base;
    int_property *property;
    int five, value, index;
    uint64_t seen;
};

FLOW_STATIC(watcher)
{
    FLOW_BEGIN;
    self->five = 5;
    FLOW_RACE(self->index, flow_property_until(self->property, at_least, &self->five, &self->value),
              flow_seconds(1));
    story_log(story_of(flow), "%d:%d", self->index, self->value);
    FLOW_RACE(self->index, flow_next_tick(),
              flow_property_changed(self->property, &self->seen, &self->value));
    story_log(story_of(flow), "%d:%d", self->index, self->value);
    FLOW_ALL(flow_property_changed(self->property, &self->seen, &self->value), flow_next_tick());
    story_log(story_of(flow), "all:%d", self->value);
    FLOW_END;
}

static void they_take_part_in_compositions(void **state)
{
    (void)state;
    struct story story;
    int_property property;
    make(&story, &property, 1);
    (void)FLOW_RUN(story.world, watcher, .property = &property, .seen = 2);
    assert_int_equal(set(&property, 6), 1);
    story_update(&story, 10);
    story_expect(&story, "0:6");
    assert_int_equal(set(&property, 7), 1);
    assert_int_equal(set(&property, 8), 1);
    story_update(&story, 10);
    story_expect(&story, "1:8"); /* the latest when it goes on */
    assert_int_equal(set(&property, 9), 1);
    story_update(&story, 10);
    story_update(&story, 10);
    story_expect(&story, "all:9");
    story_alive(&story, 0, 0, 0);
    story_end(&story);
}

static void the_dump_names_the_wait(void **state)
{
    (void)state;
    struct story story;
    int_property property;
    char text[1024];
    make(&story, &property, 1);
    flow_handle flow = FLOW_RUN(story.world, follower, .property = &property, .seen = 1);
    (void)flow_world_dump_text(story.world, text, sizeof text);
    assert_non_null(strstr(text, "waits for property "));
    assert_int_equal(flow_cancel(story.world, flow), FLOW_OK);
    story_end(&story);
}

static void making_one_may_fail_for_want_of_memory(void **state)
{
    (void)state;
    struct story story;
    struct big {
        char bytes[100000];
    };
    FLOW_PROPERTY(struct big) big;
    uint64_t seen = 0;
    story_begin(&story, NULL);
    story.fail_at = story.calls + 1;
    assert_int_equal(flow_property_init(&big, story.world, NULL), FLOW_NOMEM);
    story.fail_at = 0;
    (void)FLOW_RUN(story.world, waiter, .name = "big",
                   .wait = flow_property_changed(&big, &seen, NULL));
    story_expect(&story, "big!-4");
    flow_property_fini(&big);
    story_end(&story);
}

static void setting_takes_no_memory(void **state)
{
    (void)state;
    struct story story;
    int_property property;
    make(&story, &property, 0);
    flow_handle flow = FLOW_RUN(story.world, follower, .property = &property);
    for (int i = 1; i <= 1000; i++) {
        if (i == 10) {
            story.fail_at = story.calls + 1;
        }
        assert_int_equal(set(&property, i), 1);
        story_update(&story, 10);
        story.log[0] = '\0';
    }
    story.fail_at = 0;
    assert_int_equal(flow_cancel(story.world, flow), FLOW_OK);
    story_end(&story);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_set_changes_value_and_version_and_an_equal_one_nothing),
        cmocka_unit_test(one_made_of_null_is_all_zero),
        cmocka_unit_test(a_condition_sees_values_as_aligned_as_their_type),
        cmocka_unit_test(until_tests_at_once_and_at_every_set_between_two_ticks),
        cmocka_unit_test(changed_gives_the_latest_and_no_version_twice),
        cmocka_unit_test(a_change_between_two_waits_is_not_lost),
        cmocka_unit_test(a_property_that_ends_keeps_what_was_told),
        cmocka_unit_test(a_flow_cancelled_before_its_turn_leaves_nothing_behind),
        cmocka_unit_test(a_set_inside_a_condition_shows_everybody_every_version_in_order),
        cmocka_unit_test(a_condition_that_sets_and_holds_gives_the_value_for_which_it_held),
        cmocka_unit_test(a_condition_may_end_its_property),
        cmocka_unit_test(conditions_that_set_without_end_are_refused),
        cmocka_unit_test(they_take_part_in_compositions),
        cmocka_unit_test(the_dump_names_the_wait),
        cmocka_unit_test(making_one_may_fail_for_want_of_memory),
        cmocka_unit_test(setting_takes_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
