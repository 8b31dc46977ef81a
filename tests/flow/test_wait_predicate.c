/* SPDX-License-Identifier: MIT */
/* Predicates run inside the world: what they start, cancel, emit or pause has its effect, and harms
 * no other predicate. */
#include "flows.h"

#include <string.h>

enum { SEATS = 3 };

/* Predicates that do something to a seat when they are asked for the second time, and then hold or
 * not. */
struct theatre {
    struct story *story;
    flow_handle seats[SEATS];
    int asked[SEATS];
    int actor, target, holds;
    void (*act)(struct theatre *theatre);
    FLOW_SIGNAL(flow_nothing) signal;
    flow_status status;
};

struct seat {
    struct theatre *theatre;
    int number;
};

static int ask(void *arg)
{
    const struct seat *seat = arg;
    struct theatre *theatre = seat->theatre;
    int asked = ++theatre->asked[seat->number];
    if (asked == 2 && seat->number == theatre->actor) {
        theatre->act(theatre);
        return theatre->holds;
    }
    return asked >= 3;
}

static void play(struct theatre *theatre, struct seat *seats)
{
    static const char *const names[SEATS] = {"0", "1", "2"};
    for (int i = 0; i < SEATS; i++) {
        seats[i] = (struct seat){theatre, i};
        theatre->seats[i] = FLOW_RUN(theatre->story->world, waiter, .name = names[i],
                                     .wait = flow_until(ask, &seats[i]));
    }
    story_update(theatre->story, 10);
}

static void cancel_target(struct theatre *theatre)
{
    theatre->status = flow_cancel(theatre->story->world, theatre->seats[theatre->target]);
}

static void a_predicate_may_cancel_any_flow_its_own_included(void **state)
{
    (void)state;
    static const char *const rest[SEATS] = {"1 2", "0 2", "0 1"};
    static const char *const gone[SEATS] = {"0~", "1~", "2~"};
    for (int actor = 0; actor < SEATS; actor++) {
        for (int target = 0; target < SEATS; target++) {
            struct story story;
            struct seat seats[SEATS];
            struct theatre theatre = {
                .story = &story, .actor = actor, .target = target, .act = cancel_target};
            story_begin(&story, NULL);
            play(&theatre, seats);
            story_expect(&story, gone[target]);
            assert_int_equal(flow_state_of(story.world, theatre.seats[target]),
                             FLOW_STATE_CANCELLED);
            for (int i = 0; i < SEATS; i++) {
                assert_int_equal(theatre.asked[i], i == target && target > actor ? 1 : 2);
            }
            story_update(&story, 10);
            story_expect(&story, rest[target]);
            story_alive(&story, 0, 0, 0);
            story_end(&story);
        }
    }
}

static void a_predicate_that_cancels_its_flow_and_holds_resumes_nobody(void **state)
{
    (void)state;
    struct story story;
    struct seat seats[SEATS];
    struct theatre theatre = {
        .story = &story, .actor = 1, .target = 1, .act = cancel_target, .holds = 1};
    story_begin(&story, NULL);
    play(&theatre, seats);
    story_expect(&story, "1~");
    story_update(&story, 10);
    story_expect(&story, "0 2");
    story_end(&story);
}

static void emit_signal(struct theatre *theatre)
{
    (void)flow_emit(&theatre->signal, NULL);
}

static void what_a_predicate_emits_is_received_in_step_6_of_the_same_tick(void **state)
{
    (void)state;
    struct story story;
    struct seat seats[SEATS];
    struct theatre theatre = {.story = &story, .actor = 0, .act = emit_signal};
    story_begin(&story, NULL);
    assert_int_equal(flow_signal_init(&theatre.signal, story.world), FLOW_OK);
    (void)FLOW_RUN(story.world, waiter, .name = "received",
                   .wait = flow_next(&theatre.signal, NULL));
    play(&theatre, seats);
    story_expect(&story, "received");
    story_update(&story, 10);
    story_expect(&story, "0 1 2");
    story_end(&story);
}

