/* SPDX-License-Identifier: MIT */
/* Channels: order, room, ends, and values that nobody loses. */
#include "flows.h"
#include "story.h"

#include <string.h>

typedef FLOW_CHANNEL(int) int_channel;

static int_channel ch;

/* Sends count numbers from `from` on, and says when each is taken, or how it failed. */
struct sender {
    flow_frame base;
    const char *name;
    int from, count;
    flow_outcome outcome;
};

FLOW_STATIC(sender)
{
    FLOW_BEGIN;
    for (; self->count > 0; self->count--, self->from++) {
        FLOW_TRY(&self->outcome, flow_send(&ch, &self->from));
        if (self->outcome.state != FLOW_STATE_DONE) {
            story_log(story_of(flow), "%s!%d", self->name, self->outcome.code);
            FLOW_RETURN;
        }
        story_log(story_of(flow), "%s>%d", self->name, self->from);
    }
    FLOW_END;
}

/* Receives up to count numbers, with a pause of some ticks after each. */
struct receiver {
    flow_frame base;
    const char *name;
    int count, ticks;
    int value;
    flow_outcome outcome;
};

FLOW_STATIC(receiver)
{
    FLOW_BEGIN;
    for (; self->count > 0; self->count--) {
        FLOW_TRY(&self->outcome, flow_next(&ch, &self->value));
        if (self->outcome.state != FLOW_STATE_DONE) {
            story_log(story_of(flow), "%s!%d", self->name, self->outcome.code);
            FLOW_RETURN;
        }
        story_log(story_of(flow), "%s:%d", self->name, self->value);
        FLOW_AWAIT(flow_ticks(self->ticks));
    }
    FLOW_END;
}

static void begin(struct story *s, uint32_t capacity)
{
    story_begin(s, NULL);
    assert_int_equal(flow_channel_init(&ch, s->world, capacity), FLOW_OK);
}

static void end(struct story *s)
{
    flow_channel_fini(&ch);
    story_end(s);
}

static void updates(struct story *s, int count)
{
    for (int i = 0; i < count; i++) {
        story_update(s, 10);
        story_log(s, "|");
    }
}

static int try_send(int value)
{
    return flow_try_send(&ch, &value);
}

static int try_next(void)
{
    int value = -1;
    return flow_try_next(&ch, &value) ? value : -1;
}

/* ---- order and room ---- */

static void values_come_out_as_they_went_in_and_sends_wait_for_room(void **state)
{
    (void)state;
    struct story s;
    begin(&s, 1);
    (void)FLOW_RUN(s.world, sender, .name = "a", .from = 1, .count = 1);
    (void)FLOW_RUN(s.world, sender, .name = "b", .from = 2, .count = 1);
    (void)FLOW_RUN(s.world, sender, .name = "c", .from = 3, .count = 1);
    story_expect(&s, "a>1");
    assert_int_equal(flow_channel_count(&ch), 1);
    (void)FLOW_RUN(s.world, receiver, .name = "r", .count = 4, .ticks = 1);
    updates(&s, 4);
    story_expect(&s, "r:1 r:2 b>2 c>3 | r:3 | | |");
    assert_int_equal(try_send(4), FLOW_OK);
    updates(&s, 1);
    story_expect(&s, "r:4 |");
    story_alive(&s, 1, 0, 0);
    end(&s);
}

static void waiting_sends_keep_their_place_and_nobody_overtakes(void **state)
{
    (void)state;
    struct story s;
    begin(&s, 2);
    (void)FLOW_RUN(s.world, sender, .name = "a", .from = 1, .count = 4);
    (void)FLOW_RUN(s.world, sender, .name = "b", .from = 11, .count = 2);
    story_expect(&s, "a>1 a>2");
    assert_int_equal(try_send(21), FLOW_FULL);
    assert_int_equal(try_next(), 1);
    assert_int_equal(try_send(22), FLOW_FULL); /* the room was a's, which waits */
    assert_int_equal(try_next(), 2);
    assert_int_equal(try_send(23), FLOW_FULL);
    updates(&s, 1);
    story_expect(&s, "a>3 b>11 |"); /* and now both wait once more, a before b */
    assert_int_equal(try_next(), 3);
    assert_int_equal(try_next(), 11);
    assert_int_equal(try_next(), 4);
    assert_int_equal(try_next(), 12);
    assert_int_equal(try_next(), -1);
    assert_int_equal(try_send(24), FLOW_OK);
    updates(&s, 1);
    story_expect(&s, "a>4 b>12 |");
    end(&s);
}

