/* SPDX-License-Identifier: MIT */
/* How compositions settle: failures, branches cancelled from outside, nesting, and what runs
 * between settling and the caller's turn. */
#include <string.h>

#include "actor.h"

/* An actor that tells its handle. */
struct known {
    flow_frame base;
    const char *name;
    flow_handle *handle;
    int ticks;
    int fail;
    int closing;
};

FLOW_STATIC(known)
{
    FLOW_BEGIN;
    *self->handle = flow_self(flow);
    FLOW_AWAIT(FLOW_CALL(actor, .name = self->name, .ticks = self->ticks, .fail = self->fail,
                         .closing = self->closing));
    FLOW_END;
}

/* ---- a branch is cancelled from outside ---- */

struct loses_branch {
    flow_frame base;
    int all;
    int winner;
    flow_handle handle[2];
    flow_handle *out;
    flow_outcome outcome;
};

FLOW_STATIC(loses_branch)
{
    FLOW_BEGIN;
    if (self->all) {
        FLOW_TRY(&self->outcome, flow_all(FLOW_CALL(known, .name = "a", .handle = self->out,
                                                    .ticks = -1, .closing = 1),
                                          FLOW_CALL(actor, .name = "b", .ticks = -1)));
    } else {
        FLOW_TRY(&self->outcome,
                 flow_race(&self->winner, FLOW_CALL(actor, .name = "b", .ticks = -1),
                           FLOW_CALL(known, .name = "a", .handle = self->out, .ticks = -1,
                                     .closing = 1)));
    }
    story_log(story_of(flow), "%d:%d:%d", self->winner, (int)self->outcome.state,
              self->outcome.code);
    FLOW_END;
}

static void a_branch_cancelled_from_outside_settles_a_race_and_fails_all_as_cancelled(void **state)
{
    struct story s;
    flow_handle a = {0, 0};
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, loses_branch, .out = &a);
    assert_int_equal(flow_cancel(s.world, a), FLOW_PENDING);
    story_update(&s, 1);
    story_expect(&s, "b+ a+ a-x a. b-l 1:2:0");
    (void)FLOW_RUN(s.world, loses_branch, .all = 1, .out = &a);
    assert_int_equal(flow_cancel(s.world, a), FLOW_PENDING);
    story_update(&s, 1);
    story_expect(&s, "a+ b+ a-x a. b-f 0:4:-3");
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

struct first_slice_cancel {
    flow_frame base;
    int all;
    int i;
    flow_outcome outcome;
};

struct self_cancel {
    flow_frame base;
};

FLOW_STATIC(self_cancel)
{
    FLOW_BEGIN;
    (void)flow_cancel(flow_world_of(flow), flow_self(flow));
    FLOW_AWAIT(flow_ready());
    story_log(story_of(flow), "never");
    FLOW_END;
}

FLOW_STATIC(first_slice_cancel)
{
    FLOW_BEGIN;
    if (self->all) {
        FLOW_TRY(&self->outcome, flow_all(FLOW_CALL(actor, .name = "a", .ticks = -1),
                                          FLOW_CALL(self_cancel), FLOW_CALL(actor, .name = "b")));
    } else {
        FLOW_TRY(&self->outcome, flow_race(&self->i, FLOW_CALL(actor, .name = "a", .ticks = -1),
                                           FLOW_CALL(self_cancel), FLOW_CALL(actor, .name = "b")));
    }
    story_log(story_of(flow), "%d:%d:%d", self->i, (int)self->outcome.state, self->outcome.code);
    FLOW_END;
}

static void a_branch_that_cancels_itself_in_its_first_slice_settles_at_once(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, first_slice_cancel);
    story_expect(&s, "a+ a-l 1:2:0");
    (void)FLOW_RUN(s.world, first_slice_cancel, .all = 1);
    story_expect(&s, "a+ a-f 0:4:-3");
    story_end(&s);
}

/* ---- a failing winner ---- */

struct failing_winner {
    flow_frame base;
    int winner;
};

