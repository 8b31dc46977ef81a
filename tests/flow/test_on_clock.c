/* SPDX-License-Identifier: MIT */
/* FLOW_ON_CLOCK: one wait, of whatever kind, on another clock than the flow's own. */
#include "actor.h"
#include "flows.h"

#include <string.h>

static const char *clock_name(const flow_task *flow, flow_clock named)
{
    flow_clock clock = flow_clock_of(flow);
    return clock == named ? "named" : clock == FLOW_CLOCK_GAME ? "game" : "other";
}

/* Logs its clock and time around a wait of 0.1 s, and again in its finally section. */
struct walk {
    flow_frame base;
    flow_clock named;
    int fail;
    int child;
    double began;
};

FLOW_FORWARD(walk);

FLOW_STATIC(walk)
{
    FLOW_BEGIN;
    self->began = flow_now(flow);
    story_log(story_of(flow), "%s", clock_name(flow, self->named));
    if (self->child) {
        (void)FLOW_SPAWN(walk, .named = self->named);
    }
    FLOW_AWAIT(flow_seconds(0.1));
    story_log(story_of(flow), "%.0fms", (flow_now(flow) - self->began) * 1000.0);
    if (self->fail) {
        FLOW_FAIL(7, "lost the way");
    }
    FLOW_FINALLY;
    story_log(story_of(flow), "-%s%s", clock_name(flow, self->named),
              actor_cause(flow_cause_of(flow)));
    FLOW_END;
}

/* Awaits a walk on a clock, and says on which one it is afterwards. */
struct trip {
    flow_frame base;
    flow_clock clock;
    int fail, child, take;
    flow_outcome outcome;
};

FLOW_STATIC(trip)
{
    FLOW_BEGIN;
    if (self->take) {
        FLOW_TRY(&self->outcome, flow_on_clock(self->clock, FLOW_CALL(walk, .named = self->clock,
                                                                      .fail = self->fail)));
        story_log(story_of(flow), "took %d", self->outcome.code);
    } else {
        FLOW_ON_CLOCK(self->clock, FLOW_CALL(walk, .named = self->clock, .fail = self->fail,
                                             .child = self->child));
    }
    story_log(story_of(flow), "back on %s", clock_name(flow, self->clock));
    FLOW_FINALLY;
    story_log(story_of(flow), "end on %s%s", clock_name(flow, self->clock),
              actor_cause(flow_cause_of(flow)));
    FLOW_END;
}

static flow_clock slow_clock(const struct story *s, double scale)
{
    flow_clock clock = flow_clock_create(s->world, FLOW_CLOCK_GAME, "slow");
    assert_int_equal(flow_clock_set_scale(s->world, clock, scale), FLOW_OK);
    return clock;
}

