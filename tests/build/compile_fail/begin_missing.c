/* SPDX-License-Identifier: MIT */
/* A body without FLOW_BEGIN. */
/* expect-gcc: 'flow_base_' undeclared|label not within a switch statement */
/* expect-clang: undeclared identifier 'flow_base_'|statement not in switch statement */
#include "flow/flow.h"

struct story {
    flow_frame base;
};

FLOW_STATIC(story)
{
#ifdef GOOD
    FLOW_BEGIN;
    FLOW_AWAIT(flow_next_tick());
    FLOW_END;
}
#else
    FLOW_AWAIT(flow_next_tick()); /* BAD */
    (void)flow;
    return flow_step_of_(FLOW_STEP_ENDED_);
}
#endif

void start(flow_world *world);
void start(flow_world *world)
{
    (void)FLOW_RUN(world, story);
}
