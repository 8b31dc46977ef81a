/* SPDX-License-Identifier: MIT */
/* Sources of streams, and operators that look at one element at a time. */
#include <string.h>

#include "reading.h"

#define READS(open, a, ticks, text) reading_expect(open, a, NULL, ticks, text)

static void to_int(const void *value, void *out, void *arg)
{
    (void)arg;
    *(int *)out = (int)*(const int64_t *)value;
}

/* Reads what `numbers` gives. */
static void as_ints(flow_task *flow, struct reading *self)
{
    flow_stream_map(flow, &self->stream, &self->numbers, to_int, NULL);
}

/* ---- values ---- */

static void open_range(flow_task *flow, struct reading *self)
{
    flow_stream_range(flow, &self->stream, 3, 7);
}

static void open_empty_range(flow_task *flow, struct reading *self)
{
    flow_stream_range(flow, &self->stream, 3, 3);
}

static void open_array(flow_task *flow, struct reading *self)
{
    static int primes[] = {2, 3, 5, 7, 11};
    flow_stream_array(flow, &self->stream, primes, 5);
}

static void open_repeat(flow_task *flow, struct reading *self)
{
    int value = 9; /* copied */
    flow_stream_repeat(flow, &self->stream, &value, 3);
    value = 0;
}

static void open_single(flow_task *flow, struct reading *self)
{
    flow_stream_single(flow, &self->stream, &(int){42});
}

static void open_empty(flow_task *flow, struct reading *self)
{
    flow_stream_empty(flow, &self->stream);
}

static void open_never(flow_task *flow, struct reading *self)
{
    flow_stream_never(flow, &self->stream);
}

static void open_fail(flow_task *flow, struct reading *self)
{
    flow_stream_fail(flow, &self->stream, 5, "no stream today");
}

static void sources_of_values_yield_them_without_waiting(void **state)
{
    (void)state;
    READS(open_range, NULL, 0, "3 4 5 6 | ~");
    READS(open_empty_range, NULL, 0, "| ~");
    READS(open_array, NULL, 0, "2 3 5 7 11 | ~");
    READS(open_repeat, NULL, 0, "9 9 9 | ~");
    READS(open_single, NULL, 0, "42 | ~");
    READS(open_empty, NULL, 0, "| ~");
}

static void one_never_ends_and_one_fails(void **state)
{
    (void)state;
    READS(open_never, NULL, 3, "/ / / ~");
    READS(open_fail, NULL, 0, "!5 ~");
}

/* ---- time ---- */

static void open_every_tick(flow_task *flow, struct reading *self)
{
    flow_stream_every(flow, &self->numbers, flow_next_tick());
    as_ints(flow, self);
}

static void open_every_second_frame(flow_task *flow, struct reading *self)
{
    flow_stream_every(flow, &self->numbers, flow_frames(2));
    as_ints(flow, self);
}

static void a_wait_that_is_awaited_again_and_again_counts_its_turns(void **state)
{
    (void)state;
    READS(open_every_tick, NULL, 3, "/ 1 / 2 / 3 ~");
    READS(open_every_second_frame, NULL, 5, "/ / 1 / / 2 / ~");
}

static void every_tick_of_a_busy_reader_is_not_made_up_for(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    FLOW_RUN(s.world, reading, .open = open_every_tick, .busy = 2);
    for (int i = 1; i <= 7; i++) {
        story_log(&s, "/");
        story_update(&s, 10);
    }
    story_expect(&s, "/ 1 / / / 2 / / / 3");
    story_destroy(&s);
    story_expect(&s, "~");
    story_end(&s);
}

static void open_timer(flow_task *flow, struct reading *self)
{
    flow_stream_timer(flow, &self->numbers, 0.020, 0.030);
    as_ints(flow, self);
}

static void open_delay(flow_task *flow, struct reading *self)
{
    flow_stream_timer(flow, &self->numbers, 0.020, 0);
    as_ints(flow, self);
}

