/* SPDX-License-Identifier: MIT */
/*
 * Tweens: a value that goes from 0 to 1 over a time, told once a tick.
 *
 *     FLOW_AWAIT(FLOW_CALL(flow_tween, .seconds = 0.3, .ease = flow_ease_out_cubic,
 *                          .apply = menu_fade, .arg = menu));
 *
 * A flow function like any other: race it with a click, put it on another clock with FLOW_ON_CLOCK
 * (a menu that moves while the game is paused), spawn it and go on. World's thread only.
 */
#ifndef FLOW_TWEEN_H
#define FLOW_TWEEN_H

#include "flow/scope.h"

FLOW_EXTERN_C_BEGIN_

/* From time to progress, 0 at 0 and 1 at 1; between them it may go below 0 and above 1. */
typedef double (*flow_easing)(double t);

/* Calls apply(arg, t) with exactly 0 at once, then in each tick that the flow's clock counts with
 * ease(part of the time that has passed), and with exactly 1 in the first tick that reaches the
 * end; then it is done. A time of 0 or less ends in the next tick. Cancelled, it stops where it is.
 * Fails as MISUSE without apply and when the time is not a number. */
struct flow_tween {
    flow_frame base;
    double seconds;
    flow_easing ease; /* null: linear */
    void (*apply)(void *arg, double t);
    void *arg; /* borrowed */
    int64_t began_;
};
FLOW_DECLARE(flow_tween);

/* The usual easings, without a call of the mathematics library, so that they give the same bits in
 * every build. Any other function of the user's does as well. `back` overshoots by a tenth. */
double flow_ease_in_quad(double t);
double flow_ease_out_quad(double t);
double flow_ease_in_out_quad(double t);
double flow_ease_in_cubic(double t);
double flow_ease_out_cubic(double t);
double flow_ease_in_out_cubic(double t);
double flow_ease_smooth(double t); /* 3t^2 - 2t^3: rest at both ends */
double flow_ease_in_back(double t);
double flow_ease_out_back(double t);
double flow_ease_out_bounce(double t);

FLOW_EXTERN_C_END_

#endif
