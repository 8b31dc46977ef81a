/* SPDX-License-Identifier: MIT */
/* Corners where two mechanisms meet: ended clocks, groups at the end of the world, reserves, depth.
 */
/* ctest-stack-kib: 256 */
#include "actor.h"

static struct host {
    FLOW_SIGNAL(flow_nothing) bell;
    int cleaned;
} host;

/* ---- clocks that end ---- */

struct closes_on_a_dead_clock {
    flow_frame base;
};

FLOW_STATIC(closes_on_a_dead_clock)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_next_tick());
    FLOW_FINALLY;
    FLOW_AWAIT(flow_next(&host.bell, NULL));
    FLOW_AWAIT(flow_next_tick());
    story_log(story_of(flow), "closed on %u", (unsigned)flow_clock_of(flow));
    FLOW_END;
}

static void a_flow_cancelled_on_an_ended_clock_goes_home_to_the_parent(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    assert_int_equal(flow_signal_init(&host.bell, s.world), FLOW_OK);
    flow_clock clock = flow_clock_create(s.world, FLOW_CLOCK_GAME, "short");
    flow_handle h = FLOW_RUN_WITH(s.world, FLOW_OPTIONS(.clock = clock), closes_on_a_dead_clock);
    assert_int_equal(flow_clock_destroy(s.world, clock), FLOW_OK);
    assert_int_equal(flow_cancel(s.world, h), FLOW_PENDING);
    story_update(&s, 1);
    assert_int_equal(flow_emit(&host.bell, NULL), 1);
    story_update(&s, 1);
    story_update(&s, 1);
    story_expect(&s, "closed on 3");
    story_alive(&s, 0, 0, 0);
    flow_signal_fini(&host.bell);
    story_end(&s);
}

struct sleeps_on {
    flow_frame base;
    double seconds;
    flow_outcome outcome;
};

FLOW_STATIC(sleeps_on)
{
    FLOW_BEGIN;
    FLOW_TRY(&self->outcome, flow_seconds(self->seconds));
    story_log(story_of(flow), "slept:%d", self->outcome.code);
    FLOW_END;
}

struct makes_a_clock {
    flow_frame base;
    flow_clock clock;
};

FLOW_STATIC(makes_a_clock)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_seconds(0.010));
    self->clock = flow_clock_create(flow_world_of(flow), FLOW_CLOCK_GAME, "new");
    (void)FLOW_RUN_WITH(flow_world_of(flow), FLOW_OPTIONS(.clock = self->clock), sleeps_on,
                        .seconds = 0.020);
    FLOW_END;
}

static void a_clock_made_in_a_tick_is_not_taken_for_the_one_that_had_its_slot(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_clock old = flow_clock_create(s.world, FLOW_CLOCK_GAME, "old");
    (void)FLOW_RUN_WITH(s.world, FLOW_OPTIONS(.clock = old), sleeps_on, .seconds = 1);
    assert_int_equal(flow_clock_destroy(s.world, old), FLOW_OK);
    story_update(&s, 1);
    story_expect(&s, "slept:-4");
    (void)FLOW_RUN(s.world, makes_a_clock);
    story_update(&s, 10);
    story_update(&s, 10);
    story_expect(&s, "");
    story_update(&s, 10);
    story_expect(&s, "slept:0");
    story_end(&s);
}

/* ---- the end of the world ---- */

struct owns_a_group {
    flow_frame base;
    flow_handle group;
};

FLOW_STATIC(owns_a_group)
{
    FLOW_BEGIN;
    self->group =
        flow_group_create(flow_world_of(flow), &(flow_group_desc){.owner = flow_self(flow)});
    (void)FLOW_RUN_WITH(flow_world_of(flow), FLOW_OPTIONS(.owner = self->group), actor, .name = "a",
                        .ticks = -1, .closing = 9);
    FLOW_AWAIT(flow_never());
    FLOW_FINALLY;
    story_log(story_of(flow), "owner:%s", actor_cause(flow_cause_of(flow)));
    FLOW_END;
}

