/* SPDX-License-Identifier: MIT */
/* A local with an initialiser, used across an await: a resume jumps over the initialiser. */
/* flags: strict */
/* expect-gcc: switch jumps over variable initialization */
/* expect-clang: used uninitialized whenever switch case is taken */
#include "flow/flow.h"

struct story {
    flow_frame base;
    int from;
    int to;
    int kept;
};

FLOW_STATIC(story)
{
    FLOW_BEGIN;
#ifdef GOOD
    self->kept = self->from + 1;
    FLOW_AWAIT(flow_next_tick());
    self->to = self->kept;
#else
    int kept = self->from + 1; /* BAD */
    FLOW_AWAIT(flow_next_tick());
    self->to = kept;
#endif
    FLOW_END;
}

void start(flow_world *world);
void start(flow_world *world)
{
    (void)FLOW_RUN(world, story);
}
