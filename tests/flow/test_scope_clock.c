/* SPDX-License-Identifier: MIT */
/* Pauses and clocks that belong to a scope and go with it (lessons D03, D08, K07). */
#include "actor.h"
#include "flows.h"

#include <stdbool.h>
#include <string.h>

static void logs(void *arg)
{
    struct story *s = arg;
    story_log(s, "defer:%u", flow_clock_pauses(s->world, FLOW_CLOCK_GAME));
}

/* A menu on `unscaled`: pauses the game while it is open. */
struct menu {
    flow_frame base;
    int ticks;
    int fail;
};

FLOW_STATIC(menu)
{
    FLOW_BEGIN;
    FLOW_DEFER(logs, story_of(flow));
    if (flow_pause_clock(flow, FLOW_CLOCK_GAME) != FLOW_OK) {
        FLOW_FAIL(FLOW_NOMEM, "no memory for a pause");
    }
    FLOW_DEFER(logs, story_of(flow));
    FLOW_AWAIT(flow_ticks(self->ticks));
    if (self->fail) {
        FLOW_FAIL(3, "the menu broke");
    }
    FLOW_FINALLY;
    story_log(story_of(flow), "menu-%s", actor_cause(flow_cause_of(flow)));
    FLOW_END;
}

static flow_handle open_menu(struct story *s, int ticks, int fail)
{
    return FLOW_RUN_WITH(s->world, FLOW_OPTIONS(.clock = FLOW_CLOCK_UNSCALED), menu, .ticks = ticks,
                         .fail = fail);
}

static void a_pause_is_released_with_its_scope_in_the_order_of_cleanups(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, actor, .name = "a", .ticks = 2);
    (void)open_menu(&s, 2, 0);
    assert_int_equal(flow_clock_is_paused(s.world, FLOW_CLOCK_GAME), 1);
    story_update(&s, 16);
    story_expect(&s, "a+");
    story_update(&s, 16);
    story_expect(&s, "menu- defer:1 defer:0");
    assert_int_equal(flow_clock_is_paused(s.world, FLOW_CLOCK_GAME), 0);
    story_update(&s, 16);
    story_update(&s, 16);
    story_expect(&s, "a= a-");
    story_end(&s);
}

static void a_pause_is_released_however_its_scope_ends(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle cancelled = open_menu(&s, 9, 0);
    (void)open_menu(&s, 1, 1);
    assert_int_equal(flow_clock_pauses(s.world, FLOW_CLOCK_GAME), 2);
    story_update(&s, 16);
    story_expect(&s, "menu-f defer:2 defer:1");
    assert_int_equal(flow_cancel(s.world, cancelled), FLOW_OK);
    story_expect(&s, "menu-x defer:1 defer:0");
    (void)open_menu(&s, 9, 0);
    s.expect_failures = 1;
    story_end(&s);
    story_expect(&s, "menu-d defer:1 defer:0");
}

/* Pauses for the length of one call. */
struct caller {
    flow_frame base;
};

FLOW_STATIC(caller)
{
    FLOW_BEGIN;
    FLOW_AWAIT(FLOW_CALL(menu, .ticks = 1));
    story_log(story_of(flow), "after:%u", flow_clock_pauses(flow_world_of(flow), FLOW_CLOCK_GAME));
    FLOW_AWAIT(flow_next_tick());
    FLOW_END;
}

static void a_call_is_a_scope_of_its_own(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN_WITH(s.world, FLOW_OPTIONS(.clock = FLOW_CLOCK_UNSCALED), caller);
    story_update(&s, 16);
    story_expect(&s, "menu- defer:1 defer:0 after:0");
    story_end(&s);
}

