/* SPDX-License-Identifier: MIT */
/* A subscription made for a signal of another type, or read into one. Diagnosed by default. */
/* expect-gcc: pointer type mismatch in conditional expression */
/* expect-clang: pointer type mismatch */
#include "flow/flow.h"

struct hit {
    int damage;
};

struct story {
    flow_frame base;
    FLOW_SIGNAL(struct hit) hurt;
    FLOW_SIGNAL(float) scored;
    FLOW_SUBSCRIPTION(struct hit) hits;
    struct hit hit;
    int closed;
    float wrong;
};

FLOW_STATIC(story)
{
    FLOW_BEGIN;
#ifdef GOOD
    flow_subscribe(flow, &self->hits, &self->hurt, FLOW_KEEP_LATEST);
    flow_subscribe_in(flow_world_of(flow), &self->hits, &self->hurt, FLOW_DROP_OLDEST, 8);
    FLOW_AWAIT(flow_next(&self->hits, &self->hit));
    FLOW_AWAIT(flow_next_or_closed(&self->hits, NULL, &self->closed));
    (void)flow_try_next(&self->hits, &self->hit);
#else
    flow_subscribe(flow, &self->hits, &self->scored, FLOW_KEEP_LATEST);        /* BAD */
    flow_subscribe_in(NULL, &self->hits, &self->scored, FLOW_DROP_OLDEST, 8);  /* BAD */
    FLOW_AWAIT(flow_next(&self->hits, &self->wrong));                          /* BAD */
    FLOW_AWAIT(flow_next_or_closed(&self->hits, &self->wrong, &self->closed)); /* BAD */
    (void)flow_try_next(&self->hits, &self->wrong);                            /* BAD */
#endif
    FLOW_END;
}

void start(flow_world *world);
void start(flow_world *world)
{
    (void)FLOW_RUN(world, story);
}
