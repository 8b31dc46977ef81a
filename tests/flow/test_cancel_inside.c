/* SPDX-License-Identifier: MIT */
/* Cancelling from inside: from bodies, finally sections, defers, predicates, on_failure, and while
 * something starts. */
#include <string.h>

#include "actor.h"

/* A flow that cancels somebody at a given point of its life and logs the answer. */
enum when { FIRST_SLICE, LATER, IN_FINALLY, IN_DEFER };

struct canceller {
    flow_frame base;
    const char *name;
    flow_handle *target; /* null: itself */
    enum when when;
    flow_handle self;
};

static void cancel_now(struct story *s, const struct canceller *self)
{
    flow_handle target = self->target != NULL ? *self->target : self->self;
    flow_status status = flow_cancel(s->world, target);
    story_log(s, "%s:%s", self->name,
              status == FLOW_OK        ? "ok"
              : status == FLOW_PENDING ? "pending"
                                       : "stale");
}

static struct story *deferred_story;

static void cancel_deferred(void *arg)
{
    cancel_now(deferred_story, arg);
}

FLOW_STATIC(canceller)
{
    FLOW_BEGIN;
    self->self = flow_self(flow);
    if (self->when == IN_DEFER) {
        deferred_story = story_of(flow);
        FLOW_DEFER(cancel_deferred, self);
    }
    if (self->when == FIRST_SLICE) {
        cancel_now(story_of(flow), self);
    }
    FLOW_AWAIT(flow_next_tick());
    if (self->when == LATER) {
        cancel_now(story_of(flow), self);
        FLOW_AWAIT(flow_ready());
        story_log(story_of(flow), "%s=", self->name);
    }
    FLOW_AWAIT(flow_never());
    FLOW_FINALLY;
    story_log(story_of(flow), "%s-%s", self->name, actor_cause(flow_cause_of(flow)));
    if (self->when == IN_FINALLY) {
        cancel_now(story_of(flow), self);
    }
    FLOW_END;
}

static void a_flow_that_cancels_itself_unwinds_at_its_next_await(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, canceller, .name = "a", .when = FIRST_SLICE);
    story_expect(&s, "a:pending a-x");
    (void)FLOW_RUN(s.world, canceller, .name = "b", .when = LATER);
    story_update(&s, 1);
    story_expect(&s, "b:pending b-x");
    story_alive(&s, 0, 0, 0);
    flow_handle h = FLOW_RUN(s.world, canceller, .name = "c", .when = IN_FINALLY);
    assert_int_equal(flow_cancel(s.world, h), FLOW_OK);
    story_expect(&s, "c-x c:pending");
    h = FLOW_RUN(s.world, canceller, .name = "d", .when = IN_DEFER);
    assert_int_equal(flow_cancel(s.world, h), FLOW_OK);
    story_expect(&s, "d-x d:pending");
    assert_int_equal(flow_world_counters(s.world).finally_runs, 4);
    story_end(&s);
}

/* A called function that cancels its own flow and returns: its finally section still has an
 * allowance for awaits. */
struct cancels_and_returns {
    flow_frame base;
};

FLOW_STATIC(cancels_and_returns)
{
    FLOW_BEGIN;
    (void)flow_cancel(flow_world_of(flow), flow_self(flow));
    FLOW_RETURN;
    FLOW_FINALLY;
    FLOW_AWAIT(flow_ready());
    FLOW_AWAIT(FLOW_CALL(actor, .name = "c", .ticks = 1));
    story_log(story_of(flow), "inner-%s", actor_cause(flow_cause_of(flow)));
    FLOW_END;
}

struct calls_cancelling {
    flow_frame base;
};

FLOW_STATIC(calls_cancelling)
{
    FLOW_BEGIN;
    FLOW_AWAIT(FLOW_CALL(cancels_and_returns));
    FLOW_AWAIT(flow_ready());
    story_log(story_of(flow), "never");
    FLOW_FINALLY;
    FLOW_AWAIT(flow_ready());
    story_log(story_of(flow), "outer-%s", actor_cause(flow_cause_of(flow)));
    FLOW_END;
}

static void finally_sections_of_a_flow_cancelled_while_it_runs_may_await(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle h = FLOW_RUN(s.world, calls_cancelling);
    story_expect(&s, "c+");
    story_update(&s, 1);
    story_expect(&s, "c= c-x inner-x outer-x");
    assert_outcome(s.world, h, FLOW_STATE_CANCELLED, FLOW_CAUSE_EXPLICIT, 0);
    story_end(&s);
}

