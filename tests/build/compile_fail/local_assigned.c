/* SPDX-License-Identifier: MIT */
/* A local declared before FLOW_BEGIN, assigned, and used across an await: the value is gone after a
 * resume. */
/* flags: strict */
/* flags-gcc: -O1 */
/* expect-gcc: may be used uninitialized|is used uninitialized */
/* expect-clang: used uninitialized whenever switch case is taken */
#include "flow/flow.h"

struct story {
    flow_frame base;
    int from;
    int to;
};

FLOW_STATIC(story)
{
    int kept;
    FLOW_BEGIN;
    kept = self->from + 1;
#ifdef GOOD
    self->to = kept;
    FLOW_AWAIT(flow_next_tick());
#else
    FLOW_AWAIT(flow_next_tick());
    self->to = kept; /* BAD */
#endif
    FLOW_END;
}

void start(flow_world *world);
void start(flow_world *world)
{
    (void)FLOW_RUN(world, story);
}
