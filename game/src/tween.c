/* SPDX-License-Identifier: MIT */
/*
 * Tweens and easing curves.
 */
#include "game.h"

float ease_out_cubic(float t)
{
    float left = 1.0F - t;
    return 1.0F - left * left * left;
}

float ease_in_out(float t)
{
    return t * t * (3.0F - 2.0F * t);
}

float ease_out_back(float t)
{
    float left = t - 1.0F;
    return 1.0F + 2.70158F * left * left * left + 1.70158F * left * left;
}

static void set_value(struct tween *tween)
{
    float t = tween->at / tween->seconds;
    t = tween->ease != NULL ? tween->ease(t) : t;
    *tween->value = tween->from + (tween->to - tween->from) * t;
}

FLOW_DEFINE(tween)
{
    FLOW_BEGIN;
    self->from = *self->value;
    while (self->at < self->seconds) {
        set_value(self);
        FLOW_AWAIT(flow_next_frame());
        self->at += (float)flow_dt(flow);
    }
    *self->value = self->to;
    FLOW_END;
}
