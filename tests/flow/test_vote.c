/* SPDX-License-Identifier: MIT */
/* Votes: what several flows want at once, each as long as it lives. */
#include "flows.h"

/* Votes for a while. */
struct voter {
    flow_frame base;
    flow_votes *votes;
    double value, seconds;
    flow_vote vote;
};

FLOW_STATIC(voter)
{
    FLOW_BEGIN;
    if (flow_vote_cast(flow, &self->vote, self->votes, self->value) != FLOW_OK) {
        FLOW_FAIL(7, "no vote");
    }
    FLOW_AWAIT(flow_seconds(self->seconds));
    FLOW_END;
}

/* Writes count, least and greatest into the story's log. */
static void tell(void *arg, flow_votes *votes)
{
    story_log(arg, "%u:%g..%g", (unsigned)votes->count, flow_votes_min(votes, 1.0),
              flow_votes_max(votes, 1.0));
}

static void the_least_and_the_greatest_hold_as_long_as_their_voters_live(void **state)
{
    struct story s;
    flow_votes slow = {.changed = tell, .arg = &s};
    (void)state;
    story_begin(&s, NULL);
    tell(&s, &slow);
    (void)FLOW_RUN(s.world, voter, .votes = &slow, .value = 0.5, .seconds = 0.03);
    flow_handle stun = FLOW_RUN(s.world, voter, .votes = &slow, .value = 0.0, .seconds = 9);
    (void)FLOW_RUN(s.world, voter, .votes = &slow, .value = 0.8, .seconds = 0.01);
    story_expect(&s, "0:1..1 1:0.5..0.5 2:0..0.5 3:0..0.8");
    story_frame(&s, 10);
    story_expect(&s, "2:0..0.5");
    assert_int_equal(flow_cancel(s.world, stun), FLOW_OK); /* however it ends */
    story_expect(&s, "1:0.5..0.5");
    assert_true(flow_votes_sum(&slow) > 0.49 && flow_votes_sum(&slow) < 0.51);
    story_frame(&s, 20);
    story_expect(&s, "0:1..1");
    story_end(&s);
}

/* Casts, changes and takes back its vote again and again. */
struct wavering {
    flow_frame base;
    flow_votes *votes;
    int n;
    flow_vote vote;
};

FLOW_STATIC(wavering)
{
    FLOW_BEGIN;
    for (self->n = 0; self->n < 1000; self->n++) {
        if (flow_vote_cast(flow, &self->vote, self->votes, self->n) != FLOW_OK ||
            flow_vote_cast(flow, &self->vote, self->votes, self->n + 0.5) != FLOW_OK) {
            FLOW_FAIL(7, "no vote");
        }
        FLOW_AWAIT(flow_next_tick());
        flow_vote_take_back(&self->vote);
        flow_vote_take_back(&self->vote);
    }
    (void)flow_vote_cast_open(&self->vote, self->votes, 3.0);
    FLOW_END;
}

static void a_vote_is_changed_and_taken_back_at_no_cost(void **state)
{
    struct story s;
    flow_votes votes = {0};
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, wavering, .votes = &votes);
    long calls = s.calls;
    for (int i = 0; i < 999; i++) {
        assert_int_equal(votes.count, 1);
        assert_true(votes.first->value > i + 0.4 && votes.first->value < i + 0.6);
        story_frame(&s, 10);
    }
    assert_int_equal(s.calls, calls); /* one deferred cleanup, however often */
    story_frame(&s, 10);
    assert_int_equal(votes.count, 0); /* it ended with the scope */
    story_end(&s);
}

static void a_flow_waits_until_there_is_no_vote_any_more(void **state)
{
    struct story s;
    flow_votes votes = {0};
    flow_vote host = {0};
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, waiter, .name = "some", .wait = flow_until(flow_votes_some, &votes));
    story_frame(&s, 10);
    assert_int_equal(flow_vote_cast_open(&host, &votes, 1), FLOW_OK);
    (void)FLOW_RUN(s.world, voter, .votes = &votes, .value = 2, .seconds = 0.03);
    (void)FLOW_RUN(s.world, waiter, .name = "none", .wait = flow_until(flow_votes_none, &votes));
    story_expect(&s, "");
    story_frame(&s, 10);
    story_expect(&s, "some");
    flow_vote_take_back(&host);
    story_frame(&s, 10);
    story_expect(&s, "");
    story_frame(&s, 10);
    story_expect(&s, "none");
    story_end(&s);
}

