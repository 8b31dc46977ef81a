/* SPDX-License-Identifier: MIT */
/* Deliveries: emit a value and wait until all receivers have finished with it. */
#include "actor.h"

#include <stdbool.h>
#include <string.h>

struct ask {
    int door, votes;
};
typedef FLOW_SIGNAL(struct ask) ask_signal;

static ask_signal opening;

/* Adds to the payload of each value it receives, works on it, and waits again. */
struct guard {
    flow_frame base;
    const char *name;
    int ticks, adds;
    int rounds; /* 0: for ever */
    struct ask value, *ask;
};

FLOW_STATIC(guard)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_AWAIT(flow_next(&opening, &self->value));
        if (flow_payload(flow, &opening, &self->ask)) {
            self->ask->votes += self->adds;
        }
        story_log(story_of(flow), "%s%d", self->name, self->value.door);
        FLOW_AWAIT(flow_ticks(self->ticks));
        if (self->rounds != 0 && --self->rounds == 0) {
            FLOW_RETURN;
        }
    }
    FLOW_FINALLY;
    story_log(story_of(flow), "%s.", self->name);
    FLOW_END;
}

/* Emits and waits. */
struct visitor {
    flow_frame base;
    int door, rounds;
    double limit; /* seconds; 0: none */
    int late;
    flow_outcome outcome;
    struct ask ask;
};

FLOW_STATIC(visitor)
{
    FLOW_BEGIN;
    for (; self->rounds >= 0; self->rounds--, self->door++) {
        self->ask = (struct ask){self->door, 0};
        story_log(story_of(flow), "?%d", self->door);
        if (self->limit > 0) {
            FLOW_AWAIT(
                flow_timeout(&self->late, flow_emit_wait(&opening, &self->ask), self->limit));
        } else {
            FLOW_TRY(&self->outcome, flow_emit_wait(&opening, &self->ask));
        }
        story_log(story_of(flow), "=%d/%d/%d", self->ask.votes, self->outcome.code, self->late);
    }
    FLOW_END;
}

static void begin(struct story *s)
{
    story_begin(s, NULL);
    assert_int_equal(flow_signal_init(&opening, s->world), FLOW_OK);
}

static void end(struct story *s)
{
    flow_signal_fini(&opening);
    story_end(s);
}

static void updates(struct story *s, int count)
{
    for (int i = 0; i < count; i++) {
        story_update(s, 10);
        story_log(s, "|");
    }
}

static void the_emitter_goes_on_when_every_receiver_waits_again_or_has_ended(void **state)
{
    (void)state;
    struct story s;
    begin(&s);
    (void)FLOW_RUN(s.world, guard, .name = "a", .ticks = 1, .adds = 1);
    (void)FLOW_RUN(s.world, guard, .name = "b", .ticks = 3, .adds = 10);
    (void)FLOW_RUN(s.world, guard, .name = "c", .ticks = 2, .adds = 100, .rounds = 1);
    (void)FLOW_RUN(s.world, visitor, .door = 1, .rounds = 1);
    story_alive(&s, 4, 1, 0);
    updates(&s, 8);
    story_expect(&s, "?1 a1 b1 c1 | | c. | =111/0/0 ?2 a2 b2 | | | =11/0/0 | |");
    (void)FLOW_RUN(s.world, visitor, .door = 3);
    updates(&s, 5);
    story_expect(&s, "?3 a3 b3 | | | =11/0/0 | |");
    assert_int_equal(flow_signal_waiters(&opening), 2);
    story_alive(&s, 2, 2, 0);
    s.log[0] = '\0';
    assert_int_equal(story_destroy(&s), FLOW_OK);
    story_expect(&s, "b. a.");
    story_end(&s);
}

static void where_nobody_waits_it_is_done_at_once(void **state)
{
    (void)state;
    struct story s;
    begin(&s);
    (void)FLOW_RUN(s.world, visitor, .door = 1, .rounds = 2);
    story_expect(&s, "?1 =0/0/0 ?2 =0/0/0 ?3 =0/0/0");
    end(&s);
}

