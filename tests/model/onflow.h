/* SPDX-License-Identifier: MIT */
/* What a program on flow has: the world, and what its slots hold. */
#ifndef TESTS_ONFLOW_H
#define TESTS_ONFLOW_H

#include "model.h"

struct onflow {
    struct side *side;
    flow_world *world;
    flow_handle slot[FLOW_SLOTS + GROUP_SLOTS];
    flow_clock clock[CLOCKS];
    FLOW_SIGNAL(int) signal[SIGNALS];
    FLOW_SUBSCRIPTION(int) subscription[SUBSCRIPTIONS];
    FLOW_PROPERTY(int) property[PROPERTIES];
    FLOW_CHANNEL(int) channel[CHANNELS];
    flow_owner owner[OWNERS];
    /* the allocator */
    long calls, fail_at, blocks;
};

extern struct onflow on; /* one program at a time */

/* What both sides can do. */
#define CALL(type, name, parameters) type on_##name parameters;
SIDE_CALLS(CALL)
#undef CALL

flow_handle handle_of(int whom);
int handle_put(int slot, flow_handle handle);

#endif
