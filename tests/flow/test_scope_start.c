/* SPDX-License-Identifier: MIT */
/* Starting: options, refusals, ends in the first slice, handles. */
#include <string.h>

#include "actor.h"

/* ---- starts that end at once ---- */

struct nothing {
    flow_frame base;
    int fail;
};

FLOW_STATIC(nothing)
{
    FLOW_BEGIN;
    if (self->fail != 0) {
        FLOW_FAIL(self->fail, "at once");
    }
    FLOW_END;
}

struct ends_itself {
    flow_frame base;
    flow_status said;
};

FLOW_STATIC(ends_itself)
{
    FLOW_BEGIN;
    self->said = flow_cancel(flow_world_of(flow), flow_self(flow));
    story_log(story_of(flow), "said:%d", (int)self->said);
    FLOW_AWAIT(flow_ready());
    story_log(story_of(flow), "never");
    FLOW_FINALLY;
    story_log(story_of(flow), "fin-%s", actor_cause(flow_cause_of(flow)));
    FLOW_END;
}

static void a_start_runs_to_its_first_suspension_and_may_end_in_it(void **state)
{
    struct story s;
    flow_outcome outcome;
    (void)state;
    story_begin(&s, NULL);
    flow_handle h =
        FLOW_RUN_WITH(s.world, &(flow_options){.outcome = &outcome}, actor, .name = "a");
    story_expect(&s, "a+ a= a-");
    assert_int_not_equal(h.generation, 0);
    assert_outcome(s.world, h, FLOW_STATE_DONE, FLOW_CAUSE_NONE, 0);
    assert_int_equal(outcome.state, FLOW_STATE_DONE);
    assert_int_equal(flow_cancel(s.world, h), FLOW_STALE);

    h = FLOW_RUN_WITH(s.world, &(flow_options){.outcome = &outcome}, nothing, .fail = 5);
    assert_outcome(s.world, h, FLOW_STATE_FAILED, FLOW_CAUSE_NONE, 5);
    assert_int_equal(outcome.state, FLOW_STATE_FAILED);
    assert_int_equal(outcome.code, 5);
    assert_string_equal(outcome.message, "at once");
    s.expect_failures = 1;

    h = FLOW_RUN_WITH(s.world, &(flow_options){.outcome = &outcome}, ends_itself);
    story_expect(&s, "said:-1 fin-x");
    assert_outcome(s.world, h, FLOW_STATE_CANCELLED, FLOW_CAUSE_EXPLICIT, 0);
    assert_int_equal(outcome.state, FLOW_STATE_CANCELLED);
    assert_int_equal(outcome.cause, FLOW_CAUSE_EXPLICIT);
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

static void a_named_outcome_is_live_until_the_flow_has_ended_with_its_finally(void **state)
{
    struct story s;
    flow_outcome outcome;
    (void)state;
    story_begin(&s, NULL);
    flow_handle h = FLOW_RUN_WITH(s.world, &(flow_options){.outcome = &outcome}, actor, .name = "a",
                                  .ticks = 1, .closing = 1);
    assert_int_equal(outcome.state, FLOW_STATE_LIVE);
    assert_int_equal(flow_outcome_of(s.world, h, &(flow_outcome){0}), FLOW_PENDING);
    story_update(&s, 16);
    assert_int_equal(outcome.state, FLOW_STATE_LIVE);
    story_update(&s, 16);
    assert_int_equal(outcome.state, FLOW_STATE_DONE);
    story_expect(&s, "a+ a= a- a.");
    story_end(&s);
}

/* ---- options ---- */

struct where {
    flow_frame base;
};

FLOW_STATIC(where)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_next_tick());
    story_log(story_of(flow), "%s:%d", flow_phase_name(flow_phase_of(flow)),
              (int)flow_clock_of(flow));
    FLOW_END;
}

struct spawns_where {
    flow_frame base;
};

FLOW_STATIC(spawns_where)
{
    FLOW_BEGIN;
    (void)FLOW_SPAWN(where);
    (void)FLOW_SPAWN_WITH(&(flow_options){.phase = FLOW_LATE}, where);
    (void)FLOW_SPAWN_WITH(&(flow_options){.clock = FLOW_CLOCK_REAL}, where);
    FLOW_AWAIT(flow_frames(2));
    FLOW_END;
}

