/* SPDX-License-Identifier: MIT */
/* A border: everybody is looked at, which takes its time, and who may pass is led through, one
 * after another. What awaits for an element is a flow function, which the stream calls. */
#include "flow/flow.h"
#include "flow/test.h"
#include <stdio.h>

struct may_pass {
    flow_frame base;
    FLOW_MAPS(int, int) maps; /* an age, and whether it is enough */
};

FLOW_STATIC(may_pass)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_seconds(0.5)); /* the passport */
    *self->maps.out = *self->maps.value >= *(int *)self->maps.arg;
    FLOW_END;
}

struct lead {
    flow_frame base;
    FLOW_MAPS(int, flow_nothing) maps;
};

FLOW_STATIC(lead)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_seconds(1));
    printf("%.1f s: who is %d is through\n", flow_now(flow), *self->maps.value);
    FLOW_END;
}

static int ages[] = {34, 12, 56}, enough = 18;
struct border {
    flow_frame base;
    FLOW_STREAM(int) people;
};

FLOW_STATIC(border)
{
    FLOW_BEGIN;
    flow_stream_array(flow, &self->people, ages, 3);
    flow_stream_filter_await(flow, &self->people, &self->people, may_pass, &enough);
    FLOW_AWAIT(flow_stream_for_each(&self->people, lead, NULL));
    FLOW_END;
}

int main(void)
{
    flow_test test;
    flow_test_begin(&test, NULL);
    flow_handle border = FLOW_RUN(test.world, border);
    flow_test_run_until_done(test.world, border, 10.0);
    return !flow_test_end(&test);
}

/* output:
1.5 s: who is 34 is through
3.5 s: who is 56 is through
*/
