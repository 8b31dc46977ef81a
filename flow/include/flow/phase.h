/* SPDX-License-Identifier: MIT */
/*
 * Phases: the named places of the host's frame where flows go on.
 *
 * A flow has a home phase, inherited from its starter (FLOW_UPDATE for a root unless its options
 * say otherwise); its code runs only in ticks of that phase.
 *
 * A host ticks each phase where it likes; the usual place is after its own work of that kind, so
 * that flows see what it did. The numbers from FLOW_PHASE_HOST up are for phases of its own, 16 in
 * all: before its work of a kind, between its physics and its animation, and so on.
 *
 *     enum { BEFORE_FIXED = FLOW_PHASE_HOST, BEFORE_UPDATE };
 *     flow_world_desc desc = {.host_phases = {{"before fixed", .fixed = 1}, {"before update"}}};
 *
 *     for each step:
 *         flow_world_tick(world, (flow_phase)BEFORE_FIXED, step);
 *         ... physics ...
 *         flow_world_tick(world, FLOW_FIXED, step);
 *     flow_world_tick(world, (flow_phase)BEFORE_UPDATE, dt);
 *     ... the host's own update ...
 *     flow_world_tick(world, FLOW_UPDATE, dt);
 *     ... draw, present ...
 *     flow_world_tick(world, FLOW_END_OF_FRAME, dt);
 */
#ifndef FLOW_PHASE_H
#define FLOW_PHASE_H

#include "flow/status.h"

FLOW_EXTERN_C_BEGIN_

typedef enum flow_phase {
    FLOW_INHERIT,         /* in options: the starter's phase */
    FLOW_EARLY,           /* after input was read */
    FLOW_FIXED,           /* 0..n times a frame: the simulation */
    FLOW_UPDATE,          /* once a frame: the default */
    FLOW_LATE,            /* after everything moved: cameras, HUD */
    FLOW_END_OF_FRAME,    /* after presenting */
    FLOW_PHASE_HOST,      /* first of the host's own */
    FLOW_PHASE_LIMIT = 17 /* phases are 1 .. FLOW_PHASE_LIMIT - 1 */
} flow_phase;

enum { FLOW_HOST_PHASES = FLOW_PHASE_LIMIT - FLOW_PHASE_HOST };

/* What a phase of the host's own is; all zero: "host 6" and so on, as long as a frame. */
typedef struct flow_phase_desc {
    const char *name; /* for dumps; borrowed while the world lives; null: its number */
    int fixed; /* its time goes as that of FLOW_FIXED: ticked with each step, all clocks by it */
} flow_phase_desc;

/* What it is called where no world gives it a name: "early", "fixed", "update", "late", "end",
 * "host 6" ... ; static text, never null. */
const char *flow_phase_name(flow_phase phase);

FLOW_EXTERN_C_END_

#endif
