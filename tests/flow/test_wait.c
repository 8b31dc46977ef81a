/* SPDX-License-Identifier: MIT */
/* Waits from every phase: ticks, frames, and moves from phase to phase. */
#include "flows.h"

#include <stdio.h>

enum { PHASES = 5 };

static const flow_phase phases[PHASES] = {FLOW_EARLY, FLOW_FIXED, FLOW_UPDATE, FLOW_LATE,
                                          FLOW_END_OF_FRAME};

static int frame_of(const flow_task *flow)
{
    return (int)flow_frame_count(flow);
}

/* ---- scenarios of the bug reports ---- */

struct one_frame {
    flow_frame base;
    const char *name;
};

FLOW_STATIC(one_frame)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_next_frame());
    story_log(story_of(flow), "%s %d", self->name, frame_of(flow));
    FLOW_END;
}

static void start_one_frame(flow_task *flow, void *name)
{
    (void)FLOW_RUN(flow_world_of(flow), one_frame, .name = name);
}

static void scenario_1_next_frame_from_everywhere(void **state)
{
    (void)state;
    static char b[] = "B", c[] = "C";
    struct story story;
    story_begin(&story, NULL);
    flow_options fixed = {.phase = FLOW_FIXED}, late = {.phase = FLOW_LATE};
    (void)FLOW_RUN_WITH(story.world, &late, doer, .wait = flow_next_tick(), .act = start_one_frame,
                        .arg = c);
    (void)FLOW_RUN_WITH(story.world, &fixed, doer, .wait = flow_next_tick(), .act = start_one_frame,
                        .arg = b);
    (void)FLOW_RUN(story.world, one_frame, .name = "A");
    story_frame(&story, 10);
    story_expect(&story, "A 1");
    story_frame(&story, 10);
    story_expect(&story, "B 2 C 2");
    story_end(&story);
}

struct stepper {
    flow_frame base;
    int *n;
};

FLOW_STATIC(stepper)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_AWAIT(flow_next_tick());
        ++*self->n;
    }
    FLOW_END;
}

static void log_fixed_time(flow_task *flow, void *arg)
{
    (void)arg;
    story_log(story_of(flow), "G at %d ms in frame %d", (int)(flow_now_ns(flow) / 1000000),
              frame_of(flow));
}

static void scenario_2_fixed_cadence(void **state)
{
    (void)state;
    struct story story;
    flow_options fixed = {.phase = FLOW_FIXED};
    int n = 0;
    story_begin(&story, NULL);
    (void)FLOW_RUN_WITH(story.world, &fixed, stepper, .n = &n);
    (void)FLOW_RUN_WITH(story.world, &fixed, doer, .wait = flow_seconds(0.020),
                        .act = log_fixed_time);
    story_frame(&story, 35);
    assert_int_equal(n, 3);
    story_frame(&story, 3);
    assert_int_equal(n, 3);
    story_frame(&story, 2);
    assert_int_equal(n, 4);
    story_expect(&story, "G at 20 ms in frame 1");
    story_end(&story);
}

/* ---- from every phase to every phase ---- */

/* Waits for a tick, a frame, three frames; logs after each where it is. */
struct traveller {
    flow_frame base;
    flow_wait wait;
};

static void log_place(const flow_task *flow)
{
    story_log(story_of(flow), "%s:%d", flow_phase_name(flow_phase_of(flow)), frame_of(flow));
}

FLOW_STATIC(traveller)
{
    FLOW_BEGIN;
    FLOW_AWAIT(self->wait);
    log_place(flow);
    FLOW_END;
}

struct from_to {
    flow_phase to;
    flow_wait wait;
};

static void start_traveller(flow_task *flow, void *arg)
{
    const struct from_to *trip = arg;
    (void)FLOW_RUN_WITH(flow_world_of(flow), &(flow_options){.phase = trip->to}, traveller,
                        .wait = trip->wait);
}

/* In frame 1 a flow of phase `from` starts one of phase `to`, which waits. Each frame has that many
 * fixed steps. */
static void expect_arrival(flow_phase from, flow_phase to, flow_wait wait, int steps, int frame)
{
    struct story story;
    struct from_to trip = {to, wait};
    char expected[32];
    story_begin(&story, NULL);
    (void)FLOW_RUN_WITH(story.world, &(flow_options){.phase = from}, doer, .wait = flow_next_tick(),
                        .act = start_traveller, .arg = &trip);
    story_frames(&story, 6, 10.0 * steps);
    (void)snprintf(expected, sizeof expected, "%s:%d", flow_phase_name(to), frame);
    story_expect(&story, expected);
    story_end(&story);
}

