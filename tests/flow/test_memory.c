/* SPDX-License-Identifier: MIT */
/* Memory: no allocator call after warm-up, what a suspended flow costs, and that nothing grows. */
#include "actor.h"

/* ---- a mixed life (G08) ---- */

struct town {
    FLOW_SIGNAL(int) bell;
    flow_handle group;
    uint32_t random;
    int started;
    flow_outcome outcome;
};

static uint32_t dice(struct town *town, uint32_t sides)
{
    town->random = town->random * 1664525u + 1013904223u;
    return (town->random >> 8) % sides;
}

struct large {
    flow_frame base;
    char bytes[1000];
};

FLOW_STATIC(large)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_next_tick());
    FLOW_END;
}

static void nothing_much(void *arg)
{
    ++*(int *)arg;
}

struct citizen {
    flow_frame base;
    struct town *town;
    int kind;
    int left;
    int i;
    flow_outcome outcome;
};
FLOW_FORWARD(citizen);

FLOW_STATIC(citizen)
{
    FLOW_BEGIN;
    FLOW_DEFER(nothing_much, &self->town->started);
    for (self->left = 3; self->left > 0; self->left--) {
        self->kind = (int)dice(self->town, 12);
        if (self->kind == 0) {
            FLOW_AWAIT(flow_seconds(0.001 * (double)dice(self->town, 100)));
        } else if (self->kind == 1) {
            FLOW_AWAIT(flow_next_frame());
        } else if (self->kind == 2) {
            FLOW_RACE(self->i, flow_ticks(3), flow_next(&self->town->bell, &self->i),
                      FLOW_CALL(large));
        } else if (self->kind == 3) {
            FLOW_ALL(flow_ticks(2), FLOW_CALL(large), flow_frames(3),
                     flow_seconds_on(FLOW_CLOCK_REAL, 0.01));
        } else if (self->kind == 4) {
            FLOW_TIMEOUT(&self->i, flow_next(&self->town->bell, NULL), 0.02);
        } else if (self->kind == 5) {
            FLOW_TRY(&self->outcome,
                     flow_all(flow_never(), FLOW_CALL(actor, .name = "x", .ticks = 1, .fail = 1)));
        } else if (self->kind == 6) {
            FLOW_AWAIT(FLOW_CALL(large));
        } else if (self->kind == 7) {
            (void)FLOW_SPAWN(actor, .name = "x", .ticks = 5);
            FLOW_AWAIT(flow_next_tick());
        } else if (self->kind == 8) {
            FLOW_AWAIT(flow_join(FLOW_SPAWN(actor, .name = "x", .ticks = 2, .closing = 1),
                                 &self->outcome));
        } else if (self->kind == 9) {
            FLOW_SHIELD(flow_ticks(2));
        } else if (self->kind == 10) {
            FLOW_AWAIT(flow_switch_phase(dice(self->town, 2) ? FLOW_LATE : FLOW_UPDATE));
        } else {
            FLOW_FAIL(1, "one of them must");
        }
    }
    FLOW_FINALLY;
    if (dice(self->town, 4) == 0) {
        FLOW_AWAIT(flow_next_tick());
    }
    FLOW_END;
}

/* Frames of a town in which about 200 citizens live, and everything happens. */
static void live(struct story *s, struct town *town, int frames)
{
    for (int i = 0; i < frames; i++) {
        flow_handle last = {0, 0};
        while (flow_world_counters(s->world).live < 200) {
            last = dice(town, 2)
                       ? FLOW_RUN_WITH(s->world, &(flow_options){.owner = town->group}, citizen,
                                       .town = town)
                       : FLOW_RUN_WITH(s->world, &(flow_options){.outcome = &town->outcome},
                                       citizen, .town = town);
        }
        if (dice(town, 3) == 0) {
            (void)flow_cancel(s->world, last);
        }
        if (dice(town, 5) == 0) {
            (void)flow_emit(&town->bell, &(int){i});
        }
        if (dice(town, 200) == 0) {
            (void)flow_group_clear(s->world, town->group);
        }
        story_frame(s, 10);
        s->log[0] = '\0';
    }
}

