/* SPDX-License-Identifier: MIT */
/* A reactor's heat: looked at in each tick, told to everybody who asks, and only what matters. */
#include "flow/flow.h"
#include "flow/test.h"
#include <stdio.h>

static int heat = 10, warm = 30, hot = 90;

static int is_below(const void *value, void *arg)
{
    return *(const int *)value < *(int *)arg;
}

struct reactor {
    flow_frame base;
    FLOW_SUBSCRIPTION(int) lamp, siren;
    FLOW_SIGNAL(int) told;
    FLOW_STREAM(int) heat, late;
    int first, found, degrees;
};

FLOW_STATIC(reactor)
{
    FLOW_BEGIN;
    flow_signal_init(&self->told, flow_world_of(flow));
    flow_subscribe(flow, &self->lamp, &self->told, FLOW_DROP_OLDEST, 4);
    flow_subscribe(flow, &self->siren, &self->told, FLOW_KEEP_LATEST);
    flow_stream_watch(flow, &self->heat, &heat);
    flow_stream_skip_while(flow, &self->heat, &self->heat, is_below, &warm);
    flow_stream_take_while(flow, &self->heat, &self->heat, is_below, &hot);
    flow_stream_share(flow, &self->told, &self->heat);
    flow_stream_from(flow, &self->late, &self->lamp);
    flow_stream_skip_until(flow, &self->late, &self->late, flow_seconds(0.5));
    flow_stream_queue(flow, &self->late, &self->late, FLOW_DROP_OLDEST, 2);
    FLOW_AWAIT(flow_stream_first(&self->late, &self->first, &self->found));
    printf("%.1f s: the lamp shows %d\n", flow_now(flow), self->first);
    FLOW_AWAIT(flow_next(&self->siren, &self->degrees));
    printf("%.1f s: the siren has heard of %d\n", flow_now(flow), self->degrees);
    flow_signal_fini(&self->told);
    FLOW_END;
}

int main(void)
{
    flow_test test;
    flow_test_begin(&test, NULL);
    flow_handle reactor = FLOW_RUN(test.world, reactor);
    for (; heat < 100; heat += 10)
        flow_test_tick_for(test.world, 0.2, 0.1);
    flow_test_run_until_done(test.world, reactor, 1.0);
    return !flow_test_end(&test);
}

/* output:
0.5 s: the lamp shows 30
0.5 s: the siren has heard of 30
*/
