/* SPDX-License-Identifier: MIT */
/* Cancel sources: flows, waits and other sources that end when outside code says so. */
#include "flows.h"
#include "threads.h"

#include <math.h>
#include <string.h>

static flow_handle sleeper(struct story *s, const char *name)
{
    return FLOW_RUN(s->world, waiter, .name = name, .wait = flow_never());
}

/* ---- flows ---- */

static void linked_flows_are_unwound_in_order_before_the_cancel_returns(void **state)
{
    struct story s;
    flow_cancel_source source;
    (void)state;
    story_begin(&s, NULL);
    assert_int_equal(flow_cancel_source_init(&source, s.world), FLOW_OK);
    flow_handle group = flow_group_create(s.world, NULL);
    (void)FLOW_RUN_WITH(s.world, FLOW_OPTIONS(.owner = group), waiter, .name = "member",
                        .wait = flow_never());
    assert_int_equal(flow_cancel_link(&source, sleeper(&s, "a")), FLOW_OK);
    assert_int_equal(flow_cancel_link(&source, group), FLOW_OK);
    assert_int_equal(flow_cancel_link(&source, sleeper(&s, "b")), FLOW_OK);
    (void)sleeper(&s, "other");
    assert_int_equal(flow_cancel_source_is_cancelled(&source), 0);
    assert_int_equal(flow_cancel_source_cancel(&source), 1);
    story_expect(&s, "a~ member~ b~");
    assert_int_equal(flow_cancel_source_is_cancelled(&source), 1);
    assert_int_equal(flow_cancel_source_cancel(&source), 0);
    assert_int_equal(flow_cancel_link(&source, sleeper(&s, "late")), FLOW_OK);
    story_expect(&s, "late~"); /* at once */
    assert_int_equal(flow_cancel_link(&source, group), FLOW_STALE);
    flow_cancel_source_fini(&source);
    assert_int_equal(flow_cancel_link(&source, sleeper(&s, "c")), FLOW_CLOSED);
    assert_int_equal(flow_cancel_source_cancel(&source), 0);
    story_expect(&s, "");
    story_end(&s);
    story_expect(&s, "c~ other~");
}

/* A million short flows under one long source would else be a million links. */
static void links_of_flows_that_have_ended_take_no_memory(void **state)
{
    struct story s;
    flow_cancel_source source;
    long allocations = 0;
    (void)state;
    story_begin(&s, NULL);
    assert_int_equal(flow_cancel_source_init(&source, s.world), FLOW_OK);
    flow_handle first = sleeper(&s, "first");
    assert_int_equal(flow_cancel_link(&source, first), FLOW_OK);
    for (int i = 0; i < 100000; i++) {
        flow_handle h = sleeper(&s, "x");
        assert_int_equal(flow_cancel_link(&source, h), FLOW_OK);
        assert_int_equal(flow_cancel(s.world, h), FLOW_OK);
        s.log[0] = '\0';
        allocations = i == 1000 ? s.allocations : allocations;
    }
    assert_int_equal(s.allocations, allocations);
    assert_int_equal(flow_cancel_source_cancel(&source), 1);
    story_expect(&s, "first~");
    story_end(&s);
}

/* ---- waits ---- */

struct picker {
    flow_frame base;
    flow_cancel_source *source;
    const char *name;
    int keep, done;
};

FLOW_STATIC(picker)
{
    FLOW_BEGIN;
    if (self->keep) {
        FLOW_AWAIT(
            flow_unless_keep(self->source, &self->done,
                             FLOW_CALL(waiter, .name = self->name, .wait = flow_seconds(0.025))));
    } else {
        FLOW_AWAIT(flow_unless(self->source, &self->done,
                               FLOW_CALL(waiter, .name = self->name, .wait = flow_seconds(0.025))));
    }
    story_log(story_of(flow), "done:%d", self->done);
    FLOW_AWAIT(flow_seconds(1));
    FLOW_END;
}

static void a_wait_ends_with_the_source_and_its_work_is_cancelled_or_goes_on(void **state)
{
    struct story s;
    flow_cancel_source source;
    (void)state;
    story_begin(&s, NULL);
    assert_int_equal(flow_cancel_source_init(&source, s.world), FLOW_OK);
    (void)FLOW_RUN(s.world, picker, .source = &source, .name = "work");
    (void)FLOW_RUN(s.world, picker, .source = &source, .name = "kept", .keep = 1);
    (void)FLOW_RUN(s.world, waiter, .name = "told", .wait = flow_cancelled(&source));
    story_frame(&s, 10);
    assert_int_equal(flow_cancel_source_cancel(&source), 1);
    story_expect(&s, "");
    story_frame(&s, 10);
    story_expect(&s, "work~ done:0 done:0 told");
    story_frame(&s, 10);
    story_expect(&s, "kept");
    (void)FLOW_RUN(s.world, picker, .source = &source, .name = "never begins");
    (void)FLOW_RUN(s.world, waiter, .name = "at once", .wait = flow_cancelled(&source));
    story_expect(&s, "done:0 at once");
    flow_cancel_source_reset(&source);
    (void)FLOW_RUN(s.world, picker, .source = &source, .name = "again");
    story_frames(&s, 3, 10);
    story_expect(&s, "again done:1");
    (void)FLOW_RUN(s.world, waiter, .name = "left", .wait = flow_cancelled(&source));
    flow_cancel_source_fini(&source);
    story_frame(&s, 10);
    story_expect(&s, "left!-4");
    story_end(&s);
}

