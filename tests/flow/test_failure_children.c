/* SPDX-License-Identifier: MIT */
/* Failures of spawned children, in cleanup, and without a receiver. */
#include <string.h>

#include "actor.h"

/* ---- a spawned child fails its owner ---- */

struct owner {
    flow_frame base;
    int late;    /* the child fails after so many ticks */
    int deep;    /* the owner waits in a call then */
    int closing; /* of the failing child */
};

FLOW_STATIC(owner)
{
    FLOW_BEGIN;
    (void)FLOW_SPAWN(actor, .name = "a", .ticks = -1);
    (void)FLOW_SPAWN(actor, .name = "b", .ticks = self->late, .fail = 9, .closing = self->closing);
    (void)FLOW_SPAWN(actor, .name = "c", .ticks = -1);
    if (self->deep) {
        FLOW_AWAIT(FLOW_CALL(actor, .name = "d", .ticks = -1));
    } else {
        FLOW_AWAIT(flow_never());
    }
    story_log(story_of(flow), "never");
    FLOW_FINALLY;
    story_log(story_of(flow), "o-%s", actor_cause(flow_cause_of(flow)));
    FLOW_END;
}

struct tries_owner {
    flow_frame base;
    int late, deep;
    flow_outcome outcome;
};

FLOW_STATIC(tries_owner)
{
    FLOW_BEGIN;
    (void)FLOW_SPAWN(actor, .name = "e", .ticks = -1);
    FLOW_TRY(&self->outcome, FLOW_CALL(owner, .late = self->late, .deep = self->deep));
    story_log(story_of(flow), "took:%d", self->outcome.code);
    assert_int_equal(flow_cause_of(flow), FLOW_CAUSE_NONE);
    FLOW_AWAIT(flow_next_tick());
    story_log(story_of(flow), "on");
    FLOW_END;
}

static void a_failed_child_cancels_its_owner_with_the_cause_fault_and_fails_it(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle h = FLOW_RUN(s.world, owner, .late = 1);
    story_update(&s, 1);
    story_expect(&s, "a+ b+ c+ b-f c-f a-f o-f");
    assert_outcome(s.world, h, FLOW_STATE_FAILED, FLOW_CAUSE_NONE, 9);
    assert_int_equal(s.failures[0].failure.kind, FLOW_FAILURE_UNHANDLED);
    assert_string_equal(s.failures[0].path, "owner > actor");
    h = FLOW_RUN(s.world, owner, .late = 1, .deep = 1);
    story_update(&s, 1);
    story_expect(&s, "a+ b+ c+ d+ b-f d-f c-f a-f o-f");
    assert_outcome(s.world, h, FLOW_STATE_FAILED, FLOW_CAUSE_NONE, 9);
    h = FLOW_RUN(s.world,
                 owner); /* in its first slice: the owner stops at its next await, c is refused */
    story_expect(&s, "a+ b+ b-f a-f o-f");
    assert_outcome(s.world, h, FLOW_STATE_FAILED, FLOW_CAUSE_NONE, 9);
    h = FLOW_RUN(s.world, owner, .late = 1, .closing = 2);
    for (int i = 0; i < 3; i++) {
        story_update(&s, 1);
    }
    story_expect(&s, "a+ b+ c+ b-f b. c-f a-f o-f");
    assert_outcome(s.world, h, FLOW_STATE_FAILED, FLOW_CAUSE_NONE, 9);
    s.expect_failures = 4;
    story_end(&s);
}

static void the_owners_caller_can_take_the_failure_of_a_child(void **state)
{
    (void)state;
    for (int late = 0; late < 2; late++) {
        for (int deep = 0; deep < 2; deep++) {
            struct story s;
            story_begin(&s, NULL);
            flow_handle h = FLOW_RUN(s.world, tries_owner, .late = late, .deep = deep);
            story_update(&s, 1);
            story_update(&s, 1);
            story_expect(&s, late == 0 ? "e+ a+ b+ b-f a-f o-f took:9 on e-p"
                             : deep    ? "e+ a+ b+ c+ d+ b-f d-f c-f a-f o-f took:9 on e-p"
                                       : "e+ a+ b+ c+ b-f c-f a-f o-f took:9 on e-p");
            assert_outcome(s.world, h, FLOW_STATE_DONE, FLOW_CAUSE_NONE, 0);
            story_end(&s);
        }
    }
}

