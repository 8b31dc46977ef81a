/* SPDX-License-Identifier: MIT */
/* A guard's mind, as a machine whose states are flows: leaving one ends all that it was doing. */
#include "flow/flow.h"
#include "flow/test.h"
#include <stdio.h>

enum { PATROL, CHASE, STATES };
static int sees_player;

static int sees(void *eyes)
{
    return *(int *)eyes;
}

static void changed(void *eyes, flow_machine *machine)
{
    static const char *const names[] = {"patrols", "chases"};
    (void)eyes;
    printf("%s: he %s\n", machine->last ? machine->last->name : "at first",
           machine->state == FLOW_MACHINE_OVER ? "is no more" : names[machine->state]);
}

static const flow_transition moves[] = {
    {.name = "sees the player", .from = PATROL, .to = CHASE, .when = sees},
    {.name = "is tired", .from = CHASE, .to = PATROL, .on_end = 1},
    {.name = "killed", .from = FLOW_ANY_STATE, .to = FLOW_MACHINE_OVER},
};
static const flow_machine_desc mind = {STATES, PATROL, moves, 3, changed};
static flow_machine machine;

struct guard {
    flow_frame base;
};

FLOW_STATIC(guard)
{
    FLOW_BEGIN;
    if (flow_machine_begin(flow, &machine, &mind, &sees_player) != FLOW_OK)
        FLOW_RETURN;
    while (flow_machine_runs(&machine)) {
        FLOW_IN_STATE(&machine, PATROL, flow_never()); /* or FLOW_CALL(patrol) */
        FLOW_IN_STATE(&machine, CHASE, flow_seconds(1));
    }
    FLOW_END;
}

int main(void)
{
    flow_test test;
    flow_test_begin(&test, NULL);
    FLOW_RUN(test.world, guard);
    for (int i = 0; i < 4; i++) {
        sees_player = i == 1;
        flow_test_tick_for(test.world, 0.5, 0.1);
    }
    flow_machine_fire(&machine, "killed");
    flow_test_tick_for(test.world, 0.1, 0.1);
    return !flow_test_end(&test);
}

/* output:
at first: he patrols
sees the player: he chases
is tired: he patrols
killed: he is no more
*/
