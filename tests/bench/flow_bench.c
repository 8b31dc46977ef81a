/* SPDX-License-Identifier: MIT */
/*
 * flow_bench: what flow costs, through its public headers with default options, as ratios to a
 * floor measured in the same run: an indirect call per item over an array.
 *
 *     flow_bench            a table
 *     flow_bench --check    the same, a line per bound, exit 3 when one is missed
 *     flow_bench --smoke    everything once and small, for the tests: no time is a condition
 *
 * Each figure is the least of several batches, taken in turn with the floor's so that both meet the
 * same machine.
 */
#include "flow/flow.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FLOWS = 4096, BATCHES = 60, IDLE_FRAMES = 1000, FLOOR_PASSES = 64 };

static double now_ns(void)
{
    struct timespec t;
    (void)timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void require(int holds, const char *what)
{
    if (!holds) {
        (void)fprintf(stderr, "flow_bench: %s\n", what);
        exit(1);
    }
}

/* ---- the floor ---- */

struct item {
    void (*fn)(struct item *item);
    uint64_t count;
    char fill[48];
};

static struct item items[FLOWS];

/* Both kept in one place and aligned, so that the floor does not move with the code around it. */
#if defined(__GNUC__) || defined(__clang__)
#define PINNED __attribute__((noinline, aligned(64)))
#else
#define PINNED
#endif

PINNED static void item_count(struct item *item)
{
    item->count++;
}

PINNED static double floor_batch(void)
{
    double begin = now_ns();
    for (int pass = 0; pass < FLOOR_PASSES; pass++) { /* one pass is too short for the clock */
        for (int i = 0; i < FLOWS; i++) {
            items[i].fn(&items[i]);
        }
    }
    return (now_ns() - begin) / FLOWS / FLOOR_PASSES;
}

/* ---- flows ---- */

struct counter {
    flow_frame base;
    uint64_t count;
    uint64_t state;
};

FLOW_STATIC(counter)
{
    FLOW_BEGIN;
    for (;;) {
        self->count++;
        FLOW_AWAIT(flow_next_tick());
    }
    FLOW_END;
}

static uint64_t cleaned;

struct guarded {
    flow_frame base;
    uint64_t state[2];
};

FLOW_STATIC(guarded)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_next_tick());
    FLOW_FINALLY;
    cleaned++;
    FLOW_END;
}

struct leaf {
    flow_frame base;
    uint64_t *sum;
    uint64_t value;
};

FLOW_STATIC(leaf)
{
    FLOW_BEGIN;
    *self->sum += self->value;
    FLOW_END;
}

struct caller {
    flow_frame base;
    uint64_t sum;
    int i;
};

FLOW_STATIC(caller)
{
    FLOW_BEGIN;
    for (;;) {
        for (self->i = 0; self->i < FLOWS; self->i++) {
            FLOW_AWAIT(FLOW_CALL(leaf, .sum = &self->sum, .value = 1));
        }
        FLOW_AWAIT(flow_next_tick());
    }
    FLOW_END;
}

struct sleeper {
    flow_frame base;
    double seconds;
    uint64_t unused;
};

static double last_deadline;
static uint64_t woken, disordered;

FLOW_STATIC(sleeper)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_seconds(self->seconds));
    woken++;
    disordered += self->seconds < last_deadline;
    last_deadline = self->seconds;
    FLOW_END;
}

/* ---- scenarios: nanoseconds per flow, of one batch ---- */

static flow_world *world;
static flow_handle group;
static flow_options grouped;

static void world_begin(void)
{
    world = flow_world_create(NULL);
    require(world != NULL, "no memory for a world");
    group = flow_group_create(world, NULL);
    grouped = (flow_options){.owner = group};
}

static void world_end(void)
{
    require(flow_world_destroy(world) == FLOW_OK, "a failure was met");
}

static double resume_batch(void)
{
    double begin = now_ns();
    (void)flow_world_tick(world, FLOW_UPDATE, 0.01);
    return (now_ns() - begin) / FLOWS;
}

static double start_batch(void)
{
    static flow_handle handles[FLOWS];
    double begin = now_ns();
    for (int i = 0; i < FLOWS; i++) {
        handles[i] = FLOW_RUN(world, counter, .state = 1);
    }
    double ns = (now_ns() - begin) / FLOWS;
    for (int i = FLOWS; i-- > 0;) {
        require(flow_cancel(world, handles[i]) == FLOW_OK, "a flow was not cancelled");
    }
    return ns;
}