/* ---- time ---- */

static void it_cancels_after_a_time_on_a_clock_unless_it_is_told_otherwise(void **state)
{
    struct story s;
    flow_cancel_source source;
    (void)state;
    story_begin(&s, NULL);
    assert_int_equal(flow_cancel_source_init(&source, s.world), FLOW_OK);
    assert_int_equal(flow_cancel_link(&source, sleeper(&s, "a")), FLOW_OK);
    assert_int_equal(flow_cancel_source_cancel_after(&source, FLOW_CLOCK_UNSCALED, 0.015), FLOW_OK);
    assert_int_equal(flow_clock_pause(s.world, FLOW_CLOCK_GAME), FLOW_OK);
    assert_int_equal(flow_cancel_source_cancel_after(&source, FLOW_CLOCK_INHERIT, 0.015), FLOW_OK);
    story_frames(&s, 3, 10);
    story_expect(&s, ""); /* the game stands still, and the second time counts */
    assert_int_equal(flow_clock_release(s.world, FLOW_CLOCK_GAME), FLOW_OK);
    story_frames(&s, 2, 10);
    story_expect(&s, "a~");
    assert_int_equal(flow_world_counters(s.world).live, 0); /* its timer is gone too */
    flow_cancel_source_reset(&source);
    assert_int_equal(flow_cancel_link(&source, sleeper(&s, "b")), FLOW_OK);
    for (int i = 0; i < 10; i++) { /* a time that is set anew again and again is never up */
        flow_cancel_source_reset(&source);
        assert_int_equal(flow_cancel_source_cancel_after(&source, FLOW_CLOCK_GAME, 0.015), FLOW_OK);
        story_frame(&s, 10);
    }
    story_expect(&s, "");
    story_frame(&s, 10);
    story_expect(&s, "b~");
    assert_int_equal(flow_cancel_source_cancel_after(&source, FLOW_CLOCK_GAME, (double)NAN),
                     FLOW_MISUSE);
    flow_cancel_source_reset(&source);
    assert_int_equal(flow_cancel_source_cancel_after(&source, FLOW_CLOCK_GAME, 1.0), FLOW_OK);
    flow_cancel_source_fini(&source);
    assert_int_equal(flow_world_counters(s.world).live, 0);
    s.expect_misuses = 1;
    story_end(&s);
}

/* ---- sources of sources ---- */

static void sources_in_chains_and_circles_are_cancelled_each_once(void **state)
{
    enum { CHAIN = 20000 };
    static flow_cancel_source chain[CHAIN];
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    for (int i = 0; i < CHAIN; i++) {
        assert_int_equal(flow_cancel_source_init(&chain[i], s.world), FLOW_OK);
        if (i > 0) {
            assert_int_equal(flow_cancel_link_source(&chain[i - 1], &chain[i]), FLOW_OK);
        }
    }
    assert_int_equal(flow_cancel_link_source(&chain[CHAIN - 1], &chain[0]), FLOW_OK);
    assert_int_equal(flow_cancel_link(&chain[CHAIN - 1], sleeper(&s, "last")), FLOW_OK);
    assert_int_equal(flow_cancel_link(&chain[0], sleeper(&s, "first")), FLOW_OK);
    assert_int_equal(flow_cancel_source_cancel(&chain[5]), 1);
    story_expect(&s, "last~ first~");
    for (int i = 0; i < CHAIN; i++) {
        assert_int_equal(flow_cancel_source_is_cancelled(&chain[i]), 1);
    }
    flow_cancel_source_reset(&chain[7]);
    flow_cancel_source_fini(&chain[8]);
    assert_int_equal(flow_cancel_link_source(&chain[7], &chain[8]), FLOW_STALE);
    assert_int_equal(flow_cancel_link_source(&chain[6], &chain[7]), FLOW_OK); /* at once */
    assert_int_equal(flow_cancel_source_is_cancelled(&chain[7]), 1);
    story_end(&s);
}

/* ---- what cleanups do to it ---- */

struct meddler {
    flow_frame base;
    flow_cancel_source *source;
    int what;
};

