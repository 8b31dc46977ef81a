/* SPDX-License-Identifier: MIT */
/*
 * Polynomials, and for the elastic one a sine made of them: drawing must be the same everywhere.
 */
#include "engine/ease.h"

static float unit(float t)
{
    if (!(t > 0.0f)) {
        return 0.0f; /* NaN as well */
    }
    return t < 1.0f ? t : 1.0f;
}

float engine_ease_in_out(float t)
{
    t = unit(t);
    return t * t * (3.0f - 2.0f * t);
}

float engine_ease_in_cubic(float t)
{
    t = unit(t);
    return t * t * t;
}

float engine_ease_out_cubic(float t)
{
    float left = 1.0f - unit(t);
    return 1.0f - left * left * left;
}

float engine_ease_out_back(float t)
{
    float left = unit(t) - 1.0f;
    return 1.0f + 2.70158f * left * left * left + 1.70158f * left * left;
}

/* A wave of period 1: parabolas in place of a cosine, 1 at whole numbers, -1 halfway. */
static float wave(float t)
{
    float part = t - (float)(int)t;
    float from_half = part < 0.5f ? part : 1.0f - part; /* 0 to 0.5 and back */
    float side = 4.0f * from_half - 1.0f;               /* -1 to 1 */
    return -side * (1.5f - 0.5f * side * side);
}

float engine_ease_out_elastic(float t)
{
    float left;
    t = unit(t);
    left = 1.0f - t;
    return 1.0f - left * left * left * wave(3.0f * t);
}

float engine_tween_step(struct engine_tween *tween, float dt)
{
    float t;
    tween->at += dt > 0.0f ? dt : 0.0f;
    t = tween->seconds > 0.0f ? unit(tween->at / tween->seconds) : 1.0f;
    t = tween->ease ? tween->ease(t) : t;
    return tween->from + (tween->to - tween->from) * t;
}

bool engine_tween_done(const struct engine_tween *tween)
{
    return !(tween->at < tween->seconds);
}
