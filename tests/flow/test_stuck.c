/* SPDX-License-Identifier: MIT */
/* What hangs: cleanups that take long, a world in which nothing can go on, and what became of a
 * flow (lessons J07, K03). */
#include "actor.h"
#include "flows.h"

#include <string.h>

/* ---- long cleanups ---- */

static flow_handle closing(struct story *s, const char *name, flow_phase phase, int ticks)
{
    return FLOW_RUN_WITH(s->world, FLOW_OPTIONS(.phase = phase), actor, .name = name, .ticks = -1,
                         .closing = ticks);
}

static void a_cleanup_of_more_than_ten_seconds_is_warned_of_once(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle a = closing(&s, "a", FLOW_UPDATE, 100);
    flow_handle b = closing(&s, "b", FLOW_UPDATE, 100);
    (void)flow_clock_set_scale(s.world, FLOW_CLOCK_GAME, 0.0); /* `unscaled` counts */
    story_update(&s, 5000);
    assert_int_equal(flow_cancel(s.world, a), FLOW_PENDING);
    story_update(&s, 5000);
    assert_int_equal(flow_cancel(s.world, b), FLOW_PENDING);
    story_update(&s, 5000); /* 10 s are not more than 10 s */
    assert_int_equal(s.warning_count, 0);
    story_update(&s, 1);
    assert_int_equal(s.warning_count, 1);
    assert_int_equal(s.warnings[0], FLOW_WARNING_LONG_CLEANUP);
    story_update(&s, 60000);
    assert_int_equal(s.warning_count, 1);
    s.expect_warnings = 2; /* and the end of the world cuts them */
    story_end(&s);
}

static void a_section_counts_anew_and_in_the_time_of_its_phase(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    for (int i = 0; i < 60; i++) { /* twenty at a time, more than are watched, none of them long */
        (void)flow_cancel(s.world, closing(&s, "x", FLOW_UPDATE, 2));
        if (i % 20 == 19) {
            story_update(&s, 4000);
            story_update(&s, 4000);
        }
    }
    flow_handle late = closing(&s, "l", FLOW_LATE, 9);
    (void)flow_cancel(s.world, late);
    story_update(&s, 60000); /* no time of LATE */
    assert_int_equal(s.warning_count, 0);
    (void)flow_world_tick(s.world, FLOW_LATE, 11);
    assert_int_equal(s.warning_count, 1);
    s.expect_warnings = 2;
    s.log[0] = '\0';
    story_end(&s);
}

/* Its section awaits little by little, in a call. */
struct slow_saver {
    flow_frame base;
    int laps;
};

FLOW_STATIC(slow_saver)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_never());
    FLOW_FINALLY;
    for (self->laps = 0; self->laps < 12; self->laps++) {
        FLOW_AWAIT(FLOW_CALL(waiter, .name = "s", .wait = flow_seconds(1)));
    }
    FLOW_END;
}

static void many_short_waits_make_one_long_section(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    (void)flow_cancel(s.world, FLOW_RUN(s.world, slow_saver));
    for (int i = 0; i < 10; i++) {
        story_update(&s, 1000);
    }
    assert_int_equal(s.warning_count, 0);
    story_update(&s, 1000);
    assert_int_equal(s.warning_count, 1);
    story_update(&s, 1000);
    story_expect(&s, "s s s s s s s s s s s s");
    story_alive(&s, 0, 0, 0);
    s.expect_warnings = 1;
    story_end(&s);
}

/* ---- stuck ---- */

struct text {
    char text[2048];
    size_t length;
};

static void collect(void *user, const char *text, size_t length)
{
    struct text *t = user;
    assert_true(t->length + length < sizeof t->text);
    memcpy(t->text + t->length, text, length);
    t->length += length;
    t->text[t->length] = '\0';
}

