/* SPDX-License-Identifier: MIT */
/* Race and all: who starts, who wins, who is gone when the caller goes on. */
#include <stdio.h>
#include <string.h>

#include "actor.h"

/* ---- winners at once, in each position (C05) ---- */

/* Three branches: each is done at once, fails at once or suspends; a call or a leaf. */
enum form { DONE_LEAF, FAILED_LEAF, LATER_LEAF, DONE_CALL, FAILED_CALL, LATER_CALL, FORMS };

struct three {
    flow_frame base;
    enum form form[3];
    int all;
    int winner;
    flow_outcome outcome;
};

static flow_wait leaf_of(enum form form)
{
    return form == DONE_LEAF     ? flow_ready()
           : form == FAILED_LEAF ? flow_failed(7, "leaf")
                                 : flow_never();
}

#define BRANCH(i, called)                                                                          \
    self->form[i] < DONE_CALL                                                                      \
        ? leaf_of(self->form[i])                                                                   \
        : FLOW_CALL(actor, .name = called, .ticks = self->form[i] == LATER_CALL ? -1 : 0,          \
                    .fail = self->form[i] == FAILED_CALL ? 7 : 0)

FLOW_STATIC(three)
{
    FLOW_BEGIN;
    if (self->all) {
        FLOW_TRY(&self->outcome, flow_all(BRANCH(0, "0"), BRANCH(1, "1"), BRANCH(2, "2")));
    } else {
        FLOW_TRY(&self->outcome,
                 flow_race(&self->winner, BRANCH(0, "0"), BRANCH(1, "1"), BRANCH(2, "2")));
    }
    story_log(story_of(flow), "|%d:%d:%d", self->winner, (int)self->outcome.state,
              self->outcome.code);
    FLOW_END;
}

static int is_done(int form)
{
    return form == DONE_LEAF || form == DONE_CALL;
}
static int is_failed(int form)
{
    return form == FAILED_LEAF || form == FAILED_CALL;
}
static int is_later(int form)
{
    return form == LATER_LEAF || form == LATER_CALL;
}

/* What the log must be, worked out branch by branch. */
static void model(const struct three *three, char *log, int *pending)
{
    int settled = -1;
    *pending = 0;
    log[0] = '\0';
    for (int i = 0; i < 3 && settled < 0; i++) {
        int form = (int)three->form[i];
        if (form >= DONE_CALL) {
            sprintf(log + strlen(log),
                    is_later(form)  ? "%d+ "
                    : is_done(form) ? "%d+ %d= %d- "
                                    : "%d+ %d-f ",
                    i, i, i);
        }
        *pending += is_later(form);
        if (is_failed(form) || (!three->all && is_done(form))) {
            settled = i;
        }
    }
    if (settled < 0 && (!three->all || *pending)) {
        return; /* it waits */
    }
    for (int i = 2; i >= 0; i--) {
        if (three->form[i] == LATER_CALL && i < settled) {
            sprintf(log + strlen(log), "%d-%c ", i, three->all ? 'f' : 'l');
        }
    }
    *pending = 0;
    int failed = settled >= 0 && is_failed((int)three->form[settled]);
    sprintf(log + strlen(log), "|%d:%d:%d", three->all ? -9 : settled,
            failed ? FLOW_STATE_FAILED : FLOW_STATE_DONE, failed ? 7 : 0);
}

static void
branches_start_in_order_until_one_settles_and_losers_end_before_the_caller_goes_on(void **state)
{
    (void)state;
    for (int i = 0; i < 2 * FORMS * FORMS * FORMS; i++) {
        struct story s;
        char expected[256];
        int pending;
        struct three args = {.all = i & 1,
                             .winner = -9,
                             .form = {(enum form)(i / 2 % FORMS),
                                      (enum form)(i / 2 / FORMS % FORMS),
                                      (enum form)(i / 2 / FORMS / FORMS)}};
        story_begin(&s, NULL);
        model(&args, expected, &pending);
        flow_handle h = flow_start(s.world, &three_flow_, &args, NULL);
        size_t length = strlen(s.log);
        if (pending && length > 0) {
            s.log[length] = ' ';
            s.log[length + 1] = '\0';
        }
        assert_string_equal(s.log, expected);
        assert_int_equal(flow_state_of(s.world, h), pending ? FLOW_STATE_LIVE : FLOW_STATE_DONE);
        if (!pending) {
            story_alive(&s, 0, 0, 0);
        }
        assert_int_equal(story_destroy(&s), FLOW_OK);
        story_end(&s);
    }
}

