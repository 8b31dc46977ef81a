/* SPDX-License-Identifier: MIT */
/* How streams end: by their end, early, by failure, by cancellation in each state; what is misuse;
 * no memory. */
#include <string.h>

#include "actor.h"

/* Yields 0, 1, ..., as its steps say, one letter for each: y yields, t awaits a tick, f fails with
 * 7, c cancels itself. */
struct maker {
    flow_frame base;
    FLOW_YIELDS(int) yields;
    const char *name, *steps;
    int n;
    int closing; /* ticks awaited in its finally section */
    int odd;     /* in its finally section: yields */
};

FLOW_STATIC(maker)
{
    FLOW_BEGIN;
    story_log(story_of(flow), "%s", self->name);
    for (; *self->steps != '\0'; self->steps++) {
        if (*self->steps == 'y') {
            FLOW_YIELD(&self->n);
            self->n++;
        } else if (*self->steps == 't') {
            FLOW_AWAIT(flow_next_tick());
        } else if (*self->steps == 'f') {
            FLOW_FAIL(7, "broken");
        } else {
            (void)flow_cancel(flow_world_of(flow), flow_self(flow));
        }
    }
    FLOW_FINALLY;
    story_log(story_of(flow), "%s:%d", self->name, (int)flow_cause_of(flow));
    if (self->closing > 0) {
        FLOW_AWAIT(flow_ticks(self->closing));
    }
    if (self->odd) {
        FLOW_YIELD(&self->n);
    }
    story_log(story_of(flow), "%s.", self->name);
    FLOW_END;
}

/* Doubles what another yields. */
struct doubler {
    flow_frame base;
    FLOW_YIELDS(int) yields;
    FLOW_STREAM(int) source;
    const char *steps;
    int n, closing;
};

FLOW_STATIC(doubler)
{
    FLOW_BEGIN;
    FLOW_GENERATE(&self->source, maker, .name = "m", .steps = self->steps,
                  .closing = self->closing);
    FLOW_FOREACH(&self->source, &self->n) {
        self->n *= 2;
        FLOW_YIELD(&self->n);
    }
    FLOW_FINALLY;
    story_log(story_of(flow), "d.");
    FLOW_END;
}

/* Reads what its steps say: m moves, t awaits a tick, r races a move against a tick, e ends the
 * stream, o opens another in its place. */
struct user {
    flow_frame base;
    FLOW_STREAM(int) stream;
    const char *makes, *steps;
    flow_outcome outcome;
    int closing, odd, plain, n, more, which;
};

FLOW_STATIC(user)
{
    FLOW_BEGIN;
    if (self->plain) {
        FLOW_GENERATE(&self->stream, maker, .name = "m", .steps = self->makes,
                      .closing = self->closing, .odd = self->odd);
    } else {
        FLOW_GENERATE(&self->stream, doubler, .steps = self->makes, .closing = self->closing);
    }
    for (; *self->steps != '\0'; self->steps++) {
        if (*self->steps == 'm') {
            self->n = -1;
            FLOW_TRY(&self->outcome, flow_stream_next(&self->stream, &self->n, &self->more));
            if (self->outcome.code == 0) {
                story_log(story_of(flow), "%d/%d", self->n, self->more);
            } else {
                story_log(story_of(flow), "!%d", self->outcome.code);
            }
        } else if (*self->steps == 't') {
            FLOW_AWAIT(flow_next_tick());
        } else if (*self->steps == 'r') {
            FLOW_RACE(self->which, flow_next_tick(),
                      flow_stream_next(&self->stream, &self->n, &self->more));
            story_log(story_of(flow), "r%d", self->which);
        } else {
            flow_stream_end(&self->stream);
            story_log(story_of(flow), "e");
        }
    }
    FLOW_FINALLY;
    story_log(story_of(flow), "u.");
    FLOW_END;
}

static void expect_ticks(struct story *s, int ticks, const char *text)
{
    for (int i = 0; i < ticks; i++) {
        story_update(s, 10);
    }
    story_expect(s, text);
}

/* ---- early ends ---- */

