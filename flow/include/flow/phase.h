/* SPDX-License-Identifier: MIT */
/*
 * Phases: the named places of the host's frame where flows go on.
 *
 * A flow has a home phase, inherited from its starter (FLOW_UPDATE for a root unless its options
 * say otherwise); its code runs only in ticks of that phase. A host may use the numbers from
 * FLOW_PHASE_HOST up for phases of its own.
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
    FLOW_PHASE_LIMIT = 16 /* phases are 1 .. FLOW_PHASE_LIMIT - 1 */
} flow_phase;

/* "early", "fixed", "update", "late", "end", "host 6" ... ; static text, never null. */
const char *flow_phase_name(flow_phase phase);

FLOW_EXTERN_C_END_

#endif
