/* SPDX-License-Identifier: MIT */
/* Worlds: several at once, what is refused from inside, what a host without on_failure is told,
 * counters. */
#include "flows.h"

static flow_handle start(struct story *story, const char *name, flow_wait wait)
{
    return FLOW_RUN(story->world, waiter, .name = name, .wait = wait);
}

/* ---- refused from inside ---- */

static void try_everything(struct story *story)
{
    uint64_t frame = flow_world_frame(story->world);
    int misuses = story->misuses;
    assert_int_equal(flow_world_begin_frame(story->world, 0.010), FLOW_REENTRANT);
    assert_int_equal(flow_world_tick(story->world, FLOW_UPDATE, 0.010), FLOW_REENTRANT);
    assert_int_equal(flow_world_tick(story->world, FLOW_LATE, 0.010), FLOW_REENTRANT);
    assert_int_equal(flow_world_flush(story->world, FLOW_UPDATE), FLOW_REENTRANT);
    assert_int_equal(flow_world_destroy(story->world), FLOW_REENTRANT);
    assert_int_equal(flow_world_frame(story->world), frame);
    assert_in_range(story->misuses, misuses + STORY_MISUSES(4),
                    misuses + STORY_MISUSES(5)); /* each is told */
    story->expect_misuses = story->misuses;
    story_log(story, "refused");
}

static void try_in_flow(flow_task *flow, void *arg)
{
    (void)arg;
    try_everything(story_of(flow));
}

static int try_in_predicate(void *arg)
{
    try_everything(arg);
    return 0;
}

static void try_in_cleanup(void *arg)
{
    try_everything(arg);
}

/* Fails, or waits; tries in its finally section and in a deferred cleanup. */
struct trier {
    flow_frame base;
    int fails;
    flow_wait wait;
};

FLOW_STATIC(trier)
{
    FLOW_BEGIN;
    FLOW_DEFER(try_in_cleanup, story_of(flow));
    FLOW_AWAIT(self->wait);
    if (self->fails) {
        FLOW_FAIL(3, "told to");
    }
    FLOW_FINALLY;
    try_everything(story_of(flow));
    FLOW_END;
}

/* A world in which everything stands somewhere, and goes on as if nothing had been tried. */
static void begin_with_company(struct story *story)
{
    story_begin(story, NULL);
    (void)start(story, "timer", flow_seconds(0.010));
    (void)start(story, "tick", flow_next_tick());
    (void)start(story, "tick2", flow_ticks(2));
}

static void end_with_company(struct story *story, const char *expected)
{
    story_expect(story, expected);
    story_update(story, 10);
    story_expect(story, "tick2");
    story_end(story);
}

static void a_flow_cannot_tick_flush_or_destroy_its_world(void **state)
{
    (void)state;
    flow_wait waits[] = {flow_seconds(0), flow_next_tick()};
    for (int i = 0; i < 2; i++) {
        struct story story;
        begin_with_company(&story);
        (void)FLOW_RUN(story.world, doer, .wait = waits[i], .act = try_in_flow);
        (void)start(&story, "after", waits[i]);
        story_update(&story, 10);
        end_with_company(&story, i == 0 ? "refused after timer tick" : "timer tick refused after");
    }
}

static void a_first_slice_outside_a_tick_cannot_either(void **state)
{
    (void)state;
    struct story story;
    begin_with_company(&story);
    (void)FLOW_RUN(story.world, doer, .wait = flow_ready(), .act = try_in_flow);
    story_expect(&story, "refused");
    story_update(&story, 10);
    end_with_company(&story, "timer tick");
}

static void a_predicate_cannot_either(void **state)
{
    (void)state;
    struct story story;
    begin_with_company(&story);
    flow_handle flow = start(&story, "never", flow_until(try_in_predicate, &story));
    story_expect(&story, "refused"); /* asked at once */
    story_update(&story, 10);
    story_expect(&story, "timer tick refused");
    assert_int_equal(flow_cancel(story.world, flow), FLOW_OK);
    end_with_company(&story, "never~");
}

static void cleanups_cannot_either_whatever_ends_their_flow(void **state)
{
    (void)state;
    struct story story;
    begin_with_company(&story);
    flow_handle flow = FLOW_RUN(story.world, trier, .wait = flow_never());
    assert_int_equal(flow_cancel(story.world, flow), FLOW_OK); /* outside a tick */
    story_expect(&story, "refused refused");
    (void)FLOW_RUN(story.world, trier, .wait = flow_ready());
    story_expect(&story, "refused refused");
    (void)FLOW_RUN(story.world, trier, .wait = flow_next_tick());
    story_update(&story, 10);
    end_with_company(&story, "timer tick refused refused");
}