static void cancelled_receivers_have_finished(void **state)
{
    (void)state;
    struct story s;
    begin(&s);
    flow_handle a = FLOW_RUN(s.world, guard, .name = "a", .ticks = 100, .adds = 1);
    flow_handle b = FLOW_RUN(s.world, guard, .name = "b", .ticks = 100, .adds = 10);
    (void)FLOW_RUN(s.world, visitor, .door = 1);
    assert_int_equal(flow_cancel(s.world, b), FLOW_OK); /* before it goes on */
    updates(&s, 2);
    story_expect(&s, "?1 b. a1 | |");
    assert_int_equal(flow_cancel(s.world, a), FLOW_OK);
    updates(&s, 1);
    story_expect(&s, "a. =1/0/0 |");
    story_alive(&s, 0, 0, 0);
    end(&s);
}

static void receivers_use_the_payload_of_an_emitter_that_has_gone(void **state)
{
    (void)state;
    struct story s;
    begin(&s);
    (void)FLOW_RUN(s.world, guard, .name = "a", .ticks = 5, .adds = 1, .rounds = 1);
    (void)FLOW_RUN(s.world, guard, .name = "b", .ticks = 2, .adds = 10, .rounds = 1);
    flow_handle v = FLOW_RUN(s.world, visitor, .door = 1);
    assert_int_equal(flow_cancel(s.world, v), FLOW_OK);
    (void)FLOW_RUN(s.world, visitor, .door = 2); /* nobody waits */
    updates(&s, 6);
    story_expect(&s, "?1 ?2 =0/0/0 a1 b1 | | b. | | | a. |");
    (void)FLOW_RUN(s.world, guard, .name = "c", .ticks = 4, .adds = 100, .rounds = 2);
    (void)FLOW_RUN(s.world, visitor, .door = 3, .limit = 0.015, .rounds = 1);
    updates(&s, 7);
    story_expect(&s, "?3 c3 | =0/0/1 ?4 =0/0/0 | | | | | |");
    (void)FLOW_RUN(s.world, visitor, .door = 5, .limit = 0.1);
    updates(&s, 6);
    story_expect(&s, "?5 c5 | | | | c. =100/0/0 | |");
    story_alive(&s, 0, 0, 0);
    end(&s);
}

static void plain_emits_bring_no_payload(void **state)
{
    (void)state;
    struct story s;
    begin(&s);
    (void)FLOW_RUN(s.world, guard, .name = "a", .ticks = 1, .adds = 1);
    struct ask ask = {7, 5};
    assert_int_equal(flow_emit(&opening, &ask), 1);
    updates(&s, 3);
    story_expect(&s, "a7 | | |");
    assert_int_equal(ask.votes, 5);
    (void)FLOW_RUN(s.world, visitor, .door = 1);
    updates(&s, 1);
    assert_int_equal(flow_emit(&opening, &ask), 0);
    updates(&s, 2);
    story_expect(&s, "?1 a1 | =1/0/0 | |");
    end(&s);
}

/* ---- who is waited for ---- */

/* Receives once, and says when it has finished. */
struct once {
    flow_frame base;
    int finishes;
    struct ask *ask;
};

FLOW_STATIC(once)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_next(&opening, NULL));
    assert_true(flow_payload(flow, &opening, &self->ask));
    self->ask->votes = 1;
    FLOW_AWAIT(flow_next_tick());
    assert_true(flow_payload(flow, &opening, &self->ask));
    self->ask->votes++;
    if (self->finishes) {
        flow_finish(flow, &opening);
        assert_false(flow_payload(flow, &opening, &self->ask));
        assert_null(self->ask);
        flow_finish(flow, &opening);
    }
    FLOW_AWAIT(flow_ticks(3));
    story_log(story_of(flow), "o.");
    FLOW_END;
}

static void a_receiver_says_when_it_has_finished(void **state)
{
    (void)state;
    struct story s;
    begin(&s);
    (void)FLOW_RUN(s.world, once, .finishes = 1);
    (void)FLOW_RUN(s.world, visitor, .door = 1);
    updates(&s, 5);
    story_expect(&s, "?1 | =2/0/0 | | | o. |");
    (void)FLOW_RUN(s.world, once, .finishes = 0);
    (void)FLOW_RUN(s.world, visitor, .door = 2);
    updates(&s, 5);
    story_expect(&s, "?2 | | | | o. =2/0/0 |");
    end(&s);
}

