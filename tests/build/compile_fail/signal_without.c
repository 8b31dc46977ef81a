/* SPDX-License-Identifier: MIT */
/* A signal without a value, awaited for one. Diagnosed by default. */
/* expect-gcc: pointer type mismatch in conditional expression */
/* expect-clang: pointer type mismatch */
#include "flow/flow.h"

struct story {
    flow_frame base;
    FLOW_SIGNAL(flow_nothing) rang;
    int count;
};

FLOW_STATIC(story)
{
    FLOW_BEGIN;
#ifdef GOOD
    flow_emit(&self->rang, NULL);
    FLOW_AWAIT(flow_next(&self->rang, NULL));
#else
    flow_emit(&self->rang, &self->count);             /* BAD */
    FLOW_AWAIT(flow_next(&self->rang, &self->count)); /* BAD */
#endif
    FLOW_END;
}

void start(flow_world *world);
void start(flow_world *world)
{
    (void)FLOW_RUN(world, story);
}
