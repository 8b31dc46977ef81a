/* SPDX-License-Identifier: MIT */
/* A property made, set, read or awaited with a pointer to another type than its own. Diagnosed by
 * default. */
/* expect-gcc: pointer type mismatch in conditional expression */
/* expect-clang: pointer type mismatch */
#include "flow/flow.h"

struct level {
    int number;
};

struct story {
    flow_frame base;
    FLOW_PROPERTY(struct level) level;
    struct level now;
    uint64_t seen;
    float wrong;
};

int is_high(const void *value, void *arg);

FLOW_STATIC(story)
{
    FLOW_BEGIN;
#ifdef GOOD
    (void)flow_property_init(&self->level, flow_world_of(flow), &self->now);
    FLOW_AWAIT(flow_property_changed(&self->level, &self->seen, &self->now));
    FLOW_AWAIT(flow_property_until(&self->level, is_high, NULL, NULL));
    (void)flow_property_set(&self->level, &self->now);
    (void)flow_property_set(&self->level, &(const struct level){3});
    (void)flow_property_get(&self->level, &self->now);
#else
    (void)flow_property_init(&self->level, flow_world_of(flow), &self->wrong);  /* BAD */
    FLOW_AWAIT(flow_property_changed(&self->level, &self->seen, &self->wrong)); /* BAD */
    FLOW_AWAIT(flow_property_until(&self->level, is_high, NULL, &self->wrong)); /* BAD */
    (void)flow_property_set(&self->level, &self->wrong);                        /* BAD */
    (void)flow_property_get(&self->level, &self->wrong);                        /* BAD */
#endif
    FLOW_END;
}

void start(flow_world *world);
void start(flow_world *world)
{
    (void)FLOW_RUN(world, story);
}
