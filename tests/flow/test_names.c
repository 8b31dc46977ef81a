/* SPDX-License-Identifier: MIT */
/* Names of single flows, and giving memory back (lessons J01, K01, K03). */
#include "actor.h"
#include "flows.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct child {
    flow_frame base;
    int fail;
};

FLOW_STATIC(child)
{
    char path[128];
    FLOW_BEGIN;
    (void)flow_path(flow, path, sizeof path);
    story_log(story_of(flow), "[%s]", path);
    FLOW_AWAIT(flow_next_tick());
    if (self->fail) {
        FLOW_FAIL(self->fail, "lost the way");
    }
    FLOW_END;
}

static void logs(void *arg)
{
    story_log(arg, "cleanup");
}

/* Names itself; calls a child, or spawns one. */
struct enemy {
    flow_frame base;
    const char *name;
    int number;
    int fail;
    int spawns;
};

FLOW_STATIC(enemy)
{
    FLOW_BEGIN;
    FLOW_DEFER(logs, story_of(flow));
    if (flow_set_name(flow, self->name, self->number) != FLOW_OK) {
        FLOW_FAIL(FLOW_NOMEM, "no memory for a name");
    }
    FLOW_DEFER(logs, story_of(flow));
    if (self->spawns) {
        (void)FLOW_SPAWN(child, .fail = self->fail);
        FLOW_AWAIT(flow_never());
    }
    FLOW_AWAIT(FLOW_CALL(child, .fail = self->fail));
    FLOW_END;
}

static void a_name_shows_in_paths_and_in_the_dump(void **state)
{
    struct story s;
    char text[1024];
    (void)state;
    story_begin(&s, NULL);
    flow_handle e = FLOW_RUN(s.world, enemy, .name = "goblin", .number = 12);
    (void)FLOW_RUN(s.world, enemy, .name = "boss", .number = -1, .spawns = 1);
    (void)FLOW_RUN(s.world, enemy, .number = 0);
    story_expect(&s, "[goblin#12 > child] [boss > child] [enemy#0 > child]");
    (void)FLOW_RUN(s.world, waiter, .name = "w", .wait = flow_join(e, NULL));
    (void)flow_world_dump_text(s.world, text, sizeof text);
    assert_non_null(strstr(text, "\n  goblin#12 #1.1 [update, game] waits for next tick"));
    assert_non_null(strstr(text, "\n  boss #2.1 [update, game] waits for never"));
    assert_non_null(strstr(text, "\n  enemy#0 #4.1 "));
    assert_non_null(strstr(text, " waits for end of goblin#12#1.1"));
    assert_non_null(strstr(text, " < enemy ")); /* the function's name is there too */
    (void)flow_describe(s.world, e, text, sizeof text);
    assert_memory_equal(text, "goblin#12 #1.1 [", 16);
    story_end(&s);
}

static void a_failure_and_a_stale_handle_tell_the_name(void **state)
{
    struct story s;
    char text[256];
    (void)state;
    story_begin(&s, NULL);
    flow_handle failed = FLOW_RUN(s.world, enemy, .name = "goblin", .number = 7, .fail = 3);
    (void)FLOW_RUN(s.world, enemy, .name = "orc", .number = 2147483647, .fail = 4, .spawns = 1);
    flow_handle done = FLOW_RUN(s.world, enemy, .name = "elf", .number = 1);
    story_update(&s, 16);
    assert_int_equal(s.failure_count, 2);
    assert_string_equal(s.failures[0].path, "goblin#7 > child");
    assert_string_equal(s.failures[1].path, "orc#2147483647 > child");
    (void)flow_describe(s.world, done, text, sizeof text);
    assert_string_equal(text, "elf#1 #4.1 ended in frame 1: done");
    (void)flow_describe(s.world, failed, text, sizeof text);
    assert_memory_equal(text, "goblin#7 #1.1 ended in frame 1: failed with 3, lost the way (", 61);
    s.log[0] = '\0';
    s.expect_failures = 2;
    story_end(&s);
}

static void a_name_stands_behind_cleanups_and_outcome(void **state)
{
    struct story s;
    flow_outcome outcome = {0};
    (void)state;
    story_begin(&s, NULL);
    flow_handle e = FLOW_RUN_WITH(s.world, FLOW_OPTIONS(.outcome = &outcome), enemy, .name = "x");
    assert_int_equal(flow_cancel(s.world, e), FLOW_OK);
    story_expect(&s, "[x#0 > child] cleanup cleanup");
    assert_int_equal(outcome.state, FLOW_STATE_CANCELLED);
    assert_int_equal(outcome.cause, FLOW_CAUSE_EXPLICIT);
    story_alive(&s, 0, 0, 0);
    flow_handle plain = FLOW_RUN(s.world, child); /* in the same slots: no name left */
    assert_int_not_equal(plain.generation, 0);
    story_expect(&s, "[child]");
    story_end(&s);
}

struct renamed {
    flow_frame base;
};

