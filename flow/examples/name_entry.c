/* SPDX-License-Identifier: MIT */
/* The console's own keyboard: it opens when the game first wants the name, and answers when it
 * likes, from whatever thread, once. Any number of screens may wait for that. */
#include "flow/flow.h"
#include "flow/test.h"
#include <stdio.h>

typedef FLOW_COMPLETION(char) entry; /* an initial will do */
static entry keyboard;               /* whom it is to answer */

static void open_keyboard(flow_world *world, void *wanted)
{
    (void)world;
    keyboard = *(const entry *)wanted; /* a copy: it may outlive what it answers */
    printf("       the keyboard opens\n");
}

struct ask {
    flow_frame base;
    entry *wanted;
    char initial;
    flow_outcome outcome;
};

FLOW_STATIC(ask)
{
    FLOW_BEGIN;
    FLOW_TRY(&self->outcome, flow_completion_wait(self->wanted, &self->initial));
    if (self->outcome.state == FLOW_STATE_DONE)
        printf("%.1f s: hello, %c\n", flow_now(flow), self->initial);
    else
        printf("%.1f s: hello, stranger: %s\n", flow_now(flow), self->outcome.message);
    FLOW_END;
}

int main(void)
{
    entry name, rival;
    flow_test test;
    flow_test_begin(&test, NULL);
    flow_completion_init_lazy(&name, test.world, open_keyboard, &name);
    flow_test_tick_for(test.world, 1.0, 0.1);
    FLOW_RUN(test.world, ask, .wanted = &name);
    FLOW_RUN(test.world, ask, .wanted = &name);
    flow_test_tick_for(test.world, 1.0, 0.1);
    printf("       taken: %d", flow_completion_set(&keyboard, &(char){'K'}));
    printf(", and again: %d\n", flow_completion_set(&keyboard, &(char){'L'}));
    flow_test_tick_for(test.world, 0.1, 0.1);

    flow_completion_init_single(&rival, test.world); /* ends when it has been received */
    FLOW_RUN(test.world, ask, .wanted = &rival);
    flow_completion_fail(&rival, 7, "nobody is online");
    flow_test_tick_for(test.world, 0.1, 0.1);
    printf("       %s\n", flow_status_text(flow_completion_read(&rival, NULL)));
    flow_completion_fini(&name);
    flow_completion_init(&name, test.world); /* for the next game */
    printf("       %s\n", flow_status_text(flow_completion_read(&name, NULL)));
    return !flow_test_end(&test);
}

/* output:
       the keyboard opens
       taken: 1, and again: 0
2.1 s: hello, K
2.1 s: hello, K
2.2 s: hello, stranger: nobody is online
       closed: what was awaited has gone away
       pending: it will happen, but not before this call returns
*/
