/* SPDX-License-Identifier: MIT */
/* Cancelling a group a few flows a tick (lessons A06, A07, D08). */
#include "actor.h"
#include "flows.h"

#include <string.h>

/* Spawns a child in each of its two functions, so that leaving it takes two steps. */
struct deep_inner {
    flow_frame base;
    const char *name;
};

FLOW_STATIC(deep_inner)
{
    FLOW_BEGIN;
    (void)FLOW_SPAWN(actor, .name = "in", .ticks = 1);
    FLOW_AWAIT(flow_ticks(1));
    story_log(story_of(flow), "never");
    FLOW_FINALLY;
    story_log(story_of(flow), "%s-%s", self->name, actor_cause(flow_cause_of(flow)));
    FLOW_END;
}

struct deep {
    flow_frame base;
};

FLOW_STATIC(deep)
{
    FLOW_BEGIN;
    (void)FLOW_SPAWN(actor, .name = "out1", .ticks = 1);
    (void)FLOW_SPAWN(actor, .name = "out2", .ticks = 1);
    FLOW_AWAIT(FLOW_CALL(deep_inner, .name = "inner"));
    FLOW_FINALLY;
    story_log(story_of(flow), "outer-%s", actor_cause(flow_cause_of(flow)));
    FLOW_END;
}

struct racer {
    flow_frame base;
    int index;
};

FLOW_STATIC(racer)
{
    FLOW_BEGIN;
    FLOW_RACE(self->index, FLOW_CALL(actor, .name = "r1", .ticks = 1),
              FLOW_CALL(actor, .name = "r2", .ticks = 1));
    FLOW_FINALLY;
    story_log(story_of(flow), "racer-%s", actor_cause(flow_cause_of(flow)));
    FLOW_END;
}

enum { CROWD = 13 }; /* flows of the crowd below */

/* A group of every shape: all of it is due in the next tick. */
static flow_handle crowd(struct story *s)
{
    flow_handle group = flow_group_create(s->world, &(flow_group_desc){.name = "crowd"});
    flow_handle inner = flow_group_create(s->world, &(flow_group_desc){.owner = group});
    const flow_options in_group = {.owner = group}, in_inner = {.owner = inner};
    (void)FLOW_RUN_WITH(s->world, &in_group, actor, .name = "a", .ticks = 1);
    (void)FLOW_RUN_WITH(s->world, &in_group, parent, .name = "p",
                        .child = {.name = "p1", .ticks = 1}, .second = {.name = "p2", .ticks = 1},
                        .ticks = 1);
    (void)FLOW_RUN_WITH(s->world, &in_inner, actor, .name = "i", .ticks = 1);
    (void)FLOW_RUN_WITH(s->world, &in_group, deep);
    (void)FLOW_RUN_WITH(s->world, &in_group, racer);
    (void)FLOW_RUN_WITH(s->world, &in_group, actor, .name = "b", .ticks = 1);
    s->log[0] = '\0';
    return group;
}

static void the_order_is_that_of_a_cancel_whatever_the_budget(void **state)
{
    struct story s;
    char expected[STORY_LOG];
    (void)state;
    story_begin(&s, NULL);
    assert_int_equal(flow_cancel(s.world, crowd(&s)), FLOW_OK);
    (void)strcpy(expected, s.log);
    s.log[0] = '\0';
    assert_int_equal(flow_world_counters(s.world).cancelled, CROWD);
    for (uint32_t budget = 1; budget <= CROWD; budget++) {
        uint32_t live = CROWD, ticks = 0;
        flow_handle group = crowd(&s);
        assert_int_equal(flow_world_counters(s.world).live, live);
        assert_int_equal(flow_cancel_gradually(s.world, group, budget), FLOW_PENDING);
        assert_int_equal(flow_world_counters(s.world).live, live);
        for (; live > 0; ticks++) {
            uint32_t less = live < budget ? live : budget;
            story_update(&s, 16);
            live -= less;
            assert_int_equal(flow_world_counters(s.world).live, live);
        }
        assert_int_equal(ticks, (CROWD + budget - 1) / budget);
        assert_outcome(s.world, group, FLOW_STATE_CANCELLED, FLOW_CAUSE_EXPLICIT, 0);
        story_expect(&s, expected);
        story_alive(&s, 0, 0, 0);
    }
    story_end(&s);
}

