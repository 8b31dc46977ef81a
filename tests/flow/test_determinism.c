/* SPDX-License-Identifier: MIT */
/*
 * The same inputs give the same order, bit for bit. One long story, in which a few hundred flows do
 * everything there is to do and draw from one random sequence in the order in which they resume,
 * leaves a trace whose hash is one constant in every build: gcc and clang, optimised or not,
 * sanitizers, the one-file build.
 *
 * The constants change only when the order of the interface does, or the story here.
 */
#include "flows.h"

#include <inttypes.h>

#define EXPECTED_TRACE UINT64_C(0x4bc8c0ea9a33ec3c)
#define EXPECTED_TREES                                                                             \
    {                                                                                              \
        UINT64_C(0x806006109a8dab1d), UINT64_C(0xe2eb781b80acdcc7), UINT64_C(0x2192aff3799ff4bf)   \
    }

enum { CREATURES = 240, FRAMES = 600, TREES = 3 };

typedef FLOW_SIGNAL(int) int_signal;

struct arena {
    struct story story;
    struct story_random random;
    uint64_t trace;
    uint64_t events;
    int_signal hit, alarm;
    flow_handle group;
    flow_clock slow;
    int level;
    flow_handle creatures[CREATURES];
    uint32_t novas;
};

static uint32_t below(struct arena *arena, uint32_t n)
{
    return story_random_below(&arena->random, n);
}

static struct arena *arena_of(const flow_task *flow)
{
    return (struct arena *)(void *)story_of(flow);
}

/* Adds what happened to the trace. */
static void mark(struct arena *arena, int what, int64_t value)
{
    uint64_t words[] = {(uint64_t)what, (uint64_t)value, flow_world_frame(arena->story.world)};
    for (int i = 0; i < 3; i++) {
        for (int byte = 0; byte < 8; byte++) {
            arena->trace =
                (arena->trace ^ ((words[i] >> (8 * byte)) & 0xff)) * UINT64_C(0x100000001b3);
        }
    }
    arena->events++;
}

static void mark_cleanup(void *arg)
{
    struct arena *arena = arg;
    mark(arena, 1, below(arena, 1000));
}

static int level_is_odd(void *arg)
{
    const struct arena *arena = arg;
    return arena->level % 2;
}

/* ---- what creatures call ---- */

struct walk {
    flow_frame base;
    int steps;
    int *out;
};

FLOW_STATIC(walk)
{
    FLOW_BEGIN;
    FLOW_DEFER(mark_cleanup, arena_of(flow));
    for (; self->steps > 0; self->steps--) {
        FLOW_AWAIT(flow_next_tick());
        mark(arena_of(flow), 2, flow_now_ns(flow));
    }
    if (self->out != NULL) {
        *self->out += 1;
    }
    FLOW_FINALLY;
    mark(arena_of(flow), 3, (int64_t)flow_cause_of(flow));
    FLOW_END;
}

struct roar {
    flow_frame base;
    int code, deeper;
};

FLOW_FORWARD(roar);

FLOW_STATIC(roar)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_seconds(0.004 * self->code));
    if (self->deeper > 0) {
        FLOW_AWAIT(FLOW_CALL(roar, .code = self->code, .deeper = self->deeper - 1));
    }
    if (self->code % 2) {
        FLOW_FAIL(self->code, "roared");
    }
    FLOW_FINALLY;
    mark(arena_of(flow), 4, self->code);
    FLOW_AWAIT(flow_ticks(self->deeper));
    FLOW_END;
}

/* ---- creatures ---- */

struct creature {
    flow_frame base;
    int id, lives, index, timed_out, value, walked;
    uint32_t choice;
    flow_outcome outcome;
    flow_handle child;
};

/* Three halves of a repertoire: waits, compositions, relations. A function each, so that calls
 * nest. */
struct waits {
    flow_frame base;
    uint32_t choice;
    flow_outcome outcome;
};

