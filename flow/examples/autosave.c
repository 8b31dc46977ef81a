/* SPDX-License-Identifier: MIT */
/* An autosave, for code that is no flow: a timer that calls back. Whatever the player does puts the
 * next one off, and nothing is saved in a cutscene. */
#include "flow/flow.h"
#include "flow/test.h"
#include <stdio.h>

static flow_timer autosave;

static int save(void *world, uint64_t times)
{
    printf("%.1f s: saved, %d\n", flow_clock_now(world, FLOW_CLOCK_GAME, FLOW_UPDATE), (int)times);
    return 0;
}

int main(void)
{
    flow_test test;
    flow_test_begin(&test, NULL);
    flow_timer_start(
        &autosave, test.world,
        &(flow_timer_desc){.seconds = 1, .periodic = 1, .callback = save, .arg = test.world});
    flow_test_tick_for(test.world, 1.5, 0.1);
    flow_timer_restart(&autosave); /* a key */
    flow_test_tick_for(test.world, 1.5, 0.1);
    flow_timer_stop(&autosave); /* a cutscene */
    flow_test_tick_for(test.world, 2.0, 0.1);
    printf("%s\n", flow_timer_runs(&autosave) ? "it runs" : "it rests");
    flow_timer_restart(&autosave);
    flow_test_frame(test.world, 3.0); /* a hitch: three are due, and one is enough */
    flow_timer_stop(&autosave);
    return !flow_test_end(&test);
}

/* output:
1.0 s: saved, 1
2.5 s: saved, 1
it rests
8.0 s: saved, 3
*/
