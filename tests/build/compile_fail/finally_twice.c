/* SPDX-License-Identifier: MIT */
/* Two finally sections in one body. */
/* expect-gcc: duplicate case value */
/* expect-clang: duplicate case value */
#include "flow/flow.h"

struct story {
    flow_frame base;
    int cleaned;
};

FLOW_STATIC(story)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_next_tick());
    FLOW_FINALLY;
    self->cleaned++;
#ifndef GOOD
    FLOW_FINALLY; /* BAD */
#endif
    self->cleaned++;
    FLOW_END;
}

void start(flow_world *world);
void start(flow_world *world)
{
    (void)FLOW_RUN(world, story);
}
