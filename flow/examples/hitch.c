/* SPDX-License-Identifier: MIT */
/* Which flow made this frame long? A profile tells: here on a clock of its own, in which an enemy
 * thinks for 1 ms a frame, and for 40 ms once. */
#include "flow/flow.h"
#include "flow/profile.h"
#include "flow/test.h"
#include <stdio.h>

static uint64_t clock_ns = 1000;

static uint64_t now(void *user)
{
    (void)user;
    return clock_ns;
}

struct enemy {
    flow_frame base;
};

FLOW_STATIC(enemy)
{
    FLOW_BEGIN;
    for (;;) {
        clock_ns += flow_frame_count(flow) == 50 ? 40000000 : 1000000; /* thinking */
        FLOW_AWAIT(flow_next_frame());
    }
    FLOW_END;
}

int main(void)
{
    flow_test test;
    flow_test_begin(&test, NULL);
    flow_profile *profile = flow_profile_create(&(flow_profile_desc){.now_ns = now});
    flow_profile_watch(profile, test.world);
    flow_profile_switch(profile, 1);
    flow_handle enemy = FLOW_RUN(test.world, enemy);
    for (int frame = 0; frame < 60; frame++) {
        flow_profile_next_frame(profile, NULL);
        flow_test_frame(test.world, 1.0 / 60);
        flow_profile_count(profile, "enemies", 1);
        flow_profile_job(profile, "a file", 0, (int64_t)clock_ns - 500, (int64_t)clock_ns);
    }
    flow_profile_next_frame(profile, NULL);
    const flow_profile_frame *worst = flow_profile_recent(profile, 10);
    char line[256];
    flow_profile_line(profile, worst, line, sizeof line);
    printf("%d frames, at most %d us, hitches: %d\n", (int)flow_profile_frames(profile),
           (int)(flow_profile_max(profile, 0) / 1000), (int)flow_profile_hitches(profile));
    printf("the worst: a %s, %s, %+d us\n", flow_profile_kind_text(worst->rows[0].kind),
           worst->rows[0].name, (int)(worst->rows[0].excess_ns / 1000));
    printf("%.60s\n", line);
    flow_cancel(test.world, enemy);
    flow_profile_destroy(profile);
    return !flow_test_end(&test);
}

/* output:
60 frames, at most 40000 us, hitches: 1
the worst: a flow, enemy, +39000 us
HITCH f=50 total 40.0 work 40.0 (budget 16.7) | 1 enemy +39.
*/
