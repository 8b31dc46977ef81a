/* SPDX-License-Identifier: MIT */
/*
 * Time as integers that balance.
 *
 * A frame's dt lies in left_ns and moves to the accumulator only as far as the next step needs, at
 * the scale that holds then: so a scale that changes between two steps counts from exactly there.
 * What a scale adds or takes away is booked in scaled_ns, and its fraction is carried, so that no
 * rounding is ever lost.
 */
#include "engine/clock.h"

enum { SCALE_BITS = 24 };

#define SCALE_ONE (INT64_C(1) << SCALE_BITS)
#define SPAN_MAX INT64_C(10000000000)

static bool span_is_valid(int64_t ns)
{
    return ns >= 1 && ns <= SPAN_MAX;
}

bool engine_clock_init(struct engine_clock *clock, int64_t now_ns,
                       const struct engine_clock_desc *desc)
{
    if (!clock || !desc || !span_is_valid(desc->fixed_ns) || !span_is_valid(desc->clamp_ns) ||
        desc->max_steps < 1) {
        return false;
    }
    *clock = (struct engine_clock){.desc = *desc, .last_ns = now_ns, .scale = SCALE_ONE};
    return true;
}

void engine_clock_begin_frame(struct engine_clock *clock, int64_t now_ns, bool hidden)
{
    int64_t real = now_ns - clock->last_ns;
    if (real < 0) {
        clock->anomalies++;
        real = 0;
    }
    clock->scaled_ns += clock->left_ns; /* of a host that did not finish its steps */
    clock->last_ns = now_ns;
    clock->real_dt_ns = real;
    clock->real_ns += real;
    clock->dt_ns = hidden ? 0 : (real < clock->desc.clamp_ns ? real : clock->desc.clamp_ns);
    clock->dropped_dt_ns = real - clock->dt_ns;
    if (hidden) {
        clock->hidden_ns += real;
    } else {
        clock->clamped_ns += clock->dropped_dt_ns;
    }
    clock->left_ns = clock->dt_ns;
    clock->frame_steps = 0;
    clock->frame_skipped = 0;
}

/* Turns `ns` of dt into game time. Split, since ns * scale may not fit in 64 bits. */
static void feed(struct engine_clock *clock, int64_t ns)
{
    int64_t high = ns / SCALE_ONE;
    int64_t low = ns % SCALE_ONE * clock->scale + clock->fraction;
    int64_t gained = high * clock->scale + low / SCALE_ONE;
    clock->fraction = low % SCALE_ONE;
    clock->left_ns -= ns;
    clock->accumulator_ns += gained;
    clock->scaled_ns += ns - gained;
}

/* Feeds what the next step still needs, or all there is. Returns whether the step is due. */
static bool gather(struct engine_clock *clock)
{
    int64_t missing = clock->desc.fixed_ns - clock->accumulator_ns;
    if (clock->scale == 0) {
        return false;
    }
    if (missing > 0) {
        int64_t need = (missing * SCALE_ONE - clock->fraction + clock->scale - 1) / clock->scale;
        feed(clock, need < clock->left_ns ? need : clock->left_ns);
    }
    return clock->accumulator_ns >= clock->desc.fixed_ns;
}

/* Closes the frame: what is left goes to the accumulator, and whole steps that nobody will run are
 * dropped. */
static void settle(struct engine_clock *clock)
{
    int64_t fixed = clock->desc.fixed_ns;
    int64_t skipped;
    if (clock->scale == 0) {
        clock->scaled_ns += clock->left_ns;
        clock->left_ns = 0;
        return;
    }
    feed(clock, clock->left_ns);
    skipped = clock->accumulator_ns / fixed;
    clock->accumulator_ns -= skipped * fixed;
    clock->skipped_ns += skipped * fixed;
    clock->dropped_dt_ns += skipped * fixed;
    clock->steps_skipped += skipped;
    clock->frame_skipped += (int)skipped;
}

bool engine_clock_step(struct engine_clock *clock)
{
    if (clock->frame_steps < clock->desc.max_steps && gather(clock)) {
        clock->accumulator_ns -= clock->desc.fixed_ns;
        clock->frame_steps++;
        clock->steps++;
        return true;
    }
    settle(clock);
    return false;
}

bool engine_clock_set_scale(struct engine_clock *clock, double scale)
{
    if (!(scale >= 0.0 && scale <= ENGINE_TIME_SCALE_MAX)) {
        return false;
    }
    clock->scale = (int64_t)(scale * (double)SCALE_ONE + 0.5);
    return true;
}

double engine_clock_alpha(const struct engine_clock *clock)
{
    return (double)clock->accumulator_ns / (double)clock->desc.fixed_ns;
}

int64_t engine_clock_dropped(const struct engine_clock *clock)
{
    return clock->clamped_ns + clock->skipped_ns + clock->hidden_ns;
}
