/* SPDX-License-Identifier: MIT */
/*
 * No memory in the middle of a start: of a group's members, a race, an all, a set, of spawned
 * children. The frames are large, so that each flow's memory is an allocation of its own and the
 * third one's is made to fail: what had begun is unwound or lives on as it should, what comes after
 * never begins, and who started it is told.
 */
#include <stdbool.h>
#include <stdio.h>

#include "actor.h"

enum { LARGE = 40000, NUMBER = 4, FAILING = 3 };

struct large {
    flow_frame base;
    const char *name;
    char ballast[LARGE];
};

FLOW_STATIC(large)
{
    FLOW_BEGIN;
    self->ballast[LARGE - 1] = 1;
    story_log(story_of(flow), "%s+", self->name);
    FLOW_AWAIT(flow_never());
    FLOW_FINALLY;
    story_log(story_of(flow), "%s-%s", self->name, actor_cause(flow_cause_of(flow)));
    FLOW_END;
}

static const char *const names[NUMBER] = {"a", "b", "c", "d"};

/* From now on the allocation for the n-th large frame fails, and all after it. */
static void fail_at_frame(struct story *s, int n)
{
    s->fail_at = s->calls + n;
}

/* So that each large frame takes one allocation and nothing else takes any. */
static void warm(struct story *s)
{
    flow_handle h[NUMBER];
    for (int i = 0; i < NUMBER; i++) {
        h[i] = FLOW_RUN(s->world, actor, .name = "w", .ticks = -1);
    }
    for (int i = 0; i < NUMBER; i++) {
        assert_int_equal(flow_cancel(s->world, h[i]), FLOW_OK);
    }
    s->log[0] = '\0';
}

/* ---- a group ---- */

static void the_members_before_live_on_and_the_others_are_refused(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle group = flow_group_create(s.world, NULL);
    flow_outcome outcomes[NUMBER] = {0};
    warm(&s);
    fail_at_frame(&s, FAILING);
    for (int i = 0; i < NUMBER; i++) {
        const flow_options options = {.owner = group, .outcome = &outcomes[i]};
        flow_handle h = FLOW_RUN_WITH(s.world, &options, large, .name = names[i]);
        bool fits = i + 1 < FAILING;
        assert_int_equal(h.generation != 0, fits);
        assert_int_equal(outcomes[i].state, fits ? FLOW_STATE_LIVE : FLOW_STATE_FAILED);
        assert_int_equal(outcomes[i].code, fits ? 0 : FLOW_NOMEM);
    }
    assert_int_equal(flow_child_count(s.world, group), 2);
    story_expect(&s, "a+ b+");
    assert_int_equal(s.failure_count, 0);
    assert_int_equal(flow_cancel(s.world, group), FLOW_OK);
    story_expect(&s, "b-x a-x");
    story_end(&s);
}

/* ---- compositions ---- */

enum form { RACE, ALL, SETTLED, ANY, SET_ALL, SET_RACE, SET_EACH, SPAWN };

struct starts {
    flow_frame base;
    enum form form;
    int index, i;
    flow_outcome outcome, outcomes[NUMBER];
    flow_set set;
    flow_each_item item;
};

#define CALLS                                                                                      \
    FLOW_CALL(large, .name = "a"), FLOW_CALL(large, .name = "b"), FLOW_CALL(large, .name = "c"),   \
        FLOW_CALL(large, .name = "d")

