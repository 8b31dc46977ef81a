/* SPDX-License-Identifier: MIT */
/* An argument that the callee's frame does not have, or of another type. Diagnosed by default. */
/* expect-gcc: has no member named 'stepz'|integer from pointer|incompatible pointer type */
/* expect-clang: field designator 'stepz' does not refer to any field */
/* expect-clang: pointer to integer conversion */
/* expect-clang: incompatible pointer types */
#include "flow/flow.h"

struct walk {
    flow_frame base;
    int steps;
    int *done;
};

FLOW_STATIC(walk)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_ticks(self->steps));
    *self->done = 1;
    FLOW_END;
}

struct story {
    flow_frame base;
    int done;
    float part;
};

FLOW_STATIC(story)
{
    FLOW_BEGIN;
#ifdef GOOD
    FLOW_AWAIT(FLOW_CALL(walk, .steps = 3, .done = &self->done));
    (void)FLOW_SPAWN(walk, .steps = 3, .done = &self->done);
#else
    FLOW_AWAIT(FLOW_CALL(walk, .stepz = 3, .done = &self->done)); /* BAD */
    FLOW_AWAIT(FLOW_CALL(walk, .steps = "3"));                    /* BAD */
    FLOW_AWAIT(FLOW_CALL(walk, .done = &self->part));             /* BAD */
    (void)FLOW_SPAWN(walk, .stepz = 3);                           /* BAD */
#endif
    FLOW_END;
}

void start(flow_world *world, int *done);
void start(flow_world *world, int *done)
{
    (void)FLOW_RUN(world, story);
#ifdef GOOD
    (void)FLOW_RUN(world, walk, .done = done);
#else
    (void)done;
    (void)FLOW_RUN(world, walk, .stepz = 3); /* BAD */
#endif
}
