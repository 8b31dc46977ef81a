/* SPDX-License-Identifier: MIT */
/* A dialog that a button or the back key answers. The back key goes to whoever waits for it: to the
 * dialog while one is open, else to the menu. */
#include "flow/flow.h"
#include "flow/test.h"
#include <stdio.h>

typedef FLOW_SIGNAL(flow_nothing) key;
static key yes, no, back;

struct confirm {
    flow_frame base;
    const char *question;
    int *confirmed, pressed;
};

FLOW_STATIC(confirm)
{
    FLOW_BEGIN;
    printf("%.1f s: %s\n", flow_now(flow), self->question);
    FLOW_RACE(self->pressed, flow_next(&yes, NULL), flow_next(&no, NULL), flow_next(&back, NULL));
    *self->confirmed = self->pressed == 0;
    FLOW_FINALLY;
    FLOW_AWAIT(flow_seconds(0.2)); /* the closing animation, whatever ends the dialog */
    printf("%.1f s: closed\n", flow_now(flow));
    FLOW_END;
}

struct menu {
    flow_frame base;
    int leave;
};

FLOW_STATIC(menu)
{
    FLOW_BEGIN;
    while (!self->leave) {
        FLOW_AWAIT(flow_next(&back, NULL));
        FLOW_AWAIT(FLOW_CALL(confirm, .question = "Really quit?", .confirmed = &self->leave));
    }
    printf("%.1f s: bye\n", flow_now(flow));
    FLOW_END;
}

int main(void)
{
    key *presses[] = {&back, &back, &back, &yes}; /* opens the dialog, closes it, opens it, quits */
    flow_test test;
    flow_test_begin(&test, NULL);
    flow_signal_init(&yes, test.world);
    flow_signal_init(&no, test.world);
    flow_signal_init(&back, test.world);
    FLOW_RUN(test.world, menu);
    for (int i = 0; i < 4; i++) {
        flow_emit(presses[i], NULL);
        flow_test_tick_for(test.world, 1.0, 0.1);
    }
    return !flow_test_end(&test);
}

/* output:
0.1 s: Really quit?
1.3 s: closed
2.1 s: Really quit?
3.3 s: closed
3.3 s: bye
*/
