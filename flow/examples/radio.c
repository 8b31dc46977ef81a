/* SPDX-License-Identifier: MIT */
/* A radio: pilots listen to what concerns them, and a recorder keeps what was said last. Then there
 * is nothing but noise. */
#include "flow/flow.h"
#include "flow/test.h"
#include <stdio.h>

static FLOW_SIGNAL(int) radio; /* a channel */
static FLOW_SUBSCRIPTION(int) recorder;

static int is_channel(const void *value, void *wanted)
{
    return *(const int *)value == *(int *)wanted;
}

struct pilot {
    flow_frame base;
    int channel;
};

FLOW_STATIC(pilot)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_next_if(&radio, NULL, is_channel, &self->channel));
    printf("%.1f s: the pilot of channel %d answers\n", flow_now(flow), self->channel);
    FLOW_END;
}

int main(void)
{
    int said;
    flow_test test;
    flow_test_begin(&test, NULL);
    flow_signal_init(&radio, test.world);
    flow_subscribe_in(test.world, &recorder, &radio, FLOW_DROP_OLDEST, 2);
    FLOW_RUN(test.world, pilot, .channel = 3);
    FLOW_RUN(test.world, pilot, .channel = 9);
    for (int channel = 1; channel <= 3; channel++) {
        flow_emit(&radio, &channel);
        flow_test_tick_for(test.world, 0.1, 0.1);
    }
    printf("%u kept, %u listen\n", flow_subscription_count(&recorder), flow_signal_waiters(&radio));
    while (flow_try_next(&recorder, &said))
        printf("it was said: %d\n", said);
    flow_unsubscribe(&recorder);
    flow_signal_fail(&radio, 7, "noise");
    flow_test_tick_for(test.world, 0.1, 0.1);
    printf("failure %d\n", flow_test_accept_failure(&test, 7)->id);
    return !flow_test_end(&test);
}

/* output:
0.3 s: the pilot of channel 3 answers
2 kept, 1 listen
it was said: 2
it was said: 3
failure 7
*/