FLOW_STATIC(starts)
{
    FLOW_BEGIN;
    if (flow_set_begin(flow, &self->set) != FLOW_OK) {
        FLOW_FAIL(1, "no set");
    }
    fail_at_frame(story_of(flow), FAILING);
    if (self->form >= SET_ALL && self->form <= SET_EACH) {
        for (self->i = 0; self->i < NUMBER; self->i++) {
            flow_set_add(&self->set, self->i, FLOW_CALL(large, .name = names[self->i]));
        }
    }
    if (self->form == RACE) {
        FLOW_TRY(&self->outcome, flow_race(&self->index, CALLS));
    } else if (self->form == ALL) {
        FLOW_TRY(&self->outcome, flow_all(CALLS));
    } else if (self->form == SETTLED) {
        FLOW_TRY(&self->outcome, flow_race(&self->index, flow_all_settled(self->outcomes, CALLS),
                                           flow_next_tick()));
        for (self->i = FAILING - 1; self->i < NUMBER; self->i++) {
            story_log(story_of(flow), "%d,%d", (int)self->outcomes[self->i].state,
                      self->outcomes[self->i].code);
        }
    } else if (self->form == ANY) {
        FLOW_TRY(&self->outcome, flow_any(&self->index, CALLS));
    } else if (self->form == SET_ALL) {
        FLOW_TRY(&self->outcome, flow_all_of(&self->set));
    } else if (self->form == SET_RACE) {
        FLOW_TRY(&self->outcome, flow_race_of(&self->set, &self->index));
    } else if (self->form == SET_EACH) {
        FLOW_TRY(&self->outcome, flow_each(&self->set, &self->item));
    } else {
        for (self->i = 0; self->i < NUMBER; self->i++) {
            story_log(story_of(flow), "%d",
                      (int)(FLOW_SPAWN(large, .name = names[self->i]).generation != 0));
        }
    }
    story_log(story_of(flow), "then:%d,%d,%d", (int)self->outcome.state, self->outcome.code,
              self->index);
    FLOW_AWAIT(flow_next_tick());
    FLOW_FINALLY;
    story_log(story_of(flow), "f-%s", actor_cause(flow_cause_of(flow)));
    FLOW_END;
}

static void form_tells(enum form form, const char *first, const char *rest)
{
    struct story s;
    story_begin(&s, NULL);
    warm(&s);
    flow_handle h = FLOW_RUN(s.world, starts, .form = form, .index = -1);
    s.fail_at = 0;
    story_expect(&s, first);
    story_update(&s, 10);
    story_update(&s, 10);
    story_expect(&s, rest);
    assert_outcome(s.world, h, FLOW_STATE_DONE, FLOW_CAUSE_NONE, 0);
    story_alive(&s, 0, 0, 0);
    assert_int_equal(s.failure_count, 0);
    story_end(&s);
}

static void a_race_unwinds_what_had_begun_and_fails(void **state)
{
    (void)state;
    form_tells(RACE, "a+ b+ b-l a-l then:3,-6,2", "f-");
}

static void an_all_unwinds_what_had_begun_with_the_cause_fault_and_fails(void **state)
{
    (void)state;
    form_tells(ALL, "a+ b+ b-f a-f then:3,-6,-1", "f-");
}

static void all_settled_lets_those_live_that_began_and_tells_of_the_others(void **state)
{
    (void)state;
    form_tells(SETTLED, "a+ b+", "b-l a-l 3,-6 3,-6 then:2,0,1 f-");
}

static void any_fails_and_leaves_those_that_began_to_the_scope(void **state)
{
    (void)state;
    form_tells(ANY, "a+ b+ then:3,-6,2", "b-p a-p f-");
}

static void of_a_set_that_lacks_a_branch_nothing_starts(void **state)
{
    (void)state;
    form_tells(SET_ALL, "then:3,-6,-1", "f-");
    form_tells(SET_RACE, "then:3,-6,-1", "f-");
    form_tells(SET_EACH, "then:3,-6,-1", "f-");
}

static void spawned_children_that_began_live_on_and_the_others_are_refused(void **state)
{
    (void)state;
    form_tells(SPAWN, "a+ 1 b+ 1 0 0 then:0,0,-1", "b-p a-p f-");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_members_before_live_on_and_the_others_are_refused),
        cmocka_unit_test(a_race_unwinds_what_had_begun_and_fails),
        cmocka_unit_test(an_all_unwinds_what_had_begun_with_the_cause_fault_and_fails),
        cmocka_unit_test(all_settled_lets_those_live_that_began_and_tells_of_the_others),
        cmocka_unit_test(any_fails_and_leaves_those_that_began_to_the_scope),
        cmocka_unit_test(of_a_set_that_lacks_a_branch_nothing_starts),
        cmocka_unit_test(spawned_children_that_began_live_on_and_the_others_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
