/* SPDX-License-Identifier: MIT */
/* Sets between their filling and their end, as the random programs of tests/model found them. */
#include <stdio.h>

#include "actor.h"

static struct scene {
    flow_handle flow, other;
    FLOW_SIGNAL(int) signal;
    FLOW_CHANNEL(int) channel;
} scene;

static void item_log(flow_task *flow, const flow_each_item *item)
{
    story_log(story_of(flow), "%d:%d,%d", item->tag, (int)item->outcome.state, item->outcome.code);
}

/* ---- filled in the body, awaited in the finally section ---- */

struct late {
    flow_frame base;
    flow_set set;
    flow_each_item item;
};

FLOW_STATIC(late)
{
    FLOW_BEGIN;
    assert_int_equal(flow_set_begin(flow, &self->set), FLOW_OK);
    flow_set_add(&self->set, 1, FLOW_CALL(actor, .name = "never"));
    flow_set_add(&self->set, 2, flow_ready());
    FLOW_FINALLY;
    while (flow_set_left(&self->set) > 0) {
        FLOW_AWAIT(flow_each(&self->set, &self->item));
        item_log(flow, &self->item);
    }
    FLOW_END;
}

static void a_call_whose_body_is_over_does_not_start_from_the_finally_section(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, late);
    story_expect(&s, "1:3,-3 2:2,0");
    story_end(&s);
}

struct filled { /* and never awaited */
    flow_frame base;
    flow_set set;
};

FLOW_STATIC(filled)
{
    FLOW_BEGIN;
    assert_int_equal(flow_set_begin(flow, &self->set), FLOW_OK);
    flow_set_add(&self->set, 1, FLOW_CALL(actor, .name = "never"));
    FLOW_AWAIT(flow_never());
    FLOW_END;
}

static void nothing_of_a_call_that_never_began_runs_in_a_gradual_cancel(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    flow_handle group = flow_group_create(s.world, NULL);
    (void)FLOW_RUN_WITH(s.world, FLOW_OPTIONS(.owner = group), filled);
    assert_int_equal(flow_cancel_gradually(s.world, group, 1), FLOW_PENDING);
    story_update(&s, 16);
    story_expect(&s, "");
    story_alive(&s, 0, 0, 0);
    story_end(&s);
}

/* ---- how a call has ended ---- */

struct ends_itself {
    flow_frame base;
};

FLOW_STATIC(ends_itself)
{
    FLOW_BEGIN;
    (void)flow_cancel(flow_world_of(flow), flow_self(flow));
    FLOW_AWAIT(flow_next_tick());
    FLOW_END;
}

struct asks {
    flow_frame base;
    flow_set set;
    flow_each_item item;
};

FLOW_STATIC(asks)
{
    FLOW_BEGIN;
    assert_int_equal(flow_set_begin(flow, &self->set), FLOW_OK);
    flow_set_add(&self->set, 1, FLOW_CALL(ends_itself));
    FLOW_AWAIT(flow_each(&self->set, &self->item));
    item_log(flow, &self->item);
    FLOW_END;
}

static void a_call_that_ends_cancelled_in_its_first_slice_is_told_as_that(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, asks);
    story_expect(&s, "1:4,0");
    story_end(&s);
}

/* ---- phases ---- */

struct in_phase {
    flow_frame base;
};

FLOW_STATIC(in_phase)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_frames(2));
    story_log(story_of(flow), "phase:%d", (int)flow_phase_of(flow));
    FLOW_END;
}

struct mover {
    flow_frame base;
    flow_set set;
};

FLOW_STATIC(mover)
{
    FLOW_BEGIN;
    assert_int_equal(flow_set_begin(flow, &self->set), FLOW_OK);
    flow_set_add(&self->set, 1, flow_on_clock(FLOW_CLOCK_UNSCALED, FLOW_CALL(in_phase)));
    flow_set_add(&self->set, 2, FLOW_CALL(in_phase));
    FLOW_AWAIT(flow_switch_phase(FLOW_LATE));
    FLOW_AWAIT(flow_all_of(&self->set));
    FLOW_END;
}

static void calls_live_in_the_phase_in_which_the_set_is_awaited(void **state)
{
    char expected[64];
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, mover);
    story_frames(&s, 3, 16);
    (void)snprintf(expected, sizeof expected, "phase:%d phase:%d", FLOW_LATE, FLOW_LATE);
    story_expect(&s, expected);
    story_end(&s);
}

struct moves_among {
    flow_frame base;
    flow_set set;
    flow_each_item item;
};

