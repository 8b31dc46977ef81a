/* SPDX-License-Identifier: MIT */
/* Waits made by a function of the user's, kept in a local of the block that awaits them, and chosen
 * by a condition. */
/* output:
tick 1
from a function
tick 2
from a local
chosen
 */
#include <stdio.h>

#include "flow/flow.h"

enum { TICKS = 2 };

static flow_wait a_moment(int length)
{
    return length > 0 ? flow_ticks(length) : flow_ready();
}

struct story {
    flow_frame base;
    int length;
};

FLOW_STATIC(story)
{
    flow_wait wait;
    FLOW_BEGIN;
    self->length = 1;
    FLOW_AWAIT(a_moment(self->length));
    puts("from a function");
    wait = a_moment(1);
    FLOW_AWAIT(wait);
    puts("from a local");
    {
        flow_wait chosen;
        chosen = self->length == 1 ? flow_ready() : flow_never();
        FLOW_AWAIT(chosen);
    }
    puts("chosen");
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
