/* SPDX-License-Identifier: MIT */
/*
 * Time: one sample of the clock per frame becomes a clamped dt and a whole number of fixed steps.
 *
 * All sums are integer nanoseconds and always balance, exactly:
 *
 *     steps * fixed_ns + accumulator_ns + clamped_ns + skipped_ns + hidden_ns + scaled_ns ==
 * real_ns
 *
 * where scaled_ns is the real time that a time scale other than 1 took away (negative where it
 * added). A host that only shows one number shows engine_clock_dropped.
 *
 * The clock is arithmetic alone: it reads no time itself, allocates nothing, and any thread may use
 * its own. An engine has one inside (engine_time, loop.h); it is public so that a host with its own
 * loop can use it.
 */
#ifndef ENGINE_CLOCK_H
#define ENGINE_CLOCK_H

#include "engine/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The largest time scale; beyond it engine_clock_set_scale refuses. */
#define ENGINE_TIME_SCALE_MAX 100.0

/* How a clock behaves. All values in nanoseconds must be from 1 ns to 10 s. */
struct engine_clock_desc {
    int64_t fixed_ns; /* the length of one fixed step, ns */
    int64_t clamp_ns; /* the longest dt that one frame may have, ns */
    int max_steps;    /* the most fixed steps that one frame runs, 1 or more */
};

/* A clock's state. Read what you like; write only through the functions below. */
struct engine_clock {
    struct engine_clock_desc desc; /* as given */
    int64_t last_ns;               /* the last sample taken in, ns */
    int64_t real_dt_ns;            /* this frame's real time, not clamped, 0 or more, ns */
    int64_t dt_ns;                 /* this frame's clamped time, 0 while hidden, ns */
    int64_t
        dropped_dt_ns; /* this frame's real time that no one sees (clamped, skipped, hidden), ns */
    int64_t left_ns;   /* what of dt_ns is not yet turned into steps, ns */
    int64_t accumulator_ns; /* game time gathered for the next step, less than fixed_ns between
                               frames, ns */
    int64_t fraction;       /* remainder of scaling, in 2^-24 ns */
    int64_t scale;          /* the time scale in 2^-24 */
    int frame_steps;        /* fixed steps run in this frame */
    int frame_skipped;      /* fixed steps dropped in this frame */
    int64_t real_ns;        /* sum of real_dt_ns, ns */
    int64_t clamped_ns;     /* dropped since a frame was longer than clamp_ns, ns */
    int64_t skipped_ns;     /* dropped since a frame needed more than max_steps, ns of game time */
    int64_t hidden_ns;      /* passed while the window was hidden, ns */
    int64_t scaled_ns;      /* taken away by the time scale (negative: added), ns */
    int64_t steps;          /* fixed steps run */
    int64_t steps_skipped;  /* fixed steps dropped: skipped_ns / fixed_ns */
    int64_t anomalies;      /* samples that lay before the one before them */
};

/* Prepares `clock` with scale 1 at the sample `now_ns`. Returns false and leaves the clock alone
 * where a value of `desc` is out of its range (a fixed step of 0 or less above all) or a pointer is
 * null. */
bool engine_clock_init(struct engine_clock *clock, int64_t now_ns,
                       const struct engine_clock_desc *desc);

/* Begins a frame at the sample `now_ns` (ns, any origin). A sample before the last one gives a dt
 * of 0 and counts as one anomaly; time goes on from the new sample. While `hidden`, dt is 0 and the
 * real time counts as hidden. */
void engine_clock_begin_frame(struct engine_clock *clock, int64_t now_ns, bool hidden);

/* Takes the next fixed step of this frame, if one is due: call it until it returns false, which
 * closes the frame's accounts (what would need more than max_steps is dropped and counted). The
 * scale is read anew at each call; at scale 0 nothing is due. */
bool engine_clock_step(struct engine_clock *clock);

/* Sets how much game time a second of dt is worth, from the next call of engine_clock_step on: 0
 * stops the steps, 1 is normal, at most ENGINE_TIME_SCALE_MAX. The step itself never changes its
 * length. Returns false, and changes nothing, for a negative, NaN or too large scale. Kept in steps
 * of 2^-24. */
bool engine_clock_set_scale(struct engine_clock *clock, double scale);

/* How far the time has got from the last fixed step towards the next one, from 0 to below 1; valid
 * after the steps. */
double engine_clock_alpha(const struct engine_clock *clock);

/* All real time that was dropped so far, ns: clamped, skipped and hidden. */
int64_t engine_clock_dropped(const struct engine_clock *clock);

#ifdef __cplusplus
}
#endif

#endif
