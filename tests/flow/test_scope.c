/* SPDX-License-Identifier: MIT */
/* Scopes: who unwinds whom, and in which order. See actor.h for how to read the logs. */
#include "actor.h"

/* ---- order of unwinding ---- */

static void children_unwind_before_the_scopes_finally_youngest_first(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle h =
        FLOW_RUN(s.world, parent, .name = "p", .ticks = -1, .child = {.name = "a", .ticks = -1},
                 .second = {.name = "b", .ticks = -1});
    assert_int_equal(flow_child_count(s.world, h), 2);
    assert_int_equal(flow_cancel(s.world, h), FLOW_OK);
    story_expect(&s, "p+ a+ b+ b-x a-x p-x");
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

static void children_end_with_a_scope_that_returns(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle h =
        FLOW_RUN(s.world, parent, .name = "p", .ticks = 1, .child = {.name = "a", .ticks = -1},
                 .second = {.name = "b", .ticks = -1});
    story_update(&s, 16);
    story_expect(&s, "p+ a+ b+ p= b-p a-p p-");
    assert_outcome(s.world, h, FLOW_STATE_DONE, FLOW_CAUSE_NONE, 0);
    flow_counters count = flow_world_counters(s.world);
    assert_int_equal(count.finally_runs, 3);
    assert_int_equal(count.cancelled, 2);
    assert_int_equal(count.started, 3);
    assert_int_equal(count.ended, 3);
    story_end(&s);
}

/* grandparent > two parents > two actors each */
struct family {
    flow_frame base;
};

FLOW_STATIC(family)
{
    FLOW_BEGIN;
    (void)FLOW_SPAWN(parent, .name = "p", .ticks = -1, .child = {.name = "a", .ticks = -1},
                     .second = {.name = "b", .ticks = -1});
    (void)FLOW_SPAWN(parent, .name = "q", .ticks = -1, .child = {.name = "c", .ticks = -1},
                     .second = {.name = "d", .ticks = -1});
    FLOW_AWAIT(flow_never());
    FLOW_FINALLY;
    story_log(story_of(flow), "g-%s", actor_cause(flow_cause_of(flow)));
    FLOW_END;
}

static void descendants_unwind_before_their_ancestors_and_inherit_the_cause(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle h = FLOW_RUN(s.world, family);
    story_expect(&s, "p+ a+ b+ q+ c+ d+");
    assert_int_equal(flow_cancel(s.world, h), FLOW_OK);
    story_expect(&s, "d-x c-x q-x b-x a-x p-x g-x");
    story_end(&s);
}

static void destroying_the_world_unwinds_everything_youngest_first(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, actor, .name = "o", .ticks = 3);
    (void)FLOW_RUN(s.world, family);
    assert_int_equal(story_destroy(&s), FLOW_OK);
    story_expect(&s, "o+ p+ a+ b+ q+ c+ d+ d-d c-d q-d b-d a-d p-d g-d o-d");
    story_end(&s);
}

/* ---- deferred cleanups ---- */

struct word {
    struct story *story;
    const char *text;
};

static void say(void *arg)
{
    const struct word *w = arg;
    story_log(w->story, "%s", w->text);
}

struct deferrer {
    flow_frame base;
    struct word word[3];
    int fail;
    int ticks;
};

FLOW_STATIC(deferrer)
{
    FLOW_BEGIN;
    FLOW_DEFER(say, &self->word[0]);
    FLOW_DEFER(say, &self->word[1]);
    FLOW_AWAIT(flow_ticks(self->ticks));
    FLOW_DEFER(say, &self->word[2]);
    if (self->fail != 0) {
        FLOW_FAIL(self->fail, "as told");
    }
    FLOW_FINALLY;
    story_log(story_of(flow), "finally");
    FLOW_END;
}

struct calls_deferrer {
    flow_frame base;
    int ticks;
};

