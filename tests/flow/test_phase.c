/* SPDX-License-Identifier: MIT */
/* Phases of a host's own: before and after its work of each kind, in the steps of the simulation,
 * after presenting; their names and their time. */
#include "flows.h"

#include <string.h>

enum { BEFORE_FIXED = FLOW_PHASE_HOST, BEFORE_UPDATE, AFTER_END };

static const flow_world_desc host_desc = {
    .host_phases = {{"before fixed", .fixed = 1}, {.name = "before update"}, {0}}};

static void tick(struct story *s, int phase, double dt)
{
    assert_int_equal(flow_world_tick(s->world, (flow_phase)phase, dt), FLOW_OK);
}

/* A frame of a host that has a phase before its physics and one before its update, and presents
 * before END. Between steps it reads anew how fast the game goes. */
static void host_frame(struct story *s, double ms)
{
    double dt = ms / 1000.0;
    assert_int_equal(flow_world_begin_frame(s->world, dt), FLOW_OK);
    double due = dt;
    for (int step = 0; step < 5; step++) {
        double scale = flow_clock_effective_scale(s->world, FLOW_CLOCK_GAME);
        if (scale <= 0.0 || due * scale < 0.010 - 1e-9) {
            break;
        }
        due -= 0.010 / scale;
        tick(s, BEFORE_FIXED, 0.010);
        story_log(s, "physics");
        tick(s, FLOW_FIXED, 0.010);
    }
    tick(s, BEFORE_UPDATE, dt);
    story_log(s, "update");
    tick(s, FLOW_UPDATE, dt);
    tick(s, FLOW_LATE, dt);
    story_log(s, "present");
    tick(s, FLOW_END_OF_FRAME, dt);
    tick(s, AFTER_END, dt);
}

/* Says in each tick of its phase where it is and when. */
struct witness {
    flow_frame base;
    const char *name;
};

FLOW_STATIC(witness)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_AWAIT(flow_next_tick());
        story_log(story_of(flow), "%s@%.0f", self->name, flow_now(flow) * 1000.0);
    }
    FLOW_END;
}

static flow_handle watch(struct story *s, int phase, flow_clock clock, const char *name)
{
    return FLOW_RUN_WITH(s->world, FLOW_OPTIONS(.phase = (flow_phase)phase, .clock = clock),
                         witness, .name = name);
}

static void flows_go_on_before_and_after_the_hosts_own_work(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, &host_desc);
    (void)watch(&s, FLOW_UPDATE, FLOW_CLOCK_GAME, "after_update");
    (void)watch(&s, BEFORE_UPDATE, FLOW_CLOCK_GAME, "before_update");
    (void)watch(&s, FLOW_FIXED, FLOW_CLOCK_GAME, "after_physics");
    (void)watch(&s, BEFORE_FIXED, FLOW_CLOCK_GAME, "before_physics");
    host_frame(&s, 20);
    story_expect(&s, "before_physics@10 physics after_physics@10 "
                     "before_physics@20 physics after_physics@20 "
                     "before_update@20 update after_update@20 present");
    story_end(&s);
}

static void a_fixed_phase_of_the_host_has_the_time_of_the_steps(void **state)
{
    static const flow_clock clocks[] = {FLOW_CLOCK_REAL, FLOW_CLOCK_UNSCALED, FLOW_CLOCK_GAME};
    struct story s;
    (void)state;
    story_begin(&s, &host_desc);
    assert_int_equal(flow_clock_set_scale(s.world, FLOW_CLOCK_GAME, 0.5), FLOW_OK);
    flow_clock own = flow_clock_create(s.world, FLOW_CLOCK_GAME, "own");
    assert_int_equal(flow_clock_set_scale(s.world, own, 3), FLOW_OK);
    host_frame(&s, 40);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(flow_clock_now_ns(s.world, clocks[i], (flow_phase)BEFORE_FIXED), 20000000);
        assert_int_equal(flow_clock_now_ns(s.world, clocks[i], FLOW_FIXED), 20000000);
    }
    assert_int_equal(flow_clock_now_ns(s.world, own, (flow_phase)BEFORE_FIXED), 60000000);
    assert_int_equal(flow_clock_now_ns(s.world, FLOW_CLOCK_GAME, (flow_phase)BEFORE_UPDATE),
                     20000000);
    assert_int_equal(flow_clock_now_ns(s.world, FLOW_CLOCK_UNSCALED, (flow_phase)BEFORE_UPDATE),
                     40000000);
    assert_int_equal(flow_clock_now_ns(s.world, FLOW_CLOCK_REAL, (flow_phase)BEFORE_UPDATE),
                     40000000);
    story_end(&s);
}

