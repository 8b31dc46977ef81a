/* SPDX-License-Identifier: MIT */
/* Subscriptions: what they keep, to whom they give it, and what comes back. */
#include "flows.h"

#include <string.h>

typedef FLOW_SIGNAL(int) int_signal;
typedef FLOW_SUBSCRIPTION(int) int_subscription;

static uint32_t emit(int_signal *signal, int value)
{
    return flow_emit(signal, &value);
}

static void emit_all(int_signal *signal, int from, int to)
{
    for (int i = from; i <= to; i++) {
        assert_int_equal(emit(signal, i), 1);
    }
}

static void begin(struct story *story, int_signal *signal, int_subscription *subscription,
                  flow_policy policy, uint32_t capacity)
{
    story_begin(story, NULL);
    assert_int_equal(flow_signal_init(signal, story->world), FLOW_OK);
    assert_int_equal(flow_subscribe_in(story->world, subscription, signal, policy, capacity),
                     FLOW_OK);
}

/* Takes and logs everything that is kept. */
static void drain(struct story *story, int_subscription *subscription)
{
    uint32_t count = flow_subscription_count(subscription);
    int value = 0;
    while (flow_try_next(subscription, &value)) {
        story_log(story, "%d", value);
        assert_int_equal(flow_subscription_count(subscription), --count);
    }
    assert_int_equal(count, 0);
}

struct reader {
    flow_frame base;
    const char *name;
    int_subscription *subscription;
    int value, closed;
};

FLOW_STATIC(reader)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_AWAIT(flow_next_or_closed(self->subscription, &self->value, &self->closed));
        if (self->closed) {
            break;
        }
        story_log(story_of(flow), "%s%d", self->name, self->value);
    }
    story_log(story_of(flow), "%s.", self->name);
    FLOW_END;
}

static flow_handle read_all(struct story *story, const char *name, int_subscription *subscription)
{
    return FLOW_RUN(story->world, reader, .name = name, .subscription = subscription);
}

/* ---- what is kept ---- */

