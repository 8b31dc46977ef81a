/* SPDX-License-Identifier: MIT */
/* Channels: values from other threads, memory, and crowds that do everything to them at random. */
#include "flows.h"
#include "threads.h"

#include <stdbool.h>
#include <string.h>

typedef FLOW_CHANNEL(int) int_channel;

/* So large that a few take a page. */
struct wide {
    int number;
    char rest[4092];
};
typedef FLOW_CHANNEL(struct wide) wide_channel;

static int_channel ch;
static wide_channel wide;
static struct wide value;

struct sender {
    flow_frame base;
    int from, count;
    int *next_free; /* if not null: draws its numbers from here */
    flow_outcome outcome;
};

/* What was taken, in order. */
static int taken[20000], taken_count;
static bool accepted[20000]; /* numbers that were drawn and sent */

FLOW_STATIC(sender)
{
    FLOW_BEGIN;
    for (; self->count > 0; self->count--) {
        if (self->next_free != NULL) {
            self->from = ++*self->next_free;
        }
        FLOW_TRY(&self->outcome, flow_send(&ch, &self->from));
        if (self->outcome.state != FLOW_STATE_DONE) {
            story_log(story_of(flow), "!%d", self->outcome.code);
            FLOW_RETURN;
        }
        accepted[self->from] = self->next_free != NULL;
        self->from++;
    }
    FLOW_END;
}

struct receiver {
    flow_frame base;
    int count, quiet;
    int value, closed;
    flow_outcome outcome;
};

FLOW_STATIC(receiver)
{
    FLOW_BEGIN;
    while (self->count-- > 0) {
        FLOW_TRY(&self->outcome, flow_next_or_closed(&ch, &self->value, &self->closed));
        if (self->closed || self->outcome.state != FLOW_STATE_DONE) {
            story_log(story_of(flow), "closed:%d", self->outcome.code);
            FLOW_RETURN;
        }
        taken[taken_count++] = self->value;
        if (!self->quiet) {
            story_log(story_of(flow), "%d", self->value);
        }
    }
    FLOW_END;
}

static void begin(struct story *s, uint32_t capacity)
{
    story_begin(s, NULL);
    taken_count = 0;
    assert_int_equal(flow_channel_init(&ch, s->world, capacity), FLOW_OK);
}

static void end(struct story *s)
{
    flow_channel_fini(&ch);
    story_end(s);
}

/* ---- other threads ---- */

static void send_hundred(void *arg)
{
    int *from = arg;
    for (int i = 0; i < 100; i++) {
        int number = *from + i;
        assert_int_equal(flow_send_any_thread(&ch, &number), FLOW_OK);
    }
}

static void what_threads_send_arrives_in_their_order_in_the_next_frame(void **state)
{
    (void)state;
    struct story s;
    begin(&s, 4);
    test_thread threads[2];
    int from[] = {1000, 2000};
    for (int i = 0; i < 2; i++) {
        test_thread_start(&threads[i], send_hundred, &from[i]);
    }
    for (int i = 0; i < 2; i++) {
        test_thread_join(&threads[i]);
    }
    assert_int_equal(flow_channel_count(&ch), 0);
    (void)FLOW_RUN(s.world, receiver, .count = 200, .quiet = 1);
    story_update(&s, 10);
    assert_int_equal(taken_count, 200);
    int next[] = {1000, 2000};
    for (int i = 0; i < 200; i++) {
        assert_int_equal(taken[i], next[taken[i] / 1000 - 1]++);
    }
    end(&s);
}

static void send_two_and_close(void *arg)
{
    (void)arg;
    assert_int_equal(flow_send_any_thread(&ch, &((int){71})), FLOW_OK);
    assert_int_equal(flow_send_any_thread(&ch, &((int){72})), FLOW_OK);
    assert_int_equal(flow_close_any_thread(&ch), FLOW_OK);
    assert_int_equal(flow_send_any_thread(&ch, &((int){73})), FLOW_OK); /* dropped */
}

