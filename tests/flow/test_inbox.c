/* SPDX-License-Identifier: MIT */
/* The inbox: what other threads send to a world, in which order it takes effect, and what becomes
 * of it when there is no room or no world any more. */
#include "flows.h"
#include "threads.h"

#include <string.h>

/* ---- posts ---- */

struct numbers {
    flow_world *world;
    int next;     /* the number that must come next */
    int wrong;    /* how often it did not */
    int sent;     /* calls that were taken */
    int self_ran; /* how often the call that posts itself has run */
    int dropped;
};

struct number {
    struct numbers *all;
    int value;
};

static struct number number[1000];

static void take_number(flow_world *world, void *arg)
{
    struct number *n = arg;
    assert_ptr_equal(world, n->all->world);
    n->all->wrong += n->value != n->all->next;
    n->all->next++;
}

static void post_itself(flow_world *world, void *arg)
{
    struct numbers *all = arg;
    all->self_ran++;
    assert_int_equal(flow_post(world, post_itself, all), FLOW_OK);
}

static void send_numbers(void *arg)
{
    struct numbers *all = arg;
    for (int i = 0; i < 1000; i++) {
        number[i] = (struct number){all, i};
        all->sent += flow_post(all->world, take_number, &number[i]) == FLOW_OK;
    }
}

/* Scenario 10. */
static void a_call_that_posts_itself_runs_once_a_frame_and_a_thousand_come_in_order(void **state)
{
    struct story s;
    struct numbers all = {0};
    (void)state;
    story_begin(&s, NULL);
    all.world = s.world;
    assert_int_equal(flow_post(s.world, post_itself, &all), FLOW_OK);
    story_frame(&s, 10);
    assert_int_equal(all.self_ran, 1);
    test_on_thread(send_numbers, &all);
    assert_int_equal(all.sent, 1000);
    assert_int_equal(flow_world_inbox(s.world).waiting, 1001);
    story_frame(&s, 10);
    assert_int_equal(all.next, 1000);
    assert_int_equal(all.wrong, 0);
    story_frames(&s, 3, 10);
    assert_int_equal(all.self_ran, 5);
    assert_int_equal(flow_world_inbox(s.world).taken, 1005);
    s.expect_warnings = 1; /* the sixth is dropped */
    story_end(&s);
    assert_int_equal(s.warnings[0], FLOW_WARNING_DROPPED_AT_DESTROY);
}

enum { SENDERS = 4, EACH = 5000 };

struct sender {
    flow_world *world;
    int refused; /* the sender's: otherwise than for want of room */
    int next_taken, wrong;
    atomic_int *left;
};

/* Sends posts and values in turn, and tries again where the inbox is full. */
struct lane {
    struct sender sender;
    FLOW_SIGNAL(int) signal;
    FLOW_SUBSCRIPTION(int) values;
    atomic_int full;
};

static void check_value(struct lane *lane)
{
    int value;
    while (flow_try_next(&lane->values, &value)) {
        lane->sender.wrong += value != lane->sender.next_taken;
        lane->sender.next_taken++;
    }
}

/* Everything that was emitted before this call is in the subscription now. */
static void send_value(flow_world *world, void *arg)
{
    struct lane *lane = arg;
    (void)world;
    check_value(lane);
    lane->sender.wrong += lane->sender.next_taken % 2 == 0;
    lane->sender.next_taken++;
}

static void send_in_turn(void *arg)
{
    struct lane *lane = arg;
    for (int i = 0; i < EACH; i++) {
        flow_status status;
        do {
            status = i % 2 == 0 ? flow_emit_any_thread(&lane->signal, &i)
                                : flow_post(lane->sender.world, send_value, lane);
            if (status == FLOW_FULL) {
                atomic_fetch_add(&lane->full, 1);
                sched_yield();
            }
        } while (status == FLOW_FULL);
        lane->sender.refused += status != FLOW_OK;
    }
    atomic_fetch_sub(lane->sender.left, 1);
}

