/* SPDX-License-Identifier: MIT */
/* A blow that armour may soften: who strikes waits until everybody who was told has had a say, and
 * takes what is left of it. */
#include "flow/flow.h"
#include "flow/test.h"
#include <stdio.h>

static FLOW_SIGNAL(int) struck; /* damage */

struct piece {
    flow_frame base;
    const char *name;
    int less, *damage;
    double thinks;
};

FLOW_STATIC(piece)
{
    FLOW_BEGIN;
    for (;;) {
        FLOW_AWAIT(flow_next(&struck, NULL));
        if (flow_payload(flow, &struck, &self->damage)) {
            FLOW_AWAIT(flow_seconds(self->thinks));
            *self->damage -= self->less;
            printf("%.1f s: the %s takes %d\n", flow_now(flow), self->name, self->less);
            flow_finish(flow, &struck);
        }
    }
    FLOW_END;
}

struct strike {
    flow_frame base;
    int damage;
};

FLOW_STATIC(strike)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_emit_wait(&struck, &self->damage));
    printf("%.1f s: %d hit through\n", flow_now(flow), self->damage);
    FLOW_END;
}

int main(void)
{
    flow_test test;
    flow_test_begin(&test, NULL);
    flow_signal_init(&struck, test.world);
    FLOW_RUN(test.world, strike, .damage = 10); /* nobody is there */
    flow_handle shield = FLOW_RUN(test.world, piece, .name = "shield", .less = 5, .thinks = 0.5);
    flow_handle helmet = FLOW_RUN(test.world, piece, .name = "helmet", .less = 2, .thinks = 0.2);
    FLOW_RUN(test.world, strike, .damage = 10);
    flow_test_tick_for(test.world, 1.0, 0.1);
    flow_cancel(test.world, shield);
    flow_cancel(test.world, helmet);
    return !flow_test_end(&test);
}

/* output:
0.0 s: 10 hit through
0.3 s: the helmet takes 2
0.6 s: the shield takes 5
0.6 s: 3 hit through
*/
