/* SPDX-License-Identifier: MIT */
/* flow: compositions, signals, subscriptions, properties, pauses, scopes. */
#include "flow_bench_loop.h"

#include <stdlib.h>

/* ---- races and all, settled in every frame ---- */

static uint64_t cleaned;

struct guarded_sleep {
    flow_frame base;
    uint64_t unused;
};

FLOW_STATIC(guarded_sleep)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_seconds(1000.0));
    FLOW_FINALLY;
    cleaned++;
    FLOW_END;
}

#define race_leaf_AWAITS() FLOW_RACE(self->winner, flow_next_tick(), flow_seconds(1000.0))
LOOP(race_leaf)
LOOP_BEGIN(race_leaf)
#define race_function_AWAITS()                                                                     \
    FLOW_RACE(self->winner, flow_next_tick(), FLOW_CALL(guarded_sleep, .unused = 0))
LOOP(race_function)
LOOP_BEGIN(race_function)
#define race_timers_AWAITS()                                                                       \
    FLOW_RACE(self->winner, flow_seconds(0.005), flow_seconds(1000.0), flow_seconds(2000.0))
LOOP(race_timers)
LOOP_BEGIN(race_timers)

#define all_leaf_AWAITS() FLOW_ALL(flow_next_tick(), flow_next_tick())
LOOP(all_leaf)
LOOP_BEGIN(all_leaf)

/* Compositions of leaves make no flow. */
static void leaves_batch(bench_run *run)
{
    uint64_t before = flow_world_counters(run->state).started;
    ticks_batch(run);
    bench_require(flow_world_counters(run->state).started == before, "a leaf was made a flow");
}

/* ---- scopes: a flow that spawns n children, which end with it ---- */

struct child {
    flow_frame base;
    uint64_t unused;
};

FLOW_STATIC(child)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_never());
    FLOW_END;
}

struct parent {
    flow_frame base;
    uint32_t children;
};

FLOW_STATIC(parent)
{
    FLOW_BEGIN;
    for (uint32_t i = 0; i < self->children; i++) {
        (void)FLOW_SPAWN(child, .unused = i);
    }
    FLOW_END;
}

static void scope_batch(bench_run *run)
{
    flow_world *world = run->state;
    uint32_t rounds = bench_rounds(run->n);
    bench_start(run);
    for (uint32_t round = 0; round < rounds; round++) {
        (void)FLOW_RUN(world, parent, .children = run->n);
    }
    bench_stop(run);
    bench_require(flow_world_counters(world).live == 0, "a child outlives its parent");
    run->items = run->n * rounds;
}

/* ---- one signal and its receivers; a subscription; a property ---- */

typedef struct sending {
    flow_world *world;
    FLOW_SIGNAL(uint64_t) signal;
    FLOW_PROPERTY(uint64_t) property;
    uint64_t received;
} sending;

struct receiver {
    flow_frame base;
    sending *of;
    uint64_t value;
};

FLOW_STATIC(receiver)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_AWAIT(flow_next(&self->of->signal, &self->value));
        self->of->received += self->value;
    }
    FLOW_END;
}

struct subscriber {
    flow_frame base;
    sending *of;
    FLOW_SUBSCRIPTION(uint64_t) ring;
    uint64_t value;
};

FLOW_STATIC(subscriber)
{
    FLOW_BEGIN;
    bench_require(flow_subscribe(flow, &self->ring, &self->of->signal, FLOW_DROP_OLDEST, 16) ==
                      FLOW_OK,
                  "no memory for a subscription");
    for (;;) {
        FLOW_AWAIT(flow_next(&self->ring, &self->value));
        self->of->received += self->value;
    }
    FLOW_END;
}

static int is_odd(const void *value, void *arg)
{
    (void)arg;
    return (int)(*(const uint64_t *)value & 1);
}

static int is_even(const void *value, void *arg)
{
    (void)arg;
    return !(*(const uint64_t *)value & 1);
}

struct watcher {
    flow_frame base;
    sending *of;
    uint64_t value;
};

FLOW_STATIC(watcher)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_AWAIT(flow_property_until(&self->of->property, is_odd, NULL, &self->value));
        self->of->received++;
        FLOW_AWAIT(flow_property_until(&self->of->property, is_even, NULL, &self->value));
        self->of->received++;
    }
    FLOW_END;
}

static sending *sending_begin(bench_run *run)
{
    sending *s = malloc(sizeof *s);
    bench_require(s != NULL, "no memory for a scenario");
    *s = (sending){.world = flow_world_create(&(flow_world_desc){.resume_cap = 1000000})};
    bench_require(s->world != NULL, "no memory for a world");
    bench_require(flow_signal_init(&s->signal, s->world) == FLOW_OK &&
                      flow_property_init(&s->property, s->world, NULL) == FLOW_OK,
                  "no memory for a signal");
    run->state = s;
    return s;
}