static void phase_and_clock_come_from_the_options_else_from_the_starter(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, where);
    (void)FLOW_RUN_WITH(
        s.world, (&(flow_options){.phase = FLOW_EARLY, .clock = FLOW_CLOCK_UNSCALED}), where);
    story_frame(&s, 5);
    story_expect(&s, "early:2 update:3");
    (void)FLOW_RUN_WITH(s.world,
                        (&(flow_options){.phase = FLOW_FIXED, .clock = FLOW_CLOCK_UNSCALED}),
                        spawns_where);
    story_frame(&s, 10);
    story_expect(&s, "fixed:1 fixed:2 late:2");
    flow_handle group = flow_group_create(
        s.world, &(flow_group_desc){.phase = FLOW_LATE, .clock = FLOW_CLOCK_REAL});
    (void)FLOW_RUN_WITH(s.world, &(flow_options){.owner = group}, where);
    (void)FLOW_RUN_WITH(s.world, (&(flow_options){.owner = group, .phase = FLOW_EARLY}), where);
    story_frame(&s, 5);
    story_expect(&s, "early:1 late:1");
    story_end(&s);
}

static void flow_start_copies_the_frame(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    struct actor frame = {.name = "a", .ticks = 1};
    flow_handle h = flow_start(s.world, &actor_flow_, &frame, NULL);
    memset(&frame, 0xee, sizeof frame);
    story_update(&s, 16);
    story_expect(&s, "a+ a= a-");
    assert_outcome(s.world, h, FLOW_STATE_DONE, FLOW_CAUSE_NONE, 0);
    frame = (struct actor){.name = "b", .ticks = -1};
    h = flow_start(s.world, &actor_flow_, &frame, &(flow_options){.phase = FLOW_LATE});
    assert_int_equal(flow_cancel(s.world, h), FLOW_OK);
    story_expect(&s, "b+ b-x");
    story_end(&s);
}

static void a_flow_may_own_what_the_host_starts(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle p = FLOW_RUN(s.world, actor, .name = "p", .ticks = -1);
    flow_handle a =
        FLOW_RUN_WITH(s.world, &(flow_options){.owner = p}, actor, .name = "a", .ticks = -1);
    assert_int_equal(flow_child_count(s.world, p), 1);
    assert_int_equal(flow_cancel(s.world, p), FLOW_OK);
    story_expect(&s, "p+ a+ a-x p-x");
    assert_outcome(s.world, a, FLOW_STATE_CANCELLED, FLOW_CAUSE_EXPLICIT, 0);
    story_end(&s);
}

/* ---- refusals: the null handle, CANCELLED in the outcome, no body ---- */

static void refused(struct story *s, flow_handle owner)
{
    flow_outcome outcome = {0};
    flow_handle h = FLOW_RUN_WITH(s->world, (&(flow_options){.owner = owner, .outcome = &outcome}),
                                  actor, .name = "refused");
    assert_int_equal(h.generation, 0);
    assert_int_equal(h.slot, 0);
    assert_int_equal(outcome.state, FLOW_STATE_CANCELLED);
    assert_int_equal(flow_state_of(s->world, h), FLOW_STATE_NONE);
    assert_int_equal(flow_cancel(s->world, h), FLOW_STALE);
    flow_handle group = flow_group_create(s->world, &(flow_group_desc){.owner = owner});
    assert_int_equal(group.generation, 0);
}

struct starts_while_ending {
    flow_frame base;
};

static void starts_from_defer(void *arg)
{
    struct story *s = arg;
    flow_handle h = FLOW_RUN(s->world, actor, .name = "root");
    story_log(s, "defer:%d", h.generation != 0);
}

FLOW_STATIC(starts_while_ending)
{
    FLOW_BEGIN;
    FLOW_DEFER(starts_from_defer, story_of(flow));
    FLOW_AWAIT(flow_never());
    FLOW_FINALLY;
    story_log(story_of(flow), "fin:%d",
              FLOW_SPAWN(actor, .name = "child", .ticks = -1).generation != 0);
    FLOW_END;
}

