/* SPDX-License-Identifier: MIT */
/* Signals: who receives an emit, in which order, what they get, and what a closed one does. */
#include "flows.h"

#include <string.h>

typedef FLOW_SIGNAL(int) int_signal;
typedef FLOW_SIGNAL(flow_nothing) bare_signal;

struct listener {
    flow_frame base;
    const char *name;
    int_signal *signal;
    int value, times;
};

FLOW_STATIC(listener)
{
    FLOW_BEGIN;
    while (self->times-- > 0) {
        FLOW_AWAIT(flow_next(self->signal, &self->value));
        story_log(story_of(flow), "%s%d", self->name, self->value);
    }
    FLOW_END;
}

static flow_handle listen(struct story *story, const char *name, int_signal *signal, int times)
{
    return FLOW_RUN(story->world, listener, .name = name, .signal = signal, .times = times);
}

static uint32_t emit(int_signal *signal, int value)
{
    return flow_emit(signal, &value);
}

/* ---- scenario 9 ---- */

struct snapshot {
    bare_signal signal;
    int wakes[5];
    int emits_once;
};

struct loop {
    flow_frame base;
    struct snapshot *shared;
    int id;
};

FLOW_STATIC(loop)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_AWAIT(flow_next(&self->shared->signal, NULL));
        self->shared->wakes[self->id]++;
        if (self->id == 2 && self->shared->emits_once) {
            self->shared->emits_once = 0;
            assert_int_equal(flow_emit(&self->shared->signal, NULL),
                             2); /* 0 and 1 wait again by now */
        }
    }
    FLOW_END;
}

static void scenario_9_emit_snapshot(void **state)
{
    (void)state;
    static const int three[5] = {3, 3, 3, 3, 3}, more[5] = {5, 5, 4, 4, 4};
    struct story story;
    struct snapshot shared = {.emits_once = 0};
    story_begin(&story, NULL);
    assert_int_equal(flow_signal_init(&shared.signal, story.world), FLOW_OK);
    for (int id = 0; id < 5; id++) {
        (void)FLOW_RUN(story.world, loop, .shared = &shared, .id = id);
    }
    for (int i = 0; i < 3; i++) {
        assert_int_equal(flow_emit(&shared.signal, NULL), 5);
        story_frame(&story, 10);
    }
    assert_memory_equal(shared.wakes, three, sizeof three);
    shared.emits_once = 1;
    assert_int_equal(flow_emit(&shared.signal, NULL), 5);
    story_frame(&story, 10);
    assert_memory_equal(shared.wakes, more, sizeof more); /* 2, 2, 1, 1, 1 */
    assert_int_equal(flow_signal_waiters(&shared.signal), 5);
    story_end(&story);
}

/* ---- values and order ---- */

static void an_emit_copies_its_value_to_each_receiver_at_that_moment(void **state)
{
    (void)state;
    struct payload {
        int number;
        char text[40];
    };
    struct story story;
    struct payload sent = {7, "as it was when it was emitted"}, got[2];
    FLOW_SIGNAL(struct payload) signal;
    memset(got, 0, sizeof got);
    story_begin(&story, NULL);
    assert_int_equal(flow_signal_init(&signal, story.world), FLOW_OK);
    for (int i = 0; i < 2; i++) {
        (void)FLOW_RUN(story.world, waiter, .name = "got", .wait = flow_next(&signal, &got[i]));
    }
    (void)FLOW_RUN(story.world, waiter, .name = "does_not_care", .wait = flow_next(&signal, NULL));
    assert_int_equal(flow_emit(&signal, &sent), 3);
    memset(&sent, 0, sizeof sent);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(got[i].number, 7); /* at once, before they resume */
        assert_string_equal(got[i].text, "as it was when it was emitted");
    }
    story_expect(&story, "");
    story_update(&story, 10);
    story_expect(&story, "got got does_not_care");
    story_end(&story);
}

static void an_emit_of_null_wakes_and_copies_nothing(void **state)
{
    (void)state;
    struct story story;
    int_signal signal;
    int value = 5;
    story_begin(&story, NULL);
    assert_int_equal(flow_signal_init(&signal, story.world), FLOW_OK);
    (void)FLOW_RUN(story.world, waiter, .name = "woken", .wait = flow_next(&signal, &value));
    assert_int_equal(flow_emit(&signal, NULL), 1);
    story_update(&story, 10);
    story_expect(&story, "woken");
    assert_int_equal(value, 5);
    story_end(&story);
}