static void open_interval(flow_task *flow, struct reading *self)
{
    flow_stream_interval(flow, &self->numbers, 0.020);
    as_ints(flow, self);
}

static void open_bad_period(flow_task *flow, struct reading *self)
{
    flow_stream_timer(flow, &self->numbers, 0, -1);
    as_ints(flow, self);
}

static void a_timer_yields_after_its_delay_and_then_on_a_grid(void **state)
{
    (void)state;
    READS(open_timer, NULL, 9, "/ / 0 / / / 1 / / / 2 / ~");
    READS(open_delay, NULL, 3, "/ / 0 | ~ /");
    READS(open_interval, NULL, 5, "/ / 0 / / 1 / ~");
}

static void points_that_one_long_frame_brings_come_as_the_last(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    FLOW_RUN(s.world, reading, .open = open_timer);
    story_update(&s, 35); /* 0 was due at 20 */
    story_expect(&s, "0");
    story_update(&s, 10);
    story_expect(&s, "");
    story_update(&s, 5); /* 1 at 50 */
    story_expect(&s, "1");
    story_update(&s, 100); /* 80, 110, 140 */
    story_expect(&s, "4");
    story_update(&s, 19);
    story_expect(&s, "");
    story_update(&s, 1);
    story_expect(&s, "5");
    story_destroy(&s);
    story_expect(&s, "~");
    story_end(&s);
}

static void a_period_that_is_none_is_misuse(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    FLOW_RUN(s.world, reading, .open = open_bad_period);
    story_expect(&s, "!-10 ~");
    assert_int_equal(s.misuses, 1);
    s.expect_misuses = 1;
    s.expect_warnings = s.warning_count;
    story_end(&s);
}

/* ---- what others give ---- */

static FLOW_SIGNAL(int) hits;
static FLOW_PROPERTY(int) health;
static int variable;

struct listening {
    flow_frame base;
    FLOW_SUBSCRIPTION(int) kept;
    ints stream;
    int n, busy, subscribes;
};

FLOW_STATIC(listening)
{
    FLOW_BEGIN;
    if (self->subscribes) {
        (void)flow_subscribe(flow, &self->kept, &hits, FLOW_DROP_OLDEST, 2);
        flow_stream_from(flow, &self->stream, &self->kept);
    } else {
        flow_stream_from(flow, &self->stream, &hits);
    }
    FLOW_FOREACH(&self->stream, &self->n) {
        story_log(story_of(flow), "%d", self->n);
        FLOW_AWAIT(flow_ticks(self->busy));
    }
    story_log(story_of(flow), "|");
    FLOW_END;
}

static void hit_twice_a_tick(struct story *s)
{
    int amount = 1;
    for (; amount <= 6; amount += 2) {
        flow_emit(&hits, &(int){amount});
        flow_emit(&hits, &(int){amount + 1});
        story_update(s, 10);
    }
    flow_signal_close(&hits);
    for (int i = 0; i < 4; i++) {
        story_update(s, 10);
    }
}