FLOW_STATIC(moves_among)
{
    FLOW_BEGIN;
    assert_int_equal(flow_set_begin(flow, &self->set), FLOW_OK);
    flow_set_add(&self->set, 1, flow_switch_phase(FLOW_LATE));
    flow_set_add(&self->set, 2, flow_race(NULL, flow_never(), flow_switch_phase(FLOW_LATE)));
    while (flow_set_left(&self->set) > 0) {
        FLOW_AWAIT(flow_each(&self->set, &self->item));
        item_log(flow, &self->item);
    }
    FLOW_END;
}

static void flow_each_moves_nobody_to_another_phase(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    (void)FLOW_RUN(s.world, moves_among);
    story_expect(&s, "1:3,-10 2:3,-10");
    s.expect_misuses = 2;
    story_end(&s);
}

/* ---- losers ---- */

struct races { /* a channel's end, between ticks, against a call */
    flow_frame base;
    flow_set set;
    flow_each_item item;
    int value;
};

FLOW_STATIC(races)
{
    FLOW_BEGIN;
    assert_int_equal(flow_set_begin(flow, &self->set), FLOW_OK);
    flow_set_add(&self->set, 1,
                 flow_race(NULL, flow_next(&scene.channel, &self->value),
                           FLOW_CALL(actor, .name = "a", .ticks = -1)));
    FLOW_AWAIT(flow_each(&self->set, &self->item));
    item_log(flow, &self->item);
    FLOW_END;
}

static void losers_of_what_ends_between_ticks_are_unwound_in_the_next(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    assert_int_equal(flow_channel_init(&scene.channel, s.world, 1), FLOW_OK);
    (void)FLOW_RUN(s.world, races);
    flow_channel_close(&scene.channel);
    story_expect(&s, "a+");
    story_update(&s, 16);
    story_expect(&s, "a-l 1:3,-4");
    story_end(&s);
}

struct cancels_all { /* itself, then the flow that starts it, then that loses its race */
    flow_frame base;
};

FLOW_STATIC(cancels_all)
{
    FLOW_BEGIN;
    (void)flow_cancel(flow_world_of(flow), flow_self(flow));
    (void)flow_cancel(flow_world_of(flow), scene.flow);
    (void)flow_emit(&scene.signal, &(int){1});
    FLOW_AWAIT(flow_never());
    FLOW_FINALLY;
    story_log(story_of(flow), "root-%s", actor_cause(flow_cause_of(flow)));
    FLOW_END;
}

struct loses {
    flow_frame base;
};

FLOW_STATIC(loses)
{
    FLOW_BEGIN;
    scene.flow = flow_self(flow);
    FLOW_AWAIT(flow_next_tick());
    scene.other = FLOW_RUN(flow_world_of(flow), cancels_all);
    FLOW_AWAIT(flow_never());
    FLOW_FINALLY;
    story_log(story_of(flow), "loses-%s", actor_cause(flow_cause_of(flow)));
    FLOW_END;
}

struct holds {
    flow_frame base;
    flow_set set;
    flow_each_item item;
    int value;
};

FLOW_STATIC(holds)
{
    FLOW_BEGIN;
    assert_int_equal(flow_set_begin(flow, &self->set), FLOW_OK);
    flow_set_add(&self->set, 1,
                 flow_race(NULL, flow_next(&scene.signal, &self->value), FLOW_CALL(loses)));
    FLOW_AWAIT(flow_each(&self->set, &self->item));
    item_log(flow, &self->item);
    FLOW_END;
}

static void a_loser_that_is_marked_already_keeps_its_place_among_the_marked(void **state)
{
    struct story s;
    (void)state;
    story_begin(&s, NULL);
    assert_int_equal(flow_signal_init(&scene.signal, s.world), FLOW_OK);
    (void)FLOW_RUN(s.world, holds);
    story_update(&s, 16);
    story_expect(&s, "root-x loses-x 1:2,0");
    assert_int_equal(flow_state_of(s.world, scene.other), FLOW_STATE_CANCELLED);
    story_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_call_whose_body_is_over_does_not_start_from_the_finally_section),
        cmocka_unit_test(nothing_of_a_call_that_never_began_runs_in_a_gradual_cancel),
        cmocka_unit_test(a_call_that_ends_cancelled_in_its_first_slice_is_told_as_that),
        cmocka_unit_test(calls_live_in_the_phase_in_which_the_set_is_awaited),
        cmocka_unit_test(flow_each_moves_nobody_to_another_phase),
        cmocka_unit_test(losers_of_what_ends_between_ticks_are_unwound_in_the_next),
        cmocka_unit_test(a_loser_that_is_marked_already_keeps_its_place_among_the_marked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
