/* SPDX-License-Identifier: MIT */
/* How another thread reaches a world: what it sends takes effect when the next frame begins. The
 * "thread" is a function here; what it calls is for any. */
#include "flow/flow.h"
#include "flow/test.h"
#include <stdio.h>

static FLOW_SIGNAL(int) joined;
static flow_cancel_source match;

static void welcome(flow_world *world, void *name)
{
    printf("frame %d: %s\n", (int)flow_world_frame(world), (const char *)name);
}

static void lost(void *name)
{
    printf("%s came too late\n", (const char *)name);
}

struct player {
    flow_frame base;
    int number;
};

FLOW_STATIC(player)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_next(&joined, &self->number));
    printf("player %d joins\n", self->number);
    FLOW_AWAIT(flow_cancelled(&match));
    FLOW_END;
}

static void network_thread(flow_world *world, flow_handle bot)
{
    int sent = 0;
    sent += flow_post(world, welcome, "Ada") == FLOW_OK;
    sent += flow_emit_any_thread(&joined, &(int){7}) == FLOW_OK;
    sent += flow_close_any_thread(&joined) == FLOW_OK;
    sent += flow_cancel_any_thread(world, bot) == FLOW_OK;
    sent += flow_cancel_source_cancel_any_thread(&match) == FLOW_OK;
    sent += flow_post_or(world, welcome, "Ben", lost) == FLOW_OK;
    printf("%d sent, %u wait\n", sent, flow_world_inbox(world).waiting);
}

int main(void)
{
    flow_test test;
    flow_test_begin(&test, NULL);
    flow_world_adopt(test.world); /* as if it had been made on another thread */
    flow_signal_init(&joined, test.world);
    flow_cancel_source_init(&match, test.world);
    FLOW_RUN(test.world, player);
    network_thread(test.world, FLOW_RUN(test.world, player));
    flow_test_tick_for(test.world, 0.3, 0.1);
    return !flow_test_end(&test);
}

/* output:
6 sent, 6 wait
frame 1: Ada
frame 1: Ben
player 7 joins
*/
