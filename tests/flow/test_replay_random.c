/* SPDX-License-Identifier: MIT */
/* Record and replay of random sessions: hundreds of flows of every kind, a host that does anything,
 * and a program that is changed from some frame on. */
#include "flows.h"
#include "replayed.h"

#include <string.h>

enum { SIGNALS = 3, HANDLES = 64, FRAMES = 120, SESSIONS = 30 };

struct arena {
    FLOW_SIGNAL(int) signals[SIGNALS];
    FLOW_CHANNEL(int) channel;
    FLOW_PROPERTY(int) mood;
    flow_handle group, rovers[HANDLES];
    flow_clock clock;
    int count, paused;
    uint64_t changed_from; /* the frame from which on rovers think otherwise; 0: never */
    uint64_t sum;          /* of all that they saw */
};

static struct arena arena;

/* ---- rovers ---- */

static void start_rover(flow_world *world, void *arg);

/* What a rover does next; in a changed program it does it otherwise. */
static uint32_t think(const flow_task *flow, struct story_random *random)
{
    uint64_t frame = flow_world_frame(flow_world_of(flow));
    uint32_t next = story_random_below(random, 10);
    int changed = arena.changed_from != 0 && frame >= arena.changed_from;
    return changed ? 9 - next : next;
}

static void see(int what)
{
    arena.sum = arena.sum * 31 + (uint64_t)what;
}

struct rover {
    flow_frame base;
    struct story_random random;
    int depth, index, value, late, turns;
    uint64_t seen;
    uint32_t next;
};

FLOW_DECLARE(rover);

/* Something that does not wait. */
static void act(flow_task *flow, struct rover *self)
{
    flow_world *world = flow_world_of(flow);
    int seed = (int)story_random_below(&self->random, 1000);
    switch (story_random_below(&self->random, 5)) {
    case 0:
        flow_emit(&arena.signals[self->index], &seed);
        break;
    case 1:
        (void)flow_property_set(&arena.mood, &seed);
        break;
    case 2:
        assert_int_equal(flow_emit_any_thread(&arena.signals[self->index], &seed), FLOW_OK);
        break;
    case 3:
        (void)flow_try_send(&arena.channel, &seed);
        break;
    default:
        (void)flow_cancel(world, arena.rovers[seed % HANDLES]);
        break;
    }
}

FLOW_DEFINE(rover)
{
    FLOW_BEGIN;
    (void)flow_set_name(flow, "rover", self->depth);
    for (self->turns = 0; self->turns < 40; self->turns++) {
        self->next = think(flow, &self->random);
        self->index = (int)story_random_below(&self->random, SIGNALS);
        if (self->next == 0) {
            FLOW_TIMEOUT(&self->late, flow_next(&arena.signals[self->index], &self->value), 0.05);
        } else if (self->next == 1) {
            FLOW_AWAIT(flow_seconds(0.01 * self->index));
        } else if (self->next == 2) {
            FLOW_TIMEOUT(&self->late, flow_next(&arena.channel, &self->value), 0.03);
        } else if (self->next == 3) {
            FLOW_RACE(self->value, flow_next(&arena.signals[self->index], NULL), flow_ticks(2),
                      flow_property_changed(&arena.mood, &self->seen, NULL));
        } else if (self->next == 4 && self->depth < 3) {
            (void)FLOW_SPAWN(rover, .random = {self->random.state * 3}, .depth = self->depth + 1);
        } else if (self->next == 5) {
            FLOW_AWAIT(flow_switch_phase(self->index == 0 ? FLOW_FIXED : FLOW_UPDATE));
        } else if (self->next == 6 && self->depth < 3) {
            FLOW_RACE(
                self->value, flow_frames(3),
                FLOW_CALL(rover, .random = {self->random.state * 5}, .depth = self->depth + 1));
        } else if (self->next <= 8) {
            act(flow, self);
            FLOW_AWAIT(flow_next_tick());
        } else {
            FLOW_AWAIT(flow_next_frame());
        }
        see(self->value);
    }
    FLOW_FINALLY;
    see(self->turns);
    if (self->index == 1 && flow_cause_of(flow) != FLOW_CAUSE_WORLD_DESTROYED) {
        FLOW_AWAIT(flow_next_tick());
    }
    FLOW_END;
}

static void start_rover(flow_world *world, void *arg)
{
    int seed = *(const int *)arg;
    arena.rovers[arena.count++ % HANDLES] =
        FLOW_RUN_WITH(world,
                      FLOW_OPTIONS(.owner = seed % 3 == 0 ? arena.group : (flow_handle){0, 0},
                                   .clock = seed % 2 == 0 ? arena.clock : FLOW_CLOCK_GAME),
                      rover, .random = {(uint64_t)seed});
}

static const flow_replay_call calls[] = {{"start", start_rover, sizeof(int), NULL, NULL}};

/* ---- the host ---- */

