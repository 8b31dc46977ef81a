/* SPDX-License-Identifier: MIT */
/*
 * A value on its way, once a frame, on the flow's own clock.
 */
#include "game.h"

static void set_value(void *arg, double t)
{
    struct tween *tween = arg;
    float part = tween->ease != NULL ? tween->ease((float)t) : (float)t;
    *tween->value = tween->from + (tween->to - tween->from) * part;
}

FLOW_DEFINE(tween)
{
    FLOW_BEGIN;
    self->from = *self->value;
    FLOW_AWAIT(FLOW_CALL(flow_tween, .seconds = self->seconds, .apply = set_value, .arg = self));
    FLOW_END;
}