FLOW_STATIC(calls_deferrer)
{
    FLOW_BEGIN;
    FLOW_AWAIT(
        FLOW_CALL(deferrer, .ticks = self->ticks,
                  .word = {{story_of(flow), "1"}, {story_of(flow), "2"}, {story_of(flow), "3"}}));
    story_log(story_of(flow), "after");
    FLOW_FINALLY;
    story_log(story_of(flow), "outer");
    FLOW_END;
}

static void defers_run_after_the_finally_last_in_first_out(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    struct word w[3] = {{&s, "1"}, {&s, "2"}, {&s, "3"}};
    (void)FLOW_RUN(s.world, deferrer, .word = {w[0], w[1], w[2]});
    story_expect(&s, "finally 3 2 1");
    flow_handle h = FLOW_RUN(s.world, deferrer, .ticks = 5, .word = {w[0], w[1], w[2]});
    assert_int_equal(flow_cancel(s.world, h), FLOW_OK);
    story_expect(&s, "finally 2 1");
    (void)FLOW_RUN(s.world, deferrer, .fail = 4, .word = {w[0], w[1], w[2]});
    story_expect(&s, "finally 3 2 1");
    s.expect_failures = 1;
    (void)FLOW_RUN(s.world, deferrer, .ticks = 5, .word = {w[0], w[1], w[2]});
    assert_int_equal(story_destroy(&s), FLOW_OK);
    story_expect(&s, "finally 2 1");
    story_end(&s);
}

static void a_called_functions_defers_run_when_it_ends_not_when_the_flow_does(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, calls_deferrer);
    story_expect(&s, "finally 3 2 1 after outer");
    (void)FLOW_RUN(s.world, calls_deferrer, .ticks = 1);
    story_expect(&s, "");
    story_update(&s, 16);
    story_expect(&s, "finally 3 2 1 after outer");
    flow_handle h = FLOW_RUN(s.world, calls_deferrer, .ticks = 1);
    assert_int_equal(flow_cancel(s.world, h), FLOW_OK);
    story_expect(&s, "finally 2 1 outer");
    story_end(&s);
}

/* ---- calls own what they start ---- */

struct starter {
    flow_frame base;
};

FLOW_STATIC(starter)
{
    FLOW_BEGIN;
    (void)FLOW_SPAWN(actor, .name = "inner", .ticks = -1);
    FLOW_FINALLY;
    story_log(story_of(flow), "starter");
    FLOW_END;
}

struct calls_starter {
    flow_frame base;
};

FLOW_STATIC(calls_starter)
{
    FLOW_BEGIN;
    (void)FLOW_SPAWN(actor, .name = "outer", .ticks = -1);
    FLOW_AWAIT(FLOW_CALL(starter));
    story_log(story_of(flow), "after");
    FLOW_AWAIT(flow_never());
    FLOW_END;
}

static void children_of_a_call_end_with_the_call(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle h = FLOW_RUN(s.world, calls_starter);
    story_expect(&s, "outer+ inner+ inner-p starter after");
    assert_int_equal(flow_child_count(s.world, h), 1);
    assert_int_equal(flow_cancel(s.world, h), FLOW_OK);
    story_expect(&s, "outer-x");
    story_end(&s);
}

/* A15: a child in a variable outlives the parent's other awaits. */
struct waits_for_child {
    flow_frame base;
    flow_handle child;
    flow_outcome outcome;
};

FLOW_STATIC(waits_for_child)
{
    FLOW_BEGIN;
    self->child = FLOW_SPAWN(actor, .name = "a", .ticks = 5);
    FLOW_AWAIT(flow_ticks(2));
    FLOW_AWAIT(flow_join(self->child, &self->outcome));
    story_log(story_of(flow), "joined:%d", (int)self->outcome.state);
    FLOW_END;
}

static void a_child_in_a_variable_goes_on_while_its_parent_awaits_other_things(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, waits_for_child);
    for (int i = 0; i < 4; i++) {
        story_update(&s, 16);
    }
    story_expect(&s, "a+");
    story_update(&s, 16);
    story_expect(&s, "a= a- joined:2");
    story_end(&s);
}

