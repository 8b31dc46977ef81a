/* SPDX-License-Identifier: MIT */
/* Signals: closing with an error, waits that take a close as a value, and waits with a condition.
 */
#include "flows.h"

#include <string.h>

typedef FLOW_SIGNAL(int) int_signal;

static uint32_t emit(int_signal *signal, int value)
{
    return flow_emit(signal, &value);
}

/* ---- closing with an error ---- */

static void a_failed_signal_ends_present_and_later_waits_with_its_code(void **state)
{
    (void)state;
    struct story story;
    int_signal signal;
    story_begin(&story, NULL);
    assert_int_equal(flow_signal_init(&signal, story.world), FLOW_OK);
    (void)FLOW_RUN(story.world, waiter, .name = "before", .wait = flow_next(&signal, NULL));
    flow_signal_fail(&signal, 7, "the server is gone");
    story_expect(&story, "");
    story_update(&story, 10);
    (void)FLOW_RUN(story.world, waiter, .name = "after", .wait = flow_next(&signal, NULL));
    story_expect(&story, "before!7 after!7");
    assert_int_equal(emit(&signal, 1), 0);
    flow_signal_fail(&signal, 8, "again"); /* the first close counts */
    flow_signal_close(&signal);
    (void)FLOW_RUN(story.world, waiter, .name = "still", .wait = flow_next(&signal, NULL));
    story_expect(&story, "still!7");
    flow_signal_fini(&signal);
    (void)FLOW_RUN(story.world, waiter, .name = "ended", .wait = flow_next(&signal, NULL));
    story_expect(&story, "ended!-4");
    story_end(&story);
}

struct listener {
    flow_frame base;
    int_signal *signal;
    int in_a_race, index, closed;
};

FLOW_STATIC(listener)
{
    FLOW_BEGIN;
    if (self->in_a_race) {
        FLOW_RACE(self->index, flow_never(), flow_next(self->signal, NULL));
    }
    FLOW_AWAIT(flow_next(self->signal, NULL));
    FLOW_END;
}

static void the_message_of_a_failed_signal_reaches_the_report(void **state)
{
    (void)state;
    struct story story;
    int_signal signal;
    story_begin(&story, NULL);
    assert_int_equal(flow_signal_init(&signal, story.world), FLOW_OK);
    (void)FLOW_RUN(story.world, listener, .signal = &signal);
    (void)FLOW_RUN(story.world, listener, .signal = &signal, .in_a_race = 1);
    flow_signal_fail(&signal, 7, "the server is gone");
    story_update(&story, 10);
    (void)FLOW_RUN(story.world, listener, .signal = &signal);
    story.expect_failures = 3;
    assert_int_equal(story.failure_count, 3);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(story.failures[i].failure.code, 7);
        assert_string_equal(story.failures[i].failure.message, "the server is gone");
    }
    story_end(&story);
}

static void failing_with_success_or_what_was_never_made_is_harmless(void **state)
{
    (void)state;
    struct story story;
    int_signal signal, never_made;
    memset(&never_made, 0, sizeof never_made);
    story_begin(&story, NULL);
    assert_int_equal(flow_signal_init(&signal, story.world), FLOW_OK);
    flow_signal_fail(&never_made, 7, "nobody hears it");
    flow_signal_fail(&signal, 0, "no failure");
    story.expect_misuses = story.misuses;
    (void)FLOW_RUN(story.world, waiter, .name = "a", .wait = flow_next(&signal, NULL));
    story_expect(&story, "a!-10");
    story_end(&story);
}

/* ---- a close as a value ---- */

struct reader {
    flow_frame base;
    int_signal *signal;
    int value, closed;
};

FLOW_STATIC(reader)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_AWAIT(flow_next_or_closed(self->signal, &self->value, &self->closed));
        if (self->closed) {
            break;
        }
        story_log(story_of(flow), "%d", self->value);
    }
    story_log(story_of(flow), "closed");
    FLOW_AWAIT(flow_next_or_closed(self->signal, &self->value, &self->closed));
    story_log(story_of(flow), "%d", self->closed);
    FLOW_END;
}