static void a_pause_in_one_step_is_heeded_before_the_next(void **state)
{
    static const flow_clock clocks[] = {FLOW_CLOCK_REAL, FLOW_CLOCK_UNSCALED, FLOW_CLOCK_GAME};
    static const char *const names[] = {"real", "unscaled", "game"};
    struct story s;
    (void)state;
    story_begin(&s, &host_desc);
    for (int i = 0; i < 3; i++) {
        (void)watch(&s, FLOW_FIXED, clocks[i], names[i]);
    }
    (void)watch(&s, FLOW_UPDATE, FLOW_CLOCK_UNSCALED, "menu");
    host_frame(&s, 10);
    story_expect(&s, "physics real@10 unscaled@10 game@10 update menu@10 present");
    flow_clock clock = FLOW_CLOCK_GAME;
    (void)FLOW_RUN_WITH(s.world, FLOW_OPTIONS(.phase = (flow_phase)BEFORE_FIXED), waiter,
                        .name = "pause", .wait = flow_next_tick());
    host_frame(&s, 10);
    story_expect(&s, "pause physics real@20 unscaled@20 game@20 update menu@20 present");
    assert_int_equal(flow_clock_pause(s.world, clock), FLOW_OK);
    host_frame(&s, 50); /* nothing in FIXED moves, on any clock; what must go on lives in UPDATE */
    story_expect(&s, "update menu@70 present");
    assert_int_equal(flow_clock_release(s.world, clock), FLOW_OK);
    host_frame(&s, 10);
    story_expect(&s, "physics real@30 unscaled@30 game@30 update menu@80 present");
    story_end(&s);
}

/* Pauses the game in a step, from inside it. */
static void pause_game(flow_task *flow, void *arg)
{
    (void)arg;
    assert_int_equal(flow_clock_pause(flow_world_of(flow), FLOW_CLOCK_GAME), FLOW_OK);
}

static void a_flow_that_pauses_the_game_in_a_step_ends_the_steps(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, &host_desc);
    (void)FLOW_RUN_WITH(s.world, FLOW_OPTIONS(.phase = FLOW_FIXED, .clock = FLOW_CLOCK_UNSCALED),
                        doer, .wait = flow_ticks(2), .act = pause_game);
    (void)watch(&s, FLOW_FIXED, FLOW_CLOCK_UNSCALED, "step");
    host_frame(&s, 50); /* five steps' worth */
    story_expect(&s, "physics step@10 physics step@20 update present");
    story_end(&s);
}

static void what_waits_for_the_end_of_the_frame_goes_on_after_presenting(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, &host_desc);
    (void)FLOW_RUN(s.world, waiter, .name = "shot", .wait = flow_switch_phase(FLOW_END_OF_FRAME));
    (void)watch(&s, FLOW_END_OF_FRAME, FLOW_CLOCK_REAL, "end");
    host_frame(&s, 5);
    story_expect(&s, "update present end@5 shot"); /* in the frame in which it began */
    host_frame(&s, 5);
    story_expect(&s, "update present end@10"); /* what begins there waits one more */
    story_end(&s);
}

static void phases_have_the_names_that_the_host_gives_them(void **state)
{
    struct story s;
    char text[1024];
    (void)state;
    story_begin(&s, &host_desc);
    (void)watch(&s, BEFORE_FIXED, FLOW_CLOCK_GAME, "a");
    (void)watch(&s, AFTER_END, FLOW_CLOCK_GAME, "b");
    (void)flow_world_dump_text(s.world, text, sizeof text);
    assert_non_null(strstr(text, "[before fixed, game]"));
    assert_non_null(strstr(text, "[host 8, game]"));
    assert_string_equal(flow_world_phase_name(s.world, (flow_phase)BEFORE_UPDATE), "before update");
    assert_string_equal(flow_world_phase_name(s.world, FLOW_LATE), "late");
    assert_string_equal(flow_world_phase_name(s.world, FLOW_PHASE_LIMIT), "unknown phase");
    story_end(&s);
}

/* Goes through all sixteen. */
struct traveller {
    flow_frame base;
    int phase;
};

FLOW_STATIC(traveller)
{
    FLOW_BEGIN;
    for (self->phase = 1; self->phase < FLOW_PHASE_LIMIT; self->phase++) {
        FLOW_AWAIT(flow_switch_phase((flow_phase)self->phase));
        story_log(story_of(flow), "%d", (int)flow_phase_of(flow));
    }
    FLOW_END;
}

static void sixteen_phases_are_there_in_all(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, traveller);
    for (int phase = 1; phase < FLOW_PHASE_LIMIT; phase++) {
        tick(&s, phase, 0.010);
    }
    story_expect(&s, "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16");
    /* a pause holds and gives back in the last of them as in the first */
    (void)watch(&s, 16, FLOW_CLOCK_GAME, "x");
    assert_int_equal(flow_clock_pause(s.world, FLOW_CLOCK_GAME), FLOW_OK);
    tick(&s, 16, 0.010);
    assert_int_equal(flow_clock_release(s.world, FLOW_CLOCK_GAME), FLOW_OK);
    tick(&s, 16, 0.010);
    story_expect(&s, "x@20");
    story_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flows_go_on_before_and_after_the_hosts_own_work),
        cmocka_unit_test(a_fixed_phase_of_the_host_has_the_time_of_the_steps),
        cmocka_unit_test(a_pause_in_one_step_is_heeded_before_the_next),
        cmocka_unit_test(a_flow_that_pauses_the_game_in_a_step_ends_the_steps),
        cmocka_unit_test(what_waits_for_the_end_of_the_frame_goes_on_after_presenting),
        cmocka_unit_test(phases_have_the_names_that_the_host_gives_them),
        cmocka_unit_test(sixteen_phases_are_there_in_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
