/* SPDX-License-Identifier: MIT */
/* Streams that run ahead or are shared, what is awaited at the end of a chain, and how chains of
 * all stages are cancelled and do without memory. */
#include "reading.h"

/* ---- running ahead ---- */

static void open_queue(flow_task *flow, struct reading *self)
{
    reading_open_a(flow, self);
    flow_stream_queue(flow, &self->stream, &self->stream, FLOW_DROP_OLDEST, 2);
}

static void open_strict_queue(flow_task *flow, struct reading *self)
{
    reading_open_a(flow, self);
    flow_stream_queue(flow, &self->stream, &self->stream, FLOW_FAIL_WHEN_FULL, 1);
}

static void expect_busy(opener open, const char *a, int ticks, const char *text)
{
    struct story s;
    story_begin(&s, NULL);
    FLOW_RUN(s.world, reading, .open = open, .a = a, .busy = 2);
    for (int i = 0; i < ticks; i++) {
        story_log(&s, "/");
        story_update(&s, 10);
    }
    story_expect(&s, text);
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

static void a_queue_keeps_what_comes_while_its_reader_is_busy(void **state)
{
    (void)state;
    reading_expect(reading_open_a, "1t2t3t4", NULL, 3, "1 / 2 / 3 / 4 a. | ~");
    expect_busy(reading_open_a, "1t2t3t4", 11, "1 / / / 2 / / / 3 / / / 4 / / a. | ~");
    expect_busy(open_queue, "1t2t3t4", 8, "1 / / 2 / a. / 3 / / 4 / / | ~");
    expect_busy(open_queue, "1t2345", 6, "1 / a. / 4 / / 5 / / | ~");
    expect_busy(open_queue, "1tf", 2, "1 / a. / !7 ~");
    expect_busy(open_strict_queue, "1t23t4", 2, "1 / a. / !-11 ~");
    reading_expect(open_queue, "", NULL, 0, "a. | ~");
}

/* ---- sharing ---- */

static FLOW_SIGNAL(int) hits;

struct sharing {
    flow_frame base;
    ints stream;
    const char *a;
};

FLOW_STATIC(sharing)
{
    FLOW_BEGIN;
    script_open(flow, &self->stream, "a", self->a);
    flow_stream_share(flow, &hits, &self->stream);
    FLOW_AWAIT(flow_never());
    FLOW_END;
}

struct guest {
    flow_frame base;
    const char *name;
    int n, closed;
    flow_outcome outcome;
};

FLOW_STATIC(guest)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_TRY(&self->outcome, flow_next_or_closed(&hits, &self->n, &self->closed));
        if (self->closed || self->outcome.code != 0) {
            break;
        }
        story_log(story_of(flow), "%s%d", self->name, self->n);
    }
    story_log(story_of(flow), "%s!%d", self->name, self->outcome.code);
    FLOW_END;
}

static void a_shared_stream_is_moved_once_for_all_who_listen(void **state)
{
    static const char *const scripts[] = {"t1t2t3", "t1tf"};
    static const char *const texts[] = {"x1 y1 x2 y2 z2 a. x3 x!0 y3 y!0 z3 z!0",
                                        "x1 y1 a. x!7 y!7 z!7"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct story s;
        story_begin(&s, NULL);
        assert_int_equal(flow_signal_init(&hits, s.world), FLOW_OK);
        FLOW_RUN(s.world, guest, .name = "x");
        FLOW_RUN(s.world, guest, .name = "y");
        flow_handle h = FLOW_RUN(s.world, sharing, .a = scripts[i]);
        story_update(&s, 10);
        FLOW_RUN(s.world, guest, .name = "z");
        story_update(&s, 10);
        story_update(&s, 10);
        story_expect(&s, texts[i]);
        flow_cancel(s.world, h);
        flow_signal_fini(&hits);
        story_alive(&s, 0, 0, 0);
        story_end(&s);
    }
}

static void cancelling_who_shares_a_stream_ends_its_producer_and_leaves_the_signal(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    assert_int_equal(flow_signal_init(&hits, s.world), FLOW_OK);
    flow_handle guest = FLOW_RUN(s.world, guest, .name = "x");
    flow_handle h = FLOW_RUN(s.world, sharing, .a = "1tt2");
    story_update(&s, 1);
    flow_cancel(s.world, h);
    story_expect(&s, "x1 a.");
    assert_int_equal(flow_state_of(s.world, guest), FLOW_STATE_LIVE);
    flow_cancel(s.world, guest);
    flow_signal_fini(&hits);
    story_end(&s);
}

/* ---- the end of a chain ---- */

static void add(void *state, const void *value, void *arg)
{
    (void)arg;
    *(int *)state += *(const int *)value;
}

struct ending {
    flow_frame base;
    const char *a;
    char what;
    ints stream;
    int n, found, array[3];
    int64_t total;
    size_t size;
    flow_outcome outcome;
};

