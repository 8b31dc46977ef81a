/* SPDX-License-Identifier: MIT */
/* A signal awaited with a condition, or with its close as a value, into a pointer to another type.
 * Diagnosed by default. */
/* expect-gcc: pointer type mismatch in conditional expression */
/* expect-clang: pointer type mismatch */
#include "flow/flow.h"

struct hit {
    int damage;
};

struct story {
    flow_frame base;
    FLOW_SIGNAL(struct hit) hurt;
    struct hit hit;
    int closed;
    float wrong;
};

int is_hard(const void *value, void *arg);

FLOW_STATIC(story)
{
    FLOW_BEGIN;
#ifdef GOOD
    FLOW_AWAIT(flow_next_if(&self->hurt, &self->hit, is_hard, NULL));
    FLOW_AWAIT(flow_next_if(&self->hurt, NULL, is_hard, self));
    FLOW_AWAIT(flow_next_or_closed(&self->hurt, &self->hit, &self->closed));
    flow_signal_fail(&self->hurt, 7, "gone");
#else
    FLOW_AWAIT(flow_next_if(&self->hurt, &self->wrong, is_hard, NULL));        /* BAD */
    FLOW_AWAIT(flow_next_or_closed(&self->hurt, &self->wrong, &self->closed)); /* BAD */
#endif
    FLOW_END;
}

void start(flow_world *world);
void start(flow_world *world)
{
    (void)FLOW_RUN(world, story);
}
