/* SPDX-License-Identifier: MIT */
/* Bodies that go to a worker and come back: what they may do there, and what becomes of them when
 * they end, fail or are cancelled meanwhile. */
#include "executors.h"
#include "flows.h"

#include <string.h>

static pthread_t home;

static int at_home(void)
{
    return pthread_equal(pthread_self(), home) != 0;
}

typedef enum there {
    COME_HOME,
    END_THERE,
    RETURN_THERE,
    FAIL_THERE,
    AWAIT_THERE,
    WAIT_FOR_STOP
} there;

struct traveller {
    flow_frame base;
    flow_executor *to;
    there what;
    int sum, asked;
    int owned;
    atomic_int *arrived; /* it is there */
    flow_outcome outcome;
};

static void give_back(void *arg)
{
    struct traveller *t = arg;
    assert_true(at_home());
    t->owned--;
}

FLOW_STATIC(traveller)
{
    FLOW_BEGIN;
    self->owned++;
    FLOW_DEFER(give_back, self);
    FLOW_TRY(&self->outcome, flow_switch_to(self->to));
    if (self->outcome.state != FLOW_STATE_DONE) {
        assert_true(at_home());
        story_log(story_of(flow), "!%d", self->outcome.code);
        FLOW_RETURN;
    }
    assert_false(at_home());
    for (int i = 1; i <= 100; i++) {
        self->sum += i;
    }
    if (self->what == RETURN_THERE) {
        FLOW_RETURN;
    }
    if (self->what == FAIL_THERE) {
        FLOW_FAIL(7, "it went wrong there");
    }
    if (self->what == AWAIT_THERE) {
        FLOW_AWAIT(flow_next_tick());
    }
    if (self->what == WAIT_FOR_STOP) {
        atomic_store(self->arrived, 1);
        while (!flow_stop_requested(flow)) {
            sched_yield();
        }
        self->asked = 1;
    }
    FLOW_AWAIT(flow_switch_home());
    assert_true(at_home());
    story_log(story_of(flow), "%d", self->sum);
    FLOW_AWAIT(flow_switch_home()); /* done at once */
    FLOW_FINALLY;
    assert_true(at_home());
    story_log(story_of(flow), self->asked ? "end, asked" : "end");
    FLOW_END;
}

static void begin(struct story *s, struct hand *hand)
{
    home = pthread_self();
    story_begin(s, NULL);
    hand_begin(hand, 1);
}

static void a_body_goes_on_on_a_worker_and_comes_back_in_its_phase(void **state)
{
    struct story s;
    struct hand hand;
    (void)state;
    begin(&s, &hand);
    flow_handle h = FLOW_RUN(s.world, traveller, .to = &hand.executor);
    assert_int_equal(hand.count, 1);
    hand_do(&hand);
    story_expect(&s, "");
    assert_int_equal(flow_world_begin_frame(s.world, 0.01), FLOW_OK);
    assert_int_equal(flow_world_tick(s.world, FLOW_EARLY, 0.01), FLOW_OK);
    story_expect(&s, ""); /* it lives in UPDATE */
    assert_int_equal(flow_world_tick(s.world, FLOW_UPDATE, 0.01), FLOW_OK);
    story_expect(&s, "5050 end");
    assert_int_equal(flow_state_of(s.world, h), FLOW_STATE_DONE);
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

static void a_function_that_ends_or_fails_on_a_worker_does_so_at_home(void **state)
{
    struct story s;
    struct hand hand;
    flow_outcome outcomes[2] = {{0}};
    (void)state;
    begin(&s, &hand);
    (void)FLOW_RUN_WITH(s.world, FLOW_OPTIONS(.outcome = &outcomes[0]), traveller,
                        .to = &hand.executor, .what = RETURN_THERE);
    (void)FLOW_RUN_WITH(s.world, FLOW_OPTIONS(.outcome = &outcomes[1]), traveller,
                        .to = &hand.executor, .what = FAIL_THERE);
    hand_do_all(&hand);
    story_expect(&s, "");
    story_frame(&s, 10);
    story_expect(&s, "end end");
    assert_int_equal(outcomes[0].state, FLOW_STATE_DONE);
    assert_int_equal(outcomes[1].state, FLOW_STATE_FAILED);
    assert_int_equal(outcomes[1].code, 7);
    assert_string_equal(outcomes[1].message, "it went wrong there");
    s.expect_failures = 1;
    story_end(&s);
}

struct ender {
    flow_frame base;
    flow_executor *to;
    int *ran;
};

FLOW_STATIC(ender)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_switch_to(self->to));
    ++*self->ran;
    FLOW_END;
}

