/* SPDX-License-Identifier: MIT */
/* Two peers that run the same match in lockstep: after each turn they compare one number. As long
 * as it is the same, so is all that has happened; else the first event that differs says where. */
#include "flow/flow.h"
#include "flow/test.h"
#include <stdio.h>

static FLOW_SIGNAL(int) orders[2];

struct unit {
    flow_frame base;
    int peer, order;
};

FLOW_STATIC(unit)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_AWAIT(flow_next(&orders[self->peer], &self->order));
        FLOW_AWAIT(flow_ticks(self->order)); /* the march */
    }
    FLOW_END;
}

static void count(void *events, const flow_trace_event *event)
{
    *(int *)events += event->kind == FLOW_TRACE_RESUME;
}

int main(void)
{
    flow_world *peers[2];
    int resumes = 0;
    for (int peer = 0; peer < 2; peer++) {
        peers[peer] = flow_world_create(NULL);
        flow_world_trace(peers[peer], peer == 0 ? count : NULL, &resumes);
        flow_signal_init(&orders[peer], peers[peer]);
        FLOW_RUN(peers[peer], unit, .peer = peer);
    }
    for (int turn = 1; turn <= 3; turn++) {
        for (int peer = 0; peer < 2; peer++) {
            flow_emit(&orders[peer], &(int){turn == 3 && peer == 1 ? 5 : 1}); /* a cheater */
            for (int tick = 0; tick < 4; tick++)
                flow_test_frame(peers[peer], 0.1);
        }
        printf("turn %d: %s\n", turn,
               flow_world_trace_hash(peers[0]) == flow_world_trace_hash(peers[1]) ? "equal"
                                                                                  : "apart");
    }
    for (int peer = 0; peer < 2; peer++) {
        flow_world_trace_end(peers[peer]);
        flow_world_destroy(peers[peer]);
    }
    printf("%d resumes at the first peer\n", resumes);
    return 0;
}

/* output:
turn 1: equal
turn 2: equal
turn 3: apart
6 resumes at the first peer
*/
