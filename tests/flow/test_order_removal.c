/* SPDX-License-Identifier: MIT */
/*
 * Leaving changes nobody else's turn: flows are cancelled before and during the tick that would
 * resume them, in every place where a flow can stand, and the others go on once each, in the order
 * in which they began.
 */
#include "flows.h"

static int is_set(void *arg)
{
    return *(const int *)arg;
}

/* ---- before the tick ---- */

enum place {
    NEXT_TICK,
    NEXT_FRAME,
    TICKS,
    FRAMES,
    SECONDS,
    SECONDS_ELSEWHERE,
    PREDICATE,
    SIGNAL,
    READY,
    HELD,
    PLACES
};

static flow_wait wait_in(enum place place, int *open, flow_signal *signal)
{
    switch (place) {
    case NEXT_TICK:
        return flow_next_tick();
    case NEXT_FRAME:
        return flow_next_frame();
    case TICKS:
        return flow_ticks(2);
    case FRAMES:
        return flow_frames(2);
    case SECONDS:
        return flow_seconds(0.015);
    case SECONDS_ELSEWHERE:
        return flow_seconds_on(FLOW_CLOCK_UNSCALED, 0.015);
    case PREDICATE:
        return flow_until(is_set, open);
    case SIGNAL:
    case READY:
    case HELD:
    case PLACES:
        break;
    }
    return flow_next_(signal, NULL);
}

/* A waiter that waits in a race, so that a record of its own stands in the queue instead of the
 * flow. */
struct racer {
    flow_frame base;
    const char *name;
    flow_wait wait;
    int over;
};

FLOW_STATIC(racer)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_race(NULL, flow_never(), self->wait, flow_seconds(9)));
    self->over = 1;
    story_log(story_of(flow), "%s", self->name);
    FLOW_FINALLY;
    if (!self->over) {
        story_log(story_of(flow), "%s~", self->name);
    }
    FLOW_END;
}

static void seven_wait_and_three_leave(enum place place, int in_race)
{
    static const char *const names[] = {"0", "1", "2", "3", "4", "5", "6"};
    struct story story;
    flow_handle handles[7];
    int open = 0;
    FLOW_SIGNAL(flow_nothing) signal;
    story_begin(&story, NULL);
    assert_int_equal(flow_signal_init(&signal, story.world), FLOW_OK);
    for (int i = 0; i < 7; i++) {
        flow_wait wait = wait_in(place, &open, &signal.signal);
        handles[i] = in_race ? FLOW_RUN(story.world, racer, .name = names[i], .wait = wait)
                             : FLOW_RUN(story.world, waiter, .name = names[i], .wait = wait);
    }
    if (place == READY || place == HELD) {
        assert_int_equal(flow_emit(&signal, NULL), 7);
    }
    if (place == HELD) {
        assert_int_equal(flow_clock_pause(story.world, FLOW_CLOCK_GAME), FLOW_OK);
        story_update(&story, 10);
    }
    assert_int_equal(flow_cancel(story.world, handles[3]), FLOW_OK);
    assert_int_equal(flow_cancel(story.world, handles[0]), FLOW_OK);
    assert_int_equal(flow_cancel(story.world, handles[6]), FLOW_OK);
    story_expect(&story, "3~ 0~ 6~"); /* their finally sections ran before flow_cancel returned */
    open = 1;
    if (place == SIGNAL) {
        assert_int_equal(flow_emit(&signal, NULL), 4);
    }
    if (place == HELD) {
        assert_int_equal(flow_clock_release(story.world, FLOW_CLOCK_GAME), FLOW_OK);
    }
    story_update(&story, 10);
    story_update(&story, 10);
    story_expect(&story, "1 2 4 5");
    story_alive(&story, 0, 0, 0);
    story_end(&story);
}

static void nothing_swaps_on_removal_wherever_a_flow_stands(void **state)
{
    (void)state;
    for (int place = NEXT_TICK; place < PLACES; place++) {
        seven_wait_and_three_leave((enum place)place, 0);
        seven_wait_and_three_leave((enum place)place, 1);
    }
}

