/* SPDX-License-Identifier: MIT */
/* A signal emitted or awaited with a pointer to another type than its own. Diagnosed by default. */
/* expect-gcc: pointer type mismatch in conditional expression */
/* expect-clang: pointer type mismatch */
#include "flow/flow.h"

struct hit {
    int damage;
};
struct heal {
    int health;
};

struct story {
    flow_frame base;
    FLOW_SIGNAL(int) scored;
    FLOW_SIGNAL(struct hit) hurt;
    int points;
    float wrong_points;
    unsigned unsigned_points;
    struct hit hit;
    struct heal heal;
};

FLOW_STATIC(story)
{
    FLOW_BEGIN;
#ifdef GOOD
    FLOW_AWAIT(flow_next(&self->scored, &self->points));
    FLOW_AWAIT(flow_next(&self->hurt, &self->hit));
    FLOW_AWAIT(flow_next(&self->hurt, NULL));
    flow_emit(&self->scored, &self->points);
    flow_emit(&self->scored, &(const int){3});
    flow_emit(&self->hurt, &self->hit);
    flow_emit(&self->hurt, NULL);
#else
    FLOW_AWAIT(flow_next(&self->scored, &self->wrong_points));    /* BAD */
    FLOW_AWAIT(flow_next(&self->scored, &self->unsigned_points)); /* BAD */
    FLOW_AWAIT(flow_next(&self->scored, &self->hit));             /* BAD */
    FLOW_AWAIT(flow_next(&self->hurt, &self->heal));              /* BAD */
    flow_emit(&self->scored, &self->wrong_points);                /* BAD */
    flow_emit(&self->scored, &self->hit);                         /* BAD */
    flow_emit(&self->hurt, &self->heal);                          /* BAD */
#endif
    FLOW_END;
}

void start(flow_world *world);
void start(flow_world *world)
{
    (void)FLOW_RUN(world, story);
}
