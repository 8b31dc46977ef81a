/* SPDX-License-Identifier: MIT */
/* What is asked from time to time, or in each tick. */
#include "private.h"

FLOW_DEFINE(flow_until_every)
{
    FLOW_BEGIN;
    if (flow_interval_begin(flow, &self->beat_, self->seconds, FLOW_CLOCK_INHERIT) != FLOW_OK) {
        FLOW_FAIL(FLOW_MISUSE, "flow_until_every: the interval is less than 1e-9 s");
    }
    while (self->test(self->arg) == 0) {
        FLOW_AWAIT(flow_interval_next(&self->beat_, NULL));
    }
    FLOW_END;
}

static int differs(void *arg)
{
    const struct flow_value_changed *pair = arg;
    return memcmp(pair->value, pair->seen, pair->size) != 0;
}

FLOW_DEFINE(flow_value_changed)
{
    FLOW_BEGIN;
    FLOW_AWAIT(flow_until(differs, self));
    memcpy(self->seen, self->value, self->size);
    FLOW_END;
}