FLOW_STATIC(ending)
{
    FLOW_BEGIN;
    script_open(flow, &self->stream, "a", self->a);
    if (self->what == 'f') {
        FLOW_TRY(&self->outcome, flow_stream_first(&self->stream, &self->n, &self->found));
        story_log(story_of(flow), "%d %d", self->found, self->n);
    } else if (self->what == 'l') {
        FLOW_TRY(&self->outcome, flow_stream_last(&self->stream, &self->n, &self->found));
        story_log(story_of(flow), "%d %d", self->found, self->n);
    } else if (self->what == 's') {
        FLOW_TRY(&self->outcome, flow_stream_fold(&self->stream, &self->n, add, NULL));
        story_log(story_of(flow), "%d", self->n);
    } else if (self->what == 'c') {
        FLOW_TRY(&self->outcome, flow_stream_count(&self->stream, &self->total));
        story_log(story_of(flow), "%d", (int)self->total);
    } else {
        FLOW_TRY(&self->outcome, flow_stream_to_array(&self->stream, self->array, 3, &self->size));
        story_log(story_of(flow), "%d: %d %d %d", (int)self->size, self->array[0], self->array[1],
                  self->array[2]);
    }
    if (self->outcome.code != 0) {
        story_log(story_of(flow), "!%d", self->outcome.code);
    }
    FLOW_END;
}

static void expect_ending(char what, const char *a, const char *text)
{
    struct story s;
    story_begin(&s, NULL);
    flow_handle h = FLOW_RUN(s.world, ending, .what = what, .a = a);
    for (int i = 0; i < 3; i++) {
        story_update(&s, 10);
    }
    story_expect(&s, text);
    assert_int_equal(flow_state_of(s.world, h), FLOW_STATE_DONE);
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

static void first_last_fold_count_and_to_array_move_to_what_they_need(void **state)
{
    (void)state;
    expect_ending('f', "t4t5", "a. 1 4");
    expect_ending('f', "t", "a. 0 0");
    expect_ending('f', "tf", "a. 0 0 !7");
    expect_ending('l', "12t3", "a. 1 3");
    expect_ending('l', "", "a. 0 0");
    expect_ending('s', "12t3", "a. 6");
    expect_ending('s', "12tf", "a. 3 !7");
    expect_ending('c', "12t3", "a. 3");
    expect_ending('c', "", "a. 0");
    expect_ending('a', "1t2", "a. 2: 1 2 0");
    expect_ending('a', "1t234", "a. 3: 1 2 3");
}

/* ---- all stages at once ---- */

static void twice(const void *value, void *out, void *arg)
{
    (void)arg;
    *(int *)out = *(const int *)value * 2;
}

static int is_small(const void *value, void *arg)
{
    (void)arg;
    return *(const int *)value < 100;
}

static int is_none(const void *value, void *arg)
{
    (void)arg;
    return *(const int *)value == 0;
}

static void sum(const void *first, const void *second, void *out, void *arg)
{
    (void)arg;
    *(int *)out = *(const int *)first + *(const int *)second;
}

typedef FLOW_BATCH(int, 2) two;

static void first_of_two(const void *value, void *out, void *arg)
{
    (void)arg;
    *(int *)out = ((const two *)value)->items[0];
}

static void open_inner(flow_task *flow, void *stream, const void *value, void *arg)
{
    ints *inner = stream;
    (void)arg;
    flow_stream_repeat(flow, inner, (const int *)value, 2);
}

/* Every operator on one stream, each on the one before. */
static void open_long_chain(flow_task *flow, struct reading *self)
{
    FLOW_STREAM(two) batches;
    ints *s = &self->stream;
    reading_open_a(flow, self);
    flow_stream_queue(flow, s, s, FLOW_DROP_NEWEST, 8);
    flow_stream_map(flow, s, s, twice, NULL);
    flow_stream_filter(flow, s, s, is_small, NULL);
    flow_stream_take_while(flow, s, s, is_small, NULL);
    flow_stream_skip_while(flow, s, s, is_none, NULL);
    flow_stream_distinct_until_changed(flow, s, s);
    flow_stream_distinct(flow, s, s, 4);
    flow_stream_scan(flow, s, s, &(int){1}, add, NULL);
    flow_stream_skip(flow, s, s, 1);
    flow_stream_pairwise(flow, s, s, sum, NULL);
    flow_stream_buffer(flow, &batches, s);
    flow_stream_map(flow, s, &batches, first_of_two, NULL);
    flow_stream_flat_map(flow, s, s, open_inner, NULL);
    flow_stream_take(flow, s, s, 3);
}

/* Those on several streams and those on time. */
static void open_wide_tree(flow_task *flow, struct reading *self)
{
    ints *s = &self->stream, *o = &self->other;
    ints more = {0};
    reading_open_both(flow, self);
    script_open(flow, &more, "c", "1t2t3");
    flow_stream_debounce(flow, s, s, 0.005);
    flow_stream_throttle(flow, o, o, 0.005);
    flow_stream_merge(flow, s, s, o);
    script_open(flow, o, "d", "4t5t6");
    flow_stream_zip(flow, o, o, &more, sum, NULL);
    flow_stream_combine_latest(flow, s, s, o, sum, NULL);
    script_open(flow, o, "e", "7");
    flow_stream_concat(flow, s, s, o);
    flow_stream_take_until(flow, s, s, flow_seconds(0.080));
    flow_stream_skip_until(flow, s, s, flow_next_tick());
}

static const opener all_stages[] = {open_long_chain, open_wide_tree};
static const char script[] = "01tt2t34t5t6ttt789";

static void chains_of_all_stages_are_cancelled_in_each_tick(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof all_stages / sizeof all_stages[0]; i++) {
        for (int ticks = 0; ticks < 16; ticks++) {
            struct story s;
            story_begin(&s, NULL);
            reading_run(&s, all_stages[i], script, script, ticks);
            flow_counters count = flow_world_counters(s.world);
            assert_int_equal(count.started, count.ended);
            story_alive(&s, 0, 0, 0);
            s.log[0] = '\0';
            story_end(&s);
        }
    }
}