/* ---- settling later ---- */

struct on {
    FLOW_SIGNAL(int) signal;
};

struct racer {
    flow_frame base;
    struct on *on;
    int value, other;
    int winner;
    int polls;
    int closing;
};

static int counts(void *arg)
{
    ++*(int *)arg;
    return 0;
}

FLOW_STATIC(racer)
{
    FLOW_BEGIN;
    FLOW_RACE(self->winner, flow_seconds(9), flow_next(&self->on->signal, &self->value),
              FLOW_CALL(actor, .name = "a", .ticks = -1, .closing = self->closing),
              flow_until(counts, &self->polls), flow_next(&self->on->signal, &self->other),
              flow_ticks(9), flow_frames(9), flow_seconds_on(FLOW_CLOCK_REAL, 9),
              FLOW_CALL(actor, .name = "b", .ticks = -1));
    story_log(story_of(flow), "won:%d:%d:%d", self->winner, self->value, self->other);
    FLOW_AWAIT(flow_never());
    FLOW_END;
}

static void losing_leaves_are_out_of_everything_at_the_moment_of_settling(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    struct on on;
    assert_int_equal(flow_signal_init(&on.signal, s.world), FLOW_OK);
    (void)FLOW_RUN(s.world, racer, .on = &on, .closing = 2, .value = -1, .other = -1);
    story_expect(&s, "a+ b+");
    story_alive(&s, 3, 12, 2);
    assert_int_equal(flow_signal_waiters(&on.signal), 2);
    assert_int_equal(flow_emit(&on.signal, &(int){42}),
                     1); /* the same signal twice: the first one wins */
    assert_int_equal(flow_signal_waiters(&on.signal), 0);
    flow_counters count = flow_world_counters(s.world);
    assert_int_equal(count.timers, 0);
    assert_int_equal(count.predicates, 0);
    assert_int_equal(flow_emit(&on.signal, &(int){43}), 0);
    story_expect(&s, "");
    story_update(&s, 1); /* the owner's turn: losing calls are unwound, the youngest first; one
                            closes for two ticks */
    story_expect(&s, "b-l a-l");
    story_update(&s, 1);
    story_expect(&s, "");
    story_update(&s, 1);
    story_expect(&s, "a. won:1:42:-1");
    story_alive(&s, 1, 1, 0);
    flow_signal_fini(&on.signal);
    story_end(&s);
}

struct both_due {
    flow_frame base;
    int winner;
};

FLOW_STATIC(both_due)
{
    FLOW_BEGIN;
    FLOW_RACE(self->winner, FLOW_CALL(actor, .name = "a", .ticks = 1),
              FLOW_CALL(actor, .name = "b", .ticks = 1), flow_next_tick());
    story_log(story_of(flow), "won:%d", self->winner);
    FLOW_END;
}

static void the_first_to_end_in_a_tick_wins_and_the_others_do_not_resume_in_it(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, both_due);
    story_update(&s, 1);
    story_expect(&s, "a+ b+ a= a- b-l won:0");
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

/* ---- nothing ---- */

struct nothing {
    flow_frame base;
    flow_outcome outcome;
    int i;
};

FLOW_STATIC(nothing)
{
    FLOW_BEGIN;
    FLOW_TRY(&self->outcome, flow_all(FLOW_NOTHING));
    story_log(story_of(flow), "all:%d", (int)self->outcome.state);
    FLOW_TRY(&self->outcome, flow_race(&self->i, FLOW_NOTHING));
    story_log(story_of(flow), "race:%d:%d", (int)self->outcome.state, self->outcome.code);
    FLOW_RACE(self->i, flow_race(NULL, FLOW_NOTHING), flow_never());
    story_log(story_of(flow), "never");
    FLOW_END;
}