static void nothing_of_the_group_resumes_and_it_takes_no_members(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle group = crowd(&s);
    uint64_t resumed = flow_world_counters(s.world).resumed;
    assert_int_equal(flow_cancel_gradually(s.world, group, 1), FLOW_PENDING);
    assert_int_equal(flow_cancel_gradually(s.world, group, 9), FLOW_PENDING);
    assert_int_equal(flow_cancel(s.world, group), FLOW_PENDING);
    assert_int_equal(flow_group_clear(s.world, group), FLOW_PENDING);
    assert_int_equal(
        FLOW_RUN_WITH(s.world, FLOW_OPTIONS(.owner = group), actor, .name = "x").generation, 0);
    (void)FLOW_RUN(s.world, waiter, .name = "joined", .wait = flow_join(group, NULL));
    story_update(&s, 16);
    (void)flow_world_tick(s.world, FLOW_LATE, 0.016); /* another phase than the group's */
    (void)flow_world_flush(s.world, FLOW_UPDATE);
    assert_int_equal(flow_world_counters(s.world).live, CROWD); /* one less, the joiner more */
    for (int i = 0; i < CROWD - 1; i++) {
        story_update(&s, 16);
    }
    assert_int_equal(flow_world_counters(s.world).resumed, resumed + 1); /* the joiner */
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

static void sections_that_await_go_on_meanwhile(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle group = flow_group_create(s.world, NULL);
    const flow_options in = {.owner = group};
    (void)FLOW_RUN_WITH(s.world, &in, actor, .name = "a", .ticks = -1);
    (void)FLOW_RUN_WITH(s.world, &in, actor, .name = "b", .ticks = -1, .closing = 3);
    flow_handle c = FLOW_RUN_WITH(s.world, &in, actor, .name = "c", .ticks = -1, .closing = 2);
    assert_int_equal(flow_cancel(s.world, c), FLOW_PENDING);
    story_expect(&s, "a+ b+ c+ c-x");
    assert_int_equal(flow_cancel_gradually(s.world, group, 1), FLOW_PENDING);
    story_update(&s, 16);
    story_expect(&s, "b-x");
    story_update(&s, 16);
    story_expect(&s, "a-x c.");
    assert_int_equal(flow_state_of(s.world, group), FLOW_STATE_LIVE);
    story_update(&s, 16);
    story_update(&s, 16);
    story_expect(&s, "b.");
    assert_outcome(s.world, group, FLOW_STATE_CANCELLED, FLOW_CAUSE_EXPLICIT, 0);
    story_end(&s);
}

static void what_ends_around_it_ends_the_rest_at_once(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle outer = flow_group_create(s.world, NULL);
    flow_handle group = flow_group_create(s.world, &(flow_group_desc){.owner = outer});
    (void)FLOW_RUN_WITH(s.world, FLOW_OPTIONS(.owner = group), actor, .name = "a", .ticks = 1);
    (void)FLOW_RUN_WITH(s.world, FLOW_OPTIONS(.owner = group), deep);
    assert_int_equal(flow_cancel_gradually(s.world, group, 2), FLOW_PENDING);
    story_update(&s, 16); /* leaves the flow with two functions half unwound */
    story_expect(&s, "a+ out1+ out2+ in+ in-x inner-x out2-x");
    assert_int_equal(flow_cancel(s.world, outer), FLOW_OK);
    story_expect(&s, "out1-x outer-x a-x");
    flow_handle last = crowd(&s);
    assert_int_equal(flow_cancel_gradually(s.world, last, 2), FLOW_PENDING);
    story_update(&s, 16);
    s.log[0] = '\0';
    story_end(&s); /* and so does the world */
}

static flow_handle own_group;

static void end_gradually(flow_task *flow, void *arg)
{
    (void)arg;
    story_log(story_of(flow), "asks:%d",
              (int)flow_cancel_gradually(flow_world_of(flow), own_group, 1));
}

static void a_member_may_ask_for_it(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    own_group = flow_group_create(s.world, NULL);
    const flow_options in = {.owner = own_group};
    (void)FLOW_RUN_WITH(s.world, &in, actor, .name = "a", .ticks = 1);
    (void)FLOW_RUN_WITH(s.world, &in, doer, .wait = flow_next_tick(), .act = end_gradually);
    (void)FLOW_RUN_WITH(s.world, &in, actor, .name = "b", .ticks = 9);
    (void)FLOW_RUN_WITH(s.world, &in, actor, .name = "c", .ticks = 1); /* due after it */
    story_update(&s, 16);
    story_expect(&s, "a+ b+ c+ a= a- asks:-1");
    story_update(&s, 16);
    story_expect(&s, "c-x");
    story_update(&s, 16);
    story_expect(&s, "b-x");
    assert_outcome(s.world, own_group, FLOW_STATE_CANCELLED, FLOW_CAUSE_EXPLICIT, 0);
    story_end(&s);
}

static void several_groups_have_a_budget_each(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    for (int g = 0; g < 3; g++) {
        flow_handle group = flow_group_create(
            s.world, &(flow_group_desc){.phase = g == 2 ? FLOW_LATE : FLOW_UPDATE});
        for (int i = 0; i < 4; i++) {
            (void)FLOW_RUN_WITH(s.world, FLOW_OPTIONS(.owner = group), waiter, .name = "x",
                                .wait = flow_never());
        }
        (void)flow_cancel_gradually(s.world, group, 1 + (uint32_t)g);
    }
    story_update(&s, 16);
    assert_int_equal(flow_world_counters(s.world).live, 9);
    (void)flow_world_tick(s.world, FLOW_LATE, 0.016);
    assert_int_equal(flow_world_counters(s.world).live, 6);
    story_update(&s, 16);
    assert_int_equal(flow_world_counters(s.world).live, 3);
    (void)flow_world_tick(s.world, FLOW_LATE, 0.016);
    story_update(&s, 16);
    story_update(&s, 16);
    story_expect(&s, "x~ x~ x~ x~ x~ x~ x~ x~ x~ x~ x~ x~");
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

/* ---- what a tick's share of the unwinding begins ---- */

static flow_handle others[2];

struct closer {
    flow_frame base;
};

FLOW_STATIC(closer)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_never());
    FLOW_FINALLY;
    story_log(story_of(flow), "%d", (int)flow_tick_count(flow));
    FLOW_AWAIT(flow_next_tick());
    story_log(story_of(flow), "%d", (int)flow_tick_count(flow));
    FLOW_AWAIT(flow_seconds(0));
    story_log(story_of(flow), "%d", (int)flow_tick_count(flow));
    FLOW_END;
}