/* ---- siblings ---- */

struct siblings {
    flow_frame base;
    enum when when[3];
    int target[3]; /* of whom; -1: nobody, 3: the owner */
    flow_handle child[4];
    int i;
    int ticks;
};

FLOW_STATIC(siblings)
{
    static const char *const names[] = {"a", "b", "c"};
    FLOW_BEGIN;
    self->child[3] = flow_self(flow);
    for (self->i = 0; self->i < 3; self->i++) {
        if (self->target[self->i] < 0) {
            self->child[self->i] = FLOW_SPAWN(actor, .name = names[self->i], .ticks = -1);
        } else {
            self->child[self->i] =
                FLOW_SPAWN(canceller, .name = names[self->i], .when = self->when[self->i],
                           .target = &self->child[self->target[self->i]]);
        }
    }
    FLOW_AWAIT(flow_ticks(self->ticks));
    story_log(story_of(flow), "p=");
    FLOW_FINALLY;
    story_log(story_of(flow), "p-%s", actor_cause(flow_cause_of(flow)));
    FLOW_END;
}

static void a_finally_section_may_cancel_older_and_younger_siblings(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle h =
        FLOW_RUN(s.world, siblings, .ticks = 9, .target = {-1, -1, 0}, .when = {[2] = IN_FINALLY});
    assert_int_equal(flow_cancel(s.world, h), FLOW_OK);
    story_expect(&s, "a+ b+ c-x a-x c:ok b-x p-x");
    h = FLOW_RUN(s.world, siblings, .ticks = 9, .target = {-1, -1, 1}, .when = {[2] = IN_DEFER});
    assert_int_equal(flow_cancel(s.world, h), FLOW_OK);
    story_expect(&s, "a+ b+ c-x b-x c:ok a-x p-x");
    h = FLOW_RUN(s.world, siblings, .ticks = 9, .target = {2, -1, -1}, .when = {[0] = IN_FINALLY});
    assert_int_equal(flow_cancel(s.world, h), FLOW_OK);
    story_expect(&s, "b+ c+ c-x b-x a-x a:stale p-x");
    assert_int_equal(flow_world_counters(s.world).finally_runs, 12);
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

static void siblings_that_cancel_each_other_in_a_ring_each_clean_up_once(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle h = FLOW_RUN(s.world, siblings, .ticks = 9, .target = {1, 2, 0},
                             .when = {IN_FINALLY, IN_FINALLY, IN_FINALLY});
    assert_int_equal(flow_cancel(s.world, h), FLOW_OK);
    story_expect(&s, "c-x a-x b-x b:pending a:ok c:ok p-x");
    assert_int_equal(flow_world_counters(s.world).finally_runs, 4);
    story_end(&s);
}

static void a_child_that_cancels_its_owner_is_unwound_with_it_in_the_usual_order(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle h =
        FLOW_RUN(s.world, siblings, .ticks = 9, .target = {-1, 3, -1}, .when = {[1] = LATER});
    story_update(&s, 1);
    story_expect(&s, "a+ c+ b:pending c-x b-x a-x p-x");
    assert_outcome(s.world, h, FLOW_STATE_CANCELLED, FLOW_CAUSE_EXPLICIT, 0);
    h = FLOW_RUN(s.world, siblings, .ticks = 9, .target = {-1, 3, -1}, .when = {[1] = FIRST_SLICE});
    story_expect(&s, "a+ b:pending b-x a-x p-x"); /* c was refused */
    assert_outcome(s.world, h, FLOW_STATE_CANCELLED, FLOW_CAUSE_EXPLICIT, 0);
    h = FLOW_RUN(s.world, siblings, .ticks = 9, .target = {-1, 3, -1}, .when = {[1] = IN_FINALLY});
    assert_int_equal(flow_cancel(s.world, h), FLOW_OK);
    story_expect(&s, "a+ c+ c-x b-x b:pending a-x p-x");
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

/* The called function has returned; its child, unwound with it, cancels the flow before the
 * function's finally section. */
struct leaves_canceller {
    flow_frame base;
    flow_handle *owner;
};

FLOW_STATIC(leaves_canceller)
{
    FLOW_BEGIN;
    (void)FLOW_SPAWN(canceller, .name = "c", .when = IN_FINALLY, .target = self->owner);
    FLOW_RETURN;
    FLOW_FINALLY;
    FLOW_AWAIT(flow_ready());
    FLOW_AWAIT(flow_ready());
    story_log(story_of(flow), "inner");
    FLOW_END;
}

struct calls_leaver {
    flow_frame base;
    flow_handle self;
};

FLOW_STATIC(calls_leaver)
{
    FLOW_BEGIN;
    self->self = flow_self(flow);
    FLOW_AWAIT(FLOW_CALL(leaves_canceller, .owner = &self->self));
    FLOW_AWAIT(flow_ready());
    story_log(story_of(flow), "never");
    FLOW_END;
}

static void a_child_may_cancel_the_flow_while_its_scope_is_being_left(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle h = FLOW_RUN(s.world, calls_leaver);
    story_expect(&s, "c-p c:pending inner");
    assert_outcome(s.world, h, FLOW_STATE_CANCELLED, FLOW_CAUSE_EXPLICIT, 0);
    story_end(&s);
}

static void what_a_running_child_cancels_does_not_resume_in_the_same_tick(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    /* the owner's own wait is due in the same tick, after b's */
    (void)FLOW_RUN(s.world, siblings, .ticks = 1, .target = {-1, 3, -1}, .when = {[1] = LATER});
    story_update(&s, 1);
    story_expect(&s, "a+ c+ b:pending c-x b-x a-x p-x");
    story_end(&s);
}

/* ---- E06: during one tick ---- */

struct crowd {
    flow_handle handle[100];
    int resumed[100];
    int cleaned[100];
    int step;
};

struct soldier {
    flow_frame base;
    struct crowd *crowd;
    int i;
};

FLOW_STATIC(soldier)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_next_tick());
    self->crowd->resumed[self->i]++;
    if (self->i + self->crowd->step >= 0 && self->i + self->crowd->step < 100 && self->i % 3 == 0) {
        (void)flow_cancel(flow_world_of(flow), self->crowd->handle[self->i + self->crowd->step]);
    }
    FLOW_AWAIT(flow_next_tick());
    self->crowd->resumed[self->i]++;
    FLOW_FINALLY;
    self->crowd->cleaned[self->i]++;
    FLOW_END;
}

