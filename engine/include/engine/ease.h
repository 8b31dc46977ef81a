/* SPDX-License-Identifier: MIT */
/*
 * Easing: curves from 0 to 1 for what moves on the display, and a value on its way along one.
 *
 * Every curve gives 0 for 0 and 1 for 1; `back` and `elastic` go beyond on the way. Values outside
 * 0 to 1 are clamped, NaN counts as 0. No function of the maths library takes part, so the same
 * numbers give the same picture with every compiler. Any thread.
 */
#ifndef ENGINE_EASE_H
#define ENGINE_EASE_H

#include "engine/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A curve; null is an even pace wherever one is asked for. */
typedef float engine_ease(float t);

/* Slow, fast, slow. */
float engine_ease_in_out(float t);

/* Slow at first. */
float engine_ease_in_cubic(float t);

/* Slow at last. */
float engine_ease_out_cubic(float t);

/* Beyond its end by a tenth, and back. */
float engine_ease_out_back(float t);

/* Swings around its end, three times, ever less. */
float engine_ease_out_elastic(float t);

/* A value on its way. Start from {0} and set from, to and seconds. */
struct engine_tween {
    float from;
    float to;
    float seconds;     /* how long it takes; 0 or less: it is there at once */
    engine_ease *ease; /* null: an even pace */
    float at;          /* seconds it has been on its way */
};

/* Moves a tween by `dt` seconds (less than 0 counts as 0) and returns where it is then. */
float engine_tween_step(struct engine_tween *tween, float dt);

/* Whether it is there. */
bool engine_tween_done(const struct engine_tween *tween);

#ifdef __cplusplus
}
#endif

#endif
