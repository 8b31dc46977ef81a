/* SPDX-License-Identifier: MIT */
/* What keeps a frame from freezing: the cap on resumes per tick, and the million awaits that
 * complete in one slice. */
#include "flows.h"

static int yes(void *arg)
{
    (void)arg;
    return 1;
}

/* ---- the resume cap ---- */

struct table {
    FLOW_SIGNAL(flow_nothing) ball[2];
    long hits;
};

struct player {
    flow_frame base;
    struct table *table;
    int side;
};

FLOW_STATIC(player)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_AWAIT(flow_next(&self->table->ball[self->side], NULL));
        self->table->hits++;
        (void)flow_emit(&self->table->ball[1 - self->side], NULL);
    }
    FLOW_END;
}

static void two_flows_wake_each_other(uint32_t cap, long per_tick)
{
    struct story story;
    struct table table = {.hits = 0};
    story_begin(&story, &(flow_world_desc){.resume_cap = cap});
    for (int side = 0; side < 2; side++) {
        assert_int_equal(flow_signal_init(&table.ball[side], story.world), FLOW_OK);
        (void)FLOW_RUN(story.world, player, .table = &table, .side = side);
    }
    assert_int_equal(flow_emit(&table.ball[0], NULL), 1);
    story_update(&story, 10);
    assert_int_equal(table.hits, per_tick);
    assert_int_equal(story.warning_count, 1);
    assert_int_equal(story.warnings[0], FLOW_WARNING_RESUME_CAP);
    story_update(&story, 10);
    assert_int_equal(table.hits, 2 * per_tick);
    assert_int_equal(story.warning_count, 1); /* once per world */
    story.expect_warnings = 1;
    story_end(&story);
}

static void two_flows_that_wake_each_other_cannot_freeze_a_tick(void **state)
{
    (void)state;
    two_flows_wake_each_other(0, 65536);
    two_flows_wake_each_other(7, 7);
}

static void the_cap_carries_the_rest_over_in_order(void **state)
{
    (void)state;
    static const char *const names[] = {"0", "1", "2", "3", "4", "5", "6", "7"};
    struct story story;
    FLOW_SIGNAL(flow_nothing) signal;
    story_begin(&story, &(flow_world_desc){.resume_cap = 3});
    assert_int_equal(flow_signal_init(&signal, story.world), FLOW_OK);
    for (int i = 0; i < 8; i++) {
        (void)FLOW_RUN(story.world, waiter, .name = names[i], .wait = flow_next(&signal, NULL));
    }
    for (int i = 0; i < 5; i++) { /* the waits of step 4 do not count */
        (void)FLOW_RUN(story.world, waiter, .name = "tick", .wait = flow_next_tick());
    }
    assert_int_equal(flow_emit(&signal, NULL), 8);
    story_update(&story, 10);
    story_expect(&story, "tick tick tick tick tick 0 1 2");
    assert_int_equal(flow_world_flush(story.world, FLOW_UPDATE), FLOW_OK);
    story_expect(&story, "3 4 5");
    (void)FLOW_RUN(story.world, waiter, .name = "tick", .wait = flow_next_tick());
    story_update(&story, 10);
    story_expect(&story, "tick 6 7");
    story.expect_warnings = 1;
    story_end(&story);
}

static void exactly_as_many_resumes_as_the_cap_allows_are_no_reason_to_warn(void **state)
{
    (void)state;
    struct story story;
    FLOW_SIGNAL(flow_nothing) signal;
    story_begin(&story, &(flow_world_desc){.resume_cap = 3});
    assert_int_equal(flow_signal_init(&signal, story.world), FLOW_OK);
    for (int i = 0; i < 3; i++) {
        (void)FLOW_RUN(story.world, waiter, .name = "r", .wait = flow_next(&signal, NULL));
    }
    assert_int_equal(flow_emit(&signal, NULL), 3);
    story_update(&story, 10);
    story_expect(&story, "r r r");
    story_end(&story);
}

/* ---- endless loops ---- */

enum kind { READY, TICKS, FRAMES, UNTIL, CALL, TRY, RACE, ALL, MIXED, KINDS };

struct nothing {
    flow_frame base;
};

FLOW_STATIC(nothing)
{
    FLOW_BEGIN;
    FLOW_END;
}

struct spinner {
    flow_frame base;
    enum kind kind;
    long limit; /* completed awaits before it waits for a tick; 0: never */
    long *done;
    long in_finally;
    int index;
    flow_outcome outcome;
};

static int spin_line;

