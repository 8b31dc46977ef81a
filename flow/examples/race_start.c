/* SPDX-License-Identifier: MIT */
/* A race: everybody waits for everybody at the line, then for the light. Somebody who does not turn
 * up shall not keep the others. */
#include "flow/flow.h"
#include "flow/test.h"
#include <stdio.h>

static flow_barrier line;
static flow_event green, photographer;

struct runner {
    flow_frame base;
    const char *name;
    double warms_up;
    int place;
};

FLOW_STATIC(runner)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_seconds(self->warms_up));
    FLOW_AWAIT(flow_arrive(&line, &self->place));
    printf("%.1f s: %s is ready, came as number %d\n", flow_now(flow), self->name, self->place);
    FLOW_AWAIT(flow_event_wait(&green));        /* all go */
    FLOW_AWAIT(flow_event_wait(&photographer)); /* one at a time */
    printf("%.1f s: %s's picture is taken\n", flow_now(flow), self->name);
    FLOW_END;
}

int main(void)
{
    flow_test test;
    flow_test_begin(&test, NULL);
    flow_barrier_init(&line, test.world, 3);
    flow_event_init(&green, test.world, FLOW_RESET_MANUAL);
    flow_event_init(&photographer, test.world, FLOW_RESET_AUTO);
    FLOW_RUN(test.world, runner, .name = "Ada", .warms_up = 0.5);
    FLOW_RUN(test.world, runner, .name = "Ben", .warms_up = 0.3);
    flow_test_tick_for(test.world, 1.0, 0.1);
    flow_barrier_set_parties(&line, 2); /* Cem is ill */
    flow_test_tick_for(test.world, 1.0, 0.1);
    flow_event_set(&green);
    for (int i = 0; i < 2; i++) {
        flow_test_tick_for(test.world, 0.5, 0.1);
        flow_event_set(&photographer);
    }
    flow_test_tick_for(test.world, 0.1, 0.1);
    printf("the light is %s", flow_event_is_set(&green) ? "green" : "red");
    flow_event_reset(&green);
    printf(", then %s\n", flow_event_is_set(&green) ? "green" : "red");
    flow_barrier_fini(&line);
    flow_event_fini(&green);
    flow_event_fini(&photographer);
    return !flow_test_end(&test);
}

/* output:
1.1 s: Ben is ready, came as number 0
1.1 s: Ada is ready, came as number 1
2.6 s: Ben's picture is taken
3.1 s: Ada's picture is taken
the light is green, then red
*/
