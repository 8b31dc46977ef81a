/* SPDX-License-Identifier: MIT */
/* Fireworks: a generator that lights one rocket after another, as they are asked for; who has seen
 * enough leaves, and it puts its matches away. */
#include "flow/flow.h"
#include "flow/test.h"
#include <stdio.h>

struct rockets {
    flow_frame base;
    FLOW_YIELDS(int) yields;
    int number;
};

FLOW_STATIC(rockets)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_AWAIT(flow_seconds(0.5)); /* the fuse */
        self->number++;
        FLOW_YIELD(&self->number);
    }
    FLOW_FINALLY;
    printf("%.1f s: the matches are put away\n", flow_now(flow));
    FLOW_END;
}

struct spectator {
    flow_frame base;
    FLOW_STREAM(int) show;
    int rocket, more;
};

FLOW_STATIC(spectator)
{
    FLOW_BEGIN;
    FLOW_GENERATE(&self->show, rockets);
    FLOW_FOREACH(&self->show, &self->rocket) {
        printf("%.1f s: rocket %d\n", flow_now(flow), self->rocket);
        if (self->rocket == 3)
            break;                   /* ends the stream too */
        FLOW_AWAIT(flow_seconds(1)); /* applause: the next one waits */
    }
    FLOW_GENERATE(&self->show, rockets, .number = 10);
    FLOW_AWAIT(flow_stream_next(&self->show, &self->rocket, &self->more));
    printf("%.1f s: once more, rocket %d\n", flow_now(flow), self->rocket);
    flow_stream_end(&self->show);
    FLOW_AWAIT(flow_seconds(1)); /* the way home */
    FLOW_END;
}

int main(void)
{
    flow_test test;
    flow_test_begin(&test, NULL);
    flow_handle spectator = FLOW_RUN(test.world, spectator);
    flow_test_run_until_done(test.world, spectator, 10.0);
    return !flow_test_end(&test);
}

/* output:
0.5 s: rocket 1
2.0 s: rocket 2
3.5 s: rocket 3
3.5 s: the matches are put away
4.0 s: once more, rocket 11
4.0 s: the matches are put away
*/