static void a_frame_wait_ends_in_a_later_frame_from_whatever_phase_it_began(void **state)
{
    (void)state;
    for (int from = 0; from < PHASES; from++) {
        for (int to = 0; to < PHASES; to++) {
            for (int steps = 1; steps <= 3; steps++) {
                expect_arrival(phases[from], phases[to], flow_next_frame(), steps, 2);
                expect_arrival(phases[from], phases[to], flow_frames(1), steps, 2);
                expect_arrival(phases[from], phases[to], flow_frames(4), steps, 5);
            }
        }
    }
}

static void a_tick_wait_ends_in_the_next_tick_of_its_phase_never_the_current_one(void **state)
{
    (void)state;
    for (int from = 0; from < PHASES; from++) {
        for (int to = 0; to < PHASES; to++) {
            int frame = to > from ? 1 : 2;
            expect_arrival(phases[from], phases[to], flow_next_tick(), 1, frame);
            expect_arrival(phases[from], phases[to], flow_ticks(1), 1, frame);
            expect_arrival(phases[from], phases[to], flow_ticks(3), 1, frame + 2);
            expect_arrival(phases[from], phases[to], flow_seconds(0), 1, frame);
        }
    }
    expect_arrival(FLOW_FIXED, FLOW_FIXED, flow_next_tick(), 2,
                   1); /* the second step of the same frame */
    expect_arrival(FLOW_FIXED, FLOW_FIXED, flow_ticks(2), 3, 1);
    expect_arrival(FLOW_FIXED, FLOW_FIXED, flow_ticks(3), 3, 2);
    expect_arrival(FLOW_EARLY, FLOW_FIXED, flow_ticks(3), 3, 1);
    expect_arrival(FLOW_LATE, FLOW_FIXED, flow_ticks(3), 3, 2);
}

static void waits_begun_outside_the_world_count_from_the_last_tick(void **state)
{
    (void)state;
    struct story story;
    story_begin(&story, NULL);
    assert_int_equal(flow_world_begin_frame(story.world, 0.010), FLOW_OK);
    (void)FLOW_RUN(story.world, traveller,
                   .wait = flow_next_frame()); /* begun in frame 1, before its tick */
    (void)FLOW_RUN(story.world, traveller, .wait = flow_next_tick());
    (void)FLOW_RUN(story.world, traveller, .wait = flow_seconds(0.010));
    assert_int_equal(flow_world_tick(story.world, FLOW_UPDATE, 0.010), FLOW_OK);
    story_expect(&story, "update:1 update:1");
    (void)FLOW_RUN(story.world, traveller, .wait = flow_next_frame()); /* after it */
    story_update(&story, 10);
    story_expect(&story, "update:2 update:2");
    story_end(&story);
}

static void a_frame_wait_of_a_phase_that_skips_frames_ends_at_its_first_tick_after(void **state)
{
    (void)state;
    struct story story;
    flow_options fixed = {.phase = FLOW_FIXED};
    story_begin(&story, NULL);
    story_frame(&story, 10);
    (void)FLOW_RUN_WITH(story.world, &fixed, traveller, .wait = flow_next_frame());
    (void)FLOW_RUN_WITH(story.world, &fixed, traveller, .wait = flow_frames(2));
    (void)FLOW_RUN_WITH(story.world, &fixed, traveller, .wait = flow_frames(5));
    story_frames(&story, 3, 2); /* no step in frames 2 to 4 */
    story_expect(&story, "");
    story_frame(&story, 14);
    story_expect(&story, "fixed:5 fixed:5");
    story_frame(&story, 10);
    story_expect(&story, "fixed:6");
    story_end(&story);
}

/* ---- switching ---- */

struct switcher {
    flow_frame base;
    flow_phase to;
};

FLOW_STATIC(switcher)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_next_frame());
    log_place(flow);
    FLOW_AWAIT(flow_switch_phase(self->to));
    log_place(flow);
    FLOW_AWAIT(flow_next_frame());
    log_place(flow);
    FLOW_END;
}

static void a_flow_switches_from_every_phase_to_every_phase_itself_included(void **state)
{
    (void)state;
    for (int from = 0; from < PHASES; from++) {
        for (int to = 0; to < PHASES; to++) {
            struct story story;
            char expected[64];
            int frame = to > from ? 1 : 2;
            story_begin(&story, NULL);
            (void)FLOW_RUN_WITH(story.world, &(flow_options){.phase = phases[from]}, switcher,
                                .to = phases[to]);
            story_frames(&story, 3, 10);
            const char *name = flow_phase_name(phases[to]);
            (void)snprintf(expected, sizeof expected, "%s:1 %s:%d %s:%d",
                           flow_phase_name(phases[from]), name, frame, name, frame + 1);
            story_expect(&story, expected);
            story_end(&story);
        }
    }
}

struct outer {
    flow_frame base;
};