static void arena_begin(struct story *s, uint64_t changed_from)
{
    story_begin(s, NULL);
    arena = (struct arena){.changed_from = changed_from};
    for (int i = 0; i < SIGNALS; i++) {
        assert_int_equal(flow_signal_init(&arena.signals[i], s->world), FLOW_OK);
    }
    assert_int_equal(flow_channel_init(&arena.channel, s->world, 8), FLOW_OK);
    assert_int_equal(flow_property_init(&arena.mood, s->world, &(int){0}), FLOW_OK);
    arena.clock = flow_clock_create(s->world, FLOW_CLOCK_GAME, "arena");
    arena.group = flow_group_create(s->world, NULL);
}

/* What is cut or dropped by the end is of no importance. */
static void arena_end(struct story *s)
{
    assert_int_equal(story_destroy(s), FLOW_OK);
    s->expect_warnings = s->warning_count;
    story_end(s);
}

static int posted[16];

static void host_acts(flow_world *w, struct story_random *random, int at)
{
    int number = (int)story_random_below(random, 1000);
    posted[at] = number;
    switch (story_random_below(random, 12)) {
    case 0:
        flow_emit(&arena.signals[number % SIGNALS], &number);
        break;
    case 1:
        (void)flow_try_send(&arena.channel, &number);
        break;
    case 2:
        (void)flow_property_set(&arena.mood, &number);
        break;
    case 3:
        (void)flow_cancel(w, arena.rovers[number % HANDLES]);
        break;
    case 4:
        (void)flow_clock_set_scale(w, arena.clock, number * 0.002);
        break;
    case 5:
        (void)(arena.paused ? flow_clock_release(w, arena.clock)
                            : flow_clock_pause(w, arena.clock));
        arena.paused = !arena.paused;
        break;
    case 6:
        assert_int_equal(flow_emit_any_thread(&arena.signals[number % SIGNALS], &number), FLOW_OK);
        break;
    case 7:
        assert_int_equal(flow_post(w, start_rover, &posted[at]), FLOW_OK);
        break;
    case 8:
        (void)flow_world_flush(w, FLOW_UPDATE);
        break;
    case 9:
        if (number < 50) {
            (void)flow_group_clear(w, arena.group);
        }
        break;
    default:
        flow_world_call(w, start_rover, &number);
        break;
    }
}

static void session(flow_world *w, struct story_random *random)
{
    for (int frame = 0; frame < FRAMES; frame++) {
        double dt = 0.001 * story_random_below(random, 30);
        uint32_t acts = story_random_below(random, 5), steps = story_random_below(random, 3);
        for (uint32_t i = 0; i < acts; i++) {
            host_acts(w, random, (int)i);
        }
        (void)flow_world_begin_frame(w, dt);
        while (steps-- > 0) {
            (void)flow_world_tick(w, FLOW_FIXED, 0.01);
        }
        (void)flow_world_tick(w, FLOW_UPDATE, dt);
    }
}

/* ---- the same again, or otherwise from a frame on ---- */

static void record_session(struct sink *sink, uint64_t seed, uint64_t *sum)
{
    struct story s;
    struct story_random random = {seed};
    arena_begin(&s, 0);
    *sink = (struct sink){0};
    flow_record_desc desc = {.write = sink_write, .user = sink, .calls = calls, .call_count = 1};
    assert_int_equal(flow_world_record(s.world, &desc), FLOW_OK);
    session(s.world, &random);
    assert_int_equal(flow_world_record_end(s.world, NULL), FLOW_OK);
    *sum = arena.sum;
    arena_end(&s);
}

static void random_sessions_replay_equal(void **state)
{
    static struct sink sink;
    uint64_t seed = story_seed(11), sum;
    uint64_t events = 0;
    (void)state;
    for (uint64_t i = 0; i < SESSIONS; i++) {
        struct story s;
        flow_replay_report report;
        record_session(&sink, seed + i, &sum);
        arena_begin(&s, 0);
        flow_replay_desc desc = {sink.bytes, sink.size, calls, 1};
        if (flow_world_replay_all(s.world, &desc, &report) != FLOW_VERDICT_EQUAL) {
            fail_msg("session %llu: %s", (unsigned long long)(seed + i), report.text);
        }
        assert_true(arena.sum == sum);
        events += report.event;
        arena_end(&s);
    }
    assert_true(events > SESSIONS * 1000);
}

static void a_change_is_never_found_before_it_takes_effect(void **state)
{
    static struct sink sink;
    uint64_t seed = story_seed(11), sum;
    int found = 0;
    (void)state;
    for (uint64_t i = 0; i < SESSIONS; i++) {
        struct story s;
        flow_replay_report report;
        record_session(&sink, seed + i, &sum);
        arena_begin(&s, 20 + 3 * i);
        flow_replay_desc desc = {sink.bytes, sink.size, calls, 1};
        flow_verdict verdict = flow_world_replay_all(s.world, &desc, &report);
        found += verdict == FLOW_VERDICT_DIFFERS;
        assert_true(verdict == FLOW_VERDICT_DIFFERS || verdict == FLOW_VERDICT_EQUAL);
        assert_true(report.frame >= 20 + 3 * i);
        arena_end(&s);
    }
    assert_true(found > SESSIONS / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_sessions_replay_equal),
        cmocka_unit_test(a_change_is_never_found_before_it_takes_effect),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