static void cancelling_a_neighbour_during_a_tick_skips_nobody_else(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    for (int step = -2; step <= 2; step++) {
        struct crowd crowd = {.step = step};
        for (int i = 0; i < 100; i++) {
            crowd.handle[i] = FLOW_RUN(s.world, soldier, .crowd = &crowd, .i = i);
        }
        story_update(&s, 1);
        for (int i = 0; i < 100; i++) {
            int by = i - step; /* who cancels i, if anybody */
            int hit = by >= 0 && by < 100 && by % 3 == 0 && (step <= 0 || i % 3 != 0 || by != i);
            int early = hit && step > 0; /* before its own turn */
            assert_int_equal(crowd.resumed[i], early ? 0 : 1);
            assert_int_equal(crowd.cleaned[i], hit ? 1 : 0);
            assert_int_equal(flow_state_of(s.world, crowd.handle[i]),
                             hit ? FLOW_STATE_CANCELLED : FLOW_STATE_LIVE);
        }
        story_update(&s, 1);
        for (int i = 0; i < 100; i++) {
            assert_int_equal(crowd.cleaned[i], 1);
        }
        story_alive(&s, 0, 0, 0);
    }
    story_end(&s);
}

/* ---- predicates ---- */

struct test {
    struct story *story;
    flow_handle flow;
    int armed;
    int answer;
    int replace;
};

struct waiter {
    flow_frame base;
    const char *name;
    struct test *test;
};
FLOW_FORWARD(waiter);

static int never(void *arg)
{
    (void)arg;
    return 0;
}

static int cancels(void *arg)
{
    struct test *test = arg;
    static struct test idle;
    if (!test->armed) {
        return 0;
    }
    test->armed = 0;
    flow_status status = flow_cancel(test->story->world, test->flow);
    story_log(test->story, "%s", status == FLOW_OK ? "ok" : "pending");
    if (test->replace) {
        (void)FLOW_RUN(test->story->world, waiter, .name = "new", .test = &idle);
    }
    return test->answer;
}