static void waiting_receives_are_served_in_order(void **state)
{
    (void)state;
    struct story s;
    begin(&s, 2);
    for (int i = 0; i < 3; i++) {
        static const char *const names[] = {"r", "s", "t"};
        (void)FLOW_RUN(s.world, receiver, .name = names[i], .count = 1);
    }
    assert_int_equal(try_send(1), FLOW_OK);
    assert_int_equal(try_next(), -1); /* it is r's already */
    (void)FLOW_RUN(s.world, sender, .name = "a", .from = 2, .count = 4);
    story_expect(&s, "a>2 a>3 a>4 a>5");
    updates(&s, 1);
    story_expect(&s, "r:1 s:2 t:3 |");
    assert_int_equal(flow_channel_count(&ch), 2);
    end(&s);
}

static void without_capacity_a_send_waits_for_its_receiver(void **state)
{
    (void)state;
    struct story s;
    begin(&s, 0);
    assert_int_equal(try_send(1), FLOW_FULL);
    (void)FLOW_RUN(s.world, sender, .name = "a", .from = 1, .count = 3);
    (void)FLOW_RUN(s.world, sender, .name = "b", .from = 11, .count = 1);
    updates(&s, 1);
    story_expect(&s, "|");
    assert_int_equal(try_next(), 1);
    (void)FLOW_RUN(s.world, receiver, .name = "r", .count = 3);
    story_expect(&s, "r:11");
    updates(&s, 2);
    story_expect(&s, "a>1 a>2 b>11 r:2 r:3 a>3 | |");
    (void)FLOW_RUN(s.world, receiver, .name = "t", .count = 2);
    assert_int_equal(try_send(4), FLOW_OK);
    assert_int_equal(try_send(5), FLOW_FULL);
    updates(&s, 1);
    assert_int_equal(try_send(5), FLOW_OK);
    updates(&s, 1);
    story_expect(&s, "t:4 | t:5 |");
    end(&s);
}

static void unbounded_ones_take_whatever_comes(void **state)
{
    (void)state;
    struct story s;
    begin(&s, FLOW_UNBOUNDED);
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(try_send(i), FLOW_OK);
    }
    for (int i = 0; i < 500; i++) {
        assert_int_equal(try_next(), i);
    }
    for (int i = 1000; i < 3000; i++) {
        assert_int_equal(try_send(i), FLOW_OK);
    }
    for (int i = 500; i < 3000; i++) {
        assert_int_equal(try_next(), i);
    }
    assert_int_equal(try_next(), -1);
    end(&s);
}

/* ---- the end ---- */

/* Lesson C09 and scenario 13. */
static void scenario_13_channel_close(void **state)
{
    (void)state;
    struct story s;
    begin(&s, 2);
    (void)FLOW_RUN(s.world, sender, .name = "a", .from = 1, .count = 5);
    flow_channel_close(&ch);
    (void)FLOW_RUN(s.world, sender, .name = "b", .from = 11, .count = 1);
    assert_int_equal(try_send(21), FLOW_CLOSED);
    (void)FLOW_RUN(s.world, receiver, .name = "r", .count = 5);
    updates(&s, 1);
    story_expect(&s, "a>1 a>2 b!-4 r:1 r:2 r!-4 a!-4 |");
    story_alive(&s, 0, 0, 0);
    assert_int_equal(try_next(), -1);
    flow_channel_fini(&ch);
    (void)FLOW_RUN(s.world, sender, .name = "c", .from = 1, .count = 1);
    (void)FLOW_RUN(s.world, receiver, .name = "t", .count = 1);
    assert_int_equal(try_send(21), FLOW_CLOSED);
    story_expect(&s, "c!-4 t!-4");
    end(&s);
}