static void a_signal_is_an_edge_and_keeps_nothing(void **state)
{
    (void)state;
    struct story story;
    int_signal signal;
    story_begin(&story, NULL);
    assert_int_equal(flow_signal_init(&signal, story.world), FLOW_OK);
    assert_int_equal(emit(&signal, 1), 0); /* nobody waits: lost */
    (void)listen(&story, "a", &signal, 2);
    assert_int_equal(flow_signal_waiters(&signal), 1);
    assert_int_equal(emit(&signal, 2), 1);
    assert_int_equal(flow_signal_waiters(&signal), 0);
    assert_int_equal(emit(&signal, 3), 0); /* it has not gone on yet: lost, and the 2 stays */
    story_update(&story, 10);
    story_expect(&story, "a2");
    assert_int_equal(emit(&signal, 4), 1);
    story_update(&story, 10);
    story_expect(&story, "a4");
    story_end(&story);
}

static void receivers_go_on_in_the_order_in_which_they_began_to_wait(void **state)
{
    (void)state;
    struct story story;
    int_signal one, other;
    story_begin(&story, NULL);
    assert_int_equal(flow_signal_init(&one, story.world), FLOW_OK);
    assert_int_equal(flow_signal_init(&other, story.world), FLOW_OK);
    (void)listen(&story, "a", &one, 1);
    (void)listen(&story, "b", &other, 1);
    flow_handle gone = listen(&story, "c", &one, 1);
    (void)listen(&story, "d", &other, 1);
    (void)listen(&story, "e", &one, 1);
    assert_int_equal(flow_cancel(story.world, gone), FLOW_OK);
    assert_int_equal(flow_signal_waiters(&one), 2);
    assert_int_equal(emit(&other, 1), 2);
    assert_int_equal(emit(&one, 2), 2);
    story_update(&story, 10);
    story_expect(&story, "b1 d1 a2 e2");
    story_end(&story);
}

static void each_receiver_goes_on_in_its_own_phase(void **state)
{
    (void)state;
    struct story story;
    int_signal signal;
    story_begin(&story, NULL);
    assert_int_equal(flow_signal_init(&signal, story.world), FLOW_OK);
    flow_phase phases[] = {FLOW_LATE, FLOW_EARLY, FLOW_FIXED};
    const char *const names[] = {"late", "early", "fixed"};
    for (int i = 0; i < 3; i++) {
        (void)FLOW_RUN_WITH(story.world, &(flow_options){.phase = phases[i]}, listener,
                            .name = names[i], .signal = &signal, .times = 1);
    }
    assert_int_equal(emit(&signal, 1), 3);
    story_frame(&story, 10);
    story_expect(&story, "early1 fixed1 late1");
    story_end(&story);
}

/* ---- nested emits ---- */

struct relay {
    flow_frame base;
    const char *name;
    int_signal *from, *to;
    int value;
};

FLOW_STATIC(relay)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_next(self->from, &self->value));
    story_log(story_of(flow), "%s%d", self->name, self->value);
    (void)emit(self->to, self->value + 1);
    story_log(story_of(flow), "%s.", self->name); /* the emitter goes on */
    FLOW_END;
}

static void nested_emits_of_several_signals_satisfy_every_wait(void **state)
{
    (void)state;
    struct story story; /* E09 */
    int_signal first, second;
    story_begin(&story, NULL);
    assert_int_equal(flow_signal_init(&first, story.world), FLOW_OK);
    assert_int_equal(flow_signal_init(&second, story.world), FLOW_OK);
    (void)FLOW_RUN(story.world, relay, .name = "r", .from = &first, .to = &second);
    (void)listen(&story, "f", &first, 2);
    (void)FLOW_RUN(story.world, relay, .name = "s", .from = &second, .to = &first);
    (void)listen(&story, "t", &second, 1);
    assert_int_equal(emit(&first, 1), 2);
    story_update(&story, 10);
    story_expect(&story, "r1 r. f1 s2 s. t2 f3");
    assert_int_equal(flow_signal_waiters(&first) + flow_signal_waiters(&second), 0);
    story_end(&story);
}

static void a_waiter_may_wait_for_the_same_signal_again_in_its_resume(void **state)
{
    (void)state;
    struct story story; /* E01, E03 */
    int_signal signal;
    story_begin(&story, NULL);
    assert_int_equal(flow_signal_init(&signal, story.world), FLOW_OK);
    (void)listen(&story, "a", &signal, 100);
    (void)listen(&story, "b", &signal, 100);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(emit(&signal, i), 2);
        assert_int_equal(flow_world_flush(story.world, FLOW_UPDATE), FLOW_OK);
    }
    story_expect(&story, "a0 b0 a1 b1 a2 b2");
    story_end(&story);
}

/* ---- in a race ---- */

struct double_wait {
    flow_frame base;
    int_signal *signal;
    int index, first, second;
};

