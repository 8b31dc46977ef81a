/* SPDX-License-Identifier: MIT */
/* Stages that call a flow function for each element. */
#include "reading.h"

/* Twice the element, after as many ticks; 9 fails. */
struct slowly {
    flow_frame base;
    FLOW_MAPS(int, int) maps;
    int left;
};

FLOW_STATIC(slowly)
{
    FLOW_BEGIN;
    story_log(story_of(flow), "(%d", *self->maps.value);
    if (*self->maps.value == 9) {
        FLOW_FAIL(4, "nine");
    }
    for (self->left += *self->maps.value; self->left > 0; self->left--) {
        FLOW_AWAIT(flow_next_tick());
    }
    *self->maps.out = 2 * *self->maps.value;
    FLOW_FINALLY;
    story_log(story_of(flow), ")");
    FLOW_END;
}

/* Is it odd? Asked for a tick; counts how often. */
struct ask {
    flow_frame base;
    char large[200]; /* does not fit a segment that is open */
    FLOW_MAPS(int, int) maps;
};

FLOW_STATIC(ask)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_next_tick());
    *self->maps.out = *self->maps.value % 2;
    *(int *)self->maps.arg += 1;
    FLOW_END;
}

/* Adds it to a sum, a tick later. */
struct sum_up {
    flow_frame base;
    FLOW_MAPS(int, int) maps;
};

FLOW_STATIC(sum_up)
{
    FLOW_BEGIN;
    assert_null(self->maps.out);
    FLOW_AWAIT(flow_next_tick());
    *(int *)self->maps.arg += *self->maps.value;
    FLOW_END;
}

static int asked;

static void open_slowly(flow_task *flow, struct reading *self)
{
    reading_open_a(flow, self);
    flow_stream_map_await(flow, &self->stream, &self->stream, slowly, NULL);
}

static void open_asking(flow_task *flow, struct reading *self)
{
    reading_open_a(flow, self);
    flow_stream_filter_await(flow, &self->stream, &self->stream, ask, &asked);
}

#define READS(open, a, ticks, text) reading_expect(open, a, NULL, ticks, text)

static void elements_are_mapped_one_after_another_each_in_its_time(void **state)
{
    (void)state;
    READS(open_slowly, "021", 3, "(0 ) 0 (2 / / ) 4 (1 / ) 2 a. | ~");
    READS(open_slowly, "19", 1, "(1 / ) 2 (9 ) a. !4 ~");
    READS(open_slowly, "2", 1, "(2 / ) a. ~"); /* cancelled in the middle */
    asked = 0;
    READS(open_asking, "1234", 4, "/ 1 / / 3 / a. | ~");
    assert_int_equal(asked, 4);
}

/* A move that lost its race while its element was being made finds it the next time. */
struct impatient {
    flow_frame base;
    ints stream;
    int n, more, which, turns;
};

FLOW_STATIC(impatient)
{
    FLOW_BEGIN;
    script_open(flow, &self->stream, "a", "21");
    flow_stream_map_await(flow, &self->stream, &self->stream, slowly, NULL);
    for (self->turns = 0; self->turns < 8; self->turns++) {
        self->n = -1;
        FLOW_RACE(self->which, flow_next_tick(),
                  flow_stream_next(&self->stream, &self->n, &self->more));
        story_log(story_of(flow), "%d", self->which == 0 ? -1 : self->more ? self->n : 100);
        if (self->which == 1 && !self->more) {
            break;
        }
    }
    FLOW_END;
}

static void an_element_that_is_made_while_nobody_waits_is_kept(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    FLOW_RUN(s.world, impatient);
    for (int i = 0; i < 5; i++) {
        story_log(&s, "/");
        story_update(&s, 10);
    }
    story_expect(&s, "(2 / -1 / ) 4 (1 / ) -1 2 a. 100 / /");
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

struct summing {
    flow_frame base;
    ints stream;
    int sum;
    flow_outcome outcome;
    const char *a;
};

FLOW_STATIC(summing)
{
    FLOW_BEGIN;
    script_open(flow, &self->stream, "a", self->a);
    FLOW_TRY(&self->outcome, flow_stream_for_each(&self->stream, sum_up, &self->sum));
    story_log(story_of(flow), "%d!%d", self->sum, self->outcome.code);
    FLOW_END;
}

static void for_each_awaits_its_function_for_each_element(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    FLOW_RUN(s.world, summing, .a = "1234");
    for (int i = 0; i < 4; i++) {
        story_expect(&s, "");
        story_update(&s, 10);
    }
    story_expect(&s, "a. 10!0");
    FLOW_RUN(s.world, summing, .a = "12f");
    story_update(&s, 10);
    story_update(&s, 10);
    story_expect(&s, "a. 3!7");
    flow_handle h = FLOW_RUN(s.world, summing, .a = "12");
    story_update(&s, 10);
    flow_cancel(s.world, h);
    story_expect(&s, "a.");
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

static void run_crowd(struct story *s)
{
    for (int i = 0; i < 100; i++) {
        FLOW_RUN(s->world, reading, .open = i % 2 ? open_slowly : open_asking, .a = "0123");
        FLOW_RUN(s->world, summing, .a = "12");
        s->log[0] = '\0';
    }
    for (int t = 0; t < 8; t++) {
        story_update(s, 10);
        s->log[0] = '\0';
    }
}

static void
awaiting_stages_survive_each_allocation_failing_and_need_none_after_warm_up(void **state)
{
    long needed = 1;
    (void)state;
    for (long at = 0; at < needed; at++) { /* the first time none fails */
        struct story s;
        story_begin(&s, NULL);
        long begun = s.calls;
        s.fail_at = at > 0 ? begun + at : 0;
        run_crowd(&s);
        run_crowd(&s);
        long calls = s.calls;
        if (at == 0) {
            needed = calls - begun + 1;
            assert_in_range(needed, 3, 100);
            run_crowd(&s);
            assert_int_equal(s.calls, calls);
        }
        flow_counters count = flow_world_counters(s.world);
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
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_are_mapped_one_after_another_each_in_its_time),
        cmocka_unit_test(an_element_that_is_made_while_nobody_waits_is_kept),
        cmocka_unit_test(for_each_awaits_its_function_for_each_element),
        cmocka_unit_test(
            awaiting_stages_survive_each_allocation_failing_and_need_none_after_warm_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