static void closing_wakes_every_waiting_receiver_and_sender(void **state)
{
    (void)state;
    struct story s;
    begin(&s, 0);
    (void)FLOW_RUN(s.world, receiver, .name = "r", .count = 1);
    (void)FLOW_RUN(s.world, receiver, .name = "t", .count = 1);
    flow_channel_close(&ch);
    flow_channel_close(&ch);
    updates(&s, 1);
    story_expect(&s, "r!-4 t!-4 |");
    end(&s);
    begin(&s, 0);
    (void)FLOW_RUN(s.world, sender, .name = "a", .count = 1);
    (void)FLOW_RUN(s.world, sender, .name = "b", .count = 1);
    flow_channel_fini(&ch);
    updates(&s, 1);
    story_expect(&s, "a!-4 b!-4 |");
    end(&s);
}

static void closed_with_an_error_it_ends_everybody_with_that(void **state)
{
    (void)state;
    struct story s;
    begin(&s, 1);
    (void)FLOW_RUN(s.world, sender, .name = "a", .from = 1, .count = 2);
    flow_channel_fail(&ch, 7, "the kitchen burns");
    flow_channel_close(&ch); /* too late */
    assert_int_equal(try_send(9), 7);
    (void)FLOW_RUN(s.world, receiver, .name = "r", .count = 2);
    updates(&s, 1);
    story_expect(&s, "a>1 r:1 r!7 a!7 |");
    s.expect_misuses = 1;
    flow_channel_fail(&ch, 0, NULL);
    end(&s);
}

struct watcher {
    flow_frame base;
    const char *name;
    int closed;
    int tells; /* closed is no failure */
    int drained;
    flow_outcome outcome;
};

FLOW_STATIC(watcher)
{
    FLOW_BEGIN;
    self->closed = 8;
    FLOW_TRY(&self->outcome, self->drained ? flow_drained(&ch)
                             : self->tells ? flow_readable(&ch, &self->closed)
                                           : flow_readable(&ch, NULL));
    story_log(story_of(flow), "%s=%d/%d", self->name, self->outcome.code, self->closed);
    FLOW_END;
}

static void a_wait_for_something_to_read_consumes_nothing(void **state)
{
    (void)state;
    struct story s;
    begin(&s, 2);
    (void)FLOW_RUN(s.world, watcher, .name = "w", .tells = 1);
    (void)FLOW_RUN(s.world, watcher, .name = "x");
    flow_handle gone = FLOW_RUN(s.world, watcher, .name = "y", .tells = 1);
    assert_int_equal(flow_cancel(s.world, gone), FLOW_OK);
    updates(&s, 1);
    assert_int_equal(try_send(1), FLOW_OK);
    updates(&s, 1);
    (void)FLOW_RUN(s.world, watcher, .name = "z", .tells = 1);
    story_expect(&s, "| w=0/0 x=0/8 | z=0/0");
    assert_int_equal(try_next(), 1);
    (void)FLOW_RUN(s.world, receiver, .name = "r", .count = 1);
    (void)FLOW_RUN(s.world, watcher, .name = "w", .tells = 1);
    assert_int_equal(try_send(2), FLOW_OK); /* r's: w sees nothing */
    updates(&s, 1);
    story_expect(&s, "r:2 |");
    (void)FLOW_RUN(s.world, watcher, .name = "x");
    flow_channel_close(&ch);
    (void)FLOW_RUN(s.world, watcher, .name = "z", .tells = 1);
    (void)FLOW_RUN(s.world, watcher, .name = "y");
    updates(&s, 1);
    story_expect(&s, "z=0/1 y=-4/8 w=0/1 x=-4/8 |");
    end(&s);
    begin(&s, 0);
    (void)FLOW_RUN(s.world, watcher, .name = "w", .tells = 1);
    (void)FLOW_RUN(s.world, sender, .name = "a", .from = 1, .count = 1);
    updates(&s, 1);
    (void)FLOW_RUN(s.world, watcher, .name = "x", .tells = 1);
    flow_channel_fail(&ch, 5, NULL);
    (void)FLOW_RUN(s.world, watcher, .name = "y", .tells = 1);
    updates(&s, 1);
    story_expect(&s, "w=0/0 | x=0/0 y=5/8 a!5 |");
    end(&s);
}

