/* SPDX-License-Identifier: MIT */
/*
 * Polling: waiting for what cannot tell that it has changed. Where it can, a signal or a property
 * (property.h) costs nothing while nothing happens, and misses no change.
 *
 * These are flow functions: FLOW_AWAIT(FLOW_CALL(flow_until_every, ...)), and in a race or with
 * FLOW_ON_CLOCK like any other. World's thread only.
 */
#ifndef FLOW_POLL_H
#define FLOW_POLL_H

#include "flow/interval.h"
#include "flow/scope.h"

FLOW_EXTERN_C_BEGIN_

/* Until test(arg) is not 0, asked at once and then every so many seconds of the flow's clock, on a
 * grid (interval.h): for conditions that cost more than a look, and need no answer in the same
 * tick. arg is borrowed. `beat_` is its own. */
struct flow_until_every {
    flow_frame base;
    flow_predicate test;
    void *arg;
    double seconds; /* at least 1e-9, else it fails as MISUSE */
    flow_interval beat_;
};
FLOW_DECLARE(flow_until_every);

/* Until *value differs from *seen, compared byte by byte, at once and in each tick; then *seen is
 * the new one. Set *seen first: so a loop over this sees every value that is there when a tick
 * compares, and none twice. Both are of `size` bytes and live until the wait ends; see
 * FLOW_VALUE_CHANGED. */
struct flow_value_changed {
    flow_frame base;
    const void *value;
    void *seen;
    size_t size;
};
FLOW_DECLARE(flow_value_changed);

FLOW_EXTERN_C_END_

#ifndef __cplusplus

/* The call for pointers to two objects of one type:
 *     FLOW_AWAIT(FLOW_VALUE_CHANGED(&enemy->health, &self->health)); */
#define FLOW_VALUE_CHANGED(value_, seen_)                                                          \
    FLOW_CALL(flow_value_changed, .value = 1 ? (value_) : (seen_), .seen = (seen_),                \
              .size = sizeof *(value_))

#endif /* !__cplusplus */

#endif
