/* SPDX-License-Identifier: MIT */
/* A once set, read or awaited with a pointer to another type than its own. Diagnosed by default. */
/* expect-gcc: pointer type mismatch in conditional expression */
/* expect-clang: pointer type mismatch */
#include "flow/flow.h"

struct level {
    int number;
};

struct story {
    flow_frame base;
    FLOW_ONCE(struct level) loaded;
    struct level level;
    float wrong;
};

FLOW_STATIC(story)
{
    FLOW_BEGIN;
#ifdef GOOD
    FLOW_AWAIT(flow_once_wait(&self->loaded, &self->level));
    FLOW_AWAIT(flow_once_wait(&self->loaded, NULL));
    (void)flow_once_set(&self->loaded, &self->level);
    (void)flow_once_set(&self->loaded, &(const struct level){3});
    (void)flow_once_read(&self->loaded, &self->level);
#else
    FLOW_AWAIT(flow_once_wait(&self->loaded, &self->wrong)); /* BAD */
    (void)flow_once_set(&self->loaded, &self->wrong);        /* BAD */
    (void)flow_once_read(&self->loaded, &self->wrong);       /* BAD */
#endif
    FLOW_END;
}

void start(flow_world *world);
void start(flow_world *world)
{
    (void)FLOW_RUN(world, story);
}
