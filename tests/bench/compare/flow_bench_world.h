/* SPDX-License-Identifier: MIT */
/* What the flow cases share: a world a case, ticked in UPDATE. */
#ifndef FLOW_BENCH_WORLD_H
#define FLOW_BENCH_WORLD_H

#include "bench.h"
#include "flow/flow.h"

static inline flow_world *world_begin(bench_run *run)
{
    flow_world *world = flow_world_create(NULL);
    bench_require(world != NULL, "no memory for a world");
    run->state = world;
    return world;
}

static inline void empty_world_begin(bench_run *run)
{
    (void)world_begin(run);
}

static inline void world_end(bench_run *run)
{
    bench_require(flow_world_destroy(run->state) == FLOW_OK, "a flow has failed");
}

static inline void tick(flow_world *world)
{
    bench_require(flow_world_tick(world, FLOW_UPDATE, 0.01) == FLOW_OK, "a flow has failed");
}

static inline void flush(flow_world *world)
{
    bench_require(flow_world_flush(world, FLOW_UPDATE) == FLOW_OK, "a flow has failed");
}

/* Ticks a world so often that a batch of so many flows takes long enough for the clock; at least so
 * many of them must go on in each tick. */
static inline void ticks_in_which(bench_run *run, uint32_t flows, uint32_t go_on)
{
    uint32_t rounds = bench_rounds(flows);
    uint64_t before = flow_world_counters(run->state).resumed;
    bench_start(run);
    for (uint32_t i = 0; i < rounds; i++) {
        tick(run->state);
    }
    bench_stop(run);
    run->items = flows * rounds;
    bench_require(flow_world_counters(run->state).resumed - before >= (uint64_t)go_on * rounds,
                  "not all were resumed");
}

static inline void ticks_of(bench_run *run, uint32_t flows)
{
    ticks_in_which(run, flows, flows);
}

static inline void ticks_batch(bench_run *run)
{
    ticks_of(run, run->n);
}

#endif
