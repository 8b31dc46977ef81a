/* SPDX-License-Identifier: MIT */
/* Clocks that come and go: where they stand in the tree, and what becomes of waits, flows and
 * children when one ends. */
#include "flows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int count_calls(void *arg)
{
    ++*(int *)arg;
    return 0;
}

static flow_handle start(struct story *story, const char *name, flow_wait wait)
{
    return FLOW_RUN(story->world, waiter, .name = name, .wait = wait);
}

static flow_handle start_on(struct story *story, flow_clock clock, const char *name, flow_wait wait)
{
    return FLOW_RUN_WITH(story->world, &(flow_options){.clock = clock}, waiter, .name = name,
                         .wait = wait);
}

static void destroy(struct story *story, flow_clock clock)
{
    assert_int_equal(flow_clock_destroy(story->world, clock), FLOW_OK);
}

static void a_new_clock_begins_at_0_under_its_parent(void **state)
{
    (void)state;
    struct story story;
    story_begin(&story, NULL);
    story_frame(&story, 10);
    flow_clock under_game = flow_clock_create(story.world, FLOW_CLOCK_INHERIT, "under game");
    flow_clock aside = flow_clock_create(story.world, FLOW_CLOCK_UNSCALED, "aside");
    for (int phase = 1; phase < FLOW_PHASE_LIMIT; phase++) {
        assert_int_equal(flow_clock_now_ns(story.world, under_game, (flow_phase)phase), 0);
    }
    assert_int_equal(flow_clock_set_scale(story.world, FLOW_CLOCK_GAME, 0.5), FLOW_OK);
    story_frame(&story, 10);
    assert_int_equal(flow_clock_now_ns(story.world, under_game, FLOW_UPDATE), 5000000);
    assert_int_equal(flow_clock_now_ns(story.world, aside, FLOW_UPDATE), 10000000);
    assert_int_equal(flow_clock_create(story.world, 99, "orphan"), FLOW_CLOCK_INHERIT);
    story.expect_misuses = 1;
    story_end(&story);
}

static void the_three_last_as_long_as_the_world_and_an_ended_clock_is_stale(void **state)
{
    (void)state;
    struct story story;
    story_begin(&story, NULL);
    flow_clock three[] = {FLOW_CLOCK_REAL, FLOW_CLOCK_UNSCALED, FLOW_CLOCK_GAME};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(flow_clock_destroy(story.world, three[i]), FLOW_MISUSE);
    }
    story.expect_misuses = 3;
    flow_clock ended = flow_clock_create(story.world, FLOW_CLOCK_GAME, "ended");
    story_frame(&story, 10);
    destroy(&story, ended);
    flow_clock next = flow_clock_create(story.world, FLOW_CLOCK_GAME, "next");
    assert_int_not_equal(next, ended);
    assert_int_equal(flow_clock_destroy(story.world, ended), FLOW_STALE);
    assert_int_equal(flow_clock_pause(story.world, ended), FLOW_STALE);
    assert_int_equal(flow_clock_release(story.world, ended), FLOW_STALE);
    assert_int_equal(flow_clock_set_scale(story.world, ended, 2), FLOW_STALE);
    assert_int_equal(flow_clock_now_ns(story.world, ended, FLOW_UPDATE), 0);
    assert_true(fabs(flow_clock_effective_scale(story.world, ended)) < 1e-12);
    assert_int_equal(flow_clock_now_ns(story.world, next, FLOW_UPDATE), 0);
    story_end(&story);
}

static void children_of_an_ended_clock_go_under_its_parent(void **state)
{
    (void)state;
    struct story story;
    story_begin(&story, NULL);
    flow_clock parent = flow_clock_create(story.world, FLOW_CLOCK_UNSCALED, "parent");
    flow_clock middle = flow_clock_create(story.world, parent, "middle");
    flow_clock child = flow_clock_create(story.world, middle, "child");
    assert_int_equal(flow_clock_set_scale(story.world, parent, 3), FLOW_OK);
    assert_int_equal(flow_clock_set_scale(story.world, middle, 5), FLOW_OK);
    assert_int_equal(flow_clock_set_scale(story.world, child, 2), FLOW_OK);
    assert_true(fabs(flow_clock_effective_scale(story.world, child) - 30) < 1e-9);
    assert_int_equal(flow_clock_pause(story.world, middle), FLOW_OK);
    assert_true(flow_clock_is_paused(story.world, child));
    (void)start_on(&story, child, "child", flow_seconds(0.060));
    destroy(&story, middle);
    assert_false(flow_clock_is_paused(story.world, child)); /* the pause went with its clock */
    assert_true(fabs(flow_clock_effective_scale(story.world, child) - 6) < 1e-9);
    story_update(&story, 9);
    story_expect(&story, "");
    story_update(&story, 1);
    story_expect(&story, "child");
    story_end(&story);
}

