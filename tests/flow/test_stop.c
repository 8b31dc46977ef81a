/* SPDX-License-Identifier: MIT */
/* Asking flows and groups to stop, where a cancel would force them. */
#include "actor.h"
#include "flows.h"

#include <string.h>

/* Counts its ticks until it is asked to stop, then says goodbye for one tick more. */
struct polite {
    flow_frame base;
    const char *name;
    int laps;
};

FLOW_STATIC(polite)
{
    FLOW_BEGIN;
    for (self->laps = 0; !flow_stop_requested(flow); self->laps++) {
        FLOW_AWAIT(flow_next_tick());
    }
    story_log(story_of(flow), "%s:%d", self->name, self->laps);
    FLOW_AWAIT(flow_next_tick());
    story_log(story_of(flow), "%s.", self->name);
    FLOW_FINALLY;
    story_log(story_of(flow), "%s-%s", self->name, actor_cause(flow_cause_of(flow)));
    FLOW_END;
}

/* Owns a polite one, and waits for its end. */
struct polite_parent {
    flow_frame base;
    flow_handle child;
};

FLOW_STATIC(polite_parent)
{
    FLOW_BEGIN;
    self->child = FLOW_SPAWN(polite, .name = "child");
    FLOW_AWAIT(flow_join(self->child, NULL));
    story_log(story_of(flow), "parent:%d", flow_stop_requested(flow));
    FLOW_END;
}

static flow_handle member(struct story *s, flow_handle group, const char *name)
{
    return FLOW_RUN_WITH(s->world, &(flow_options){.owner = group}, polite, .name = name);
}

static void a_flow_that_is_asked_ends_itself(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle a = FLOW_RUN(s.world, polite, .name = "a");
    flow_handle b = FLOW_RUN(s.world, polite, .name = "b");
    story_update(&s, 16);
    assert_int_equal(flow_request_stop(s.world, a), FLOW_OK);
    assert_int_equal(flow_request_stop(s.world, a), FLOW_OK); /* may be repeated */
    assert_int_equal(flow_state_of(s.world, a), FLOW_STATE_LIVE);
    story_update(&s, 16);
    story_update(&s, 16);
    story_expect(&s, "a:2 a. a-");
    assert_outcome(s.world, a, FLOW_STATE_DONE, FLOW_CAUSE_NONE, 0);
    assert_int_equal(flow_request_stop(s.world, a), FLOW_STALE);
    assert_int_equal(flow_world_counters(s.world).stale, 1);
    assert_int_equal(flow_cancel(s.world, b), FLOW_OK);
    story_expect(&s, "b-x");
    story_end(&s);
}

static void the_whole_subtree_sees_a_request(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle parent = FLOW_RUN(s.world, polite_parent);
    assert_int_equal(flow_request_stop(s.world, parent), FLOW_OK);
    story_update(&s, 16);
    story_update(&s, 16);
    story_expect(&s, "child:1 child. child- parent:1");
    assert_outcome(s.world, parent, FLOW_STATE_DONE, FLOW_CAUSE_NONE, 0);
    story_end(&s);
}

