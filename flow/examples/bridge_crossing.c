/* SPDX-License-Identifier: MIT */
/* A bridge that carries one: who comes waits in line, and a troll that does not like to wait goes
 * home. Whatever ends a crossing frees the bridge. */
#include "flow/flow.h"
#include "flow/test.h"
#include <stdio.h>

static flow_mutex bridge;

struct crossing {
    flow_frame base;
    const char *who;
};

FLOW_STATIC(crossing)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_lock(&bridge));
    printf("%.1f s: %s sets out\n", flow_now(flow), self->who);
    FLOW_AWAIT(flow_seconds(1));
    printf("%.1f s: %s is over\n", flow_now(flow), self->who);
    flow_unlock(flow, &bridge);  /* the end of the function would do it too */
    FLOW_AWAIT(flow_seconds(1)); /* on his way */
    FLOW_END;
}

struct troll {
    flow_frame base;
};

FLOW_STATIC(troll)
{
    FLOW_BEGIN;
    while (flow_try_lock(flow, &bridge) == FLOW_BUSY) {
        printf("%.1f s: the troll grumbles\n", flow_now(flow));
        FLOW_AWAIT(flow_seconds(0.9));
    }
    printf("%.1f s: the troll sleeps on the bridge\n", flow_now(flow));
    FLOW_AWAIT(flow_never());
    FLOW_END;
}

int main(void)
{
    flow_test test;
    flow_test_begin(&test, NULL);
    flow_mutex_init(&bridge, test.world);
    FLOW_RUN(test.world, crossing, .who = "Ada");
    FLOW_RUN(test.world, crossing, .who = "Ben");
    FLOW_RUN(test.world, troll);
    flow_test_tick_for(test.world, 3.0, 0.1);
    FLOW_RUN(test.world, crossing, .who = "Cem");
    flow_cancel(test.world, flow_mutex_holder(&bridge)); /* the sun turns him to stone */
    flow_test_tick_for(test.world, 3.0, 0.1);
    flow_mutex_fini(&bridge);
    return !flow_test_end(&test);
}

/* output:
0.0 s: Ada sets out
0.0 s: the troll grumbles
0.9 s: the troll grumbles
1.0 s: Ada is over
1.0 s: Ben sets out
1.8 s: the troll grumbles
2.0 s: Ben is over
2.7 s: the troll sleeps on the bridge
3.1 s: Cem sets out
4.1 s: Cem is over
*/