struct caller {
    flow_frame base;
    flow_executor *to;
    int ran;
    flow_outcome outcome;
};

FLOW_STATIC(caller)
{
    FLOW_BEGIN;
    FLOW_TRY(&self->outcome, FLOW_CALL(ender, .to = self->to, .ran = &self->ran));
    assert_true(at_home());
    story_log(story_of(flow), "called %d:%d", self->ran, self->outcome.code);
    FLOW_ALL(FLOW_CALL(ender, .to = self->to, .ran = &self->ran),
             FLOW_CALL(ender, .to = self->to, .ran = &self->ran));
    story_log(story_of(flow), "both %d", self->ran);
    FLOW_END;
}

static void a_call_that_ends_on_a_worker_returns_to_its_caller_at_home(void **state)
{
    struct story s;
    struct hand hand;
    (void)state;
    begin(&s, &hand);
    (void)FLOW_RUN(s.world, caller, .to = &hand.executor);
    hand_do(&hand);
    story_frame(&s, 10);
    story_expect(&s, "called 1:0");
    assert_int_equal(hand.count, 2);
    hand_do_all(&hand);
    story_frame(&s, 10);
    story_expect(&s, "both 3");
    story_end(&s);
}

static void an_executor_that_takes_nothing_or_drops_it_is_a_failure_that_a_try_takes(void **state)
{
    struct story s;
    struct hand hand;
    (void)state;
    begin(&s, &hand);
    (void)FLOW_RUN(s.world, traveller, .to = &hand.executor);
    hand_drop(&hand);
    hand.closed = 1;
    (void)FLOW_RUN(s.world, traveller, .to = &hand.executor);
    story_expect(&s, "!-4 end");
    story_frame(&s, 10);
    story_expect(&s, "!-4 end");
    story_end(&s);
}

static void a_cancel_waits_for_the_body_which_is_asked_to_stop_and_unwinds_at_home(void **state)
{
    struct story s;
    struct hand hand;
    struct pool pool;
    atomic_int arrived = 0;
    (void)state;
    begin(&s, &hand);
    pool_begin(&pool, 1);
    flow_handle h = FLOW_RUN(s.world, traveller, .to = &pool.executor, .what = WAIT_FOR_STOP,
                             .arrived = &arrived);
    while (!atomic_load(&arrived)) {
        sched_yield();
    }
    assert_int_equal(flow_cancel(s.world, h), FLOW_PENDING);
    story_expect(&s, "");
    while (flow_state_of(s.world, h) == FLOW_STATE_LIVE) {
        assert_int_equal(flow_world_begin_frame(s.world, 0.01), FLOW_OK); /* no tick is needed */
        sched_yield();
    }
    story_expect(&s, "end, asked");
    assert_int_equal(flow_state_of(s.world, h), FLOW_STATE_CANCELLED);
    story_end(&s);
    pool_end(&pool);
}