FLOW_STATIC(renamed)
{
    char path[64];
    FLOW_BEGIN;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(flow_set_name(flow, i == 2 ? NULL : "wave", i), FLOW_OK);
        (void)flow_path(flow, path, sizeof path);
        story_log(story_of(flow), "%s", path);
    }
    FLOW_AWAIT(flow_never());
    FLOW_FINALLY;
    assert_int_equal(flow_set_name(flow, "closing", -1), FLOW_OK);
    FLOW_END;
}

static void a_name_may_change_and_the_hash_does_not(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle first = FLOW_RUN(s.world, enemy, .name = "a", .number = 1);
    uint64_t hash = flow_world_hash(s.world);
    (void)flow_cancel(s.world, first);
    (void)FLOW_RUN(s.world, enemy, .name = "b", .number = 2);
    assert_true(flow_world_hash(s.world) == hash);
    s.log[0] = '\0';
    flow_handle h = FLOW_RUN(s.world, renamed);
    story_expect(&s, "wave#0 wave#1 renamed#2");
    assert_int_equal(flow_cancel(s.world, h), FLOW_OK);
    char text[64];
    (void)flow_describe(s.world, h, text, sizeof text);
    assert_non_null(strstr(text, "closing #"));
    story_end(&s);
}

/* Takes a name, or notes that it could not. */
struct numbered {
    flow_frame base;
    int number;
    int *refused;
    flow_status status;
};

FLOW_STATIC(numbered)
{
    FLOW_BEGIN;
    self->status = flow_set_name(flow, "n", self->number);
    assert_true(self->status == FLOW_OK || self->status == FLOW_NOMEM);
    *self->refused += self->status == FLOW_NOMEM;
    FLOW_AWAIT(flow_next_tick());
    FLOW_END;
}

static void without_memory_the_name_is_refused(void **state)
{
    int refused = 0;
    (void)state;
    for (long fail_at = 1;; fail_at++) {
        struct story s;
        story_begin(&s, NULL);
        s.fail_at = s.calls + fail_at;
        for (int i = 0; i < 1500; i++) {
            (void)FLOW_RUN(s.world, numbered, .number = i, .refused = &refused);
        }
        bool over = s.calls < s.fail_at;
        s.expect_failures = s.failure_count; /* for want of a place to wait in */
        s.log[0] = '\0';
        story_end(&s);
        if (over) {
            break;
        }
    }
    assert_int_not_equal(refused, 0);
}

/* ---- trim ---- */

struct large {
    flow_frame base;
    char state[3000];
};

FLOW_STATIC(large)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_seconds(1));
    story_log(story_of(flow), "large:%d", self->state[2999]);
    FLOW_END;
}

static void a_trim_gives_back_what_a_crowd_needed(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    (void)flow_world_trim(s.world);
    for (int round = 0; round < 3; round++) {
        flow_handle group = flow_group_create(s.world, NULL);
        (void)FLOW_RUN(s.world, large, .state[2999] = (char)round);
        flow_handle last = {0, 0};
        for (int i = 0; i < 1000; i++) {
            last = FLOW_RUN_WITH(s.world, FLOW_OPTIONS(.owner = group), large, .state[0] = 1);
        }
        size_t before = s.bytes;
        assert_int_equal(flow_cancel(s.world, group), FLOW_OK);
        assert_int_equal(s.bytes, before);
        size_t given = flow_world_trim(s.world);
        assert_true(given >= 2000000); /* of 3 MB and more */
        assert_int_equal(s.bytes, before - given);
        assert_int_equal(flow_world_counters(s.world).bytes, s.bytes);
        assert_int_equal(flow_world_trim(s.world), 0);
        assert_int_equal(flow_cancel(s.world, last), FLOW_STALE);
        story_update(&s, 1000);
        char expected[32];
        (void)snprintf(expected, sizeof expected, "large:%d", round);
        story_expect(&s, expected);
    }
    story_end(&s);
}

struct huge {
    flow_frame base;
    char state[100000];
};

FLOW_STATIC(huge)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_never());
    FLOW_END;
}

static void a_trim_gives_back_large_blocks(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle h = FLOW_RUN(s.world, huge);
    size_t before = s.bytes;
    assert_int_equal(flow_world_trim(s.world), 0); /* it is in use */
    assert_int_equal(flow_cancel(s.world, h), FLOW_OK);
    size_t given = flow_world_trim(s.world);
    assert_true(given >= 100000);
    assert_int_equal(s.bytes, before - given);
    (void)FLOW_RUN(s.world, huge);
    assert_int_equal(s.bytes, before);
    story_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_shows_in_paths_and_in_the_dump),
        cmocka_unit_test(a_failure_and_a_stale_handle_tell_the_name),
        cmocka_unit_test(a_name_stands_behind_cleanups_and_outcome),
        cmocka_unit_test(a_name_may_change_and_the_hash_does_not),
        cmocka_unit_test(without_memory_the_name_is_refused),
        cmocka_unit_test(a_trim_gives_back_what_a_crowd_needed),
        cmocka_unit_test(a_trim_gives_back_large_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