FLOW_STATIC(waits)
{
    FLOW_BEGIN;
    if (self->choice == 0) {
        FLOW_AWAIT(flow_ticks(below(arena_of(flow), 6)));
    } else if (self->choice == 1) {
        FLOW_AWAIT(flow_frames(below(arena_of(flow), 4)));
    } else if (self->choice == 2) {
        FLOW_AWAIT(flow_seconds(0.001 * below(arena_of(flow), 120)));
        mark(arena_of(flow), 5, (int64_t)(flow_lateness(flow) * 1e9));
    } else if (self->choice == 3) {
        FLOW_TRY(&self->outcome,
                 flow_seconds_on(arena_of(flow)->slow, 0.001 * below(arena_of(flow), 60)));
        mark(arena_of(flow), 6, self->outcome.code);
    } else if (self->choice == 4) {
        FLOW_AWAIT(flow_until(level_is_odd, arena_of(flow)));
    } else {
        FLOW_AWAIT(flow_switch_phase((flow_phase)(1 + below(arena_of(flow), 5))));
        mark(arena_of(flow), 7, (int64_t)flow_phase_of(flow));
        FLOW_AWAIT(flow_next_frame());
        FLOW_AWAIT(flow_switch_phase(FLOW_FIXED));
    }
    mark(arena_of(flow), 8, self->choice);
    FLOW_END;
}

struct compositions {
    flow_frame base;
    uint32_t choice;
    int index, inner, timed_out, first, second, walked;
    flow_outcome outcome;
};

FLOW_STATIC(compositions)
{
    FLOW_BEGIN;
    if (self->choice == 0) {
        FLOW_RACE(self->index, flow_next(&arena_of(flow)->hit, &self->first),
                  FLOW_CALL(walk, .steps = 5), flow_seconds(0.08));
    } else if (self->choice == 1) {
        FLOW_ALL(flow_ticks(3), FLOW_CALL(walk, .steps = 2, .out = &self->walked),
                 flow_seconds(0.03));
    } else if (self->choice == 2) {
        FLOW_TIMEOUT(&self->timed_out, flow_next(&arena_of(flow)->alarm, &self->first), 0.05);
    } else if (self->choice == 3) {
        FLOW_TRY(&self->outcome,
                 flow_all(FLOW_CALL(roar, .code = 3), FLOW_CALL(walk, .steps = 9), flow_never()));
    } else if (self->choice == 4) {
        FLOW_TRY(&self->outcome,
                 flow_race(&self->index,
                           flow_all(flow_next(&arena_of(flow)->hit, &self->first),
                                    flow_next(&arena_of(flow)->alarm, &self->second)),
                           flow_race(&self->inner, flow_frames(9),
                                     FLOW_CALL(roar, .code = 7, .deeper = 2))));
    } else {
        FLOW_SHIELD(flow_timeout(&self->timed_out, FLOW_CALL(walk, .steps = 4), 0.025));
    }
    mark(arena_of(flow), 9,
         self->index + 10 * self->inner + 100 * self->timed_out + self->outcome.code);
    mark(arena_of(flow), 10, self->first + 1000 * self->second + self->walked);
    FLOW_END;
}

struct relations {
    flow_frame base;
    uint32_t choice;
    int id, value;
    flow_handle child;
    flow_outcome outcome;
};