static void a_stuck_world_lists_its_flows_and_what_each_waits_for(void **state)
{
    struct story s;
    struct text t = {0};
    FLOW_SIGNAL(int) signal;
    (void)state;
    story_begin(&s, NULL);
    assert_int_equal(flow_signal_init(&signal, s.world), FLOW_OK);
    assert_int_equal(flow_world_stuck(s.world, collect, &t), 0); /* nothing lives */
    flow_handle a = FLOW_RUN(s.world, waiter, .name = "a", .wait = flow_next(&signal, NULL));
    (void)FLOW_RUN(s.world, waiter, .name = "b", .wait = flow_join(a, NULL));
    flow_handle c = FLOW_RUN(s.world, waiter, .name = "c", .wait = flow_next_tick());
    assert_int_equal(flow_world_stuck(s.world, collect, &t), 0);
    assert_int_equal(t.length, 0);
    assert_int_equal(flow_cancel(s.world, c), FLOW_OK);
    assert_int_equal(flow_world_stuck(s.world, NULL, NULL), 2);
    assert_int_equal(flow_world_stuck(s.world, collect, &t), 2);
    assert_non_null(strstr(t.text, "waiter #1.1 [update, game] waits for signal 1, for 0 frames"));
    assert_non_null(strstr(t.text, "waiter #2.1 [update, game] waits for end of waiter#1.1"));
    (void)flow_emit(&signal, NULL);
    assert_int_equal(flow_world_stuck(s.world, NULL, NULL), 0);
    story_update(&s, 16);
    flow_signal_fini(&signal);
    story_expect(&s, "c~ a b");
    story_end(&s);
}

static int never(void *arg)
{
    (void)arg;
    return 0;
}

static void whatever_a_tick_can_end_is_not_stuck(void **state)
{
    (void)state;
    const struct {
        flow_wait wait;
        int stuck, while_paused, while_still;
    } kinds[] = {
        {flow_never(), 1, 1, 1},
        {flow_next_tick(), 0, 1, 0},
        {flow_ticks(3), 0, 1, 0},
        {flow_next_frame(), 0, 1, 0},
        {flow_frames(3), 0, 1, 0},
        {flow_until(never, NULL), 0, 1, 0},
        {flow_seconds(1), 0, 1, 1},
        {flow_seconds_on(FLOW_CLOCK_UNSCALED, 1), 0, 1, 0}, /* its own clock holds it */
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct story s;
        story_begin(&s, NULL);
        (void)FLOW_RUN(s.world, waiter, .name = "x", .wait = kinds[i].wait);
        assert_int_equal(flow_world_stuck(s.world, NULL, NULL), kinds[i].stuck);
        (void)flow_clock_pause(s.world, FLOW_CLOCK_GAME);
        assert_int_equal(flow_world_stuck(s.world, NULL, NULL), kinds[i].while_paused);
        (void)flow_clock_release(s.world, FLOW_CLOCK_GAME);
        (void)flow_clock_set_scale(s.world, FLOW_CLOCK_GAME, 0.0);
        assert_int_equal(flow_world_stuck(s.world, NULL, NULL), kinds[i].while_still);
        story_end(&s);
    }
}

struct races {
    flow_frame base;
    int index;
};

FLOW_STATIC(races)
{
    FLOW_BEGIN;
    FLOW_RACE(self->index, flow_never(), flow_seconds(1));
    FLOW_END;
}

struct waits_all {
    flow_frame base;
};

FLOW_STATIC(waits_all)
{
    FLOW_BEGIN;
    FLOW_ALL(flow_never(), flow_seconds(1));
    FLOW_END;
}

static void a_composition_is_stuck_when_it_cannot_settle(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, waits_all);
    assert_int_equal(flow_world_stuck(s.world, NULL, NULL), 1);
    (void)FLOW_RUN(s.world, races);
    assert_int_equal(flow_world_stuck(s.world, NULL, NULL), 0);
    story_end(&s);
}

/* ---- what became of it ---- */

static void expect_text(struct story *s, flow_handle handle, const char *expected)
{
    char text[256];
    char cut[8];
    size_t length = flow_describe(s->world, handle, text, sizeof text);
    assert_string_equal(text, expected);
    assert_int_equal(length, strlen(expected));
    assert_int_equal(flow_describe(s->world, handle, cut, sizeof cut), length);
    assert_memory_equal(cut, expected, 7);
    assert_int_equal(cut[7], 0);
    assert_int_equal(flow_describe(s->world, handle, NULL, 0), length);
}

