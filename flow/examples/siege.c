/* SPDX-License-Identifier: MIT */
/* A siege: whether the walls still hold is a costly question, so it is asked twice a second and not
 * in every tick; that the gate is open is seen at once. */
#include "flow/flow.h"
#include "flow/test.h"
#include <stdio.h>

static int stones = 100, asked, gate_open;

static int is_breached(void *arg)
{
    (void)arg;
    asked++; /* a flood fill of the whole map, say */
    return stones < 50;
}

static int is_open(void *gate)
{
    return *(int *)gate;
}

struct siege {
    flow_frame base;
    int way;
};

FLOW_STATIC(siege)
{
    FLOW_BEGIN;
    FLOW_RACE(self->way, FLOW_CALL(flow_until_every, .test = is_breached, .seconds = 0.5),
              flow_until(is_open, &gate_open));
    printf("%.1f s: in through the %s, asked %d times\n", flow_now(flow),
           self->way == 0 ? "breach" : "gate", asked);
    FLOW_END;
}

int main(void)
{
    flow_test test;
    flow_test_begin(&test, NULL);
    FLOW_RUN(test.world, siege);
    for (; stones > 40; stones -= 5)
        flow_test_tick_for(test.world, 0.2, 0.1);
    flow_test_tick_for(test.world, 0.5, 0.1);
    stones = 100; /* repaired, and betrayed */
    asked = 0;
    FLOW_RUN(test.world, siege);
    flow_test_tick_for(test.world, 0.7, 0.1);
    gate_open = 1;
    flow_test_tick_for(test.world, 0.1, 0.1);
    return !flow_test_end(&test);
}

/* output:
2.5 s: in through the breach, asked 6 times
3.7 s: in through the gate, asked 2 times
*/
