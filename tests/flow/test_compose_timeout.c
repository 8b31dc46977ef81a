/* SPDX-License-Identifier: MIT */
/* Timeouts: a race with a timer that leaves nothing behind. */
#include "actor.h"

static int counts_no(void *arg)
{
    ++*(int *)arg;
    return 0;
}

struct waits_in_vain {
    flow_frame base;
    int *calls;
    int timed_out;
};

FLOW_STATIC(waits_in_vain)
{
    FLOW_BEGIN;
    FLOW_TIMEOUT(&self->timed_out, flow_until(counts_no, self->calls), 0.05);
    story_log(story_of(flow), "%d@%d", self->timed_out, (int)flow_frame_count(flow));
    FLOW_AWAIT(flow_never());
    FLOW_END;
}

struct repeats {
    flow_frame base;
    int timed_out;
    int i;
    int times;
};

FLOW_STATIC(repeats)
{
    FLOW_BEGIN;
    for (self->i = 0; self->i < 10000; self->i++) {
        FLOW_TIMEOUT(&self->timed_out, flow_next_frame(), 1.0);
        self->times += self->timed_out;
    }
    story_log(story_of(flow), "timed out:%d", self->times);
    FLOW_END;
}

/* C01, C02, scenario 4 */
static void a_timeout_leaves_nothing(void **state)
{
    struct story s;
    int calls = 0;
    (void)state;
    story_begin(&s, NULL);
    flow_handle h = FLOW_RUN(s.world, waits_in_vain, .calls = &calls);
    story_frame(&s, 20);
    story_frame(&s, 20);
    story_expect(&s, "");
    story_frame(&s, 20);
    story_expect(&s, "1@3");
    int frozen = calls;
    assert_int_equal(
        frozen,
        3); /* at once, and in two ticks; the timer comes before the predicate in the third */
    story_frame(&s, 20);
    story_frame(&s, 20);
    assert_int_equal(calls, frozen);
    assert_int_equal(flow_cancel(s.world, h), FLOW_OK);
    story_alive(&s, 0, 0, 0);

    (void)FLOW_RUN(s.world, repeats);
    for (int i = 0; i < 10000; i++) {
        story_frame(&s, 1);
    }
    story_expect(&s, "timed out:0");
    assert_true(flow_world_counters(s.world).timers_peak <= 2);
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

/* ---- who wins ---- */

enum what { READY, FAILED, UNTIL_TRUE, CALL_DONE, CALL_LATER, TICK, TIMER_SAME };

struct limited {
    flow_frame base;
    enum what what;
    double seconds;
    int timed_out;
    flow_outcome outcome;
};

static int yes(void *arg)
{
    (void)arg;
    return 1;
}

FLOW_STATIC(limited)
{
    FLOW_BEGIN;
    self->timed_out = -1;
    FLOW_TRY(&self->outcome,
             flow_timeout(&self->timed_out,
                          self->what == READY        ? flow_ready()
                          : self->what == FAILED     ? flow_failed(4, "at once")
                          : self->what == UNTIL_TRUE ? flow_until(yes, NULL)
                          : self->what == TICK       ? flow_next_tick()
                          : self->what == TIMER_SAME ? flow_seconds(self->seconds)
                          : self->what == CALL_DONE
                              ? FLOW_CALL(actor, .name = "a")
                              : FLOW_CALL(actor, .name = "a", .ticks = 2, .closing = 1),
                          self->seconds));
    story_log(story_of(flow), "%d:%d:%d", self->timed_out, self->outcome.code,
              (int)flow_tick_count(flow));
    FLOW_END;
}

static void a_finished_wait_wins_even_at_zero_seconds(void **state)
{
    static const struct {
        enum what what;
        const char *log;
    } rows[] = {{READY, "0:0:0"},
                {FAILED, "0:4:0"},
                {UNTIL_TRUE, "0:0:0"},
                {CALL_DONE, "a+ a= a- 0:0:0"},
                {TICK, "1:0:1"},
                {TIMER_SAME, "0:0:1"},
                {CALL_LATER, "a+ a-l a. 1:0:2"}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int negative = 0; negative < 2; negative++) {
            struct story s;
            story_begin(&s, NULL);
            (void)FLOW_RUN(s.world, limited, .what = rows[i].what,
                           .seconds = negative ? -1.0 : 0.0);
            story_update(&s, 10);
            story_update(&s, 10);
            story_expect(&s, rows[i].log);
            story_alive(&s, 0, 0, 0);
            story_end(&s);
        }
    }
}

static void the_limit_is_met_at_the_first_tick_that_reaches_it(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, limited, .what = CALL_LATER, .seconds = 0.030);
    story_update(&s, 10);
    story_update(&s, 10); /* the call's body ends in time, its closing await does not count less */
    story_expect(&s, "a+ a= a-");
    story_update(&s, 10);
    story_expect(&s, "a. 1:0:3"); /* the timer comes first in a tick */
    (void)FLOW_RUN(s.world, limited, .what = CALL_LATER, .seconds = 0.031);
    story_update(&s, 10);
    story_update(&s, 10);
    story_update(&s, 10);
    story_expect(&s, "a+ a= a- a. 0:0:6");
    story_end(&s);
}

