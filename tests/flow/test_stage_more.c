/* SPDX-License-Identifier: MIT */
/* Operators that remember, that look at time, and that join several streams. */
#include "reading.h"

#define READS(open, a, ticks, text) reading_expect(open, a, NULL, ticks, text)

/* Two digits as one number. */
static void pair(const void *first, const void *second, void *out, void *arg)
{
    (void)arg;
    *(int *)out = *(const int *)first * 10 + *(const int *)second;
}

static void add(void *state, const void *value, void *arg)
{
    (void)arg;
    *(int *)state += *(const int *)value;
}

/* ---- those that remember ---- */

static void open_changed(flow_task *flow, struct reading *self)
{
    reading_open_a(flow, self);
    flow_stream_distinct_until_changed(flow, &self->stream, &self->stream);
}

static void open_distinct(flow_task *flow, struct reading *self)
{
    reading_open_a(flow, self);
    flow_stream_distinct(flow, &self->stream, &self->stream, 2);
}

static void open_pairwise(flow_task *flow, struct reading *self)
{
    reading_open_a(flow, self);
    flow_stream_pairwise(flow, &self->stream, &self->stream, pair, NULL);
}

static void open_scan(flow_task *flow, struct reading *self)
{
    reading_open_a(flow, self);
    flow_stream_scan(flow, &self->stream, &self->stream, &(int){10}, add, NULL);
}

typedef FLOW_BATCH(int, 3) three;

static void batch_as_number(const void *value, void *out, void *arg)
{
    const three *batch = value;
    (void)arg;
    *(int *)out = 0;
    for (uint32_t i = 0; i < batch->count; i++) {
        *(int *)out = *(int *)out * 10 + batch->items[i];
    }
}

static void open_buffer(flow_task *flow, struct reading *self)
{
    FLOW_STREAM(three) batches;
    reading_open_a(flow, self);
    flow_stream_buffer(flow, &batches, &self->stream);
    flow_stream_map(flow, &self->stream, &batches, batch_as_number, NULL);
}

static void distinct_leaves_out_what_was_there_before(void **state)
{
    (void)state;
    READS(open_changed, "1122t21", 1, "1 2 / 1 a. | ~");
    READS(open_distinct, "1213t1", 1, "1 2 3 / 1 a. | ~"); /* 3 made it forget 1 */
    READS(open_distinct, "", 0, "a. | ~");
}

static void pairwise_scan_and_buffer_put_elements_together(void **state)
{
    (void)state;
    READS(open_pairwise, "123t4", 1, "12 23 / 34 a. | ~");
    READS(open_pairwise, "1", 0, "a. | ~");
    READS(open_pairwise, "", 0, "a. | ~");
    READS(open_scan, "12t3", 1, "11 13 / 16 a. | ~");
    READS(open_buffer, "12t34t56t78", 3, "/ 123 / 456 / a. 78 | ~");
    READS(open_buffer, "123", 0, "123 a. | ~");
    READS(open_buffer, "12f", 0, "a. !7 ~");
}

/* ---- time ---- */

static void open_debounce(flow_task *flow, struct reading *self)
{
    reading_open_a(flow, self);
    flow_stream_debounce(flow, &self->stream, &self->stream, 0.020);
}

static void open_throttle(flow_task *flow, struct reading *self)
{
    reading_open_a(flow, self);
    flow_stream_throttle(flow, &self->stream, &self->stream, 0.020);
}

static void open_take_until(flow_task *flow, struct reading *self)
{
    reading_open_a(flow, self);
    flow_stream_take_until(flow, &self->stream, &self->stream, flow_seconds(0.020));
}

static void open_skip_until(flow_task *flow, struct reading *self)
{
    reading_open_a(flow, self);
    flow_stream_skip_until(flow, &self->stream, &self->stream, flow_seconds(0.020));
}

static void open_until_failed(flow_task *flow, struct reading *self)
{
    reading_open_a(flow, self);
    flow_stream_take_until(flow, &self->stream, &self->stream, flow_failed(5, "no end"));
}

static void open_until_next_frame(flow_task *flow, struct reading *self)
{
    reading_open_a(flow, self);
    flow_stream_take_until(flow, &self->stream, &self->stream, flow_next_frame());
}

static void debounce_waits_for_quiet(void **state)
{
    (void)state;
    READS(open_debounce, "12t3tttt4", 5, "/ / / 3 / / a. 4 | ~");
    READS(open_debounce, "1tttt", 4, "/ / 1 / / a. | ~");
    READS(open_debounce, "", 0, "a. | ~");
}

static void throttle_lets_one_through_and_then_none_for_a_while(void **state)
{
    (void)state;
    READS(open_throttle, "1t2t3t4", 3, "1 / / 3 / a. | ~");
    READS(open_throttle, "123ttt4", 3, "1 / / / 4 a. | ~");
}

