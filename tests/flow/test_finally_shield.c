/* SPDX-License-Identifier: MIT */
/* FLOW_SHIELD: one await of a body that cancellation does not cut short. */
#include <stdio.h>
#include <string.h>

#include "actor.h"

enum shielded { A_WAIT, A_TICK, A_TIMER, A_CALL, A_RACE, READY, SHIELDED };

struct shielder {
    flow_frame base;
    enum shielded what;
    int cancels_itself;
    int winner;
};

FLOW_STATIC(shielder)
{
    FLOW_BEGIN;
    if (self->cancels_itself) {
        (void)flow_cancel(flow_world_of(flow), flow_self(flow));
    }
    if (self->what == A_WAIT) {
        FLOW_SHIELD(flow_ticks(3));
    } else if (self->what == A_TICK) {
        FLOW_SHIELD(flow_next_tick());
    } else if (self->what == A_TIMER) {
        FLOW_SHIELD(flow_seconds(0.003));
    } else if (self->what == A_CALL) {
        FLOW_SHIELD(FLOW_CALL(actor, .name = "c", .ticks = 1, .closing = 2));
    } else if (self->what == A_RACE) {
        FLOW_SHIELD(flow_race(&self->winner,
                              FLOW_CALL(actor, .name = "l", .ticks = -1, .closing = 1),
                              flow_ticks(2)));
    } else {
        FLOW_SHIELD(flow_ready());
    }
    story_log(story_of(flow), "after:%d", (int)flow_tick_count(flow));
    FLOW_AWAIT(flow_ready());
    story_log(story_of(flow), "body");
    FLOW_AWAIT(flow_never());
    FLOW_FINALLY;
    story_log(story_of(flow), "fin-%s", actor_cause(flow_cause_of(flow)));
    FLOW_END;
}

static const char *const inner[] = {"", "", "", "c+ c= c- c. ", "l+ l-l l. ", ""};
static const int ticks[] = {3, 1, 3, 3, 3, 0};

static void a_shielded_await_runs_to_its_end_and_the_flow_unwinds_at_the_next_one(void **state)
{
    (void)state;
    for (int what = 0; what < READY; what++) {
        struct story s;
        char expected[64];
        story_begin(&s, NULL);
        flow_handle h = FLOW_RUN(s.world, shielder, .what = (enum shielded)what);
        assert_int_equal(flow_cancel(s.world, h), FLOW_PENDING);
        for (int i = 0; i < 3; i++) {
            story_update(&s, 1);
        }
        (void)snprintf(expected, sizeof expected, "%safter:%d fin-x", inner[what], ticks[what]);
        char *marked = strstr(s.log, "c-x"); /* a callee's finally section sees the flow's cause */
        if (marked != NULL) {
            memmove(marked + 2, marked + 3, strlen(marked + 3) + 1);
        }
        story_expect(&s, expected);
        assert_outcome(s.world, h, FLOW_STATE_CANCELLED, FLOW_CAUSE_EXPLICIT, 0);
        story_alive(&s, 0, 0, 0);
        story_end(&s);
    }
}

static void a_shielded_await_may_begin_in_a_flow_that_is_cancelled_already(void **state)
{
    (void)state;
    for (int what = 0; what < SHIELDED; what++) {
        struct story s;
        char expected[64];
        story_begin(&s, NULL);
        flow_handle h =
            FLOW_RUN(s.world, shielder, .what = (enum shielded)what, .cancels_itself = 1);
        for (int i = 0; i < 3; i++) {
            assert_int_equal(flow_state_of(s.world, h) == FLOW_STATE_LIVE, i < ticks[what]);
            story_update(&s, 1);
        }
        (void)snprintf(expected, sizeof expected, "%safter:%d fin-x", inner[what], ticks[what]);
        char *marked = strstr(s.log, "c-x");
        if (marked != NULL) {
            memmove(marked + 2, marked + 3, strlen(marked + 3) + 1);
        }
        story_expect(&s, expected);
        assert_outcome(s.world, h, FLOW_STATE_CANCELLED, FLOW_CAUSE_EXPLICIT, 0);
        story_end(&s);
    }
}

static void a_flow_that_is_not_cancelled_goes_on_after_its_shield(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle h = FLOW_RUN(s.world, shielder, .what = A_CALL);
    for (int i = 0; i < 3; i++) {
        story_update(&s, 1);
    }
    story_expect(&s, "c+ c= c- c. after:3 body");
    assert_int_equal(flow_cancel(s.world, h), FLOW_OK);
    story_expect(&s, "fin-x");
    story_end(&s);
}

/* ---- a failure in a shield ends it ---- */

struct fails_in_shield {
    flow_frame base;
    int closing;
};

FLOW_STATIC(fails_in_shield)
{
    FLOW_BEGIN;
    FLOW_SHIELD(FLOW_CALL(actor, .name = "c", .ticks = 2, .fail = 6, .closing = self->closing));
    story_log(story_of(flow), "never");
    FLOW_FINALLY;
    story_log(story_of(flow), "fin-%s", actor_cause(flow_cause_of(flow)));
    FLOW_AWAIT(flow_next_tick());
    story_log(story_of(flow), "fin.");
    FLOW_END;
}