/* ---- during the tick ---- */

enum { CROWD = 100 };

struct crowd {
    flow_handle handles[CROWD];
    int resumed[CROWD];
    int order[CROWD];
    int count;
    int who, victim; /* that flow cancels this one */
    flow_status status;
};

struct member {
    flow_frame base;
    struct crowd *crowd;
    flow_wait wait;
    int id;
};

FLOW_STATIC(member)
{
    FLOW_BEGIN;
    FLOW_AWAIT(self->wait);
    self->crowd->resumed[self->id]++;
    self->crowd->order[self->crowd->count++] = self->id;
    if (self->id == self->crowd->who) {
        self->crowd->status =
            flow_cancel(flow_world_of(flow), self->crowd->handles[self->crowd->victim]);
    }
    FLOW_END;
}

static void one_of_the_crowd_cancels(struct story *story, struct crowd *crowd, enum place place,
                                     int who, int victim)
{
    int open = 0;
    FLOW_SIGNAL(flow_nothing) signal;
    assert_int_equal(flow_signal_init(&signal, story->world), FLOW_OK);
    *crowd = (struct crowd){.who = who, .victim = victim};
    for (int i = 0; i < CROWD; i++) {
        crowd->handles[i] = FLOW_RUN(story->world, member, .crowd = crowd,
                                     .wait = wait_in(place, &open, &signal.signal), .id = i);
    }
    open = 1;
    if (place == SIGNAL) {
        assert_int_equal(flow_emit(&signal, NULL), CROWD);
    }
    story_update(story, 10);
    if (place == TICKS || place == FRAMES || place == SECONDS || place == SECONDS_ELSEWHERE) {
        story_update(story, 10);
    }
    int expected = 0;
    for (int i = 0; i < CROWD; i++) {
        int spared = i != victim || victim <= who;
        assert_int_equal(crowd->resumed[i], spared);
        if (spared) {
            assert_int_equal(crowd->order[expected++], i);
        }
    }
    assert_int_equal(crowd->count, expected);
    assert_int_equal(crowd->status, victim == who  ? FLOW_PENDING
                                    : victim < who ? FLOW_STALE
                                                   : FLOW_OK);
    flow_signal_fini(&signal);
    story_alive(story, 0, 0, 0);
}

static void a_flow_may_cancel_itself_or_a_neighbour_and_every_survivor_resumes_once(void **state)
{
    (void)state;
    static struct crowd crowd;
    for (int place = NEXT_TICK; place <= SIGNAL; place++) {
        struct story story;
        story_begin(&story, NULL);
        for (int who = 0; who < CROWD; who++) {
            for (int victim = who - 1; victim <= who + 1; victim++) {
                if (victim >= 0 && victim < CROWD) {
                    one_of_the_crowd_cancels(&story, &crowd, (enum place)place, who, victim);
                }
            }
        }
        story_end(&story);
    }
}

/* ---- a whole group ---- */

static void act_cancel(flow_task *flow, void *group)
{
    story_log(story_of(flow), "cancel");
    assert_int_equal(flow_cancel(flow_world_of(flow), *(flow_handle *)group), FLOW_OK);
}