FLOW_STATIC(spinner)
{
    FLOW_BEGIN;
    for (;;) {
        if (self->limit != 0 && *self->done % self->limit == self->limit - 1) {
            ++*self->done;
            FLOW_AWAIT(flow_next_tick());
        }
        if (self->kind == READY) {
            spin_line = __LINE__ + 1;
            FLOW_AWAIT(flow_ready());
        } else if (self->kind == TICKS) {
            spin_line = __LINE__ + 1;
            FLOW_AWAIT(flow_ticks(0));
        } else if (self->kind == FRAMES) {
            spin_line = __LINE__ + 1;
            FLOW_AWAIT(flow_frames(0));
        } else if (self->kind == UNTIL) {
            spin_line = __LINE__ + 1;
            FLOW_AWAIT(flow_until(yes, NULL));
        } else if (self->kind == CALL) {
            spin_line = __LINE__ + 1;
            FLOW_AWAIT(FLOW_CALL(nothing));
        } else if (self->kind == TRY) {
            spin_line = __LINE__ + 1;
            FLOW_TRY(&self->outcome, flow_ready());
            if (self->outcome.state != FLOW_STATE_DONE) {
                FLOW_FAIL(self->outcome.code, self->outcome.message);
            }
        } else if (self->kind == RACE) {
            spin_line = __LINE__ + 1;
            FLOW_RACE(self->index, flow_ready(), flow_never());
        } else if (self->kind == ALL) {
            spin_line = __LINE__ + 1;
            FLOW_ALL(flow_ready(), flow_ready());
        } else {
            spin_line = __LINE__ + 1;
            FLOW_AWAIT(*self->done % 2 ? flow_ready() : flow_ticks(0));
        }
        ++*self->done;
    }
    FLOW_FINALLY;
    for (self->in_finally = 0; self->in_finally < 900000; self->in_finally++) {
        FLOW_AWAIT(flow_ready()); /* it has an allowance of its own */
    }
    story_log(story_of(flow), "finally");
    FLOW_END;
}

static void the_millionth_await_that_completes_at_once_fails_the_flow_as_endless(void **state)
{
    (void)state;
    for (int kind = READY; kind < KINDS; kind++) {
        struct story story;
        long done = 0;
        story_begin(&story, NULL);
        flow_handle flow = FLOW_RUN(story.world, spinner, .kind = (enum kind)kind, .done = &done);
        assert_int_equal(done, 999999);
        story_expect(&story, "finally");
        assert_int_equal(flow_state_of(story.world, flow), FLOW_STATE_FAILED);
        assert_int_equal(story.failure_count, 1);
        assert_int_equal(story.failures[0].failure.code, FLOW_ENDLESS);
        assert_int_equal(story.failures[0].failure.kind, FLOW_FAILURE_UNHANDLED);
        assert_string_equal(story.failures[0].path, "spinner");
        if (kind != TRY) { /* that one fails a second time, as a user would */
            assert_int_equal(story.failures[0].failure.line, spin_line);
        }
        assert_string_equal(story.failures[0].failure.file, __FILE__);
        story.expect_failures = 1;
        story_end(&story);
    }
}

static void a_slice_that_suspends_begins_to_count_anew(void **state)
{
    (void)state;
    struct story story;
    long done = 0;
    story_begin(&story, NULL);
    flow_handle flow =
        FLOW_RUN(story.world, spinner, .kind = READY, .limit = 900000, .done = &done);
    story_update(&story, 10);
    story_update(&story, 10);
    assert_int_equal(done, 2700000);
    assert_int_equal(flow_cancel(story.world, flow), FLOW_OK);
    story_expect(&story, "finally");
    story_end(&story);
}

static void delay_of_zero_in_a_loop_runs_once_per_frame(void **state)
{
    (void)state;
    struct story story;
    FLOW_SIGNAL(flow_nothing) unused;
    story_begin(&story, NULL);
    assert_int_equal(flow_signal_init(&unused, story.world), FLOW_OK);
    for (int i = 0; i < 4; i++) { /* B11, with the four waits that end at the next tick */
        flow_wait waits[] = {flow_seconds(0), flow_seconds(-3), flow_next_tick(),
                             flow_next_frame()};
        (void)FLOW_RUN(story.world, waiter, .name = "once", .wait = waits[i]);
    }
    story_expect(&story, "");
    story_update(&story, 0);
    story_expect(&story, "once once once once");
    story_end(&story);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_flows_that_wake_each_other_cannot_freeze_a_tick),
        cmocka_unit_test(the_cap_carries_the_rest_over_in_order),
        cmocka_unit_test(exactly_as_many_resumes_as_the_cap_allows_are_no_reason_to_warn),
        cmocka_unit_test(the_millionth_await_that_completes_at_once_fails_the_flow_as_endless),
        cmocka_unit_test(a_slice_that_suspends_begins_to_count_anew),
        cmocka_unit_test(delay_of_zero_in_a_loop_runs_once_per_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