static void votes_are_kept_in_the_order_in_which_they_were_cast(void **state)
{
    struct story s;
    flow_votes votes = {0};
    flow_vote vote[4] = {{0}};
    (void)state;
    story_begin(&s, NULL);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(flow_vote_cast_open(&vote[i], &votes, i), FLOW_OK);
    }
    flow_vote_take_back(&vote[2]);
    flow_vote_take_back(&vote[0]);
    assert_int_equal(flow_vote_cast_open(&vote[0], &votes, 7), FLOW_OK);
    assert_int_equal(flow_vote_cast_open(&vote[1], &votes, 8), FLOW_OK); /* keeps its place */
    for (const flow_vote *v = votes.first; v != NULL; v = v->next) {
        story_log(&s, "%d=%g", (int)(v - vote), v->value);
    }
    story_expect(&s, "1=8 3=3 0=7");
    flow_vote_take_back(&vote[0]); /* the last */
    assert_int_equal(flow_vote_cast_open(&vote[2], &votes, 2), FLOW_OK);
    assert_ptr_equal(votes.first->next->next, &vote[2]);
    story_end(&s);
}

static void votes_may_go_before_their_voters(void **state)
{
    struct story s;
    flow_votes votes = {.changed = tell, .arg = &s};
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, voter, .votes = &votes, .value = 1, .seconds = 0.02);
    (void)FLOW_RUN(s.world, voter, .votes = &votes, .value = 2, .seconds = 0.02);
    story_expect(&s, "1:1..1 2:1..2");
    flow_votes_fini(&votes);
    assert_int_equal(votes.count, 0);
    story_frames(&s, 2, 10);
    story_expect(&s, "");
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

static void a_vote_that_is_cast_elsewhere_and_nan_are_misuse(void **state)
{
    struct story s;
    flow_votes votes = {0}, others = {0};
    flow_vote vote = {0};
    double zero = 0.0;
    (void)state;
    story_begin(&s, NULL);
    assert_int_equal(flow_vote_cast_open(&vote, &votes, 1), FLOW_OK);
    assert_int_equal(flow_vote_cast_open(&vote, &others, 1), FLOW_MISUSE);
    assert_int_equal(flow_vote_cast_open(&vote, &votes, zero / zero), FLOW_MISUSE);
    (void)FLOW_RUN(s.world, voter, .votes = &votes, .value = zero / zero);
    assert_int_equal(votes.count, 1);
    assert_int_equal(s.failures[0].failure.code, 7);
    s.expect_failures = 1;
    s.expect_misuses = 3;
    story_end(&s);
}

static void without_memory_a_vote_is_not_cast(void **state)
{
    (void)state;
    for (long at = 1, failed = 1; failed; at++) {
        struct story s;
        flow_votes votes = {0};
        story_begin(&s, NULL);
        s.fail_at = s.calls + at;
        for (int i = 0; i < 300; i++) {
            (void)FLOW_RUN(s.world, voter, .votes = &votes, .value = i, .seconds = 1);
        }
        failed = votes.count < 300;
        s.on_report = NULL;
        s.fail_at = 0;
        flow_votes_fini(&votes);
        s.expect_failures = s.failure_count;
        story_end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_least_and_the_greatest_hold_as_long_as_their_voters_live),
        cmocka_unit_test(a_vote_is_changed_and_taken_back_at_no_cost),
        cmocka_unit_test(a_flow_waits_until_there_is_no_vote_any_more),
        cmocka_unit_test(votes_are_kept_in_the_order_in_which_they_were_cast),
        cmocka_unit_test(votes_may_go_before_their_voters),
        cmocka_unit_test(a_vote_that_is_cast_elsewhere_and_nan_are_misuse),
        cmocka_unit_test(without_memory_a_vote_is_not_cast),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
