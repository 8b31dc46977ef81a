/* SPDX-License-Identifier: MIT */
/* Awaits inside the body's own switch on an enumeration: the resume label would belong to that
 * switch. Diagnosed by default. */
/* expect-gcc: changes value from */
/* expect-clang: overflow converting case value to switch condition type */
#include "flow/flow.h"

enum mood { CALM, ANGRY };

struct story {
    flow_frame base;
    enum mood on;
    int winner;
    int late;
    flow_outcome outcome;
};

FLOW_STATIC(story)
{
    FLOW_BEGIN;
#ifdef GOOD
    if (self->on == CALM) {
        FLOW_AWAIT(flow_next_tick());
        FLOW_RACE(self->winner, flow_next_tick(), flow_next_frame());
        FLOW_ALL(flow_next_tick(), flow_next_frame());
        FLOW_TIMEOUT(&self->late, flow_next_tick(), 1.0);
        FLOW_TRY(&self->outcome, flow_next_tick());
        FLOW_SHIELD(flow_next_tick());
    }
#else
    switch (self->on) {
    case CALM:
        FLOW_AWAIT(flow_next_tick());                                 /* BAD */
        FLOW_RACE(self->winner, flow_next_tick(), flow_next_frame()); /* BAD */
        FLOW_ALL(flow_next_tick(), flow_next_frame());                /* BAD */
        FLOW_TIMEOUT(&self->late, flow_next_tick(), 1.0);             /* BAD */
        FLOW_TRY(&self->outcome, flow_next_tick());                   /* BAD */
        FLOW_SHIELD(flow_next_tick());                                /* BAD */
        break;
    default:
        break;
    }
#endif
    FLOW_END;
}

void start(flow_world *world);
void start(flow_world *world)
{
    (void)FLOW_RUN(world, story);
}