FLOW_STATIC(failing_winner)
{
    FLOW_BEGIN;
    FLOW_RACE(self->winner, FLOW_CALL(actor, .name = "a", .ticks = -1, .closing = 1),
              FLOW_CALL(actor, .name = "b", .ticks = 1, .fail = 8));
    story_log(story_of(flow), "never");
    FLOW_FINALLY;
    story_log(story_of(flow), "fin-%s:%d", actor_cause(flow_cause_of(flow)), self->winner);
    FLOW_END;
}

static void a_race_fails_as_its_winner_fails_after_the_losers_have_closed(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle h = FLOW_RUN(s.world, failing_winner);
    story_update(&s, 1);
    story_expect(&s, "a+ b+ b-f a-l");
    story_update(&s, 1);
    story_expect(&s, "a. fin-f:1");
    assert_outcome(s.world, h, FLOW_STATE_FAILED, FLOW_CAUSE_NONE, 8);
    assert_string_equal(s.failures[0].path, "failing_winner > actor");
    s.expect_failures = 1;
    story_end(&s);
}

/* ---- nesting ---- */

struct nested {
    flow_frame base;
    int i, j, k, late;
};

FLOW_STATIC(nested)
{
    FLOW_BEGIN;
    FLOW_RACE(
        self->i,
        flow_all(FLOW_CALL(actor, .name = "a", .ticks = 1),
                 flow_race(&self->j, FLOW_CALL(actor, .name = "b", .ticks = -1), flow_ticks(2))),
        flow_timeout(&self->late,
                     flow_race(&self->k, FLOW_CALL(actor, .name = "c", .ticks = -1), flow_never()),
                     9));
    story_log(story_of(flow), "%d:%d", self->i, self->j);
    FLOW_END;
}

static void compositions_nest_and_inner_losers_are_gone_before_the_caller_goes_on(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, nested);
    story_alive(&s, 4, 13, 1);
    story_update(&s, 1);
    story_expect(&s, "a+ b+ c+ a= a-");
    story_update(&s, 1);
    story_expect(&s, "c-l b-l 0:1");
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

struct inner_settles {
    flow_frame base;
    int j;
};

FLOW_STATIC(inner_settles)
{
    FLOW_BEGIN;
    FLOW_ALL(flow_race(&self->j, FLOW_CALL(actor, .name = "a", .ticks = 1),
                       FLOW_CALL(actor, .name = "b", .ticks = -1, .closing = 2)),
             FLOW_CALL(actor, .name = "c", .ticks = 4));
    story_log(story_of(flow), "end:%d", self->j);
    FLOW_END;
}

/* The inner race is settled in tick 1; nothing of its loser resumes from then on. */
static void losers_of_an_inner_race_resume_no_more_while_the_outer_one_waits(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, inner_settles);
    for (int i = 0; i < 8; i++) {
        story_update(&s, 1);
    }
    assert_non_null(strstr(s.log, "b."));
    assert_non_null(strstr(s.log, "end:0"));
    assert_true(strstr(s.log, "b.") < strstr(s.log, "end:0"));
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

/* ---- between settling and the caller's turn ---- */

struct meanwhile {
    flow_frame base;
    flow_signal *signal;
    int i;
};

FLOW_STATIC(meanwhile)
{
    FLOW_BEGIN;
    FLOW_RACE(self->i, flow_next_(self->signal, NULL),
              FLOW_CALL(actor, .name = "a", .ticks = 1, .closing = 1));
    story_log(story_of(flow), "won:%d", self->i);
    FLOW_FINALLY;
    story_log(story_of(flow), "fin-%s", actor_cause(flow_cause_of(flow)));
    FLOW_END;
}

