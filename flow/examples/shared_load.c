/* SPDX-License-Identifier: MIT */
/* One load for everybody: who asks early waits, who asks late has it at once, and where it fails it
 * fails for all. */
#include "flow/flow.h"
#include "flow/test.h"
#include <stdio.h>

static FLOW_ONCE(int) map_width;

struct load {
    flow_frame base;
    int broken;
};

FLOW_STATIC(load)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_seconds(1)); /* reading, say */
    if (self->broken)
        flow_once_fail(&map_width, 7, "the file is broken");
    else
        flow_once_set(&map_width, &(int){640});
    FLOW_END;
}

struct user {
    flow_frame base;
    const char *name;
    int width;
    flow_outcome outcome;
};

FLOW_STATIC(user)
{
    FLOW_BEGIN;
    if (flow_once_read(&map_width, NULL) == FLOW_PENDING)
        printf("%.1f s: %s waits\n", flow_now(flow), self->name);
    FLOW_TRY(&self->outcome, flow_once_wait(&map_width, &self->width));
    printf("%.1f s: %s: %d wide, %s\n", flow_now(flow), self->name, self->width,
           self->outcome.message ? self->outcome.message : "fine");
    FLOW_END;
}

int main(void)
{
    flow_test test;
    flow_test_begin(&test, NULL);
    for (int broken = 0; broken < 2; broken++) {
        flow_once_init(&map_width, test.world);
        FLOW_RUN(test.world, load, .broken = broken);
        FLOW_RUN(test.world, user, .name = "the radar");
        flow_test_tick_for(test.world, 0.5, 0.1);
        FLOW_RUN(test.world, user, .name = "the compass");
        flow_test_tick_for(test.world, 1.0, 0.1);
        FLOW_RUN(test.world, user, .name = "the minimap");
        flow_once_fini(&map_width); /* the level is over */
    }
    return !flow_test_end(&test);
}

/* output:
0.0 s: the radar waits
0.5 s: the compass waits
1.0 s: the radar: 640 wide, fine
1.0 s: the compass: 640 wide, fine
1.5 s: the minimap: 640 wide, fine
1.5 s: the radar waits
2.0 s: the compass waits
2.5 s: the radar: 0 wide, the file is broken
2.5 s: the compass: 0 wide, the file is broken
3.0 s: the minimap: 0 wide, the file is broken
*/
