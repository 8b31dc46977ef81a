/* SPDX-License-Identifier: MIT */
/* State machines of flows: which transition is taken, when, and what has ended by then. */
#include "flows.h"

enum { PATROL, CHASE, DEAD, STATES };

static const char *const names[] = {"patrol", "chase", "dead"};

/* What conditions look at, and what a machine writes down. */
struct guard {
    struct story *story;
    flow_machine *machine; /* the running one */
    int sees, asked;
    const char *fires; /* `changed` fires this */
};

static int sees(void *arg)
{
    struct guard *guard = arg;
    guard->asked++;
    return guard->sees;
}

static int sees_not(void *arg)
{
    return !((const struct guard *)arg)->sees;
}

static void changed(void *arg, flow_machine *machine)
{
    struct guard *guard = arg;
    guard->machine = machine;
    story_log(guard->story, "[%s>%s]", machine->last != NULL ? machine->last->name : "",
              machine->state >= 0 ? names[machine->state] : "over");
    if (guard->fires != NULL) {
        const char *name = guard->fires;
        guard->fires = NULL;
        assert_int_equal(flow_machine_fire(machine, name), FLOW_OK);
    }
}

static const flow_transition guard_moves[] = {
    {.name = "killed", .from = FLOW_ANY_STATE, .to = DEAD},
    {.name = "sees him", .from = PATROL, .to = CHASE, .when = sees},
    {.name = "walks on", .from = PATROL, .to = PATROL, .on_end = 1},
    {.name = "lost him", .from = CHASE, .to = PATROL, .when = sees_not},
    {.name = "gives up", .from = CHASE, .to = PATROL, .on_end = 1},
    {.name = "rests", .from = DEAD, .to = FLOW_MACHINE_OVER, .on_end = 1},
};

static const flow_machine_desc guard_desc = {
    .states = STATES, .moves = guard_moves, .count = 6, .changed = changed};

/* A state: says that it is there, in each tick that it goes on, and that it is left. */
struct being {
    flow_frame base;
    const char *name;
    double seconds, closing;
    flow_machine *machine;
    const char *fires; /* after its first tick */
    int code;          /* fails with it at its end */
};

FLOW_STATIC(being)
{
    FLOW_BEGIN;
    story_log(story_of(flow), "%s", self->name);
    if (self->fires != NULL) {
        FLOW_AWAIT(flow_next_tick());
        story_log(story_of(flow), "fires:%d", flow_machine_fire(self->machine, self->fires));
        FLOW_AWAIT(flow_ready());
        story_log(story_of(flow), "never");
    }
    FLOW_AWAIT(flow_seconds(self->seconds));
    if (self->code != 0) {
        FLOW_FAIL(self->code, "a state that fails");
    }
    FLOW_FINALLY;
    if (self->closing > 0.0) {
        FLOW_AWAIT(flow_seconds(self->closing));
    }
    story_log(story_of(flow), "%s.", self->name);
    FLOW_END;
}

/* The machine, with what varies between tests. */
struct brain {
    flow_frame base;
    const flow_machine_desc *desc;
    struct guard *guard;
    double closing;    /* of patrol */
    const char *fires; /* in patrol */
    int code;          /* of chase */
    flow_machine machine;
};

FLOW_STATIC(brain)
{
    FLOW_BEGIN;
    if (flow_machine_begin(flow, &self->machine, self->desc, self->guard) != FLOW_OK) {
        FLOW_FAIL(7, "no machine");
    }
    while (flow_machine_runs(&self->machine)) {
        FLOW_IN_STATE(&self->machine, PATROL,
                      FLOW_CALL(being, .name = "patrol", .seconds = 0.05, .closing = self->closing,
                                .machine = &self->machine, .fires = self->fires));
        FLOW_IN_STATE(&self->machine, CHASE,
                      FLOW_CALL(being, .name = "chase", .seconds = 0.03, .code = self->code));
        FLOW_IN_STATE(&self->machine, DEAD, flow_seconds(0.02)); /* any wait is a state */
    }
    story_log(story_of(flow), "over");
    FLOW_END;
}

static void begin(struct story *s, struct guard *guard)
{
    story_begin(s, NULL);
    *guard = (struct guard){.story = s};
}