/* ---- waits ---- */

static void each_wait_on_an_ended_clock_fails_as_closed_at_the_next_tick(void **state)
{
    (void)state;
    int calls = 0;
    flow_wait waits[] = {flow_next_tick(), flow_ticks(3),     flow_next_frame(),
                         flow_frames(3),   flow_seconds(0.5), flow_until(count_calls, &calls)};
    for (int i = 0; i < 6; i++) {
        struct story story;
        story_begin(&story, NULL);
        flow_clock clock = flow_clock_create(story.world, FLOW_CLOCK_GAME, "short");
        flow_handle flow = start_on(&story, clock, "closed", waits[i]);
        int polled = calls;
        destroy(&story, clock);
        story_expect(&story, "");
        assert_int_equal(flow_state_of(story.world, flow), FLOW_STATE_LIVE);
        story_update(&story, 10);
        story_expect(&story, "closed!-4");
        assert_int_equal(calls, polled);
        story_alive(&story, 0, 0, 0);
        story_end(&story);
    }
}

static void a_timer_on_an_ended_clock_fails_wherever_its_flow_lives(void **state)
{
    (void)state;
    struct story story;
    story_begin(&story, NULL);
    flow_clock clock = flow_clock_create(story.world, FLOW_CLOCK_GAME, "short");
    (void)start(&story, "game", flow_seconds_on(clock, 1));
    (void)start_on(&story, FLOW_CLOCK_UNSCALED, "unscaled", flow_seconds_on(clock, 1));
    (void)FLOW_RUN_WITH(story.world, &(flow_options){.phase = FLOW_LATE}, waiter, .name = "late",
                        .wait = flow_seconds_on(clock, 1));
    destroy(&story, clock);
    (void)start(&story, "begun_later", flow_seconds_on(clock, 1));
    story_expect(&story, "begun_later!-4"); /* at once */
    story_update(&story, 10);
    story_expect(&story, "game!-4 unscaled!-4");
    story_frame(&story, 10);
    story_expect(&story, "late!-4");
    story_alive(&story, 0, 0, 0);
    story_end(&story);
}

struct mover {
    flow_frame base;
    flow_signal *signal;
    int value;
};

FLOW_STATIC(mover)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_next_(self->signal, &self->value));
    story_log(story_of(flow), "got%d,clock%u", self->value, (unsigned)flow_clock_of(flow));
    FLOW_AWAIT(flow_seconds(0.010));
    story_log(story_of(flow), "lives");
    FLOW_END;
}

static void a_flow_at_home_on_an_ended_clock_moves_to_the_parent_and_keeps_other_waits(void **state)
{
    (void)state;
    struct story story;
    FLOW_SIGNAL(int) signal;
    int value = 42;
    story_begin(&story, NULL);
    assert_int_equal(flow_signal_init(&signal, story.world), FLOW_OK);
    flow_clock clock = flow_clock_create(story.world, FLOW_CLOCK_GAME, "short");
    flow_handle never = start_on(&story, clock, "never", flow_never());
    (void)start_on(&story, clock, "elsewhere", flow_seconds_on(FLOW_CLOCK_UNSCALED, 0.020));
    (void)FLOW_RUN_WITH(story.world, &(flow_options){.clock = clock}, mover,
                        .signal = &signal.signal);
    destroy(&story, clock);
    story_update(&story, 10);
    story_expect(&story, "");
    assert_int_equal(flow_signal_waiters(&signal), 1);
    assert_int_equal(flow_emit(&signal, &value), 1);
    story_update(&story, 10);
    story_expect(&story, "elsewhere got42,clock3");
    story_update(&story, 10);
    story_expect(&story, "lives");
    assert_int_equal(flow_cancel(story.world, never), FLOW_OK);
    story_expect(&story, "never~");
    story_end(&story);
}

