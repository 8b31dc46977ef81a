/* SPDX-License-Identifier: MIT */
/* A wait that is made and not awaited. Diagnosed by default. */
/* expect-gcc: ignoring return value of .* declared with attribute 'warn_unused_result' */
/* expect-clang: ignoring return value of function declared with 'warn_unused_result' attribute */
#include "flow/flow.h"

static int always(void *arg)
{
    (void)arg;
    return 1;
}

struct story {
    flow_frame base;
    FLOW_SIGNAL(int) hurt;
    int hit;
    flow_handle other;
};

#ifdef GOOD
#define DO(wait) FLOW_AWAIT(wait)
#else
#define DO(wait) wait
#endif

FLOW_STATIC(story)
{
    FLOW_BEGIN;
    DO(flow_ready());                          /* BAD */
    DO(flow_failed(1, "no"));                  /* BAD */
    DO(flow_never());                          /* BAD */
    DO(flow_next_tick());                      /* BAD */
    DO(flow_ticks(2));                         /* BAD */
    DO(flow_next_frame());                     /* BAD */
    DO(flow_frames(2));                        /* BAD */
    DO(flow_seconds(1.0));                     /* BAD */
    DO(flow_seconds_on(FLOW_CLOCK_REAL, 1.0)); /* BAD */
    DO(flow_until(always, NULL));              /* BAD */
    DO(flow_switch_phase(FLOW_LATE));          /* BAD */
    DO(flow_join(self->other, NULL));          /* BAD */
    DO(flow_next(&self->hurt, &self->hit));    /* BAD */
    FLOW_END;
}

void start(flow_world *world);
void start(flow_world *world)
{
    (void)FLOW_RUN(world, story);
}