/* The same for a flow that was cancelled, which says where it was, too. */
static void expect_cancelled(struct story *s, flow_handle handle, const char *expected)
{
    char text[256];
    size_t length = strlen(expected);
    (void)flow_describe(s->world, handle, text, sizeof text);
    assert_true(strlen(text) > length);
    assert_memory_equal(text, expected, length);
    assert_memory_equal(text + length, " (", 2);
    assert_non_null(strstr(text, "actor.c:"));
}

static void a_stale_handle_says_how_and_when_its_flow_ended(void **state)
{
    struct story s;
    char text[256];
    (void)state;
    story_begin(&s, NULL);
    flow_handle done = FLOW_RUN(s.world, actor, .name = "a", .ticks = 1);
    flow_handle failed = FLOW_RUN(s.world, actor, .name = "b", .ticks = 2, .fail = 7);
    flow_handle cancelled = FLOW_RUN(s.world, actor, .name = "c", .ticks = -1);
    flow_handle room = flow_group_create(s.world, &(flow_group_desc){.name = "room"});
    flow_owner owner;
    assert_int_equal(flow_owner_init(s.world, &owner, "enemy"), FLOW_OK);
    flow_handle owned = FLOW_RUN_WITH(s.world, FLOW_OPTIONS(.owner = flow_owner_handle(&owner)),
                                      actor, .name = "d", .ticks = -1, .closing = 1);
    (void)flow_describe(s.world, cancelled, text, sizeof text);
    assert_memory_equal(text, "actor #3.1 [update, game] waits for never, for 0 frames at actor ",
                        64);
    assert_null(strchr(text, '\n'));
    expect_text(&s, room, "room #4.1 group");
    story_update(&s, 16);
    story_update(&s, 16);
    (void)flow_cancel(s.world, cancelled);
    story_update(&s, 16);
    (void)flow_cancel(s.world, room);
    (void)flow_owner_fini(&owner);
    story_update(&s, 16);
    expect_text(&s, done, "actor #1.1 ended in frame 1: done");
    (void)flow_describe(s.world, failed, text, sizeof text);
    assert_memory_equal(text, "actor #2.1 ended in frame 2: failed with 7, the actor was told to (",
                        67);
    expect_cancelled(&s, cancelled, "actor #3.1 ended in frame 2: cancelled");
    expect_text(&s, room, "room #4.1 ended in frame 3: cancelled");
    expect_cancelled(&s, owned, "actor #6.1 ended in frame 4: cancelled, owner ended");
    s.expect_failures = 1;
    story_end(&s);
}

static void what_is_not_known_says_so(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    expect_text(&s, (flow_handle){0, 0}, "no flow: the null handle");
    expect_text(&s, (flow_handle){99999, 3}, "#99999.3 has ended too long ago to be known");
    flow_handle first = FLOW_RUN(s.world, waiter, .name = "x", .wait = flow_ready());
    for (int i = 0; i < 1000; i++) {
        (void)FLOW_RUN(s.world, waiter, .name = "x", .wait = flow_ready());
    }
    expect_text(&s, first, "#1.1 has ended too long ago to be known");
    s.log[0] = '\0';
    story_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cleanup_of_more_than_ten_seconds_is_warned_of_once),
        cmocka_unit_test(a_section_counts_anew_and_in_the_time_of_its_phase),
        cmocka_unit_test(many_short_waits_make_one_long_section),
        cmocka_unit_test(a_stuck_world_lists_its_flows_and_what_each_waits_for),
        cmocka_unit_test(whatever_a_tick_can_end_is_not_stuck),
        cmocka_unit_test(a_composition_is_stuck_when_it_cannot_settle),
        cmocka_unit_test(a_stale_handle_says_how_and_when_its_flow_ended),
        cmocka_unit_test(what_is_not_known_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
