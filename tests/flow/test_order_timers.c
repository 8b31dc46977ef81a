/* SPDX-License-Identifier: MIT */
/* Deadlines by the hundred thousand: exact order, ties in the order of begin, whatever leaves
 * meanwhile. */
#include "flows.h"

enum { MANY = 100000, RANGE = 5000 };

struct deadlines {
    struct story_random random;
    flow_handle handles[MANY];
    int64_t due[MANY]; /* microseconds; -1: cancelled */
    int last;          /* who woke last, and when it was due */
    int64_t last_due;
    int woken;
};

static struct deadlines all;

struct sleeper {
    flow_frame base;
    int id;
};

FLOW_STATIC(sleeper)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_seconds((double)all.due[self->id] * 1e-6));
    assert_true(all.due[self->id] >= 0);
    assert_true(flow_now_ns(flow) >= all.due[self->id] * 1000);
    assert_true(flow_now_ns(flow) - all.due[self->id] * 1000 <
                1000000); /* in the first tick of 1 ms that reached it */
    assert_true(all.due[self->id] > all.last_due ||
                (all.due[self->id] == all.last_due && self->id > all.last));
    all.last = self->id;
    all.last_due = all.due[self->id];
    all.woken++;
    FLOW_END;
}

static void cancel_some(flow_world *world, int count)
{
    for (int i = 0; i < count; i++) {
        uint32_t id = story_random_below(&all.random, MANY);
        if (flow_state_of(world, all.handles[id]) == FLOW_STATE_LIVE) {
            assert_int_equal(flow_cancel(world, all.handles[id]), FLOW_OK);
            all.due[id] = -1;
        }
    }
}

static void a_hundred_thousand_random_deadlines_wake_in_exact_order(void **state)
{
    (void)state;
    struct story story;
    int gone = 0;
    story_begin(&story, NULL);
    all.random.state = story_seed(31);
    for (int id = 0; id < MANY; id++) { /* many ties: a range of 5,000 for 100,000 */
        all.due[id] = 20 * (int64_t)(1 + story_random_below(&all.random, RANGE));
        all.handles[id] = FLOW_RUN(story.world, sleeper, .id = id);
    }
    assert_int_equal(flow_world_counters(story.world).timers, MANY);
    cancel_some(story.world, MANY / 2);
    for (int ms = 0; ms < 101; ms++) {
        story_update(&story, 1);
        cancel_some(story.world, 200);
    }
    for (int id = 0; id < MANY; id++) {
        gone += all.due[id] < 0;
    }
    assert_int_equal(all.woken + gone, MANY);
    assert_in_range(gone, MANY / 3, MANY / 2);
    story_alive(&story, 0, 0, 0);
    story_end(&story);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hundred_thousand_random_deadlines_wake_in_exact_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
