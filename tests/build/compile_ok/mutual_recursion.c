/* SPDX-License-Identifier: MIT */
/* Two flow functions that call each other, and one that calls itself. */
/* output:
even 4
odd 3
even 2
odd 1
even 0
down 2
tick 1
down 1
tick 2
down 0
tick 3
end
 */
#include <stdio.h>

#include "flow/flow.h"

enum { TICKS = 3 };

struct is_even {
    flow_frame base;
    int n;
    int *out;
};
struct is_odd {
    flow_frame base;
    int n;
    int *out;
};
FLOW_FORWARD(is_odd);

FLOW_STATIC(is_even)
{
    FLOW_BEGIN;
    printf("even %d\n", self->n);
    if (self->n == 0) {
        *self->out = 1;
        FLOW_RETURN;
    }
    FLOW_AWAIT(FLOW_CALL(is_odd, .n = self->n - 1, .out = self->out));
    FLOW_END;
}

FLOW_STATIC(is_odd)
{
    FLOW_BEGIN;
    printf("odd %d\n", self->n);
    if (self->n == 0) {
        *self->out = 0;
        FLOW_RETURN;
    }
    FLOW_AWAIT(FLOW_CALL(is_even, .n = self->n - 1, .out = self->out));
    FLOW_END;
}

struct down {
    flow_frame base;
    int n;
};

FLOW_STATIC(down)
{
    FLOW_BEGIN;
    printf("down %d\n", self->n);
    FLOW_AWAIT(flow_next_tick());
    if (self->n > 0) {
        FLOW_AWAIT(FLOW_CALL(down, .n = self->n - 1));
    }
    FLOW_END;
}

struct story {
    flow_frame base;
    int even;
};

FLOW_STATIC(story)
{
    FLOW_BEGIN;
    FLOW_AWAIT(FLOW_CALL(is_even, .n = 4, .out = &self->even));
    if (self->even) {
        FLOW_AWAIT(FLOW_CALL(down, .n = 2));
    }
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
