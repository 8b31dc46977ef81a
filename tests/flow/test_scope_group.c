/* SPDX-License-Identifier: MIT */
/* Groups: scopes for code outside flows. */
#include "actor.h"

static flow_handle member(struct story *s, flow_handle group, const char *name, int ticks, int fail,
                          int closing)
{
    return FLOW_RUN_WITH(s->world, &(flow_options){.owner = group}, actor, .name = name,
                         .ticks = ticks, .fail = fail, .closing = closing);
}

static void a_group_ends_its_members_youngest_first(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle group = flow_group_create(s.world, &(flow_group_desc){.name = "room"});
    (void)member(&s, group, "a", -1, 0, 0);
    (void)member(&s, group, "b", -1, 0, 0);
    (void)member(&s, group, "c", -1, 0, 0);
    assert_int_equal(flow_child_count(s.world, group), 3);
    assert_int_equal(flow_state_of(s.world, group), FLOW_STATE_LIVE);
    assert_int_equal(flow_cancel(s.world, group), FLOW_OK);
    story_expect(&s, "a+ b+ c+ c-x b-x a-x");
    assert_outcome(s.world, group, FLOW_STATE_CANCELLED, FLOW_CAUSE_EXPLICIT, 0);
    assert_int_equal(flow_cancel(s.world, group), FLOW_STALE);
    story_end(&s);
}

static void groups_nest_and_end_from_the_inside_out(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle outer = flow_group_create(s.world, &(flow_group_desc){.name = "outer"});
    (void)member(&s, outer, "a", -1, 0, 0);
    flow_handle inner =
        flow_group_create(s.world, &(flow_group_desc){.name = "inner", .owner = outer});
    (void)member(&s, inner, "b", -1, 0, 0);
    (void)member(&s, outer, "c", -1, 0, 0);
    assert_int_equal(flow_child_count(s.world, outer), 3);
    assert_int_equal(flow_cancel(s.world, inner), FLOW_OK);
    story_expect(&s, "a+ b+ c+ b-x");
    inner = flow_group_create(s.world, &(flow_group_desc){.owner = outer});
    (void)member(&s, inner, "d", -1, 0, 0);
    assert_int_equal(flow_cancel(s.world, outer), FLOW_OK);
    story_expect(&s, "d+ d-x c-x a-x");
    assert_int_equal(flow_state_of(s.world, inner), FLOW_STATE_CANCELLED);
    flow_counters count = flow_world_counters(s.world);
    assert_int_equal(count.started, 4); /* groups are no flows */
    assert_int_equal(count.cancelled, 4);
    story_end(&s);
}

struct owner {
    flow_frame base;
    flow_handle group;
};

FLOW_STATIC(owner)
{
    FLOW_BEGIN;
    self->group =
        flow_group_create(flow_world_of(flow), &(flow_group_desc){.owner = flow_self(flow)});
    (void)FLOW_SPAWN_WITH(&(flow_options){.owner = self->group}, actor, .name = "a", .ticks = -1);
    (void)FLOW_SPAWN_WITH(&(flow_options){.owner = self->group}, actor, .name = "b", .ticks = 1,
                          .fail = 4);
    FLOW_AWAIT(flow_ticks(2));
    story_log(story_of(flow), "owner");
    FLOW_END;
}

static void a_group_of_a_flow_keeps_failures_from_it_and_ends_with_it(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, owner);
    story_update(&s, 16);
    assert_int_equal(s.failure_count, 1);
    assert_string_equal(s.failures[0].path, "owner > group > actor");
    story_update(&s, 16);
    story_expect(&s, "a+ b+ b-f owner a-p");
    s.expect_failures = 1;
    story_end(&s);
}

static void a_member_fails_alone_and_is_reported(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle group = flow_group_create(s.world, &(flow_group_desc){.name = "room"});
    (void)member(&s, group, "a", -1, 0, 0);
    (void)member(&s, group, "b", 1, 6, 0);
    (void)member(&s, group, "c", 1, 0, 0);
    story_update(&s, 16);
    story_expect(&s, "a+ b+ c+ b-f c= c-");
    assert_int_equal(s.failure_count, 1);
    assert_int_equal(s.failures[0].failure.kind, FLOW_FAILURE_UNHANDLED);
    assert_int_equal(s.failures[0].failure.code, 6);
    assert_string_equal(s.failures[0].path, "room > actor");
    assert_int_equal(flow_state_of(s.world, group), FLOW_STATE_LIVE);
    assert_int_equal(flow_child_count(s.world, group), 1);
    s.expect_failures = 1;
    story_end(&s);
}

