/* SPDX-License-Identifier: MIT */
/*
 * Bridges: awaiting what calls back.
 *
 *     static void on_click(void *user, int x, int y)
 *     {
 *         struct ask *self = user;
 *         flow_emit(&self->clicked, &(struct point){x, y});
 *     }
 *     ...
 *     flow_bridge(flow, &self->clicked, button_forget, self->button);
 *     button_on_click(self->button, on_click, self);
 *     FLOW_AWAIT(flow_next(&self->clicked, &self->at));
 *
 * The callback, of whatever kind, gives its arguments to a signal; the scope that awaits it owns
 * the registration, and undoes it however it ends.
 */
#ifndef FLOW_BRIDGE_H
#define FLOW_BRIDGE_H

#include "flow/scope.h"
#include "flow/signal.h"

FLOW_EXTERN_C_BEGIN_

/* Makes the signal in the running flow's world, and ends it with the running scope (the function
 * that calls): among its deferred cleanups, last in first out, unregister(arg) is called, and then
 * the signal is finished. The signal's struct lives as long as the scope, in its frame say.
 * Register the callback after this. One that may be called on another thread uses
 * flow_emit_any_thread, and its unregister returns when no call is under way any more. OK; NOMEM:
 * register nothing. */
#define flow_bridge(flow, s, unregister, arg)                                                      \
    flow_bridge_((flow), &(s)->signal, (uint32_t)sizeof(*(s)->type_), (unregister), (arg))

FLOW_NODISCARD_ flow_status flow_bridge_(flow_task *flow, flow_signal *signal, uint32_t size,
                                         void (*unregister)(void *arg), void *arg);

FLOW_EXTERN_C_END_

#endif
