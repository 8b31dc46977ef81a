/* SPDX-License-Identifier: MIT */
/* A radar of the host's, which knows nothing of flows: it calls back. While somebody watches, the
 * callback is registered and its calls are a signal; whatever ends the watch undoes both. */
#include "flow/flow.h"
#include "flow/test.h"
#include <stdio.h>

static void (*on_contact)(int distance); /* the host's one callback */

static void turn_radar(int distance)
{
    if (on_contact)
        on_contact(distance);
    else
        printf("nobody watches\n");
}

static FLOW_SIGNAL(int) contact;

static void tell(int distance)
{
    flow_emit(&contact, &distance);
}

static void look_away(void *arg)
{
    (void)arg;
    on_contact = NULL;
}

struct watch {
    flow_frame base;
    int distance;
};

FLOW_STATIC(watch)
{
    FLOW_BEGIN;
    if (flow_bridge(flow, &contact, look_away, NULL) != FLOW_OK)
        FLOW_RETURN;
    on_contact = tell;
    do {
        FLOW_AWAIT(flow_next(&contact, &self->distance));
        printf("%.1f s: something at %d\n", flow_now(flow), self->distance);
    } while (self->distance > 20);
    FLOW_END;
}

int main(void)
{
    flow_test test;
    flow_test_begin(&test, NULL);
    FLOW_RUN(test.world, watch);
    for (int distance = 40; distance > 0; distance -= 10) {
        turn_radar(distance);
        flow_test_tick_for(test.world, 0.1, 0.1);
    }
    return !flow_test_end(&test);
}

/* output:
0.1 s: something at 40
0.2 s: something at 30
0.3 s: something at 20
nobody watches
*/
