/* SPDX-License-Identifier: MIT */
/*
 * Angles as whole numbers, and vectors, for the simulation: the same bits with every compiler.
 *
 * 65,536 is a full turn; 0 looks right, a quarter looks down, as on the screen. No function of the
 * maths library takes part but sqrtf, which is exact.
 */
#ifndef EMBERLINE_ANGLE_H
#define EMBERLINE_ANGLE_H

#include <stdint.h>

#include "engine/types.h"

/* An angle; it wraps by itself. */
typedef uint16_t angle;

#define ANGLE_QUARTER ((angle)16384)
#define ANGLE_HALF ((angle)32768)

/* Sine and cosine, at most 0.0002 wrong. */
float angle_sin(angle a);
float angle_cos(angle a);

/* The direction of a vector, at most a hundredth of a degree wrong; 0 for the null vector. */
angle angle_of(struct engine_vec2 v);

/* `from` turned towards `to` by at most `step`. */
angle angle_towards(angle from, angle to, int step);

/* The same as radians, for drawing. */
float angle_radians(angle a);

/* A vector of this direction and length. */
struct engine_vec2 angle_vector(angle a, float length);

struct engine_vec2 vec(float x, float y);
struct engine_vec2 vec_add(struct engine_vec2 a, struct engine_vec2 b);
struct engine_vec2 vec_sub(struct engine_vec2 a, struct engine_vec2 b);
struct engine_vec2 vec_scale(struct engine_vec2 v, float by);
float vec_length(struct engine_vec2 v);

/* The square of the distance of two points. */
float vec_apart2(struct engine_vec2 a, struct engine_vec2 b);

/* The point `t` of the way from one to the other. */
struct engine_vec2 vec_mix(struct engine_vec2 from, struct engine_vec2 to, float t);

float clampf(float value, float low, float high);

#endif
