/* SPDX-License-Identifier: MIT */
/* A hospital with two beds, which come back however a treatment ends, and a store of bandages,
 * which are used up and delivered anew. */
#include "flow/flow.h"
#include "flow/test.h"
#include <stdio.h>

static flow_semaphore beds, bandages;

struct patient {
    flow_frame base;
    const char *name;
};

FLOW_STATIC(patient)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_acquire(&beds));  /* held */
    FLOW_AWAIT(flow_take(&bandages)); /* gone */
    printf("%.1f s: %s is treated, %u beds free\n", flow_now(flow), self->name,
           flow_semaphore_permits(&beds));
    FLOW_AWAIT(flow_seconds(1));
    flow_release(flow, &beds);
    FLOW_AWAIT(flow_seconds(1)); /* to the door */
    FLOW_FINALLY;
    printf("%.1f s: %s has left\n", flow_now(flow), self->name);
    FLOW_END;
}

struct visitor {
    flow_frame base;
};

FLOW_STATIC(visitor)
{
    FLOW_BEGIN;
    if (flow_try_acquire(flow, &beds) != FLOW_OK)
        printf("%.1f s: nowhere to sit\n", flow_now(flow));
    FLOW_END;
}

int main(void)
{
    flow_test test;
    flow_test_begin(&test, NULL);
    flow_semaphore_init(&beds, test.world, 2);
    flow_semaphore_init(&bandages, test.world, 1);
    flow_handle first = FLOW_RUN(test.world, patient, .name = "Ada");
    FLOW_RUN(test.world, patient, .name = "Ben"); /* has a bed, and no bandage */
    FLOW_RUN(test.world, patient, .name = "Cem");
    FLOW_RUN(test.world, visitor);
    flow_test_tick_for(test.world, 0.5, 0.1);
    flow_cancel(test.world, first); /* walks out */
    flow_semaphore_add(&bandages, 3);
    flow_test_tick_for(test.world, 3.0, 0.1);
    flow_semaphore_fini(&beds);
    flow_semaphore_fini(&bandages);
    return !flow_test_end(&test);
}

/* output:
0.0 s: Ada is treated, 1 beds free
0.0 s: nowhere to sit
0.5 s: Ada has left
0.6 s: Cem is treated, 0 beds free
0.6 s: Ben is treated, 0 beds free
2.6 s: Cem has left
2.6 s: Ben has left
*/