static void each_policy_keeps_what_it_says(void **state)
{
    (void)state;
    static const struct {
        flow_policy policy;
        uint32_t capacity;
        const char *kept;
    } cases[] = {{FLOW_KEEP_LATEST, 5, "6"},
                 {FLOW_DROP_OLDEST, 3, "4 5 6"},
                 {FLOW_DROP_NEWEST, 3, "1 2 3"},
                 {FLOW_DROP_OLDEST, 1, "6"},
                 {FLOW_FAIL_WHEN_FULL, 6, "1 2 3 4 5 6"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct story story;
        int_signal signal;
        int_subscription subscription;
        begin(&story, &signal, &subscription, cases[i].policy, cases[i].capacity);
        emit_all(&signal, 1, 6);
        drain(&story, &subscription);
        story_expect(&story, cases[i].kept);
        story_end(&story);
    }
}

static void it_keeps_from_the_moment_it_is_made(void **state)
{
    (void)state;
    struct story story; /* C16 */
    int_signal signal;
    int_subscription subscription;
    story_begin(&story, NULL);
    assert_int_equal(flow_signal_init(&signal, story.world), FLOW_OK);
    assert_int_equal(emit(&signal, 1), 0);
    assert_int_equal(flow_subscribe_in(story.world, &subscription, &signal, FLOW_DROP_OLDEST, 4),
                     FLOW_OK);
    assert_int_equal(flow_signal_waiters(&signal), 0); /* it is no flow that waits */
    emit_all(&signal, 2, 3);
    assert_int_equal(flow_emit(&signal, NULL), 1);
    (void)read_all(&story, "r", &subscription);
    story_expect(&story, "r2 r3 r0");
    assert_int_equal(emit(&signal, 4), 1);
    assert_int_equal(emit(&signal, 5), 1); /* before it goes on */
    assert_int_equal(flow_subscription_count(&subscription), 1);
    story_update(&story, 10);
    story_expect(&story, "r4 r5");
    flow_signal_close(&signal);
    story_update(&story, 10);
    story_expect(&story, "r.");
    story_end(&story);
}

static void it_delivers_what_it_keeps_before_it_closes(void **state)
{
    (void)state;
    struct story story; /* C08 */
    int_signal signal;
    int_subscription subscription;
    begin(&story, &signal, &subscription, FLOW_DROP_OLDEST, 4);
    emit_all(&signal, 1, 2);
    flow_signal_fail(&signal, 7, "gone");
    (void)FLOW_RUN(story.world, waiter, .name = "a", .wait = flow_next(&subscription, NULL));
    (void)FLOW_RUN(story.world, waiter, .name = "b", .wait = flow_next(&subscription, NULL));
    (void)FLOW_RUN(story.world, waiter, .name = "c", .wait = flow_next(&subscription, NULL));
    story_expect(&story, "a b c!7");
    flow_signal_fini(&signal);
    flow_unsubscribe(&subscription);
    (void)FLOW_RUN(story.world, waiter, .name = "d", .wait = flow_next(&subscription, NULL));
    story_expect(&story, "d!-4");
    story_alive(&story, 0, 0, 0);
    story_end(&story);
}

static void subscribing_to_what_is_closed_gives_a_closed_subscription(void **state)
{
    (void)state;
    struct story story;
    int_signal signal;
    int_subscription subscription;
    int value = 5;
    begin(&story, &signal, &subscription, FLOW_DROP_OLDEST, 4);
    flow_unsubscribe(&subscription);
    flow_unsubscribe(&subscription);
    assert_int_equal(emit(&signal, 1), 0);
    flow_signal_close(&signal);
    assert_int_equal(flow_subscribe_in(story.world, &subscription, &signal, FLOW_KEEP_LATEST),
                     FLOW_CLOSED);
    assert_int_equal(flow_subscription_count(&subscription), 0);
    assert_int_equal(flow_try_next(&subscription, &value), 0);
    assert_int_equal(value, 5);
    (void)FLOW_RUN(story.world, waiter, .name = "a", .wait = flow_next(&subscription, NULL));
    story_expect(&story, "a!-4");
    story_end(&story);
}

static void a_capacity_of_nothing_is_misuse(void **state)
{
    (void)state;
    struct story story;
    int_signal signal;
    int_subscription subscription;
    story_begin(&story, NULL);
    assert_int_equal(flow_signal_init(&signal, story.world), FLOW_OK);
    assert_int_equal(flow_subscribe_in(story.world, &subscription, &signal, FLOW_DROP_OLDEST, 0),
                     FLOW_MISUSE);
    story.expect_misuses = story.misuses;
    flow_unsubscribe(&subscription);
    story_end(&story);
}

/* ---- giving back ---- */

static void a_value_of_a_flow_that_ends_first_goes_to_the_next(void **state)
{
    (void)state;
    struct story story; /* C10 */
    int_signal signal;
    int_subscription subscription;
    int got[3] = {0, 0, 0};
    flow_handle flows[3];
    static const char *const names[] = {"a", "b", "c"};
    begin(&story, &signal, &subscription, FLOW_DROP_OLDEST, 4);
    for (int i = 0; i < 3; i++) {
        flows[i] = FLOW_RUN(story.world, waiter, .name = names[i],
                            .wait = flow_next(&subscription, i == 1 ? NULL : &got[i]));
    }
    emit_all(&signal, 1, 2);                                       /* to a and b */
    assert_int_equal(flow_cancel(story.world, flows[1]), FLOW_OK); /* c gets the 2 */
    assert_int_equal(flow_cancel(story.world, flows[0]), FLOW_OK); /* nobody waits for the 1 */
    assert_int_equal(emit(&signal, 3), 1);
    story_update(&story, 10);
    assert_int_equal(got[2], 2);
    drain(&story, &subscription);
    story_expect(&story, "b~ a~ c 1 3");
    story_alive(&story, 0, 0, 0);
    story_end(&story);
}

static void given_back_values_find_their_places_in_whatever_order_they_come(void **state)
{
    (void)state;
    static const int orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                    {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        struct story story;
        int_signal signal;
        int_subscription subscription;
        int got[3];
        flow_handle flows[3];
        begin(&story, &signal, &subscription, FLOW_DROP_OLDEST, 5);
        for (int k = 0; k < 3; k++) {
            flows[k] = FLOW_RUN(story.world, doer, .wait = flow_next(&subscription, &got[k]));
        }
        emit_all(&signal, 1, 5);
        for (int k = 0; k < 3; k++) {
            assert_int_equal(flow_cancel(story.world, flows[orders[i][k]]), FLOW_OK);
        }
        drain(&story, &subscription);
        story_expect(&story, "1 2 3 4 5");
        story_end(&story);
    }
}

static void a_full_ring_takes_back_as_its_policy_says(void **state)
{
    (void)state;
    static const struct {
        flow_policy policy;
        const char *kept;
    } cases[] = {{FLOW_KEEP_LATEST, "4"},
                 {FLOW_DROP_OLDEST, "3 4"},
                 {FLOW_DROP_NEWEST, "1 2"},
                 {FLOW_FAIL_WHEN_FULL, "1 2 3 4"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct story story;
        int_signal signal;
        int_subscription subscription;
        flow_handle flows[2];
        begin(&story, &signal, &subscription, cases[i].policy, 2);
        for (int k = 0; k < 2; k++) {
            flows[k] = FLOW_RUN(story.world, doer, .wait = flow_next(&subscription, NULL));
        }
        emit_all(&signal, 1, 4);
        for (int k = 2; k-- > 0;) {
            assert_int_equal(flow_cancel(story.world, flows[k]), FLOW_OK);
        }
        drain(&story, &subscription);
        story_expect(&story, cases[i].kept);
        story_end(&story);
    }
}

struct racer {
    flow_frame base;
    int_subscription *subscription;
    int_signal *other;
    int value, index, second;
};

FLOW_STATIC(racer)
{
    FLOW_BEGIN;
    FLOW_RACE(self->index, flow_all(flow_next(self->subscription, &self->value), flow_never()),
              flow_next(self->other, NULL));
    story_log(story_of(flow), "%d", self->index);
    FLOW_RACE(self->index, flow_next(self->other, NULL),
              flow_next(self->subscription, &self->value));
    story_log(story_of(flow), "%d:%d", self->index, self->value);
    FLOW_ALL(flow_next(self->subscription, &self->value),
             flow_next(self->subscription, &self->second), flow_next(self->other, NULL));
    story_log(story_of(flow), "all:%d,%d", self->value, self->second);
    FLOW_END;
}

static void a_value_of_a_wait_that_loses_its_race_goes_back_to_the_front(void **state)
{
    (void)state;
    for (int kept_before = 0; kept_before < 2; kept_before++) {
        struct story story;
        int_signal signal, other;
        int_subscription subscription;
        begin(&story, &signal, &subscription, FLOW_DROP_OLDEST, 4);
        assert_int_equal(flow_signal_init(&other, story.world), FLOW_OK);
        if (kept_before) {
            emit_all(&signal, 1, 1);
        }
        (void)FLOW_RUN(story.world, racer, .subscription = &subscription, .other = &other);
        emit_all(&signal, 1 + kept_before, 2);
        assert_int_equal(flow_subscription_count(&subscription), 1);
        assert_int_equal(emit(&other, 0), 1);
        assert_int_equal(flow_subscription_count(&subscription), 2);
        story_update(&story, 10); /* and the second race takes the 1 at once */
        story_expect(&story, "1 1:1");
        emit_all(&signal, 3, 4);
        assert_int_equal(emit(&other, 0), 1);
        story_update(&story, 10);
        drain(&story, &subscription);
        story_expect(&story, "all:2,3 4");
        story_alive(&story, 0, 0, 0);
        story_end(&story);
    }
}

struct composer {
    flow_frame base;
    int_subscription *subscription;
    int_signal *fails;
    int value, second, index;
};

FLOW_STATIC(composer)
{
    FLOW_BEGIN;
    if (self->fails == NULL) {
        FLOW_RACE(self->index, flow_never(), flow_next(self->subscription, NULL));
    } else {
        FLOW_ALL(flow_next(self->subscription, &self->value),
                 flow_next(self->subscription, &self->second), flow_next(self->fails, NULL));
    }
    story_log(story_of(flow), "went on");
    FLOW_END;
}

static void a_composition_that_is_cancelled_or_fails_gives_its_values_back(void **state)
{
    (void)state;
    struct story story;
    int_signal signal, fails;
    int_subscription subscription;
    begin(&story, &signal, &subscription, FLOW_DROP_OLDEST, 4);
    assert_int_equal(flow_signal_init(&fails, story.world), FLOW_OK);
    flow_handle flow = FLOW_RUN(story.world, composer, .subscription = &subscription);
    emit_all(&signal, 1, 1); /* the race is won, and its flow queued */
    assert_int_equal(flow_subscription_count(&subscription), 0);
    assert_int_equal(flow_cancel(story.world, flow), FLOW_OK);
    assert_int_equal(flow_subscription_count(&subscription), 1);
    (void)FLOW_RUN(story.world, composer, .subscription = &subscription, .fails = &fails);
    emit_all(&signal, 2, 3);
    assert_int_equal(flow_subscription_count(&subscription), 1);
    flow_signal_fail(&fails, 7, "failed");
    story_update(&story, 10);
    story.expect_failures = 1;
    drain(&story, &subscription);
    story_expect(&story, "1 2 3");
    story_alive(&story, 0, 0, 0);
    story_end(&story);
}

struct looper {
    flow_frame base;
    int_subscription *subscriptions;
    int index, value, sum, count;
};

FLOW_STATIC(looper)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_RACE(self->index, flow_next(&self->subscriptions[0], &self->value),
                  flow_next(&self->subscriptions[1], &self->value),
                  flow_next(&self->subscriptions[2], &self->value));
        self->sum += self->value;
        if (++self->count == 300) {
            break;
        }
    }
    story_log(story_of(flow), "%d", self->sum);
    FLOW_END;
}

