/* SPDX-License-Identifier: MIT */
/* A tutorial, from top to bottom: say it until the player has done it. A key skips the whole. */
#include "flow/flow.h"
#include "flow/test.h"
#include <stdio.h>

static FLOW_SIGNAL(flow_nothing) coin, skip;
static double player_x;

static int is_positive(void *arg)
{
    return *(double *)arg > 0.0;
}

struct lessons {
    flow_frame base;
    int late;
};

FLOW_STATIC(lessons)
{
    FLOW_BEGIN;
    do {
        printf("%.1f s: Move with the stick\n", flow_now(flow));
        FLOW_TIMEOUT(&self->late, flow_until(is_positive, &player_x), 3.0);
    } while (self->late);
    printf("%.1f s: Take a coin\n", flow_now(flow));
    FLOW_AWAIT(flow_next(&coin, NULL));
    FLOW_FINALLY;
    printf("%.1f s: (the hint goes)\n", flow_now(flow));
    FLOW_END;
}

struct tutorial {
    flow_frame base;
    int winner;
};

FLOW_STATIC(tutorial)
{
    FLOW_BEGIN;
    FLOW_RACE(self->winner, flow_next(&skip, NULL), FLOW_CALL(lessons));
    FLOW_END;
}

int main(void)
{
    flow_test test;
    flow_test_begin(&test, NULL);
    flow_signal_init(&coin, test.world);
    flow_signal_init(&skip, test.world);
    FLOW_RUN(test.world, tutorial);
    flow_test_tick_for(test.world, 4.0, 0.1);
    player_x = 1.0;
    flow_test_tick_for(test.world, 1.0, 0.1);
    flow_emit(&skip, NULL);
    flow_test_tick_for(test.world, 0.1, 0.1);
    return !flow_test_end(&test);
}

/* output:
0.0 s: Move with the stick
3.0 s: Move with the stick
4.1 s: Take a coin
5.1 s: (the hint goes)
*/
