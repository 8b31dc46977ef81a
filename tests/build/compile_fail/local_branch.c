/* SPDX-License-Identifier: MIT */
/* A local assigned in one branch and used in another, with an await between. */
/* flags: strict */
/* flags-gcc: -O1 */
/* expect-gcc: may be used uninitialized|is used uninitialized */
/* expect-clang: may be uninitialized when used here|used uninitialized whenever */
#include "flow/flow.h"

struct story {
    flow_frame base;
    int from;
    int to;
    int lap;
};

FLOW_STATIC(story)
{
    int kept;
    FLOW_BEGIN;
    for (self->lap = 0; self->lap < 3; self->lap++) {
        kept = self->from + self->lap;
#ifdef GOOD
        self->to = kept;
        FLOW_AWAIT(flow_next_tick());
#else
        if (self->from > 0) {
            FLOW_AWAIT(flow_next_tick());
        }
        self->to = kept; /* BAD */
#endif
    }
    FLOW_END;
}

void start(flow_world *world);
void start(flow_world *world)
{
    (void)FLOW_RUN(world, story);
}