FLOW_STATIC(relations)
{
    FLOW_BEGIN;
    if (self->choice == 0) {
        self->child = FLOW_SPAWN(walk, .steps = 6);
        FLOW_AWAIT(flow_ticks(below(arena_of(flow), 12)));
        FLOW_AWAIT(flow_join(self->child, &self->outcome));
    } else if (self->choice == 1) {
        self->value = (int)below(arena_of(flow), 100);
        mark(arena_of(flow), 11, flow_emit(&arena_of(flow)->hit, &self->value));
        FLOW_AWAIT(flow_next_tick());
    } else if (self->choice == 2) {
        self->child = arena_of(flow)->creatures[below(arena_of(flow), CREATURES)];
        mark(arena_of(flow), 12, flow_cancel(flow_world_of(flow), self->child));
        FLOW_AWAIT(flow_next_tick());
    } else if (self->choice == 3) {
        FLOW_AWAIT(flow_race(
            NULL, flow_join(arena_of(flow)->creatures[(self->id + 7) % CREATURES], &self->outcome),
            flow_frames(6)));
    } else {
        (void)FLOW_SPAWN(roar, .code = 4,
                         .deeper = 1); /* left behind: it is unwound with this scope */
        FLOW_AWAIT(flow_seconds(0.012));
    }
    mark(arena_of(flow), 13, (int64_t)self->outcome.state);
    FLOW_END;
}

FLOW_STATIC(creature)
{
    FLOW_BEGIN;
    FLOW_DEFER(mark_cleanup, arena_of(flow));
    for (self->lives = 2 + (int)below(arena_of(flow), 12); self->lives > 0; self->lives--) {
        self->choice = below(arena_of(flow), 17);
        mark(arena_of(flow), 14, self->id);
        if (self->choice < 6) {
            FLOW_AWAIT(FLOW_CALL(waits, .choice = self->choice));
        } else if (self->choice < 12) {
            FLOW_AWAIT(FLOW_CALL(compositions, .choice = self->choice - 6));
        } else {
            FLOW_AWAIT(FLOW_CALL(relations, .choice = self->choice - 12, .id = self->id));
        }
    }
    if (self->id % 5 == 0) {
        FLOW_FAIL(50 + self->id, "an unhandled one");
    }
    FLOW_FINALLY;
    mark(arena_of(flow), 15, 10 * self->id + (int64_t)flow_cause_of(flow));
    if (self->id % 3 == 0) {
        FLOW_AWAIT(flow_ticks(2));
        mark(arena_of(flow), 16, self->id);
    }
    FLOW_END;
}

/* ---- the director ---- */

static void make_slow_clock(struct arena *arena)
{
    arena->slow = flow_clock_create(arena->story.world, FLOW_CLOCK_GAME, "slow");
    assert_int_equal(flow_clock_set_scale(arena->story.world, arena->slow, 0.3), FLOW_OK);
}

static void nova(struct arena *arena)
{
    arena->novas++;
    mark(arena, 17, flow_group_clear(arena->story.world, arena->group));
}

struct director {
    flow_frame base;
    uint32_t choice;
    int value;
};

FLOW_STATIC(director)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_AWAIT(flow_frames(1 + below(arena_of(flow), 8)));
        self->choice = below(arena_of(flow), 12);
        arena_of(flow)->level++;
        mark(arena_of(flow), 18, self->choice);
        if (self->choice < 3) {
            self->value = arena_of(flow)->level;
            mark(arena_of(flow), 19, flow_emit(&arena_of(flow)->alarm, &self->value));
        } else if (self->choice < 5) {
            assert_int_equal(flow_clock_pause(flow_world_of(flow), FLOW_CLOCK_GAME), FLOW_OK);
            FLOW_AWAIT(flow_seconds(0.06));
            assert_int_equal(flow_clock_release(flow_world_of(flow), FLOW_CLOCK_GAME), FLOW_OK);
        } else if (self->choice < 8) {
            self->value = (int)below(arena_of(flow), 5);
            assert_int_equal(
                flow_clock_set_scale(flow_world_of(flow), FLOW_CLOCK_GAME, 0.5 * self->value),
                FLOW_OK);
        } else if (self->choice == 8) {
            nova(arena_of(flow));
        } else if (self->choice == 9) {
            assert_int_equal(flow_clock_destroy(flow_world_of(flow), arena_of(flow)->slow),
                             FLOW_OK);
            make_slow_clock(arena_of(flow));
        }
    }
    FLOW_END;
}

