/* SPDX-License-Identifier: MIT */
/* Compositions in one another, with calls in them, tried and shielded; of one branch and of none.
 */
/* output:
walk 3
tick 1
tick 2
walk cleaned
race 1, inner 0, late 1
tick 3
all done, late 0, inner 1
empty fails with -5
shielded
tick 4
end
 */
#include <stdio.h>

#include "flow/flow.h"

enum { TICKS = 4 };

struct walk {
    flow_frame base;
    int steps;
};
FLOW_STATIC(walk)
{
    FLOW_BEGIN;
    printf("walk %d\n", self->steps);
    FLOW_AWAIT(flow_ticks(self->steps));
    puts("walk ended");
    FLOW_FINALLY;
    puts("walk cleaned");
    FLOW_END;
}

struct story {
    flow_frame base;
    int winner;
    int inner;
    int late;
    flow_outcome outcome;
};

FLOW_STATIC(story)
{
    FLOW_BEGIN;
    self->inner = -1;
    FLOW_RACE(self->winner, FLOW_CALL(walk, .steps = 3),
              flow_all(flow_race(&self->inner, flow_next_tick(), flow_never()),
                       flow_timeout(&self->late, flow_never(), 0.15)));
    printf("race %d, inner %d, late %d\n", self->winner, self->inner, self->late);
    FLOW_ALL(flow_timeout(&self->late, flow_all(flow_next_tick(), flow_ready()), 1.0),
             flow_race(&self->inner, flow_timeout(NULL, flow_never(), 9.0), flow_next_frame()));
    printf("all done, late %d, inner %d\n", self->late, self->inner);
    FLOW_TRY(&self->outcome, flow_race(&self->winner, FLOW_NOTHING));
    printf("empty fails with %d\n", self->outcome.code);
    FLOW_AWAIT(flow_all(FLOW_NOTHING));
    FLOW_SHIELD(flow_race(&self->winner, flow_ready()));
    puts("shielded");
    FLOW_TIMEOUT(&self->late, flow_race(NULL, flow_next_tick()), 1.0);
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