/* G07: a long scope does not grow with the short flows in it. */
struct long_scope {
    flow_frame base;
    int left;
};

struct nothing {
    flow_frame base;
};

FLOW_STATIC(nothing)
{
    FLOW_BEGIN;
    FLOW_END;
}

FLOW_STATIC(long_scope)
{
    FLOW_BEGIN;
    while (self->left-- > 0) {
        (void)FLOW_SPAWN(nothing);
    }
    FLOW_AWAIT(flow_never());
    FLOW_END;
}

static void a_million_short_children_leave_nothing_in_their_scope(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, long_scope, .left = 1);
    size_t before = s.bytes;
    flow_handle h = FLOW_RUN(s.world, long_scope, .left = 1000000);
    assert_int_equal(flow_child_count(s.world, h), 0);
    assert_int_equal(s.bytes, before);
    flow_counters count = flow_world_counters(s.world);
    assert_int_equal(count.started, 1000003);
    assert_int_equal(count.live_peak, 3);
    assert_int_equal(count.live, 2);
    story_end(&s);
}

/* A01, A02: what is destroyed with its owner never runs on, and whoever waited for it learns of it.
 */
struct joiner {
    flow_frame base;
    flow_handle other;
    flow_outcome outcome;
};

FLOW_STATIC(joiner)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_join(self->other, &self->outcome));
    story_log(story_of(flow), "joined:%s", actor_cause(self->outcome.cause));
    FLOW_AWAIT(flow_next_tick());
    story_log(story_of(flow), "alive");
    FLOW_END;
}

static void whoever_awaits_a_flow_learns_that_its_owner_ended_and_lives_on(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle group = flow_group_create(s.world, &(flow_group_desc){.name = "room"});
    flow_handle a =
        FLOW_RUN_WITH(s.world, &(flow_options){.owner = group}, actor, .name = "a", .ticks = -1);
    flow_handle j = FLOW_RUN(s.world, joiner, .other = a);
    assert_int_equal(flow_cancel(s.world, group), FLOW_OK);
    story_expect(&s, "a+ a-x");
    story_update(&s, 16);
    story_expect(&s, "joined:x");
    assert_int_equal(flow_state_of(s.world, j), FLOW_STATE_LIVE);
    story_update(&s, 16);
    story_expect(&s, "alive");
    story_end(&s);
}

/* A11: the scope itself may be waited for. */
static void a_group_can_be_joined_and_its_joiner_outlives_it(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle group = flow_group_create(s.world, NULL);
    (void)FLOW_RUN_WITH(s.world, &(flow_options){.owner = group}, actor, .name = "a", .ticks = -1);
    (void)FLOW_RUN(s.world, joiner, .other = group);
    assert_int_equal(flow_cancel(s.world, group), FLOW_OK);
    story_update(&s, 16);
    story_expect(&s, "a+ a-x joined:x");
    story_update(&s, 16);
    story_expect(&s, "alive");
    story_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(children_unwind_before_the_scopes_finally_youngest_first),
        cmocka_unit_test(children_end_with_a_scope_that_returns),
        cmocka_unit_test(descendants_unwind_before_their_ancestors_and_inherit_the_cause),
        cmocka_unit_test(destroying_the_world_unwinds_everything_youngest_first),
        cmocka_unit_test(defers_run_after_the_finally_last_in_first_out),
        cmocka_unit_test(a_called_functions_defers_run_when_it_ends_not_when_the_flow_does),
        cmocka_unit_test(children_of_a_call_end_with_the_call),
        cmocka_unit_test(a_child_in_a_variable_goes_on_while_its_parent_awaits_other_things),
        cmocka_unit_test(a_million_short_children_leave_nothing_in_their_scope),
        cmocka_unit_test(whoever_awaits_a_flow_learns_that_its_owner_ended_and_lives_on),
        cmocka_unit_test(a_group_can_be_joined_and_its_joiner_outlives_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
