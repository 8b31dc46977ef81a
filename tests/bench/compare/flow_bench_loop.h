/* SPDX-License-Identifier: MIT */
/* Flows that compose the same waits again and again. */
#ifndef FLOW_BENCH_LOOP_H
#define FLOW_BENCH_LOOP_H

#include "flow_bench_world.h"

/* A flow function that composes the same waits, name_AWAITS(), again and again. (Named, not passed:
 * what is passed would be numbered before FLOW_BEGIN.) */
#define LOOP(name)                                                                                 \
    struct name {                                                                                  \
        flow_frame base;                                                                           \
        uint64_t count;                                                                            \
        int winner;                                                                                \
    };                                                                                             \
    FLOW_STATIC(name)                                                                              \
    {                                                                                              \
        FLOW_BEGIN;                                                                                \
        for (;;) {                                                                                 \
            name##_AWAITS();                                                                       \
            self->count++;                                                                         \
        }                                                                                          \
        FLOW_END;                                                                                  \
    }

#define LOOP_BEGIN(name)                                                                           \
    static void name##_begin(bench_run *run)                                                       \
    {                                                                                              \
        flow_world *world = world_begin(run);                                                      \
        for (uint32_t i = 0; i < run->n; i++) {                                                    \
            (void)FLOW_RUN(world, name, .winner = 0);                                              \
        }                                                                                          \
        bench_require(flow_world_counters(world).live >= run->n, "a flow did not start");          \
    }

#endif
