/* SPDX-License-Identifier: MIT */
/* A return of one's own in a body: a body returns what only the macros make. */
/* expect-gcc: incompatible types when returning type 'int' */
/* expect-gcc: 'return' with no value */
/* expect-clang: returning 'int' from a function with incompatible result type 'flow_step' */
/* expect-clang: should return a value */
#include "flow/flow.h"

struct story {
    flow_frame base;
    int given_up;
};

FLOW_STATIC(story)
{
    FLOW_BEGIN;
#ifdef GOOD
    if (self->given_up) {
        FLOW_RETURN;
    }
#else
    if (self->given_up == 1) {
        return 1; /* BAD */
    }
    if (self->given_up == 2) {
        return; /* BAD */
    }
#endif
    FLOW_AWAIT(flow_next_tick());
    FLOW_END;
}

void start(flow_world *world);
void start(flow_world *world)
{
    (void)FLOW_RUN(world, story);
}