FLOW_STATIC(outer)
{
    FLOW_BEGIN;
    FLOW_AWAIT(FLOW_CALL(switcher, .to = FLOW_LATE));
    story_log(story_of(flow), "caller");
    log_place(flow);
    (void)FLOW_SPAWN(traveller, .wait = flow_next_tick());
    FLOW_AWAIT(flow_frames(2));
    log_place(flow);
    FLOW_END;
}

static void switching_moves_the_callers_too_and_later_children_inherit_it(void **state)
{
    (void)state;
    struct story story;
    story_begin(&story, NULL);
    (void)FLOW_RUN(story.world, outer);
    story_frame(&story, 10);
    story_expect(&story, "update:1 late:1");
    story_frame(&story, 10);
    story_expect(&story, "late:2 caller late:2");
    story_frame(&story, 10);
    story_expect(&story, "late:3"); /* the child */
    story_frame(&story, 10);
    story_expect(&story, "late:4");
    story_end(&story);
}

struct switcher_then_timer {
    flow_frame base;
};

FLOW_STATIC(switcher_then_timer)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_switch_phase(FLOW_LATE));
    story_log(story_of(flow), "%d", (int)(flow_now_ns(flow) / 1000000));
    FLOW_AWAIT(flow_seconds(0.020));
    story_log(story_of(flow), "%d", (int)(flow_now_ns(flow) / 1000000));
    FLOW_END;
}

static void time_after_a_switch_is_that_of_the_new_phase(void **state)
{
    (void)state;
    struct story story;
    story_begin(&story, NULL);
    story_update(&story, 100); /* UPDATE is 100 ms ahead of LATE */
    (void)FLOW_RUN(story.world, switcher_then_timer);
    story_frame(&story, 10);
    story_expect(&story, "10");
    story_frame(&story, 10);
    story_expect(&story, "");
    story_frame(&story, 10);
    story_expect(&story, "30");
    story_end(&story);
}

static void a_host_has_phases_of_its_own_up_to_sixteen(void **state)
{
    (void)state;
    struct story story;
    story_begin(&story, NULL);
    (void)FLOW_RUN_WITH(story.world, &(flow_options){.phase = FLOW_PHASE_HOST}, traveller,
                        .wait = flow_next_tick());
    (void)FLOW_RUN(story.world, traveller,
                   .wait = flow_switch_phase((flow_phase)(FLOW_PHASE_LIMIT - 1)));
    story_frame(&story, 10);
    story_expect(&story, "");
    assert_int_equal(flow_world_tick(story.world, (flow_phase)16, 0.010), FLOW_OK);
    assert_int_equal(flow_world_tick(story.world, FLOW_PHASE_HOST, 0.010), FLOW_OK);
    story_expect(&story, "host 16:1 host 6:1");
    story_end(&story);
}

static void a_phase_that_is_none_is_misuse(void **state)
{
    (void)state;
    static const int none[] = {-1, FLOW_INHERIT, FLOW_PHASE_LIMIT, 1000};
    struct story story;
    story_begin(&story, NULL);
    for (int i = 0; i < 4; i++) {
        (void)FLOW_RUN(story.world, waiter, .name = "switch",
                       .wait = flow_switch_phase((flow_phase)none[i]));
        story_expect(&story, "switch!-10");
        assert_int_equal(story.misuses, ++story.expect_misuses);
        assert_int_equal(flow_world_tick(story.world, (flow_phase)none[i], 0.010), FLOW_MISUSE);
        assert_int_equal(story.misuses, ++story.expect_misuses);
        assert_int_equal(flow_world_flush(story.world, (flow_phase)none[i]), FLOW_MISUSE);
        assert_int_equal(story.misuses, ++story.expect_misuses);
    }
    story_frame(&story, 10);
    story_end(&story);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenario_1_next_frame_from_everywhere),
        cmocka_unit_test(scenario_2_fixed_cadence),
        cmocka_unit_test(a_frame_wait_ends_in_a_later_frame_from_whatever_phase_it_began),
        cmocka_unit_test(a_tick_wait_ends_in_the_next_tick_of_its_phase_never_the_current_one),
        cmocka_unit_test(waits_begun_outside_the_world_count_from_the_last_tick),
        cmocka_unit_test(a_flow_switches_from_every_phase_to_every_phase_itself_included),
        cmocka_unit_test(switching_moves_the_callers_too_and_later_children_inherit_it),
        cmocka_unit_test(a_frame_wait_of_a_phase_that_skips_frames_ends_at_its_first_tick_after),
        cmocka_unit_test(time_after_a_switch_is_that_of_the_new_phase),
        cmocka_unit_test(a_host_has_phases_of_its_own_up_to_sixteen),
        cmocka_unit_test(a_phase_that_is_none_is_misuse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
