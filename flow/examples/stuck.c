/* SPDX-License-Identifier: MIT */
/* Why does nothing happen? The world is asked: who is there, what each waits for, and whether
 * anything can still go on. */
#include "flow/flow.h"
#include "flow/test.h"
#include <stdio.h>
#include <string.h>

static FLOW_SIGNAL(flow_nothing) lever;

static void count_lines(void *lines, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        *(int *)lines += text[i] == '\n';
}

struct door {
    flow_frame base;
};

FLOW_STATIC(door)
{
    char path[64]; /* not across an await */
    FLOW_BEGIN;
    FLOW_AWAIT(flow_seconds(0.5)); /* it creaks */
    flow_path(flow, path, sizeof path);
    printf("frame %d: %s is shut\n", (int)flow_world_frame(flow_world_of(flow)), path);
    FLOW_AWAIT(flow_next(&lever, NULL));
    FLOW_END;
}

int main(void)
{
    char text[512];
    int all = 0, rooms = 0;
    flow_info info;
    flow_test test;
    flow_test_begin(&test, NULL);
    flow_signal_init(&lever, test.world);
    flow_handle door = FLOW_RUN(test.world, door);
    printf("%u are stuck\n", flow_world_stuck(test.world, NULL, NULL));
    flow_test_tick_for(test.world, 1.0, 0.1);
    printf("%u is stuck\n", flow_world_stuck(test.world, NULL, NULL));
    flow_info_of(test.world, door, &info);
    printf("%s %s in %s\n", info.name, info.waits_for,
           flow_world_phase_name(test.world, info.phase));
    flow_world_dump(test.world, count_lines, &all); /* to a log, say */
    flow_world_dump_if(test.world, &(flow_filter){.name = "room"}, count_lines, &rooms);
    printf("the dump has %d lines, and %d without the door\n", all, rooms);
    flow_world_dump_text(test.world, text, sizeof text);
    printf("it names the door: %d\n", strstr(text, "door #1.1 [update, game]") != NULL);
    flow_emit(&lever, NULL);
    flow_world_flush(test.world, FLOW_UPDATE); /* what is ready, now */
    flow_describe(test.world, door, text, sizeof text);
    printf("%s\n", text);
    return !flow_test_end(&test);
}

/* output:
0 are stuck
frame 5: door is shut
1 is stuck
door waits for signal 1, for 5 frames in update
the dump has 2 lines, and 1 without the door
it names the door: 1
door #1.1 ended in frame 10: done
*/
