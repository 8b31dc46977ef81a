/* SPDX-License-Identifier: MIT */
/*
 * Once: a value that is set one time and read by any number of flows, before and after.
 *
 *     FLOW_ONCE(struct level) loaded;               a member of the host's struct
 *     flow_once_init(&game->loaded, world);
 *     flow_once_set(&game->loaded, &level);         from the world's thread, in or outside flows
 *     FLOW_AWAIT(flow_once_wait(&game->loaded, &self->level));
 *
 * Where a signal is an edge, this is a fact: a wait begun later completes at once. It may become a
 * failure instead; then every wait fails with it. Waits that are on when it is set are queued in
 * the order in which they began. A struct that embeds one may be moved or copied; value and waiters
 * live in the world. World's thread only.
 */
#ifndef FLOW_ONCE_H
#define FLOW_ONCE_H

#include "flow/signal.h"

FLOW_EXTERN_C_BEGIN_

/* A once of no particular type: what every FLOW_ONCE(T) begins with. All zero: not made yet. */
typedef flow_source flow_once;

/* A once that holds a value of type T (an object type; flow_nothing for none). */
#define FLOW_ONCE(T)                                                                               \
    union {                                                                                        \
        flow_once once;                                                                            \
        T *type_;                                                                                  \
    }

/* Makes one in a world, with memory for its value. OK, or NOMEM: then it is an ended one, and
 * whoever awaits it fails. */
#define flow_once_init(o, world) flow_once_init_(&(o)->once, (world), (uint32_t)sizeof(*(o)->type_))

/* Ends one: its waits end as CLOSED, and so do later ones, until it is made anew by flow_once_init.
 * One that was never made is left alone. */
#define flow_once_fini(o) flow_once_fini_(&(o)->once)

/* Sets it to *value, which is copied (null: all zero): the present waits complete and every later
 * one does at once. 1, or 0 when it was set, failed or ended before: then nothing changes. Takes no
 * memory. O(waits). */
#define flow_once_set(o, ...) flow_once_set_(FLOW_TYPED_(o, (__VA_ARGS__), once), (__VA_ARGS__))

/* Makes it a failure: present and later waits fail with this code and message. code is a positive
 * one of the user's or a negative flow_status; message is static text or null. 1, or 0 as for
 * flow_once_set. */
#define flow_once_fail(o, code, message) flow_once_fail_(&(o)->once, (code), (message))

/* How it stands, without waiting: OK when set, with the value copied to *out (which may be null);
 * PENDING while it is not; its code when it failed; CLOSED when it has ended. O(1). */
#define flow_once_read(o, out) flow_once_read_(FLOW_TYPED_(o, out, once), (out))

/* Until it is set; the value is copied to *out (of its type; null where it does not matter; it must
 * live until the wait ends). Suspends unless it is set already. Fails as flow_once_fail said, or as
 * CLOSED when it is ended. */
#define flow_once_wait(o, out) flow_once_wait_(FLOW_TYPED_(o, out, once), (out))

flow_status flow_once_init_(flow_once *once, flow_world *world, uint32_t size);
void flow_once_fini_(flow_once *once);
int flow_once_set_(flow_once *once, const void *value);
int flow_once_fail_(flow_once *once, int code, const char *message);
int flow_once_read_(const flow_once *once, void *out);

FLOW_NODISCARD_ FLOW_INLINE_ flow_wait flow_once_wait_(flow_once *once, void *out)
{
    return flow_wait_of_(FLOW_WAIT_SIGNAL_, FLOW_NEXT_, once, out);
}

FLOW_EXTERN_C_END_

#endif
