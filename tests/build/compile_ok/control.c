/* SPDX-License-Identifier: MIT */
/* Awaits in if, else, for, while and do, with braces and without. */
/* output:
if
tick 1
else
tick 2
else if
tick 3
for 0
tick 4
for 1
tick 5
while 2
tick 6
while 1
tick 7
do 0
tick 8
do 1
tick 9
block
tick 10
conditional
tick 11
end
 */
#include <stdio.h>

#include "flow/flow.h"

enum { TICKS = 11 };

struct story {
    flow_frame base;
    int i;
};

FLOW_STATIC(story)
{
    FLOW_BEGIN;
    puts("if");
    if (self->i == 0)
        FLOW_AWAIT(flow_next_tick());
    else
        FLOW_AWAIT(flow_never());
    puts("else");
    if (self->i != 0)
        FLOW_AWAIT(flow_never());
    else
        FLOW_AWAIT(flow_next_tick());
    puts("else if");
    if (self->i == 1) {
        FLOW_AWAIT(flow_never());
    } else if (self->i == 0) {
        FLOW_AWAIT(flow_next_tick());
    } else {
        FLOW_AWAIT(flow_never());
    }
    for (self->i = 0; self->i < 2; self->i++) {
        printf("for %d\n", self->i);
        FLOW_AWAIT(flow_next_tick());
    }
    while (self->i > 0) {
        printf("while %d\n", self->i);
        FLOW_AWAIT(flow_next_tick());
        self->i--;
    }
    do {
        printf("do %d\n", self->i);
        FLOW_AWAIT(flow_next_tick());
    } while (++self->i < 2);
    {
        puts("block");
        {
            FLOW_AWAIT(flow_next_tick());
        }
    }
    puts("conditional");
    FLOW_AWAIT(self->i == 2 ? flow_next_tick() : flow_never());
    for (;;)
        if (self->i++ < 4)
            FLOW_AWAIT(flow_ready());
        else
            break;
    puts("end");
    FLOW_END;
}

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
