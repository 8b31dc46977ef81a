/* SPDX-License-Identifier: MIT */
/*
 * A tween: a value on its way, once a frame, on the flow's own clock.
 */
#include "game.h"

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
