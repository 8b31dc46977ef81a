/* SPDX-License-Identifier: MIT */
/*
 * A crowd that makes, moves, leaves and breaks streams at random. Whatever happens,
 *   - what a reader gets of a stream is 0, 1, 2, ... with nothing lost and nothing twice;
 *   - the finally section of every generator that began runs exactly once;
 *   - at the end nothing lives, and each flow that started has ended.
 */
#include "story.h"

enum { HANDLES = 64, TICKS = 600 };

static struct {
    uint32_t random;
    flow_handle handle[HANDLES];
    int begun, finals, elements, kept, failures, cut;
} crowd;

static uint32_t dice(uint32_t sides)
{
    crowd.random = crowd.random * 1664525u + 1013904223u;
    return (crowd.random >> 9) % sides;
}

static void cancel_somebody(flow_world *world)
{
    (void)flow_cancel(world, crowd.handle[dice(HANDLES)]);
}

typedef FLOW_STREAM(int) ints;

static int always(const void *value, void *arg)
{
    (void)arg;
    return *(const int *)value >= 0;
}

static void same(const void *value, void *out, void *arg)
{
    (void)arg;
    *(int *)out = *(const int *)value;
}

static void first_of_both(const void *first, const void *second, void *out, void *arg)
{
    (void)arg;
    assert_int_equal(*(const int *)first, *(const int *)second);
    *(int *)out = *(const int *)first;
}

struct lazy {
    flow_frame base;
    FLOW_MAPS(int, int) maps;
};

FLOW_STATIC(lazy)
{
    FLOW_BEGIN;
    if (dice(2)) {
        FLOW_AWAIT(flow_next_tick());
    }
    *self->maps.out = *self->maps.value;
    FLOW_END;
}

struct maker {
    flow_frame base;
    FLOW_YIELDS(int) yields;
    ints source; /* of which it passes on each */
    int depth, next, got;
};
FLOW_FORWARD(maker);

static void open_stages(flow_task *flow, ints *stream)
{
    switch (dice(7)) {
    case 0:
        flow_stream_filter(flow, stream, stream, always, NULL);
        break;
    case 1:
        flow_stream_map(flow, stream, stream, same, NULL);
        break;
    case 2:
        flow_stream_map_await(flow, stream, stream, lazy, NULL);
        break;
    case 3:
        flow_stream_queue(flow, stream, stream, FLOW_FAIL_WHEN_FULL, 100);
        break;
    case 4:
        flow_stream_take_until(flow, stream, stream, flow_ticks(1 + dice(20)));
        break;
    default:
        break;
    }
}

FLOW_STATIC(maker)
{
    FLOW_BEGIN;
    crowd.begun++;
    crowd.handle[dice(HANDLES)] = flow_self(flow);
    if (self->depth > 0 && dice(2)) {
        FLOW_GENERATE(&self->source, maker, .depth = self->depth - 1);
        open_stages(flow, &self->source);
        FLOW_FOREACH(&self->source, &self->got) {
            assert_int_equal(self->got, self->next);
            if (dice(4) == 0) {
                FLOW_AWAIT(flow_next_tick());
            }
            FLOW_YIELD(&self->got);
            self->next++;
        }
        FLOW_RETURN;
    }
    while (dice(30) != 0) {
        switch (dice(40)) {
        case 0:
            cancel_somebody(flow_world_of(flow));
            break;
        case 1:
            if (dice(4) == 0) {
                FLOW_FAIL(9, "at random");
            }
            break;
        default:
            break;
        }
        if (dice(3) == 0) {
            FLOW_AWAIT(flow_ticks(dice(3)));
        }
        FLOW_YIELD(&self->next);
        self->next++;
    }
    FLOW_FINALLY;
    crowd.finals++;
    if (dice(8) == 0) {
        FLOW_AWAIT(flow_next_tick());
    }
    FLOW_END;
}

struct reader {
    flow_frame base;
    ints stream, other;
    int n, more, m, other_more, expected, other_expected, which;
    uint32_t how;
    flow_outcome outcome;
};

