/* SPDX-License-Identifier: MIT */
/* A call of something that is no flow function. */
/* expect-gcc: 'wolk_flow_' undeclared */
/* expect-clang: use of undeclared identifier 'wolk_flow_' */
#include "flow/flow.h"

struct walk {
    flow_frame base;
};

FLOW_STATIC(walk)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_next_tick());
    FLOW_END;
}

struct story {
    flow_frame base;
};

FLOW_STATIC(story)
{
    FLOW_BEGIN;
#ifdef GOOD
    FLOW_AWAIT(FLOW_CALL(walk));
#else
    FLOW_AWAIT(FLOW_CALL(wolk)); /* BAD */
#endif
    FLOW_END;
}

void start(flow_world *world);
void start(flow_world *world)
{
    (void)FLOW_RUN(world, story);
}