/* C14, scenario 5 */
static void all_of_nothing_is_done_and_race_of_nothing_fails_as_empty(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle h = FLOW_RUN(s.world, nothing);
    story_expect(&s, "all:2 race:3:-5");
    assert_outcome(s.world, h, FLOW_STATE_FAILED, FLOW_CAUSE_NONE, FLOW_EMPTY);
    s.expect_failures = 1;
    story_end(&s);
}

/* ---- the owner is cancelled (C04) ---- */

struct composes {
    flow_frame base;
    int kind;
    int i;
    int closing;
};

FLOW_STATIC(composes)
{
    FLOW_BEGIN;
    if (self->kind == 0) {
        FLOW_RACE(self->i, FLOW_CALL(actor, .name = "a", .ticks = -1, .closing = self->closing),
                  FLOW_CALL(actor, .name = "b", .ticks = -1));
    } else if (self->kind == 1) {
        FLOW_ALL(FLOW_CALL(actor, .name = "a", .ticks = -1, .closing = self->closing),
                 FLOW_CALL(actor, .name = "b", .ticks = -1));
    } else {
        FLOW_ALL(flow_timeout(
                     NULL, FLOW_CALL(actor, .name = "a", .ticks = -1, .closing = self->closing), 9),
                 flow_race(NULL, flow_never(), FLOW_CALL(actor, .name = "b", .ticks = -1)));
    }
    FLOW_FINALLY;
    story_log(story_of(flow), "o-%s", actor_cause(flow_cause_of(flow)));
    FLOW_END;
}

static void cancelling_the_owner_cancels_every_branch_before_its_finally(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    for (int kind = 0; kind < 3; kind++) {
        flow_handle h = FLOW_RUN(s.world, composes, .kind = kind);
        assert_int_equal(flow_cancel(s.world, h), FLOW_OK);
        story_expect(&s, "a+ b+ b-x a-x o-x");
        story_alive(&s, 0, 0, 0);
        h = FLOW_RUN(s.world, composes, .kind = kind, .closing = 1);
        assert_int_equal(flow_cancel(s.world, h), FLOW_PENDING);
        story_update(&s, 1);
        story_expect(&s, "a+ b+ b-x a-x a. o-x");
        story_alive(&s, 0, 0, 0);
    }
    story_end(&s);
}

/* ---- while branches start ---- */

struct meddles {
    flow_frame base;
    int cancels_owner; /* else it ends the wait of the branch before it */
    flow_handle owner;
    flow_signal *signal;
};

FLOW_STATIC(meddles)
{
    FLOW_BEGIN;
    if (self->cancels_owner) {
        story_log(story_of(flow), "cancel:%d", (int)flow_cancel(flow_world_of(flow), self->owner));
    } else {
        story_log(story_of(flow), "emit:%d", (int)flow_emit_(self->signal, NULL));
    }
    FLOW_AWAIT(flow_next_tick());
    story_log(story_of(flow), "never");
    FLOW_FINALLY;
    story_log(story_of(flow), "m-%s", actor_cause(flow_cause_of(flow)));
    FLOW_END;
}

struct meddled {
    flow_frame base;
    int all;
    int cancels_owner;
    flow_signal *signal;
    int i;
};

FLOW_STATIC(meddled)
{
    FLOW_BEGIN;
    if (self->all) {
        FLOW_ALL(flow_next_(self->signal, NULL), FLOW_CALL(actor, .name = "a", .ticks = -1),
                 FLOW_CALL(meddles, .cancels_owner = self->cancels_owner, .owner = flow_self(flow),
                           .signal = self->signal),
                 FLOW_CALL(actor, .name = "late", .ticks = -1));
    } else {
        FLOW_RACE(self->i, flow_next_(self->signal, NULL),
                  FLOW_CALL(actor, .name = "a", .ticks = -1),
                  FLOW_CALL(meddles, .cancels_owner = self->cancels_owner, .owner = flow_self(flow),
                            .signal = self->signal),
                  FLOW_CALL(actor, .name = "late", .ticks = -1));
    }
    story_log(story_of(flow), "won:%d", self->i);
    FLOW_AWAIT(flow_ready());
    FLOW_FINALLY;
    story_log(story_of(flow), "o-%s", actor_cause(flow_cause_of(flow)));
    FLOW_END;
}

