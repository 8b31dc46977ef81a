/* SPDX-License-Identifier: MIT */
/*
 * Crowds that shrink while their turn comes: thousands stand in one queue, and one of them, in its
 * own resume or from outside, cancels most of the others, those that already went and wait again
 * among them. Who is left goes on in order.
 */
#include "flows.h"

enum { HERD = 6000, CULL = 12000, ROUNDS = 12 };

enum place { NEXT_TICK, NEXT_FRAME, TWO_TICKS, SECONDS, PREDICATE, READY, HELD, PLACES };

struct herd {
    struct story *story;
    struct story_random random;
    enum place place;
    FLOW_SIGNAL(flow_nothing) signal;
    flow_handle handles[HERD];
    int alive[HERD];
    int before[HERD]; /* in the order in which they wait */
    int before_count;
    int order[HERD]; /* in which they went in this tick */
    int count;
    int turn; /* that many have gone when the cull comes */
};

struct sheep {
    flow_frame base;
    struct herd *herd;
    flow_wait wait;
    int id;
};

static int every_second_time(void *arg)
{
    int *asked = arg;
    return ++*asked % 2 == 0;
}

static void cull(struct herd *herd)
{
    for (int i = 0; i < CULL; i++) {
        uint32_t id = story_random_below(&herd->random, HERD);
        if (herd->alive[id] && !(herd->count > 0 && herd->order[herd->count - 1] == (int)id)) {
            herd->alive[id] = 0;
            assert_int_equal(flow_cancel(herd->story->world, herd->handles[id]), FLOW_OK);
        }
    }
}

FLOW_STATIC(sheep)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_AWAIT(self->wait);
        self->herd->order[self->herd->count++] = self->id;
        if (self->herd->count == self->herd->turn) {
            cull(self->herd);
        }
    }
    FLOW_END;
}

static flow_wait wait_for(struct herd *herd, int *asked)
{
    switch (herd->place) {
    case NEXT_TICK:
        return flow_next_tick();
    case NEXT_FRAME:
        return flow_next_frame();
    case TWO_TICKS:
        return flow_ticks(2);
    case SECONDS:
        return flow_seconds(0.020);
    case PREDICATE:
        return flow_until(every_second_time, asked);
    case READY:
    case HELD:
    case PLACES:
        break;
    }
    return flow_next(&herd->signal, NULL);
}

static void replace_the_dead(struct herd *herd, int *asked)
{
    for (int id = 0; id < HERD; id++) {
        if (!herd->alive[id]) {
            herd->alive[id] = 1;
            asked[id] = 0;
            herd->handles[id] = FLOW_RUN(herd->story->world, sheep, .herd = herd,
                                         .wait = wait_for(herd, &asked[id]), .id = id);
            herd->before[herd->before_count++] = id;
        }
    }
    assert_int_equal(herd->before_count, HERD);
}

/* Ticks until the whole herd has had its turn once. */
static void let_them_go(struct herd *herd)
{
    flow_world *world = herd->story->world;
    if (herd->place == READY || herd->place == HELD) {
        (void)flow_emit(&herd->signal, NULL);
    }
    if (herd->place == HELD) {
        assert_int_equal(flow_clock_pause(world, FLOW_CLOCK_GAME), FLOW_OK);
        story_update(herd->story, 10);
        assert_int_equal(flow_clock_release(world, FLOW_CLOCK_GAME), FLOW_OK);
    }
    if (herd->place == TWO_TICKS || herd->place == SECONDS) {
        story_update(herd->story, 10);
        assert_int_equal(herd->count, 0);
    }
    story_update(herd->story, 10);
}

/* Those who went must be those who waited, in that order, less those who were cancelled before
 * their turn. */
static void check_order(struct herd *herd)
{
    int went = 0, kept = 0;
    for (int i = 0; i < herd->before_count; i++) {
        int id = herd->before[i];
        int goes =
            herd->alive[id] || (went < herd->turn && went < herd->count && herd->order[went] == id);
        if (goes) {
            assert_true(went < herd->count);
            assert_int_equal(herd->order[went], id);
            went++;
            if (herd->alive[id]) {
                herd->before[kept++] = id;
            }
        }
    }
    assert_int_equal(went, herd->count);
    herd->before_count = kept;
}