static void a_request_to_stop_reaches_a_body_that_is_away_and_it_comes_back(void **state)
{
    struct story s;
    struct hand hand;
    struct pool pool;
    atomic_int arrived = 0;
    (void)state;
    begin(&s, &hand);
    pool_begin(&pool, 1);
    flow_handle group = flow_group_create(s.world, NULL);
    flow_handle h = FLOW_RUN_WITH(s.world, FLOW_OPTIONS(.owner = group), traveller,
                                  .to = &pool.executor, .what = WAIT_FOR_STOP, .arrived = &arrived);
    while (!atomic_load(&arrived)) {
        sched_yield();
    }
    assert_int_equal(flow_request_stop(s.world, group), FLOW_OK);
    while (flow_state_of(s.world, h) == FLOW_STATE_LIVE) {
        story_frame(&s, 10);
        sched_yield();
    }
    story_expect(&s, "5050 end, asked");
    assert_int_equal(flow_state_of(s.world, h), FLOW_STATE_DONE);
    story_end(&s);
    pool_end(&pool);
}

static void a_cancel_before_the_worker_begins_and_one_behind_a_pause_unwind_too(void **state)
{
    struct story s;
    struct hand hand;
    (void)state;
    begin(&s, &hand);
    flow_handle a = FLOW_RUN(s.world, traveller, .to = &hand.executor, .what = RETURN_THERE);
    flow_handle b = FLOW_RUN(s.world, traveller, .to = &hand.executor);
    assert_int_equal(flow_cancel(s.world, a), FLOW_PENDING);
    hand_do_all(&hand);
    assert_int_equal(flow_clock_pause(s.world, FLOW_CLOCK_GAME), FLOW_OK);
    story_frame(&s, 10);
    story_expect(&s, "end"); /* a; b is held */
    assert_int_equal(flow_state_of(s.world, a), FLOW_STATE_CANCELLED);
    assert_int_equal(flow_cancel(s.world, b), FLOW_OK);
    story_expect(&s, "end");
    story_end(&s);
}

static void another_await_on_a_worker_is_misuse_and_fails_the_flow_at_home(void **state)
{
    struct story s;
    struct hand hand;
    flow_outcome outcome = {0};
    (void)state;
    begin(&s, &hand);
    (void)FLOW_RUN_WITH(s.world, FLOW_OPTIONS(.outcome = &outcome), traveller, .to = &hand.executor,
                        .what = AWAIT_THERE);
    hand_do(&hand);
    assert_int_equal(s.misuses, 1);
    story_frame(&s, 10);
    story_expect(&s, "end");
    assert_int_equal(outcome.code, FLOW_MISUSE);
    assert_string_equal(outcome.message, "an await on a worker: flow_switch_home comes first");
    s.expect_misuses = s.expect_failures = 1;
    story_end(&s);
}

/* On a worker: 0 yields, 1 opens a stream, 2 a stage, 3 moves one, 4 loops over it. */
struct puller {
    flow_frame base;
    FLOW_YIELDS(int) yields;
    FLOW_STREAM(int) numbers, others;
    flow_executor *to;
    int which;
    int n, more;
};

FLOW_STATIC(puller)
{
    FLOW_BEGIN;
    flow_stream_range(flow, &self->numbers, 0, 3);
    FLOW_AWAIT(flow_switch_to(self->to));
    if (self->which == 0) {
        FLOW_YIELD(&self->n);
    } else if (self->which == 1) {
        flow_stream_range(flow, &self->others, 0, 3);
    } else if (self->which == 2) {
        flow_stream_take(flow, &self->others, &self->numbers, 1);
    } else if (self->which == 3) {
        FLOW_AWAIT(flow_stream_next(&self->numbers, &self->n, &self->more));
    } else {
        FLOW_FOREACH(&self->numbers, &self->n) {
            story_log(story_of(flow), "never");
        }
    }
    FLOW_AWAIT(flow_switch_home());
    story_log(story_of(flow), "never");
    FLOW_FINALLY;
    story_log(story_of(flow), "%d", self->which);
    FLOW_END;
}