static void what_an_ended_clock_had_held_goes_on_at_home_on_the_parent(void **state)
{
    (void)state;
    struct story story;
    FLOW_SIGNAL(flow_nothing) signal;
    story_begin(&story, NULL);
    assert_int_equal(flow_signal_init(&signal, story.world), FLOW_OK);
    flow_clock clock = flow_clock_create(story.world, FLOW_CLOCK_GAME, "short");
    (void)start_on(&story, clock, "a", flow_next(&signal, NULL));
    (void)start_on(&story, clock, "b", flow_next(&signal, NULL));
    assert_int_equal(flow_emit(&signal, NULL), 2);
    assert_int_equal(flow_clock_pause(story.world, clock), FLOW_OK);
    story_update(&story, 10);
    story_expect(&story, "");
    destroy(&story, clock);
    (void)start(&story, "timer", flow_seconds(0));
    story_update(&story, 10);
    story_expect(&story, "a b timer");
    story_end(&story);
}

struct racer {
    flow_frame base;
    flow_signal *signal;
    int index;
    flow_outcome outcome;
};

FLOW_STATIC(racer)
{
    FLOW_BEGIN;
    FLOW_TRY(&self->outcome,
             flow_race(&self->index, flow_next_(self->signal, NULL), flow_seconds(1)));
    story_log(story_of(flow), "race:%d,code%d", self->index, self->outcome.code);
    FLOW_END;
}

static void a_race_with_a_wait_on_an_ended_clock_fails_as_closed_and_leaves_nothing(void **state)
{
    (void)state;
    struct story story;
    FLOW_SIGNAL(int) signal;
    story_begin(&story, NULL);
    assert_int_equal(flow_signal_init(&signal, story.world), FLOW_OK);
    flow_clock clock = flow_clock_create(story.world, FLOW_CLOCK_GAME, "short");
    (void)FLOW_RUN_WITH(story.world, &(flow_options){.clock = clock}, racer,
                        .signal = &signal.signal);
    destroy(&story, clock);
    story_update(&story, 10);
    story_expect(&story, "race:1,code-4");
    assert_int_equal(flow_signal_waiters(&signal), 0);
    story_alive(&story, 0, 0, 0);
    story_end(&story);
}

/* ---- in the middle of a tick ---- */

static void act_destroy(flow_task *flow, void *clock)
{
    story_log(story_of(flow), "destroy");
    assert_int_equal(flow_clock_destroy(flow_world_of(flow), *(flow_clock *)clock), FLOW_OK);
}

static void ending_a_clock_inside_a_tick_skips_none_of_the_others(void **state)
{
    (void)state;
    flow_wait waits[] = {flow_seconds(0.010), flow_next_tick()};
    for (int wait = 0; wait < 2; wait++) {
        for (int ended = 0; ended < 3; ended++) {
            struct story story;
            flow_clock clocks[3];
            story_begin(&story, NULL);
            for (int i = 0; i < 3; i++) {
                clocks[i] = flow_clock_create(story.world, FLOW_CLOCK_GAME, "own");
            }
            (void)FLOW_RUN(story.world, doer, .wait = waits[wait], .act = act_destroy,
                           .arg = &clocks[ended]);
            (void)start_on(&story, clocks[0], "0", waits[wait]);
            (void)start_on(&story, clocks[1], "1", waits[wait]);
            (void)start_on(&story, clocks[2], "2", waits[wait]);
            story_update(&story, 10);
            story_update(&story, 10);
            /* the ended one's fails, in this tick or the next; the others are not late */
            const char *left = ended == 0   ? "destroy 1 2 0!-4"
                               : ended == 1 ? "destroy 0 2 1!-4"
                                            : "destroy 0 1 2!-4";
            story_expect(&story, left);
            story_end(&story);
        }
    }
}

static void a_flow_that_ends_the_clock_it_runs_on_lets_its_neighbours_run(void **state)
{
    (void)state;
    flow_wait waits[] = {flow_seconds(0.010), flow_next_tick()};
    for (int wait = 0; wait < 2; wait++) {
        struct story story;
        story_begin(&story, NULL);
        flow_clock a = flow_clock_create(story.world, FLOW_CLOCK_GAME, "a");
        flow_clock b = flow_clock_create(story.world, FLOW_CLOCK_GAME, "b");
        flow_options on_a = {.clock = a};
        (void)FLOW_RUN_WITH(story.world, &on_a, doer, .wait = waits[wait], .act = act_destroy,
                            .arg = &a);
        (void)start_on(&story, b, "b", waits[wait]);
        story_update(&story, 10);
        story_expect(&story, "destroy b");
        story_end(&story);
    }
}