static void sending_end(bench_run *run)
{
    sending *s = run->state;
    bench_require(flow_world_destroy(s->world) == FLOW_OK, "a flow has failed");
    free(s);
}

static void receivers_begin(bench_run *run)
{
    sending *s = sending_begin(run);
    for (uint32_t i = 0; i < run->n; i++) {
        (void)FLOW_RUN(s->world, receiver, .of = s);
    }
}

static void subscriber_begin(bench_run *run)
{
    sending *s = sending_begin(run);
    (void)FLOW_RUN(s->world, subscriber, .of = s);
}

static void watcher_begin(bench_run *run)
{
    sending *s = sending_begin(run);
    (void)FLOW_RUN(s->world, watcher, .of = s);
}

static void emit_batch(bench_run *run)
{
    sending *s = run->state;
    uint32_t rounds = bench_rounds(run->n);
    uint64_t before = s->received;
    bench_start(run);
    for (uint32_t i = 0; i < rounds; i++) {
        (void)flow_emit(&s->signal, &(uint64_t){1});
        flush(s->world);
    }
    bench_stop(run);
    run->items = rounds * run->n;
    bench_require(s->received - before == run->items, "an emit was not received");
}

/* Bursts of n into the ring, then the subscriber takes them all. */
static void burst_batch(bench_run *run)
{
    sending *s = run->state;
    uint32_t rounds = bench_rounds(run->n);
    uint64_t before = s->received;
    bench_start(run);
    for (uint32_t i = 0; i < rounds; i++) {
        for (uint32_t k = 0; k < run->n; k++) {
            (void)flow_emit(&s->signal, &(uint64_t){1});
        }
        flush(s->world);
    }
    bench_stop(run);
    run->items = rounds * run->n;
    bench_require(s->received - before == run->items, "a value was lost");
}

static void property_batch(bench_run *run)
{
    sending *s = run->state;
    uint64_t before = s->received, value = 0;
    run->items = BENCH_CALLS;
    (void)flow_property_get(&s->property, &value);
    bench_start(run);
    for (uint32_t i = 0; i < run->items; i++) {
        value++;
        (void)flow_property_set(&s->property, &value);
        flush(s->world);
    }
    bench_stop(run);
    bench_require(s->received - before == run->items, "a set was not seen");
}

/* ---- pauses ---- */

static void pause_batch(bench_run *run)
{
    flow_world *world = run->state;
    run->items = BENCH_CALLS;
    bench_start(run);
    for (uint32_t i = 0; i < run->items; i++) {
        (void)flow_clock_pause(world, FLOW_CLOCK_GAME);
        (void)flow_clock_release(world, FLOW_CLOCK_GAME);
    }
    bench_stop(run);
}

static void idle_batch(bench_run *run)
{
    flow_world *world = run->state;
    run->items = BENCH_CALLS;
    bench_start(run);
    for (uint32_t i = 0; i < run->items; i++) {
        tick(world);
    }
    bench_stop(run);
}

#define IN(suite, scenario, n, begin, batch, end)                                                  \
    {                                                                                              \
        suite, scenario, "flow", n, begin, batch, end                                              \
    }
static const bench_case cases[] = {
    IN("flowtask", "race_leaf", 4096, race_leaf_begin, leaves_batch, world_end),
    IN("flowtask", "race_function", 4096, race_function_begin, ticks_batch, world_end),
    IN("flowtask", "race_timers", 4096, race_timers_begin, leaves_batch, world_end),
    IN("flowtask", "all_leaf", 4096, all_leaf_begin, leaves_batch, world_end),
    IN("flowtask", "scope", 10, empty_world_begin, scope_batch, world_end),
    IN("flowtask", "scope", 100, empty_world_begin, scope_batch, world_end),
    IN("flowtask", "signal", 1, receivers_begin, emit_batch, sending_end),
    IN("flowtask", "signal", 100, receivers_begin, emit_batch, sending_end),
    IN("flowtask", "signal_burst", 8, subscriber_begin, burst_batch, sending_end),
    IN("flowtask", "subscription", 1, subscriber_begin, burst_batch, sending_end),
    IN("flowtask", "property", 1, watcher_begin, property_batch, sending_end),
    IN("flowtask", "pause", 1, empty_world_begin, pause_batch, world_end),
    IN("flowtask", "idle_tick", 1, empty_world_begin, idle_batch, world_end),
    IN("scale", "signal", 100000, receivers_begin, emit_batch, sending_end),
};
const bench_cases bench_flow_compose = BENCH_CASES(cases);