static void it_is_drained_when_it_is_closed_and_all_is_received(void **state)
{
    (void)state;
    struct story s;
    begin(&s, 2);
    (void)FLOW_RUN(s.world, watcher, .name = "w", .drained = 1);
    (void)FLOW_RUN(s.world, sender, .name = "a", .from = 1, .count = 2);
    flow_channel_close(&ch);
    updates(&s, 1);
    assert_int_equal(try_next(), 1);
    (void)FLOW_RUN(s.world, receiver, .name = "r", .count = 1);
    (void)FLOW_RUN(s.world, watcher, .name = "x", .drained = 1);
    updates(&s, 1);
    story_expect(&s, "a>1 a>2 | r:2 x=0/8 w=0/8 |");
    end(&s);
    begin(&s, 2);
    (void)FLOW_RUN(s.world, watcher, .name = "w", .drained = 1);
    assert_int_equal(try_send(1), FLOW_OK);
    flow_channel_fail(&ch, 5, "burnt");
    updates(&s, 1);
    (void)FLOW_RUN(s.world, receiver, .name = "r", .count = 1);
    (void)FLOW_RUN(s.world, watcher, .name = "x", .drained = 1);
    updates(&s, 1);
    story_expect(&s, "| r:1 x=5/8 w=5/8 |");
    (void)FLOW_RUN(s.world, watcher, .name = "y", .drained = 1);
    flow_channel_fini(&ch);
    (void)FLOW_RUN(s.world, watcher, .name = "z", .drained = 1);
    story_expect(&s, "y=5/8 z=0/8");
    end(&s);
}

/* ---- nothing is lost ---- */

/* Lesson C10. */
static void
a_receiver_that_is_cancelled_before_it_goes_on_leaves_its_value_to_the_next(void **state)
{
    (void)state;
    struct story s;
    begin(&s, 2);
    flow_handle r = FLOW_RUN(s.world, receiver, .name = "r", .count = 1);
    flow_handle t = FLOW_RUN(s.world, receiver, .name = "t", .count = 1);
    assert_int_equal(try_send(1), FLOW_OK);
    assert_int_equal(flow_cancel(s.world, r), FLOW_OK);
    updates(&s, 1);
    story_expect(&s, "t:1 |");
    assert_int_equal(flow_cancel(s.world, t), FLOW_STALE);
    r = FLOW_RUN(s.world, receiver, .name = "r", .count = 1);
    t = FLOW_RUN(s.world, receiver, .name = "t", .count = 1);
    for (int i = 2; i <= 5; i++) {
        assert_int_equal(try_send(i), FLOW_OK);
    }
    assert_int_equal(flow_cancel(s.world, t), FLOW_OK);
    assert_int_equal(flow_cancel(s.world, r), FLOW_OK);
    assert_int_equal(flow_channel_count(&ch), 4); /* beyond the capacity */
    assert_int_equal(try_send(6), FLOW_FULL);
    for (int i = 2; i <= 5; i++) {
        assert_int_equal(try_next(), i);
    }
    updates(&s, 1);
    story_expect(&s, "|");
    story_alive(&s, 0, 0, 0);
    end(&s);
}

static void a_value_on_its_way_to_a_flow_holds_the_end_back(void **state)
{
    (void)state;
    struct story s;
    begin(&s, 2);
    flow_handle r = FLOW_RUN(s.world, receiver, .name = "r", .count = 1);
    (void)FLOW_RUN(s.world, receiver, .name = "t", .count = 2);
    (void)FLOW_RUN(s.world, watcher, .name = "w", .drained = 1);
    assert_int_equal(try_send(1), FLOW_OK);
    flow_channel_close(&ch);
    assert_int_equal(flow_cancel(s.world, r), FLOW_OK);
    updates(&s, 1);
    story_expect(&s, "t:1 t!-4 w=0/8 |"); /* the value is t's, and only then is it the end */
    end(&s);
}

/* Receives in a race with a signal. */
struct racer {
    flow_frame base;
    int index, value, other;
};
static FLOW_SIGNAL(int) bell;

