/* SPDX-License-Identifier: MIT */
/* A kitchen with room for two orders: who orders faster than it cooks has to wait, and at closing
 * time it cooks what it has taken. */
#include "flow/flow.h"
#include "flow/test.h"
#include <stdio.h>

static FLOW_CHANNEL(int) orders;

struct table {
    flow_frame base;
    int number;
};

FLOW_STATIC(table)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_send(&orders, &self->number));
    printf("%.1f s: table %d has ordered\n", flow_now(flow), self->number);
    FLOW_END;
}

struct cook {
    flow_frame base;
    int table, closed;
};

FLOW_STATIC(cook)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_AWAIT(flow_next_or_closed(&orders, &self->table, &self->closed));
        if (self->closed)
            FLOW_RETURN;
        FLOW_AWAIT(flow_seconds(1));
        printf("%.1f s: table %d is served, %u to do\n", flow_now(flow), self->table,
               flow_channel_count(&orders));
    }
    FLOW_END;
}

int main(void)
{
    flow_test test;
    flow_test_begin(&test, NULL);
    flow_channel_init(&orders, test.world, 2);
    FLOW_RUN(test.world, cook);
    for (int i = 1; i <= 4; i++)
        FLOW_RUN(test.world, table, .number = i);
    flow_test_tick_for(test.world, 0.5, 0.1);
    if (flow_try_send(&orders, &(int){5}) == FLOW_FULL)
        printf("       table 5 does not wait\n");
    flow_test_tick_for(test.world, 1.0, 0.1);
    flow_channel_close(&orders);
    flow_test_tick_for(test.world, 3.0, 0.1);
    return !flow_test_end(&test);
}

/* output:
0.0 s: table 1 has ordered
0.0 s: table 2 has ordered
0.0 s: table 3 has ordered
       table 5 does not wait
1.1 s: table 1 is served, 2 to do
1.1 s: table 4 has ordered
2.1 s: table 2 is served, 2 to do
3.1 s: table 3 is served, 1 to do
4.1 s: table 4 is served, 0 to do
*/