static void what_a_thread_sends_goes_beyond_the_capacity_and_overtakes_nobody(void **state)
{
    (void)state;
    struct story s;
    begin(&s, 1);
    (void)FLOW_RUN(s.world, sender, .from = 1, .count = 2);
    (void)FLOW_RUN(s.world, sender, .from = 11, .count = 1);
    test_on_thread(send_two_and_close, NULL);
    assert_int_equal(flow_channel_count(&ch), 1);
    (void)flow_world_begin_frame(s.world, 0.01);
    assert_int_equal(flow_channel_count(&ch), 5);
    (void)FLOW_RUN(s.world, receiver, .count = 10);
    story_expect(&s, "1 2 11 71 72 closed:0");
    end(&s);
    begin(&s, 1);
    flow_channel_fini(&ch);
    assert_int_equal(flow_send_any_thread(&ch, &((int){1})), FLOW_OK); /* there is none */
    assert_int_equal(flow_channel_init(&ch, s.world, 1), FLOW_OK);
    story_update(&s, 10);
    assert_int_equal(flow_channel_count(&ch), 0);
    end(&s);
}

static void without_memory_for_what_a_thread_sends_the_channel_fails(void **state)
{
    (void)state;
    struct story s;
    begin(&s, 1);
    assert_int_equal(flow_channel_init(&wide, s.world, 1), FLOW_OK);
    s.fail_at = s.calls + 1;
    int sent = 0;
    while (flow_try_send(&wide, &value) != FLOW_NOMEM) {
        value.number = ++sent;
        assert_int_equal(flow_send_any_thread(&wide, &value), FLOW_OK);
        (void)flow_world_begin_frame(s.world, 0.01);
    }
    s.fail_at = 0;
    assert_true(sent > 0 && flow_channel_count(&wide) > 0); /* those are still delivered */
    while (flow_try_next(&wide, &value)) {
        assert_true(value.number < sent);
    }
    flow_channel_fini(&wide);
    end(&s);
}

/* ---- memory ---- */

static void ten_thousand_rounds_take_no_memory_and_leave_no_waiter(void **state)
{
    (void)state;
    struct story s;
    begin(&s, 2);
    long allocations = 0;
    for (int i = 0; i < 10000; i++) {
        flow_handle r = FLOW_RUN(s.world, receiver, .count = 1, .quiet = 1);
        flow_handle t = FLOW_RUN(s.world, receiver, .count = 1, .quiet = 1);
        (void)FLOW_RUN(s.world, sender, .from = i, .count = 2);
        assert_int_equal(flow_cancel(s.world, r), FLOW_OK);
        assert_int_equal(flow_cancel(s.world, t), FLOW_OK);
        (void)FLOW_RUN(s.world, receiver, .count = 2, .quiet = 1);
        taken_count = 0;
        story_update(&s, 10);
        allocations = i == 100 ? s.allocations : allocations;
    }
    assert_int_equal(s.allocations, allocations);
    story_alive(&s, 0, 0, 0);
    end(&s);
}

static void a_channel_that_cannot_be_made_is_a_closed_one(void **state)
{
    (void)state;
    flow_status status = FLOW_NOMEM;
    for (long n = 1; status == FLOW_NOMEM; n++) {
        struct story s;
        story_begin(&s, NULL);
        s.fail_at = s.calls + n;
        status = flow_channel_init(&wide, s.world, 1000);
        s.fail_at = 0;
        if (status == FLOW_NOMEM) {
            assert_int_equal(flow_try_send(&wide, &value), FLOW_CLOSED);
            assert_int_equal(flow_try_next(&wide, &value), 0);
        }
        flow_channel_fini(&wide);
        assert_true(n < 10);
        assert_true(status == FLOW_NOMEM || n > 1);
        story_end(&s);
    }
    struct story s;
    story_begin(&s, NULL);
    s.fail_at = s.calls + 1;
    assert_int_equal(flow_channel_init(&wide, s.world, FLOW_UNBOUNDED - 1), FLOW_NOMEM);
    story_end(&s);
}

static void an_unbounded_channel_without_memory_fails_the_send_alone(void **state)
{
    (void)state;
    struct story s;
    story_begin(&s, NULL);
    assert_int_equal(flow_channel_init(&wide, s.world, FLOW_UNBOUNDED), FLOW_OK);
    s.fail_at = s.calls + 1;
    uint32_t sent = 0;
    while (flow_try_send(&wide, &value) == FLOW_OK) {
        value.number = (int)++sent;
    }
    assert_int_equal(flow_try_send(&wide, &value), FLOW_NOMEM);
    assert_int_equal(flow_channel_count(&wide), sent);
    s.fail_at = 0;
    assert_int_equal(flow_try_send(&wide, &value), FLOW_OK);
    for (uint32_t i = 0; i <= sent; i++) {
        assert_true(flow_try_next(&wide, &value));
        assert_true(i == 0 || value.number == (int)i);
    }
    flow_channel_fini(&wide);
    story_end(&s);
}