/* The scope returns before it awaits anything more. */
struct spawns_and_returns {
    flow_frame base;
    int way;
};

FLOW_STATIC(spawns_and_returns)
{
    FLOW_BEGIN;
    (void)FLOW_SPAWN(actor, .name = "b", .fail = 9);
    if (self->way == 0) {
        FLOW_RETURN;
    }
    if (self->way == 1) {
        FLOW_AWAIT(flow_ready());
    }
    FLOW_END;
}

struct calls_it {
    flow_frame base;
    int way;
    int tries;
    flow_outcome outcome;
};

FLOW_STATIC(calls_it)
{
    FLOW_BEGIN;
    if (self->tries) {
        FLOW_TRY(&self->outcome, FLOW_CALL(spawns_and_returns, .way = self->way));
        story_log(story_of(flow), "took:%d", self->outcome.code);
    } else {
        FLOW_AWAIT(FLOW_CALL(spawns_and_returns, .way = self->way));
        story_log(story_of(flow), "never");
    }
    FLOW_AWAIT(flow_ready()); /* it has its whole allowance again */
    FLOW_AWAIT(flow_ready());
    FLOW_AWAIT(flow_next_tick());
    story_log(story_of(flow), "on");
    FLOW_END;
}

static void a_scope_fails_even_if_it_returns_right_after_its_child_failed(void **state)
{
    (void)state;
    for (int way = 0; way < 3; way++) {
        struct story s;
        story_begin(&s, NULL);
        flow_handle h = FLOW_RUN(s.world, spawns_and_returns, .way = way);
        assert_outcome(s.world, h, FLOW_STATE_FAILED, FLOW_CAUSE_NONE, 9);
        story_expect(&s, "b+ b-f");
        h = FLOW_RUN(s.world, calls_it, .way = way);
        story_expect(&s, "b+ b-f");
        assert_outcome(s.world, h, FLOW_STATE_FAILED, FLOW_CAUSE_NONE, 9);
        h = FLOW_RUN(s.world, calls_it, .way = way, .tries = 1);
        story_update(&s, 1);
        story_expect(&s, "b+ b-f took:9 on");
        assert_outcome(s.world, h, FLOW_STATE_DONE, FLOW_CAUSE_NONE, 0);
        s.expect_failures = 2;
        story_end(&s);
    }
}

struct two_fail {
    flow_frame base;
};

FLOW_STATIC(two_fail)
{
    FLOW_BEGIN;
    (void)FLOW_SPAWN(actor, .name = "a", .ticks = 1, .fail = 1, .closing = 1);
    (void)FLOW_SPAWN(actor, .name = "b", .ticks = 1, .fail = 2, .closing = 1);
    FLOW_AWAIT(flow_never());
    FLOW_END;
}

static void a_second_failed_child_is_undelivered(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle h = FLOW_RUN(s.world, two_fail);
    story_update(&s, 1);
    story_update(&s, 1);
    story_expect(&s, "a+ b+ a-f b-f a. b.");
    assert_outcome(s.world, h, FLOW_STATE_FAILED, FLOW_CAUSE_NONE, 1);
    assert_int_equal(s.failure_count, 2);
    assert_int_equal(s.failures[0].failure.kind, FLOW_FAILURE_UNDELIVERED);
    assert_int_equal(s.failures[0].failure.code, 2);
    assert_int_equal(s.failures[1].failure.kind, FLOW_FAILURE_UNHANDLED);
    assert_int_equal(s.failures[1].failure.code, 1);
    s.expect_failures = 2;
    story_end(&s);
}

/* ---- failing in cleanup ---- */

struct bad_finally {
    flow_frame base;
    int fail;
    int late; /* fails in a call, after a tick */
};

FLOW_STATIC(bad_finally)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_next_tick());
    if (self->fail) {
        FLOW_FAIL(1, "first");
    }
    FLOW_FINALLY;
    if (self->late) {
        FLOW_AWAIT(FLOW_CALL(actor, .name = "c", .ticks = 1, .fail = 2));
    }
    FLOW_FAIL(2, "in cleanup");
    FLOW_END;
}

struct after_bad {
    flow_frame base;
    int fail, late;
    flow_outcome outcome;
};