static void what_a_producer_has_opened_ends_before_it_and_it_before_its_consumer(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    FLOW_RUN(s.world, user, .makes = "yyy", .steps = "mm");
    story_expect(&s, "m 0/1 2/1 m:2 m. d. u.");
    FLOW_RUN(s.world, user, .makes = "yyy", .steps = "mem");
    story_expect(&s, "m 0/1 m:1 m. d. e -1/0 u.");
    FLOW_RUN(s.world, user, .makes = "yy", .steps = "mmm");
    story_expect(&s, "m 0/1 2/1 m:0 m. d. -1/0 u.");
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

static void a_producer_that_never_began_cleans_nothing_up(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    FLOW_RUN(s.world, user, .makes = "y", .steps = "");
    story_expect(&s, "u.");
    FLOW_RUN(s.world, user, .makes = "y", .steps = "em");
    story_expect(&s, "e -1/0 u.");
    flow_handle h = FLOW_RUN(s.world, user, .makes = "y", .steps = "t");
    flow_cancel(s.world, h);
    story_expect(&s, "u.");
    flow_counters count = flow_world_counters(s.world);
    assert_int_equal(count.started, count.ended);
    assert_int_equal(count.started, 6);
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

static void a_finally_section_that_awaits_delays_the_scope_and_not_the_loop(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    FLOW_RUN(s.world, user, .makes = "yyy", .steps = "metm", .closing = 3);
    story_expect(&s, "m 0/1 m:1 e");
    expect_ticks(&s, 1, "-1/0");
    expect_ticks(&s, 1, "");
    expect_ticks(&s, 1, "m. d. u.");
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

static void a_consumer_is_cancelled_in_each_state_of_its_stream(void **state)
{
    static const struct {
        const char *makes, *steps, *before, *after;
        int ticks;
    } cases[] = {
        {"y", "t", "", "u.", 0},                       /* nothing has begun */
        {"yy", "mt", "m 0/1", "m:1 m. d. u.", 0},      /* the producer is parked */
        {"ty", "m", "m", "m:1 m. d. u.", 0},           /* the move waits */
        {"ty", "rt", "m r0", "m:1 m. d. u.", 1},       /* an element is kept */
        {"tty", "rt", "m r0", "m:1 m. d. u.", 1},      /* the producer waits, nobody moves */
        {"y", "mmt", "m 0/1 m:0 m. d. -1/0", "u.", 0}, /* it is over */
        {"f", "mt", "m m:4 m. d. !7", "u.", 0},        /* it has failed */
        {"tf", "rt", "m r0", "u.", 1},                 /* it fails, unseen */
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct story s;
        story_begin(&s, NULL);
        flow_handle h = FLOW_RUN(s.world, user, .makes = cases[i].makes, .steps = cases[i].steps);
        for (int t = 0; t < cases[i].ticks; t++) {
            story_update(&s, 10);
        }
        if (i == sizeof cases / sizeof cases[0] - 1) {
            story_expect(&s, "m m:4 m. r0 d.");
            s.expect_failures = 1;
        } else {
            story_expect(&s, cases[i].before);
        }
        flow_cancel(s.world, h);
        story_expect(&s, cases[i].after);
        story_alive(&s, 0, 0, 0);
        story_end(&s);
    }
}

/* ---- failures ---- */

static void a_failed_producer_fails_one_move_and_then_the_stream_is_over(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    FLOW_RUN(s.world, user, .makes = "yf", .steps = "mmm");
    story_expect(&s, "m 0/1 m:4 m. d. !7 -1/0 u.");
    FLOW_RUN(s.world, user, .makes = "ytf", .steps = "mmm");
    story_expect(&s, "m 0/1");
    expect_ticks(&s, 1, "m:4 m. d. !7 -1/0 u.");
    FLOW_RUN(s.world, user, .plain = 1, .makes = "ytc", .steps = "mmm");
    story_expect(&s, "m 0/1");
    expect_ticks(&s, 1, "m:1 m. !-3 -1/0 u.");
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

struct victim {
    flow_frame base;
    FLOW_STREAM(int) stream;
    const char *makes;
    int n;
};

FLOW_STATIC(victim)
{
    FLOW_BEGIN;
    FLOW_GENERATE(&self->stream, doubler, .steps = self->makes);
    FLOW_FOREACH(&self->stream, &self->n) {
        story_log(story_of(flow), "%d", self->n);
    }
    FLOW_END;
}

static void a_failure_climbs_from_the_producer_through_the_loop_with_its_path(void **state)
{
    struct story s;
    (void)state;
    static const char *const makes[] = {"yf", "ytf"};
    for (int i = 0; i < 2; i++) {
        story_begin(&s, NULL);
        flow_handle h = FLOW_RUN(s.world, victim, .makes = makes[i]);
        expect_ticks(&s, 1, "m 0 m:4 m. d.");
        assert_outcome(s.world, h, FLOW_STATE_FAILED, FLOW_CAUSE_NONE, 7);
        assert_int_equal(s.failure_count, 1);
        assert_int_equal(s.failures[0].failure.kind, FLOW_FAILURE_UNHANDLED);
        assert_string_equal(s.failures[0].path, "victim > doubler > maker");
        s.expect_failures = 1;
        story_end(&s);
    }
}

static void a_failure_that_no_move_meets_is_kept_and_else_undelivered(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    FLOW_RUN(s.world, user, .makes = "tf", .steps = "rtmm");
    expect_ticks(&s, 2, "m m:4 m. r0 d. !7 -1/0 u.");
    assert_int_equal(s.failure_count, 0);
    FLOW_RUN(s.world, user, .makes = "tf", .steps = "rt");
    expect_ticks(&s, 2, "m m:4 m. r0 d. u.");
    assert_int_equal(s.failure_count, 1);
    assert_int_equal(s.failures[0].failure.kind, FLOW_FAILURE_UNDELIVERED);
    assert_int_equal(s.failures[0].failure.code, 7);
    s.expect_failures = 1;
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

/* ---- from outside ---- */

struct shared {
    FLOW_STREAM(int) stream;
    flow_handle handle;
};

/* Opens a stream that lives in a host's struct, and stays. */
struct holder {
    flow_frame base;
    struct shared *shared;
    const char *makes;
};

FLOW_STATIC(holder)
{
    FLOW_BEGIN;
    FLOW_GENERATE(&self->shared->stream, maker, .name = "m", .steps = self->makes);
    FLOW_AWAIT(flow_never());
    FLOW_END;
}

struct guest {
    flow_frame base;
    struct shared *shared;
    flow_outcome outcome;
    int n, more;
};

FLOW_STATIC(guest)
{
    FLOW_BEGIN;
    for (self->more = 1; self->more && self->outcome.code == 0;) {
        FLOW_TRY(&self->outcome, flow_stream_next(&self->shared->stream, &self->n, &self->more));
        story_log(story_of(flow), "%d/%d!%d", self->n, self->more, self->outcome.code);
    }
    FLOW_END;
}

static void a_move_that_waits_is_told_when_its_stream_is_ended_by_others(void **state)
{
    struct story s;
    struct shared shared;
    (void)state;
    memset(&shared, 0, sizeof shared);
    story_begin(&s, NULL);
    shared.handle = FLOW_RUN(s.world, holder, .shared = &shared, .makes = "ytyt");
    FLOW_RUN(s.world, guest, .shared = &shared);
    story_expect(&s, "m 0/1!0");
    flow_stream_end(&shared.stream);
    story_expect(&s, "m:1 m.");
    expect_ticks(&s, 1, "0/0!0");
    flow_cancel(s.world, shared.handle);
    shared.handle = FLOW_RUN(s.world, holder, .shared = &shared, .makes = "ytyt");
    FLOW_RUN(s.world, guest, .shared = &shared);
    flow_cancel(s.world, shared.handle); /* its producer's end is that of its scope */
    expect_ticks(&s, 1, "m 0/1!0 m:1 m. 0/0!-3");
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

static void an_element_that_has_come_is_delivered_when_the_stream_is_ended(void **state)
{
    struct story s;
    struct shared shared;
    (void)state;
    memset(&shared, 0, sizeof shared);
    story_begin(&s, NULL);
    FLOW_RUN(s.world, holder, .shared = &shared, .makes = "ty");
    FLOW_RUN_WITH(s.world, FLOW_OPTIONS(.phase = FLOW_LATE), guest, .shared = &shared);
    expect_ticks(&s, 1, "m");
    flow_stream_end(&shared.stream);
    story_expect(&s, "m:1 m.");
    flow_world_tick(s.world, FLOW_LATE, 0.01);
    story_expect(&s, "0/1!0 0/0!0");
    story_end(&s);
}

/* The element has come and its flow is queued when that is cancelled, or the world destroyed. */
static void a_consumer_is_cancelled_between_the_yield_and_its_turn(void **state)
{
    struct story s;
    struct shared shared;
    (void)state;
    memset(&shared, 0, sizeof shared);
    story_begin(&s, NULL);
    FLOW_RUN(s.world, holder, .shared = &shared, .makes = "tytyty");
    for (int i = 0; i < 2; i++) {
        flow_handle h =
            FLOW_RUN_WITH(s.world, FLOW_OPTIONS(.phase = FLOW_LATE), guest, .shared = &shared);
        story_update(&s, 10);
        story_alive(&s, 3, 2, 0);
        flow_cancel(s.world, h);
        story_alive(&s, 2, 1, 0);
        h = FLOW_RUN(s.world, guest, .shared = &shared);
        story_expect(&s, i ? "1/1!0" : "m 0/1!0"); /* it moves on, and waits for the next */
        flow_cancel(s.world, h);
    }
    FLOW_RUN_WITH(s.world, FLOW_OPTIONS(.phase = FLOW_LATE), guest, .shared = &shared);
    story_update(&s, 10);
    assert_int_equal(story_destroy(&s), FLOW_OK);
    story_expect(&s, "m:6 m.");
    story_end(&s);
}

/* ---- misuse ---- */

static int quiet(struct story *s)
{
    int misuses = s->misuses;
    s->expect_misuses = misuses;
    s->expect_warnings = s->warning_count;
    s->expect_failures = s->failure_count;
    return misuses;
}

static void a_second_move_while_one_waits_is_misuse(void **state)
{
    struct story s;
    struct shared shared;
    (void)state;
    memset(&shared, 0, sizeof shared);
    story_begin(&s, NULL);
    FLOW_RUN(s.world, holder, .shared = &shared, .makes = "tyty");
    FLOW_RUN(s.world, guest, .shared = &shared);
    FLOW_RUN(s.world, guest, .shared = &shared);
    story_expect(&s, "m 0/1!-10");
    assert_non_null(
        strstr(s.misuse, "a stream is moved while another move of it waits: flow guest"));
    assert_int_equal(quiet(&s), 1);
    expect_ticks(&s, 1, "0/1!0");
    story_destroy(&s);
    s.log[0] = '\0';
    story_end(&s);
}

struct stray {
    flow_frame base;
    FLOW_YIELDS(int) yields;
    int n;
};

FLOW_STATIC(stray)
{
    FLOW_BEGIN;
    FLOW_YIELD(&self->n);
    FLOW_END;
}

static void a_yield_outside_a_stream_or_in_a_finally_section_is_misuse(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle h = FLOW_RUN(s.world, stray);
    assert_outcome(s.world, h, FLOW_STATE_FAILED, FLOW_CAUSE_NONE, FLOW_MISUSE);
    assert_non_null(strstr(s.misuse, "FLOW_YIELD in a flow that is no producer of a stream"));
    FLOW_RUN(s.world, user, .plain = 1, .makes = "y", .steps = "mm", .odd = 1);
    assert_non_null(strstr(s.misuse, "FLOW_YIELD in a finally section or a shield"));
    story_expect(&s, "m 0/1 m:0 -1/0 u.");
    assert_int_equal(s.failures[1].failure.kind, FLOW_FAILURE_CLEANUP);
    assert_int_equal(quiet(&s), 2);
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

static void a_stream_that_was_never_opened_fails_as_closed(void **state)
{
    struct story s;
    struct shared shared;
    (void)state;
    memset(&shared, 0, sizeof shared);
    story_begin(&s, NULL);
    flow_stream_end(&shared.stream);
    FLOW_RUN(s.world, guest, .shared = &shared);
    story_expect(&s, "0/0!-4");
    story_end(&s);
}

struct endless {
    flow_frame base;
    FLOW_YIELDS(int) yields;
};

FLOW_STATIC(endless)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_YIELD(NULL);
    }
    FLOW_END;
}

struct endless_user {
    flow_frame base;
    FLOW_STREAM(int) stream;
    int n;
    long turns;
};

FLOW_STATIC(endless_user)
{
    FLOW_BEGIN;
    FLOW_GENERATE(&self->stream, endless);
    self->n = 5;
    FLOW_FOREACH(&self->stream, &self->n) {
        self->turns += self->n == 0;
    }
    FLOW_FINALLY;
    story_log(story_of(flow), "%ld", self->turns);
    FLOW_END;
}

static void an_endless_loop_over_a_stream_that_never_waits_fails(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle h = FLOW_RUN(s.world, endless_user);
    assert_outcome(s.world, h, FLOW_STATE_FAILED, FLOW_CAUSE_NONE, FLOW_ENDLESS);
    story_expect(&s, "999999");
    s.expect_failures = 1;
    story_end(&s);
}

/* ---- memory ---- */

static void a_stream_that_finds_no_memory_fails_its_first_move(void **state)
{
    (void)state;
    for (long at = 1; at < 40; at++) {
        struct story s;
        story_begin(&s, NULL);
        long begun = s.calls;
        s.fail_at = begun + at;
        for (int i = 0; i < 200; i++) { /* all of them at once, to use up what there is */
            FLOW_RUN(s.world, user, .makes = "yty", .steps = "mmmt");
        }
        for (int i = 0; i < 5; i++) {
            story_update(&s, 10);
        }
        assert_int_equal(s.misuses, 0);
        flow_counters count = flow_world_counters(s.world);
        assert_int_equal(count.live, 0);
        assert_int_equal(count.waits, 0);
        assert_int_equal(count.started, count.ended);
        for (int i = 0; i < s.failure_count && i < STORY_REPORTS; i++) {
            assert_int_equal(s.failures[i].failure.code, FLOW_NOMEM);
        }
        s.fail_at = 0;
        s.log[0] = '\0';
        s.expect_failures = s.failure_count;
        story_end(&s);
    }
}

static void after_warm_up_streams_call_no_allocator(void **state)
{
    struct story s;
    long calls = 0;
    (void)state;
    story_begin(&s, NULL);
    for (int round = 0; round < 200; round++) {
        FLOW_RUN(s.world, user, .makes = "ytyyty", .steps = "mrmrmemt");
        flow_handle h = FLOW_RUN(s.world, user, .makes = "yyty", .steps = "mmmm");
        story_update(&s, 10);
        flow_cancel(s.world, h);
        for (int i = 0; i < 4; i++) {
            story_update(&s, 10);
        }
        s.log[0] = '\0';
        if (round == 20) {
            calls = s.calls;
        }
    }
    assert_int_equal(s.calls, calls);
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_producer_has_opened_ends_before_it_and_it_before_its_consumer),
        cmocka_unit_test(a_producer_that_never_began_cleans_nothing_up),
        cmocka_unit_test(a_finally_section_that_awaits_delays_the_scope_and_not_the_loop),
        cmocka_unit_test(a_consumer_is_cancelled_in_each_state_of_its_stream),
        cmocka_unit_test(a_consumer_is_cancelled_between_the_yield_and_its_turn),
        cmocka_unit_test(a_failed_producer_fails_one_move_and_then_the_stream_is_over),
        cmocka_unit_test(a_failure_climbs_from_the_producer_through_the_loop_with_its_path),
        cmocka_unit_test(a_failure_that_no_move_meets_is_kept_and_else_undelivered),
        cmocka_unit_test(a_move_that_waits_is_told_when_its_stream_is_ended_by_others),
        cmocka_unit_test(an_element_that_has_come_is_delivered_when_the_stream_is_ended),
        cmocka_unit_test(a_second_move_while_one_waits_is_misuse),
        cmocka_unit_test(a_yield_outside_a_stream_or_in_a_finally_section_is_misuse),
        cmocka_unit_test(a_stream_that_was_never_opened_fails_as_closed),
        cmocka_unit_test(an_endless_loop_over_a_stream_that_never_waits_fails),
        cmocka_unit_test(a_stream_that_finds_no_memory_fails_its_first_move),
        cmocka_unit_test(after_warm_up_streams_call_no_allocator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
