/* SPDX-License-Identifier: MIT */
/* A call that is made and not awaited. Diagnosed by default. */
/* expect-gcc: ignoring return value of .* declared with attribute 'warn_unused_result' */
/* expect-clang: ignoring return value of function declared with 'warn_unused_result' attribute */
#include "flow/flow.h"

struct walk {
    flow_frame base;
    int steps;
};

FLOW_STATIC(walk)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_ticks(self->steps));
    FLOW_END;
}

struct story {
    flow_frame base;
};

FLOW_STATIC(story)
{
    FLOW_BEGIN;
#ifdef GOOD
    FLOW_AWAIT(FLOW_CALL(walk, .steps = 3));
    FLOW_AWAIT(FLOW_CALL(walk));
#else
    FLOW_CALL(walk, .steps = 3); /* BAD */
    FLOW_CALL(walk);             /* BAD */
#endif
    FLOW_END;
}

void start(flow_world *world);
void start(flow_world *world)
{
    (void)FLOW_RUN(world, story);
}