static void a_machine_goes_by_conditions_by_names_and_by_ends(void **state)
{
    struct story s;
    struct guard guard;
    (void)state;
    begin(&s, &guard);
    (void)FLOW_RUN(s.world, brain, .desc = &guard_desc, .guard = &guard);
    story_expect(&s, "[>patrol] patrol");
    story_frames(&s, 4, 10);
    story_expect(&s, "");
    story_frame(&s, 10); /* 50 ms: it ends by itself, and begins anew */
    story_expect(&s, "patrol. [walks on>patrol] patrol");
    guard.sees = 1;
    story_frame(&s, 10);
    story_expect(&s, "patrol. [sees him>chase] chase");
    story_frames(&s, 3, 10);
    story_expect(&s, "chase. [gives up>patrol] patrol");
    guard.sees = 0;
    story_frame(&s, 10);
    assert_int_equal(flow_machine_fire(guard.machine, "killed"), FLOW_OK);
    assert_int_equal(guard.machine->state, PATROL); /* until the flow's turn */
    story_frame(&s, 10);
    story_expect(&s, "patrol. [killed>dead]");
    story_frames(&s, 2, 10);
    story_expect(&s, "[rests>over] over");
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

static void what_is_fired_stops_the_state_at_that_moment(void **state)
{
    struct story s;
    struct guard guard;
    (void)state;
    begin(&s, &guard);
    (void)FLOW_RUN(s.world, brain, .desc = &guard_desc, .guard = &guard);
    story_frames(&s, 4, 10);
    assert_int_equal(flow_machine_fire(guard.machine, "sees him"), FLOW_OK); /* by name, too */
    story_frame(&s, 10); /* patrol's own timer is due here, and lost */
    story_expect(&s, "[>patrol] patrol patrol. [sees him>chase] chase");
    story_end(&s);
}

static void a_state_that_fires_ends_at_its_next_await(void **state)
{
    struct story s;
    struct guard guard;
    (void)state;
    begin(&s, &guard);
    (void)FLOW_RUN(s.world, brain, .desc = &guard_desc, .guard = &guard, .fires = "killed");
    story_frame(&s, 10);
    story_expect(&s, "[>patrol] patrol fires:0 patrol. [killed>dead]");
    story_end(&s);
}

static void conditions_are_asked_once_a_tick_from_the_one_after_the_entry(void **state)
{
    struct story s;
    struct guard guard;
    (void)state;
    begin(&s, &guard);
    (void)FLOW_RUN(s.world, brain, .desc = &guard_desc, .guard = &guard);
    assert_int_equal(guard.asked, 0);
    story_frames(&s, 3, 10);
    assert_int_equal(guard.asked, 3);
    story_end(&s);
}

static int always(void *arg)
{
    (void)arg;
    return 1;
}

static void conditions_that_hold_both_ways_make_one_move_a_tick(void **state)
{
    static const flow_transition moves[] = {
        {.name = "there", .from = PATROL, .to = CHASE, .when = always},
        {.name = "elsewhere", .from = PATROL, .to = DEAD, .when = always}, /* later in the table */
        {.name = "back", .from = CHASE, .to = PATROL, .when = always},
    };
    static const flow_machine_desc desc = {
        .states = STATES, .moves = moves, .count = 3, .changed = changed};
    struct story s;
    struct guard guard;
    (void)state;
    begin(&s, &guard);
    (void)FLOW_RUN(s.world, brain, .desc = &desc, .guard = &guard);
    story_frames(&s, 3, 1);
    story_expect(&s, "[>patrol] patrol patrol. [there>chase] chase chase. [back>patrol] patrol "
                     "patrol. [there>chase] chase");
    story_end(&s);
}

static void the_first_transition_wins_and_others_are_refused(void **state)
{
    struct story s;
    struct guard guard;
    (void)state;
    begin(&s, &guard);
    flow_handle h = FLOW_RUN(s.world, brain, .desc = &guard_desc, .guard = &guard, .closing = 0.02);
    assert_int_equal(flow_machine_fire(guard.machine, "lost him"), FLOW_EMPTY); /* not from here */
    assert_int_equal(flow_machine_fire(guard.machine, "no such"), FLOW_EMPTY);
    assert_int_equal(flow_machine_fire(guard.machine, "sees him"), FLOW_OK);
    assert_int_equal(flow_machine_fire(guard.machine, "killed"), FLOW_PENDING);
    story_frame(&s, 10);
    assert_int_equal(flow_machine_fire(guard.machine, "killed"), FLOW_PENDING); /* it is closing */
    story_expect(&s, "[>patrol] patrol");
    story_frames(&s, 2, 10);
    story_expect(&s, "patrol. [sees him>chase] chase");
    assert_int_equal(flow_machine_fire(guard.machine, "killed"), FLOW_OK);
    story_frames(&s, 3, 10);
    story_expect(&s, "chase. [killed>dead] [rests>over] over");
    flow_machine none = {0};
    assert_int_equal(flow_machine_fire(&none, "killed"), FLOW_CLOSED);
    assert_int_equal(flow_cancel(s.world, h), FLOW_STALE);
    story_end(&s);
}

static void who_is_told_of_a_state_may_fire_it_away_before_it_runs(void **state)
{
    struct story s;
    struct guard guard;
    (void)state;
    begin(&s, &guard);
    guard.fires = "sees him";
    (void)FLOW_RUN(s.world, brain, .desc = &guard_desc, .guard = &guard);
    story_expect(&s, "[>patrol] [sees him>chase] chase");
    guard.fires = "sees him"; /* and from a state to one that stands before it */
    assert_int_equal(flow_machine_fire(guard.machine, "lost him"), FLOW_OK);
    story_frame(&s, 10);
    story_expect(&s, "chase. [lost him>patrol] [sees him>chase] chase");
    story_end(&s);
}

static void a_failing_state_fails_the_flow_and_ends_the_machine(void **state)
{
    struct story s;
    struct guard guard;
    (void)state;
    begin(&s, &guard);
    (void)FLOW_RUN(s.world, brain, .desc = &guard_desc, .guard = &guard, .code = 42);
    assert_int_equal(flow_machine_fire(guard.machine, "sees him"), FLOW_OK);
    guard.sees = 1;
    story_frames(&s, 4, 10);
    assert_int_equal(s.failures[0].failure.code, 42);
    assert_string_equal(s.failures[0].path, "brain > being");
    story_alive(&s, 0, 0, 0);
    s.expect_failures = 1;
    story_end(&s);
}

static void a_machine_ends_with_its_scope(void **state)
{
    struct story s;
    struct guard guard;
    (void)state;
    begin(&s, &guard);
    flow_handle h = FLOW_RUN(s.world, brain, .desc = &guard_desc, .guard = &guard);
    assert_int_equal(flow_cancel(s.world, h), FLOW_OK);
    story_expect(&s, "[>patrol] patrol patrol.");
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

static void a_state_that_ends_without_a_transition_ends_the_machine(void **state)
{
    static const flow_machine_desc desc = {.states = STATES, .first = CHASE, .changed = changed};
    struct story s;
    struct guard guard;
    (void)state;
    begin(&s, &guard);
    (void)FLOW_RUN(s.world, brain, .desc = &desc, .guard = &guard);
    story_frames(&s, 3, 10);
    story_expect(&s, "[>chase] chase chase. [>over] over");
    story_end(&s);
}

static void a_state_that_the_loop_leaves_out_is_misuse(void **state)
{
    static const flow_machine_desc desc = {.states = STATES + 1, .first = STATES};
    struct story s;
    struct guard guard;
    (void)state;
    begin(&s, &guard);
    (void)FLOW_RUN(s.world, brain, .desc = &desc, .guard = &guard);
    story_expect(&s, "over");
    s.expect_misuses = 1;
    story_end(&s);
}

static void a_table_of_states_that_are_not_there_is_misuse(void **state)
{
    static const flow_transition bad[] = {{.name = "x", .from = 0, .to = 3},
                                          {.name = "x", .from = 3, .to = 0},
                                          {.name = "x", .from = 0, .to = -2},
                                          {.name = "x", .from = FLOW_MACHINE_OVER, .to = 0},
                                          {.from = 0, .to = 1}};
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    for (int i = 0; i < 7; i++) {
        flow_machine_desc desc = {.states = 3, .moves = &bad[i % 5], .count = i < 5};
        desc.first = i < 5 ? 0 : i == 5 ? -1 : 3;
        (void)FLOW_RUN(s.world, brain, .desc = &desc);
    }
    s.expect_failures = s.failure_count;
    assert_int_equal(s.failure_count, 7);
    s.expect_misuses = 7;
    story_end(&s);
}

static void without_memory_a_machine_is_over_or_whole(void **state)
{
    (void)state;
    for (long at = 1, failed = 1; failed; at++) {
        struct story s;
        struct guard guard;
        begin(&s, &guard);
        s.fail_at = s.calls + at;
        for (int i = 0; i < 60; i++) {
            (void)FLOW_RUN(s.world, brain, .desc = &guard_desc, .guard = &guard);
        }
        story_frame(&s, 50);
        failed = s.failure_count != 0 || flow_world_counters(s.world).live < 120;
        s.fail_at = 0;
        s.log[0] = '\0';
        s.expect_failures = s.failure_count;
        story_end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_machine_goes_by_conditions_by_names_and_by_ends),
        cmocka_unit_test(what_is_fired_stops_the_state_at_that_moment),
        cmocka_unit_test(a_state_that_fires_ends_at_its_next_await),
        cmocka_unit_test(conditions_are_asked_once_a_tick_from_the_one_after_the_entry),
        cmocka_unit_test(conditions_that_hold_both_ways_make_one_move_a_tick),
        cmocka_unit_test(the_first_transition_wins_and_others_are_refused),
        cmocka_unit_test(who_is_told_of_a_state_may_fire_it_away_before_it_runs),
        cmocka_unit_test(a_failing_state_fails_the_flow_and_ends_the_machine),
        cmocka_unit_test(a_machine_ends_with_its_scope),
        cmocka_unit_test(a_state_that_ends_without_a_transition_ends_the_machine),
        cmocka_unit_test(a_state_that_the_loop_leaves_out_is_misuse),
        cmocka_unit_test(a_table_of_states_that_are_not_there_is_misuse),
        cmocka_unit_test(without_memory_a_machine_is_over_or_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