/* ---- the story ---- */

static void keep_them_coming(struct arena *arena)
{
    flow_options options = {.owner = arena->group, .phase = FLOW_FIXED};
    for (int i = 0; i < CREATURES; i++) {
        if (flow_state_of(arena->story.world, arena->creatures[i]) != FLOW_STATE_LIVE) {
            arena->creatures[i] = FLOW_RUN_WITH(arena->story.world, &options, creature, .id = i);
        }
    }
}

static void on_report(struct story *story)
{
    struct arena *arena = (struct arena *)(void *)story;
    mark(arena, 20, story->failure_count);
}

static flow_handle begin(struct arena *arena, uint64_t seed)
{
    story_begin(&arena->story, NULL);
    arena->story.on_report = on_report;
    arena->random.state = seed;
    arena->trace = UINT64_C(0xcbf29ce484222325);
    assert_int_equal(flow_signal_init(&arena->hit, arena->story.world), FLOW_OK);
    assert_int_equal(flow_signal_init(&arena->alarm, arena->story.world), FLOW_OK);
    arena->group = flow_group_create(arena->story.world, &(flow_group_desc){.name = "creatures"});
    make_slow_clock(arena);
    flow_options options = {.clock = FLOW_CLOCK_UNSCALED};
    return FLOW_RUN_WITH(arena->story.world, &options, director);
}

/* The counters belong to the trace. */
static void mark_counters(struct arena *arena)
{
    flow_counters count = flow_world_counters(arena->story.world);
    mark(arena, 21, (int64_t)count.started);
    mark(arena, 22, (int64_t)count.resumed);
    mark(arena, 23, (int64_t)count.cancelled);
    mark(arena, 24, (int64_t)count.finally_runs);
    print_message("%" PRIu64 " events, %u novas, %" PRIu64 " started, %" PRIu64 " resumed\n",
                  arena->events, arena->novas, count.started, count.resumed);
}

/* Everybody goes; what awaits in a finally section ends in the frames that follow. */
static void end(struct arena *arena, flow_handle boss)
{
    flow_world *world = arena->story.world;
    assert_int_equal(flow_cancel(world, boss), FLOW_OK);
    (void)flow_cancel(world, arena->group);
    while (flow_clock_pauses(world, FLOW_CLOCK_GAME) != 0) {
        assert_int_equal(flow_clock_release(world, FLOW_CLOCK_GAME), FLOW_OK);
    }
    assert_int_equal(flow_clock_set_scale(world, FLOW_CLOCK_GAME, 1), FLOW_OK);
    story_frames(&arena->story, 40, 10);
    story_alive(&arena->story, 0, 0, 0);
    arena->story.expect_failures = arena->story.failure_count;
    story_end(&arena->story);
}

static void the_trace_of_a_long_story_is_one_constant_in_every_build(void **state)
{
    (void)state;
    static const uint64_t expected_trees[TREES] = EXPECTED_TREES;
    static struct arena arena;
    uint64_t trees[TREES];
    flow_handle boss = begin(&arena, 2014);
    for (int frame = 1; frame <= FRAMES; frame++) {
        keep_them_coming(&arena);
        story_frame(&arena.story, 5 + below(&arena, 20));
        if (frame % (FRAMES / TREES) == 0) {
            trees[frame / (FRAMES / TREES) - 1] = flow_world_hash(arena.story.world);
        }
    }
    mark_counters(&arena);
    print_message("trace 0x%016" PRIx64 "\n", arena.trace);
    for (int i = 0; i < TREES; i++) {
        print_message("tree 0x%016" PRIx64 "\n", trees[i]);
    }
    assert_true(arena.trace == EXPECTED_TRACE);
    assert_memory_equal(trees, expected_trees, sizeof trees);
    end(&arena, boss);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_trace_of_a_long_story_is_one_constant_in_every_build),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
