/* SPDX-License-Identifier: MIT */
/* Finally sections: exactly once, on every way out; awaits in them run to their end; only the
 * world's end cuts them. */
#include <string.h>

#include "actor.h"

/* ---- exactly once ---- */

enum way {
    RETURNS,
    FALLS_OUT,
    FAILS,
    CALLEE_FAILS,
    IS_CANCELLED,
    CANCELS_ITSELF,
    CHILD_FAILS,
    WORLD_ENDS,
    WAYS
};

struct leaver {
    flow_frame base;
    enum way way;
    int late; /* wait a tick before */
    int *runs;
};

FLOW_STATIC(leaver)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_ticks(self->late));
    if (self->way == RETURNS) {
        FLOW_RETURN;
    }
    if (self->way == FAILS) {
        FLOW_FAIL(3, "as told");
    }
    if (self->way == CALLEE_FAILS) {
        FLOW_AWAIT(FLOW_CALL(actor, .name = "c", .fail = 3));
    }
    if (self->way == CANCELS_ITSELF) {
        (void)flow_cancel(flow_world_of(flow), flow_self(flow));
    }
    if (self->way == CHILD_FAILS) {
        (void)FLOW_SPAWN(actor, .name = "c", .fail = 3);
    }
    if (self->way != FALLS_OUT) {
        FLOW_AWAIT(flow_never());
    }
    FLOW_FINALLY;
    ++*self->runs;
    FLOW_END;
}

struct wraps_leaver {
    flow_frame base;
    enum way way;
    int late;
    int *runs;
    flow_outcome outcome;
};

FLOW_STATIC(wraps_leaver)
{
    FLOW_BEGIN;
    FLOW_TRY(&self->outcome,
             FLOW_CALL(leaver, .way = self->way, .late = self->late, .runs = self->runs));
    FLOW_END;
}

/* D03, D08 */
static void a_finally_section_runs_exactly_once_on_every_way_out(void **state)
{
    (void)state;
    for (int way = 0; way < WAYS; way++) {
        for (int form = 0; form < 4; form++) {
            struct story s;
            int runs = 0;
            story_begin(&s, NULL);
            flow_handle h = form & 2 ? FLOW_RUN(s.world, wraps_leaver, .way = (enum way)way,
                                                .late = form & 1, .runs = &runs)
                                     : FLOW_RUN(s.world, leaver, .way = (enum way)way,
                                                .late = form & 1, .runs = &runs);
            story_update(&s, 1);
            assert_int_equal(runs, way == IS_CANCELLED || way == WORLD_ENDS ? 0 : 1);
            if (way == IS_CANCELLED) {
                assert_int_equal(flow_cancel(s.world, h), FLOW_OK);
            }
            uint64_t helpers = way == CALLEE_FAILS || way == CHILD_FAILS;
            assert_int_equal(flow_world_counters(s.world).finally_runs,
                             (uint64_t)(way != WORLD_ENDS) + helpers);
            assert_int_equal(story_destroy(&s), FLOW_OK);
            assert_int_equal(runs, 1);
            int failed = way == FAILS || way == CALLEE_FAILS || way == CHILD_FAILS;
            s.expect_failures = failed && !(form & 2);
            story_end(&s);
        }
    }
}

/* ---- awaiting finally sections ---- */

/* D02 */
static void awaits_of_a_finally_section_run_to_their_end_whatever_cancels_meanwhile(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle group = flow_group_create(s.world, NULL);
    flow_handle h = FLOW_RUN_WITH(s.world, &(flow_options){.owner = group}, actor, .name = "a",
                                  .ticks = 1, .closing = 4);
    story_update(&s, 1);
    assert_int_equal(flow_cancel(s.world, h), FLOW_PENDING);
    story_update(&s, 1);
    assert_int_equal(flow_cancel(s.world, group), FLOW_PENDING);
    story_update(&s, 1);
    assert_int_equal(flow_cancel(s.world, group), FLOW_PENDING);
    story_update(&s, 1);
    story_expect(&s, "a+ a= a-");
    story_update(&s, 1);
    story_expect(&s, "a.");
    assert_outcome(s.world, h, FLOW_STATE_DONE, FLOW_CAUSE_NONE, 0);
    assert_outcome(s.world, group, FLOW_STATE_CANCELLED, FLOW_CAUSE_EXPLICIT, 0);
    story_end(&s);
}

