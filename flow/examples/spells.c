/* SPDX-License-Identifier: MIT */
/* Spells on one enemy: the strongest slow counts, lights add up, and none knows of the others. */
#include "flow/flow.h"
#include "flow/test.h"
#include <stdio.h>

static flow_votes slow, light;

static void show(void *arg, flow_votes *votes)
{
    (void)arg;
    (void)votes;
    printf("       speed %.2f, light %.0f, the brightest %.0f\n", flow_votes_min(&slow, 1.0),
           flow_votes_sum(&light), flow_votes_max(&light, 0.0));
}

struct spell {
    flow_frame base;
    flow_vote vote, glow;
    double speed, seconds;
};

FLOW_STATIC(spell)
{
    FLOW_BEGIN;
    if (flow_vote_cast(flow, &self->vote, &slow, self->speed) != FLOW_OK ||
        flow_vote_cast(flow, &self->glow, &light, self->seconds) != FLOW_OK)
        FLOW_RETURN;
    FLOW_AWAIT(flow_seconds(self->seconds / 2));
    flow_vote_take_back(&self->glow); /* its light goes first */
    FLOW_AWAIT(flow_seconds(self->seconds / 2));
    FLOW_END;
}

struct watcher {
    flow_frame base;
};

FLOW_STATIC(watcher)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_until(flow_votes_some, &slow));
    printf("%.1f s: it is slowed\n", flow_now(flow));
    FLOW_AWAIT(flow_until(flow_votes_none, &slow));
    printf("%.1f s: it is free\n", flow_now(flow));
    FLOW_END;
}

int main(void)
{
    flow_test test;
    flow_test_begin(&test, NULL);
    slow.changed = light.changed = show;
    FLOW_RUN(test.world, watcher);
    FLOW_RUN(test.world, spell, .speed = 0.5, .seconds = 3);
    FLOW_RUN(test.world, spell, .speed = 0.25, .seconds = 1);
    flow_test_tick_for(test.world, 4.0, 0.1);
    return !flow_test_end(&test);
}

/* output:
       speed 0.50, light 0, the brightest 0
       speed 0.50, light 3, the brightest 3
       speed 0.25, light 3, the brightest 3
       speed 0.25, light 4, the brightest 3
0.1 s: it is slowed
       speed 0.25, light 3, the brightest 3
       speed 0.50, light 3, the brightest 3
       speed 0.50, light 0, the brightest 0
       speed 1.00, light 0, the brightest 0
3.0 s: it is free
*/
