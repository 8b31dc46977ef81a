/* SPDX-License-Identifier: MIT */
/* An enemy that patrols. A hit ends the patrol where it stands, with all that it was doing; then
 * the enemy flinches, and begins its patrol anew until its health is spent. */
#include "flow/flow.h"
#include "flow/test.h"
#include <stdio.h>

static FLOW_SIGNAL(int) damaged;

struct patrol {
    flow_frame base;
    int post;
};

FLOW_STATIC(patrol)
{
    FLOW_BEGIN;
    for (;; self->post = (self->post + 1) % 2) {
        printf("%.1f s: walks to post %d\n", flow_now(flow), self->post);
        FLOW_AWAIT(flow_seconds(1.0));
    }
    FLOW_FINALLY;
    printf("%.1f s: stands still\n", flow_now(flow)); /* before the enemy's next line runs */
    FLOW_END;
}

struct enemy {
    flow_frame base;
    int health, winner, damage;
};

FLOW_STATIC(enemy)
{
    FLOW_BEGIN;
    while (self->health > 0) {
        FLOW_RACE(self->winner, flow_next(&damaged, &self->damage), FLOW_CALL(patrol));
        self->health -= self->damage;
        printf("%.1f s: flinches, health %d\n", flow_now(flow), self->health);
        FLOW_AWAIT(flow_seconds(0.5));
    }
    printf("%.1f s: dies\n", flow_now(flow));
    FLOW_END;
}

int main(void)
{
    flow_test test;
    flow_test_begin(&test, NULL);
    flow_signal_init(&damaged, test.world);
    flow_handle it = FLOW_RUN(test.world, enemy, .health = 6);
    for (int i = 0; i < 2; i++) {
        flow_test_tick_for(test.world, 1.3, 0.1);
        flow_emit(&damaged, &(int){3});
    }
    flow_test_run_until_done(test.world, it, 1.0);
    return !flow_test_end(&test);
}

/* output:
0.0 s: walks to post 0
1.0 s: walks to post 1
1.4 s: stands still
1.4 s: flinches, health 3
1.9 s: walks to post 0
2.6 s: stands still
2.6 s: flinches, health 0
3.1 s: dies
*/