static void racing_the_same_subscriptions_loses_and_doubles_nothing(void **state)
{
    (void)state;
    struct story story; /* C17 */
    int_signal signals[3];
    int_subscription subscriptions[3];
    story_begin(&story, NULL);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(flow_signal_init(&signals[i], story.world), FLOW_OK);
        assert_int_equal(flow_subscribe_in(story.world, &subscriptions[i], &signals[i],
                                           FLOW_FAIL_WHEN_FULL, 100),
                         FLOW_OK);
    }
    (void)FLOW_RUN(story.world, looper, .subscriptions = subscriptions);
    for (int k = 1; k <= 300; k++) {
        assert_int_equal(emit(&signals[k * 7 % 3], k), 1);
        if (k % 5 == 0) {
            story_update(&story, 10);
        }
    }
    story_expect(&story, "45150");
    for (int i = 0; i < 3; i++) {
        assert_int_equal(flow_subscription_count(&subscriptions[i]), 0);
    }
    story_end(&story);
}

/* ---- scopes ---- */

struct keeper {
    flow_frame base;
    int_signal *signal;
    flow_policy policy;
    int unsubscribes, value;
    int_subscription subscription, second;
};

static void say_released(void *story)
{
    story_log(story, "released");
}

FLOW_STATIC(keeper)
{
    FLOW_BEGIN;
    FLOW_DEFER(say_released, story_of(flow));
    flow_subscribe(flow, &self->subscription, self->signal, self->policy, 2);
    flow_subscribe(flow, &self->second, self->signal, FLOW_KEEP_LATEST);
    if (self->unsubscribes) {
        flow_unsubscribe(&self->subscription);
    }
    FLOW_AWAIT(flow_seconds(1));
    FLOW_FINALLY;
    story_log(story_of(flow), "kept %u", (unsigned)flow_subscription_count(&self->subscription));
    flow_unsubscribe(&self->second);
    FLOW_END;
}

