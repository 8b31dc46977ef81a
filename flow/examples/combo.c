/* SPDX-License-Identifier: MIT */
/* A combo counter: hits are a stream; those of one swing count once, and a pause ends the combo. */
#include "flow/flow.h"
#include "flow/test.h"
#include <stdio.h>

static FLOW_SIGNAL(int) hits; /* damage */
struct combo {
    flow_frame base;
    FLOW_SUBSCRIPTION(int) kept;
    FLOW_STREAM(int) damage;
    int amount, length, score, more, quiet;
};

static int counts(const void *value, void *arg)
{
    (void)arg;
    return *(const int *)value > 0; /* blocked */
}

FLOW_STATIC(combo)
{
    FLOW_BEGIN;
    flow_subscribe(flow, &self->kept, &hits, FLOW_DROP_OLDEST, 16);
    flow_stream_from(flow, &self->damage, &self->kept);
    flow_stream_filter(flow, &self->damage, &self->damage, counts, NULL);
    flow_stream_throttle(flow, &self->damage, &self->damage, 0.15);
    for (self->more = 1; self->more;) {
        FLOW_TIMEOUT(&self->quiet, flow_stream_next(&self->damage, &self->amount, &self->more),
                     0.5);
        if (self->quiet || !self->more) {
            if (self->length > 0) {
                printf("%.1f s: combo of %d, %d points\n", flow_now(flow), self->length,
                       self->score);
            }
            self->length = self->score = 0;
        } else {
            self->score += self->amount * ++self->length;
        }
    }
    FLOW_END;
}

int main(void)
{
    static const int damage[] = {10, 10, 0, 5, 0, 20, 0, 0, 0, 0, 0, 0, 0, 7}; /* one each 0.1 s */
    flow_test test;
    flow_test_begin(&test, NULL);
    flow_signal_init(&hits, test.world);
    FLOW_RUN(test.world, combo);
    for (size_t i = 0; i < sizeof damage / sizeof damage[0]; i++) {
        flow_emit(&hits, &damage[i]);
        flow_test_tick_for(test.world, 0.1, 0.1);
    }
    flow_signal_close(&hits);
    flow_test_tick_for(test.world, 0.1, 0.1);
    return !flow_test_end(&test);
}

/* output:
1.1 s: combo of 3, 80 points
1.5 s: combo of 1, 7 points
*/
