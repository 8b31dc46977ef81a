/* SPDX-License-Identifier: MIT */
/*
 * Arguments are evaluated while a call, a start or a composition is half made. What they start,
 * cancel or emit meanwhile must not get in its way.
 */
#include "actor.h"

static struct host {
    FLOW_SIGNAL(flow_nothing) bell;
    flow_handle victim;
    int polls;
} host;

/* ---- a start whose arguments end its owner ---- */

struct takes {
    flow_frame base;
    flow_status status;
};

FLOW_STATIC(takes)
{
    FLOW_BEGIN;
    story_log(story_of(flow), "body:%d", (int)self->status);
    FLOW_AWAIT(flow_next_tick());
    FLOW_FINALLY;
    story_log(story_of(flow), "finally");
    FLOW_END;
}

static void a_start_whose_arguments_cancel_its_group_ends_without_a_body(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle group = flow_group_create(s.world, NULL);
    flow_handle h = FLOW_RUN_WITH(s.world, FLOW_OPTIONS(.owner = group), takes,
                                  .status = flow_cancel(s.world, group));
    assert_outcome(s.world, h, FLOW_STATE_CANCELLED, FLOW_CAUSE_EXPLICIT, 0);
    (void)FLOW_RUN(s.world, takes, .status = FLOW_FULL);
    (void)FLOW_RUN(s.world, takes, .status = FLOW_EMPTY);
    story_expect(&s, "body:-11 body:-5");
    story_update(&s, 1);
    story_expect(&s, "finally finally");
    story_alive(&s, 0, 0, 0);
    assert_int_equal(flow_state_of(s.world, group), FLOW_STATE_CANCELLED);
    story_end(&s);
}

struct spawns {
    flow_frame base;
    flow_handle child;
};

FLOW_STATIC(spawns)
{
    FLOW_BEGIN;
    self->child = FLOW_SPAWN(takes, .status = flow_cancel(flow_world_of(flow), flow_self(flow)));
    story_log(story_of(flow), "goes on:%d", (int)flow_state_of(flow_world_of(flow), self->child));
    FLOW_AWAIT(flow_next_tick());
    story_log(story_of(flow), "never");
    FLOW_END;
}

static void a_child_whose_arguments_cancel_the_scope_does_not_run(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle h = FLOW_RUN(s.world, spawns);
    story_expect(&s, "goes on:4");
    assert_outcome(s.world, h, FLOW_STATE_CANCELLED, FLOW_CAUSE_EXPLICIT, 0);
    story_end(&s);
}

/* ---- compositions among the arguments of compositions ---- */

struct helper {
    flow_frame base;
    int i;
};

FLOW_STATIC(helper)
{
    FLOW_BEGIN;
    FLOW_RACE(self->i, FLOW_CALL(actor, .name = "h", .ticks = 1), flow_never());
    FLOW_END;
}

struct waits_for {
    flow_frame base;
    flow_handle who;
    char large[300]; /* its frame has a block of its own */
};

FLOW_STATIC(waits_for)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_join(self->who, NULL));
    story_log(story_of(flow), "joined");
    FLOW_END;
}

struct races_a_spawn {
    flow_frame base;
    int i;
};

FLOW_STATIC(races_a_spawn)
{
    FLOW_BEGIN;
    FLOW_RACE(self->i, FLOW_CALL(waits_for, .who = FLOW_SPAWN(helper)), flow_never());
    story_log(story_of(flow), "won:%d", self->i);
    FLOW_END;
}

static void a_branch_may_take_a_flow_that_is_started_in_its_arguments_and_races(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, races_a_spawn);
    story_expect(&s, "h+");
    story_update(&s, 1);
    story_expect(&s, "h= h- joined won:0");
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

struct closes_with_a_timeout {
    flow_frame base;
    int timed_out;
};