static void the_dump_says_who_holds_a_pause(void **state)
{
    struct story s;
    char text[2048];
    (void)state;
    story_begin(&s, NULL);
    flow_handle first = open_menu(&s, 9, 0);
    (void)FLOW_RUN_WITH(s.world, FLOW_OPTIONS(.clock = FLOW_CLOCK_UNSCALED), caller);
    assert_int_equal(flow_clock_pause(s.world, FLOW_CLOCK_GAME), FLOW_OK);
    (void)flow_world_dump_text(s.world, text, sizeof text);
    assert_string_equal(strstr(text, "clock game"),
                        "clock game: scale 1, paused, 3 pauses of its own, held by menu #1.1, "
                        "caller #2.1\n");
    (void)flow_cancel(s.world, first);
    (void)flow_world_dump_text(s.world, text, sizeof text);
    assert_string_equal(strstr(text, "clock game"),
                        "clock game: scale 1, paused, 2 pauses of its own, held by caller #2.1\n");
    story_end(&s);
}

static void pause(flow_task *flow, void *arg)
{
    flow_clock *clock = arg;
    story_log(story_of(flow), "%d", (int)flow_pause_clock(flow, *clock));
}

static void what_cannot_be_paused_is_refused_and_leaves_nothing(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_clock gone = flow_clock_create(s.world, FLOW_CLOCK_GAME, "gone");
    assert_int_equal(flow_clock_destroy(s.world, gone), FLOW_OK);
    flow_clock clocks[] = {FLOW_CLOCK_REAL, FLOW_CLOCK_UNSCALED, gone, FLOW_CLOCK_INHERIT};
    for (int i = 0; i < 4; i++) {
        (void)FLOW_RUN(s.world, doer, .wait = flow_ready(), .act = pause, .arg = &clocks[i]);
    }
    story_expect(&s, "-10 -10 -2 -2");
    s.expect_misuses = 2;
    story_end(&s);
}

static void pausing_ones_own_clock_is_warned_of(void **state)
{
    struct story s;
    flow_clock game = FLOW_CLOCK_GAME;
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, doer, .wait = flow_ready(), .act = pause, .arg = &game);
    story_expect(&s, "0");
    assert_int_equal(s.warning_count, 1);
    assert_int_equal(s.warnings[0], FLOW_WARNING_OWN_CLOCK_PAUSED);
    assert_int_equal(flow_clock_is_paused(s.world, FLOW_CLOCK_GAME), 0); /* it has ended again */
    s.expect_warnings = 1;
    story_end(&s);
}

/* ---- clocks ---- */

/* Slow motion for what it owns; `clock` tells the test. */
struct slow {
    flow_frame base;
    flow_clock *clock;
    flow_clock parent;
    double scale;
};

FLOW_STATIC(slow)
{
    FLOW_BEGIN;
    *self->clock = flow_scope_clock(flow, self->parent, "slow");
    (void)flow_clock_set_scale(flow_world_of(flow), *self->clock, self->scale);
    (void)FLOW_SPAWN_WITH(FLOW_OPTIONS(.clock = *self->clock), waiter, .name = "slowed",
                          .wait = flow_seconds(0.1));
    FLOW_AWAIT(flow_never());
    FLOW_END;
}

static void a_scope_clock_ends_with_its_scope(void **state)
{
    struct story s;
    flow_clock clock = 0;
    (void)state;
    story_begin(&s, NULL);
    flow_handle h = FLOW_RUN(s.world, slow, .clock = &clock, .scale = 0.5);
    (void)FLOW_RUN(s.world, waiter, .name = "other", .wait = flow_seconds_on(clock, 10));
    story_update(&s, 100);
    story_expect(&s, "");
    story_update(&s, 100);
    story_expect(&s, "slowed");
    assert_true(flow_clock_now_ns(s.world, clock, FLOW_UPDATE) == 100000000);
    assert_int_equal(flow_cancel(s.world, h), FLOW_OK);
    assert_true(flow_clock_scale(s.world, clock) <= 0.0);
    assert_int_equal(flow_clock_destroy(s.world, clock), FLOW_STALE);
    story_update(&s, 100);
    story_expect(&s, "other!-4"); /* lessons A03: the rest learn that it is closed */
    story_end(&s);
}

