/* SPDX-License-Identifier: MIT */
/* A tree that grows: a branch grows twigs, and a twig in time becomes a branch. Each waits for what
 * it has grown, to any height, on a stack that does not grow with it. */
#include "flow/flow.h"
#include "flow/test.h"
#include <stdio.h>

struct twig {
    flow_frame base;
    int height, *leaves;
};
struct branch {
    flow_frame base;
    int height, *leaves;
};
FLOW_FORWARD(branch); /* it comes below, and the twig calls it */

FLOW_STATIC(twig)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_seconds(1));
    if (self->height == 0) {
        ++*self->leaves;
        FLOW_RETURN;
    }
    FLOW_AWAIT(FLOW_CALL(branch, .height = self->height, .leaves = self->leaves));
    FLOW_END;
}

FLOW_STATIC(branch)
{
    FLOW_BEGIN;
    FLOW_ALL(FLOW_CALL(twig, .height = self->height - 1, .leaves = self->leaves),
             FLOW_CALL(twig, .height = self->height - 1, .leaves = self->leaves));
    FLOW_END;
}

int main(void)
{
    int leaves = 0;
    flow_test test;
    flow_test_begin(&test, NULL);
    FLOW_RUN(test.world, branch, .height = 5, .leaves = &leaves);
    for (int year = 1; year <= 6; year++) {
        flow_test_tick_for(test.world, 1.0, 0.1);
        printf("year %d: %d leaves\n", year, leaves);
    }
    return !flow_test_end(&test);
}

/* output:
year 1: 0 leaves
year 2: 0 leaves
year 3: 0 leaves
year 4: 0 leaves
year 5: 32 leaves
year 6: 32 leaves
*/
