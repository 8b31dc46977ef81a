/* SPDX-License-Identifier: MIT */
/* Time that is counted from a start, not from the await: whatever lies between, the beat stays
 * where it is, and a late one shows how late. */
#include "flow/flow.h"
#include "flow/test.h"
#include <stdio.h>

struct metronome {
    flow_frame base;
    uint64_t tick, frame;
    int64_t began;
    int beat;
};

FLOW_STATIC(metronome)
{
    FLOW_BEGIN;
    self->began = flow_now_ns(flow);
    for (self->beat = 1; self->beat <= 3; self->beat++) {
        FLOW_AWAIT(flow_seconds_since(self->began, 0.25 * self->beat));
        printf("%.2f s: tock, %.2f s late\n", flow_now(flow), flow_lateness(flow));
        FLOW_AWAIT(flow_seconds(0.1)); /* playing, which shifts nothing */
    }
    self->tick = flow_tick_count(flow);
    self->frame = flow_frame_count(flow);
    FLOW_AWAIT(flow_next_tick());
    FLOW_AWAIT(flow_ticks_since(self->tick, 3)); /* 3 after the start, not 3 from here */
    FLOW_AWAIT(flow_frames_since(self->frame, 4));
    printf("%.2f s: 4 frames on\n", flow_now(flow));
    self->began = flow_clock_now_ns(flow_world_of(flow), FLOW_CLOCK_REAL, flow_phase_of(flow));
    FLOW_AWAIT(flow_seconds_since_on(FLOW_CLOCK_REAL, self->began, 0.5));
    printf("%.2f s: the end, in %s\n", flow_now(flow), flow_phase_name(flow_phase_of(flow)));
    FLOW_END;
}

int main(void)
{
    flow_test test;
    flow_test_begin(&test, NULL);
    flow_handle beat = FLOW_RUN(test.world, metronome);
    flow_test_tick_for(test.world, 3.0, 0.1);
    flow_outcome outcome;
    flow_outcome_of(test.world, beat, &outcome);
    return !flow_test_end(&test) || outcome.state != FLOW_STATE_DONE;
}

/* output:
0.30 s: tock, 0.05 s late
0.50 s: tock, 0.00 s late
0.80 s: tock, 0.05 s late
1.30 s: 4 frames on
1.80 s: the end, in update
*/