FLOW_STATIC(double_wait)
{
    FLOW_BEGIN;
    self->first = self->second = -1;
    FLOW_RACE(self->index, flow_next(self->signal, &self->first),
              flow_next(self->signal, &self->second));
    story_log(story_of(flow), "%d:%d,%d", self->index, self->first, self->second);
    FLOW_ALL(flow_next(self->signal, &self->first), flow_next(self->signal, &self->second));
    story_log(story_of(flow), "all:%d,%d", self->first, self->second);
    FLOW_END;
}

static void two_waits_in_one_race_on_one_signal_have_one_winner(void **state)
{
    (void)state;
    struct story story;
    int_signal signal;
    story_begin(&story, NULL);
    assert_int_equal(flow_signal_init(&signal, story.world), FLOW_OK);
    (void)FLOW_RUN(story.world, double_wait, .signal = &signal);
    assert_int_equal(flow_signal_waiters(&signal), 2);
    assert_int_equal(emit(&signal, 5), 1); /* the loser is unlinked when the winner is signalled */
    assert_int_equal(flow_signal_waiters(&signal), 0);
    assert_int_equal(emit(&signal, 6), 0);
    story_update(&story, 10);
    story_expect(&story, "0:5,-1");
    assert_int_equal(emit(&signal, 7), 2);
    story_update(&story, 10);
    story_expect(&story, "all:7,7");
    story_alive(&story, 0, 0, 0);
    story_end(&story);
}

/* ---- closing ---- */

static void a_closed_signal_ends_present_and_later_waits_as_closed(void **state)
{
    (void)state;
    for (int fini = 0; fini < 2; fini++) {
        struct story story;
        int_signal signal;
        story_begin(&story, NULL);
        assert_int_equal(flow_signal_init(&signal, story.world), FLOW_OK);
        (void)FLOW_RUN(story.world, waiter, .name = "a", .wait = flow_next(&signal, NULL));
        (void)FLOW_RUN(story.world, waiter, .name = "b", .wait = flow_next(&signal, NULL));
        if (fini) {
            flow_signal_fini(&signal);
        } else {
            flow_signal_close(&signal);
        }
        story_expect(&story, ""); /* queued, not run */
        assert_int_equal(flow_signal_waiters(&signal), 0);
        story_update(&story, 10);
        story_expect(&story, "a!-4 b!-4");
        (void)FLOW_RUN(story.world, waiter, .name = "late", .wait = flow_next(&signal, NULL));
        story_expect(&story, "late!-4"); /* at once */
        assert_int_equal(emit(&signal, 1), 0);
        flow_signal_close(&signal);
        flow_signal_fini(&signal);
        flow_signal_fini(&signal);
        story_alive(&story, 0, 0, 0);
        story_end(&story);
    }
}

static void what_was_emitted_before_the_close_is_still_received(void **state)
{
    (void)state;
    struct story story; /* E04: the receivers were fixed, the value was copied */
    int_signal signal;
    story_begin(&story, NULL);
    assert_int_equal(flow_signal_init(&signal, story.world), FLOW_OK);
    (void)listen(&story, "a", &signal, 1);
    (void)listen(&story, "b", &signal, 1);
    assert_int_equal(emit(&signal, 8), 2);
    flow_signal_fini(&signal);
    story_update(&story, 10);
    story_expect(&story, "a8 b8");
    story_end(&story);
}

struct ender {
    flow_frame base;
    int_signal *signal;
    flow_outcome outcome;
    int value;
};

FLOW_STATIC(ender)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_next(self->signal, &self->value));
    flow_signal_fini(self->signal);
    FLOW_TRY(&self->outcome, flow_next(self->signal, &self->value));
    story_log(story_of(flow), "ended:%d", self->outcome.code);
    FLOW_END;
}

static void a_flow_may_end_the_signal_that_woke_it(void **state)
{
    (void)state;
    struct story story;
    int_signal signal;
    story_begin(&story, NULL);
    assert_int_equal(flow_signal_init(&signal, story.world), FLOW_OK);
    (void)listen(&story, "before", &signal, 1);
    (void)FLOW_RUN(story.world, ender, .signal = &signal);
    (void)FLOW_RUN(story.world, waiter, .name = "after", .wait = flow_next(&signal, NULL));
    assert_int_equal(emit(&signal, 1), 3);
    (void)FLOW_RUN(story.world, waiter, .name = "later", .wait = flow_next(&signal, NULL));
    story_update(&story, 10);
    story_expect(&story, "before1 ended:-4 after later!-4");
    story_alive(&story, 0, 0, 0);
    story_end(&story);
}