FLOW_STATIC(after_bad)
{
    FLOW_BEGIN;
    FLOW_TRY(&self->outcome, FLOW_CALL(bad_finally, .fail = self->fail, .late = self->late));
    story_log(story_of(flow), "%d:%d", (int)self->outcome.state, self->outcome.code);
    FLOW_END;
}

static void a_failure_in_a_finally_section_is_reported_as_cleanup_and_changes_nothing(void **state)
{
    (void)state;
    for (int late = 0; late < 2; late++) {
        struct story s;
        story_begin(&s, NULL);
        flow_outcome done, failed, cancelled;
        (void)FLOW_RUN_WITH(s.world, &(flow_options){.outcome = &done}, bad_finally, .late = late);
        (void)FLOW_RUN_WITH(s.world, &(flow_options){.outcome = &failed}, bad_finally, .fail = 1,
                            .late = late);
        flow_handle gone = FLOW_RUN_WITH(s.world, &(flow_options){.outcome = &cancelled},
                                         bad_finally, .late = late);
        assert_int_equal(flow_cancel(s.world, gone), late ? FLOW_PENDING : FLOW_OK);
        (void)FLOW_RUN(s.world, after_bad, .late = late);
        (void)FLOW_RUN(s.world, after_bad, .fail = 1, .late = late);
        story_update(&s, 1);
        story_update(&s, 1);
        assert_int_equal(done.state, FLOW_STATE_DONE);
        assert_int_equal(failed.state, FLOW_STATE_FAILED);
        assert_int_equal(failed.code, 1);
        assert_int_equal(cancelled.state, FLOW_STATE_CANCELLED);
        assert_int_equal(cancelled.cause, FLOW_CAUSE_EXPLICIT);
        assert_non_null(strstr(s.log, "2:0"));
        assert_non_null(strstr(s.log, "3:1"));
        int cleanups = 0, unhandled = 0;
        for (int i = 0; i < s.failure_count; i++) {
            cleanups += s.failures[i].failure.kind == FLOW_FAILURE_CLEANUP &&
                        s.failures[i].failure.code == 2;
            unhandled += s.failures[i].failure.kind == FLOW_FAILURE_UNHANDLED &&
                         s.failures[i].failure.code == 1;
        }
        assert_int_equal(cleanups, 5);
        assert_int_equal(unhandled, 1);
        s.expect_failures = 6;
        story_end(&s);
    }
}

struct child_in_finally {
    flow_frame base;
};

FLOW_STATIC(child_in_finally)
{
    FLOW_BEGIN;
    FLOW_FINALLY;
    (void)FLOW_SPAWN(actor, .name = "a", .ticks = 1, .fail = 3);
    FLOW_AWAIT(flow_ticks(2));
    story_log(story_of(flow), "fin.");
    FLOW_END;
}

static void a_child_of_a_finally_section_that_fails_is_reported_as_cleanup(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle h = FLOW_RUN(s.world, child_in_finally);
    story_update(&s, 1);
    story_update(&s, 1);
    story_expect(&s, "a+ a-f fin.");
    assert_outcome(s.world, h, FLOW_STATE_DONE, FLOW_CAUSE_NONE, 0);
    assert_int_equal(s.failures[0].failure.kind, FLOW_FAILURE_CLEANUP);
    assert_int_equal(s.failures[0].failure.code, 3);
    s.expect_failures = 1;
    story_end(&s);
}

/* ---- on_failure may start and cancel ---- */

/* The story's own world tells the story of failures, so this one has a world of its own; flows find
 * the story in its user. */
static struct host {
    flow_handle sleeper;
    flow_status cancelled, started_cancelled, ticked;
    int count;
} host;

static void on_failure(void *user, const flow_failure *failure)
{
    struct story *s = user;
    (void)failure;
    host.count++;
    host.ticked = flow_world_tick(s->world, FLOW_UPDATE, 0.0);
    host.cancelled = flow_cancel(s->world, host.sleeper);
    host.started_cancelled =
        flow_cancel(s->world, FLOW_RUN(s->world, actor, .name = "n", .ticks = -1));
    (void)FLOW_RUN(s->world, actor, .name = "m", .ticks = 1);
}