FLOW_STATIC(racer)
{
    FLOW_BEGIN;
    FLOW_RACE(self->index, flow_all(flow_next(&ch, &self->value), flow_never()),
              flow_next(&bell, &self->other));
    story_log(story_of(flow), "race:%d", self->index);
    FLOW_END;
}

static void a_receive_that_loses_gives_its_value_back_to_the_front(void **state)
{
    (void)state;
    struct story s;
    begin(&s, 2);
    assert_int_equal(flow_signal_init(&bell, s.world), FLOW_OK);
    assert_int_equal(try_send(1), FLOW_OK);
    assert_int_equal(try_send(2), FLOW_OK);
    (void)FLOW_RUN(s.world, racer); /* holds 1 */
    (void)FLOW_RUN(s.world, racer); /* holds 2 */
    (void)FLOW_RUN(s.world, sender, .name = "a", .from = 3, .count = 3);
    updates(&s, 2);
    story_expect(&s, "a>3 a>4 | |");
    assert_int_equal(flow_emit(&bell, &((int){0})), 2);
    assert_int_equal(flow_channel_count(&ch), 4);
    updates(&s, 1);
    story_expect(&s, "race:1 race:1 |");
    for (int i = 1; i <= 5; i++) {
        assert_int_equal(try_next(), i);
    }
    updates(&s, 1);
    story_expect(&s, "a>5 |");
    flow_signal_fini(&bell);
    end(&s);
}

static void a_send_that_is_cancelled_has_sent_nothing(void **state)
{
    (void)state;
    struct story s;
    begin(&s, 1);
    (void)FLOW_RUN(s.world, sender, .name = "a", .from = 1, .count = 1);
    flow_handle b = FLOW_RUN(s.world, sender, .name = "b", .from = 2, .count = 1);
    (void)FLOW_RUN(s.world, sender, .name = "c", .from = 3, .count = 1);
    assert_int_equal(flow_cancel(s.world, b), FLOW_OK);
    (void)FLOW_RUN(s.world, receiver, .name = "r", .count = 2);
    updates(&s, 2);
    story_expect(&s, "a>1 r:1 r:3 c>3 | |");
    story_alive(&s, 0, 0, 0);
    end(&s);
}

static void the_end_of_the_world_and_of_the_channel_leave_nothing(void **state)
{
    (void)state;
    struct story s;
    begin(&s, 1);
    (void)FLOW_RUN(s.world, receiver, .name = "r", .count = 1);
    (void)FLOW_RUN(s.world, receiver, .name = "t", .count = 1);
    (void)FLOW_RUN(s.world, watcher, .name = "w");
    (void)FLOW_RUN(s.world, watcher, .name = "x", .drained = 1);
    assert_int_equal(try_send(1), FLOW_OK);
    flow_channel_fini(&ch); /* r has its value in hand */
    updates(&s, 1);
    story_expect(&s, "r:1 t!-4 w=-4/8 x=0/8 |");
    assert_int_equal(flow_channel_init(&ch, s.world, 1), FLOW_OK);
    flow_handle r = FLOW_RUN(s.world, receiver, .name = "r", .count = 1);
    assert_int_equal(try_send(1), FLOW_OK);
    flow_channel_fini(&ch);
    assert_int_equal(flow_cancel(s.world, r), FLOW_OK); /* nowhere to give it back to */
    assert_int_equal(flow_channel_init(&ch, s.world, 1), FLOW_OK);
    (void)FLOW_RUN(s.world, sender, .name = "a", .from = 1, .count = 2);
    (void)FLOW_RUN(s.world, watcher, .name = "x", .drained = 1);
    story_expect(&s, "a>1");
    assert_int_equal(story_destroy(&s), FLOW_OK);
    story_end(&s);
}

/* ---- leases ---- */

struct leaser {
    flow_frame base;
    int ticks, releases, value;
    flow_status status;
};

