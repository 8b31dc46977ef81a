/* SPDX-License-Identifier: MIT */
/* A struct that is a local, used across an await. gcc sees it; clang does not. */
/* flags: strict */
/* expect-gcc: switch jumps over variable initialization */
/* expect-clang: none */
#include "flow/flow.h"

struct point {
    float x, y;
};

struct story {
    flow_frame base;
    struct point at;
    float seen;
};

FLOW_STATIC(story)
{
    FLOW_BEGIN;
#ifdef GOOD
    self->at = (struct point){1.0f, 2.0f};
    FLOW_AWAIT(flow_next_tick());
    self->seen = self->at.y;
#else
    struct point at = {1.0f, 2.0f}; /* BAD */
    FLOW_AWAIT(flow_next_tick());
    self->seen = at.y;
#endif
    FLOW_END;
}

void start(flow_world *world);
void start(flow_world *world)
{
    (void)FLOW_RUN(world, story);
}