static void a_loop_over_a_signal_may_take_its_close_as_a_value(void **state)
{
    (void)state;
    struct story story;
    int_signal signal;
    story_begin(&story, NULL);
    assert_int_equal(flow_signal_init(&signal, story.world), FLOW_OK);
    (void)FLOW_RUN(story.world, reader, .signal = &signal, .closed = 9);
    for (int i = 1; i <= 2; i++) {
        assert_int_equal(emit(&signal, i), 1);
        story_update(&story, 10);
    }
    flow_signal_close(&signal);
    story_update(&story, 10);
    story_expect(&story, "1 2 closed 1");
    story_alive(&story, 0, 0, 0);
    story_end(&story);
}

static void an_error_is_no_close(void **state)
{
    (void)state;
    struct story story;
    int_signal signal;
    int closed = 9;
    story_begin(&story, NULL);
    assert_int_equal(flow_signal_init(&signal, story.world), FLOW_OK);
    (void)FLOW_RUN(story.world, waiter, .name = "a",
                   .wait = flow_next_or_closed(&signal, NULL, &closed));
    flow_signal_fail(&signal, 7, NULL);
    story_update(&story, 10);
    story_expect(&story, "a!7");
    assert_int_equal(closed, 0);
    story_end(&story);
}

/* ---- conditions ---- */

static int is_even(const void *value, void *arg)
{
    ++*(int *)arg;
    return value != NULL && *(const int *)value % 2 == 0;
}

static void a_wait_with_a_condition_lets_other_values_go_by(void **state)
{
    (void)state;
    struct story story;
    int_signal signal;
    int tests = 0, got = 0, any = 0;
    story_begin(&story, NULL);
    assert_int_equal(flow_signal_init(&signal, story.world), FLOW_OK);
    (void)FLOW_RUN(story.world, waiter, .name = "even",
                   .wait = flow_next_if(&signal, &got, is_even, &tests));
    (void)FLOW_RUN(story.world, waiter, .name = "any", .wait = flow_next(&signal, &any));
    assert_int_equal(flow_emit(&signal, NULL), 1);
    assert_int_equal(emit(&signal, 3), 0);
    assert_int_equal(emit(&signal, 4), 1);
    assert_int_equal(emit(&signal, 6), 0);
    story_update(&story, 10);
    story_expect(&story, "any even");
    assert_int_equal(tests, 3);
    assert_int_equal(got, 4);
    story_alive(&story, 0, 0, 0);
    story_end(&story);
}

struct meddler {
    struct story *story;
    int_signal *signal;
    flow_handle flows[4];
    int cancels[4]; /* which are cancelled in the first test */
    int ends;       /* the signal */
    int emits;      /* while less than this, the next value */
    int depth;
};

static int meddle(const void *value, void *arg)
{
    struct meddler *meddler = arg;
    for (int i = 0; i < 4; i++) {
        if (meddler->cancels[i]) {
            meddler->cancels[i] = 0;
            (void)flow_cancel(meddler->story->world, meddler->flows[i]);
        }
    }
    if (meddler->ends) {
        flow_signal_fini(meddler->signal);
    }
    if (*(const int *)value < meddler->emits) {
        (void)emit(meddler->signal, *(const int *)value + 1);
    }
    return 1;
}

static void meddling_starts(struct story *story, struct meddler *meddler, int_signal *signal,
                            int *got)
{
    static const char *const names[] = {"a", "b", "c", "d"};
    story_begin(story, NULL);
    meddler->story = story;
    meddler->signal = signal;
    assert_int_equal(flow_signal_init(signal, story->world), FLOW_OK);
    for (int i = 0; i < 4; i++) {
        got[i] = 0;
        meddler->flows[i] = FLOW_RUN(story->world, waiter, .name = names[i],
                                     .wait = i == 1 ? flow_next_if(signal, &got[i], meddle, meddler)
                                                    : flow_next(signal, &got[i]));
    }
}

static void a_condition_may_cancel_any_of_the_waiting_flows(void **state)
{
    (void)state;
    static const char *const expected[] = {"a~ b c d", "b~ a c d", "c~ a b d", "d~ a b c"};
    static const uint32_t receivers[] = {4, 3, 3, 3};
    for (int i = 0; i < 4; i++) {
        struct story story;
        struct meddler meddler = {.cancels = {i == 0, i == 1, i == 2, i == 3}};
        int_signal signal;
        int got[4];
        meddling_starts(&story, &meddler, &signal, got);
        assert_int_equal(emit(&signal, 5), receivers[i]);
        story_update(&story, 10);
        story_expect(&story, expected[i]);
        story_alive(&story, 0, 0, 0);
        story_end(&story);
    }
}

