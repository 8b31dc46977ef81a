/* SPDX-License-Identifier: MIT */
/* A composition that is made and not awaited. Diagnosed by default. */
/* expect-gcc: ignoring return value of .* declared with attribute 'warn_unused_result' */
/* expect-clang: ignoring return value of function declared with 'warn_unused_result' attribute */
#include "flow/flow.h"

struct story {
    flow_frame base;
    int winner;
    int late;
};

#ifdef GOOD
#define DO(wait) FLOW_AWAIT(wait)
#else
#define DO(wait) wait
#endif

FLOW_STATIC(story)
{
    FLOW_BEGIN;
    DO(flow_race(&self->winner, flow_next_tick(), flow_next_frame())); /* BAD */
    DO(flow_all(flow_next_tick(), flow_next_frame()));                 /* BAD */
    DO(flow_timeout(&self->late, flow_next_tick(), 1.0));              /* BAD */
    FLOW_END;
}

void start(flow_world *world);
void start(flow_world *world)
{
    (void)FLOW_RUN(world, story);
}