static void streams_are_not_for_workers(void **state)
{
    struct story s;
    struct hand hand;
    (void)state;
    begin(&s, &hand);
    for (int i = 0; i < 5; i++) {
        (void)FLOW_RUN(s.world, puller, .to = &hand.executor, .which = i);
    }
    hand_do_all(&hand);
    assert_int_equal(s.misuses, 5);
    story_frame(&s, 10);
    story_expect(&s, "0 1 2 3 4");
    assert_int_equal(s.failure_count, 5);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(s.failures[i].failure.code, FLOW_MISUSE);
    }
    s.expect_misuses = 5;
    s.expect_failures = 5;
    story_end(&s);
}

/* Everything that a body can reach with `flow`: refused on a worker, and nothing is harmed. */
struct offender {
    flow_frame base;
    flow_executor *to;
    int which;
    int index;
};

static void nothing(void *arg)
{
    (void)arg;
}

FLOW_STATIC(offender)
{
    FLOW_BEGIN;
    if (self->which == 8) {
        FLOW_SHIELD(flow_switch_to(self->to));
    } else if (self->which == 9) {
        FLOW_RACE(self->index, flow_switch_to(self->to), flow_never());
    } else {
        FLOW_AWAIT(flow_switch_to(self->to));
    }
    if (self->which == 0) {
        FLOW_AWAIT(flow_ready());
    } else if (self->which == 1) {
        FLOW_AWAIT(flow_next_frame());
    } else if (self->which == 2) {
        FLOW_AWAIT(FLOW_CALL(ender, .to = self->to));
    } else if (self->which == 3) {
        FLOW_RACE(self->index, flow_seconds(1), FLOW_CALL(ender, .to = self->to));
    } else if (self->which == 4) {
        FLOW_DEFER(nothing, NULL);
    } else if (self->which == 5) {
        FLOW_SHIELD(flow_switch_home());
    } else if (self->which == 6) {
        FLOW_AWAIT(flow_switch_to(self->to));
    } else if (self->which == 7) {
        FLOW_TRY(NULL, flow_seconds(1));
    }
    FLOW_AWAIT(flow_switch_home());
    story_log(story_of(flow), "never");
    FLOW_FINALLY;
    assert_true(at_home());
    story_log(story_of(flow), "%d", self->which);
    FLOW_END;
}

static void each_thing_that_is_not_for_workers_is_refused_there(void **state)
{
    struct story s;
    struct hand hand;
    (void)state;
    begin(&s, &hand);
    for (int i = 0; i < 10; i++) {
        (void)FLOW_RUN(s.world, offender, .to = &hand.executor, .which = i);
    }
    story_expect(&s, "8 9"); /* these do not even leave */
    hand_do_all(&hand);
    assert_int_equal(s.misuses, 9);
    story_frame(&s, 10);
    story_expect(&s, "0 1 2 3 4 5 6 never 7"); /* what stands in a FLOW_TRY is a value at home */
    assert_int_equal(s.failure_count, 9);
    for (int i = 0; i < 9; i++) {
        assert_int_equal(s.failures[i].failure.code, FLOW_MISUSE);
    }
    s.expect_misuses = 9;
    s.expect_failures = 9;
    story_end(&s);
}

struct sheltered {
    flow_frame base;
    flow_executor *to;
    int what; /* 1: in a finally section */
};

FLOW_STATIC(sheltered)
{
    FLOW_BEGIN;
    if (self->what == 0) {
        FLOW_SHIELD(FLOW_CALL(traveller, .to = self->to));
        story_log(story_of(flow), "saved");
    }
    FLOW_AWAIT(flow_never());
    FLOW_FINALLY;
    if (self->what == 1) {
        FLOW_AWAIT(FLOW_CALL(traveller, .to = self->to));
    }
    story_log(story_of(flow), "over");
    FLOW_END;
}

static void a_shield_and_a_finally_section_protect_a_body_that_is_away(void **state)
{
    struct story s;
    struct hand hand;
    (void)state;
    begin(&s, &hand);
    flow_handle a = FLOW_RUN(s.world, sheltered, .to = &hand.executor);
    flow_handle b = FLOW_RUN(s.world, sheltered, .to = &hand.executor, .what = 1);
    assert_int_equal(flow_cancel(s.world, a), FLOW_PENDING);
    assert_int_equal(flow_cancel(s.world, b), FLOW_PENDING);
    assert_int_equal(hand.count, 2);
    hand_do_all(&hand);
    story_frame(&s, 10);
    story_expect(&s, "5050 end saved over 5050 end over");
    story_end(&s);
}