static void a_group_that_fails_fast_ends_with_its_first_failure(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle group = flow_group_create(s.world, &(flow_group_desc){.fail_fast = 1});
    flow_handle a = member(&s, group, "a", -1, 0, 0);
    (void)member(&s, group, "b", 1, 6, 0);
    (void)member(&s, group, "c", 1, 7, 0);
    (void)member(&s, group, "d", -1, 0, 0);
    story_update(&s, 16);
    story_expect(&s, "a+ b+ c+ d+ b-f d-f c-f a-f");
    assert_int_equal(s.failure_count, 1);
    assert_int_equal(s.failures[0].failure.code, 6);
    assert_outcome(s.world, a, FLOW_STATE_CANCELLED, FLOW_CAUSE_FAULT, 0);
    assert_int_not_equal(flow_state_of(s.world, group), FLOW_STATE_LIVE);
    assert_int_equal(member(&s, group, "e", 0, 0, 0).generation, 0);
    s.expect_failures = 1;
    story_end(&s);
}

static void a_member_that_fails_in_its_first_slice_ends_a_group_that_fails_fast(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle group = flow_group_create(s.world, &(flow_group_desc){.fail_fast = 1});
    (void)member(&s, group, "a", -1, 0, 0);
    (void)member(&s, group, "b", 0, 6, 0);
    story_expect(&s, "a+ b+ b-f a-f");
    story_alive(&s, 0, 0, 0);
    s.expect_failures = 1;
    story_end(&s);
}

/* ---- clear ---- */

static void a_cleared_group_lives_on_and_takes_new_members(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle group = flow_group_create(s.world, NULL);
    for (int i = 0; i < 3; i++) {
        flow_handle a = member(&s, group, "a", -1, 0, 0);
        (void)member(&s, group, "b", -1, 0, 0);
        assert_int_equal(flow_group_clear(s.world, group), FLOW_OK);
        story_expect(&s, "a+ b+ b-x a-x");
        assert_outcome(s.world, a, FLOW_STATE_CANCELLED, FLOW_CAUSE_EXPLICIT, 0);
        assert_int_equal(flow_state_of(s.world, group), FLOW_STATE_LIVE);
        assert_int_equal(flow_child_count(s.world, group), 0);
    }
    assert_int_equal(flow_group_clear(s.world, group), FLOW_OK); /* of nothing */
    flow_handle c = member(&s, group, "c", 1, 0, 0);
    story_update(&s, 16);
    story_expect(&s, "c+ c= c-");
    assert_outcome(s.world, c, FLOW_STATE_DONE, FLOW_CAUSE_NONE, 0);
    assert_int_equal(flow_cancel(s.world, group), FLOW_OK);
    assert_int_equal(flow_group_clear(s.world, group), FLOW_STALE);
    story_end(&s);
}

static void clearing_waits_for_awaiting_finally_sections(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle group = flow_group_create(s.world, NULL);
    (void)member(&s, group, "a", -1, 0, 2);
    assert_int_equal(flow_group_clear(s.world, group), FLOW_PENDING);
    assert_int_equal(flow_child_count(s.world, group), 1);
    story_update(&s, 16);
    story_update(&s, 16);
    story_expect(&s, "a+ a-x a.");
    assert_int_equal(flow_child_count(s.world, group), 0);
    assert_int_equal(flow_state_of(s.world, group), FLOW_STATE_LIVE);
    (void)member(&s, group, "b", 0, 0, 0);
    story_expect(&s, "b+ b= b-");
    story_end(&s);
}

