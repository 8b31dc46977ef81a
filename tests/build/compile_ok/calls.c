/* SPDX-License-Identifier: MIT */
/* Calls: declared and defined, without arguments, with an array and a struct among them, of a body
 * that awaits nothing, of one that is only a finally section, and of one that leaves early from a
 * loop in a loop. */
/* output:
empty
sum 6 at 1 2
only finally
leave at 1 1
left
tick 1
spawned empty
tick 2
end
 */
#include <stdio.h>

#include "flow/flow.h"

enum { TICKS = 2 };

struct empty {
    flow_frame base;
    int spawned;
};
FLOW_DECLARE(empty);
FLOW_DEFINE(empty)
{
    FLOW_BEGIN;
    puts(self->spawned ? "spawned empty" : "empty");
    FLOW_END;
}

struct point {
    int x, y;
};
struct sum {
    flow_frame base;
    int numbers[3];
    struct point at;
    int *out;
};
FLOW_STATIC(sum)
{
    FLOW_BEGIN;
    *self->out = self->numbers[0] + self->numbers[1] + self->numbers[2];
    printf("sum %d at %d %d\n", *self->out, self->at.x, self->at.y);
    FLOW_END;
}

struct only_finally {
    flow_frame base;
};
FLOW_STATIC(only_finally)
{
    FLOW_BEGIN;
    FLOW_FINALLY;
    puts("only finally");
    FLOW_END;
}

struct leave {
    flow_frame base;
    int x, y;
};
FLOW_STATIC(leave)
{
    FLOW_BEGIN;
    for (self->y = 0; self->y < 3; self->y++) {
        for (self->x = 0; self->x < 3; self->x++) {
            if (self->x == 1 && self->y == 1) {
                printf("leave at %d %d\n", self->x, self->y);
                FLOW_RETURN;
            }
            FLOW_AWAIT(flow_ready());
        }
    }
    puts("not left");
    FLOW_FINALLY;
    puts("left");
    FLOW_END;
}

struct story {
    flow_frame base;
    int total;
};

FLOW_STATIC(story)
{
    FLOW_BEGIN;
    FLOW_AWAIT(FLOW_CALL(empty));
    FLOW_AWAIT(
        FLOW_CALL(sum, .numbers = {1, 2, 3}, .at = (struct point){1, 2}, .out = &self->total));
    FLOW_AWAIT(FLOW_CALL(only_finally));
    FLOW_AWAIT(FLOW_CALL(leave));
    FLOW_AWAIT(flow_next_tick());
    (void)FLOW_SPAWN(empty, .spawned = 1);
    FLOW_AWAIT(flow_next_tick());
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
