/* SPDX-License-Identifier: MIT */
/* A chat: messages pile up as they come. One reader at a time, and nobody takes a message from
 * under the one who reads; when the line breaks, everybody learns why. */
#include "flow/flow.h"
#include "flow/test.h"
#include <stdio.h>

typedef struct message {
    char text[16];
} message;
static FLOW_CHANNEL(message) messages;

struct reader {
    flow_frame base;
    const char *name;
    message message;
};

FLOW_STATIC(reader)
{
    FLOW_BEGIN;
    while (flow_channel_lease(flow, &messages) != FLOW_OK) {
        printf("%.1f s: %s has to wait\n", flow_now(flow), self->name);
        FLOW_AWAIT(flow_seconds(1));
    }
    FLOW_AWAIT(flow_readable(&messages, NULL)); /* opens the window when there is something */
    printf("%.1f s: %s opens the chat\n", flow_now(flow), self->name);
    FLOW_AWAIT(flow_next(&messages, &self->message));
    do
        printf("       %s reads: %s\n", self->name, self->message.text);
    while (flow_try_next(&messages, &self->message));
    flow_channel_release(flow, &messages);
    FLOW_AWAIT(flow_drained(&messages)); /* fails as the line does */
    FLOW_END;
}

int main(void)
{
    flow_test test;
    flow_test_begin(&test, NULL);
    flow_channel_init(&messages, test.world, FLOW_UNBOUNDED);
    FLOW_RUN(test.world, reader, .name = "Ada");
    FLOW_RUN(test.world, reader, .name = "Ben");
    flow_test_tick_for(test.world, 0.5, 0.1);
    (void)!flow_send_any_thread(&messages, &(message){"hello"}); /* the network's thread */
    (void)!flow_send_any_thread(&messages, &(message){"is it safe?"});
    flow_test_tick_for(test.world, 1.0, 0.1);
    (void)!flow_send_any_thread(&messages, &(message){"yes"});
    flow_test_tick_for(test.world, 1.0, 0.1);
    flow_channel_fail(&messages, 7, "the line is dead");
    flow_test_tick_for(test.world, 0.1, 0.1);
    printf("failure %d, twice\n", flow_test_accept_failure(&test, 7)->id);
    flow_test_accept_failure(&test, 7);
    flow_channel_fini(&messages);
    return !flow_test_end(&test);
}

/* output:
0.0 s: Ben has to wait
0.6 s: Ada opens the chat
       Ada reads: hello
       Ada reads: is it safe?
1.6 s: Ben opens the chat
       Ben reads: yes
failure 7, twice
*/