static void
a_signal_yields_what_comes_while_a_move_waits_and_a_subscription_what_it_keeps(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    assert_int_equal(flow_signal_init(&hits, s.world), FLOW_OK);
    FLOW_RUN(s.world, listening);
    hit_twice_a_tick(&s);
    story_expect(&s, "1 3 5 |");
    flow_signal_fini(&hits);
    assert_int_equal(flow_signal_init(&hits, s.world), FLOW_OK);
    FLOW_RUN(s.world, listening, .subscribes = 1, .busy = 1);
    hit_twice_a_tick(&s);
    story_expect(&s, "1 3 5 6 |"); /* 2 and 4 made room */
    flow_signal_fini(&hits);
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

static void a_signal_that_fails_fails_its_stream(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    assert_int_equal(flow_signal_init(&hits, s.world), FLOW_OK);
    flow_handle h = FLOW_RUN(s.world, listening);
    flow_signal_fail(&hits, 6, "gone");
    story_update(&s, 10);
    assert_int_equal(flow_state_of(s.world, h), FLOW_STATE_FAILED);
    assert_int_equal(s.failure_count, 1);
    assert_int_equal(s.failures[0].failure.code, 6);
    assert_string_equal(s.failures[0].path, "listening > stream_from");
    s.expect_failures = 1;
    flow_signal_fini(&hits);
    story_end(&s);
}

static FLOW_CHANNEL(int) orders;

struct kitchen {
    flow_frame base;
    ints stream;
    int n;
};

/* Has the channel for itself: a stage is a child of its reader. */
FLOW_STATIC(kitchen)
{
    FLOW_BEGIN;
    assert_int_equal(flow_channel_lease(flow, &orders), FLOW_OK);
    flow_stream_from(flow, &self->stream, &orders);
    FLOW_FOREACH(&self->stream, &self->n) {
        story_log(story_of(flow), "%d", self->n);
        FLOW_AWAIT(flow_next_tick());
    }
    story_log(story_of(flow), "|");
    FLOW_END;
}

static void a_channel_yields_what_is_sent_until_it_is_closed_and_drained(void **state)
{
    struct story s;
    (void)state;
    for (int fails = 0; fails < 2; fails++) {
        story_begin(&s, NULL);
        assert_int_equal(flow_channel_init(&orders, s.world, 2), FLOW_OK);
        flow_handle h = FLOW_RUN(s.world, kitchen);
        for (int i = 1; i <= 3; i++) {
            assert_int_equal(flow_try_send(&orders, &i), FLOW_OK);
        }
        assert_int_equal(flow_try_send(&orders, &(int){4}), FLOW_FULL);
        if (fails) {
            flow_channel_fail(&orders, 6, "out of gas");
        } else {
            flow_channel_close(&orders);
        }
        for (int i = 0; i < 5; i++) {
            story_update(&s, 10);
        }
        story_expect(&s, fails ? "1 2 3" : "1 2 3 |");
        assert_int_equal(flow_state_of(s.world, h), fails ? FLOW_STATE_FAILED : FLOW_STATE_DONE);
        assert_int_equal(s.failure_count, fails);
        s.expect_failures = fails;
        story_alive(&s, 0, 0, 0);
        flow_channel_fini(&orders);
        story_end(&s);
    }
}

static void open_changes(flow_task *flow, struct reading *self)
{
    flow_stream_property(flow, &self->stream, &health);
    flow_stream_skip(flow, &self->stream, &self->stream, 1);
}

static void open_property(flow_task *flow, struct reading *self)
{
    flow_stream_property(flow, &self->stream, &health);
}

static void a_property_yields_its_value_and_the_latest_after_each_change(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    assert_int_equal(flow_property_init(&health, s.world, &(int){100}), FLOW_OK);
    FLOW_RUN(s.world, reading, .open = open_property);
    story_expect(&s, "100");
    (void)flow_property_set(&health, &(int){90});
    (void)flow_property_set(&health, &(int){80});
    story_update(&s, 10);
    (void)flow_property_set(&health, &(int){80}); /* no change */
    story_update(&s, 10);
    story_expect(&s, "80");
    flow_property_fini(&health);
    story_update(&s, 10);
    story_expect(&s, "| ~");
    story_end(&s);
}

static void a_property_without_its_first_value_yields_the_changes(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    assert_int_equal(flow_property_init(&health, s.world, &(int){100}), FLOW_OK);
    FLOW_RUN(s.world, reading, .open = open_changes);
    story_expect(&s, "");
    (void)flow_property_set(&health, &(int){90});
    story_update(&s, 10);
    story_expect(&s, "90");
    flow_property_fini(&health);
    story_update(&s, 10);
    story_expect(&s, "| ~");
    story_end(&s);
}

static void open_watch(flow_task *flow, struct reading *self)
{
    flow_stream_watch(flow, &self->stream, &variable);
}

static void a_variable_that_is_watched_yields_its_value_and_each_that_a_tick_finds(void **state)
{
    struct story s;
    (void)state;
    variable = 1;
    story_begin(&s, NULL);
    flow_handle h = FLOW_RUN(s.world, reading, .open = open_watch);
    story_update(&s, 10);
    story_expect(&s, "1");
    variable = 2;
    variable = 3;
    story_update(&s, 10);
    story_update(&s, 10);
    variable = 1;
    story_update(&s, 10);
    story_expect(&s, "3 1");
    flow_cancel(s.world, h);
    story_expect(&s, "~");
    story_end(&s);
}

/* ---- map, filter, take, skip ---- */

static void twice(const void *value, void *out, void *arg)
{
    *(int *)out = *(const int *)value * 2;
    *(int *)arg += 1;
}

static int is_odd(const void *value, void *arg)
{
    (void)arg;
    return *(const int *)value % 2;
}

static int is_below_three(const void *value, void *arg)
{
    (void)arg;
    return *(const int *)value < 3;
}

static int calls;

static void open_map(flow_task *flow, struct reading *self)
{
    reading_open_a(flow, self);
    flow_stream_map(flow, &self->stream, &self->stream, twice, &calls);
}

static void open_filter(flow_task *flow, struct reading *self)
{
    reading_open_a(flow, self);
    flow_stream_filter(flow, &self->stream, &self->stream, is_odd, NULL);
}

static void open_take_while(flow_task *flow, struct reading *self)
{
    reading_open_a(flow, self);
    flow_stream_take_while(flow, &self->stream, &self->stream, is_below_three, NULL);
}

static void open_skip_while(flow_task *flow, struct reading *self)
{
    reading_open_a(flow, self);
    flow_stream_skip_while(flow, &self->stream, &self->stream, is_below_three, NULL);
}

static void open_take(flow_task *flow, struct reading *self)
{
    reading_open_a(flow, self);
    flow_stream_take(flow, &self->stream, &self->stream, 2);
}

static void open_take_none(flow_task *flow, struct reading *self)
{
    reading_open_a(flow, self);
    flow_stream_take(flow, &self->stream, &self->stream, 0);
}

static void open_skip(flow_task *flow, struct reading *self)
{
    reading_open_a(flow, self);
    flow_stream_skip(flow, &self->stream, &self->stream, 2);
}

static void map_and_filter_follow_their_source(void **state)
{
    (void)state;
    calls = 0;
    READS(open_map, "12t3", 1, "2 4 / 6 a. | ~");
    assert_int_equal(calls, 3);
    READS(open_map, "", 0, "a. | ~");
    READS(open_map, "1f", 0, "2 a. !7 ~");
    READS(open_map, "1tf", 1, "2 / a. !7 ~");
    READS(open_filter, "1223t5", 1, "1 3 / 5 a. | ~");
    READS(open_filter, "2t4t6tttt", 3, "/ / / a. ~");
}

static void a_condition_ends_a_stream_or_lets_it_begin(void **state)
{
    (void)state;
    READS(open_take_while, "12t1314", 1, "1 2 / 1 a. | ~");
    READS(open_take_while, "9", 0, "a. | ~");
    READS(open_skip_while, "12t1314", 1, "/ 3 1 4 a. | ~");
    READS(open_skip_while, "12", 0, "a. | ~");
}

static void take_ends_its_source_before_it_hands_over_the_last(void **state)
{
    (void)state;
    READS(open_take, "123", 0, "1 a. 2 | ~");
    READS(open_take, "1t23", 1, "1 / a. 2 | ~");
    READS(open_take, "1", 0, "1 a. | ~");
    READS(open_take_none, "123", 0, "| ~");
    READS(open_skip, "12t34", 1, "/ 3 4 a. | ~");
    READS(open_skip, "1", 0, "a. | ~");
}

/* ---- chains ---- */

static void open_chain(flow_task *flow, struct reading *self)
{
    reading_open_a(flow, self);
    flow_stream_filter(flow, &self->stream, &self->stream, is_odd, NULL);
    flow_stream_map(flow, &self->other, &self->stream, twice, &calls);
    flow_stream_skip(flow, &self->other, &self->other, 1);
    flow_stream_take(flow, &self->stream, &self->other, 2);
}

static void a_chain_of_stages_ends_from_its_source_on(void **state)
{
    (void)state;
    READS(open_chain, "1234567", 0, "6 a. 10 | ~");
    READS(open_chain, "12t3t45t6t", 3, "/ 6 / a. 10 | ~ /");
    READS(open_chain, "12t3tt5", 2, "/ 6 / a. ~");
}

static void a_dump_shows_a_chain_as_a_tree(void **state)
{
    struct story s;
    char text[2048];
    (void)state;
    story_begin(&s, NULL);
    FLOW_RUN(s.world, reading, .open = open_map, .a = "1t");
    flow_world_dump_text(s.world, text, sizeof text);
    assert_non_null(strstr(text, "\n  reading #"));
    assert_non_null(strstr(text, "\n    stream_map #"));
    assert_non_null(strstr(text, "\n      script #"));
    story_destroy(&s);
    s.log[0] = '\0';
    story_end(&s);
}

/* ---- misuse ---- */

struct greedy {
    flow_frame base;
    ints stream, other;
    int n, more;
    flow_outcome outcome;
};

/* Moves a stream that a stage has taken over. */
FLOW_STATIC(greedy)
{
    FLOW_BEGIN;
    flow_stream_range(flow, &self->stream, 0, 3);
    flow_stream_filter(flow, &self->other, &self->stream, is_odd, NULL);
    FLOW_TRY(&self->outcome, flow_stream_next(&self->stream, &self->n, &self->more));
    story_log(story_of(flow), "!%d", self->outcome.code);
    FLOW_AWAIT(flow_stream_next(&self->other, &self->n, &self->more));
    story_log(story_of(flow), "%d/%d", self->n, self->more);
    FLOW_END;
}

static void a_stream_that_a_stage_has_taken_over_is_used_up(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    FLOW_RUN(s.world, greedy);
    story_expect(&s, "!-10 1/1");
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sources_of_values_yield_them_without_waiting),
        cmocka_unit_test(one_never_ends_and_one_fails),
        cmocka_unit_test(a_wait_that_is_awaited_again_and_again_counts_its_turns),
        cmocka_unit_test(every_tick_of_a_busy_reader_is_not_made_up_for),
        cmocka_unit_test(a_timer_yields_after_its_delay_and_then_on_a_grid),
        cmocka_unit_test(points_that_one_long_frame_brings_come_as_the_last),
        cmocka_unit_test(a_period_that_is_none_is_misuse),
        cmocka_unit_test(
            a_signal_yields_what_comes_while_a_move_waits_and_a_subscription_what_it_keeps),
        cmocka_unit_test(a_signal_that_fails_fails_its_stream),
        cmocka_unit_test(a_property_yields_its_value_and_the_latest_after_each_change),
        cmocka_unit_test(a_property_without_its_first_value_yields_the_changes),
        cmocka_unit_test(a_channel_yields_what_is_sent_until_it_is_closed_and_drained),
        cmocka_unit_test(a_variable_that_is_watched_yields_its_value_and_each_that_a_tick_finds),
        cmocka_unit_test(map_and_filter_follow_their_source),
        cmocka_unit_test(a_condition_ends_a_stream_or_lets_it_begin),
        cmocka_unit_test(take_ends_its_source_before_it_hands_over_the_last),
        cmocka_unit_test(a_chain_of_stages_ends_from_its_source_on),
        cmocka_unit_test(a_dump_shows_a_chain_as_a_tree),
        cmocka_unit_test(a_stream_that_a_stage_has_taken_over_is_used_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
