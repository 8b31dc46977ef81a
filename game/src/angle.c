/* SPDX-License-Identifier: MIT */
/*
 * Polynomials of plain float operations: with contraction off, IEEE arithmetic leaves no choice.
 */
#include "angle.h"

#include <math.h>

static const float turn = 6.28318530718F;

/* Sine over a quarter turn, t from 0 to 1: an odd polynomial, exact at both ends to a float's
 * precision. */
static float quarter_sin(float t)
{
    float t2 = t * t;
    return t * (1.57079632F - t2 * (0.64592098F - t2 * (0.07948766F - t2 * 0.00436248F)));
}

float angle_sin(angle a)
{
    uint32_t place = a & 16383u;
    uint32_t quarter = a >> 14;
    float t = (float)((quarter & 1u) != 0 ? 16384u - place : place) * (1.0F / 16384.0F);
    float s = quarter_sin(t);
    return (quarter & 2u) != 0 ? -s : s;
}

float angle_cos(angle a)
{
    return angle_sin((angle)(a + ANGLE_QUARTER));
}

/* The angle whose tangent is t, from 0 to 1, in units of a full turn / 65,536. */
static float eighth_of(float t)
{
    float t2 = t * t;
    float p =
        0.9998660F + t2 * (-0.3302995F + t2 * (0.1801410F + t2 * (-0.0851330F + t2 * 0.0208351F)));
    return t * p * (65536.0F / turn);
}

angle angle_of(struct engine_vec2 v)
{
    float x = fabsf(v.x);
    float y = fabsf(v.y);
    if (x + y <= 0.0F) {
        return 0;
    }
    int a = y <= x ? (int)eighth_of(y / x) : 16384 - (int)eighth_of(x / y);
    if (v.x < 0.0F) {
        a = 32768 - a;
    }
    if (v.y < 0.0F) {
        a = -a;
    }
    return (angle)((unsigned)a & 65535u);
}

angle angle_towards(angle from, angle to, int step)
{
    int difference = (int)((unsigned)(to - from) & 65535u);
    if (difference > 32767) {
        difference -= 65536;
    }
    if (difference > step) {
        difference = step;
    } else if (difference < -step) {
        difference = -step;
    }
    return (angle)((unsigned)(from + difference) & 65535u);
}

float angle_radians(angle a)
{
    return (float)a * (turn / 65536.0F);
}

struct engine_vec2 angle_vector(angle a, float length)
{
    return vec(angle_cos(a) * length, angle_sin(a) * length);
}

struct engine_vec2 vec(float x, float y)
{
    struct engine_vec2 v = {x, y};
    return v;
}

struct engine_vec2 vec_add(struct engine_vec2 a, struct engine_vec2 b)
{
    return vec(a.x + b.x, a.y + b.y);
}

struct engine_vec2 vec_sub(struct engine_vec2 a, struct engine_vec2 b)
{
    return vec(a.x - b.x, a.y - b.y);
}

struct engine_vec2 vec_scale(struct engine_vec2 v, float by)
{
    return vec(v.x * by, v.y * by);
}

float vec_length(struct engine_vec2 v)
{
    return sqrtf(v.x * v.x + v.y * v.y);
}

float vec_apart2(struct engine_vec2 a, struct engine_vec2 b)
{
    float x = a.x - b.x;
    float y = a.y - b.y;
    return x * x + y * y;
}

struct engine_vec2 vec_mix(struct engine_vec2 from, struct engine_vec2 to, float t)
{
    return vec(from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t);
}

float clampf(float value, float low, float high)
{
    return value < low ? low : value > high ? high : value;
}