static void the_failure_callback_may_start_and_cancel_but_not_tick(void **state)
{
    (void)state;
    for (int late = 0; late < 2; late++) {
        struct story s;
        story_begin(&s, NULL);
        flow_world *own = s.world;
        s.world = flow_world_create(&(flow_world_desc){.on_failure = on_failure, .user = &s});
        host = (struct host){.sleeper = FLOW_RUN(s.world, actor, .name = "a", .ticks = -1)};
        (void)FLOW_RUN(s.world, actor, .name = "f", .ticks = late, .fail = 1);
        story_update(&s, 1);
        story_update(&s, 1);
        story_expect(&s, "a+ f+ f-f a-x n+ n-x m+ m= m-");
        assert_int_equal(host.count, 1);
        assert_int_equal(host.ticked, FLOW_REENTRANT);
        assert_int_equal(host.cancelled, FLOW_OK);
        assert_int_equal(host.started_cancelled, FLOW_OK);
        assert_int_equal(flow_world_counters(s.world).live, 0);
        assert_int_equal(flow_world_destroy(s.world), FLOW_OK);
        s.world = own;
        s.expect_misuses = 1;
        story_end(&s);
    }
}

/* A report in the middle of a group's unwinding ends the very member that would have been next;
 * where a member cancels the group, that one is marked with it, and its turn comes anyway. */
struct fails_and_ends_group {
    flow_frame base;
    flow_handle group; /* null: the host ends it */
};

FLOW_STATIC(fails_and_ends_group)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_next_tick());
    if (self->group.generation != 0) {
        (void)FLOW_SPAWN(actor, .name = "c", .fail = 2);
        (void)flow_cancel(flow_world_of(flow), self->group);
    }
    FLOW_AWAIT(flow_never());
    FLOW_FINALLY;
    story_log(story_of(flow), "b-%s", actor_cause(flow_cause_of(flow)));
    if (self->group.generation == 0) {
        FLOW_FAIL(2, "in its finally section");
    }
    FLOW_END;
}

static void cancels_sleeper(void *user, const flow_failure *failure)
{
    struct story *s = user;
    (void)failure;
    host.count++;
    host.cancelled = flow_cancel(s->world, host.sleeper);
}

static void the_failure_callback_may_end_the_next_member_of_a_group_that_is_unwinding(void **state)
{
    (void)state;
    for (int inside = 0; inside < 2; inside++) {
        struct story s;
        story_begin(&s, NULL);
        flow_world *own = s.world;
        s.world = flow_world_create(&(flow_world_desc){.on_failure = cancels_sleeper, .user = &s});
        flow_handle group = flow_group_create(s.world, NULL);
        flow_options in_group = {.owner = group};
        host = (struct host){0};
        (void)FLOW_RUN_WITH(s.world, &in_group, actor, .name = "x", .ticks = -1);
        host.sleeper = FLOW_RUN_WITH(s.world, &in_group, actor, .name = "a", .ticks = -1);
        (void)FLOW_RUN_WITH(s.world, &in_group, fails_and_ends_group,
                            .group = inside ? group : (flow_handle){0, 0});
        story_update(&s, 1);
        if (!inside) {
            assert_int_equal(flow_cancel(s.world, group), FLOW_OK);
        }
        assert_int_equal(host.count, 1);
        assert_int_equal(host.cancelled, inside ? FLOW_PENDING : FLOW_OK);
        story_expect(&s, inside ? "x+ a+ c+ c-f b-x a-x x-x" : "x+ a+ b-x a-x x-x");
        assert_int_equal(flow_world_counters(s.world).live, 0);
        assert_int_equal(flow_state_of(s.world, group), FLOW_STATE_CANCELLED);
        assert_int_equal(flow_world_destroy(s.world), FLOW_OK);
        s.world = own;
        story_end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failed_child_cancels_its_owner_with_the_cause_fault_and_fails_it),
        cmocka_unit_test(the_owners_caller_can_take_the_failure_of_a_child),
        cmocka_unit_test(a_scope_fails_even_if_it_returns_right_after_its_child_failed),
        cmocka_unit_test(a_second_failed_child_is_undelivered),
        cmocka_unit_test(a_failure_in_a_finally_section_is_reported_as_cleanup_and_changes_nothing),
        cmocka_unit_test(a_child_of_a_finally_section_that_fails_is_reported_as_cleanup),
        cmocka_unit_test(the_failure_callback_may_start_and_cancel_but_not_tick),
        cmocka_unit_test(the_failure_callback_may_end_the_next_member_of_a_group_that_is_unwinding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