static void the_end_of_the_world_waits_for_owners_of_groups_too(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle h = FLOW_RUN(s.world, owns_a_group);
    assert_int_equal(flow_cancel(s.world, h), FLOW_PENDING);
    assert_int_equal(story_destroy(&s), FLOW_OK);
    story_expect(&s, "a+ a-x owner:x");
    s.expect_warnings = 1; /* the awaiting finally section was cut */
    story_end(&s);
}

/* ---- reserves ---- */

struct listens {
    flow_frame base;
    int *woken;
};

FLOW_STATIC(listens)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_next(&host.bell, NULL));
    ++*self->woken;
    FLOW_END;
}

struct races_ticks {
    flow_frame base;
    int i;
};

FLOW_STATIC(races_ticks)
{
    FLOW_BEGIN;
    FLOW_RACE(self->i, flow_next_tick(), flow_next_tick(), flow_next_tick(), flow_next_tick());
    FLOW_AWAIT(flow_never());
    FLOW_END;
}

static void reserving_little_takes_nothing_from_those_that_live(void **state)
{
    enum { N = 4000 };
    struct story s;
    int woken = 0;
    (void)state;
    story_begin(&s, NULL);
    assert_int_equal(flow_signal_init(&host.bell, s.world), FLOW_OK);
    for (int i = 0; i < N; i++) {
        (void)FLOW_RUN(s.world, listens, .woken = &woken);
    }
    assert_int_equal(flow_world_reserve(s.world, 1), FLOW_OK);
    s.fail_at = s.calls + 1;
    for (int i = 0; i < N; i++) {
        (void)FLOW_RUN(s.world, races_ticks); /* these fail when the memory is used up */
    }
    assert_int_equal(flow_emit(&host.bell, NULL), N);
    story_update(&s, 1);
    assert_int_equal(woken, N);
    s.expect_failures = s.failure_count;
    flow_signal_fini(&host.bell);
    story_end(&s);
}

/* ---- losers whose finally sections race again, without end ---- */

struct races_again {
    flow_frame base;
    int n;
    int i;
};
FLOW_FORWARD(races_again);

struct loses {
    flow_frame base;
    int n;
};

FLOW_STATIC(loses)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_never());
    FLOW_FINALLY;
    if (self->n > 0) {
        FLOW_AWAIT(FLOW_CALL(races_again, .n = self->n - 1));
    }
    host.cleaned++;
    FLOW_END;
}

FLOW_STATIC(races_again)
{
    FLOW_BEGIN;
    FLOW_RACE(self->i, FLOW_CALL(loses, .n = self->n), flow_ready());
    FLOW_END;
}

static void losers_that_race_in_their_finally_sections_need_no_stack(void **state)
{
    enum { N = 1000 };
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    host.cleaned = 0;
    (void)FLOW_RUN(s.world, races_again, .n = N);
    for (int tick = 0; tick < N && flow_world_counters(s.world).live > 0; tick++) {
        story_update(&s, 1);
    }
    /* at the limit a start is put off, loses before it began, and has nothing to clean up */
    assert_int_equal(host.cleaned, FLOW_NESTING_LIMIT - 1);
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

/* ---- failures that meet ---- */

struct fails_and_closes {
    flow_frame base;
};

FLOW_STATIC(fails_and_closes)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_next_tick());
    FLOW_FAIL(1, "the call");
    FLOW_FINALLY;
    FLOW_AWAIT(flow_ticks(3));
    FLOW_END;
}

struct tries_the_call {
    flow_frame base;
    flow_outcome outcome;
};

FLOW_STATIC(tries_the_call)
{
    FLOW_BEGIN;
    FLOW_TRY(&self->outcome, FLOW_CALL(fails_and_closes));
    story_log(story_of(flow), "took:%d", self->outcome.code);
    FLOW_END;
}

struct shields_the_try {
    flow_frame base;
};

FLOW_STATIC(shields_the_try)
{
    FLOW_BEGIN;
    (void)FLOW_SPAWN(actor, .name = "b", .ticks = 2, .fail = 2);
    FLOW_SHIELD(FLOW_CALL(tries_the_call));
    FLOW_AWAIT(flow_never());
    FLOW_END;
}