static void do_one(struct hand *hand)
{
    hand_do(hand);
}

static void destroying_the_world_waits_for_a_body_that_is_away(void **state)
{
    struct story s;
    struct hand hand;
    char text[1024];
    (void)state;
    begin(&s, &hand);
    (void)FLOW_RUN(s.world, traveller, .to = &hand.executor);
    (void)FLOW_RUN(s.world, sheltered, .to = &hand.executor);
    (void)flow_world_dump_text(s.world, text, sizeof text);
    assert_non_null(strstr(text, "waits for job traveller"));
    hand.while_asleep = do_one;
    assert_int_equal(story_destroy(&s), FLOW_OK);
    story_expect(&s, "end 5050 end over"); /* a shield's next await is cut, as always */
    assert_int_equal(s.warnings[0], FLOW_WARNING_CUT_AT_DESTROY);
    s.expect_warnings = 1;
    story_end(&s);
}

static int run_here(void *user, flow_work *work)
{
    (void)user;
    home = (pthread_t){0}; /* nobody's: the worker is this thread */
    work->run(work, 0);
    home = pthread_self();
    return 0;
}

static void an_executor_may_do_the_work_where_it_is_submitted(void **state)
{
    struct story s;
    struct hand hand;
    flow_executor here = {.submit = run_here};
    (void)state;
    begin(&s, &hand);
    (void)FLOW_RUN(s.world, traveller, .to = &here);
    story_expect(&s, "");
    story_frame(&s, 10);
    story_expect(&s, "5050 end");
    story_end(&s);
}

static void no_memory_to_leave_is_a_failure_that_changes_nothing(void **state)
{
    (void)state;
    for (long fail_at = 1;; fail_at++) {
        struct story s = {.fail_at = fail_at};
        struct hand hand;
        home = pthread_self();
        hand_begin(&hand, 1);
        if (!story_try_begin(&s, NULL)) {
            continue;
        }
        flow_handle h = FLOW_RUN(s.world, ender, .to = &hand.executor, .ran = &hand.slept);
        int refused = hand.count == 0;
        hand_do_all(&hand);
        story_frame(&s, 10);
        assert_int_equal(hand.slept, !refused);
        s.expect_failures = refused && h.generation != 0;
        story_end(&s);
        if (!refused) {
            break;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_goes_on_on_a_worker_and_comes_back_in_its_phase),
        cmocka_unit_test(a_function_that_ends_or_fails_on_a_worker_does_so_at_home),
        cmocka_unit_test(a_call_that_ends_on_a_worker_returns_to_its_caller_at_home),
        cmocka_unit_test(an_executor_that_takes_nothing_or_drops_it_is_a_failure_that_a_try_takes),
        cmocka_unit_test(a_cancel_waits_for_the_body_which_is_asked_to_stop_and_unwinds_at_home),
        cmocka_unit_test(a_request_to_stop_reaches_a_body_that_is_away_and_it_comes_back),
        cmocka_unit_test(a_cancel_before_the_worker_begins_and_one_behind_a_pause_unwind_too),
        cmocka_unit_test(another_await_on_a_worker_is_misuse_and_fails_the_flow_at_home),
        cmocka_unit_test(streams_are_not_for_workers),
        cmocka_unit_test(each_thing_that_is_not_for_workers_is_refused_there),
        cmocka_unit_test(a_shield_and_a_finally_section_protect_a_body_that_is_away),
        cmocka_unit_test(destroying_the_world_waits_for_a_body_that_is_away),
        cmocka_unit_test(an_executor_may_do_the_work_where_it_is_submitted),
        cmocka_unit_test(no_memory_to_leave_is_a_failure_that_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