static void a_group_is_stopped_and_joined(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle group = flow_group_create(s.world, NULL);
    (void)member(&s, group, "a");
    (void)FLOW_RUN(s.world, waiter, .name = "joined", .wait = flow_join(group, NULL));
    story_update(&s, 16);
    (void)member(&s, group, "b");
    assert_int_equal(flow_request_stop(s.world, group), FLOW_OK);
    assert_int_equal(flow_state_of(s.world, group), FLOW_STATE_LIVE);
    story_update(&s, 16);
    story_expect(&s, "a:2 b:1");
    story_update(&s, 16);
    story_expect(&s, "a. a- b. b- joined");
    assert_outcome(s.world, group, FLOW_STATE_DONE, FLOW_CAUSE_NONE, 0);
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

static void a_stopped_group_takes_no_new_members(void **state)
{
    struct story s;
    flow_outcome outcome = {0};
    (void)state;
    story_begin(&s, NULL);
    flow_handle group = flow_group_create(s.world, NULL);
    (void)member(&s, group, "a");
    (void)flow_request_stop(s.world, group);
    flow_handle late = FLOW_RUN_WITH(
        s.world, (&(flow_options){.owner = group, .outcome = &outcome}), actor, .name = "late");
    assert_int_equal(late.generation, 0);
    assert_int_equal(outcome.state, FLOW_STATE_CANCELLED);
    assert_int_equal(flow_group_create(s.world, &(flow_group_desc){.owner = group}).generation, 0);
    story_expect(&s, "");
    story_end(&s);
    story_expect(&s, "a-d");
}

static void an_empty_group_ends_in_the_next_tick_of_its_phase(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle group = flow_group_create(s.world, NULL);
    assert_int_equal(flow_request_stop(s.world, group), FLOW_OK);
    assert_int_equal(flow_group_clear(s.world, group), FLOW_OK); /* of nothing */
    assert_int_equal(flow_state_of(s.world, group), FLOW_STATE_LIVE);
    assert_int_equal(flow_world_flush(s.world, FLOW_UPDATE), FLOW_OK);
    assert_outcome(s.world, group, FLOW_STATE_DONE, FLOW_CAUSE_NONE, 0);
    story_end(&s);
}

static void a_pause_does_not_keep_a_stopped_group(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle group = flow_group_create(s.world, NULL);
    flow_handle a = member(&s, group, "a");
    assert_int_equal(flow_clock_pause(s.world, FLOW_CLOCK_GAME), FLOW_OK);
    (void)flow_request_stop(s.world, group);
    assert_int_equal(flow_cancel(s.world, a), FLOW_OK);
    story_update(&s, 16);
    assert_outcome(s.world, group, FLOW_STATE_DONE, FLOW_CAUSE_NONE, 0);
    story_expect(&s, "a-x");
    story_end(&s);
}

static void members_that_are_cancelled_count_as_ended(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle group = flow_group_create(s.world, NULL);
    flow_handle a = member(&s, group, "a");
    (void)member(&s, group, "b");
    (void)flow_request_stop(s.world, group);
    assert_int_equal(flow_cancel(s.world, a), FLOW_OK);
    assert_int_equal(flow_group_clear(s.world, group), FLOW_OK); /* and it ends with that */
    story_expect(&s, "a-x b-x");
    assert_outcome(s.world, group, FLOW_STATE_DONE, FLOW_CAUSE_NONE, 0);
    story_end(&s);
}

static void a_stopped_group_can_still_be_cancelled(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle full = flow_group_create(s.world, NULL);
    flow_handle empty = flow_group_create(s.world, NULL);
    (void)member(&s, full, "a");
    (void)flow_request_stop(s.world, full);
    (void)flow_request_stop(s.world, empty);
    assert_int_equal(flow_cancel(s.world, full), FLOW_OK);
    assert_int_equal(flow_cancel(s.world, empty), FLOW_OK);
    story_expect(&s, "a-x");
    assert_outcome(s.world, full, FLOW_STATE_CANCELLED, FLOW_CAUSE_EXPLICIT, 0);
    assert_outcome(s.world, empty, FLOW_STATE_CANCELLED, FLOW_CAUSE_EXPLICIT, 0);
    story_update(&s, 16);
    story_end(&s);
}

static void a_failing_last_member_ends_a_stopped_group_that_fails_fast(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle group = flow_group_create(s.world, &(flow_group_desc){.fail_fast = 1});
    (void)FLOW_RUN_WITH(s.world, &(flow_options){.owner = group}, actor, .name = "a", .ticks = 1,
                        .fail = 6);
    (void)flow_request_stop(s.world, group);
    story_update(&s, 16);
    story_expect(&s, "a+ a-f");
    assert_outcome(s.world, group, FLOW_STATE_CANCELLED, FLOW_CAUSE_FAULT, 0);
    s.expect_failures = 1;
    story_end(&s);
}

/* A member's wish to clear, stop or cancel the group that it is in. */
static flow_handle own_group;

static void stop_and_clear(flow_task *flow, void *arg)
{
    (void)arg;
    assert_int_equal(flow_request_stop(flow_world_of(flow), own_group), FLOW_OK);
    assert_int_equal(flow_group_clear(flow_world_of(flow), own_group), FLOW_PENDING);
}

static void clear_and_stop(flow_task *flow, void *arg)
{
    (void)arg;
    assert_int_equal(flow_group_clear(flow_world_of(flow), own_group), FLOW_PENDING);
    assert_int_equal(flow_request_stop(flow_world_of(flow), own_group), FLOW_OK);
}

static void a_member_may_stop_and_clear_its_own_group(void **state)
{
    void (*const acts[])(flow_task *, void *) = {stop_and_clear, clear_and_stop};
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct story s;
        story_begin(&s, NULL);
        own_group = flow_group_create(s.world, NULL);
        (void)member(&s, own_group, "a");
        (void)FLOW_RUN_WITH(s.world, &(flow_options){.owner = own_group}, doer,
                            .wait = flow_next_tick(), .act = acts[i]);
        story_update(&s, 16);
        story_update(&s, 16);
        story_expect(&s, "a-x");
        assert_outcome(s.world, own_group, FLOW_STATE_DONE, FLOW_CAUSE_NONE, 0);
        story_alive(&s, 0, 0, 0);
        story_end(&s);
    }
}