static void what_each_of_four_threads_sends_is_taken_in_its_order_and_nothing_is_lost(void **state)
{
    struct story s;
    static struct lane lanes[SENDERS];
    test_thread threads[SENDERS];
    atomic_int left = SENDERS;
    (void)state;
    memset(lanes, 0, sizeof lanes);
    story_begin(&s, &(flow_world_desc){.inbox_capacity = 64});
    for (int i = 0; i < SENDERS; i++) {
        lanes[i].sender = (struct sender){s.world, 0, 0, 0, &left};
        assert_int_equal(flow_signal_init(&lanes[i].signal, s.world), FLOW_OK);
        assert_int_equal(
            flow_subscribe_in(s.world, &lanes[i].values, &lanes[i].signal, FLOW_DROP_OLDEST, 64),
            FLOW_OK);
        test_thread_start(&threads[i], send_in_turn, &lanes[i]);
    }
    int over;
    do {
        over = atomic_load(&left) == 0;
        story_update(&s, 1);
        sched_yield();
    } while (!over);
    uint64_t refused = 0;
    for (int i = 0; i < SENDERS; i++) {
        test_thread_join(&threads[i]);
        assert_int_equal(lanes[i].sender.next_taken, EACH);
        assert_int_equal(lanes[i].sender.wrong, 0);
        assert_int_equal(lanes[i].sender.refused, 0);
        refused += (uint64_t)atomic_load(&lanes[i].full);
    }
    flow_inbox_counters counters = flow_world_inbox(s.world);
    assert_int_equal(counters.taken, SENDERS * EACH);
    assert_int_equal(counters.waiting, 0);
    assert_int_equal(counters.refused, refused);
    s.expect_warnings = refused != 0;
    story_end(&s);
}

/* ---- full ---- */

static void count_dropped(void *arg)
{
    struct number *n = arg;
    n->all->dropped++;
}

static void fill(void *arg)
{
    struct numbers *all = arg;
    for (int i = 0; i < 20; i++) {
        number[i] = (struct number){all, i};
        flow_status status = flow_post_or(all->world, take_number, &number[i], count_dropped);
        all->sent += status == FLOW_OK;
        assert_int_equal(status, i < 16 ? FLOW_OK : FLOW_FULL);
    }
}

static void a_full_inbox_refuses_and_the_sender_keeps_what_was_refused(void **state)
{
    struct story s;
    struct numbers all = {0};
    (void)state;
    story_begin(&s, &(flow_world_desc){.inbox_capacity = 5});
    all.world = s.world;
    assert_int_equal(flow_world_inbox(s.world).capacity, 16);
    test_on_thread(fill, &all);
    assert_int_equal(all.sent, 16);
    assert_int_equal(flow_world_inbox(s.world).refused, 4);
    assert_int_equal(s.warning_count, 0); /* the sender's thread reports nothing */
    story_frame(&s, 10);
    assert_int_equal(all.next, 16);
    assert_int_equal(all.wrong, 0);
    assert_int_equal(all.dropped, 0);
    all.next = all.sent = 0;
    test_on_thread(fill, &all);
    story_frame(&s, 10);
    assert_int_equal(flow_world_inbox(s.world).refused, 8);
    assert_int_equal(s.warnings[0], FLOW_WARNING_INBOX_FULL);
    s.expect_warnings = 1; /* once for all */
    story_end(&s);
}

static void calls_that_the_end_of_the_world_overtakes_are_not_run_but_told(void **state)
{
    struct story s;
    struct numbers all = {0};
    (void)state;
    story_begin(&s, &(flow_world_desc){.inbox_capacity = 16});
    all.world = s.world;
    test_on_thread(fill, &all);
    s.expect_warnings = 1;
    assert_int_equal(story_destroy(&s), FLOW_OK);
    assert_int_equal(all.next, 0);
    assert_int_equal(all.dropped, 16);
    assert_int_equal(s.warnings[0], FLOW_WARNING_DROPPED_AT_DESTROY);
    story_end(&s);
}

struct late_poster {
    flow_frame base;
    flow_status *status;
};

FLOW_STATIC(late_poster)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_never());
    FLOW_FINALLY;
    *self->status = flow_post(flow_world_of(flow), post_itself, NULL);
    FLOW_END;
}

static void a_world_that_is_being_destroyed_takes_nothing_any_more(void **state)
{
    struct story s;
    flow_status status = FLOW_OK;
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, late_poster, .status = &status);
    story_frame(&s, 10);
    story_end(&s);
    assert_int_equal(status, FLOW_CLOSED);
}

/* ---- a budget ---- */

static uint64_t fake_now;

static uint64_t read_fake_clock(void *user)
{
    (void)user;
    return fake_now;
}

static void take_a_while(flow_world *world, void *arg)
{
    fake_now += 1000000;
    take_number(world, arg);
}

static void a_budget_leaves_the_rest_in_order_for_the_next_frame(void **state)
{
    struct story s;
    struct numbers all = {0};
    (void)state;
    story_begin(&s, &(flow_world_desc){.now_ns = read_fake_clock, .inbox_budget = 0.003});
    all.world = s.world;
    for (int i = 0; i < 10; i++) {
        number[i] = (struct number){&all, i};
        assert_int_equal(flow_post(s.world, take_a_while, &number[i]), FLOW_OK);
    }
    static const int after[] = {3, 6, 9, 10, 10};
    for (int frame = 0; frame < 5; frame++) {
        story_frame(&s, 10);
        assert_int_equal(all.next, after[frame]);
    }
    assert_int_equal(all.wrong, 0);
    story_end(&s);
}