static void a_branch_that_cancels_the_owner_while_starting_stops_the_later_ones(void **state)
{
    struct story s;
    FLOW_SIGNAL(flow_nothing) signal;
    (void)state;
    story_begin(&s, NULL);
    assert_int_equal(flow_signal_init(&signal, s.world), FLOW_OK);
    for (int all = 0; all < 2; all++) {
        (void)FLOW_RUN(s.world, meddled, .all = all, .cancels_owner = 1, .signal = &signal.signal);
        story_expect(&s, "a+ cancel:-1 m-x a-x o-x");
        story_alive(&s, 0, 0, 0);
        assert_int_equal(flow_signal_waiters(&signal), 0);
    }
    flow_signal_fini(&signal);
    story_end(&s);
}

static void a_branch_that_ends_an_earlier_one_while_starting_settles_the_race_there(void **state)
{
    struct story s;
    FLOW_SIGNAL(flow_nothing) signal;
    (void)state;
    story_begin(&s, NULL);
    assert_int_equal(flow_signal_init(&signal, s.world), FLOW_OK);
    (void)FLOW_RUN(s.world, meddled, .signal = &signal.signal);
    story_expect(&s, "a+ emit:1 m-l a-l won:0 o-");
    story_alive(&s, 0, 0, 0);
    flow_signal_close(&signal);
    flow_handle h = FLOW_RUN(s.world, meddled, .all = 1, .signal = &signal.signal);
    story_expect(&s, "o-f"); /* its first branch fails at once as CLOSED */
    assert_outcome(s.world, h, FLOW_STATE_FAILED, FLOW_CAUSE_NONE, FLOW_CLOSED);
    s.expect_failures = 1;
    flow_signal_fini(&signal);
    story_end(&s);
}

/* ---- results ---- */

struct twice {
    flow_frame base;
    flow_signal *signal;
    int a, b;
};

FLOW_STATIC(twice)
{
    FLOW_BEGIN;
    FLOW_ALL(flow_next_(self->signal, &self->a), flow_next_(self->signal, &self->b));
    story_log(story_of(flow), "%d:%d", self->a, self->b);
    FLOW_END;
}

static void all_of_the_same_signal_twice_takes_one_emit(void **state)
{
    struct story s;
    FLOW_SIGNAL(int) signal;
    (void)state;
    story_begin(&s, NULL);
    assert_int_equal(flow_signal_init(&signal, s.world), FLOW_OK);
    (void)FLOW_RUN(s.world, twice, .signal = &signal.signal);
    assert_int_equal(flow_emit(&signal, &(int){5}), 2);
    story_update(&s, 1);
    story_expect(&s, "5:5");
    flow_signal_fini(&signal);
    story_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            branches_start_in_order_until_one_settles_and_losers_end_before_the_caller_goes_on),
        cmocka_unit_test(losing_leaves_are_out_of_everything_at_the_moment_of_settling),
        cmocka_unit_test(the_first_to_end_in_a_tick_wins_and_the_others_do_not_resume_in_it),
        cmocka_unit_test(all_of_nothing_is_done_and_race_of_nothing_fails_as_empty),
        cmocka_unit_test(cancelling_the_owner_cancels_every_branch_before_its_finally),
        cmocka_unit_test(a_branch_that_cancels_the_owner_while_starting_stops_the_later_ones),
        cmocka_unit_test(a_branch_that_ends_an_earlier_one_while_starting_settles_the_race_there),
        cmocka_unit_test(all_of_the_same_signal_twice_takes_one_emit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