static void it_ends_with_its_scope_or_before(void **state)
{
    (void)state;
    for (int unsubscribes = 0; unsubscribes < 2; unsubscribes++) {
        struct story story;
        int_signal signal;
        story_begin(&story, NULL);
        assert_int_equal(flow_signal_init(&signal, story.world), FLOW_OK);
        flow_handle flow = FLOW_RUN(story.world, keeper, .signal = &signal,
                                    .policy = FLOW_DROP_OLDEST, .unsubscribes = unsubscribes);
        assert_int_equal(emit(&signal, 1), 2 - unsubscribes);
        assert_int_equal(flow_cancel(story.world, flow), FLOW_OK);
        story_expect(&story, unsubscribes ? "kept 0 released" : "kept 1 released");
        assert_int_equal(emit(&signal, 2), 0);
        (void)FLOW_RUN(story.world, keeper, .signal = &signal, .policy = FLOW_DROP_NEWEST);
        story_update(&story, 1000);
        story_expect(&story, "kept 0 released");
        story_alive(&story, 0, 0, 0);
        story_end(&story);
    }
}

static void a_full_one_fails_the_scope_that_owns_it(void **state)
{
    (void)state;
    struct story story;
    int_signal signal;
    story_begin(&story, NULL);
    assert_int_equal(flow_signal_init(&signal, story.world), FLOW_OK);
    (void)FLOW_RUN(story.world, keeper, .signal = &signal, .policy = FLOW_FAIL_WHEN_FULL);
    assert_int_equal(emit(&signal, 1), 2);
    assert_int_equal(emit(&signal, 2), 2);
    story_expect(&story, "");
    (void)emit(&signal, 3);
    story_expect(&story, "kept 2 released");
    assert_int_equal(story.failure_count, 1);
    assert_int_equal(story.failures[0].failure.code, FLOW_FULL);
    assert_int_equal(story.failures[0].failure.kind, FLOW_FAILURE_UNHANDLED);
    assert_string_equal(story.failures[0].failure.message, "a subscription is full");
    assert_string_equal(story.failures[0].path, "keeper");
    story.expect_failures = 1;
    assert_int_equal(emit(&signal, 4), 0);
    story_alive(&story, 0, 0, 0);
    story_end(&story);
}