static void a_wait_that_begins_in_it_is_for_a_later_tick(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle group = flow_group_create(s.world, NULL);
    (void)FLOW_RUN_WITH(s.world, FLOW_OPTIONS(.owner = group), closer);
    assert_int_equal(flow_cancel_gradually(s.world, group, 1), FLOW_PENDING);
    story_update(&s, 16);
    story_expect(&s, "1");
    story_update(&s, 16);
    story_expect(&s, "2");
    story_update(&s, 16);
    story_expect(&s, "3");
    story_end(&s);
}

static void ends_the_other(void *arg)
{
    const struct story *s = arg;
    assert_int_equal(flow_cancel_gradually(s->world, others[0], 1), FLOW_PENDING);
}

struct ender {
    flow_frame base;
};

FLOW_STATIC(ender)
{
    FLOW_BEGIN;
    FLOW_DEFER(ends_the_other, story_of(flow));
    FLOW_AWAIT(flow_never());
    FLOW_END;
}

static void a_group_that_it_ends_gradually_has_its_turn_in_the_next_tick(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    others[0] = flow_group_create(s.world, NULL);
    others[1] = flow_group_create(s.world, NULL);
    (void)FLOW_RUN_WITH(s.world, FLOW_OPTIONS(.owner = others[0]), actor, .name = "a", .ticks = -1);
    (void)FLOW_RUN_WITH(s.world, FLOW_OPTIONS(.owner = others[1]), ender);
    assert_int_equal(flow_cancel_gradually(s.world, others[1], 1), FLOW_PENDING);
    story_update(&s, 16);
    story_expect(&s, "a+");
    story_update(&s, 16);
    story_expect(&s, "a-x");
    story_end(&s);
}

struct pauser {
    flow_frame base;
};

FLOW_STATIC(pauser)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_next_tick());
    assert_int_equal(flow_pause_clock(flow, FLOW_CLOCK_GAME), FLOW_OK);
    FLOW_AWAIT(flow_never());
    FLOW_END;
}

static void flows_held_by_a_pause_that_it_releases_go_on_in_the_same_tick(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle group = flow_group_create(s.world, NULL);
    (void)FLOW_RUN_WITH(s.world, FLOW_OPTIONS(.owner = group), pauser);
    (void)FLOW_RUN(s.world, waiter, .name = "held", .wait = flow_next_tick());
    story_update(&s, 16);
    assert_int_equal(flow_cancel_gradually(s.world, group, 1), FLOW_PENDING);
    story_expect(&s, "");
    story_update(&s, 16);
    story_expect(&s, "held");
    s.expect_warnings = 1; /* it has paused the clock that it is on */
    story_end(&s);
}

static void misuse_and_the_trivial_cases(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle empty = flow_group_create(s.world, NULL);
    assert_int_equal(flow_cancel_gradually(s.world, empty, 0), FLOW_MISUSE);
    assert_int_equal(flow_cancel_gradually(s.world, empty, 1), FLOW_OK);
    assert_int_equal(flow_cancel_gradually(s.world, empty, 1), FLOW_STALE);
    flow_handle flow = FLOW_RUN(s.world, actor, .name = "a", .ticks = 1);
    assert_int_equal(flow_cancel_gradually(s.world, flow, 1), FLOW_MISUSE);
    story_update(&s, 16);
    story_expect(&s, "a+ a= a-");
    s.expect_misuses = 2;
    story_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_is_that_of_a_cancel_whatever_the_budget),
        cmocka_unit_test(nothing_of_the_group_resumes_and_it_takes_no_members),
        cmocka_unit_test(sections_that_await_go_on_meanwhile),
        cmocka_unit_test(what_ends_around_it_ends_the_rest_at_once),
        cmocka_unit_test(a_member_may_ask_for_it),
        cmocka_unit_test(several_groups_have_a_budget_each),
        cmocka_unit_test(a_wait_that_begins_in_it_is_for_a_later_tick),
        cmocka_unit_test(a_group_that_it_ends_gradually_has_its_turn_in_the_next_tick),
        cmocka_unit_test(flows_held_by_a_pause_that_it_releases_go_on_in_the_same_tick),
        cmocka_unit_test(misuse_and_the_trivial_cases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