static void closing_awaits_of_siblings_overlap_and_their_owner_waits_for_all(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle h = FLOW_RUN(s.world, parent, .name = "p", .ticks = -1, .closing = 1,
                             .child = {.name = "a", .ticks = -1, .closing = 3},
                             .second = {.name = "b", .ticks = -1, .closing = 2});
    assert_int_equal(flow_cancel(s.world, h), FLOW_PENDING);
    story_expect(&s, "p+ a+ b+ b-x a-x");
    story_update(&s, 1);
    story_expect(&s, "");
    story_update(&s, 1);
    story_expect(&s, "b.");
    story_update(&s, 1);
    story_expect(&s, "a. p-x");
    story_update(&s, 1);
    story_expect(&s, "p.");
    assert_outcome(s.world, h, FLOW_STATE_CANCELLED, FLOW_CAUSE_EXPLICIT, 0);
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

struct calls_actor {
    flow_frame base;
    int closing;
};

FLOW_STATIC(calls_actor)
{
    FLOW_BEGIN;
    FLOW_AWAIT(FLOW_CALL(parent, .name = "p", .ticks = 1,
                         .child = {.name = "a", .ticks = -1, .closing = self->closing}));
    story_log(story_of(flow), "after");
    FLOW_AWAIT(flow_next_tick());
    story_log(story_of(flow), "end");
    FLOW_FINALLY;
    story_log(story_of(flow), "c-%s", actor_cause(flow_cause_of(flow)));
    FLOW_END;
}

static void a_call_returns_only_when_the_closing_children_of_its_scope_have_ended(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle h = FLOW_RUN(s.world, calls_actor, .closing = 2);
    story_update(&s, 1);
    story_expect(&s, "p+ a+ p= a-p");
    story_update(&s, 1);
    story_expect(&s, "");
    story_update(&s, 1);
    story_expect(&s, "a. p- after");
    story_update(&s, 1);
    story_expect(&s, "end c-");
    assert_outcome(s.world, h, FLOW_STATE_DONE, FLOW_CAUSE_NONE, 0);

    h = FLOW_RUN(s.world, calls_actor, .closing = 2); /* cancelled while the call closes */
    story_update(&s, 1);
    assert_int_equal(flow_cancel(s.world, h), FLOW_PENDING);
    story_expect(&s, "p+ a+ p= a-p");
    story_update(&s, 1);
    story_update(&s, 1);
    story_expect(&s, "a. p-x c-x");
    assert_outcome(s.world, h, FLOW_STATE_CANCELLED, FLOW_CAUSE_EXPLICIT, 0);
    story_end(&s);
}

/* ---- what a finally section may do ---- */

struct busy_finally {
    flow_frame base;
    int winner;
    flow_outcome outcome;
};

FLOW_STATIC(busy_finally)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_never());
    FLOW_FINALLY;
    FLOW_AWAIT(FLOW_CALL(actor, .name = "c", .ticks = 1, .closing = 1));
    FLOW_RACE(self->winner, FLOW_CALL(actor, .name = "l", .ticks = -1, .closing = 2),
              flow_next_tick());
    story_log(story_of(flow), "won:%d", self->winner);
    FLOW_ALL(FLOW_CALL(actor, .name = "m", .ticks = 1), flow_ticks(2));
    FLOW_AWAIT(flow_seconds(0.002));
    (void)FLOW_SPAWN(actor, .name = "s", .ticks = -1, .closing = 1);
    story_log(story_of(flow), "end");
    FLOW_END;
}

static void a_finally_section_may_call_race_join_and_spawn(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle h = FLOW_RUN(s.world, busy_finally);
    assert_int_equal(flow_cancel(s.world, h), FLOW_PENDING);
    for (int i = 0; i < 20 && flow_state_of(s.world, h) == FLOW_STATE_LIVE; i++) {
        story_update(&s, 1);
        (void)flow_cancel(s.world, h);
    }
    story_expect(&s, "c+ c= c-x c. l+ l-l l. won:1 m+ m= m- s+ end s-x s.");
    assert_outcome(s.world, h, FLOW_STATE_CANCELLED, FLOW_CAUSE_EXPLICIT, 0);
    assert_int_equal(flow_world_counters(s.world).finally_runs, 5);
    story_end(&s);
}

struct tries {
    flow_frame base;
    flow_outcome outcome;
};