struct on_clock {
    flow_frame base;
    flow_clock clock;
    int timed_out;
};

FLOW_STATIC(on_clock)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_timeout_on(self->clock, &self->timed_out,
                               FLOW_CALL(actor, .name = "a", .ticks = 6), 0.020));
    story_log(story_of(flow), "%d@%d", self->timed_out, (int)flow_tick_count(flow));
    FLOW_END;
}

static void a_timeout_counts_on_the_clock_it_is_given(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    assert_int_equal(flow_clock_set_scale(s.world, FLOW_CLOCK_GAME, 0.5), FLOW_OK);
    (void)FLOW_RUN(s.world, on_clock);
    (void)FLOW_RUN(s.world, on_clock, .clock = FLOW_CLOCK_UNSCALED);
    for (int i = 0; i < 6; i++) {
        story_update(&s, 10);
    }
    story_expect(&s, "a+ a+ a-l 1@2 a-l 1@4");
    story_end(&s);
}

/* ---- a cancelled timeout ---- */

static void cancelling_the_owner_of_a_timeout_leaves_neither_timer_nor_call(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle h = FLOW_RUN(s.world, limited, .what = CALL_LATER, .seconds = 9.0);
    story_alive(&s, 2, 3 + 1, 1);
    assert_int_equal(flow_cancel(s.world, h), FLOW_PENDING); /* a's finally section awaits */
    assert_int_equal(flow_world_counters(s.world).timers, 0);
    story_update(&s, 1);
    story_expect(&s, "a+ a-x a.");
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

/* G10 */
struct idle {
    flow_frame base;
    flow_signal *signal;
    int n;
    int times;
    int timed_out;
};

FLOW_STATIC(idle)
{
    FLOW_BEGIN;
    for (self->n = 0; self->n < 100000; self->n++) {
        FLOW_TIMEOUT(&self->timed_out, flow_next_(self->signal, NULL), 0.0);
        self->times += self->timed_out;
    }
    story_log(story_of(flow), "%d", self->times);
    FLOW_END;
}

static void a_hundred_thousand_timed_out_waits_leave_no_waiter(void **state)
{
    struct story s;
    FLOW_SIGNAL(flow_nothing) signal;
    (void)state;
    story_begin(&s, NULL);
    assert_int_equal(flow_signal_init(&signal, s.world), FLOW_OK);
    (void)FLOW_RUN(s.world, idle, .signal = &signal.signal);
    for (int i = 0; i < 100000; i++) {
        assert_int_equal(flow_signal_waiters(&signal), 1);
        story_update(&s, 1);
    }
    story_expect(&s, "100000");
    assert_int_equal(flow_signal_waiters(&signal), 0);
    flow_signal_fini(&signal);
    story_end(&s);
}

/* ---- a limit on the waiting alone ---- */

struct keeps {
    flow_frame base;
    int ticks;
    int timed_out;
};

FLOW_STATIC(keeps)
{
    FLOW_BEGIN;
    FLOW_TIMEOUT_KEEP(&self->timed_out, FLOW_CALL(actor, .name = "a", .ticks = self->ticks), 0.015);
    story_log(story_of(flow), "%d@%d", self->timed_out, (int)flow_tick_count(flow));
    FLOW_AWAIT(flow_ticks(3));
    FLOW_END;
}

static void a_timeout_that_keeps_stops_the_waiting_and_lets_the_call_go_on(void **state)
{
    static const struct {
        int ticks;
        const char *log;
    } rows[] = {{1, "a+ a= a- 0@1"}, /* in time: the timer goes */
                {3, "a+ 1@2 a= a-"}, /* too late: the call runs to its end */
                {9, "a+ 1@2 a-p"}};  /* its scope ends first, and it with that */
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct story s;
        story_begin(&s, NULL);
        (void)FLOW_RUN(s.world, keeps, .ticks = rows[i].ticks);
        for (int tick = 0; tick < 6; tick++) {
            story_update(&s, 10);
        }
        story_expect(&s, rows[i].log);
        story_alive(&s, 0, 0, 0);
        story_end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_timeout_leaves_nothing),
        cmocka_unit_test(a_finished_wait_wins_even_at_zero_seconds),
        cmocka_unit_test(the_limit_is_met_at_the_first_tick_that_reaches_it),
        cmocka_unit_test(a_timeout_that_keeps_stops_the_waiting_and_lets_the_call_go_on),
        cmocka_unit_test(a_timeout_counts_on_the_clock_it_is_given),
        cmocka_unit_test(cancelling_the_owner_of_a_timeout_leaves_neither_timer_nor_call),
        cmocka_unit_test(a_hundred_thousand_timed_out_waits_leave_no_waiter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