/* ---- signals, properties, flows ---- */

struct large {
    int number;
    unsigned char bytes[300];
};

struct things {
    flow_world *world;
    FLOW_SIGNAL(int) small;
    FLOW_SIGNAL(struct large) large;
    FLOW_PROPERTY(double) level;
    flow_handle flow;
};

static struct large large_of(int which)
{
    struct large value = {.number = which};
    memset(value.bytes, which, sizeof value.bytes);
    return value;
}

static void send_things(void *arg)
{
    struct things *t = arg;
    struct large value = large_of(7);
    assert_int_equal(flow_emit_any_thread(&t->small, &(int){5}), FLOW_OK);
    assert_int_equal(flow_emit_any_thread(&t->large, &value), FLOW_OK);
    assert_int_equal(flow_property_set_any_thread(&t->level, &(double){0.5}), FLOW_OK);
    assert_int_equal(flow_cancel_any_thread(t->world, t->flow), FLOW_OK);
}

static void another_thread_emits_sets_and_cancels_and_it_happens_in_the_next_frame(void **state)
{
    struct story s;
    struct things t = {0};
    int small = 0;
    double level = 0.0;
    struct large large = {0};
    (void)state;
    story_begin(&s, NULL);
    t.world = s.world;
    assert_int_equal(flow_signal_init(&t.small, s.world), FLOW_OK);
    assert_int_equal(flow_signal_init(&t.large, s.world), FLOW_OK);
    assert_int_equal(flow_property_init(&t.level, s.world, &(double){0.0}), FLOW_OK);
    (void)FLOW_RUN(s.world, waiter, .name = "small", .wait = flow_next(&t.small, &small));
    (void)FLOW_RUN(s.world, waiter, .name = "large", .wait = flow_next(&t.large, &large));
    t.flow = FLOW_RUN(s.world, waiter, .name = "flow", .wait = flow_never());
    test_on_thread(send_things, &t);
    story_expect(&s, "");
    assert_int_equal(small, 0);
    story_frame(&s, 10);
    story_expect(&s, "flow~ small large"); /* cancelled in begin_frame, the others woken */
    assert_int_equal(small, 5);
    struct large expected = large_of(7);
    assert_memory_equal(&large, &expected, sizeof large);
    assert_int_equal(flow_property_get(&t.level, &level), 1);
    assert_true(level > 0.4 && level < 0.6);
    story_end(&s);
}

static void close_it(void *arg)
{
    struct things *t = arg;
    assert_int_equal(flow_close_any_thread(&t->small), FLOW_OK);
    assert_int_equal(flow_emit_any_thread(&t->small, &(int){1}), FLOW_OK);
}

static void another_thread_closes_a_signal_and_a_later_emit_comes_to_nothing(void **state)
{
    struct story s;
    struct things t = {0};
    int value = 0;
    (void)state;
    story_begin(&s, NULL);
    assert_int_equal(flow_signal_init(&t.small, s.world), FLOW_OK);
    (void)FLOW_RUN(s.world, waiter, .name = "w", .wait = flow_next(&t.small, &value));
    test_on_thread(close_it, &t);
    story_frame(&s, 10);
    story_expect(&s, "w!-4");
    assert_int_equal(value, 0);
    flow_signal_fini(&t.small);
    assert_int_equal(flow_signal_init(&t.large, s.world), FLOW_OK); /* perhaps in the same place */
    assert_int_equal(flow_close_any_thread(&t.small), FLOW_OK);
    story_frame(&s, 10);
    assert_int_equal(flow_signal_waiters(&t.large), 0);
    (void)FLOW_RUN(s.world, waiter, .name = "x", .wait = flow_next(&t.large, NULL));
    story_frame(&s, 10);
    story_expect(&s, "");
    story_end(&s);
}

static void large_values_go_round_the_ring_in_one_piece(void **state)
{
    struct story s;
    struct things t = {0};
    FLOW_SUBSCRIPTION(struct large) sub;
    struct large value;
    (void)state;
    story_begin(&s, &(flow_world_desc){.inbox_capacity = 64});
    assert_int_equal(flow_signal_init(&t.large, s.world), FLOW_OK);
    assert_int_equal(flow_subscribe_in(s.world, &sub, &t.large, FLOW_DROP_OLDEST, 8), FLOW_OK);
    for (int round = 0; round < 100; round++) {
        for (int i = 0; i < 1 + round % 4; i++) { /* 10 places each: the end falls anywhere */
            value = large_of(round + i);
            assert_int_equal(flow_emit_any_thread(&t.large, &value), FLOW_OK);
        }
        story_update(&s, 1);
        for (int i = 0; i < 1 + round % 4; i++) {
            struct large expected = large_of(round + i);
            assert_int_equal(flow_try_next(&sub, &value), 1);
            assert_memory_equal(&value, &expected, sizeof value);
        }
        assert_int_equal(flow_subscription_count(&sub), 0);
    }
    story_end(&s);
}

