/* SPDX-License-Identifier: MIT */
/* A map that is read row by row: each row opens a stream of its tiles, which are shown in batches.
 * A broken row ends it all. */
#include "flow/flow.h"
#include "flow/test.h"
#include <stdio.h>

typedef FLOW_STREAM(int) tiles;
typedef FLOW_BATCH(int, 4) batch;

static void open_row(flow_task *flow, void *row, const void *number, void *broken)
{
    int first = *(const int *)number * 10;
    if (*(const int *)number == *(int *)broken)
        flow_stream_fail(flow, (tiles *)row, 7, "the row is broken");
    else
        flow_stream_range(flow, (tiles *)row, first, first + 3);
}

static void picture(const void *tile, void *out, void *arg)
{
    (void)arg;
    *(int *)out = *(const int *)tile % 10;
}

struct map {
    flow_frame base;
    int broken;
    tiles tiles;
    FLOW_STREAM(batch) batches;
    batch batch;
};

FLOW_STATIC(map)
{
    FLOW_BEGIN;
    flow_stream_range(flow, &self->tiles, 0, 3);
    flow_stream_flat_map(flow, &self->tiles, &self->tiles, open_row, &self->broken);
    flow_stream_map(flow, &self->tiles, &self->tiles, picture, NULL);
    flow_stream_buffer(flow, &self->batches, &self->tiles);
    FLOW_FOREACH(&self->batches, &self->batch) {
        printf("%.1f s: %u tiles, from picture %d to %d\n", flow_now(flow), self->batch.count,
               self->batch.items[0], self->batch.items[self->batch.count - 1]);
        FLOW_AWAIT(flow_seconds(0.2)); /* they fade in */
    }
    FLOW_END;
}

int main(void)
{
    flow_test test;
    flow_test_begin(&test, NULL);
    flow_handle map = FLOW_RUN(test.world, map, .broken = 9);
    flow_test_run_until_done(test.world, map, 10.0);
    map = FLOW_RUN(test.world, map, .broken = 2);
    flow_test_run_until_done(test.world, map, 10.0);
    printf("failure %d\n", flow_test_accept_failure(&test, 7)->id);
    return !flow_test_end(&test);
}

/* output:
0.0 s: 4 tiles, from picture 0 to 0
0.2 s: 4 tiles, from picture 1 to 1
0.4 s: 1 tiles, from picture 2 to 2
0.6 s: 4 tiles, from picture 0 to 0
failure 7
*/