static void a_closing_member_keeps_its_stopped_group(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle group = flow_group_create(s.world, NULL);
    flow_handle a = FLOW_RUN_WITH(s.world, &(flow_options){.owner = group}, actor, .name = "a",
                                  .ticks = -1, .closing = 2);
    (void)flow_request_stop(s.world, group);
    assert_int_equal(flow_cancel(s.world, a), FLOW_PENDING);
    story_update(&s, 16);
    assert_int_equal(flow_state_of(s.world, group), FLOW_STATE_LIVE);
    story_update(&s, 16);
    story_expect(&s, "a+ a-x a.");
    assert_outcome(s.world, group, FLOW_STATE_DONE, FLOW_CAUSE_NONE, 0);
    story_end(&s);
}

static void the_dump_shows_who_was_asked(void **state)
{
    struct story s;
    char text[1024];
    (void)state;
    story_begin(&s, NULL);
    flow_handle group = flow_group_create(s.world, &(flow_group_desc){.name = "room"});
    flow_handle a = member(&s, group, "a");
    (void)flow_request_stop(s.world, group);
    (void)flow_request_stop(s.world, a);
    (void)flow_world_dump_text(s.world, text, sizeof text);
    assert_non_null(strstr(text, "  room #1.1 group <asked to stop>\n"));
    const char *line = strstr(text, "    polite #2.1 ");
    assert_non_null(line);
    assert_non_null(strstr(line, " <asked to stop>\n"));
    story_end(&s);
    story_expect(&s, "a-d");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_flow_that_is_asked_ends_itself),
        cmocka_unit_test(the_whole_subtree_sees_a_request),
        cmocka_unit_test(a_group_is_stopped_and_joined),
        cmocka_unit_test(a_stopped_group_takes_no_new_members),
        cmocka_unit_test(an_empty_group_ends_in_the_next_tick_of_its_phase),
        cmocka_unit_test(a_pause_does_not_keep_a_stopped_group),
        cmocka_unit_test(members_that_are_cancelled_count_as_ended),
        cmocka_unit_test(a_stopped_group_can_still_be_cancelled),
        cmocka_unit_test(a_failing_last_member_ends_a_stopped_group_that_fails_fast),
        cmocka_unit_test(a_member_may_stop_and_clear_its_own_group),
        cmocka_unit_test(a_closing_member_keeps_its_stopped_group),
        cmocka_unit_test(the_dump_shows_who_was_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