static void a_condition_may_end_the_signal(void **state)
{
    (void)state;
    struct story story;
    struct meddler meddler = {.ends = 1};
    int_signal signal;
    int got[4];
    meddling_starts(&story, &meddler, &signal, got);
    assert_int_equal(emit(&signal, 5), 1);
    story_update(&story, 10);
    story_expect(&story, "a b!-4 c!-4 d!-4");
    story_alive(&story, 0, 0, 0);
    story_end(&story);
}

static void a_value_emitted_by_a_condition_comes_after_the_earlier_one(void **state)
{
    (void)state;
    struct story story;
    struct meddler meddler = {.emits = 6};
    int_signal signal;
    int got[4];
    meddling_starts(&story, &meddler, &signal, got);
    assert_int_equal(emit(&signal, 5),
                     3); /* b has got the 6 by the time its test says yes to the 5 */
    assert_int_equal(got[0], 5);
    assert_int_equal(got[1], 6);
    assert_int_equal(got[2], 5);
    assert_int_equal(got[3], 5);
    story_update(&story, 10);
    story_expect(&story, "a c d b");
    story_end(&story);
}

static int emits_again(const void *value, void *arg)
{
    struct meddler *meddler = arg;
    meddler->depth++;
    (void)emit(meddler->signal, *(const int *)value + 1);
    return 0;
}

static void conditions_that_emit_without_end_are_refused(void **state)
{
    (void)state;
    struct story story;
    struct meddler meddler = {.depth = 0};
    int_signal signal;
    story_begin(&story, NULL); /* E05 */
    meddler.signal = &signal;
    assert_int_equal(flow_signal_init(&signal, story.world), FLOW_OK);
    flow_handle flow = FLOW_RUN(story.world, waiter, .name = "a",
                                .wait = flow_next_if(&signal, NULL, emits_again, &meddler));
    assert_int_equal(emit(&signal, 1), 0);
    assert_int_equal(meddler.depth, FLOW_NESTING_LIMIT);
    assert_int_equal(story.misuses, 1);
    story.expect_misuses = 1;
    assert_int_equal(flow_signal_waiters(&signal), 1);
    assert_int_equal(flow_cancel(story.world, flow), FLOW_OK);
    story_expect(&story, "a~");
    story_end(&story);
}

struct racer {
    flow_frame base;
    int_signal *signal;
    int tests, index, value, closed;
};

FLOW_STATIC(racer)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_RACE(self->index, flow_next_if(self->signal, &self->value, is_even, &self->tests),
                  flow_next_or_closed(self->signal, &self->value, &self->closed), flow_next_tick());
    }
    FLOW_END;
}

static void waits_that_lose_leave_nothing_behind(void **state)
{
    (void)state;
    struct story story;
    int_signal signal;
    story_begin(&story, NULL); /* G10 */
    assert_int_equal(flow_signal_init(&signal, story.world), FLOW_OK);
    flow_handle flow = FLOW_RUN(story.world, racer, .signal = &signal);
    story_frames(&story, 2, 10);
    flow_counters before = flow_world_counters(story.world);
    for (int i = 0; i < 100000; i++) {
        (void)flow_world_tick(story.world, FLOW_UPDATE, 0.01);
    }
    assert_int_equal(flow_signal_waiters(&signal), 2);
    assert_int_equal(flow_world_counters(story.world).bytes, before.bytes);
    assert_int_equal(flow_world_counters(story.world).waits, before.waits);
    assert_int_equal(flow_cancel(story.world, flow), FLOW_OK);
    assert_int_equal(flow_signal_waiters(&signal), 0);
    story_alive(&story, 0, 0, 0);
    story_end(&story);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failed_signal_ends_present_and_later_waits_with_its_code),
        cmocka_unit_test(the_message_of_a_failed_signal_reaches_the_report),
        cmocka_unit_test(failing_with_success_or_what_was_never_made_is_harmless),
        cmocka_unit_test(a_loop_over_a_signal_may_take_its_close_as_a_value),
        cmocka_unit_test(an_error_is_no_close),
        cmocka_unit_test(a_wait_with_a_condition_lets_other_values_go_by),
        cmocka_unit_test(a_condition_may_cancel_any_of_the_waiting_flows),
        cmocka_unit_test(a_condition_may_end_the_signal),
        cmocka_unit_test(a_value_emitted_by_a_condition_comes_after_the_earlier_one),
        cmocka_unit_test(conditions_that_emit_without_end_are_refused),
        cmocka_unit_test(waits_that_lose_leave_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
