/* SPDX-License-Identifier: MIT */
/* A switch of the body's own without awaits, and one whose cases call flows after it. */
/* output:
calm
tick 1
angry
tick 2
 */
#include <stdio.h>

#include "flow/flow.h"

enum { TICKS = 2 };
enum mood { CALM, ANGRY };

struct story {
    flow_frame base;
    enum mood mood;
};

FLOW_STATIC(story)
{
    FLOW_BEGIN;
    for (;;) {
        switch (self->mood) {
        case CALM:
            puts("calm");
            break;
        case ANGRY:
            puts("angry");
            FLOW_RETURN;
        }
        self->mood = ANGRY;
        FLOW_AWAIT(flow_next_tick());
    }
    FLOW_FINALLY;
    switch (self->mood) {
    case CALM:
    case ANGRY:
        break;
    }
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
