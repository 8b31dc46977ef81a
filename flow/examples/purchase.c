/* SPDX-License-Identifier: MIT */
/* A purchase: three tries, a payment under way is never cut, and the button is always freed. */
#include "flow/flow.h"
#include "flow/test.h"
#include <stdio.h>

enum { OFFLINE = 1, TRIES = 3 };
static int failures_to_come = 2;

struct pay {
    flow_frame base;
};

FLOW_STATIC(pay)
{
    FLOW_BEGIN;
    FLOW_SHIELD(flow_seconds(0.5)); /* the server answers: the player's money is under way */
    if (failures_to_come-- > 0)
        FLOW_FAIL(OFFLINE, "no connection");
    printf("%.1f s: paid\n", flow_now(flow));
    FLOW_END;
}

struct purchase {
    flow_frame base;
    flow_outcome outcome;
    int tries;
};

FLOW_STATIC(purchase)
{
    FLOW_BEGIN;
    printf("%.1f s: the button is locked\n", flow_now(flow));
    for (self->tries = 1;; self->tries++) {
        FLOW_TRY(&self->outcome, FLOW_CALL(pay));
        if (self->outcome.state == FLOW_STATE_DONE)
            FLOW_RETURN;
        printf("%.1f s: %s, try %d\n", flow_now(flow), self->outcome.message, self->tries);
        if (self->tries == TRIES)
            FLOW_FAIL(self->outcome.code, self->outcome.message);
        FLOW_AWAIT(flow_seconds(self->tries));
    }
    FLOW_FINALLY;
    printf("%.1f s: the button is free\n", flow_now(flow));
    FLOW_END;
}

int main(void)
{
    flow_test test;
    flow_test_begin(&test, NULL);
    flow_handle shop = FLOW_RUN(test.world, purchase);
    flow_test_run_until_done(test.world, shop, 10.0);
    shop = FLOW_RUN(test.world, purchase);
    flow_test_tick_for(test.world, 0.2, 0.1);
    flow_cancel(test.world, shop); /* the shop is closed */
    flow_test_run_until_done(test.world, shop, 1.0);
    return !flow_test_end(&test);
}

/* output:
0.0 s: the button is locked
0.5 s: no connection, try 1
2.0 s: no connection, try 2
4.5 s: paid
4.5 s: the button is free
4.5 s: the button is locked
5.0 s: paid
5.0 s: the button is free
*/