static void a_full_one_of_the_host_fails_its_waits_after_what_it_keeps(void **state)
{
    (void)state;
    struct story story;
    int_signal signal;
    int_subscription subscription;
    begin(&story, &signal, &subscription, FLOW_FAIL_WHEN_FULL, 2);
    emit_all(&signal, 1, 3);
    assert_int_equal(emit(&signal, 4), 0);
    drain(&story, &subscription);
    (void)FLOW_RUN(story.world, waiter, .name = "a", .wait = flow_next(&subscription, NULL));
    story_expect(&story, "1 2 a!-11");
    story_end(&story);
}

static void one_that_ends_while_its_value_is_held_is_gone_for_good(void **state)
{
    (void)state;
    for (int cancels = 0; cancels < 2; cancels++) {
        struct story story;
        int_signal signal;
        int_subscription subscription;
        int got = 0;
        begin(&story, &signal, &subscription, FLOW_DROP_OLDEST, 4);
        flow_handle flow =
            FLOW_RUN(story.world, waiter, .name = "a", .wait = flow_next(&subscription, &got));
        (void)FLOW_RUN(story.world, waiter, .name = "b", .wait = flow_next(&subscription, NULL));
        emit_all(&signal, 1, 1);
        flow_unsubscribe(&subscription);
        if (cancels) {
            assert_int_equal(flow_cancel(story.world, flow), FLOW_OK);
        }
        story_update(&story, 10);
        story_expect(&story, cancels ? "a~ b!-4" : "a b!-4");
        assert_int_equal(got, 1);
        assert_int_equal(emit(&signal, 2), 0);
        story_alive(&story, 0, 0, 0);
        story_end(&story);
    }
}

/* ---- memory, order, dump ---- */