static void after_warm_up_ten_thousand_frames_of_everything_call_no_allocator(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    struct town town = {.random = 7};
    assert_int_equal(flow_signal_init(&town.bell, s.world), FLOW_OK);
    town.group = flow_group_create(s.world, NULL);
    assert_int_equal(flow_world_reserve(s.world, 500), FLOW_OK);
    live(&s, &town, 3000);
    long calls = s.calls, frees = s.frees;
    size_t bytes = s.bytes;
    assert_int_equal(flow_world_counters(s.world).bytes, bytes);
    live(&s, &town, 10000);
    assert_int_equal(s.calls, calls);
    assert_int_equal(s.frees, frees);
    assert_int_equal(s.bytes, bytes);
    assert_true(flow_world_counters(s.world).started > 10000);

    for (int i = 0; i < 20000; i++) { /* the control: the counter does count */
        (void)FLOW_RUN(s.world, large);
    }
    assert_true(s.calls > calls);
    assert_true(s.bytes > bytes);
    assert_int_equal(flow_world_counters(s.world).bytes, s.bytes);
    s.expect_failures = s.failure_count;
    assert_int_equal(story_destroy(&s), FLOW_OK);
    s.expect_warnings = s.warning_count; /* finally sections cut at the end */
    s.expect_failures = s.failure_count;
    story_end(&s);
}

/* ---- what a suspended flow costs (G09) ---- */

struct small {
    flow_frame base;
    union {
        unsigned char state[16];
        int kind;
    } u;
};

FLOW_STATIC(small)
{
    FLOW_BEGIN;
    if (self->u.kind) {
        FLOW_AWAIT(flow_seconds(100.0));
    } else {
        FLOW_AWAIT(flow_ticks(1));
        FLOW_AWAIT(flow_next_tick());
    }
    FLOW_END;
}

static void a_hundred_thousand_suspended_flows_cost_144_bytes_each(void **state)
{
    enum { N = 100000 };
    struct story s;
    (void)state;
    assert_int_equal(sizeof(struct small), sizeof(flow_frame) + 16);
    for (int order = 0; order < 2; order++) {
        story_begin(&s, NULL);
        for (int i = 0; i < N; i++) {
            int asleep = order ? i % 2 : i < N / 2;
            (void)FLOW_RUN(s.world, small, .u.kind = asleep);
        }
        flow_counters count = flow_world_counters(s.world);
        assert_int_equal(count.live, N);
        assert_int_equal(count.timers, N / 2);
        assert_int_equal(count.bytes, s.bytes);
        if (count.bytes / N > 144) {
            fail_msg("%zu bytes are %zu for each", count.bytes, count.bytes / N);
        }
        story_update(&s, 1); /* the same when half of them have moved on */
        count = flow_world_counters(s.world);
        assert_int_equal(count.live, N);
        assert_true(count.bytes / N <= 144);
        story_end(&s);
    }
}

static void a_world_that_emptied_and_filled_again_takes_no_more(void **state)
{
    enum { N = 20000 };
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle group = flow_group_create(s.world, NULL);
    long calls = 0;
    for (int round = 0; round < 10; round++) {
        for (int i = 0; i < N; i++) {
            (void)FLOW_RUN_WITH(s.world, &(flow_options){.owner = group}, small,
                                .u.kind = (i + round) % 2);
        }
        assert_int_equal(flow_world_counters(s.world).live, N);
        story_update(&s, 1);
        assert_int_equal(flow_group_clear(s.world, group), FLOW_OK);
        story_alive(&s, 0, 0, 0);
        calls = round == 0 ? s.calls : calls;
    }
    assert_int_equal(s.calls, calls);
    story_end(&s);
}

static void cancelled_waits_leave_no_growing_queues(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    long calls = 0;
    for (int i = 0; i < 200000; i++) {
        flow_handle h = FLOW_RUN(s.world, small, .u.kind = i % 2);
        assert_int_equal(flow_cancel(s.world, h), FLOW_OK);
        calls = i == 20000 ? s.calls : calls;
    }
    assert_int_equal(s.calls, calls);
    story_end(&s);
}

/* Worlds give back all they took, in whatever state they are. */
static void a_world_gives_all_its_memory_back(void **state)
{
    (void)state;
    for (int frames = 0; frames < 60; frames += 7) {
        struct story s;
        story_begin(&s, NULL);
        struct town town = {.random = (uint32_t)frames};
        assert_int_equal(flow_signal_init(&town.bell, s.world), FLOW_OK);
        town.group = flow_group_create(s.world, NULL);
        live(&s, &town, frames);
        assert_int_equal(story_destroy(&s), FLOW_OK);
        assert_int_equal(s.bytes, 0);
        s.expect_failures = s.failure_count;
        s.expect_warnings = s.warning_count;
        story_end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(after_warm_up_ten_thousand_frames_of_everything_call_no_allocator),
        cmocka_unit_test(a_hundred_thousand_suspended_flows_cost_144_bytes_each),
        cmocka_unit_test(a_world_that_emptied_and_filled_again_takes_no_more),
        cmocka_unit_test(cancelled_waits_leave_no_growing_queues),
        cmocka_unit_test(a_world_gives_all_its_memory_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
