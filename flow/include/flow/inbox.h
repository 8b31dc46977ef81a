/* SPDX-License-Identifier: MIT */
/*
 * The inbox: how other threads reach a world.
 *
 * Any thread may post a call, emit or close a signal, set a property or cancel a flow; it takes
 * effect on the world's thread, in flow_world_begin_frame. That takes in what has been sent until
 * then: what arrives meanwhile, from posted calls too, waits for the next frame. What one thread
 * sends is done in the order in which it sent it. While a thread is in the middle of sending, what
 * others sent after it may wait for one more frame.
 *
 * Sending takes no memory and no lock: the places are made with the world. A full inbox refuses,
 * the sender learns it at once, and the world counts it and warns once. No thread may send to a
 * world after flow_world_destroy has returned OK; from its beginning it refuses with CLOSED.
 */
#ifndef FLOW_INBOX_H
#define FLOW_INBOX_H

#include "flow/property.h"

FLOW_EXTERN_C_BEGIN_

/* A posted call. Runs on the world's thread inside begin_frame, where tick, flush and destroy are
 * refused; it may start, emit, cancel and post. */
typedef void (*flow_post_fn)(flow_world *world, void *arg);

/* Calls fn(world, arg) in the next begin_frame. OK: taken. FULL, or CLOSED while the world is being
 * destroyed: refused, and arg is still the caller's. Any thread. O(1), no memory. */
FLOW_NODISCARD_ flow_status flow_post(flow_world *world, flow_post_fn fn, void *arg);

/* The same; when the world is destroyed before the call's turn, dropped(arg) is called instead, on
 * the world's thread, so that what arg owns can be given back. */
FLOW_NODISCARD_ flow_status flow_post_or(flow_world *world, flow_post_fn fn, void *arg,
                                         void (*dropped)(void *arg));

/* flow_emit from any thread: the value is copied now (null: the receivers' are left as they are).
 * A signal that has ended by then is left alone. The signal's own struct must not change meanwhile.
 * OK, FULL, CLOSED; MISUSE for a value larger than a quarter of the inbox. */
#define flow_emit_any_thread(s, ...)                                                               \
    flow_send_(FLOW_TYPED_(s, (__VA_ARGS__), signal), FLOW_SEND_EMIT_, (__VA_ARGS__))

/* Closes a signal or a channel from any thread. OK, FULL, CLOSED. */
#define flow_close_any_thread(s) flow_send_(&(s)->source_, FLOW_SEND_CLOSE_, 0)

/* flow_property_set from any thread; as for flow_emit_any_thread. */
#define flow_property_set_any_thread(p, ...)                                                       \
    flow_send_(FLOW_TYPED_(p, (__VA_ARGS__), property), FLOW_SEND_SET_, (__VA_ARGS__))

/* flow_cancel from any thread. OK: it will be, if it lives then; FULL, CLOSED. */
FLOW_NODISCARD_ flow_status flow_cancel_any_thread(flow_world *world, flow_handle flow);

/* What an inbox has done. */
typedef struct flow_inbox_counters {
    uint32_t capacity; /* in places of 32 bytes: a call, or a value of up to 16 bytes */
    uint32_t waiting;  /* places in use now */
    uint64_t taken;    /* calls, emits and their like that took effect */
    uint64_t refused;  /* because it was full */
    uint64_t dropped;  /* by flow_world_destroy, which warns of it while the world is still there */
} flow_inbox_counters;

/* World's thread. */
flow_inbox_counters flow_world_inbox(const flow_world *world);

/* Makes the calling thread the world's: for a world that is created on one thread and lives on
 * another, which must see what the first one did. A call from any other thread, where it is not
 * said to be allowed, is misuse and refused where that is checked: by everything that ticks,
 * starts, cancels, emits and sets. */
void flow_world_adopt(flow_world *world);

typedef enum flow_send_kind_ {
    FLOW_SEND_EMIT_,
    FLOW_SEND_CLOSE_,
    FLOW_SEND_SET_,
    FLOW_SEND_CANCEL_,
    FLOW_SEND_VALUE_
} flow_send_kind_;
FLOW_NODISCARD_ flow_status flow_send_(const flow_source *source, flow_send_kind_ kind,
                                       const void *value);

FLOW_EXTERN_C_END_

#endif