static void a_scope_clock_stands_under_its_flows_own_clock(void **state)
{
    struct story s;
    flow_clock outer = 0, inner = 0, named = 0;
    (void)state;
    story_begin(&s, NULL);
    outer = flow_clock_create(s.world, FLOW_CLOCK_GAME, "outer");
    (void)flow_clock_set_scale(s.world, outer, 0.5);
    (void)FLOW_RUN_WITH(s.world, FLOW_OPTIONS(.clock = outer), slow, .clock = &inner, .scale = 0.5);
    (void)FLOW_RUN_WITH(s.world, FLOW_OPTIONS(.clock = outer), slow, .clock = &named,
                        .parent = FLOW_CLOCK_GAME, .scale = 0.5);
    assert_true(flow_clock_effective_scale(s.world, inner) == 0.25);
    assert_true(flow_clock_effective_scale(s.world, named) == 0.5);
    story_update(&s, 200);
    story_update(&s, 200);
    story_expect(&s, "slowed slowed");
    story_end(&s);
}

static void flows_elsewhere_move_to_the_parent_of_a_scope_clock_that_ended(void **state)
{
    struct story s;
    flow_clock clock = 0;
    (void)state;
    story_begin(&s, NULL);
    flow_handle h = FLOW_RUN(s.world, slow, .clock = &clock, .scale = 1);
    FLOW_SIGNAL(int) signal;
    assert_int_equal(flow_signal_init(&signal, s.world), FLOW_OK);
    (void)FLOW_RUN_WITH(s.world, FLOW_OPTIONS(.clock = clock), waiter, .name = "guest",
                        .wait = flow_next(&signal, NULL));
    (void)flow_cancel(s.world, h);
    story_expect(&s, "slowed~");
    (void)flow_emit(&signal, NULL);
    story_update(&s, 16);
    story_expect(&s, "guest");
    flow_signal_fini(&signal);
    story_end(&s);
}

/* ---- memory ---- */

/* Homes in every phase, on clocks below each other, that end in both orders. */
static void clocks_end_without_taking_memory(void **state)
{
    (void)state;
    for (long fail_at = 1;; fail_at++) {
        struct story s;
        story_begin(&s, NULL);
        s.fail_at = s.calls + fail_at;
        for (int round = 0; round < 40; round++) {
            flow_clock a = flow_clock_create(s.world, FLOW_CLOCK_GAME, "a");
            flow_clock b = a ? flow_clock_create(s.world, a, "b") : a;
            flow_clock c = b ? flow_clock_create(s.world, b, "c") : b;
            for (int phase = 1; c != 0 && phase < FLOW_PHASE_LIMIT; phase++) {
                (void)FLOW_RUN_WITH(s.world, FLOW_OPTIONS(.clock = c, .phase = (flow_phase)phase),
                                    waiter, .name = "x", .wait = flow_seconds(0.001));
            }
            long calls = s.calls;
            flow_clock order[2][3] = {{a, b, c}, {c, b, a}};
            for (int i = 0; i < 3; i++) {
                flow_clock clock = order[round % 2][i];
                assert_int_equal(flow_clock_destroy(s.world, clock), clock ? FLOW_OK : FLOW_STALE);
            }
            assert_int_equal(s.calls, calls);
        }
        for (int phase = 1; phase < FLOW_PHASE_LIMIT; phase++) {
            (void)flow_world_tick(s.world, (flow_phase)phase, 0.01);
        }
        assert_int_equal(flow_world_counters(s.world).live, 0);
        assert_int_equal(flow_world_counters(s.world).timers, 0);
        bool over = s.calls < s.fail_at;
        s.expect_failures = s.failure_count;
        story_end(&s);
        if (over) {
            break;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pause_is_released_with_its_scope_in_the_order_of_cleanups),
        cmocka_unit_test(a_pause_is_released_however_its_scope_ends),
        cmocka_unit_test(a_call_is_a_scope_of_its_own),
        cmocka_unit_test(the_dump_says_who_holds_a_pause),
        cmocka_unit_test(what_cannot_be_paused_is_refused_and_leaves_nothing),
        cmocka_unit_test(pausing_ones_own_clock_is_warned_of),
        cmocka_unit_test(a_scope_clock_ends_with_its_scope),
        cmocka_unit_test(a_scope_clock_stands_under_its_flows_own_clock),
        cmocka_unit_test(flows_elsewhere_move_to_the_parent_of_a_scope_clock_that_ended),
        cmocka_unit_test(clocks_end_without_taking_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