FLOW_STATIC(leaser)
{
    FLOW_BEGIN;
    self->status = flow_channel_lease(flow, &ch);
    story_log(story_of(flow), "lease%d", (int)self->status);
    if (self->status != FLOW_OK) {
        FLOW_RETURN;
    }
    assert_int_equal(flow_channel_lease(flow, &ch), FLOW_BUSY);
    FLOW_AWAIT(flow_ticks(self->ticks));
    while (flow_try_next(&ch, &self->value)) {
        story_log(story_of(flow), "l:%d", self->value);
    }
    FLOW_ALL(FLOW_CALL(receiver, .name = "c", .count = 1));
    if (self->releases) {
        flow_channel_release(flow, &ch);
        FLOW_AWAIT(flow_ticks(self->ticks));
    }
    FLOW_END;
}

static void a_leased_channel_is_received_from_by_its_flow_alone(void **state)
{
    (void)state;
    struct story s;
    begin(&s, 2);
    (void)FLOW_RUN(s.world, leaser, .ticks = 1, .releases = 1);
    (void)FLOW_RUN(s.world, leaser);
    assert_int_equal(try_send(1), FLOW_OK);
    s.expect_misuses = 2;
    (void)FLOW_RUN(s.world, receiver, .name = "r", .count = 1);
    assert_int_equal(try_next(), -1);
    assert_int_equal(s.misuses, 2);
    story_expect(&s, "lease0 lease-13 r!-10");
    updates(&s, 1);
    assert_int_equal(try_send(2), FLOW_OK);
    updates(&s, 1);
    assert_int_equal(try_send(3), FLOW_OK);
    assert_int_equal(try_next(), 3); /* it is released */
    story_expect(&s, "l:1 | c:2 |");
    updates(&s, 1);
    (void)FLOW_RUN(s.world, receiver, .name = "r", .count = 1);
    (void)FLOW_RUN(s.world, leaser); /* r waits */
    story_expect(&s, "| lease-13");
    assert_int_equal(try_send(4), FLOW_OK);
    updates(&s, 1);
    flow_handle l = FLOW_RUN(s.world, leaser);
    assert_int_equal(flow_cancel(s.world, l), FLOW_OK); /* its end releases it */
    l = FLOW_RUN(s.world, leaser);
    flow_channel_fini(&ch);
    updates(&s, 1);
    story_expect(&s, "r:4 | lease0 lease0 c!-4 |");
    assert_int_equal(flow_cancel(s.world, l), FLOW_STALE);
    end(&s);
}

static void misuse_is_told(void **state)
{
    (void)state;
    struct story s, other;
    begin(&s, 1);
    story_begin(&other, NULL);
    (void)FLOW_RUN(other.world, sender, .name = "a", .count = 1);
    (void)FLOW_RUN(other.world, receiver, .name = "r", .count = 1);
    story_expect(&other, "a!-10 r!-10");
    other.expect_misuses = other.misuses;
    story_end(&other);
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_come_out_as_they_went_in_and_sends_wait_for_room),
        cmocka_unit_test(waiting_sends_keep_their_place_and_nobody_overtakes),
        cmocka_unit_test(waiting_receives_are_served_in_order),
        cmocka_unit_test(without_capacity_a_send_waits_for_its_receiver),
        cmocka_unit_test(unbounded_ones_take_whatever_comes),
        cmocka_unit_test(scenario_13_channel_close),
        cmocka_unit_test(closing_wakes_every_waiting_receiver_and_sender),
        cmocka_unit_test(closed_with_an_error_it_ends_everybody_with_that),
        cmocka_unit_test(a_wait_for_something_to_read_consumes_nothing),
        cmocka_unit_test(it_is_drained_when_it_is_closed_and_all_is_received),
        cmocka_unit_test(
            a_receiver_that_is_cancelled_before_it_goes_on_leaves_its_value_to_the_next),
        cmocka_unit_test(a_value_on_its_way_to_a_flow_holds_the_end_back),
        cmocka_unit_test(a_receive_that_loses_gives_its_value_back_to_the_front),
        cmocka_unit_test(a_send_that_is_cancelled_has_sent_nothing),
        cmocka_unit_test(the_end_of_the_world_and_of_the_channel_leave_nothing),
        cmocka_unit_test(a_leased_channel_is_received_from_by_its_flow_alone),
        cmocka_unit_test(misuse_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
