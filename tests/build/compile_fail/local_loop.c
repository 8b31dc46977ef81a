/* SPDX-License-Identifier: MIT */
/* A loop counter that is a local, with an await in the loop. */
/* flags: strict */
/* expect-gcc: switch jumps over variable initialization */
/* expect-clang: used uninitialized whenever switch case is taken */
#include "flow/flow.h"

struct story {
    flow_frame base;
    int i;
    int steps;
};

FLOW_STATIC(story)
{
    FLOW_BEGIN;
#ifdef GOOD
    for (self->i = 0; self->i < 3; self->i++) {
#else
    for (int i = 0; i < 3; i++) { /* BAD */
#endif
        FLOW_AWAIT(flow_next_tick());
        self->steps++;
    }
    FLOW_END;
}

void start(flow_world *world);
void start(flow_world *world)
{
    (void)FLOW_RUN(world, story);
}