static void a_failure_passes_through_a_shield(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    for (int closing = 0; closing < 2; closing++) {
        flow_handle h = FLOW_RUN(s.world, fails_in_shield, .closing = closing);
        for (int i = 0; i < 4; i++) {
            story_update(&s, 1);
        }
        story_expect(&s, closing ? "c+ c-f c. fin-f fin." : "c+ c-f fin-f fin.");
        assert_outcome(s.world, h, FLOW_STATE_FAILED, FLOW_CAUSE_NONE, 6);
    }
    s.expect_failures = 2;
    /* cancelled meanwhile, it ends CANCELLED, and its failure has no receiver */
    flow_handle h = FLOW_RUN(s.world, fails_in_shield);
    assert_int_equal(flow_cancel(s.world, h), FLOW_PENDING);
    for (int i = 0; i < 4; i++) {
        story_update(&s, 1);
    }
    story_expect(&s, "c+ c-x fin-x fin.");
    assert_outcome(s.world, h, FLOW_STATE_CANCELLED, FLOW_CAUSE_EXPLICIT, 0);
    assert_int_equal(s.failures[2].failure.kind, FLOW_FAILURE_UNDELIVERED);
    s.expect_failures = 3;
    story_end(&s);
}

/* ---- whole subtrees in and beside a shield ---- */

struct keeps_child {
    flow_frame base;
};

FLOW_STATIC(keeps_child)
{
    FLOW_BEGIN;
    (void)FLOW_SPAWN(actor, .name = "k", .ticks = -1);
    FLOW_SHIELD(flow_ticks(2));
    story_log(story_of(flow), "end");
    FLOW_END;
}

struct owner {
    flow_frame base;
};

FLOW_STATIC(owner)
{
    FLOW_BEGIN;
    (void)FLOW_SPAWN(keeps_child);
    (void)FLOW_SPAWN(actor, .name = "a", .ticks = -1);
    FLOW_AWAIT(flow_never());
    FLOW_FINALLY;
    story_log(story_of(flow), "o-%s", actor_cause(flow_cause_of(flow)));
    FLOW_END;
}

static void an_owner_waits_for_a_childs_shield_whose_own_children_live_on_meanwhile(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle h = FLOW_RUN(s.world, owner);
    assert_int_equal(flow_cancel(s.world, h), FLOW_PENDING);
    story_expect(&s, "k+ a+ a-x");
    story_update(&s, 1);
    story_expect(&s, "");
    story_update(&s, 1);
    story_expect(&s, "end k-x o-x");
    assert_outcome(s.world, h, FLOW_STATE_CANCELLED, FLOW_CAUSE_EXPLICIT, 0);
    story_end(&s);
}

struct races_shield {
    flow_frame base;
    int winner;
};

FLOW_STATIC(races_shield)
{
    FLOW_BEGIN;
    FLOW_RACE(self->winner, FLOW_CALL(keeps_child), flow_next_tick());
    story_log(story_of(flow), "won:%d", self->winner);
    FLOW_END;
}

static void a_race_waits_for_a_losers_shield(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, races_shield);
    story_update(&s, 1);
    story_expect(&s, "k+");
    story_update(&s, 1);
    story_expect(&s, "end k-l won:1");
    story_end(&s);
}

static void the_worlds_end_cuts_a_shield(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, owner);
    (void)FLOW_RUN(s.world, shielder, .what = A_CALL);
    s.log[0] = '\0';
    assert_int_equal(story_destroy(&s), FLOW_OK);
    assert_null(strstr(s.log, "end"));
    assert_null(strstr(s.log, "after"));
    assert_non_null(strstr(s.log, "k-d"));
    assert_non_null(strstr(s.log, "fin-d"));
    s.expect_warnings = 1;
    story_end(&s);
}

/* A failing child of the shielding scope waits for the shield too. */
struct shields_from_child {
    flow_frame base;
};

FLOW_STATIC(shields_from_child)
{
    FLOW_BEGIN;
    (void)FLOW_SPAWN(actor, .name = "b", .ticks = 1, .fail = 5);
    FLOW_SHIELD(flow_ticks(3));
    story_log(story_of(flow), "after");
    FLOW_AWAIT(flow_ready());
    story_log(story_of(flow), "never");
    FLOW_FINALLY;
    story_log(story_of(flow), "fin-%s", actor_cause(flow_cause_of(flow)));
    FLOW_END;
}

static void a_spawned_childs_failure_waits_for_the_shield(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle h = FLOW_RUN(s.world, shields_from_child);
    story_update(&s, 1);
    story_update(&s, 1);
    story_expect(&s, "b+ b-f");
    story_update(&s, 1);
    story_expect(&s, "after fin-f");
    assert_outcome(s.world, h, FLOW_STATE_FAILED, FLOW_CAUSE_NONE, 5);
    s.expect_failures = 1;
    story_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shielded_await_runs_to_its_end_and_the_flow_unwinds_at_the_next_one),
        cmocka_unit_test(a_shielded_await_may_begin_in_a_flow_that_is_cancelled_already),
        cmocka_unit_test(a_flow_that_is_not_cancelled_goes_on_after_its_shield),
        cmocka_unit_test(a_failure_passes_through_a_shield),
        cmocka_unit_test(an_owner_waits_for_a_childs_shield_whose_own_children_live_on_meanwhile),
        cmocka_unit_test(a_race_waits_for_a_losers_shield),
        cmocka_unit_test(the_worlds_end_cuts_a_shield),
        cmocka_unit_test(a_spawned_childs_failure_waits_for_the_shield),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