static void
between_settling_and_the_callers_turn_a_loser_is_out_and_a_cancel_still_counts(void **state)
{
    struct story s;
    FLOW_SIGNAL(flow_nothing) signal;
    (void)state;
    story_begin(&s, NULL);
    assert_int_equal(flow_signal_init(&signal, s.world), FLOW_OK);
    flow_handle h = FLOW_RUN(s.world, meanwhile, .signal = &signal.signal);
    assert_int_equal(flow_emit(&signal, NULL), 1);
    story_update(&s, 1); /* a's tick is due in this very tick, before the caller's turn */
    story_expect(&s, "a+ a-l");
    story_update(&s, 1);
    story_expect(&s, "a. won:0 fin-");
    h = FLOW_RUN(s.world, meanwhile, .signal = &signal.signal);
    assert_int_equal(flow_emit(&signal, NULL), 1);
    assert_int_equal(flow_cancel(s.world, h), FLOW_PENDING);
    story_expect(&s, "a+ a-l");
    story_update(&s, 1);
    story_expect(&s, "a. fin-x");
    assert_outcome(s.world, h, FLOW_STATE_CANCELLED, FLOW_CAUSE_EXPLICIT, 0);
    story_alive(&s, 0, 0, 0);
    flow_signal_fini(&signal);
    story_end(&s);
}

/* The branch has returned and waits for its closing child, which ends in the very tick in which the
 * race is settled. */
struct ends_anyway {
    flow_frame base;
    int *flag;
    int i;
};

static int is_set(void *arg)
{
    return *(int *)arg;
}

FLOW_STATIC(ends_anyway)
{
    FLOW_BEGIN;
    FLOW_RACE(self->i,
              FLOW_CALL(parent, .name = "p", .ticks = 1,
                        .child = {.name = "a", .ticks = -1, .closing = 1}),
              flow_until(is_set, self->flag));
    story_log(story_of(flow), "won:%d", self->i);
    FLOW_END;
}

static void a_loser_that_is_ending_by_itself_is_not_lost(void **state)
{
    (void)state;
    for (int when = 1; when < 4; when++) {
        struct story s;
        int flag = 0;
        story_begin(&s, NULL);
        (void)FLOW_RUN(s.world, ends_anyway, .flag = &flag);
        for (int i = 1; i < 5; i++) {
            flag = i >= when;
            story_update(&s, 1);
        }
        if (flow_world_counters(s.world).live != 0) {
            fail_msg("the race that is settled in tick %d hangs after: %s", when, s.log);
        }
        story_expect(&s, when == 1   ? "p+ a+ p= a-p a. p- won:1"
                         : when == 2 ? "p+ a+ p= a-p a. p- won:1"
                                     : "p+ a+ p= a-p a. p- won:0");
        story_end(&s);
    }
}

/* ---- phases ---- */

struct other_phase {
    flow_frame base;
};

FLOW_STATIC(other_phase)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_switch_phase(FLOW_LATE));
    story_log(story_of(flow), "late");
    FLOW_END;
}

struct early_owner {
    flow_frame base;
};

FLOW_STATIC(early_owner)
{
    FLOW_BEGIN;
    FLOW_ALL(FLOW_CALL(other_phase), flow_ready());
    story_log(story_of(flow), "%s@%d", flow_phase_name(flow_phase_of(flow)),
              (int)flow_frame_count(flow));
    FLOW_END;
}

static void a_branch_that_ends_in_another_phase_queues_its_owner_for_the_owners(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN_WITH(s.world, &(flow_options){.phase = FLOW_EARLY}, early_owner);
    story_frame(&s, 1);
    story_expect(&s, "late");
    story_frame(&s, 1);
    story_expect(&s, "early@2");
    story_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_branch_cancelled_from_outside_settles_a_race_and_fails_all_as_cancelled),
        cmocka_unit_test(a_branch_that_cancels_itself_in_its_first_slice_settles_at_once),
        cmocka_unit_test(a_race_fails_as_its_winner_fails_after_the_losers_have_closed),
        cmocka_unit_test(compositions_nest_and_inner_losers_are_gone_before_the_caller_goes_on),
        cmocka_unit_test(losers_of_an_inner_race_resume_no_more_while_the_outer_one_waits),
        cmocka_unit_test(
            between_settling_and_the_callers_turn_a_loser_is_out_and_a_cancel_still_counts),
        cmocka_unit_test(a_loser_that_is_ending_by_itself_is_not_lost),
        cmocka_unit_test(a_branch_that_ends_in_another_phase_queues_its_owner_for_the_owners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
