/* SPDX-License-Identifier: MIT */
/* Bridges: a signal and two deferred cleanups. */
#include "private.h"

static void finish(void *signal)
{
    flow_signal_fini_(signal);
}

flow_status flow_bridge_(flow_task *flow, flow_signal *signal, uint32_t size,
                         void (*unregister)(void *arg), void *arg)
{
    flow_status status = flow_signal_init_(signal, flow__world_of(flow), size);
    status = status == FLOW_OK ? flow_defer(flow, finish, signal) : status;
    status = status == FLOW_OK ? flow_defer(flow, unregister, arg) : status;
    if (status != FLOW_OK) {
        flow_signal_fini_(signal); /* once more with the scope does no harm */
    }
    return status;
}