static void a_value_that_never_fits_is_misuse(void **state)
{
    struct story s;
    struct things t = {0};
    struct large value = large_of(1);
    (void)state;
    story_begin(&s, &(flow_world_desc){.inbox_capacity = 32});
    assert_int_equal(flow_signal_init(&t.large, s.world), FLOW_OK);
    assert_int_equal(flow_emit_any_thread(&t.large, &value), FLOW_MISUSE);
    assert_int_equal(flow_world_inbox(s.world).waiting, 0);
    s.expect_misuses = 1;
    story_end(&s);
}

/* ---- the wrong call ---- */

static void call_the_wrong_ones(void *arg)
{
    struct things *t = arg;
    flow_outcome outcome = {0};
    struct flow_options options = {.outcome = &outcome};
    assert_int_equal(flow_cancel(t->world, t->flow), FLOW_MISUSE);
    assert_int_equal(flow_request_stop(t->world, t->flow), FLOW_MISUSE);
    assert_int_equal(flow_emit(&t->small, &(int){1}), 0);
    assert_int_equal(flow_property_set(&t->level, &(double){1.0}), 0);
    assert_int_equal(FLOW_RUN_WITH(t->world, &options, waiter, .name = "never").generation, 0);
    assert_int_equal(outcome.code, FLOW_MISUSE);
    assert_int_equal(flow_world_begin_frame(t->world, 0.01), FLOW_MISUSE);
    assert_int_equal(flow_world_tick(t->world, FLOW_UPDATE, 0.01), FLOW_MISUSE);
    assert_int_equal(flow_world_destroy(t->world), FLOW_MISUSE);
}

/* Scenario 5, and F02: destroy on a worker. */
static void what_belongs_to_the_worlds_thread_is_refused_on_any_other(void **state)
{
    struct story s;
    struct things t = {0};
    double level = 0.0;
    (void)state;
    story_begin(&s, NULL);
    t.world = s.world;
    assert_int_equal(flow_signal_init(&t.small, s.world), FLOW_OK);
    assert_int_equal(flow_property_init(&t.level, s.world, &(double){0.0}), FLOW_OK);
    t.flow = FLOW_RUN(s.world, waiter, .name = "w", .wait = flow_next(&t.small, NULL));
    test_on_thread(call_the_wrong_ones, &t);
    s.expect_misuses = 8;
    assert_int_equal(s.misuses, 8);
    story_frame(&s, 10);
    story_expect(&s, "");
    assert_int_equal(flow_state_of(s.world, t.flow), FLOW_STATE_LIVE);
    assert_int_equal(flow_property_get(&t.level, &level), 1);
    assert_false(level > 0.0);
    assert_int_equal(flow_world_frame(s.world), 1);
    story_end(&s);
}

static void live_elsewhere(void *arg)
{
    struct story *s = arg;
    flow_world_adopt(s->world);
    (void)FLOW_RUN(s->world, waiter, .name = "w", .wait = flow_next_tick());
    story_frame(s, 10);
}

static void a_world_can_move_to_another_thread(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    test_on_thread(live_elsewhere, &s);
    story_expect(&s, "w");
    flow_world_adopt(s.world);
    story_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_call_that_posts_itself_runs_once_a_frame_and_a_thousand_come_in_order),
        cmocka_unit_test(what_each_of_four_threads_sends_is_taken_in_its_order_and_nothing_is_lost),
        cmocka_unit_test(a_full_inbox_refuses_and_the_sender_keeps_what_was_refused),
        cmocka_unit_test(calls_that_the_end_of_the_world_overtakes_are_not_run_but_told),
        cmocka_unit_test(a_world_that_is_being_destroyed_takes_nothing_any_more),
        cmocka_unit_test(a_budget_leaves_the_rest_in_order_for_the_next_frame),
        cmocka_unit_test(another_thread_emits_sets_and_cancels_and_it_happens_in_the_next_frame),
        cmocka_unit_test(another_thread_closes_a_signal_and_a_later_emit_comes_to_nothing),
        cmocka_unit_test(large_values_go_round_the_ring_in_one_piece),
        cmocka_unit_test(a_value_that_never_fits_is_misuse),
        cmocka_unit_test(what_belongs_to_the_worlds_thread_is_refused_on_any_other),
        cmocka_unit_test(a_world_can_move_to_another_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