static void clocks_that_come_and_go_take_no_more_memory(void **state)
{
    (void)state;
    struct story story;
    story_begin(&story, NULL);
    size_t bytes = 0;
    for (int i = 0; i < 2000; i++) {
        flow_clock clock = flow_clock_create(story.world, FLOW_CLOCK_GAME, "short");
        (void)start_on(&story, clock, "x", flow_seconds(1));
        (void)start_on(&story, clock, "y", flow_next_tick());
        destroy(&story, clock);
        story_update(&story, 1);
        assert_int_equal(flow_world_counters(story.world).live, 0);
        story.log[0] = '\0';
        if (i == 10) {
            bytes = story.bytes;
        }
    }
    assert_int_equal(story.bytes, bytes);
    story_end(&story);
}

static void a_clock_in_a_reused_place_is_still_the_last_in_order(void **state)
{
    (void)state;
    struct story story;
    story_begin(&story, NULL);
    flow_clock first = flow_clock_create(story.world, FLOW_CLOCK_GAME, "first");
    flow_clock second = flow_clock_create(story.world, FLOW_CLOCK_GAME, "second");
    destroy(&story, first);
    flow_clock third = flow_clock_create(story.world, FLOW_CLOCK_GAME, "third");
    (void)start_on(&story, third, "third", flow_next_tick());
    (void)start_on(&story, second, "second", flow_next_tick());
    story_update(&story, 10);
    story_expect(&story, "second third");
    story_end(&story);
}

static void a_hundred_clocks_go_in_order_of_creation(void **state)
{
    (void)state;
    enum { MANY = 100 };
    static char names[MANY][16];
    struct story story;
    flow_clock clocks[MANY];
    char expected[MANY * 8] = "";
    story_begin(&story, NULL);
    for (int i = 0; i < MANY; i++) {
        clocks[i] = flow_clock_create(story.world, i == 0 ? FLOW_CLOCK_GAME : clocks[(i - 1) / 2],
                                      "one of many");
        (void)snprintf(names[i], sizeof names[i], "%d", i);
        assert_int_equal(flow_clock_set_scale(story.world, clocks[i], i % 2 ? 2 : 0.5), FLOW_OK);
    }
    for (int i = MANY - 1; i >= 0; i--) {
        (void)start_on(&story, clocks[i], names[i], flow_next_tick());
    }
    for (int i = 0; i < MANY; i++) {
        (void)snprintf(expected + strlen(expected), sizeof expected - strlen(expected),
                       i ? " %d" : "%d", i);
    }
    story_update(&story, 10);
    story_expect(&story, expected);
    assert_int_equal(flow_clock_now_ns(story.world, clocks[62], FLOW_UPDATE),
                     156250); /* the sixth level: 10 ms / 2^6 */
    for (int i = 0; i < MANY; i += 3) {
        destroy(&story, clocks[i]);
    }
    story_update(&story, 10);
    story_end(&story);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_clock_begins_at_0_under_its_parent),
        cmocka_unit_test(the_three_last_as_long_as_the_world_and_an_ended_clock_is_stale),
        cmocka_unit_test(children_of_an_ended_clock_go_under_its_parent),
        cmocka_unit_test(each_wait_on_an_ended_clock_fails_as_closed_at_the_next_tick),
        cmocka_unit_test(a_timer_on_an_ended_clock_fails_wherever_its_flow_lives),
        cmocka_unit_test(
            a_flow_at_home_on_an_ended_clock_moves_to_the_parent_and_keeps_other_waits),
        cmocka_unit_test(what_an_ended_clock_had_held_goes_on_at_home_on_the_parent),
        cmocka_unit_test(a_race_with_a_wait_on_an_ended_clock_fails_as_closed_and_leaves_nothing),
        cmocka_unit_test(ending_a_clock_inside_a_tick_skips_none_of_the_others),
        cmocka_unit_test(a_flow_that_ends_the_clock_it_runs_on_lets_its_neighbours_run),
        cmocka_unit_test(clocks_that_come_and_go_take_no_more_memory),
        cmocka_unit_test(a_hundred_clocks_go_in_order_of_creation),
        cmocka_unit_test(a_clock_in_a_reused_place_is_still_the_last_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
