/* SPDX-License-Identifier: MIT */
/* An array that is a local, used across an await. gcc sees it when it optimises; clang does not:
 * there the build that poisons the C stack between slices shows it (test_macros.c). */
/* flags: strict */
/* flags-gcc: -O1 */
/* expect-gcc: may be used uninitialized|is used uninitialized */
/* expect-clang: none */
#include "flow/flow.h"

struct story {
    flow_frame base;
    int from;
    int to;
};

FLOW_STATIC(story)
{
    int kept[4];
    FLOW_BEGIN;
    kept[1] = self->from;
#ifdef GOOD
    self->to = kept[1];
    FLOW_AWAIT(flow_next_tick());
#else
    FLOW_AWAIT(flow_next_tick());
    self->to = kept[1]; /* BAD */
#endif
    FLOW_END;
}

void start(flow_world *world);
void start(flow_world *world)
{
    (void)FLOW_RUN(world, story);
}