/* Receives while it awaits the emitter. */
struct both {
    flow_frame base;
    int all, index;
    struct ask value;
};

FLOW_STATIC(both)
{
    FLOW_BEGIN;
    if (self->all) {
        FLOW_ALL(flow_next(&opening, &self->value), FLOW_CALL(visitor, .door = 1));
        story_log(story_of(flow), "both:%d", self->value.door);
        self->value.door = 2;
        FLOW_ALL(flow_next(&opening, &self->value), flow_emit_wait(&opening, &self->value));
        story_log(story_of(flow), "own:%d", self->value.door);
    } else {
        FLOW_RACE(self->index, flow_next(&opening, &self->value), FLOW_CALL(visitor, .door = 3));
        story_log(story_of(flow), "race:%d:%d", self->index, self->value.door);
    }
    FLOW_END;
}

static void who_awaits_the_emitter_is_not_waited_for(void **state)
{
    (void)state;
    struct story s;
    begin(&s);
    (void)FLOW_RUN(s.world, both, .all = 1);
    updates(&s, 2);
    story_expect(&s, "?1 =0/0/0 both:1 own:2 | |");
    (void)FLOW_RUN(s.world, guard, .name = "a", .ticks = 2, .adds = 1, .rounds = 3);
    (void)FLOW_RUN(s.world, both, .all = 1);
    updates(&s, 6);
    story_expect(&s, "?1 a1 | | =1/0/0 both:1 a2 | | own:2 | |");
    (void)FLOW_RUN(s.world, both, .all = 0);
    updates(&s, 3);
    story_expect(&s, "?3 race:0:3 a3 | | a. |");
    story_alive(&s, 0, 0, 0);
    end(&s);
}

/* Emits on while it works on what it has received. */
struct relay {
    flow_frame base;
    struct ask value, own;
};

FLOW_STATIC(relay)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_next(&opening, &self->value));
    self->own = (struct ask){self->value.door + 10, 0};
    FLOW_AWAIT(flow_emit_wait(&opening, &self->own));
    story_log(story_of(flow), "relay:%d", self->own.votes);
    FLOW_END;
}

static void a_receiver_may_emit_and_wait_itself(void **state)
{
    (void)state;
    struct story s;
    begin(&s);
    (void)FLOW_RUN(s.world, guard, .name = "a", .ticks = 0, .adds = 1, .rounds = 2);
    (void)FLOW_RUN(s.world, relay);
    (void)FLOW_RUN(s.world, visitor, .door = 1);
    updates(&s, 2);
    story_expect(&s, "?1 a1 a11 a. relay:1 =1/0/0 | |");
    story_alive(&s, 0, 0, 0);
    end(&s);
}

/* ---- the signal's end, memory ---- */

static void on_a_closed_signal_it_fails_and_a_close_leaves_deliveries_alone(void **state)
{
    (void)state;
    struct story s;
    begin(&s);
    (void)FLOW_RUN(s.world, once, .finishes = 0);
    (void)FLOW_RUN(s.world, visitor, .door = 1, .rounds = 1);
    updates(&s, 1);
    flow_signal_close(&opening);
    updates(&s, 5);
    story_expect(&s, "?1 | | | | o. =2/0/0 ?2 =0/-4/0 | |");
    flow_signal_fini(&opening);
    (void)FLOW_RUN(s.world, visitor, .door = 3);
    story_expect(&s, "?3 =0/-4/0");
    end(&s);
}

static int wants(const void *value, void *door)
{
    return ((const struct ask *)value)->door == *(const int *)door;
}

static int wants_none_and_ends_it(const void *value, void *flow)
{
    (void)value;
    (void)flow_cancel(opening.signal.world_, *(flow_handle *)flow);
    flow_signal_fini(&opening);
    return 0;
}

struct chooser {
    flow_frame base;
    flow_match match;
    void *arg;
    struct ask value;
};

FLOW_STATIC(chooser)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_next_if(&opening, &self->value, self->match, self->arg));
    story_log(story_of(flow), "choose%d", self->value.door);
    FLOW_AWAIT(flow_next_tick());
    FLOW_END;
}