static void a_childs_failure_is_not_taken_for_the_one_that_waits_for_a_cleanup(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle h = FLOW_RUN(s.world, shields_the_try);
    for (int i = 0; i < 5; i++) {
        story_update(&s, 1);
    }
    story_expect(&s, "b+ b-f took:1");
    assert_outcome(s.world, h, FLOW_STATE_FAILED, FLOW_CAUSE_NONE, 2);
    s.expect_failures = 1;
    story_end(&s);
}

/* ---- groups that are cleared from inside ---- */

struct clears {
    flow_frame base;
    flow_handle group;
};

FLOW_STATIC(clears)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_never());
    FLOW_FINALLY;
    story_log(story_of(flow), "clear:%d", (int)flow_group_clear(flow_world_of(flow), self->group));
    FLOW_END;
}

static void a_group_cleared_again_by_a_member_that_is_being_cleared_lives_on(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle group = flow_group_create(s.world, NULL);
    (void)FLOW_RUN_WITH(s.world, FLOW_OPTIONS(.owner = group), clears, .group = group);
    assert_int_equal(flow_group_clear(s.world, group), FLOW_OK);
    assert_int_equal(flow_state_of(s.world, group), FLOW_STATE_LIVE);
    (void)FLOW_RUN_WITH(s.world, FLOW_OPTIONS(.owner = group), actor, .name = "a", .ticks = -1);
    assert_int_equal(flow_child_count(s.world, group), 1);
    assert_int_equal(flow_cancel(s.world, group), FLOW_OK);
    story_expect(&s, "clear:-1 a+ a-x");
    story_end(&s);
}

/* ---- a cancelled flow that cancels further out in its last stretch ---- */

struct cancels_out {
    flow_frame base;
    flow_handle group;
};

FLOW_STATIC(cancels_out)
{
    FLOW_BEGIN;
    FLOW_SHIELD(flow_ticks(2));
    story_log(story_of(flow), "cancel:%d", (int)flow_cancel(flow_world_of(flow), self->group));
    FLOW_AWAIT(flow_next_tick());
    story_log(story_of(flow), "never");
    FLOW_FINALLY;
    story_log(story_of(flow), "c");
    FLOW_END;
}

struct spawns_it {
    flow_frame base;
    flow_handle group;
};

FLOW_STATIC(spawns_it)
{
    FLOW_BEGIN;
    (void)FLOW_SPAWN(cancels_out, .group = self->group);
    FLOW_AWAIT(flow_never());
    FLOW_FINALLY;
    story_log(story_of(flow), "f");
    FLOW_END;
}

static void a_cancelled_flow_that_cancels_its_group_after_a_shield_ends(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle group = flow_group_create(s.world, NULL);
    flow_handle h = FLOW_RUN_WITH(s.world, FLOW_OPTIONS(.owner = group), spawns_it, .group = group);
    assert_int_equal(flow_cancel(s.world, h), FLOW_PENDING);
    for (int i = 0; i < 4; i++) {
        story_update(&s, 1);
    }
    story_expect(&s, "cancel:-1 c f");
    story_alive(&s, 0, 0, 0);
    assert_int_equal(flow_state_of(s.world, group), FLOW_STATE_CANCELLED);
    story_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_flow_cancelled_on_an_ended_clock_goes_home_to_the_parent),
        cmocka_unit_test(a_clock_made_in_a_tick_is_not_taken_for_the_one_that_had_its_slot),
        cmocka_unit_test(the_end_of_the_world_waits_for_owners_of_groups_too),
        cmocka_unit_test(reserving_little_takes_nothing_from_those_that_live),
        cmocka_unit_test(losers_that_race_in_their_finally_sections_need_no_stack),
        cmocka_unit_test(a_childs_failure_is_not_taken_for_the_one_that_waits_for_a_cleanup),
        cmocka_unit_test(a_group_cleared_again_by_a_member_that_is_being_cleared_lives_on),
        cmocka_unit_test(a_cancelled_flow_that_cancels_its_group_after_a_shield_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
