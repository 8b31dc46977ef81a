/* SPDX-License-Identifier: MIT */
/* A squad of as many as there are: reports as they come in, and a plan that changes on the way. */
#include "flow/flow.h"
#include "flow/test.h"
#include <stdio.h>

struct squad {
    flow_frame base;
    flow_set out;
    flow_each_item report;
    flow_outcome ends[3];
    int i, tag;
};

FLOW_STATIC(squad)
{
    FLOW_BEGIN;
    (void)flow_set_begin(flow, &self->out);
    for (self->i = 1; self->i <= 4; self->i++) /* each wait could as well be a call */
        flow_set_add(&self->out, self->i, flow_seconds(5 - self->i));
    while (flow_set_left(&self->out) > 2) {
        FLOW_AWAIT(flow_each(&self->out, &self->report));
        printf("%.1f s: %d reports\n", flow_now(flow), self->report.tag);
    }
    flow_set_clear(flow, &self->out); /* the others need not come */

    for (self->i = 1; self->i <= 2; self->i++)
        flow_set_add(&self->out, self->i, flow_seconds(3 - self->i));
    FLOW_AWAIT(flow_race_of(&self->out, &self->tag));
    printf("%.1f s: %d is first\n", flow_now(flow), self->tag);

    for (self->i = 1; self->i <= 2; self->i++)
        flow_set_add(&self->out, self->i, flow_seconds(self->i));
    FLOW_AWAIT(flow_any_of(&self->out, &self->tag));
    printf("%.1f s: %d will do\n", flow_now(flow), self->tag);

    for (self->i = 0; self->i < 3; self->i++)
        flow_set_add(&self->out, self->i,
                     self->i == 1 ? flow_failed(7, "has a sprain") : flow_ready());
    FLOW_AWAIT(flow_all_settled_of(&self->out, self->ends));
    for (self->i = 0; self->i < 3; self->i++)
        printf("%.1f s: %d %s\n", flow_now(flow), self->i,
               self->ends[self->i].message ? self->ends[self->i].message : "is well");
    FLOW_END;
}

int main(void)
{
    flow_test test;
    flow_test_begin(&test, NULL);
    flow_handle squad = FLOW_RUN(test.world, squad);
    flow_test_run_until_done(test.world, squad, 10.0);
    return !flow_test_end(&test);
}

/* output:
1.0 s: 4 reports
2.0 s: 3 reports
3.0 s: 2 is first
4.0 s: 1 will do
4.0 s: 0 is well
4.0 s: 1 has a sprain
4.0 s: 2 is well
*/
