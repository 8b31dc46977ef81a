/* SPDX-License-Identifier: MIT */
/* A session is recorded, and replayed in a later version of the game: the first thing that goes
 * otherwise is found and told in a sentence. */
#include "flow/flow.h"
#include <stdio.h>

static FLOW_SIGNAL(int) seen; /* how far away */
static int version;
struct turret {
    flow_frame base;
    int distance, shots;
};

FLOW_STATIC(turret)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_AWAIT(flow_next(&seen, &self->distance));
        for (self->shots = 0; self->shots < self->distance; self->shots++)
            FLOW_AWAIT(flow_ticks(version == 2 && self->shots == 1 ? 2 : 1)); /* 2 aims again */
    }
    FLOW_END;
}

static void place(flow_world *world, void *arg)
{
    (void)arg;
    FLOW_RUN(world, turret);
}
static const flow_replay_call calls[] = {{"place", place, 0, NULL, NULL}};

int main(void)
{
    static char bytes[4096];
    flow_record_desc desc = {bytes, sizeof bytes, NULL, NULL, calls, 1};
    flow_recording kept;
    flow_world *world = flow_world_create(NULL);
    flow_signal_init(&seen, world);
    if (flow_world_record(world, &desc) != FLOW_OK)
        return 1;
    flow_world_call(world, place, NULL); /* starts are recorded as calls */
    for (int frame = 1; frame <= 8; frame++) {
        flow_world_begin_frame(world, 0.1);
        if (frame % 4 == 1)
            flow_emit(&seen, &(int){frame == 1 ? 1 : 3});
        flow_world_tick(world, FLOW_UPDATE, 0.1);
    }
    flow_world_record_end(world, &kept);
    flow_world_destroy(world);
    for (version = 1; version <= 2; version++) {
        flow_replay_report found;
        flow_signal_init(&seen, world = flow_world_create(NULL));
        flow_world_replay_all(world, &(flow_replay_desc){bytes, kept.bytes, calls, 1}, &found);
        printf("version %d: frame %d, event %d: %s\n", version, (int)found.frame, (int)found.event,
               found.verdict == FLOW_VERDICT_EQUAL ? "equal" : "apart"); /* found.text says all */
        flow_world_destroy(world);
    }
    return 0;
}

/* output:
version 1: frame 8, event 7: equal
version 2: frame 7, event 6: apart
*/
