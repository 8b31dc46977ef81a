/* SPDX-License-Identifier: MIT */
/* A signal emitted with a value where a pointer to one is wanted, or received into what is const.
 * Diagnosed by default. */
/* expect-gcc: pointer/integer type mismatch|discards 'const' qualifier */
/* expect-clang: pointer/integer type mismatch|incompatible integer to pointer */
/* expect-clang: discards qualifiers */
#include "flow/flow.h"

struct story {
    flow_frame base;
    FLOW_SIGNAL(int) scored;
    int points;
    const int *shown;
};

FLOW_STATIC(story)
{
    FLOW_BEGIN;
#ifdef GOOD
    flow_emit(&self->scored, &self->points);
    FLOW_AWAIT(flow_next(&self->scored, &self->points));
#else
    flow_emit(&self->scored, self->points);            /* BAD */
    FLOW_AWAIT(flow_next(&self->scored, self->shown)); /* BAD */
#endif
    FLOW_END;
}

void start(flow_world *world);
void start(flow_world *world)
{
    (void)FLOW_RUN(world, story);
}