static void a_crowd_in(enum place place, uint64_t seed)
{
    static struct herd herd;
    static int asked[HERD];
    struct story story;
    story_begin(&story, NULL);
    herd = (struct herd){.story = &story, .random = {seed + (uint64_t)place}, .place = place};
    assert_int_equal(flow_signal_init(&herd.signal, story.world), FLOW_OK);
    for (int round = 0; round < ROUNDS; round++) {
        replace_the_dead(&herd, asked);
        herd.count = 0;
        herd.turn = (int)story_random_below(&herd.random, HERD);
        if (round % 4 == 0) {
            cull(&herd); /* outside a tick, nobody's turn */
            int kept = 0;
            for (int i = 0; i < herd.before_count; i++) {
                if (herd.alive[herd.before[i]]) {
                    herd.before[kept++] = herd.before[i];
                }
            }
            herd.before_count = kept;
            herd.turn = kept / 2;
        }
        let_them_go(&herd);
        check_order(&herd);
        assert_int_equal(flow_world_counters(story.world).live, herd.before_count);
        herd.count = 0;
    }
    story_end(&story);
}

static void a_crowd_that_shrinks_in_its_turn_keeps_its_order(void **state)
{
    (void)state;
    uint64_t seed = story_seed(77);
    for (int place = NEXT_TICK; place < PLACES; place++) {
        a_crowd_in((enum place)place, seed);
    }
}

/* ---- queues that must take an entry ---- */

enum { GROUPS = 100, GROUP = 10, FIRST_PHASE = 1, LAST_PHASE = FLOW_PHASE_LIMIT - 1 };

/* In that phase: a hundred times, ten flows become ready and nine of them go. */
static void leave_holes(struct story *story, flow_phase phase)
{
    FLOW_SIGNAL(flow_nothing) signal;
    flow_handle handles[GROUP];
    flow_options options = {.phase = phase};
    assert_int_equal(flow_signal_init(&signal, story->world), FLOW_OK);
    for (int group = 0; group < GROUPS; group++) {
        for (int i = 0; i < GROUP; i++) {
            handles[i] = FLOW_RUN_WITH(story->world, &options, waiter, .name = "x",
                                       .wait = flow_next(&signal, NULL));
        }
        story->fail_at = 1; /* no memory: to emit and to cancel takes none */
        assert_int_equal(flow_emit(&signal, NULL), GROUP);
        for (int i = 0; i < GROUP - 1; i++) {
            assert_int_equal(flow_cancel(story->world, handles[i]), FLOW_OK);
        }
        story->fail_at = 0;
        story->log[0] = '\0';
    }
}

static void ready_queues_full_of_holes_take_every_emit_without_memory(void **state)
{
    (void)state;
    struct story story;
    story_begin(&story, NULL);
    for (int phase = FIRST_PHASE; phase <= LAST_PHASE; phase++) {
        leave_holes(&story, (flow_phase)phase);
    }
    assert_int_equal(flow_world_counters(story.world).live, LAST_PHASE * GROUPS);
    assert_int_equal(flow_clock_pause(story.world, FLOW_CLOCK_GAME), FLOW_OK);
    story.fail_at = 1; /* nor does holding them */
    for (int phase = FIRST_PHASE; phase <= LAST_PHASE; phase++) {
        assert_int_equal(flow_world_tick(story.world, (flow_phase)phase, 0.010), FLOW_OK);
    }
    assert_int_equal(flow_clock_release(story.world, FLOW_CLOCK_GAME), FLOW_OK);
    for (int phase = FIRST_PHASE; phase <= LAST_PHASE; phase++) {
        assert_int_equal(flow_world_tick(story.world, (flow_phase)phase, 0.010), FLOW_OK);
        assert_int_equal(flow_world_counters(story.world).live, (LAST_PHASE - phase) * GROUPS);
    }
    story.fail_at = 0;
    story_end(&story);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ready_queues_full_of_holes_take_every_emit_without_memory),
        cmocka_unit_test(a_crowd_that_shrinks_in_its_turn_keeps_its_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