static void a_stop_wait_lives_as_long_as_the_stream(void **state)
{
    (void)state;
    READS(open_take_until, "1t2t3t4", 3, "1 / 2 / a. | ~ /");
    READS(open_take_until, "1t2", 1, "1 / 2 a. | ~");
    READS(open_skip_until, "1t2t3t4", 3, "/ / 3 / 4 a. | ~");
    READS(open_skip_until, "1t2", 1, "/ a. | ~");
    READS(open_until_failed, "12", 0, "!5 ~");
}

/* Nobody moves it when the wait ends. */
static void a_stop_wait_ends_a_stream_that_is_not_moved(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    FLOW_RUN(s.world, reading, .open = open_until_next_frame, .a = "123", .busy = 2);
    story_update(&s, 10);
    story_update(&s, 10);
    story_expect(&s, "1 a. | ~");
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

/* ---- several ---- */

static void open_concat(flow_task *flow, struct reading *self)
{
    reading_open_both(flow, self);
    flow_stream_concat(flow, &self->stream, &self->stream, &self->other);
}

static void open_merge(flow_task *flow, struct reading *self)
{
    reading_open_both(flow, self);
    flow_stream_merge(flow, &self->stream, &self->stream, &self->other);
}

static void open_zip(flow_task *flow, struct reading *self)
{
    reading_open_both(flow, self);
    flow_stream_zip(flow, &self->stream, &self->stream, &self->other, pair, NULL);
}

static void open_latest(flow_task *flow, struct reading *self)
{
    reading_open_both(flow, self);
    flow_stream_combine_latest(flow, &self->stream, &self->stream, &self->other, pair, NULL);
}

/* An element as often as it says. */
static void open_inner(flow_task *flow, void *stream, const void *value, void *arg)
{
    ints *inner = stream;
    (void)arg;
    flow_stream_repeat(flow, inner, (const int *)value, (uint64_t) * (const int *)value);
}

static void open_flat_map(flow_task *flow, struct reading *self)
{
    reading_open_a(flow, self);
    flow_stream_flat_map(flow, &self->stream, &self->stream, open_inner, NULL);
}

static void concat_and_flat_map_take_one_stream_after_another(void **state)
{
    (void)state;
    reading_expect(open_concat, "12t3", "45", 1, "1 2 / 3 a. 4 5 b. | ~");
    reading_expect(open_concat, "", "", 0, "a. b. | ~");
    reading_expect(open_concat, "1f", "45", 0, "1 a. !7 ~");
    READS(open_flat_map, "20t13", 1, "2 2 / 1 3 3 3 a. | ~");
    READS(open_flat_map, "2f", 0, "2 2 a. !7 ~");
}

static void merge_takes_turns_where_both_have_some(void **state)
{
    (void)state;
    reading_expect(open_merge, "12t3", "45", 1, "1 4 2 5 b. / 3 a. | ~");
    reading_expect(open_merge, "t1t2", "t3t4", 2, "/ 1 3 / 2 4 a. b. | ~");
    reading_expect(open_merge, "tttt1", "23", 2, "2 3 b. / / a. ~");
    reading_expect(open_merge, "1tf", "tt2", 2, "1 / a. b. !7 ~ /");
    reading_expect(open_merge, "", "", 0, "a. b. | ~");
}

static void zip_pairs_the_kth_with_the_kth(void **state)
{
    (void)state;
    reading_expect(open_zip, "12t3", "4567", 1, "14 25 / 36 a. b. | ~");
    reading_expect(open_zip, "t1t2", "tt3t4", 4, "/ / 13 / 24 a. b. | ~ /");
    reading_expect(open_zip, "1", "", 0, "b. a. | ~");
}

static void combine_latest_pairs_each_with_the_latest_of_the_other(void **state)
{
    (void)state;
    reading_expect(open_latest, "12t3", "4t5", 1, "14 24 / 25 35 b. a. | ~");
    reading_expect(open_latest, "", "tt45", 2, "a. | ~ / /");
    reading_expect(open_latest, "1t2", "", 1, "b. a. | ~ /");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distinct_leaves_out_what_was_there_before),
        cmocka_unit_test(pairwise_scan_and_buffer_put_elements_together),
        cmocka_unit_test(debounce_waits_for_quiet),
        cmocka_unit_test(throttle_lets_one_through_and_then_none_for_a_while),
        cmocka_unit_test(a_stop_wait_lives_as_long_as_the_stream),
        cmocka_unit_test(a_stop_wait_ends_a_stream_that_is_not_moved),
        cmocka_unit_test(concat_and_flat_map_take_one_stream_after_another),
        cmocka_unit_test(merge_takes_turns_where_both_have_some),
        cmocka_unit_test(zip_pairs_the_kth_with_the_kth),
        cmocka_unit_test(combine_latest_pairs_each_with_the_latest_of_the_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
