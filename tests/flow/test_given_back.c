/* SPDX-License-Identifier: MIT */
/* Values that a losing wait gives back, where that settles something else. */
#include "actor.h"

static struct scene {
    FLOW_SIGNAL(int) signal;
    FLOW_SUBSCRIPTION(int) kept;
    FLOW_CHANNEL(int) channel;
} scene;

/* ---- a race whose loser's value ends the very flow that races ---- */

struct inner { /* has received a value when its race is lost */
    flow_frame base;
    int index, value;
};

FLOW_STATIC(inner)
{
    FLOW_BEGIN;
    FLOW_RACE(self->index, flow_next_tick(),
              flow_all(flow_never(), flow_next(&scene.kept, &self->value)));
    story_log(story_of(flow), "never");
    FLOW_FINALLY;
    story_log(story_of(flow), "inner-%s", actor_cause(flow_cause_of(flow)));
    FLOW_END;
}

struct outer { /* waits behind it for the same value */
    flow_frame base;
    int index, value;
};

FLOW_STATIC(outer)
{
    FLOW_BEGIN;
    flow_subscribe(flow, &scene.kept, &scene.signal, FLOW_DROP_OLDEST, 2);
    FLOW_RACE(self->index, FLOW_CALL(inner), flow_next(&scene.kept, &self->value));
    story_log(story_of(flow), "outer:%d,%d", self->index, self->value);
    FLOW_END;
}

static void a_value_given_back_may_end_the_flow_whose_race_gives_it_back(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    assert_int_equal(flow_signal_init(&scene.signal, s.world), FLOW_OK);
    (void)FLOW_RUN(s.world, outer);
    assert_int_equal(flow_emit(&scene.signal, &(int){7}), 1);
    story_update(&s, 16);
    story_expect(&s, "inner-l outer:1,7");
    story_end(&s);
}

/* ---- one race in another ---- */

struct nested {
    flow_frame base;
    int index, first, second, kept;
};

FLOW_STATIC(nested)
{
    FLOW_BEGIN;
    FLOW_RACE(self->index,
              flow_race(NULL, flow_next_tick(),
                        flow_all(flow_never(), flow_next(&scene.channel, &self->first))),
              flow_next(&scene.channel, &self->second));
    self->kept = (int)flow_channel_count(&scene.channel);
    story_log(story_of(flow), "nested:%d,%d", self->index, self->kept);
    FLOW_END;
}

/* The tick settles the inner race, that settles the outer one, and only then does the value go
 * back: nobody waits for it any more. */
static void all_that_is_to_settle_settles_before_a_value_goes_back(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    assert_int_equal(flow_channel_init(&scene.channel, s.world, 2), FLOW_OK);
    (void)FLOW_RUN(s.world, nested);
    assert_int_equal(flow_try_send(&scene.channel, &(int){7}), FLOW_OK);
    story_update(&s, 16);
    story_expect(&s, "nested:0,1");
    int value = 0;
    assert_int_equal(flow_try_next(&scene.channel, &value), 1);
    assert_int_equal(value, 7);
    story_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_given_back_may_end_the_flow_whose_race_gives_it_back),
        cmocka_unit_test(all_that_is_to_settle_settles_before_a_value_goes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