FLOW_STATIC(tries)
{
    FLOW_BEGIN;
    FLOW_TRY(&self->outcome, flow_never()); /* left by cancellation, inside a TRY */
    FLOW_FINALLY;
    FLOW_TRY(&self->outcome, flow_failed(7, "leaf"));
    story_log(story_of(flow), "%d:%d", (int)self->outcome.state, self->outcome.code);
    FLOW_TRY(&self->outcome, FLOW_CALL(actor, .name = "a", .fail = 3));
    story_log(story_of(flow), "%d:%d", (int)self->outcome.state, self->outcome.code);
    FLOW_TRY(&self->outcome, FLOW_CALL(actor, .name = "b", .ticks = 1, .fail = 4));
    story_log(story_of(flow), "%d:%d", (int)self->outcome.state, self->outcome.code);
    FLOW_TRY(&self->outcome,
             flow_all(flow_ticks(2), FLOW_CALL(actor, .name = "c", .ticks = 1, .fail = 5)));
    story_log(story_of(flow), "%d:%d", (int)self->outcome.state, self->outcome.code);
    FLOW_AWAIT(flow_failed(8, "not tried"));
    story_log(story_of(flow), "never");
    FLOW_END;
}

static void a_finally_section_takes_failures_with_try_and_ends_at_an_untaken_one(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle h = FLOW_RUN(s.world, tries);
    assert_int_equal(flow_cancel(s.world, h), FLOW_PENDING);
    story_update(&s, 1);
    story_update(&s, 1);
    story_expect(&s, "3:7 a+ a-x 3:3 b+ b-x 3:4 c+ c-f 3:5");
    assert_outcome(s.world, h, FLOW_STATE_CANCELLED, FLOW_CAUSE_EXPLICIT, 0);
    assert_int_equal(s.failure_count, 1);
    assert_int_equal(s.failures[0].failure.kind, FLOW_FAILURE_CLEANUP);
    assert_int_equal(s.failures[0].failure.code, 8);
    s.expect_failures = 1;
    story_end(&s);
}

/* ---- the end of the world ---- */

struct slow_close {
    flow_frame base;
};

FLOW_STATIC(slow_close)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_never());
    FLOW_FINALLY;
    story_log(story_of(flow), "begin");
    FLOW_AWAIT(FLOW_CALL(actor, .name = "c", .ticks = 5));
    story_log(story_of(flow), "never");
    FLOW_END;
}

static void only_the_worlds_end_cuts_awaiting_finally_sections_with_one_warning(void **state)
{
    struct story s;
    (void)state;
    for (int begun = 0; begun < 2; begun++) {
        story_begin(&s, NULL);
        flow_handle h = FLOW_RUN(s.world, slow_close);
        (void)FLOW_RUN(s.world, parent, .name = "p", .ticks = -1, .closing = 1,
                       .child = {.name = "a", .ticks = -1, .closing = 3});
        s.log[0] = '\0';
        if (begun) {
            assert_int_equal(flow_cancel(s.world, h), FLOW_PENDING);
            story_expect(&s, "begin c+");
        }
        assert_int_equal(story_destroy(&s), FLOW_OK);
        assert_null(strstr(s.log, "never"));
        assert_null(strstr(s.log, "."));
        assert_non_null(strstr(s.log, "a-d"));
        assert_non_null(strstr(s.log, "p-d"));
        assert_true(strstr(s.log, "a-d") < strstr(s.log, "p-d"));
        assert_non_null(strstr(s.log, "c-")); /* what was called has its own finally section */
        assert_int_equal(s.warnings[0], FLOW_WARNING_CUT_AT_DESTROY);
        s.expect_warnings = 1;
        story_end(&s);
    }
}

struct tries_when_cut {
    flow_frame base;
    int call;
    flow_outcome outcome;
};

FLOW_STATIC(tries_when_cut)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_never());
    FLOW_FINALLY;
    story_log(story_of(flow), "fin");
    if (self->call) {
        FLOW_TRY(&self->outcome, FLOW_CALL(actor, .name = "c", .ticks = 2));
    } else {
        FLOW_TRY(&self->outcome, flow_ticks(2));
    }
    story_log(story_of(flow), "never");
    FLOW_TRY(&self->outcome, flow_race(NULL, flow_ticks(2), flow_never()));
    FLOW_END;
}

static void a_try_in_a_finally_section_does_not_take_the_cut_of_the_worlds_end(void **state)
{
    (void)state;
    for (int form = 0; form < 4; form++) {
        struct story s;
        story_begin(&s, NULL);
        flow_handle h = FLOW_RUN(s.world, tries_when_cut, .call = form & 1);
        if (form & 2) {
            assert_int_equal(flow_cancel(s.world, h),
                             FLOW_PENDING); /* it waits already when the world ends */
        }
        assert_int_equal(story_destroy(&s), FLOW_OK);
        story_expect(&s, form == 0 || form == 2 ? "fin" : form == 1 ? "fin c+ c-d" : "fin c+ c-x");
        s.expect_warnings = 1;
        story_end(&s);
    }
}

