/* SPDX-License-Identifier: MIT */
/* Waiting for several things: who comes first, who comes at all, and who goes on alone. */
#include "flow/flow.h"
#include "flow/test.h"
#include <stdio.h>

struct scout {
    flow_frame base;
    const char *name;
    double seconds;
};

FLOW_STATIC(scout)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_seconds(self->seconds));
    printf("%.1f s: %s is back\n", flow_now(flow), self->name);
    if (self->seconds > 2)
        FLOW_FAIL(7, "has seen nothing");
    FLOW_END;
}

struct camp {
    flow_frame base;
    flow_outcome out[2];
    int first, late, kept;
};

FLOW_STATIC(camp)
{
    FLOW_BEGIN;
    FLOW_ANY(self->first, FLOW_CALL(scout, .name = "Ada", .seconds = 2),
             FLOW_CALL(scout, .name = "Ben", .seconds = 1));
    printf("%.1f s: number %d was first, the other goes on\n", flow_now(flow), self->first);
    FLOW_TIMEOUT_KEEP(&self->kept, FLOW_CALL(scout, .name = "Cem", .seconds = 2), 0.5);
    printf("%.1f s: no more waiting for Cem\n", flow_now(flow));
    FLOW_ALL_SETTLED(self->out, FLOW_CALL(scout, .name = "Dan", .seconds = 3),
                     flow_timeout(&self->late, flow_never(), 0.2));
    printf("%.1f s: Dan %s\n", flow_now(flow), self->out[0].message);
    FLOW_TRY(&self->out[0], flow_race(NULL, FLOW_NOTHING));
    printf("%.1f s: nobody is left: %s\n", flow_now(flow), flow_status_text(self->out[0].code));
    FLOW_AWAIT(flow_all_settled(
        NULL, flow_any(NULL, flow_ready(), flow_never()),
        flow_timeout_keep(&self->kept, flow_never(), 0.1),
        flow_timeout_keep_on(FLOW_CLOCK_REAL, &self->late, flow_failed(7, "rain"), 0.1)));
    printf("%.1f s: kept %d, late %d\n", flow_now(flow), self->kept, self->late);
    FLOW_END;
}

int main(void)
{
    flow_test test;
    flow_test_begin(&test, NULL);
    flow_handle camp = FLOW_RUN(test.world, camp);
    flow_test_run_until_done(test.world, camp, 10.0);
    return !flow_test_end(&test);
}

/* output:
1.0 s: Ben is back
1.0 s: number 1 was first, the other goes on
1.5 s: no more waiting for Cem
2.0 s: Ada is back
3.0 s: Cem is back
4.5 s: Dan is back
4.5 s: Dan has seen nothing
4.5 s: nobody is left: empty: a race of nothing has no winner
4.6 s: kept 1, late 0
*/
