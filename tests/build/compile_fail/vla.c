/* SPDX-License-Identifier: MIT */
/* An array of variable length in scope over an await: an error of both compilers. */
/* expect-gcc: switch jumps into scope of identifier with variably modified type */
/* expect-clang: cannot jump from switch statement to this case label */
#include "flow/flow.h"

struct story {
    flow_frame base;
    int count;
    int values[8];
};

FLOW_STATIC(story)
{
    FLOW_BEGIN;
#ifdef GOOD
    self->values[0] = self->count;
    FLOW_AWAIT(flow_next_tick());
#else
    int values[self->count];
    values[0] = self->count;
    FLOW_AWAIT(flow_next_tick()); /* BAD */
#endif
    FLOW_END;
}

void start(flow_world *world);
void start(flow_world *world)
{
    (void)FLOW_RUN(world, story);
}