static double cancel_batch(void)
{
    for (int i = 0; i < FLOWS; i++) {
        (void)FLOW_RUN_WITH(world, &grouped, guarded, .state = {1, 2});
    }
    uint64_t before = cleaned;
    double begin = now_ns();
    (void)flow_group_clear(world, group);
    double ns = (now_ns() - begin) / FLOWS;
    require(cleaned - before == FLOWS, "a finally section did not run");
    return ns;
}

/* One by one, by handle: the youngest first, as scopes do, or the oldest first. */
static double cancel_each(int step)
{
    static flow_handle handles[FLOWS];
    for (int i = 0; i < FLOWS; i++) {
        handles[i] = FLOW_RUN(world, guarded, .state = {1, 2});
    }
    uint64_t before = cleaned;
    double begin = now_ns();
    for (int i = 0; i < FLOWS; i++) {
        (void)flow_cancel(world, handles[step > 0 ? i : FLOWS - 1 - i]);
    }
    double ns = (now_ns() - begin) / FLOWS;
    require(cleaned - before == FLOWS, "a finally section did not run");
    return ns;
}

static double cancel_young_batch(void)
{
    return cancel_each(-1);
}

static double cancel_old_batch(void)
{
    return cancel_each(1);
}

static double call_batch(void)
{
    return resume_batch();
}

struct scenario {
    const char *id, *what;
    double bound;
    double (*batch)(void);
    void (*prepare)(void);
};

static void prepare_none(void) {}

static void prepare_resume(void)
{
    for (int i = 0; i < FLOWS; i++) {
        (void)FLOW_RUN(world, counter, .state = 1);
    }
}

static void prepare_call(void)
{
    (void)FLOW_RUN(world, caller);
}

static const struct scenario scenarios[] = {
    {"resume", "resume and wait for the next tick, 4,096 flows", 4.5, resume_batch, prepare_resume},
    {"start", "start and suspend", 11.0, start_batch, prepare_none},
    {"cancel", "cancel a group, each with a finally section", 7.0, cancel_batch, prepare_none},
    {"cancel_yf", "the same by handle, the youngest first", 0.0, cancel_young_batch, prepare_none},
    {"cancel_of", "the same by handle, the oldest first", 0.0, cancel_old_batch, prepare_none},
    {"call", "a call that does not suspend", 4.0, call_batch, prepare_call},
};

static int missed;

static void verdict(int check, const char *id, double ratio, double bound)
{
    int met = ratio <= bound;
    missed += !met;
    if (check) {
        (void)printf("%-10s ratio %6.2f  bound %5.2f  %s\n", id, ratio, bound,
                     met ? "met" : "MISSED");
    }
}

static void run_scenario(const struct scenario *scenario, int batches, int check)
{
    double best = 1e18, floor_best = 1e18;
    world_begin();
    scenario->prepare();
    for (int i = 0; i < batches + 2; i++) { /* the first two warm up */
        double floor = floor_batch();
        double ns = scenario->batch();
        if (i >= 2) {
            floor_best = floor < floor_best ? floor : floor_best;
            best = ns < best ? ns : best;
        }
    }
    world_end();
    (void)printf("%-10s %-48s %7.2f ns, %5.2fx the floor of %.2f ns\n", scenario->id,
                 scenario->what, best, best / floor_best, floor_best);
    if (scenario->bound > 0.0) { /* else it is only told */
        verdict(check, scenario->id, best / floor_best, scenario->bound);
    }
}

/* ---- sleepers ---- */

static uint32_t random_state = 12345;