FLOW_STATIC(meddler)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_never());
    FLOW_FINALLY;
    story_log(story_of(flow), "m%d", self->what);
    if (self->what == 0) {
        (void)flow_cancel_source_cancel(self->source); /* it is: nothing happens */
        flow_cancel_source_reset(self->source);
        (void)!flow_cancel_link(self->source, FLOW_RUN(flow_world_of(flow), waiter, .name = "new",
                                                       .wait = flow_never()));
    } else if (self->what == 1) {
        flow_cancel_source_fini(self->source);
    }
    FLOW_END;
}

static void cleanups_may_reset_end_and_use_the_source_that_cancels_them(void **state)
{
    struct story s;
    flow_cancel_source source;
    (void)state;
    story_begin(&s, NULL);
    assert_int_equal(flow_cancel_source_init(&source, s.world), FLOW_OK);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(
            flow_cancel_link(&source, FLOW_RUN(s.world, meddler, .source = &source, .what = i)),
            FLOW_OK);
    }
    assert_int_equal(flow_cancel_source_cancel(&source), 1);
    story_expect(&s, "m0 m1 m2"); /* what was linked is cancelled, the new one is not */
    assert_int_equal(flow_world_counters(s.world).live, 1);
    story_end(&s);
}

struct suicide {
    flow_frame base;
    flow_cancel_source *source;
};

FLOW_STATIC(suicide)
{
    FLOW_BEGIN;
    (void)!flow_cancel_link(self->source, flow_self(flow));
    FLOW_AWAIT(flow_next_tick());
    (void)flow_cancel_source_cancel(self->source);
    story_log(story_of(flow), "still here");
    FLOW_AWAIT(flow_next_tick());
    story_log(story_of(flow), "never");
    FLOW_FINALLY;
    story_log(story_of(flow), "gone");
    FLOW_END;
}

static void a_flow_that_cancels_its_own_source_stops_at_its_next_await(void **state)
{
    struct story s;
    flow_cancel_source source;
    (void)state;
    story_begin(&s, NULL);
    assert_int_equal(flow_cancel_source_init(&source, s.world), FLOW_OK);
    (void)FLOW_RUN(s.world, suicide, .source = &source);
    story_frame(&s, 10);
    story_expect(&s, "still here gone");
    story_end(&s);
}

/* ---- threads, memory ---- */

static void cancel_there(void *arg)
{
    const flow_cancel_source *source = arg;
    flow_cancel_source copy = *source;
    assert_int_equal(flow_cancel_source_cancel_any_thread(source), FLOW_OK);
    assert_int_equal(flow_cancel_source_cancel(&copy), 0); /* refused there */
}

static void any_thread_may_cancel_it_for_the_next_frame(void **state)
{
    struct story s;
    flow_cancel_source source;
    (void)state;
    story_begin(&s, NULL);
    assert_int_equal(flow_cancel_source_init(&source, s.world), FLOW_OK);
    assert_int_equal(flow_cancel_link(&source, sleeper(&s, "a")), FLOW_OK);
    test_on_thread(cancel_there, &source);
    assert_int_equal(flow_cancel_source_is_cancelled(&source), 0);
    story_expect(&s, "");
    story_frame(&s, 10);
    story_expect(&s, "a~");
    s.expect_misuses = 1;
    story_end(&s);
}

static void without_memory_nothing_is_linked_and_cancelling_needs_none(void **state)
{
    struct story s;
    flow_cancel_source source;
    int links = 0;
    flow_status status = FLOW_OK;
    (void)state;
    story_begin(&s, NULL);
    assert_int_equal(flow_cancel_source_init(&source, s.world), FLOW_OK);
    flow_handle h = sleeper(&s, "a");
    s.fail_at = s.calls + 1;
    while (status == FLOW_OK) {
        status = flow_cancel_link(&source, h); /* the same again and again */
        links += status == FLOW_OK;
    }
    assert_int_equal(status, FLOW_NOMEM);
    assert_true(links >= 4);
    flow_cancel_source none;
    while (flow_cancel_source_init(&none, s.world) == FLOW_OK) {
    }
    assert_int_equal(flow_cancel_source_cancel(&none), 0);
    assert_int_equal(flow_cancel_source_cancel(&source), 1);
    story_expect(&s, "a~");
    story_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linked_flows_are_unwound_in_order_before_the_cancel_returns),
        cmocka_unit_test(links_of_flows_that_have_ended_take_no_memory),
        cmocka_unit_test(a_wait_ends_with_the_source_and_its_work_is_cancelled_or_goes_on),
        cmocka_unit_test(it_cancels_after_a_time_on_a_clock_unless_it_is_told_otherwise),
        cmocka_unit_test(sources_in_chains_and_circles_are_cancelled_each_once),
        cmocka_unit_test(cleanups_may_reset_end_and_use_the_source_that_cancels_them),
        cmocka_unit_test(a_flow_that_cancels_its_own_source_stops_at_its_next_await),
        cmocka_unit_test(any_thread_may_cancel_it_for_the_next_frame),
        cmocka_unit_test(without_memory_nothing_is_linked_and_cancelling_needs_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