static void reports_cannot_either(void **state)
{
    (void)state;
    struct story story;
    begin_with_company(&story);
    story.on_report = try_everything;
    (void)FLOW_RUN(story.world, trier, .fails = 1, .wait = flow_next_tick());
    story_update(&story, 10);
    story_expect(&story, "timer tick refused refused refused");
    (void)FLOW_RUN(story.world, trier, .fails = 1, .wait = flow_ready()); /* outside a tick */
    story_expect(&story, "refused refused refused");
    assert_int_equal(flow_clock_set_scale(story.world, FLOW_CLOCK_GAME, -1), FLOW_MISUSE);
    story.expect_failures = 2;
    story.expect_warnings = 1;
    end_with_company(&story, "refused");
}

static void nothing_can_while_the_world_is_being_destroyed(void **state)
{
    (void)state;
    struct story story;
    begin_with_company(&story);
    (void)FLOW_RUN(story.world, trier, .wait = flow_never());
    assert_int_equal(story_destroy(&story), FLOW_OK);
    story_expect(&story, "refused refused tick2~ tick~ timer~"); /* youngest first */
    story_end(&story);
}

/* ---- several worlds ---- */

static void two_worlds_have_clocks_frames_and_flows_of_their_own(void **state)
{
    (void)state;
    struct story one, other; /* B16 */
    story_begin(&one, NULL);
    story_begin(&other, NULL);
    story_update(&other, 1000e3);
    (void)start(&one, "one", flow_seconds(0.020));
    (void)start(&other, "other", flow_seconds(0.020));
    story_update(&one, 10);
    story_update(&other, 10);
    story_update(&other, 10);
    story_expect(&one, "");
    story_expect(&other, "other");
    story_update(&one, 10);
    story_expect(&one, "one");
    assert_int_equal(flow_world_frame(one.world), 2);
    assert_int_equal(flow_world_frame(other.world), 3);
    assert_ptr_equal(flow_world_user(one.world), &one);
    story_end(&other);
    story_update(&one, 10);
    story_end(&one);
}

static void tick_other(flow_task *flow, void *other)
{
    story_update(other, 10);
    assert_int_equal(flow_world_frame(flow_world_of(flow)), 1);
}

static void a_flow_of_one_world_may_tick_another(void **state)
{
    (void)state;
    struct story one, other;
    story_begin(&one, NULL);
    story_begin(&other, NULL);
    (void)start(&other, "other", flow_next_tick());
    (void)FLOW_RUN(one.world, doer, .wait = flow_next_tick(), .act = tick_other, .arg = &other);
    (void)start(&one, "one", flow_next_tick());
    story_update(&one, 10);
    story_expect(&other, "other");
    story_expect(&one, "one");
    story_end(&other);
    story_end(&one);
}

static void waiting_on_a_signal_of_another_world_is_misuse(void **state)
{
    (void)state;
    struct story one, other;
    FLOW_SIGNAL(int) signal;
    story_begin(&other, NULL);
    story_begin(&one, NULL); /* the one that is told of misuse */
    assert_int_equal(flow_signal_init(&signal, other.world), FLOW_OK);
    (void)start(&one, "foreign", flow_next(&signal, NULL));
    story_expect(&one, "foreign!-10");
    assert_int_equal(flow_signal_waiters(&signal), 0);
    one.expect_misuses = STORY_MISUSES(1);
    assert_int_equal(one.misuses, STORY_MISUSES(1));
    (void)start(&other, "own", flow_next(&signal, NULL));
    assert_int_equal(flow_emit(&signal, NULL), 1);
    story_update(&other, 10);
    story_expect(&other, "own");
    story_end(&one);
    story_end(&other);
}

/* ---- a host without on_failure ---- */

struct failing {
    flow_frame base;
    flow_wait wait;
};

FLOW_STATIC(failing)
{
    FLOW_BEGIN;
    FLOW_AWAIT(self->wait);
    FLOW_FAIL(7, "unheard");
    FLOW_END;
}

static void without_on_failure_the_next_call_tells_once(void **state)
{
    (void)state;
    flow_world *world = flow_world_create(NULL);
    assert_non_null(world);
    flow_handle flow = FLOW_RUN(world, failing, .wait = flow_ready());
    assert_int_equal(flow_state_of(world, flow),
                     FLOW_STATE_FAILED); /* a first slice: in its handle */
    assert_int_equal(flow_world_begin_frame(world, 0.010), FLOW_UNHANDLED);
    assert_int_equal(flow_world_tick(world, FLOW_UPDATE, 0.010), FLOW_OK);
    (void)FLOW_RUN(world, failing, .wait = flow_next_tick());
    (void)FLOW_RUN(world, failing, .wait = flow_next_tick());
    assert_int_equal(flow_world_tick(world, FLOW_UPDATE, 0.010),
                     FLOW_UNHANDLED); /* what it met itself */
    assert_int_equal(flow_world_tick(world, FLOW_UPDATE, 0.010), FLOW_OK);
    (void)FLOW_RUN(world, failing, .wait = flow_ready());
    assert_int_equal(flow_world_flush(world, FLOW_UPDATE), FLOW_UNHANDLED);
    (void)FLOW_RUN(world, failing, .wait = flow_ready());
    assert_int_equal(flow_world_destroy(world), FLOW_UNHANDLED);
    assert_int_equal(flow_world_destroy(NULL), FLOW_OK);
}