/* D01, A08, scenario 8 */
static void starts_in_what_has_ended_are_refused(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle group = flow_group_create(s.world, NULL);
    assert_int_equal(flow_cancel(s.world, group), FLOW_OK);
    refused(&s, group);
    flow_handle a = FLOW_RUN(s.world, actor, .name = "a");
    refused(&s, a);
    flow_handle b = FLOW_RUN(s.world, actor, .name = "b", .ticks = -1, .closing = 1);
    assert_int_equal(flow_cancel(s.world, b), FLOW_PENDING);
    story_update(&s, 1);
    refused(&s, b);
    story_expect(&s, "a+ a= a- b+ b-x b.");
    group = flow_group_create(s.world, NULL);
    (void)FLOW_RUN_WITH(s.world, &(flow_options){.owner = group}, actor, .name = "c", .ticks = -1,
                        .closing = 1);
    assert_int_equal(flow_cancel(s.world, group), FLOW_PENDING);
    refused(&s, group); /* it is ending */
    story_update(&s, 1);
    story_expect(&s, "c+ c-x c.");
    story_end(&s);
}

static void what_a_finally_section_spawns_ends_with_the_section(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle h = FLOW_RUN(s.world, starts_while_ending);
    assert_int_equal(flow_cancel(s.world, h), FLOW_OK);
    story_expect(&s, "child+ fin:1 child-x root+ root= root- defer:1");
    (void)FLOW_RUN(s.world, starts_while_ending);
    assert_int_equal(story_destroy(&s), FLOW_OK);
    story_expect(&s, "fin:0 defer:0");
    story_end(&s);
}

struct spawns_after_cancel {
    flow_frame base;
    flow_handle group;
};

FLOW_STATIC(spawns_after_cancel)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_next_tick());
    story_log(story_of(flow), "cancel:%d", (int)flow_cancel(flow_world_of(flow), self->group));
    story_log(story_of(flow), "spawn:%d", FLOW_SPAWN(actor, .name = "a").generation != 0);
    story_log(story_of(flow), "join:%d",
              FLOW_RUN_WITH(flow_world_of(flow), &(flow_options){.owner = self->group}, actor,
                            .name = "b")
                      .generation != 0);
    FLOW_AWAIT(FLOW_CALL(actor, .name = "c"));
    story_log(story_of(flow), "never");
    FLOW_END;
}

static void a_cancelled_running_scope_starts_and_calls_nothing_more(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle group = flow_group_create(s.world, NULL);
    (void)FLOW_RUN_WITH(s.world, &(flow_options){.owner = group}, spawns_after_cancel,
                        .group = group);
    story_update(&s, 16);
    story_expect(&s, "cancel:-1 spawn:0 join:0");
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

/* ---- handles ---- */

/* G05, G06 */
static void a_handle_stays_stale_however_often_its_slot_is_taken_again(void **state)
{
    struct story s;
    int reuses = 0;
    (void)state;
    story_begin(&s, NULL);
    flow_handle first = FLOW_RUN(s.world, nothing);
    for (int i = 0; i < 1100000; i++) {
        flow_handle next = FLOW_RUN(s.world, nothing);
        reuses += next.slot == first.slot;
        assert_true(next.generation != 0);
        assert_true(next.slot != first.slot || next.generation != first.generation);
    }
    assert_int_equal(reuses, 1100000 / 288); /* 17 batches of 16 rest, one is in use */
    assert_int_equal(flow_state_of(s.world, first), FLOW_STATE_NONE);
    flow_handle owner = {0, 0};
    for (int i = 0; i < 257 && owner.slot != first.slot; i++) {
        if (i > 0) {
            assert_int_equal(flow_cancel(s.world, owner), FLOW_OK);
        }
        owner = FLOW_RUN(s.world, actor, .name = "a", .ticks = -1);
    }
    assert_int_equal(owner.slot, first.slot);
    assert_int_equal(flow_cancel(s.world, first), FLOW_STALE);
    assert_int_equal(flow_cancel(s.world, first), FLOW_STALE);
    assert_int_equal(flow_state_of(s.world, owner), FLOW_STATE_LIVE);
    flow_outcome outcome;
    assert_int_equal(flow_outcome_of(s.world, first, &outcome), FLOW_STALE);
    assert_int_equal(outcome.state, FLOW_STATE_NONE);
    assert_int_equal(outcome.code, FLOW_STALE);
    assert_int_equal(flow_world_counters(s.world).stale, 2);
    story_end(&s);
}

/* A14 */
static void ten_thousand_starts_into_one_variable_need_no_more_than_one(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle h = {0, 0};
    size_t bytes = s.bytes;
    for (int i = 0; i < 10000; i++) {
        h = FLOW_RUN(s.world, nothing);
    }
    assert_outcome(s.world, h, FLOW_STATE_DONE, FLOW_CAUSE_NONE, 0);
    assert_int_equal(flow_world_counters(s.world).live_peak, 1);
    assert_int_equal(s.bytes, bytes);
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

static void handles_that_were_never_given_out_name_nothing(void **state)
{
    static const flow_handle odd[] = {{0, 0},   {1, 77},         {0, 77},
                                      {511, 1}, {0xffffffff, 1}, {0x7fffffff, 0xffffffff}};
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        flow_outcome outcome;
        assert_int_equal(flow_cancel(s.world, odd[i]), FLOW_STALE);
        assert_int_equal(flow_group_clear(s.world, odd[i]), FLOW_STALE);
        assert_int_equal(flow_state_of(s.world, odd[i]), FLOW_STATE_NONE);
        assert_int_equal(flow_outcome_of(s.world, odd[i], &outcome), FLOW_STALE);
        assert_int_equal(flow_child_count(s.world, odd[i]), 0);
    }
    story_end(&s);
}

/* ---- starts within the arguments of starts ---- */

struct holds {
    flow_frame base;
    flow_handle other;
    int value;
};

FLOW_STATIC(holds)
{
    FLOW_BEGIN;
    story_log(story_of(flow), "%d:%d", self->value, self->other.generation != 0);
    FLOW_AWAIT(flow_join(self->other, NULL));
    story_log(story_of(flow), "%d.", self->value);
    FLOW_END;
}

static void arguments_of_a_start_may_start_others(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, holds, .value = 1,
                   .other = FLOW_RUN(s.world, holds, .value = 2,
                                     .other = FLOW_RUN(s.world, actor, .name = "a", .ticks = 1)));
    story_expect(&s, "a+ 2:1 1:1");
    story_update(&s, 16);
    story_expect(&s, "a= a- 2. 1.");
    story_end(&s);
}