/* ---- random crowds ---- */

enum { CROWD = 12, STEPS = 3000 };

/* Receives in a race with a tick. */
struct impatient {
    flow_frame base;
    int index, value;
};

FLOW_STATIC(impatient)
{
    FLOW_BEGIN;
    FLOW_RACE(self->index, flow_ticks(1), flow_all(flow_next(&ch, &self->value), flow_ticks(2)));
    assert_int_equal(self->index, 0); /* it never keeps what it receives */
    FLOW_END;
}

/* One step of the crowd: something starts, or is cancelled. */
static void crowd_step(struct story *s, struct story_random *random, flow_handle *flows,
                       int *next_free, int cancels)
{
    flow_handle *flow = &flows[story_random_below(random, CROWD)];
    int number;
    switch (story_random_below(random, cancels ? 8 : 6)) {
    case 0:
    case 1:
        *flow = FLOW_RUN(s->world, sender, .count = 1 + (int)story_random_below(random, 4),
                         .next_free = next_free);
        break;
    case 2:
    case 3:
        *flow = FLOW_RUN(s->world, receiver, .count = 1 + (int)story_random_below(random, 4),
                         .quiet = 1);
        break;
    case 4:
        number = *next_free + 1;
        *next_free += flow_try_send(&ch, &number) == FLOW_OK;
        accepted[number] = number == *next_free;
        break;
    case 5:
        if (flow_try_next(&ch, &number)) {
            taken[taken_count++] = number;
        }
        break;
    case 6:
        (void)flow_cancel(s->world, *flow);
        break;
    default:
        (void)FLOW_RUN(s->world, impatient);
        break;
    }
    if (story_random_below(random, 4) == 0) {
        story_update(s, 10);
    }
}

/* Runs a crowd to the end of its channel; how many numbers were drawn. */
static int crowd(struct story_random *random, uint32_t capacity, int cancels)
{
    struct story s;
    flow_handle flows[CROWD] = {{0}};
    int next_free = 0, number;
    begin(&s, capacity);
    memset(accepted, 0, sizeof accepted);
    for (int i = 0; i < STEPS; i++) {
        crowd_step(&s, random, flows, &next_free, cancels);
    }
    flow_channel_close(&ch);
    for (int i = 0; i < 3; i++) {
        story_update(&s, 10);
    }
    while (flow_try_next(&ch, &number)) {
        taken[taken_count++] = number;
    }
    story_alive(&s, 0, 0, 0);
    s.log[0] = '\0';
    end(&s);
    return next_free;
}

static void whatever_a_crowd_does_each_value_is_received_exactly_once(void **state)
{
    static const uint32_t capacities[] = {0, 1, 3, FLOW_UNBOUNDED};
    static unsigned char seen[20000];
    (void)state;
    struct story_random random;
    random = (struct story_random){story_seed(20261201)};
    for (int i = 0; i < 16; i++) {
        int drawn = crowd(&random, capacities[i % 4], i >= 8);
        assert_true(drawn < 20000 && taken_count <= drawn && taken_count > STEPS / 8);
        memset(seen, 0, sizeof seen);
        for (int k = 0; k < taken_count; k++) {
            assert_false(seen[taken[k]]++);
        }
        for (int k = 0; k < 20000; k++) {
            assert_true(seen[k] || !accepted[k]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_threads_send_arrives_in_their_order_in_the_next_frame),
        cmocka_unit_test(what_a_thread_sends_goes_beyond_the_capacity_and_overtakes_nobody),
        cmocka_unit_test(without_memory_for_what_a_thread_sends_the_channel_fails),
        cmocka_unit_test(ten_thousand_rounds_take_no_memory_and_leave_no_waiter),
        cmocka_unit_test(a_channel_that_cannot_be_made_is_a_closed_one),
        cmocka_unit_test(an_unbounded_channel_without_memory_fails_the_send_alone),
        cmocka_unit_test(whatever_a_crowd_does_each_value_is_received_exactly_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