static void a_group_takes_new_members_while_the_cleared_ones_still_close(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle group = flow_group_create(s.world, NULL);
    (void)member(&s, group, "a", -1, 0, 2);
    assert_int_equal(flow_group_clear(s.world, group), FLOW_PENDING);
    flow_handle b = member(&s, group, "b", 4, 0, 0);
    assert_int_not_equal(b.generation, 0);
    for (int i = 0; i < 4; i++) {
        story_update(&s, 16);
    }
    story_expect(&s, "a+ a-x b+ a. b= b-");
    assert_outcome(s.world, b, FLOW_STATE_DONE, FLOW_CAUSE_NONE, 0);
    story_end(&s);
}

static void a_group_that_is_cancelled_while_it_is_cleared_ends(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle group = flow_group_create(s.world, NULL);
    (void)member(&s, group, "a", -1, 0, 1);
    assert_int_equal(flow_group_clear(s.world, group), FLOW_PENDING);
    assert_int_equal(flow_cancel(s.world, group), FLOW_PENDING);
    story_update(&s, 16);
    story_update(&s, 16);
    assert_outcome(s.world, group, FLOW_STATE_CANCELLED, FLOW_CAUSE_EXPLICIT, 0);
    story_end(&s);
}

static void clearing_does_not_revive_a_cancelled_group(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle group = flow_group_create(s.world, NULL);
    (void)member(&s, group, "a", -1, 0, 1);
    assert_int_equal(flow_cancel(s.world, group), FLOW_PENDING);
    assert_int_equal(flow_group_clear(s.world, group), FLOW_PENDING);
    story_update(&s, 16);
    story_update(&s, 16);
    assert_outcome(s.world, group, FLOW_STATE_CANCELLED, FLOW_CAUSE_EXPLICIT, 0);
    story_end(&s);
}

struct clearer {
    flow_frame base;
    flow_handle group;
};

FLOW_STATIC(clearer)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_next_tick());
    story_log(story_of(flow), "clear:%d", (int)flow_group_clear(flow_world_of(flow), self->group));
    FLOW_AWAIT(flow_next_tick());
    story_log(story_of(flow), "never");
    FLOW_FINALLY;
    story_log(story_of(flow), "clearer-%s", actor_cause(flow_cause_of(flow)));
    FLOW_END;
}

static void a_member_may_clear_its_own_group(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle group = flow_group_create(s.world, NULL);
    (void)member(&s, group, "a", -1, 0, 0);
    (void)FLOW_RUN_WITH(s.world, &(flow_options){.owner = group}, clearer, .group = group);
    (void)member(&s, group, "b", -1, 0, 0);
    story_update(&s, 16);
    story_expect(&s, "a+ b+ clear:-1 b-x clearer-x a-x");
    assert_int_equal(flow_state_of(s.world, group), FLOW_STATE_LIVE);
    (void)member(&s, group, "c", 0, 0, 0);
    story_expect(&s, "c+ c= c-");
    story_end(&s);
}

static void clearing_a_flow_is_misuse(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle a = FLOW_RUN(s.world, actor, .name = "a", .ticks = 1);
    assert_int_equal(flow_group_clear(s.world, a), FLOW_MISUSE);
    story_update(&s, 16);
    story_expect(&s, "a+ a= a-");
    s.expect_misuses = 1;
    story_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_group_ends_its_members_youngest_first),
        cmocka_unit_test(groups_nest_and_end_from_the_inside_out),
        cmocka_unit_test(a_group_of_a_flow_keeps_failures_from_it_and_ends_with_it),
        cmocka_unit_test(a_member_fails_alone_and_is_reported),
        cmocka_unit_test(a_group_that_fails_fast_ends_with_its_first_failure),
        cmocka_unit_test(a_member_that_fails_in_its_first_slice_ends_a_group_that_fails_fast),
        cmocka_unit_test(a_cleared_group_lives_on_and_takes_new_members),
        cmocka_unit_test(clearing_waits_for_awaiting_finally_sections),
        cmocka_unit_test(a_group_takes_new_members_while_the_cleared_ones_still_close),
        cmocka_unit_test(a_group_that_is_cancelled_while_it_is_cleared_ends),
        cmocka_unit_test(clearing_does_not_revive_a_cancelled_group),
        cmocka_unit_test(a_member_may_clear_its_own_group),
        cmocka_unit_test(clearing_a_flow_is_misuse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
