/* SPDX-License-Identifier: MIT */
/* A stream opened on, moved to or yielded to with another type than its own. Diagnosed by default.
 */
/* expect-gcc: pointer type mismatch in conditional expression */
/* expect-clang: pointer type mismatch */
#include "flow/flow.h"

struct numbers {
    flow_frame base;
    FLOW_YIELDS(int) yields;
    int n;
    float wrong;
};

FLOW_STATIC(numbers)
{
    FLOW_BEGIN;
#ifdef GOOD
    FLOW_YIELD(&self->n);
#else
    FLOW_YIELD(&self->wrong);                                             /* BAD */
#endif
    FLOW_END;
}

struct halve {
    flow_frame base;
    FLOW_MAPS(int, float) maps;
};

FLOW_STATIC(halve)
{
    FLOW_BEGIN;
    *self->maps.out = (float)*self->maps.value / 2;
    FLOW_END;
}

struct story {
    flow_frame base;
    FLOW_STREAM(int) ints;
    FLOW_STREAM(float) halves;
    int n, more;
    float half;
};

FLOW_STATIC(story)
{
    FLOW_BEGIN;
#ifdef GOOD
    FLOW_GENERATE(&self->ints, numbers);
    flow_stream_take(flow, &self->ints, &self->ints, 3);
    FLOW_AWAIT(flow_stream_next(&self->ints, &self->n, &self->more));
    flow_stream_map_await(flow, &self->halves, &self->ints, halve, NULL);
    FLOW_FOREACH(&self->halves, &self->half) {
        self->half = 0;
    }
#else
    FLOW_GENERATE(&self->halves, numbers);                                /* BAD */
    flow_stream_take(flow, &self->halves, &self->ints, 3);                /* BAD */
    FLOW_AWAIT(flow_stream_next(&self->ints, &self->half, &self->more));  /* BAD */
    flow_stream_map_await(flow, &self->ints, &self->halves, halve, NULL); /* BAD */
    FLOW_FOREACH(&self->halves, &self->n) {                               /* BAD */
        self->half = 0;
    }
#endif
    FLOW_END;
}

void start(flow_world *world);
void start(flow_world *world)
{
    (void)FLOW_RUN(world, story);
}