static void a_signal_that_was_never_made_is_closed(void **state)
{
    (void)state;
    struct story story;
    int_signal signal = {.signal = {0}};
    story_begin(&story, NULL);
    (void)FLOW_RUN(story.world, waiter, .name = "never_made", .wait = flow_next(&signal, NULL));
    story_expect(&story, "never_made!-4");
    assert_int_equal(emit(&signal, 1), 0);
    assert_int_equal(flow_signal_waiters(&signal), 0);
    flow_signal_close(&signal);
    flow_signal_fini(&signal);
    story_end(&story);
}

static void a_closed_wait_of_a_cancelled_flow_is_not_reported(void **state)
{
    (void)state;
    struct story story;
    int_signal signal;
    story_begin(&story, NULL);
    assert_int_equal(flow_signal_init(&signal, story.world), FLOW_OK);
    flow_handle flow = listen(&story, "a", &signal, 1);
    flow_signal_close(&signal);
    assert_int_equal(flow_cancel(story.world, flow), FLOW_OK);
    story_update(&story, 10);
    story_expect(&story, "");
    story_alive(&story, 0, 0, 0);
    story_end(&story);
}

/* ---- lifetimes ---- */

static void a_flow_that_dies_while_it_waits_leaves_no_trace_in_the_signal(void **state)
{
    (void)state;
    struct story story; /* A01 */
    int_signal signal;
    story_begin(&story, NULL);
    assert_int_equal(flow_signal_init(&signal, story.world), FLOW_OK);
    flow_handle group = flow_group_create(story.world, &(flow_group_desc){.name = "group"});
    (void)FLOW_RUN_WITH(story.world, &(flow_options){.owner = group}, listener, .signal = &signal,
                        .times = 9);
    assert_int_equal(flow_signal_waiters(&signal), 1);
    assert_int_equal(flow_cancel(story.world, group), FLOW_OK);
    assert_int_equal(flow_signal_waiters(&signal), 0);
    assert_int_equal(emit(&signal, 1), 0);
    story_update(&story, 10);
    story_expect(&story, "");
    story_alive(&story, 0, 0, 0);
    story_end(&story);
}

static void a_struct_with_a_signal_may_move(void **state)
{
    (void)state;
    struct story story;
    int_signal here, there;
    story_begin(&story, NULL);
    assert_int_equal(flow_signal_init(&here, story.world), FLOW_OK);
    (void)listen(&story, "a", &here, 1);
    there = here;
    memset(&here, 0x5a, sizeof here);
    assert_int_equal(emit(&there, 3), 1);
    story_update(&story, 10);
    story_expect(&story, "a3");
    story_end(&story);
}

static void a_copy_of_an_ended_signal_never_means_its_successor(void **state)
{
    (void)state;
    struct story story;
    int_signal first, second, copy;
    story_begin(&story, NULL);
    assert_int_equal(flow_signal_init(&first, story.world), FLOW_OK);
    copy = first;
    flow_signal_fini(&first);
    assert_int_equal(flow_signal_init(&second, story.world), FLOW_OK);
    (void)listen(&story, "a", &second, 1);
    assert_int_equal(emit(&copy, 1), 0);
    (void)FLOW_RUN(story.world, waiter, .name = "copy", .wait = flow_next(&copy, NULL));
    story_expect(&story, "copy!-4");
    flow_signal_fini(&copy);
    assert_int_equal(emit(&second, 2), 1);
    story_update(&story, 10);
    story_expect(&story, "a2");
    story_end(&story);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenario_9_emit_snapshot),
        cmocka_unit_test(an_emit_copies_its_value_to_each_receiver_at_that_moment),
        cmocka_unit_test(an_emit_of_null_wakes_and_copies_nothing),
        cmocka_unit_test(a_signal_is_an_edge_and_keeps_nothing),
        cmocka_unit_test(receivers_go_on_in_the_order_in_which_they_began_to_wait),
        cmocka_unit_test(each_receiver_goes_on_in_its_own_phase),
        cmocka_unit_test(nested_emits_of_several_signals_satisfy_every_wait),
        cmocka_unit_test(a_waiter_may_wait_for_the_same_signal_again_in_its_resume),
        cmocka_unit_test(two_waits_in_one_race_on_one_signal_have_one_winner),
        cmocka_unit_test(a_closed_signal_ends_present_and_later_waits_as_closed),
        cmocka_unit_test(what_was_emitted_before_the_close_is_still_received),
        cmocka_unit_test(a_flow_may_end_the_signal_that_woke_it),
        cmocka_unit_test(a_signal_that_was_never_made_is_closed),
        cmocka_unit_test(a_closed_wait_of_a_cancelled_flow_is_not_reported),
        cmocka_unit_test(a_flow_that_dies_while_it_waits_leaves_no_trace_in_the_signal),
        cmocka_unit_test(a_struct_with_a_signal_may_move),
        cmocka_unit_test(a_copy_of_an_ended_signal_never_means_its_successor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