/* Four members are due in UPDATE; a flow of that phase, with that wait, ends their group first. */
static void the_group_ends(flow_phase phase, flow_wait wait, const char *expected)
{
    struct story story;
    int open = 0;
    FLOW_SIGNAL(flow_nothing) signal;
    story_begin(&story, NULL);
    assert_int_equal(flow_signal_init(&signal, story.world), FLOW_OK);
    flow_handle group = flow_group_create(story.world, &(flow_group_desc){.name = "level"});
    flow_options member_of = {.owner = group};
    flow_options early = {.phase = phase};
    (void)FLOW_RUN_WITH(story.world, &early, doer, .wait = wait, .act = act_cancel, .arg = &group);
    flow_wait waits[] = {flow_seconds(0.010), flow_next_tick(), flow_until(is_set, &open),
                         flow_next(&signal, NULL)};
    const char *const names[] = {"timer", "tick", "until", "ready"};
    for (int i = 0; i < 4; i++) {
        (void)FLOW_RUN_WITH(story.world, &member_of, waiter, .name = names[i], .wait = waits[i]);
    }
    open = 1;
    assert_int_equal(flow_emit(&signal, NULL), 1);
    story_frame(&story, 10);
    story_expect(&story, expected);
    story_frames(&story, 3, 10);
    story_expect(&story, "");
    assert_int_equal(flow_world_counters(story.world).live, 0);
    story_end(&story);
}

static void members_of_a_group_that_ended_resume_no_more_not_even_in_that_frame(void **state)
{
    (void)state; /* A06, A07 */
    the_group_ends(FLOW_EARLY, flow_next_tick(), "cancel ready~ until~ tick~ timer~");
    the_group_ends(FLOW_UPDATE, flow_seconds(0), "cancel ready~ until~ tick~ timer~");
    the_group_ends(FLOW_UPDATE, flow_next_tick(), "timer cancel ready~ until~ tick~");
    the_group_ends(FLOW_LATE, flow_next_tick(), "timer tick until ready cancel");
}

/* ---- at random ---- */

enum { MANY = 1000 };

struct many {
    struct story_random random;
    flow_handle handles[MANY];
    int order[MANY];
    int count;
    int gone[MANY];
};

struct one {
    flow_frame base;
    struct many *many;
    int id;
};

static void cancel_one_at_random(flow_world *world, struct many *many)
{
    uint32_t victim = story_random_below(&many->random, MANY);
    if (flow_state_of(world, many->handles[victim]) == FLOW_STATE_LIVE) {
        many->gone[victim] = 1;
        (void)flow_cancel(world, many->handles[victim]);
    }
}

FLOW_STATIC(one)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_seconds(0.1));
    self->many->order[self->many->count++] = self->id;
    if (story_random_below(&self->many->random, 4) == 0) {
        cancel_one_at_random(flow_world_of(flow), self->many);
    }
    self->many->gone[self->id] = 0; /* where it hit itself: it has resumed */
    FLOW_END;
}

static void a_thousand_equal_deadlines_resume_in_start_order_whoever_is_cancelled(void **state)
{
    (void)state;
    static struct many many;
    struct story story;
    many = (struct many){.random = {story_seed(615)}};
    story_begin(&story, NULL);
    for (int i = 0; i < MANY; i++) {
        many.handles[i] = FLOW_RUN(story.world, one, .many = &many, .id = i);
        if (i % 3 == 2) {
            cancel_one_at_random(story.world, &many);
        }
    }
    for (int frame = 0; frame < 9; frame++) {
        story_update(&story, 10);
        assert_int_equal(many.count, 0);
        for (int i = 0; i < 20; i++) {
            cancel_one_at_random(story.world, &many);
        }
    }
    story_update(&story, 10);
    int before = -1, survivors = 0;
    for (int i = 0; i < many.count; i++) {
        assert_true(many.order[i] > before);
        before = many.order[i];
    }
    for (int i = 0; i < MANY; i++) {
        survivors += many.gone[i] == 0;
    }
    assert_int_equal(many.count, survivors);
    assert_in_range(survivors, 100, 900);
    story_alive(&story, 0, 0, 0);
    story_end(&story);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_swaps_on_removal_wherever_a_flow_stands),
        cmocka_unit_test(a_flow_may_cancel_itself_or_a_neighbour_and_every_survivor_resumes_once),
        cmocka_unit_test(members_of_a_group_that_ended_resume_no_more_not_even_in_that_frame),
        cmocka_unit_test(a_thousand_equal_deadlines_resume_in_start_order_whoever_is_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