static void the_last_256_that_ended_still_tell_how(void **state)
{
    struct story s;
    flow_outcome outcome;
    (void)state;
    story_begin(&s, NULL);
    flow_handle h = FLOW_RUN(s.world, actor, .name = "a", .ticks = -1);
    assert_int_equal(flow_cancel(s.world, h), FLOW_OK);
    for (int ended = 1; ended <= 256; ended++) {
        assert_int_equal(flow_outcome_of(s.world, h, &outcome), FLOW_OK);
        assert_int_equal(outcome.state, FLOW_STATE_CANCELLED);
        assert_int_equal(outcome.cause, FLOW_CAUSE_EXPLICIT);
        (void)FLOW_RUN(s.world, nothing);
    }
    for (int i = 0; i < 32; i++) { /* batches rest as a whole; then one of these took the slot */
        (void)FLOW_RUN(s.world, nothing);
    }
    assert_int_equal(flow_outcome_of(s.world, h, &outcome), FLOW_STALE);
    assert_int_equal(flow_state_of(s.world, h), FLOW_STATE_NONE);
    story_expect(&s, "a+ a-x");
    story_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_start_runs_to_its_first_suspension_and_may_end_in_it),
        cmocka_unit_test(a_named_outcome_is_live_until_the_flow_has_ended_with_its_finally),
        cmocka_unit_test(phase_and_clock_come_from_the_options_else_from_the_starter),
        cmocka_unit_test(flow_start_copies_the_frame),
        cmocka_unit_test(a_flow_may_own_what_the_host_starts),
        cmocka_unit_test(starts_in_what_has_ended_are_refused),
        cmocka_unit_test(what_a_finally_section_spawns_ends_with_the_section),
        cmocka_unit_test(a_cancelled_running_scope_starts_and_calls_nothing_more),
        cmocka_unit_test(a_handle_stays_stale_however_often_its_slot_is_taken_again),
        cmocka_unit_test(the_last_256_that_ended_still_tell_how),
        cmocka_unit_test(ten_thousand_starts_into_one_variable_need_no_more_than_one),
        cmocka_unit_test(handles_that_were_never_given_out_name_nothing),
        cmocka_unit_test(arguments_of_a_start_may_start_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