static void got(struct reader *self)
{
    if (self->outcome.code == 0 && self->more) {
        assert_int_equal(self->n, self->expected);
        self->expected++;
        crowd.elements++;
    }
}

/* The other one's end is not the first one's. */
static void got_other(struct reader *self)
{
    if (self->outcome.code == 0 && self->other_more) {
        assert_int_equal(self->m, self->other_expected);
        self->other_expected++;
    }
    self->outcome.code = 0;
}

static void open_both(flow_task *flow, struct reader *self)
{
    FLOW_GENERATE(&self->stream, maker, .depth = 2);
    FLOW_GENERATE(&self->other, maker, .depth = 1);
    open_stages(flow, &self->stream);
    if (dice(4) == 0) {
        flow_stream_zip(flow, &self->stream, &self->stream, &self->other, first_of_both, NULL);
        flow_stream_range(flow, &self->other, 0, 20);
    }
    open_stages(flow, &self->stream);
}

FLOW_STATIC(reader)
{
    FLOW_BEGIN;
    crowd.handle[dice(HANDLES)] = flow_self(flow);
    open_both(flow, self);
    for (self->more = 1; self->more && self->outcome.code == 0 && dice(60) != 0;) {
        self->which = 1;
        self->how = dice(4);
        if (self->how == 0) {
            FLOW_TRY(&self->outcome, flow_stream_next(&self->stream, &self->n, &self->more));
        } else if (self->how == 1) {
            FLOW_TRY(&self->outcome,
                     flow_race(&self->which, flow_next_tick(),
                               flow_stream_next(&self->stream, &self->n, &self->more)));
            crowd.kept += self->which == 0;
        } else if (self->how == 2) {
            FLOW_TRY(&self->outcome,
                     flow_race(&self->which,
                               flow_stream_next(&self->other, &self->m, &self->other_more),
                               flow_stream_next(&self->stream, &self->n, &self->more)));
        } else {
            self->which = 0;
            if (dice(10) == 0) {
                cancel_somebody(flow_world_of(flow));
            }
            FLOW_AWAIT(flow_ticks(dice(2)));
        }
        if (self->which == 1) {
            got(self);
        } else if (self->how == 2) {
            got_other(self);
        }
    }
    crowd.failures += self->outcome.code == 9;
    crowd.cut += self->outcome.code == FLOW_CANCELLED;
    if (dice(2)) {
        flow_stream_end(&self->stream);
    }
    FLOW_END;
}

static void expected_reports(struct story *s)
{
    for (int i = 0; i < s->failure_count && i < STORY_REPORTS; i++) {
        assert_int_equal(s->failures[i].failure.kind, FLOW_FAILURE_UNDELIVERED);
        assert_true(s->failures[i].failure.code == 9 ||
                    s->failures[i].failure.code == FLOW_CANCELLED); /* of a stream that was moved */
    }
    s->expect_failures = s->failure_count;
}

static void a_random_crowd_loses_and_doubles_no_element(void **state)
{
    struct story s;
    (void)state;
    crowd.random = (uint32_t)story_seed(1);
    story_begin(&s, NULL);
    for (int tick = 0; tick < TICKS; tick++) {
        for (uint32_t i = dice(5); i > 0 && tick < TICKS - 100; i--) {
            FLOW_RUN(s.world, reader);
        }
        if (dice(4) == 0) {
            cancel_somebody(s.world);
        }
        story_update(&s, 10);
    }
    for (int i = 0; i < HANDLES; i++) {
        (void)flow_cancel(s.world, crowd.handle[i]);
    }
    flow_counters count = flow_world_counters(s.world);
    print_message("%d generators, %d elements, %d lost moves, %d failures, %d cut off, %u live\n",
                  crowd.begun, crowd.elements, crowd.kept, crowd.failures, crowd.cut, count.live);
    assert_true(crowd.begun > 1000 && crowd.elements > 3000 && crowd.kept > 500 &&
                crowd.failures > 10 && crowd.cut > 50);
    expected_reports(&s);
    assert_int_equal(s.misuses, 0);
    story_destroy(&s);
    assert_int_equal(crowd.finals, crowd.begun);
    story_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_random_crowd_loses_and_doubles_no_element),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
