/* SPDX-License-Identifier: MIT */
/* Clocks, and lanes: what waits in one phase on one clock. A part of private.h, which includes it
 * in its place. */
#ifndef FLOW_LANE_H
#define FLOW_LANE_H

/* ---- clocks and lanes (clock.c) ---- */

typedef struct flow_node flow_node;

/* What waits in one phase on one clock. */
typedef struct flow_lane {
    flow_queue ticks;                    /* next tick */
    flow_queue frames;                   /* next frame */
    flow_queue held;                     /* resumes that a pause holds back */
    flow_heap timers;                    /* due: nanoseconds of this clock in this phase */
    flow_heap later_ticks;               /* due: tick count */
    flow_heap later_frames;              /* due: frame count */
    flow_node *until_first, *until_last; /* predicates */
    flow_node *until_next;               /* the running pass goes on here */
} flow_lane;

typedef struct flow_result flow_result;

typedef struct flow_time {
    int64_t now;      /* ns */
    double remainder; /* ns not yet counted, -0.5 .. 0.5 */
    int64_t step;     /* what the last tick added, ns */
    uint64_t ticks;
} flow_time;

typedef struct flow_clock_state {
    const char *name;
    double scale;
    uint16_t index;
    uint16_t parent;
    uint16_t generation;
    bool used;       /* or free for the next clock */
    bool ended;      /* destroyed, but something still waits on it */
    bool counts;     /* it was not paused when this tick began */
    bool closes;     /* it had ended when this tick began: its waits fail in it */
    uint32_t pauses; /* its own */
    uint32_t paused; /* its own and its ancestors' */
    flow_time time[FLOW_PHASE_LIMIT];
} flow_clock_state;

flow_lane *flow__lane_made(flow_world *world, uint32_t clock, uint32_t phase);
flow_clock_state *flow__clock(const flow_world *world, flow_clock clock);
bool flow__clocks_init(flow_world *world);
void flow__clocks_advance(flow_world *world, flow_phase phase, double dt);
double flow__tick_dt(flow_world *world, double dt);
void flow__clocks_reap(flow_world *world);
bool flow__phase_lane_made(flow_world *world, uint16_t own, const flow_wait *wait);
bool flow__clock_lend(flow_world *world, flow_task *flow, const flow_wait *wait,
                      flow_result *result);
void flow__clock_take_back(const flow_world *world, flow_task *flow, uint16_t own);

#endif
