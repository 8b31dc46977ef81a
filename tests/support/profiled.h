/* SPDX-License-Identifier: MIT */
/*
 * A story under a profiler whose clock is the test's: time passes where the test spends it and
 * nowhere else, so that every figure is exact.
 */
#ifndef TESTS_PROFILED_H
#define TESTS_PROFILED_H

#include "story.h"

enum { PROFILED_LINES = 4096 };

struct profiled {
    struct story story;
    flow_profile *profile;
    int64_t now;                /* ns */
    char lines[PROFILED_LINES]; /* of the hitches told, each with a newline */
    int hitches;
    uint32_t merged;          /* frames of the last one */
    flow_profile_frame frame; /* its worst */
    double render_ms;         /* what the next frame spends in its zone "render" */
    double outside_ms;        /* and in none */
};

/* Begins a story with a profile that watches it and is on. desc may be null; its clock, callback,
 * user and allocator are replaced. */
void profiled_begin(struct profiled *p, const flow_profile_desc *desc);

/* The same in a world whose flows have so many seconds a frame before they are to yield. */
void profiled_begin_in(struct profiled *p, const flow_profile_desc *desc, double frame_budget);

/* Destroys the profile and ends the story. */
void profiled_end(struct profiled *p);

/* Lets time pass. */
void profiled_spend(struct profiled *p, double ms);

/* The same from inside a flow of the story. */
void profiled_burn(flow_task *flow, double ms);

/* One frame: begin_frame and a tick of FIXED and UPDATE of 16 ms, then the zone "render" and what
 * is left of 16 ms in the waiting zone "present". It ends with the next one. */
void profiled_frame(struct profiled *p);
void profiled_frames(struct profiled *p, int count);

/* The last frame that ended; the row of a kind and name in it, or null. */
const flow_profile_frame *profiled_last(const struct profiled *p);
const flow_profile_row *profiled_row(const flow_profile_frame *frame, flow_profile_kind kind,
                                     const char *name);

#endif