/* E10: from everywhere inside, destroying is refused and harms nothing. */
struct destroyer {
    flow_frame base;
    int late;
    int calls;
};

static void try_to_end(struct story *s)
{
    story_log(s, "%d%d%d", flow_world_destroy(s->world) == FLOW_REENTRANT,
              flow_world_tick(s->world, FLOW_UPDATE, 0.0) == FLOW_REENTRANT,
              flow_world_flush(s->world, FLOW_UPDATE) == FLOW_REENTRANT);
}

static void end_from_defer(void *arg)
{
    try_to_end(arg);
}

static struct story *end_story;

static int end_from_predicate(void *arg)
{
    int *calls = arg;
    try_to_end(end_story);
    return ++*calls == 2;
}

FLOW_STATIC(destroyer)
{
    FLOW_BEGIN;
    FLOW_DEFER(end_from_defer, story_of(flow));
    try_to_end(story_of(flow));
    FLOW_AWAIT(flow_ticks(self->late));
    try_to_end(story_of(flow));
    FLOW_AWAIT(flow_until(end_from_predicate, &self->calls));
    FLOW_FINALLY;
    try_to_end(story_of(flow));
    FLOW_END;
}

static void a_world_cannot_be_ended_or_ticked_from_inside_and_lives_on(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    end_story = &s;
    (void)FLOW_RUN(s.world, destroyer, .late = 1);
    story_expect(&s, "111");
    story_update(&s, 1);
    story_expect(&s, "111 111");
    story_update(&s, 1);
    story_expect(&s, "111 111 111"); /* predicate, finally, defer */
    (void)FLOW_RUN(s.world, destroyer);
    story_expect(&s, "111 111 111");
    assert_int_equal(story_destroy(&s), FLOW_OK);
    story_expect(&s, "111 111");
    s.expect_misuses = 33;
    story_end(&s);
}

/* ---- callbacks after a child has gone ---- */

static void ask_for_what_is_not(struct story *s)
{
    assert_int_equal(flow_clock_create(s->world, 99, "orphan"), 0);
}

struct sleeping_child {
    flow_frame base;
    int unused;
};

FLOW_STATIC(sleeping_child)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_never());
    FLOW_FINALLY;
    story_log(story_of(flow), "child");
    FLOW_END;
}

struct failing_parent {
    flow_frame base;
    int unused;
};

FLOW_STATIC(failing_parent)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_next_tick());
    FLOW_FAIL(5, "as told");
    FLOW_FINALLY;
    (void)FLOW_SPAWN(sleeping_child, .unused = 0);
    FLOW_END;
}

static void a_report_after_a_childs_end_is_nobodys_doing(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    s.on_report = ask_for_what_is_not;
    (void)FLOW_RUN(s.world, failing_parent, .unused = 0);
    (void)flow_world_tick(s.world, FLOW_UPDATE, 0.010);
    story_expect(&s, "child");
    assert_int_equal(s.failure_count, 1);
#ifndef FLOW_NO_ASSERT
    assert_string_equal(s.misuse, "flow_clock_create: the parent is no clock of this world");
#endif
    s.on_report = NULL;
    s.expect_misuses = s.misuses;
    s.expect_failures = s.failure_count;
    s.expect_warnings = s.warning_count;
    story_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_finally_section_runs_exactly_once_on_every_way_out),
        cmocka_unit_test(awaits_of_a_finally_section_run_to_their_end_whatever_cancels_meanwhile),
        cmocka_unit_test(closing_awaits_of_siblings_overlap_and_their_owner_waits_for_all),
        cmocka_unit_test(a_call_returns_only_when_the_closing_children_of_its_scope_have_ended),
        cmocka_unit_test(a_finally_section_may_call_race_join_and_spawn),
        cmocka_unit_test(a_finally_section_takes_failures_with_try_and_ends_at_an_untaken_one),
        cmocka_unit_test(only_the_worlds_end_cuts_awaiting_finally_sections_with_one_warning),
        cmocka_unit_test(a_try_in_a_finally_section_does_not_take_the_cut_of_the_worlds_end),
        cmocka_unit_test(a_world_cannot_be_ended_or_ticked_from_inside_and_lives_on),
        cmocka_unit_test(a_report_after_a_childs_end_is_nobodys_doing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