FLOW_STATIC(waiter)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_until(self->test->story ? cancels : never, self->test));
    story_log(story_of(flow), "%s=", self->name);
    FLOW_FINALLY;
    story_log(story_of(flow), "%s-%s", self->name, actor_cause(flow_cause_of(flow)));
    FLOW_END;
}

static void a_predicate_may_cancel_its_own_flow_whatever_it_answers(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    for (int answer = 0; answer < 2; answer++) {
        struct test test = {.story = &s, .answer = answer};
        test.flow = FLOW_RUN(s.world, waiter, .name = "w", .test = &test);
        test.armed = 1;
        story_update(&s, 1);
        story_expect(&s, "w-x ok");
        story_alive(&s, 0, 0, 0);
    }
    story_end(&s);
}

struct tests_at_once {
    flow_frame base;
    struct test test;
};

FLOW_STATIC(tests_at_once)
{
    FLOW_BEGIN;
    self->test.story = story_of(flow);
    self->test.flow = flow_self(flow);
    self->test.armed = 1;
    FLOW_AWAIT(flow_until(cancels, &self->test));
    FLOW_AWAIT(flow_ready());
    story_log(story_of(flow), "never");
    FLOW_FINALLY;
    story_log(story_of(flow), "t-%s", actor_cause(flow_cause_of(flow)));
    FLOW_END;
}

static void a_predicate_may_cancel_its_flow_in_the_first_test_of_all(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    for (int answer = 0; answer < 2; answer++) {
        (void)FLOW_RUN(s.world, tests_at_once, .test.answer = answer);
        story_expect(&s, "pending t-x");
        story_alive(&s, 0, 0, 0);
        assert_int_equal(flow_world_counters(s.world).predicates, 0);
    }
    story_end(&s);
}

static void a_predicate_that_replaces_its_flow_does_not_end_the_new_ones_wait(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    struct test test = {.story = &s, .answer = 1, .replace = 1};
    test.flow = FLOW_RUN(s.world, waiter, .name = "old", .test = &test);
    test.armed = 1;
    story_update(&s, 1);
    story_update(&s, 1);
    story_expect(&s, "old-x ok");
    story_alive(&s, 1, 1, 0);
    assert_int_equal(story_destroy(&s), FLOW_OK);
    story_expect(&s, "new-d");
    story_end(&s);
}

static void a_predicate_may_cancel_the_ones_before_and_after_it(void **state)
{
    struct story s;
    (void)state;
    for (int target = 0; target < 5; target++) {
        struct test test[5] = {{0}};
        flow_handle flow[5];
        story_begin(&s, NULL);
        for (int i = 0; i < 5; i++) {
            test[i] = (struct test){.story = &s};
            flow[i] = FLOW_RUN(s.world, waiter, .name = "w", .test = &test[i]);
        }
        test[2].flow = flow[target];
        test[2].armed = 1;
        story_update(&s, 1);
        story_expect(&s, "w-x ok");
        assert_int_equal(flow_world_counters(s.world).predicates, 4);
        for (int i = 0; i < 5; i++) {
            assert_int_equal(flow_state_of(s.world, flow[i]),
                             i == target ? FLOW_STATE_CANCELLED : FLOW_STATE_LIVE);
        }
        assert_int_equal(story_destroy(&s), FLOW_OK);
        story_end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_flow_that_cancels_itself_unwinds_at_its_next_await),
        cmocka_unit_test(finally_sections_of_a_flow_cancelled_while_it_runs_may_await),
        cmocka_unit_test(a_finally_section_may_cancel_older_and_younger_siblings),
        cmocka_unit_test(siblings_that_cancel_each_other_in_a_ring_each_clean_up_once),
        cmocka_unit_test(a_child_that_cancels_its_owner_is_unwound_with_it_in_the_usual_order),
        cmocka_unit_test(a_child_may_cancel_the_flow_while_its_scope_is_being_left),
        cmocka_unit_test(what_a_running_child_cancels_does_not_resume_in_the_same_tick),
        cmocka_unit_test(cancelling_a_neighbour_during_a_tick_skips_nobody_else),
        cmocka_unit_test(a_predicate_may_cancel_its_own_flow_whatever_it_answers),
        cmocka_unit_test(a_predicate_may_cancel_its_flow_in_the_first_test_of_all),
        cmocka_unit_test(a_predicate_that_replaces_its_flow_does_not_end_the_new_ones_wait),
        cmocka_unit_test(a_predicate_may_cancel_the_ones_before_and_after_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
