/* SPDX-License-Identifier: MIT */
/*
 * Clocks: what a flow's time is.
 *
 * Clocks form a tree: a child's time is its parent's, scaled, and stands still while it or an
 * ancestor is paused. Every world has three: `real` (unclamped, advanced in begin_frame),
 * `unscaled` (the host's clamped dt, never paused or scaled) and `game` (a child of `unscaled`, the
 * default clock of flows). Time is kept per clock and phase, in integer nanoseconds with the
 * remainder carried: 30 days lose nothing.
 *
 * Pause is counted: each pause needs its release. A paused clock counts no ticks, polls no
 * predicates and holds the resumes of flows that live on it, whatever clock their wait counts on;
 * released, they run first, in their old order. Scale 0 also stops time, but ticks still count.
 * World's thread only. Reading is O(depth of the tree);
 * create, pause and release are O(clocks), destroy is O(clocks + flows).
 */
#ifndef FLOW_CLOCK_H
#define FLOW_CLOCK_H

#include "flow/world.h"

FLOW_EXTERN_C_BEGIN_

/* Names a clock of a world. Of one that ended it is recognised for 65,536 reuses of its slot. */
typedef uint32_t flow_clock;

#define FLOW_CLOCK_INHERIT ((flow_clock)0) /* in options: the starter's clock */
#define FLOW_CLOCK_REAL ((flow_clock)1)
#define FLOW_CLOCK_UNSCALED ((flow_clock)2)
#define FLOW_CLOCK_GAME ((flow_clock)3)

/* Makes a clock under parent (0: `game`) at scale 1; name is borrowed. Its time starts at 0 in
 * every phase. Returns FLOW_CLOCK_INHERIT when there is no memory, parent is no clock, or there are
 * 65,535 already. */
FLOW_NODISCARD_ flow_clock flow_clock_create(flow_world *world, flow_clock parent,
                                             const char *name);

/* Ends a clock made with flow_clock_create; its children go under its parent. Waits on it fail as
 * CLOSED at the next tick of their phase, flows at home on it move to its parent. OK, STALE, or
 * MISUSE for one of the three that always exist. Takes no memory. O(flows of the world). */
flow_status flow_clock_destroy(flow_world *world, flow_clock clock);

/* Counts a pause, or takes one back. OK, STALE, or MISUSE: `real` and `unscaled` are never paused,
 * and a release needs a pause. */
flow_status flow_clock_pause(flow_world *world, flow_clock clock);
flow_status flow_clock_release(flow_world *world, flow_clock clock);

/* How many pauses a clock itself counts; whether it or an ancestor is paused. */
uint32_t flow_clock_pauses(const flow_world *world, flow_clock clock);
int flow_clock_is_paused(const flow_world *world, flow_clock clock);

/* Sets the scale, finite and >= 0, in effect from the next tick. OK, STALE, or MISUSE with a
 * warning and no change. */
flow_status flow_clock_set_scale(flow_world *world, flow_clock clock, double scale);

/* Its own scale; and the product down the tree, 0 while paused: what a host's fixed step is driven
 * by. */
double flow_clock_scale(const flow_world *world, flow_clock clock);
double flow_clock_effective_scale(const flow_world *world, flow_clock clock);

/* Time of a clock in a phase as of that phase's last tick, in seconds and in nanoseconds; 0 for a
 * clock that ended. */
double flow_clock_now(const flow_world *world, flow_clock clock, flow_phase phase);
int64_t flow_clock_now_ns(const flow_world *world, flow_clock clock, flow_phase phase);

/* Of the running flow: its clock's time in its phase, in seconds and nanoseconds; what the last
 * tick added, in seconds; ticks of its phase that its clock counted. O(1). */
double flow_now(const flow_task *flow);
int64_t flow_now_ns(const flow_task *flow);
double flow_dt(const flow_task *flow);
uint64_t flow_tick_count(const flow_task *flow);

/* How late the flow's last timer wait ended, in seconds: 0 when it was met exactly, never negative.
 * Subtract it from the next wait and a
 * loop keeps its pace. At most 4.29 s: beyond a hitch of that
 * length the loop's grid moves. */
double flow_lateness(const flow_task *flow);

FLOW_EXTERN_C_END_

#endif