static void start_one(struct theatre *theatre)
{
    (void)FLOW_RUN(theatre->story->world, waiter, .name = "first_slice", .wait = flow_ready());
    (void)FLOW_RUN(theatre->story->world, waiter, .name = "next_tick", .wait = flow_next_tick());
}

static void a_predicate_may_start_flows(void **state)
{
    (void)state;
    struct story story;
    struct seat seats[SEATS];
    struct theatre theatre = {.story = &story, .actor = 1, .act = start_one, .holds = 1};
    story_begin(&story, NULL);
    play(&theatre, seats);
    story_expect(&story, "first_slice 1");
    story_update(&story, 10);
    story_expect(&story, "next_tick 0 2");
    story_end(&story);
}

static void pause_game(struct theatre *theatre)
{
    assert_int_equal(flow_clock_pause(theatre->story->world, FLOW_CLOCK_GAME), FLOW_OK);
}

static void a_predicate_that_pauses_its_clock_and_holds_has_its_flow_held(void **state)
{
    (void)state;
    struct story story;
    struct seat seats[SEATS];
    struct theatre theatre = {.story = &story, .actor = 1, .act = pause_game, .holds = 1};
    story_begin(&story, NULL);
    play(&theatre, seats);
    story_expect(&story, "");
    assert_int_equal(theatre.asked[2], 1); /* no predicate is asked on a paused clock */
    assert_int_equal(flow_clock_release(story.world, FLOW_CLOCK_GAME), FLOW_OK);
    story_update(&story, 10);
    story_expect(&story, "1 0");
    story_update(&story, 10);
    story_expect(&story, "2");
    story_end(&story);
}

/* ---- asked at once, in a first slice ---- */

struct self_made {
    flow_frame base;
    flow_world *world;
    flow_handle whom;
    int holds;
};

static int cancel_asker(void *arg)
{
    const struct self_made *self = arg;
    assert_int_equal(flow_cancel(self->world, self->whom),
                     FLOW_PENDING); /* it has code on the C stack */
    return self->holds;
}

FLOW_STATIC(self_made)
{
    FLOW_BEGIN;
    self->world = flow_world_of(flow);
    self->whom = flow_self(flow);
    FLOW_AWAIT(flow_until(cancel_asker, self));
    story_log(story_of(flow), "goes_on");
    FLOW_AWAIT(flow_ready());
    story_log(story_of(flow), "never");
    FLOW_FINALLY;
    story_log(story_of(flow), "finally%d", (int)flow_cause_of(flow));
    FLOW_END;
}

static void a_predicate_asked_at_once_may_cancel_the_flow_that_asks(void **state)
{
    (void)state;
    struct story story;
    story_begin(&story, NULL);
    flow_handle flow = FLOW_RUN(story.world, self_made, .holds = 0);
    story_expect(&story, "finally1"); /* it does not begin to wait */
    assert_int_equal(flow_state_of(story.world, flow), FLOW_STATE_CANCELLED);
    story_alive(&story, 0, 0, 0);
    flow = FLOW_RUN(story.world, self_made, .holds = 1);
    assert_int_equal(flow_state_of(story.world, flow), FLOW_STATE_CANCELLED);
    assert_non_null(strstr(story.log, "finally1"));
    assert_null(strstr(story.log, "never"));
    story_end(&story);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_predicate_may_cancel_any_flow_its_own_included),
        cmocka_unit_test(a_predicate_that_cancels_its_flow_and_holds_resumes_nobody),
        cmocka_unit_test(what_a_predicate_emits_is_received_in_step_6_of_the_same_tick),
        cmocka_unit_test(a_predicate_may_start_flows),
        cmocka_unit_test(a_predicate_that_pauses_its_clock_and_holds_has_its_flow_held),
        cmocka_unit_test(a_predicate_asked_at_once_may_cancel_the_flow_that_asks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
