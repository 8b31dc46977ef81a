/* SPDX-License-Identifier: MIT */
/*
 * The order of a tick: its six steps, clock by clock, what each takes in, and that removal never
 * disturbs it.
 */
#include "flows.h"

static int is_set(void *arg)
{
    return *(const int *)arg;
}

/* A predicate that counts its calls and holds from one of them on. */
struct poll {
    int calls;
    int holds_at;
};

static int poll(void *arg)
{
    struct poll *p = arg;
    p->calls++;
    return p->calls >= p->holds_at;
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

/* ---- the six steps ---- */

static void log_time(flow_task *flow, void *name)
{
    int64_t ns = flow_clock_now_ns(flow_world_of(flow), FLOW_CLOCK_GAME, FLOW_UPDATE);
    story_log(story_of(flow), "%s@%d", (const char *)name, (int)(ns / 1000000));
}

static void a_tick_goes_through_its_six_steps_in_order(void **state)
{
    (void)state;
    static char held_name[] = "held";
    struct story story;
    int open = 0;
    FLOW_SIGNAL(flow_nothing) before, now;
    story_begin(&story, NULL);
    assert_int_equal(flow_signal_init(&before, story.world), FLOW_OK);
    assert_int_equal(flow_signal_init(&now, story.world), FLOW_OK);
    flow_clock own = flow_clock_create(story.world, FLOW_CLOCK_GAME, "own");
    flow_options on_own = {.clock = own};
    (void)FLOW_RUN_WITH(story.world, &on_own, doer, .wait = flow_next(&before, NULL),
                        .act = log_time, .arg = held_name);
    assert_int_equal(flow_clock_pause(story.world, own), FLOW_OK);
    assert_int_equal(flow_emit(&before, NULL), 1);
    story_update(&story, 10);
    story_expect(&story, ""); /* the pause holds it */

    (void)start(&story, "ready", flow_next(&now, NULL)); /* begun in the opposite order */
    (void)start(&story, "until", flow_until(is_set, &open));
    (void)start(&story, "tick", flow_next_tick());
    (void)start(&story, "timer", flow_seconds(0.010));
    assert_int_equal(flow_emit(&now, NULL), 1);
    assert_int_equal(flow_clock_release(story.world, own), FLOW_OK);
    open = 1;
    story_expect(&story, "");
    story_update(&story, 10); /* step 1: the time that the first one sees is that of this tick */
    story_expect(&story, "held@20 timer tick until ready");
    story_end(&story);
}

static void steps_3_to_5_go_clock_by_clock_in_order_of_creation(void **state)
{
    (void)state;
    static const char *const names[3][4] = {{"until1", "until2", "until3", "until4"},
                                            {"tick1", "tick2", "tick3", "tick4"},
                                            {"timer1", "timer2", "timer3", "timer4"}};
    struct story story;
    int open = 0;
    story_begin(&story, NULL);
    flow_clock own = flow_clock_create(story.world, FLOW_CLOCK_GAME, "own");
    flow_clock clocks[] = {FLOW_CLOCK_REAL, FLOW_CLOCK_UNSCALED, FLOW_CLOCK_GAME, own};
    for (int c = 3; c >= 0; c--) {
        (void)start_on(&story, clocks[c], names[0][c], flow_until(is_set, &open));
        (void)start_on(&story, clocks[c], names[1][c], flow_next_tick());
        (void)start_on(&story, clocks[c], names[2][c], flow_seconds(0.010));
    }
    open = 1;
    story_update(&story, 10);
    story_expect(&story,
                 "timer1 timer2 timer3 timer4 tick1 tick2 tick3 tick4 until1 until2 until3 until4");
    story_end(&story);
}

static void a_timer_stands_with_the_clock_it_counts_on_not_with_its_flows(void **state)
{
    (void)state;
    struct story story;
    story_begin(&story, NULL);
    (void)start(&story, "game", flow_seconds(0.010));
    (void)start_on(&story, FLOW_CLOCK_UNSCALED, "unscaled_on_game",
                   flow_seconds_on(FLOW_CLOCK_GAME, 0.010));
    (void)start(&story, "game_on_unscaled", flow_seconds_on(FLOW_CLOCK_UNSCALED, 0.010));
    story_update(&story, 10);
    story_expect(&story, "game_on_unscaled game unscaled_on_game");
    story_end(&story);
}

static void tick_and_frame_waits_resume_in_the_order_in_which_they_began(void **state)
{
    (void)state;
    struct story story;
    story_begin(&story, NULL);
    (void)start(&story, "a", flow_frames(3));
    (void)start(&story, "b", flow_ticks(3));
    story_update(&story, 10);
    (void)start(&story, "c", flow_ticks(2));
    (void)start(&story, "d", flow_frames(2));
    story_update(&story, 10);
    (void)start(&story, "e", flow_next_tick());
    (void)start(&story, "f", flow_next_frame());
    (void)start(&story, "g", flow_ticks(1));
    (void)start(&story, "h", flow_frames(1));
    (void)start(&story, "i", flow_next_tick());
    story_expect(&story, "");
    story_update(&story, 10);
    story_expect(&story, "a b c d e f g h i");
    story_end(&story);
}

static void timers_go_by_deadline_and_equal_ones_by_begin(void **state)
{
    (void)state;
    struct story story;
    story_begin(&story, NULL);
    (void)start(&story, "30a", flow_seconds(0.030));
    (void)start(&story, "10a", flow_seconds(0.010));
    (void)start(&story, "20a", flow_seconds(0.020));
    (void)start(&story, "30b", flow_seconds(0.030));
    story_update(&story, 5); /* from here on counted from 5 ms */
    (void)start(&story, "10b", flow_seconds(0.005));
    (void)start(&story, "20b", flow_seconds(0.015));
    (void)start(&story, "past", flow_seconds(-1.0));
    (void)start(&story, "zero", flow_seconds(0.0));
    story_update(&story, 25);
    story_expect(&story, "past zero 10a 10b 20a 20b 30a 30b");
    story_end(&story);
}

static void predicates_are_asked_in_the_order_in_which_their_waits_began(void **state)
{
    (void)state;
    struct story story;
    struct poll polls[4] = {{0, 4}, {0, 2}, {0, 3}, {0, 3}};
    story_begin(&story, NULL);
    (void)start(&story, "a", flow_until(poll, &polls[0]));
    (void)start(&story, "b", flow_until(poll, &polls[1]));
    (void)start(&story, "c", flow_until(poll, &polls[2]));
    (void)start(&story, "d", flow_until(poll, &polls[3]));
    story_update(&story, 10);
    story_expect(&story, "b");
    story_update(&story, 10);
    story_expect(&story, "c d");
    story_update(&story, 10);
    story_expect(&story, "a");
    story_update(&story, 10);
    assert_int_equal(polls[0].calls, 4);
    assert_int_equal(polls[1].calls, 2);
    assert_int_equal(polls[2].calls, 3);
    assert_int_equal(polls[3].calls, 3);
    assert_int_equal(flow_world_counters(story.world).predicates, 0);
    story_end(&story);
}

/* ---- step 6 ---- */

FLOW_SIGNAL(flow_nothing) chained;

static void emit_chained(flow_task *flow, void *name)
{
    story_log(story_of(flow), "%s", (const char *)name);
    (void)flow_emit(&chained, NULL);
}

static void the_ready_queue_is_first_in_first_out_with_additions(void **state)
{
    (void)state;
    static char emitter[] = "emitter", ticker[] = "ticker";
    struct story story;
    FLOW_SIGNAL(flow_nothing) first;
    story_begin(&story, NULL);
    assert_int_equal(flow_signal_init(&first, story.world), FLOW_OK);
    assert_int_equal(flow_signal_init(&chained, story.world), FLOW_OK);
    (void)FLOW_RUN(story.world, doer, .wait = flow_next(&first, NULL), .act = emit_chained,
                   .arg = emitter);
    (void)start(&story, "chained1", flow_next(&chained, NULL));
    (void)start(&story, "b", flow_next(&first, NULL));
    (void)start(&story, "chained2", flow_next(&chained, NULL));
    assert_int_equal(flow_emit(&first, NULL), 2);
    story_update(&story, 10);
    story_expect(&story, "emitter b chained1 chained2");

    /* what a step before readies goes behind what was ready */
    (void)start(&story, "chained", flow_next(&chained, NULL));
    (void)start(&story, "c", flow_next(&first, NULL));
    (void)FLOW_RUN(story.world, doer, .wait = flow_next_tick(), .act = emit_chained, .arg = ticker);
    assert_int_equal(flow_emit(&first, NULL), 1);
    story_update(&story, 10);
    story_expect(&story, "ticker c chained");
    story_end(&story);
}

static void a_flush_is_step_6_alone(void **state)
{
    (void)state;
    struct story story;
    struct poll never = {0, 100};
    FLOW_SIGNAL(flow_nothing) signal;
    story_begin(&story, NULL);
    assert_int_equal(flow_signal_init(&signal, story.world), FLOW_OK);
    flow_options late = {.phase = FLOW_LATE};
    (void)start(&story, "timer", flow_seconds(0));
    (void)start(&story, "tick", flow_next_tick());
    (void)start(&story, "frame", flow_next_frame());
    (void)start(&story, "until", flow_until(poll, &never));
    (void)start(&story, "ready", flow_next(&signal, NULL));
    (void)FLOW_RUN_WITH(story.world, &late, waiter, .name = "late",
                        .wait = flow_next(&signal, NULL));
    assert_int_equal(flow_emit(&signal, NULL), 2);
    assert_int_equal(flow_world_flush(story.world, FLOW_EARLY), FLOW_OK);
    story_expect(&story, "");
    assert_int_equal(flow_world_flush(story.world, FLOW_UPDATE), FLOW_OK);
    story_expect(&story, "ready");
    assert_int_equal(flow_world_flush(story.world, FLOW_LATE), FLOW_OK);
    story_expect(&story, "late");
    assert_int_equal(never.calls, 1); /* when the wait began */
    assert_int_equal(flow_clock_now_ns(story.world, FLOW_CLOCK_GAME, FLOW_UPDATE), 0);
    assert_int_equal(flow_world_frame(story.world), 0);
    story_update(&story, 0);
    story_expect(&story, "timer tick frame");
    story_end(&story);
}

/* ---- the snapshot ---- */

struct began {
    const char *names[4];
    struct poll poll;
};

static void begin_all(flow_task *flow, void *arg)
{
    struct began *began = arg;
    struct story *story = story_of(flow);
    (void)start(story, began->names[0], flow_seconds(0));
    (void)start(story, began->names[1], flow_next_tick());
    (void)start(story, began->names[2], flow_next_frame());
    (void)start(story, began->names[3], flow_until(poll, &began->poll));
}

static void what_begins_during_a_tick_is_taken_in_by_a_later_one(void **state)
{
    (void)state;
    struct story story;
    int open = 0;
    struct began began[] = {{{"timer3", "tick3", "frame3", "until3"}, {0, 2}},
                            {{"timer4", "tick4", "frame4", "until4"}, {0, 2}},
                            {{"timer5", "tick5", "frame5", "until5"}, {0, 2}},
                            {{"timer6", "tick6", "frame6", "until6"}, {0, 2}}};
    FLOW_SIGNAL(flow_nothing) signal;
    story_begin(&story, NULL);
    assert_int_equal(flow_signal_init(&signal, story.world), FLOW_OK);
    flow_wait waits[] = {flow_seconds(0), flow_next_tick(), flow_until(is_set, &open),
                         flow_next(&signal, NULL)};
    for (int i = 0; i < 4; i++) {
        (void)FLOW_RUN(story.world, doer, .wait = waits[i], .act = begin_all, .arg = &began[i]);
    }
    open = 1;
    assert_int_equal(flow_emit(&signal, NULL), 1);
    story_update(&story, 10);
    story_expect(&story, "");
    for (int i = 0; i < 4; i++) {
        assert_int_equal(began[i].poll.calls, 1);
    }
    story_update(&story, 0);
    story_expect(&story,
                 "timer3 timer4 timer5 timer6 tick3 frame3 tick4 frame4 tick5 frame5 tick6 frame6 "
                 "until3 until4 until5 until6");
    story_end(&story);
}

static void an_earlier_clock_cannot_put_a_wait_into_a_later_clocks_step(void **state)
{
    (void)state;
    struct story story;
    struct began began = {{"timer", "tick", "frame", "until"}, {0, 2}};
    story_begin(&story, NULL);
    (void)FLOW_RUN_WITH(story.world, &(flow_options){.clock = FLOW_CLOCK_UNSCALED}, doer,
                        .wait = flow_seconds(0), .act = begin_all, .arg = &began);
    story_update(&story,
                 10); /* the roots that it starts live on `game`, whose steps are still to come */
    story_expect(&story, "");
    assert_int_equal(began.poll.calls, 1);
    story_update(&story, 0);
    story_expect(&story, "timer tick frame until");
    story_end(&story);
}

static void a_start_runs_to_its_first_suspension_at_once(void **state)
{
    (void)state;
    struct story story;
    story_begin(&story, NULL);
    flow_handle done = start(&story, "now", flow_ready());
    story_expect(&story, "now");
    assert_int_equal(flow_state_of(story.world, done), FLOW_STATE_DONE);
    flow_handle waits = start(&story, "later", flow_next_tick());
    story_expect(&story, "");
    assert_int_equal(flow_state_of(story.world, waits), FLOW_STATE_LIVE);
    story_update(&story, 10);
    story_expect(&story, "later");
    story_end(&story);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tick_goes_through_its_six_steps_in_order),
        cmocka_unit_test(steps_3_to_5_go_clock_by_clock_in_order_of_creation),
        cmocka_unit_test(a_timer_stands_with_the_clock_it_counts_on_not_with_its_flows),
        cmocka_unit_test(tick_and_frame_waits_resume_in_the_order_in_which_they_began),
        cmocka_unit_test(timers_go_by_deadline_and_equal_ones_by_begin),
        cmocka_unit_test(predicates_are_asked_in_the_order_in_which_their_waits_began),
        cmocka_unit_test(the_ready_queue_is_first_in_first_out_with_additions),
        cmocka_unit_test(a_flush_is_step_6_alone),
        cmocka_unit_test(what_begins_during_a_tick_is_taken_in_by_a_later_one),
        cmocka_unit_test(an_earlier_clock_cannot_put_a_wait_into_a_later_clocks_step),
        cmocka_unit_test(a_start_runs_to_its_first_suspension_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
