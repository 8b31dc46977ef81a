/* SPDX-License-Identifier: MIT */
/* A frame's budget: long work fills what is left of the frame and no more. */
#include "flows.h"

/* The clock of these tests moves when they say so. */
static uint64_t clock_us;

static uint64_t clock_ns(void *user)
{
    (void)user;
    return clock_us * 1000;
}

static void begin(struct story *s, double budget)
{
    clock_us = 1000;
    story_begin(s, &(flow_world_desc){.now_ns = clock_ns, .frame_budget = budget});
}

/* Does pieces of work of that many microseconds each. */
struct digger {
    flow_frame base;
    const char *name;
    uint64_t piece;
    int pieces;
};

FLOW_STATIC(digger)
{
    FLOW_BEGIN;
    while (self->pieces-- > 0) {
        clock_us += self->piece;
        story_log(story_of(flow), "%s", self->name);
        FLOW_AWAIT(flow_yield_over_budget());
    }
    story_log(story_of(flow), "%s.", self->name);
    FLOW_END;
}

static void long_work_fills_the_frames_budget_and_no_more(void **state)
{
    struct story s;
    (void)state;
    begin(&s, 0.002);
    (void)FLOW_RUN(s.world, digger, .name = "a", .piece = 700, .pieces = 8);
    story_expect(&s, "a"); /* outside ticks: one piece */
    story_frame(&s, 16);
    story_expect(&s, "a a a"); /* the third goes over */
    clock_us += 16000;         /* what the host does between ticks is no time of flows */
    story_frame(&s, 16);
    story_expect(&s, "a a a");
    story_frame(&s, 16);
    story_expect(&s, "a a.");
    story_end(&s);
}

static void a_piece_longer_than_the_budget_is_done_once_a_tick(void **state)
{
    struct story s;
    (void)state;
    begin(&s, 0.002);
    (void)FLOW_RUN(s.world, digger, .name = "a", .piece = 5000, .pieces = 3);
    story_frame(&s, 16);
    story_expect(&s, "a a");
    story_frame(&s, 16);
    story_expect(&s, "a");
    story_frame(&s, 16);
    story_expect(&s, "a.");
    story_end(&s);
}

static void flows_share_the_budget_in_the_order_in_which_they_run(void **state)
{
    struct story s;
    (void)state;
    begin(&s, 0.002);
    (void)FLOW_RUN(s.world, digger, .name = "a", .piece = 500, .pieces = 5);
    (void)FLOW_RUN(s.world, digger, .name = "b", .piece = 500, .pieces = 3);
    story_expect(&s, "a b");
    story_frame(&s, 16);
    story_expect(&s, "a a a a b");
    story_frame(&s, 16);
    story_expect(&s, "a. b b.");
    story_end(&s);
}

static void the_ticks_of_a_frame_have_one_budget(void **state)
{
    struct story s;
    (void)state;
    begin(&s, 0.002);
    (void)FLOW_RUN_WITH(s.world, FLOW_OPTIONS(.phase = FLOW_FIXED), digger, .name = "f",
                        .piece = 800, .pieces = 9);
    (void)FLOW_RUN_WITH(s.world, FLOW_OPTIONS(.phase = FLOW_LATE), digger, .name = "l",
                        .piece = 100, .pieces = 3);
    story_expect(&s, "f l");
    story_frame(&s, 30); /* three steps */
    story_expect(&s, "f f f f f l");
    story_frame(&s, 0); /* no step: all of it is there for the other */
    story_expect(&s, "l l.");
    story_end(&s);
}

static void without_a_clock_or_a_budget_it_is_the_next_tick(void **state)
{
    struct story s;
    (void)state;
    for (int i = 0; i < 3; i++) {
        clock_us = 0;
        story_begin(&s, &(flow_world_desc){.now_ns = i == 0 ? NULL : clock_ns,
                                           .frame_budget = i == 2   ? -1.0
                                                           : i == 1 ? 0.0
                                                                    : 1.0});
        (void)FLOW_RUN(s.world, digger, .name = "a", .piece = 1, .pieces = 2);
        story_expect(&s, "a");
        story_frame(&s, 16);
        story_expect(&s, "a");
        story_frame(&s, 16);
        story_expect(&s, "a.");
        story_end(&s);
    }
}

static void a_clock_that_goes_back_takes_nothing_and_gives_nothing(void **state)
{
    struct story s;
    (void)state;
    begin(&s, 0.002);
    (void)FLOW_RUN(s.world, digger, .name = "a", .piece = (uint64_t)-400, .pieces = 3);
    (void)FLOW_RUN(s.world, digger, .name = "b", .piece = 1500, .pieces = 9);
    story_expect(&s, "a b");
    story_frame(&s, 16);
    story_expect(&s, "a a a. b b");
    story_end(&s);
}

/* Races it, and puts it on another clock. */
struct racer {
    flow_frame base;
    int index;
};

FLOW_STATIC(racer)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_next_tick());
    FLOW_RACE(self->index, flow_never(), flow_yield_over_budget());
    story_log(story_of(flow), "at once %d", self->index);
    clock_us += 5000;
    FLOW_RACE(self->index, flow_never(), flow_yield_over_budget());
    story_log(story_of(flow), "next tick %d", self->index);
    clock_us += 5000;
    FLOW_ON_CLOCK(FLOW_CLOCK_REAL, flow_yield_over_budget());
    story_log(story_of(flow), "next tick");
    FLOW_END;
}

static void it_is_a_wait_like_any_other(void **state)
{
    struct story s;
    (void)state;
    begin(&s, 0.002);
    (void)FLOW_RUN(s.world, racer);
    story_frame(&s, 16);
    story_expect(&s, "at once 1");
    story_frame(&s, 16);
    story_expect(&s, "next tick 1");
    story_frame(&s, 16);
    story_expect(&s, "next tick");
    story_end(&s);
}

/* Never suspends otherwise. */
struct endless {
    flow_frame base;
};

FLOW_STATIC(endless)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_next_tick());
    for (;;) {
        FLOW_AWAIT(flow_yield_over_budget());
    }
    FLOW_END;
}

static void a_clock_that_stands_makes_an_endless_loop_of_it(void **state)
{
    struct story s;
    (void)state;
    begin(&s, 0.002);
    (void)FLOW_RUN(s.world, endless);
    story_frame(&s, 16);
    assert_int_equal(s.failures[0].failure.code, FLOW_ENDLESS);
    s.expect_failures = 1;
    story_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_work_fills_the_frames_budget_and_no_more),
        cmocka_unit_test(a_piece_longer_than_the_budget_is_done_once_a_tick),
        cmocka_unit_test(flows_share_the_budget_in_the_order_in_which_they_run),
        cmocka_unit_test(the_ticks_of_a_frame_have_one_budget),
        cmocka_unit_test(without_a_clock_or_a_budget_it_is_the_next_tick),
        cmocka_unit_test(a_clock_that_goes_back_takes_nothing_and_gives_nothing),
        cmocka_unit_test(it_is_a_wait_like_any_other),
        cmocka_unit_test(a_clock_that_stands_makes_an_endless_loop_of_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
