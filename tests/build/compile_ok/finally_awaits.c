/* SPDX-License-Identifier: MIT */
/* Everything that may stand in a finally section: awaits, calls, races, loops, an early end. */
/* output:
body
cleaning 0
tick 1
cleaning 1
tick 2
quiet
tick 3
winner 1
 */
#include <stdio.h>

#include "flow/flow.h"

enum { TICKS = 3 };

struct quiet {
    flow_frame base;
};
FLOW_STATIC(quiet)
{
    FLOW_BEGIN;
    puts("quiet");
    FLOW_AWAIT(flow_next_tick());
    FLOW_END;
}

struct story {
    flow_frame base;
    int i;
};

FLOW_STATIC(story)
{
    FLOW_BEGIN;
    puts("body");
    FLOW_FINALLY;
    for (self->i = 0; self->i < 2; self->i++) {
        printf("cleaning %d\n", self->i);
        FLOW_AWAIT(flow_next_tick());
    }
    FLOW_RACE(self->i, flow_never(), FLOW_CALL(quiet));
    printf("winner %d\n", self->i);
    if (self->i == 1)
        FLOW_RETURN;
    puts("not here");
    FLOW_END;
}

int main(void)
{
    flow_world *world = flow_world_create(NULL);
    if (world == NULL) {
        return 1;
    }
    (void)FLOW_RUN(world, story);
    for (int tick = 1; tick <= TICKS; tick++) {
        printf("tick %d\n", tick);
        (void)flow_world_begin_frame(world, 0.1);
        if (flow_world_tick(world, FLOW_UPDATE, 0.1) != FLOW_OK) {
            return 1;
        }
    }
    return flow_world_destroy(world) == FLOW_OK ? 0 : 1;
}
