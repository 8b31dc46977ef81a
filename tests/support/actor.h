/* SPDX-License-Identifier: MIT */
/*
 * An actor: a flow whose whole life is in its arguments and in the story's log. With the name "a"
 * it writes a+   when it begins a=   when its body comes to its end a-c  when its finally section
 * begins; c tells why: nothing (it returned), x explicit, p parent ended, l race lost, f fault, o
 * owner ended, d world destroyed a.   when its finally section has awaited `closing` ticks (only if
 * closing is not 0)
 */
#ifndef TESTS_ACTOR_H
#define TESTS_ACTOR_H

#include "story.h"

struct actor {
    flow_frame base;
    const char *name;
    int ticks;   /* awaited; 0: none, negative: for ever */
    int fail;    /* the code it fails with after that; 0: it does not */
    int closing; /* ticks awaited in its finally section */
};
FLOW_DECLARE(actor);

/* The same with a child of its own kind: begins it, then awaits `ticks`. */
struct parent {
    flow_frame base;
    const char *name;
    struct actor child;
    struct actor second; /* if it has a name */
    int ticks;
    int closing;
};
FLOW_DECLARE(parent);

/* What an actor writes of a cause. */
const char *actor_cause(flow_cause cause);

/* Asserts how a flow ended. */
void assert_outcome(const flow_world *world, flow_handle flow, flow_state state, flow_cause cause,
                    int code);

#endif
