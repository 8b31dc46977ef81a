/* SPDX-License-Identifier: MIT */
/* A match in numbers: streams of what was scored, each read to its end in one line. */
#include "flow/flow.h"
#include "flow/test.h"
#include <stdio.h>

static const int goals[] = {1, 3, 2, 2, 5, 4, 1};

static void add(void *sum, const void *value, void *arg)
{
    (void)arg;
    *(int *)sum += *(const int *)value;
}

static void difference(const void *before, const void *value, void *out, void *arg)
{
    (void)arg;
    *(int *)out = *(const int *)value - *(const int *)before;
}

struct statistics {
    flow_frame base;
    FLOW_STREAM(int) s;
    int sum, found, last, all[7];
    int64_t count;
    size_t n, i;
};

FLOW_STATIC(statistics)
{
    FLOW_BEGIN;
    flow_stream_array(flow, &self->s, goals, 7);
    FLOW_AWAIT(flow_stream_fold(&self->s, &self->sum, add, NULL));
    flow_stream_array(flow, &self->s, goals, 7);
    flow_stream_distinct(flow, &self->s, &self->s, 7);
    FLOW_AWAIT(flow_stream_count(&self->s, &self->count));
    flow_stream_array(flow, &self->s, goals, 7);
    flow_stream_scan(flow, &self->s, &self->s, &(int){0}, add, NULL);
    FLOW_AWAIT(flow_stream_last(&self->s, &self->last, &self->found));
    printf("%d in all, %d different, the last sum %d\n", self->sum, (int)self->count, self->last);
    flow_stream_array(flow, &self->s, goals, 7);
    flow_stream_pairwise(flow, &self->s, &self->s, difference, NULL);
    FLOW_AWAIT(flow_stream_to_array(&self->s, self->all, 7, &self->n));
    for (self->i = 0; self->i < self->n; self->i++)
        printf(" %+d", self->all[self->i]);
    printf("\n");
    FLOW_END;
}

int main(void)
{
    flow_test test;
    flow_test_begin(&test, NULL);
    FLOW_RUN(test.world, statistics);
    return !flow_test_end(&test);
}

/* output:
18 in all, 5 different, the last sum 18
 +2 -1 +0 +3 -1 -3
*/
