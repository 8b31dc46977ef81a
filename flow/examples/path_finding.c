/* SPDX-License-Identifier: MIT */
/* An enemy that thinks on a worker: its body goes there, computes as plain C, and comes home with
 * the path. Then all sparks are moved, in parts, by as many workers as there are. */
#include "flow/flow.h"
#include "flow/test.h"
#include <stdio.h>

static int submit(void *user, flow_work *work)
{
    (void)user;
    work->run(work, 0); /* a real executor hands it to a thread (flow/sdl) */
    return 0;
}

static flow_executor pool = {.submit = submit, .parallelism = 2};
static int sparks[100];

static void move(void *all, size_t begin, size_t end)
{
    printf("       sparks %d to %d\n", (int)begin, (int)end - 1);
    for (size_t i = begin; i < end; i++)
        ((int *)all)[i]++;
}

struct enemy {
    flow_frame base;
    int steps;
};

FLOW_STATIC(enemy)
{
    FLOW_BEGIN;
    printf("frame %d: where is he?\n", (int)flow_frame_count(flow));
    FLOW_AWAIT(flow_switch_to(&pool)); /* from here on nothing of the world's */
    while (self->steps * self->steps < 1000)
        self->steps++;
    FLOW_AWAIT(flow_switch_home());
    printf("frame %d: %d steps away\n", (int)flow_frame_count(flow), self->steps);
    FLOW_AWAIT(flow_parallel_for(&pool, 100, 50, move, sparks));
    printf("frame %d: the sparks are at %d\n", (int)flow_frame_count(flow), sparks[99]);
    FLOW_END;
}

int main(void)
{
    flow_test test;
    flow_test_begin(&test, NULL);
    flow_handle enemy = FLOW_RUN(test.world, enemy);
    flow_test_run_until_done(test.world, enemy, 1.0);
    return !flow_test_end(&test);
}

/* output:
frame 0: where is he?
frame 1: 32 steps away
       sparks 0 to 49
       sparks 50 to 99
frame 2: the sparks are at 1
*/
