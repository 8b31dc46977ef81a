/* SPDX-License-Identifier: MIT */
/* Tweens. */
#include "private.h"

#include <math.h>

static const char no_tween[] = "flow_tween: no apply, or NaN for a time";

/* The part of the time that has passed; 1 and more: it is over. */
static double progress(const flow_task *flow, const struct flow_tween *tween)
{
    double passed = (double)(flow_now_ns(flow) - tween->began_) * 1e-9;
    return passed >= tween->seconds ? 1.0 : passed / tween->seconds;
}

static double eased(const struct flow_tween *tween, double t)
{
    return tween->ease != NULL ? tween->ease(t) : t;
}

FLOW_DEFINE(flow_tween)
{
    double t;
    FLOW_BEGIN;
    if (isnan(self->seconds) || self->apply == NULL) {
        (void)flow__misuse(flow__world_of(flow), flow, no_tween);
        FLOW_FAIL(FLOW_MISUSE, no_tween);
    }
    self->began_ = flow_now_ns(flow);
    self->apply(self->arg, 0.0);
    for (;;) {
        FLOW_AWAIT(flow_next_tick());
        t = progress(flow, self);
        if (t >= 1.0) {
            break;
        }
        self->apply(self->arg, eased(self, t));
    }
    self->apply(self->arg, 1.0);
    FLOW_END;
}

/* ---- easings ---- */

double flow_ease_in_quad(double t)
{
    return t * t;
}

double flow_ease_out_quad(double t)
{
    return t * (2.0 - t);
}

double flow_ease_in_out_quad(double t)
{
    return t < 0.5 ? 2.0 * t * t : 1.0 - 2.0 * (1.0 - t) * (1.0 - t);
}

double flow_ease_in_cubic(double t)
{
    return t * t * t;
}

double flow_ease_out_cubic(double t)
{
    return 1.0 - flow_ease_in_cubic(1.0 - t);
}

double flow_ease_in_out_cubic(double t)
{
    return t < 0.5 ? 4.0 * flow_ease_in_cubic(t) : 1.0 - 4.0 * flow_ease_in_cubic(1.0 - t);
}

double flow_ease_smooth(double t)
{
    return t * t * (3.0 - 2.0 * t);
}

double flow_ease_in_back(double t)
{
    const double overshoot = 1.70158; /* a tenth of the way */
    return t * t * ((overshoot + 1.0) * t - overshoot);
}

double flow_ease_out_back(double t)
{
    return 1.0 - flow_ease_in_back(1.0 - t);
}

/* Four parabolas, each a quarter as high as the one before. */
double flow_ease_out_bounce(double t)
{
    static const double ends[] = {1.0, 2.0, 2.5, 2.75}; /* in parts of 2.75 */
    static const double middles[] = {0.0, 1.5, 2.25, 2.625};
    static const double floors[] = {0.0, 0.75, 0.9375, 0.984375};
    int i = 0;
    while (i < 3 && t * 2.75 >= ends[i]) {
        i++;
    }
    double x = t - middles[i] / 2.75;
    return 2.75 * 2.75 * x * x + floors[i];
}