static uint32_t random_next(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

static double idle_frame(int sleepers, int batches)
{
    double best = 1e18;
    world_begin();
    for (int i = 0; i < sleepers; i++) {
        (void)FLOW_RUN(world, sleeper, .seconds = 1e6 + i);
    }
    for (int i = 0; i < batches; i++) {
        double begin = now_ns();
        for (int frame = 0; frame < IDLE_FRAMES; frame++) {
            (void)flow_world_begin_frame(world, 0.001);
            for (int phase = FLOW_EARLY; phase <= FLOW_END_OF_FRAME; phase++) {
                (void)flow_world_tick(world, (flow_phase)phase, 0.001);
            }
        }
        double ns = (now_ns() - begin) / IDLE_FRAMES;
        best = ns < best ? ns : best;
    }
    world_end();
    return best;
}

static void run_sleepers(int many, int check)
{
    double few_ns = idle_frame(100, BATCHES);
    double many_ns = idle_frame(many, BATCHES);
    (void)printf("%-10s a frame with %d sleepers and nothing due     %8.0f ns, %5.2fx that with "
                 "100 (%.0f ns)\n",
                 "sleepers", many, many_ns, many_ns / few_ns, few_ns);
    verdict(check, "sleepers", many_ns / few_ns, 2.0);
}

static void run_deadlines(int many, int check)
{
    world_begin();
    woken = disordered = 0;
    last_deadline = 0.0;
    for (int i = 0; i < many; i++) {
        (void)FLOW_RUN(world, sleeper, .seconds = (double)(random_next() % 1000000000u) * 1e-8);
    }
    for (int tick = 0; tick < 1100; tick++) {
        (void)flow_world_tick(world, FLOW_UPDATE, 0.01);
    }
    require(flow_world_counters(world).live == 0, "a sleeper did not wake");
    world_end();
    (void)printf("%-10s %d random deadlines: %llu woke, %llu out of order\n", "deadlines", many,
                 (unsigned long long)woken, (unsigned long long)disordered);
    verdict(check, "deadlines", (double)disordered + (woken == (uint64_t)many ? 0.0 : 1.0), 0.0);
}

/* ---- bytes ---- */

static void run_bytes(int flows, int check)
{
    world_begin();
    size_t before = flow_world_counters(world).bytes;
    for (int i = 0; i < flows; i++) {
        if (i % 2 == 0) {
            (void)FLOW_RUN(world, counter, .state = 1);
        } else {
            (void)FLOW_RUN(world, sleeper, .seconds = 1e6 + i);
        }
    }
    double all = (double)flow_world_counters(world).bytes / flows;
    (void)printf("%-10s %d flows of 16 bytes of state, half asleep: %.1f bytes each, all in all "
                 "(empty world: %zu)\n",
                 "bytes", flows, all, before);
    verdict(check, "bytes", all, 144.0);
    world_end();
}

/* ---- the profiler ---- */

static uint64_t clock_ns(void *user)
{
    struct timespec t;
    (void)user;
    (void)timespec_get(&t, TIME_UTC);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static double clock_cost(void)
{
    double begin = now_ns();
    uint64_t sum = 0;
    for (int i = 0; i < FLOWS; i++) {
        sum += clock_ns(NULL);
    }
    require(sum != 0, "the clock stands still");
    return (now_ns() - begin) / FLOWS;
}

/* A tick in which every flow has a turn that is recorded, in ns a turn. */
static double event_batch(flow_profile *profile)
{
    flow_profile_next_frame(profile, NULL);
    (void)flow_world_begin_frame(world, 0.01);
    double begin = now_ns();
    (void)flow_world_tick(world, FLOW_UPDATE, 0.01);
    return (now_ns() - begin) / FLOWS;
}

/* What recording adds to nothing: the whole turn, the readings of the clock included. */
static void run_event(int batches, int check)
{
    flow_profile *profile = flow_profile_create(&(flow_profile_desc){.now_ns = clock_ns});
    double best = 1e9, clock = 1e9;
    require(profile != NULL, "out of memory");
    world_begin();
    prepare_resume();
    require(flow_profile_watch(profile, world) == FLOW_OK, "it is not watched");
    require(flow_profile_switch(profile, 1) == FLOW_OK, "it is not on");
    for (int i = 0; i < batches + 1; i++) {
        double event = event_batch(profile), reading = clock_cost();
        best = event < best ? event : best;
        clock = reading < clock ? reading : clock;
    }
    (void)printf("%-10s a turn that the profiler records          %9.2f ns, a reading of the "
                 "clock at %.2f ns among it\n",
                 "event", best, clock);
    verdict(check, "event", best, 60.0);
    require(flow_profile_destroy(profile) == FLOW_OK, "it was not ended");
    world_end();
}

int main(int argc, char **argv)
{
    int check = argc == 2 && strcmp(argv[1], "--check") == 0;
    int smoke = argc == 2 && strcmp(argv[1], "--smoke") == 0;
    if (argc > 1 && !check && !smoke) {
        (void)fprintf(stderr, "flow_bench: unknown option '%s' (--check, --smoke)\n", argv[1]);
        return 2;
    }
    for (int i = 0; i < FLOWS; i++) {
        items[i].fn = item_count;
    }
    for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++) {
        run_scenario(&scenarios[i], smoke ? 1 : BATCHES, check);
    }
    run_sleepers(smoke ? 1000 : 1000000, check);
    run_deadlines(smoke ? 1000 : 1000000, check);
    run_bytes(smoke ? 1000 : 100000, check);
    run_event(smoke ? 1 : BATCHES, check);
    require(items[0].count > 0, "the floor was not run");
    return check && missed > 0 ? 3 : 0;
}
