/* SPDX-License-Identifier: MIT */
/* A call among the arguments of another compiles: it is found at run time, where the flow fails as
 * MISUSE (test_macros.c). */
/* expect-gcc: none */
/* expect-clang: none */
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

struct twice {
    flow_frame base;
    flow_wait wait;
};

FLOW_STATIC(twice)
{
    FLOW_BEGIN;
    FLOW_AWAIT(self->wait);
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
    FLOW_AWAIT(FLOW_CALL(twice, .wait = flow_next_tick()));
#else
    FLOW_AWAIT(FLOW_CALL(twice, .wait = FLOW_CALL(walk))); /* BAD */
#endif
    FLOW_END;
}

void start(flow_world *world);
void start(flow_world *world)
{
    (void)FLOW_RUN(world, story);
}
