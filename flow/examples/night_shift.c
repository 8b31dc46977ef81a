/* SPDX-License-Identifier: MIT */
/* Streams of time, put together: side by side, in a row, in step, and the latest of two. */
#include "flow/flow.h"
#include "flow/test.h"
#include <stdio.h>

struct night {
    flow_frame base;
    FLOW_STREAM(int64_t) strikes, rounds, both;
    FLOW_STREAM(int) bell, silence, hour;
    int64_t n;
    int h;
};

static void minutes(const void *rounds, const void *hour, void *out, void *arg)
{
    (void)arg;
    *(int *)out = (int)*(const int64_t *)rounds * 60 + *(const int *)hour;
}

FLOW_STATIC(night)
{
    FLOW_BEGIN;
    flow_stream_timer(flow, &self->strikes, 0.2, 1.0);
    flow_stream_take(flow, &self->strikes, &self->strikes, 3);
    flow_stream_every(flow, &self->rounds, flow_seconds(0.7));
    flow_stream_skip(flow, &self->rounds, &self->rounds, 1);
    flow_stream_take(flow, &self->rounds, &self->rounds, 2);
    flow_stream_merge(flow, &self->both, &self->strikes, &self->rounds);
    FLOW_FOREACH(&self->both, &self->n)
        printf("%.1f s: number %d\n", flow_now(flow), (int)self->n);
    flow_stream_single(flow, &self->bell, &(int){1});
    flow_stream_repeat(flow, &self->hour, &(int){12}, 2);
    flow_stream_concat(flow, &self->bell, &self->bell, &self->hour);
    flow_stream_empty(flow, &self->silence);
    flow_stream_concat(flow, &self->bell, &self->bell, &self->silence);
    flow_stream_interval(flow, &self->rounds, 0.5);
    flow_stream_zip(flow, &self->hour, &self->rounds, &self->bell, minutes, NULL);
    FLOW_FOREACH(&self->hour, &self->h)
        printf("%.1f s: minute %d\n", flow_now(flow), self->h);
    flow_stream_never(flow, &self->bell);
    flow_stream_interval(flow, &self->rounds, 0.5);
    flow_stream_combine_latest(flow, &self->hour, &self->rounds, &self->bell, minutes, NULL);
    flow_stream_take_until(flow, &self->hour, &self->hour, flow_seconds(2));
    FLOW_FOREACH(&self->hour, &self->h)
        printf("no bell, no minute\n");
    printf("%.1f s: dawn\n", flow_now(flow));
    FLOW_END;
}

int main(void)
{
    flow_test test;
    flow_test_begin(&test, NULL);
    flow_handle night = FLOW_RUN(test.world, night);
    flow_test_run_until_done(test.world, night, 10.0);
    return !flow_test_end(&test);
}

/* output:
0.2 s: number 0
1.2 s: number 1
1.4 s: number 2
2.1 s: number 3
2.2 s: number 2
2.7 s: minute 1
3.2 s: minute 72
3.7 s: minute 132
5.7 s: dawn
*/
