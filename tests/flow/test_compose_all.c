/* SPDX-License-Identifier: MIT */
/* All: the first failure, what becomes of the others, and of a second one. */
#include "actor.h"

/* ---- all: scenario 6 ---- */

struct six {
    flow_frame base;
    int b;
    flow_outcome outcome;
};

static void increments(void *arg)
{
    ++*(int *)arg;
}

struct six_a {
    flow_frame base;
};

FLOW_STATIC(six_a)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_next_frame());
    FLOW_FAIL(7, "A fails");
    FLOW_END;
}

struct six_b {
    flow_frame base;
    int *b;
};

FLOW_STATIC(six_b)
{
    FLOW_BEGIN;
    FLOW_DEFER(increments, self->b);
    FLOW_AWAIT(flow_seconds(0.5));
    FLOW_END;
}

struct six_c {
    flow_frame base;
};

FLOW_STATIC(six_c)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_seconds(0.03));
    FLOW_END;
}

FLOW_STATIC(six)
{
    FLOW_BEGIN;
    FLOW_TRY(&self->outcome,
             flow_all(FLOW_CALL(six_a), FLOW_CALL(six_b, .b = &self->b), FLOW_CALL(six_c)));
    story_log(story_of(flow), "%d@%d b:%d children:%d", self->outcome.code,
              (int)flow_frame_count(flow), self->b,
              (int)flow_child_count(flow_world_of(flow), flow_self(flow)));
    FLOW_END;
}

static void all_fails_with_the_first_failure_when_nothing_of_the_group_lives(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, six);
    story_frame(&s, 16);
    story_expect(&s, "7@1 b:1 children:0");
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

/* C06 */
struct all_closing {
    flow_frame base;
    flow_outcome outcome;
};

FLOW_STATIC(all_closing)
{
    FLOW_BEGIN;
    FLOW_TRY(&self->outcome,
             flow_all(FLOW_CALL(actor, .name = "a", .ticks = -1, .closing = 2),
                      FLOW_CALL(actor, .name = "b", .ticks = 1, .fail = 5, .closing = 1),
                      FLOW_CALL(actor, .name = "c", .ticks = 1)));
    story_log(story_of(flow), "all:%d:%d", (int)self->outcome.state, self->outcome.code);
    FLOW_END;
}

static void
a_failing_branch_settles_when_its_own_finally_has_ended_and_then_the_others_close(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, all_closing);
    story_update(&s, 1);
    story_expect(&s, "a+ b+ c+ b-f c= c-");
    story_update(&s, 1);
    story_expect(&s, "b. a-f");
    story_update(&s, 1);
    story_expect(&s, "");
    story_update(&s, 1);
    story_expect(&s, "a. all:3:5");
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

struct second_failure {
    flow_frame base;
    flow_outcome outcome;
};

FLOW_STATIC(second_failure)
{
    FLOW_BEGIN;
    FLOW_TRY(&self->outcome,
             flow_all(FLOW_CALL(actor, .name = "a", .ticks = 1, .fail = 1, .closing = 1),
                      FLOW_CALL(actor, .name = "b", .ticks = 1, .fail = 2, .closing = 2)));
    story_log(story_of(flow), "all:%d", self->outcome.code);
    FLOW_END;
}

/* D06 */
static void a_second_failure_of_the_group_is_undelivered(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, second_failure);
    for (int i = 0; i < 4; i++) {
        story_update(&s, 1);
    }
    story_expect(&s, "a+ b+ a-f b-f a. b. all:1");
    assert_int_equal(s.failure_count, 1);
    assert_int_equal(s.failures[0].failure.kind, FLOW_FAILURE_UNDELIVERED);
    assert_int_equal(s.failures[0].failure.code, 2);
    s.expect_failures = 1;
    story_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_fails_with_the_first_failure_when_nothing_of_the_group_lives),
        cmocka_unit_test(
            a_failing_branch_settles_when_its_own_finally_has_ended_and_then_the_others_close),
        cmocka_unit_test(a_second_failure_of_the_group_is_undelivered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
