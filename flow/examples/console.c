/* SPDX-License-Identifier: MIT */
/* A developer's console: commands that name a flow function at run time, what became of it, and who
 * else is at work. */
#include "flow/flow.h"
#include "flow/test.h"
#include <stdio.h>

struct spawn {
    flow_frame base;
    int count;
};

static void away(void *name)
{
    printf("       %s is away\n", (const char *)name);
}

FLOW_STATIC(spawn)
{
    FLOW_BEGIN;
    if (flow_defer(flow, away, "an enemy") != FLOW_OK)
        FLOW_RETURN;
    FLOW_AWAIT(flow_seconds(0.5));
    if (self->count > 1)
        FLOW_AWAIT(FLOW_CALL(spawn, .count = self->count - 1));
    FLOW_AWAIT(flow_switch_phase(FLOW_LATE)); /* after everything has moved */
    printf("%.1f s: %d in %s\n", flow_now(flow), self->count, flow_phase_name(flow_phase_of(flow)));
    FLOW_END;
}

int main(void)
{
    const flow_function *command = FLOW_FUNCTION(spawn); /* looked up by its name, say */
    struct spawn arguments = {.count = 2};
    flow_outcome outcome;
    flow_test test;
    flow_test_begin(&test, NULL);
    flow_handle console = flow_group_create(test.world, &(flow_group_desc){.name = "console"});
    flow_options options = {.owner = console};
    printf("%s at line %d\n", command->name, (int)command->line);
    flow_handle spawn = flow_start(test.world, command, &arguments, &options);
    printf("%d at work\n", (int)flow_child_count(test.world, console));
    flow_test_tick_for(test.world, 1.5, 0.1);
    if (flow_state_of(test.world, spawn) == FLOW_STATE_DONE)
        printf("done: %s\n", flow_status_text(flow_outcome_of(test.world, spawn, &outcome)));
    flow_cancel(test.world, console);
    return !flow_test_end(&test);
}

/* output:
spawn at line 18
1 at work
1.0 s: 1 in late
       an enemy is away
1.1 s: 2 in late
       an enemy is away
done: ok
*/