static void a_call_and_what_it_starts_live_on_the_clock_and_the_caller_on_its_own(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_clock slow = slow_clock(&s, 0.5);
    (void)FLOW_RUN(s.world, trip, .clock = slow, .child = 1);
    story_expect(&s, "named named");
    for (int i = 0; i < 3; i++) {
        story_update(&s, 50);
    }
    story_expect(&s, "");
    story_update(&s, 50);
    story_expect(&s, "100ms -named 100ms -named back on game end on game");
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

/* Waits for each kind of leaf in turn on a clock, and logs the frame in which it went on. */
struct leaves {
    flow_frame base;
    flow_clock clock;
    int asked;
};

static int third_time(void *arg)
{
    return ++*(int *)arg == 3;
}

FLOW_STATIC(leaves)
{
    FLOW_BEGIN;
    FLOW_ON_CLOCK(self->clock, flow_ready());
    FLOW_ON_CLOCK(self->clock, flow_next_tick());
    story_log(story_of(flow), "tick:%d", (int)flow_frame_count(flow));
    FLOW_ON_CLOCK(self->clock, flow_ticks(2));
    story_log(story_of(flow), "ticks:%d", (int)flow_frame_count(flow));
    FLOW_ON_CLOCK(self->clock, flow_next_frame());
    story_log(story_of(flow), "frame:%d", (int)flow_frame_count(flow));
    FLOW_ON_CLOCK(self->clock, flow_frames(2));
    story_log(story_of(flow), "frames:%d", (int)flow_frame_count(flow));
    FLOW_ON_CLOCK(self->clock, flow_until(third_time, &self->asked));
    story_log(story_of(flow), "until:%d", (int)flow_frame_count(flow));
    FLOW_ON_CLOCK(self->clock, flow_seconds(0.02));
    story_log(story_of(flow), "seconds:%d", (int)flow_frame_count(flow));
    FLOW_END;
}

static void leaf_waits_count_on_the_clock(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_clock slow = slow_clock(&s, 0.5);
    (void)FLOW_RUN(s.world, leaves, .clock = slow);
    for (int frame = 1; frame <= 30; frame++) {
        if (frame % 2 == 1) { /* it counts in even frames alone */
            assert_int_equal(flow_clock_pause(s.world, slow), FLOW_OK);
        } else {
            assert_int_equal(flow_clock_release(s.world, slow), FLOW_OK);
        }
        story_update(&s, 10);
    }
    story_expect(&s, "tick:2 ticks:6 frame:8 frames:10 until:14 seconds:22");
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

static void a_caller_whose_clock_is_paused_is_held_when_the_wait_is_over(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, trip, .clock = FLOW_CLOCK_UNSCALED);
    (void)FLOW_RUN(s.world, leaves, .clock = FLOW_CLOCK_UNSCALED);
    assert_int_equal(flow_clock_pause(s.world, FLOW_CLOCK_GAME), FLOW_OK);
    story_update(&s, 100);
    story_expect(&s, "named 100ms -named");
    story_update(&s, 100);
    story_expect(&s, "");
    assert_int_equal(flow_clock_release(s.world, FLOW_CLOCK_GAME), FLOW_OK);
    story_update(&s, 100);
    story_expect(&s, "tick:3 back on game end on game");
    story_end(&s);
}

static void cancelled_and_failed_calls_leave_the_caller_on_its_own_clock(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_clock slow = slow_clock(&s, 0.5);
    flow_handle h = FLOW_RUN(s.world, trip, .clock = slow);
    assert_int_equal(flow_cancel(s.world, h), FLOW_OK);
    story_expect(&s, "named -namedx end on gamex");
    (void)FLOW_RUN(s.world, trip, .clock = slow, .fail = 1);
    story_update(&s, 200);
    story_expect(&s, "named 100ms -namedf end on gamef");
    assert_int_equal(s.failures[0].failure.code, 7);
    assert_string_equal(s.failures[0].path, "trip > walk");
    (void)FLOW_RUN(s.world, trip, .clock = slow, .fail = 1, .take = 1);
    story_update(&s, 200);
    story_expect(&s, "named 100ms -namedf took 7 back on game end on game");
    story_alive(&s, 0, 0, 0);
    s.expect_failures = 1;
    story_end(&s);
}

/* Compositions and clocks in each other. */
struct mixed {
    flow_frame base;
    flow_clock slow, fast;
    int index, late;
};

FLOW_STATIC(mixed)
{
    FLOW_BEGIN;
    FLOW_RACE(self->index, flow_on_clock(self->slow, flow_seconds(0.1)),
              flow_on_clock(self->fast, FLOW_CALL(walk, .named = self->fast)));
    story_log(story_of(flow), "won:%d", self->index);
    FLOW_ON_CLOCK(self->slow,
                  flow_all(FLOW_CALL(walk, .named = self->slow),
                           flow_on_clock(self->fast, FLOW_CALL(walk, .named = self->fast)),
                           flow_seconds(0.15)));
    story_log(story_of(flow), "all:%d", (int)flow_frame_count(flow));
    FLOW_ON_CLOCK(self->fast, flow_timeout(&self->late, flow_never(), 0.2));
    story_log(story_of(flow), "late:%d:%d", self->late, (int)flow_frame_count(flow));
    FLOW_ON_CLOCK(FLOW_CLOCK_INHERIT, FLOW_CALL(walk, .named = self->slow));
    FLOW_END;
}

static void clocks_nest_in_compositions_and_compositions_in_clocks(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, mixed, .slow = slow_clock(&s, 0.5), .fast = slow_clock(&s, 2));
    story_update(&s, 50);
    story_expect(&s, "named 100ms -named won:1 named named");
    story_update(&s, 50);
    story_expect(&s, "100ms -named");
    for (int i = 0; i < 5; i++) {
        story_update(&s, 50);
    }
    story_expect(&s, "100ms -named all:7");
    story_update(&s, 50);
    story_update(&s, 50);
    story_expect(&s, "late:1:9 game");
    story_update(&s, 100);
    story_expect(&s, "100ms -game");
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

static void on_a_clock_that_has_ended_nothing_begins(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_clock gone = slow_clock(&s, 1);
    assert_int_equal(flow_clock_destroy(s.world, gone), FLOW_OK);
    (void)FLOW_RUN(s.world, trip, .clock = gone, .take = 1);
    story_expect(&s, "took -4 back on game end on game");
    (void)FLOW_RUN(s.world, leaves, .clock = gone);
    assert_int_equal(s.failures[0].failure.code, FLOW_CLOSED);
    story_alive(&s, 0, 0, 0);
    s.expect_failures = 1;
    story_end(&s);
}

static void a_clock_that_ends_meanwhile_fails_a_leaf_and_sends_a_call_to_its_parent(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_clock slow = slow_clock(&s, 0.5);
    (void)FLOW_RUN(s.world, leaves, .clock = slow);
    (void)FLOW_RUN(s.world, trip, .clock = slow, .take = 1);
    assert_int_equal(flow_clock_destroy(s.world, slow), FLOW_OK);
    story_update(&s, 10); /* the call itself goes on on the parent; its timer counted on `slow` */
    story_expect(&s, "named -gamef took -4 back on game end on game");
    assert_int_equal(s.failures[0].failure.code, FLOW_CLOSED);
    story_alive(&s, 0, 0, 0);
    s.expect_failures = 1;
    story_end(&s);
}

/* A predicate that ends the clock its flow lives on, while the wait begins on another. */
struct sawing {
    flow_frame base;
    flow_world *world;
    flow_clock own;
    int asked;
};

static int saws(void *arg)
{
    struct sawing *sawing = arg;
    if (sawing->asked++ == 0) {
        assert_int_equal(flow_clock_destroy(sawing->world, sawing->own), FLOW_OK);
    }
    return sawing->asked == 3;
}

FLOW_STATIC(sawing)
{
    FLOW_BEGIN;
    FLOW_ON_CLOCK(FLOW_CLOCK_UNSCALED, flow_until(saws, self));
    story_log(story_of(flow), "%s", clock_name(flow, self->own));
    FLOW_AWAIT(flow_next_tick());
    story_log(story_of(flow), "%s", clock_name(flow, self->own));
    FLOW_END;
}

static void a_flow_whose_own_clock_ends_goes_on_on_its_parent(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_clock own = slow_clock(&s, 0.5);
    (void)FLOW_RUN_WITH(s.world, FLOW_OPTIONS(.clock = own), sawing, .world = s.world, .own = own);
    story_update(&s, 10);
    story_update(&s, 10);
    story_update(&s, 10);
    story_expect(&s, "game game");
    story_end(&s);
}

/* Switches phase inside waits on another clock, itself and in a race. */
struct moving {
    flow_frame base;
    flow_clock clock;
    int index;
};

FLOW_STATIC(moving)
{
    FLOW_BEGIN;
    FLOW_ON_CLOCK(self->clock, flow_switch_phase(FLOW_LATE));
    FLOW_AWAIT(flow_next_tick());
    story_log(story_of(flow), "%s", flow_phase_name(flow_phase_of(flow)));
    FLOW_ON_CLOCK(self->clock,
                  flow_race(&self->index, flow_never(), flow_switch_phase(FLOW_EARLY)));
    FLOW_AWAIT(flow_next_tick());
    story_log(story_of(flow), "%s on %s", flow_phase_name(flow_phase_of(flow)),
              clock_name(flow, self->clock));
    FLOW_ON_CLOCK(self->clock, flow_switch_phase(FLOW_INHERIT));
    FLOW_END;
}

static void a_change_of_phase_moves_the_flow_which_stays_on_its_clock(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_clock own = slow_clock(&s, 1);
    (void)FLOW_RUN_WITH(s.world, FLOW_OPTIONS(.clock = own), moving, .clock = FLOW_CLOCK_REAL);
    story_frames(&s, 5, 10);
    story_expect(&s, "late early on other");
    assert_int_equal(s.failures[0].failure.code, FLOW_MISUSE);
    s.expect_failures = s.expect_misuses = 1;
    story_end(&s);
}

static void a_wait_on_a_clock_that_stands_is_stuck(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_clock slow = slow_clock(&s, 1);
    (void)FLOW_RUN(s.world, leaves, .clock = slow);
    assert_int_equal(flow_world_stuck(s.world, NULL, NULL), 0);
    assert_int_equal(flow_clock_pause(s.world, slow), FLOW_OK);
    assert_int_equal(flow_world_stuck(s.world, NULL, NULL), 1);
    for (int i = 0; i < 5; i++) { /* to its predicate */
        assert_int_equal(flow_clock_release(s.world, slow), FLOW_OK);
        for (int frame = 0; frame < 6 && flow_world_counters(s.world).predicates == 0; frame++) {
            story_update(&s, 10);
        }
        assert_int_equal(flow_clock_pause(s.world, slow), FLOW_OK);
        assert_int_equal(flow_world_stuck(s.world, NULL, NULL), 1);
    }
    story_end(&s);
}

/* One story with allocation number `fail_at` and all later ones failing; returns the calls. */
static long run_with_failing(long fail_at)
{
    struct story s;
    story_begin(&s, NULL);
    flow_clock slow = flow_clock_create(s.world, FLOW_CLOCK_GAME, "slow");
    flow_clock fast = flow_clock_create(s.world, FLOW_CLOCK_GAME, "fast");
    long before = s.calls;
    s.fail_at = fail_at ? before + fail_at : 0;
    (void)FLOW_RUN(s.world, mixed, .slow = slow, .fast = fast);
    (void)FLOW_RUN(s.world, leaves, .clock = slow);
    (void)FLOW_RUN_WITH(s.world, FLOW_OPTIONS(.phase = FLOW_EARLY), moving, .clock = fast);
    story_frames(&s, 40, 50);
    story_alive(&s, 0, 0, 0);
    for (int i = 0; i < s.failure_count; i++) {
        int code = s.failures[i].failure.code;
        assert_true(code == FLOW_NOMEM || code == FLOW_MISUSE);
    }
    long calls = s.calls - before;
    s.fail_at = 0;
    s.expect_failures = s.failure_count;
    s.expect_misuses = s.misuses;
    story_end(&s);
    return calls;
}

static void without_memory_it_fails_and_leaves_nothing(void **state)
{
    (void)state;
    long calls = run_with_failing(0);
    for (long at = 1; at <= calls + 1; at++) {
        (void)run_with_failing(at);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_call_and_what_it_starts_live_on_the_clock_and_the_caller_on_its_own),
        cmocka_unit_test(leaf_waits_count_on_the_clock),
        cmocka_unit_test(a_caller_whose_clock_is_paused_is_held_when_the_wait_is_over),
        cmocka_unit_test(cancelled_and_failed_calls_leave_the_caller_on_its_own_clock),
        cmocka_unit_test(clocks_nest_in_compositions_and_compositions_in_clocks),
        cmocka_unit_test(on_a_clock_that_has_ended_nothing_begins),
        cmocka_unit_test(a_clock_that_ends_meanwhile_fails_a_leaf_and_sends_a_call_to_its_parent),
        cmocka_unit_test(a_flow_whose_own_clock_ends_goes_on_on_its_parent),
        cmocka_unit_test(a_change_of_phase_moves_the_flow_which_stays_on_its_clock),
        cmocka_unit_test(a_wait_on_a_clock_that_stands_is_stuck),
        cmocka_unit_test(without_memory_it_fails_and_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