static void making_one_may_fail_at_any_allocation(void **state)
{
    (void)state;
    struct big {
        char bytes[50000];
    };
    static const struct big zero;
    for (long n = 1; n < 4; n++) {
        struct story story;
        FLOW_SIGNAL(struct big) signal;
        FLOW_SUBSCRIPTION(struct big) subscription;
        story_begin(&story, NULL);
        assert_int_equal(flow_signal_init(&signal, story.world), FLOW_OK);
        story.fail_at = story.calls + n;
        flow_status status =
            flow_subscribe_in(story.world, &subscription, &signal, FLOW_FAIL_WHEN_FULL, 8);
        if (status == FLOW_OK) {
            flow_handle flow = FLOW_RUN(story.world, doer, .wait = flow_next(&subscription, NULL));
            assert_int_equal(flow_emit(&signal, &zero), 1);
            (void)flow_cancel(story.world, flow);
        } else {
            assert_int_equal(status, FLOW_NOMEM);
            assert_int_equal(flow_emit(&signal, &zero), 0);
        }
        story.fail_at = 0;
        story.expect_failures = story.failure_count;
        story_update(&story, 10);
        story.log[0] = '\0';
        story_end(&story);
    }
}

static void emitting_and_giving_back_take_no_memory(void **state)
{
    (void)state;
    struct story story; /* G10 */
    int_signal signal;
    int_subscription subscription;
    begin(&story, &signal, &subscription, FLOW_FAIL_WHEN_FULL, 4);
    size_t bytes = 0;
    for (int i = 0; i < 20000; i++) {
        flow_handle flow = FLOW_RUN(story.world, doer, .wait = flow_next(&subscription, NULL));
        if (i == 100) {
            bytes = story.bytes;
            story.fail_at = story.calls + 1;
        }
        if (i % 2) {
            assert_int_equal(emit(&signal, i), 1);
        }
        assert_int_equal(flow_cancel(story.world, flow), FLOW_OK);
        assert_int_equal(flow_try_next(&subscription, NULL), i % 2);
    }
    assert_int_equal(story.bytes, bytes);
    story.fail_at = 0;
    story_alive(&story, 0, 0, 0);
    story_end(&story);
}

static void the_dump_names_the_wait(void **state)
{
    (void)state;
    struct story story;
    int_signal signal;
    int_subscription subscription;
    char text[1024];
    begin(&story, &signal, &subscription, FLOW_KEEP_LATEST, 1);
    (void)read_all(&story, "r", &subscription);
    (void)flow_world_dump_text(story.world, text, sizeof text);
    assert_non_null(strstr(text, "waits for subscription "));
    flow_unsubscribe(&subscription);
    story_update(&story, 10);
    story_expect(&story, "r.");
    story_end(&story);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_policy_keeps_what_it_says),
        cmocka_unit_test(it_keeps_from_the_moment_it_is_made),
        cmocka_unit_test(it_delivers_what_it_keeps_before_it_closes),
        cmocka_unit_test(subscribing_to_what_is_closed_gives_a_closed_subscription),
        cmocka_unit_test(a_capacity_of_nothing_is_misuse),
        cmocka_unit_test(a_value_of_a_flow_that_ends_first_goes_to_the_next),
        cmocka_unit_test(given_back_values_find_their_places_in_whatever_order_they_come),
        cmocka_unit_test(a_full_ring_takes_back_as_its_policy_says),
        cmocka_unit_test(a_value_of_a_wait_that_loses_its_race_goes_back_to_the_front),
        cmocka_unit_test(a_composition_that_is_cancelled_or_fails_gives_its_values_back),
        cmocka_unit_test(racing_the_same_subscriptions_loses_and_doubles_nothing),
        cmocka_unit_test(it_ends_with_its_scope_or_before),
        cmocka_unit_test(a_full_one_fails_the_scope_that_owns_it),
        cmocka_unit_test(a_full_one_of_the_host_fails_its_waits_after_what_it_keeps),
        cmocka_unit_test(one_that_ends_while_its_value_is_held_is_gone_for_good),
        cmocka_unit_test(making_one_may_fail_at_any_allocation),
        cmocka_unit_test(emitting_and_giving_back_take_no_memory),
        cmocka_unit_test(the_dump_names_the_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
