/* SPDX-License-Identifier: MIT */
/* Bullet time: the enemies' clock is slowed, and stops when everybody looks at the boss; who moves
 * on another clock does not notice. */
#include "flow/flow.h"
#include "flow/test.h"
#include <stdio.h>

static flow_clock enemies;

struct shot {
    flow_frame base;
    const char *by;
    int late;
};

FLOW_STATIC(shot)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_seconds(1)); /* of the clock that it lives on */
    printf("%.1f s: %s hits%s\n", flow_clock_now(flow_world_of(flow), FLOW_CLOCK_GAME, FLOW_UPDATE),
           self->by, flow_clock_of(flow) == enemies ? ", on time of its own" : "");
    FLOW_END;
}

struct fight {
    flow_frame base;
    int late;
};

FLOW_STATIC(fight)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_all(FLOW_CALL(shot, .by = "the player"),
                        flow_on_clock(enemies, FLOW_CALL(shot, .by = "an enemy"))));
    FLOW_AWAIT(flow_timeout_on(enemies, &self->late, flow_never(), 0.2));
    printf("%.1f s: %s\n", flow_now(flow), self->late ? "too late" : "in time");
    FLOW_ON_CLOCK(FLOW_CLOCK_UNSCALED, flow_seconds(0.5));
    FLOW_END;
}

int main(void)
{
    flow_test test;
    flow_test_begin(&test, NULL);
    enemies = flow_clock_create(test.world, FLOW_CLOCK_GAME, "enemies");
    flow_clock_set_scale(test.world, enemies, 0.5);
    FLOW_RUN(test.world, fight);
    flow_test_tick_for(test.world, 1.5, 0.1);
    flow_clock_pause(test.world, enemies); /* the boss speaks, and the dialog opens */
    flow_clock_pause(test.world, enemies);
    flow_test_tick_for(test.world, 1.0, 0.1);
    printf("       scale %.1f, %u pauses\n", flow_clock_scale(test.world, enemies),
           flow_clock_pauses(test.world, enemies));
    while (flow_clock_is_paused(test.world, enemies))
        flow_clock_release(test.world, enemies);
    flow_test_tick_for(test.world, 3.0, 0.1);
    flow_clock_destroy(test.world, enemies);
    return !flow_test_end(&test);
}

/* output:
1.0 s: the player hits
       scale 0.5, 2 pauses
3.0 s: an enemy hits, on time of its own
3.4 s: too late
*/
