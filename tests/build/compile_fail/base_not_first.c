/* SPDX-License-Identifier: MIT */
/* A frame that does not begin with its flow_frame, or has none. */
/* expect-gcc: static assertion failed|has no member named 'base'|no member */
/* expect-clang: static_assert failed|no member named 'base'|does not refer to any field */
#include "flow/flow.h"

#ifdef GOOD
struct story {
    flow_frame base;
    int steps;
};
#else
struct story {
    int steps;
    flow_frame base;
};
#endif

FLOW_STATIC(story) /* BAD */
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_ticks(self->steps));
    FLOW_END;
}

void start(flow_world *world);
void start(flow_world *world)
{
    (void)FLOW_RUN(world, story);
}
