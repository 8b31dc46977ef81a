/* SPDX-License-Identifier: MIT */
/* Two awaits on one line, and a macro of the user's with two awaits, used twice, also on one line.
 */
/* output:
a
b
tick 1
c
tick 2
d
tick 3
e
tick 4
d
tick 5
e
tick 6
d
tick 7
e
tick 8
d
tick 9
e
tick 10
end
 */
#include <stdio.h>

#include "flow/flow.h"

enum { TICKS = 10 };

/* clang-format off */
#define TICK FLOW_AWAIT(flow_next_tick())
#define STEPS do { puts("d"); FLOW_AWAIT(flow_next_tick()); puts("e"); FLOW_AWAIT(flow_next_tick()); } while (0)

struct story {
    flow_frame base;
};

FLOW_STATIC(story)
{
    FLOW_BEGIN;
    puts("a"); FLOW_AWAIT(flow_ready()); puts("b"); FLOW_AWAIT(flow_next_tick()); puts("c"); TICK;
    STEPS;
    STEPS;
    STEPS; STEPS;
    puts("end");
    FLOW_END;
}
/* clang-format on */

int main(void)
{
    flow_world *world = flow_world_create(NULL);
    if (world == NULL) {
        return 1;
    }
    (void)FLOW_RUN(world, story);
    for (int tick = 1; tick <= TICKS; tick++) {
        printf("tick %d\n", tick);
        (void)flow_world_begin_frame(world, 0.1);
        if (flow_world_tick(world, FLOW_UPDATE, 0.1) != FLOW_OK) {
            return 1;
        }
    }
    return flow_world_destroy(world) == FLOW_OK ? 0 : 1;
}
