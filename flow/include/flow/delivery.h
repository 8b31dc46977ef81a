/* SPDX-License-Identifier: MIT */
/*
 * Deliveries: emit a value and wait until all receivers have finished with it.
 *
 *     self->ask = (struct ask){.door = door};                       the emitter
 *     FLOW_AWAIT(flow_emit_wait(&door->opening, &self->ask));
 *     if (!self->ask.refused) ...                                   what the receivers left of it
 *
 *     FLOW_AWAIT(flow_next(&door->opening, NULL));                  a receiver
 *     if (flow_payload(flow, &door->opening, &self->ask))           struct ask *ask;
 *         self->ask->refused = 1;
 *     FLOW_AWAIT(FLOW_CALL(say, .text = "Halt!"));                  the emitter waits for this too
 *
 * Receivers are the flows that wait when it is emitted, as with flow_emit. The function that waited
 * has finished with the value when it waits for the signal again, says so with flow_finish, or
 * ends, in whatever way. Not waited for: subscriptions, which get a copy; the emitting function
 * itself; and a flow that awaits the emitter's end. World's thread only.
 */
#ifndef FLOW_DELIVERY_H
#define FLOW_DELIVERY_H

#include "flow/signal.h"

FLOW_EXTERN_C_BEGIN_

/* Emits *value when it is awaited, and is done when all receivers have finished with it: at once
 * where nobody waits. Then *value, which must live until then, is the payload as they left it;
 * value may be null. Where the wait ends early, by cancellation or because it lost, *value stays as
 * it was, and receivers may use the payload as before. Fails as CLOSED on a closed signal, as NOMEM
 * before anybody has received anything; takes 64 bytes per receiver and the payload. A receiver
 * that never finishes keeps it waiting: put it into a timeout. */
#define flow_emit_wait(s, ...) flow_emit_wait_(FLOW_TYPED_(s, (__VA_ARGS__), signal), (__VA_ARGS__))

/* The payload that the running function has received through the signal s and not finished with.
 * out is a T **: 1, and *out points to what all its receivers share, aligned to 16 bytes and valid
 * until the function has finished with it; or 0, and *out is null, where the value came without one
 * (from flow_emit, or flow_emit_wait with null). Of several the latest. O(deferred cleanups). */
#define flow_payload(flow, s, out)                                                                 \
    flow_payload_((flow), FLOW_TYPED_(s, *(out), signal), (void *)(out))

/* The running function has finished with what it received through the signal s. O(deferred
 * cleanups). */
#define flow_finish(flow, s) flow_finish_((flow), &(s)->signal)

int flow_payload_(flow_task *flow, const flow_signal *signal, void *out);
void flow_finish_(flow_task *flow, const flow_signal *signal);

FLOW_NODISCARD_ FLOW_INLINE_ flow_wait flow_emit_wait_(flow_signal *signal, void *value)
{
    return flow_wait_of_(FLOW_WAIT_SIGNAL_, FLOW_NEXT_EMIT_, signal, value);
}

FLOW_EXTERN_C_END_

#endif
