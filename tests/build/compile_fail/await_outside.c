/* SPDX-License-Identifier: MIT */
/* Awaiting, calling and spawning outside a flow function: flow and self do not exist there. */
/* expect-gcc: 'flow' undeclared */
/* expect-gcc: 'self' undeclared */
/* expect-gcc: 'flow_base_' undeclared */
/* expect-gcc: 'flow_how_' undeclared */
/* expect-gcc: 'flow_new_' undeclared */
/* expect-clang: use of undeclared identifier '(flow|self|flow_base_|flow_how_|flow_new_)' */
/* flags-clang: -ferror-limit=0 */
#include "flow/flow.h"

struct walk {
    flow_frame base;
    int steps;
};

FLOW_STATIC(walk)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_ticks(self->steps));
    FLOW_END;
}

void await_it(flow_world *world);
void call_it(flow_world *world);
void spawn_it(flow_world *world);

#ifdef GOOD
void await_it(flow_world *world)
{
    (void)FLOW_RUN(world, walk);
}
void call_it(flow_world *world)
{
    (void)FLOW_RUN(world, walk, .steps = 3);
}
void spawn_it(flow_world *world)
{
    (void)FLOW_RUN_WITH(world, &(flow_options){.phase = FLOW_LATE}, walk, .steps = 3);
}
#else
void await_it(flow_world *world)
{
    FLOW_AWAIT(flow_next_tick()); /* BAD */
}
void call_it(flow_world *world)
{
    (void)FLOW_CALL(walk, .steps = 3); /* BAD */
}
void spawn_it(flow_world *world)
{
    (void)FLOW_SPAWN(walk, .steps = 3); /* BAD */
}
#endif