FLOW_STATIC(closes_with_a_timeout)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_never());
    FLOW_FINALLY;
    FLOW_TIMEOUT(&self->timed_out, flow_never(), 0.001);
    story_log(story_of(flow), "closed:%d", self->timed_out);
    FLOW_END;
}

static const char *cancels_the_victim(flow_world *world)
{
    assert_int_equal(flow_cancel(world, host.victim), FLOW_PENDING);
    return "a";
}

struct races_a_cancel {
    flow_frame base;
    int i;
};

FLOW_STATIC(races_a_cancel)
{
    FLOW_BEGIN;
    FLOW_RACE(self->i,
              FLOW_CALL(actor, .name = cancels_the_victim(flow_world_of(flow)), .ticks = 2),
              FLOW_CALL(actor, .name = "b", .ticks = 3));
    story_log(story_of(flow), "won:%d", self->i);
    FLOW_END;
}

static void a_branch_may_cancel_a_flow_whose_finally_section_composes(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    host.victim = FLOW_RUN(s.world, closes_with_a_timeout);
    (void)FLOW_RUN(s.world, races_a_cancel);
    story_expect(&s, "a+ b+");
    story_update(&s, 1);
    story_expect(&s, "closed:1");
    story_update(&s, 1);
    story_expect(&s, "a= a- b-l won:0");
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

/* ---- a predicate that settles its own composition when it is first asked ---- */

static int rings_once(void *world)
{
    (void)world;
    if (++host.polls == 1) {
        (void)flow_emit(&host.bell, NULL);
    }
    return 0;
}

struct polls {
    flow_frame base;
    int i;
};

FLOW_STATIC(polls)
{
    FLOW_BEGIN;
    FLOW_RACE(self->i, flow_next(&host.bell, NULL),
              FLOW_CALL(actor, .name = "a", .ticks = -1, .closing = 3),
              flow_until(rings_once, NULL));
    story_log(story_of(flow), "won:%d", self->i);
    FLOW_END;
}

static void a_predicate_that_settles_its_race_is_not_asked_again(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    host.polls = 0;
    assert_int_equal(flow_signal_init(&host.bell, s.world), FLOW_OK);
    (void)FLOW_RUN(s.world, polls);
    for (int i = 0; i < 5; i++) {
        story_update(&s, 1);
    }
    story_expect(&s, "a+ a-l a. won:0");
    assert_int_equal(host.polls, 1);
    flow_signal_fini(&host.bell);
    story_end(&s);
}

/* ---- a call among a call's arguments is misuse, and costs no memory ---- */

struct holds {
    flow_frame base;
    flow_wait wait;
};

FLOW_STATIC(holds)
{
    FLOW_BEGIN;
    FLOW_AWAIT(self->wait);
    FLOW_END;
}

struct nests_calls {
    flow_frame base;
    flow_outcome outcome;
};

FLOW_STATIC(nests_calls)
{
    FLOW_BEGIN;
    FLOW_TRY(&self->outcome, FLOW_CALL(holds, .wait = FLOW_CALL(actor, .name = "never")));
    assert_int_equal(self->outcome.code, FLOW_MISUSE);
    FLOW_END;
}

static void a_call_in_the_arguments_of_another_leaves_nothing_behind(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, nests_calls);
    size_t bytes = s.bytes;
    for (int i = 0; i < 5000; i++) {
        (void)FLOW_RUN(s.world, nests_calls);
    }
    assert_int_equal(s.bytes, bytes);
    s.expect_misuses = 5001;
    story_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_start_whose_arguments_cancel_its_group_ends_without_a_body),
        cmocka_unit_test(a_child_whose_arguments_cancel_the_scope_does_not_run),
        cmocka_unit_test(a_branch_may_take_a_flow_that_is_started_in_its_arguments_and_races),
        cmocka_unit_test(a_branch_may_cancel_a_flow_whose_finally_section_composes),
        cmocka_unit_test(a_predicate_that_settles_its_race_is_not_asked_again),
        cmocka_unit_test(a_call_in_the_arguments_of_another_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