/* ---- creation, counters ---- */

static void a_world_with_no_room_is_not_created_and_leaks_nothing(void **state)
{
    (void)state;
    struct story story;
    for (long at = 1; at < 100; at++) {
        story.fail_at = at;
        if (story_try_begin(&story, NULL)) {
            story.fail_at = 0;
            story_end(&story);
            assert_true(at > 1);
            return;
        }
    }
    fail_msg("no world within 100 allocations");
}

struct noop {
    flow_frame base;
    flow_wait wait;
    int fails;
};

FLOW_STATIC(noop)
{
    FLOW_BEGIN;
    FLOW_AWAIT(self->wait);
    if (self->fails) {
        FLOW_FAIL(1, "counted");
    }
    FLOW_FINALLY;
    FLOW_END;
}

static void counters_tell_what_happened_and_what_is_there(void **state)
{
    (void)state;
    struct story story;
    story_begin(&story, NULL);
    flow_counters fresh = flow_world_counters(story.world);
    assert_int_equal(fresh.live + fresh.live_peak + fresh.waits + fresh.timers + fresh.predicates,
                     0);
    assert_int_equal(fresh.bytes, story.bytes);
    (void)FLOW_RUN(story.world, noop, .wait = flow_ready());
    (void)FLOW_RUN(story.world, noop, .wait = flow_next_tick());
    (void)FLOW_RUN(story.world, noop, .wait = flow_next_tick(), .fails = 1);
    flow_handle a = FLOW_RUN(story.world, noop, .wait = flow_seconds(1));
    (void)FLOW_RUN(story.world, noop, .wait = flow_seconds_on(FLOW_CLOCK_REAL, 1));
    flow_handle group =
        flow_group_create(story.world, &(flow_group_desc){.name = "groups are not counted"});
    story_alive(&story, 4, 1, 2); /* one timer of another clock takes a record */
    story_update(&story, 10);
    assert_int_equal(flow_cancel(story.world, a), FLOW_OK);
    assert_int_equal(flow_cancel(story.world, a), FLOW_STALE);
    assert_int_equal(flow_cancel(story.world, group), FLOW_OK);
    flow_counters count = flow_world_counters(story.world);
    assert_int_equal(count.live, 1);
    assert_int_equal(count.live_peak, 4);
    assert_int_equal(count.started, 5);
    assert_int_equal(count.ended, 4);
    assert_int_equal(count.resumed, 2);
    assert_int_equal(count.cancelled, 1);
    assert_int_equal(count.failed, 1);
    assert_int_equal(count.finally_runs, 4);
    assert_int_equal(count.stale, 1);
    assert_int_equal(count.timers, 1);
    assert_int_equal(count.timers_peak, 2);
    assert_int_equal(count.bytes, story.bytes);
    story.expect_failures = 1;
    story_end(&story);
}

/* Its frame fits into the flow's own slot; how large others get cannot be known beforehand. */
struct small {
    flow_frame base;
    int state[4];
};

FLOW_STATIC(small)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_next_tick());
    FLOW_END;
}

static void reserved_flows_start_and_wait_without_a_call_of_the_allocator(void **state)
{
    (void)state;
    struct story story;
    story_begin(&story, NULL);
    assert_int_equal(flow_world_reserve(story.world, 5000), FLOW_OK);
    assert_int_equal(flow_world_counters(story.world).live, 0);
    long allocations = story.allocations;
    for (int i = 0; i < 5000; i++) {
        (void)FLOW_RUN(story.world, small);
    }
    assert_int_equal(story.allocations, allocations);
    assert_int_equal(flow_world_counters(story.world).live, 5000);
    story_end(&story);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_flow_cannot_tick_flush_or_destroy_its_world),
        cmocka_unit_test(a_first_slice_outside_a_tick_cannot_either),
        cmocka_unit_test(a_predicate_cannot_either),
        cmocka_unit_test(cleanups_cannot_either_whatever_ends_their_flow),
        cmocka_unit_test(reports_cannot_either),
        cmocka_unit_test(nothing_can_while_the_world_is_being_destroyed),
        cmocka_unit_test(two_worlds_have_clocks_frames_and_flows_of_their_own),
        cmocka_unit_test(a_flow_of_one_world_may_tick_another),
        cmocka_unit_test(waiting_on_a_signal_of_another_world_is_misuse),
        cmocka_unit_test(without_on_failure_the_next_call_tells_once),
        cmocka_unit_test(a_world_with_no_room_is_not_created_and_leaks_nothing),
        cmocka_unit_test(counters_tell_what_happened_and_what_is_there),
        cmocka_unit_test(reserved_flows_start_and_wait_without_a_call_of_the_allocator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