static void who_does_not_want_the_value_is_not_waited_for(void **state)
{
    (void)state;
    struct story s;
    begin(&s);
    int two = 2, three = 3;
    (void)FLOW_RUN(s.world, chooser, .match = wants, .arg = &two);
    (void)FLOW_RUN(s.world, chooser, .match = wants, .arg = &three);
    (void)FLOW_RUN(s.world, visitor, .door = 1, .rounds = 1);
    updates(&s, 3);
    story_expect(&s, "?1 =0/0/0 ?2 choose2 | =0/0/0 | |");
    (void)flow_emit(&opening, &((struct ask){3, 0}));
    updates(&s, 2);
    story_expect(&s, "choose3 | |");
    end(&s);
}

static void a_condition_may_end_a_receiver_and_the_signal(void **state)
{
    (void)state;
    struct story s;
    begin(&s);
    flow_handle a = FLOW_RUN(s.world, guard, .name = "a", .ticks = 1, .adds = 1);
    s.expect_failures = 1; /* the wait that the end of the signal fails */
    (void)FLOW_RUN(s.world, chooser, .match = wants_none_and_ends_it, .arg = &a);
    (void)FLOW_RUN(s.world, visitor, .door = 1);
    updates(&s, 2);
    story_expect(&s, "?1 a. =0/0/0 | |");
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

static void without_memory_it_fails_before_anybody_has_received_anything(void **state)
{
    (void)state;
    int failures = 0;
    bool lives = false;
    for (long n = 1; !lives; n++) {
        struct story s;
        flow_outcome outcome = {0};
        begin(&s);
        for (int i = 0; i < 600; i++) { /* more receipts than a page of nodes has left */
            (void)FLOW_RUN(s.world, guard, .name = "g", .ticks = 1, .adds = 1);
        }
        s.log[0] = '\0';
        s.fail_at = s.calls + n;
        (void)FLOW_RUN_WITH(s.world, (&(flow_options){.outcome = &outcome}), visitor, .door = 1);
        lives = outcome.state == FLOW_STATE_LIVE;
        assert_int_equal(flow_signal_waiters(&opening), lives ? 0 : 600);
        bool failed = strcmp(s.log, "?1 =0/-6/0") == 0;
        assert_true(lives || failed || s.log[0] == '\0'); /* or there was no room for the flow */
        failures += failed;
        s.fail_at = 0;
        s.log[0] = '\0';
        assert_int_equal(story_destroy(&s), FLOW_OK);
        story_end(&s);
    }
    assert_true(failures > 0);
}

static void ten_thousand_deliveries_take_no_memory_of_their_own(void **state)
{
    (void)state;
    struct story s;
    begin(&s);
    for (int i = 0; i < 3; i++) {
        (void)FLOW_RUN(s.world, guard, .name = "g", .ticks = 0, .adds = 1);
    }
    (void)FLOW_RUN(s.world, visitor, .rounds = 1);
    updates(&s, 2);
    long allocations = s.allocations;
    for (int i = 0; i < 5000; i++) {
        (void)FLOW_RUN(s.world, visitor, .rounds = 1);
        s.log[0] = '\0';
        story_update(&s, 10);
    }
    assert_int_equal(s.allocations, allocations);
    story_alive(&s, 3, 3, 0);
    assert_int_equal(story_destroy(&s), FLOW_OK);
    story_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_emitter_goes_on_when_every_receiver_waits_again_or_has_ended),
        cmocka_unit_test(where_nobody_waits_it_is_done_at_once),
        cmocka_unit_test(cancelled_receivers_have_finished),
        cmocka_unit_test(receivers_use_the_payload_of_an_emitter_that_has_gone),
        cmocka_unit_test(plain_emits_bring_no_payload),
        cmocka_unit_test(a_receiver_says_when_it_has_finished),
        cmocka_unit_test(who_awaits_the_emitter_is_not_waited_for),
        cmocka_unit_test(a_receiver_may_emit_and_wait_itself),
        cmocka_unit_test(on_a_closed_signal_it_fails_and_a_close_leaves_deliveries_alone),
        cmocka_unit_test(who_does_not_want_the_value_is_not_waited_for),
        cmocka_unit_test(a_condition_may_end_a_receiver_and_the_signal),
        cmocka_unit_test(without_memory_it_fails_before_anybody_has_received_anything),
        cmocka_unit_test(ten_thousand_deliveries_take_no_memory_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