static void chains_of_all_stages_give_what_their_parts_do(void **state)
{
    (void)state;
    /* its source stands too deep to begin in the first slice: it is a tick late */
    reading_expect(open_long_chain, script, NULL, 7, "/ / / / 20 20 / / a. 52 | ~ /");
    reading_expect(open_wide_tree, script, script, 8,
                   "/ 7 8 / 10 11 d. c. / 11 12 / 13 14 / 14 15 / 15 / / b. a. | ~");
}

static void worlds_are_destroyed_with_chains_of_all_stages_pending(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof all_stages / sizeof all_stages[0]; i++) {
        for (int ticks = 0; ticks < 8; ticks++) {
            struct story s;
            story_begin(&s, NULL);
            FLOW_RUN(s.world, reading, .open = all_stages[i], .a = script, .b = script);
            for (int t = 0; t < ticks; t++) {
                story_update(&s, 10);
            }
            assert_int_equal(story_destroy(&s), FLOW_OK);
            s.log[0] = '\0';
            story_end(&s);
        }
    }
}

/* All of them at once, to use up what there is. */
static void run_crowd(struct story *s)
{
    for (int i = 0; i < 40; i++) {
        FLOW_RUN(s->world, reading, .open = all_stages[i % 2], .a = script, .b = script);
        s->log[0] = '\0';
    }
    for (int t = 0; t < 12; t++) {
        story_update(s, 10);
        s->log[0] = '\0';
    }
}

static void chains_of_all_stages_survive_each_allocation_failing(void **state)
{
    long needed = 1;
    (void)state;
    for (long at = 0; at < needed; at++) { /* the first time none fails */
        struct story s;
        story_begin(&s, NULL);
        long begun = s.calls;
        s.fail_at = at > 0 ? begun + at : 0;
        run_crowd(&s);
        needed = at == 0 ? s.calls - begun + 1 : needed;
        flow_counters count = flow_world_counters(s.world);
        assert_int_equal(count.live, 0);
        assert_int_equal(count.waits, 0);
        assert_int_equal(count.started, count.ended);
        assert_int_equal(s.misuses, 0);
        for (int i = 0; i < s.failure_count && i < STORY_REPORTS; i++) {
            assert_int_equal(s.failures[i].failure.code, FLOW_NOMEM);
        }
        s.fail_at = 0;
        s.expect_failures = s.failure_count;
        s.expect_warnings = s.warning_count;
        story_end(&s);
    }
    assert_in_range(needed, 5, 200);
}

static void after_warm_up_chains_of_all_stages_call_no_allocator(void **state)
{
    struct story s;
    long calls = 0;
    (void)state;
    story_begin(&s, NULL);
    for (int round = 0; round < 10; round++) {
        run_crowd(&s);
        calls = round == 2 ? s.calls : calls;
    }
    assert_int_equal(s.calls, calls);
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_queue_keeps_what_comes_while_its_reader_is_busy),
        cmocka_unit_test(a_shared_stream_is_moved_once_for_all_who_listen),
        cmocka_unit_test(cancelling_who_shares_a_stream_ends_its_producer_and_leaves_the_signal),
        cmocka_unit_test(first_last_fold_count_and_to_array_move_to_what_they_need),
        cmocka_unit_test(chains_of_all_stages_give_what_their_parts_do),
        cmocka_unit_test(chains_of_all_stages_are_cancelled_in_each_tick),
        cmocka_unit_test(worlds_are_destroyed_with_chains_of_all_stages_pending),
        cmocka_unit_test(chains_of_all_stages_survive_each_allocation_failing),
        cmocka_unit_test(after_warm_up_chains_of_all_stages_call_no_allocator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
