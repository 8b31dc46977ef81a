/* SPDX-License-Identifier: MIT */
/* A watched value and what was seen of it are of different types: they would be compared by bytes
 * that mean different things. Diagnosed by default. */
/* expect-gcc: pointer type mismatch in conditional expression */
/* expect-clang: pointer type mismatch */
#include "flow/flow.h"

struct story {
    flow_frame base;
    const int *health;
    int seen;
    float wrong;
};

FLOW_STATIC(story)
{
    FLOW_BEGIN;
#ifdef GOOD
    FLOW_AWAIT(FLOW_VALUE_CHANGED(self->health, &self->seen));
#else
    FLOW_AWAIT(FLOW_VALUE_CHANGED(self->health, &self->wrong)); /* BAD */
#endif
    FLOW_END;
}

void start(flow_world *world);
void start(flow_world *world)
{
    (void)FLOW_RUN(world, story);
}
