/* SPDX-License-Identifier: MIT */
/*
 * Completions: a result that somebody will deliver, from whatever thread, and any number of flows
 * wait for.
 *
 *     FLOW_COMPLETION(struct reply) reply;             a member of a host's struct or of a frame
 *     flow_completion_init(&self->reply, world);
 *     ask_server(url, self->reply);                    a copy, which names the same completion
 *     FLOW_AWAIT(flow_completion_wait(&self->reply, &self->answer));
 *
 *     flow_completion_set(&copy, &reply);              later, from the thread where it is known
 *
 * A flow_once that other threads may set: the first set or failure counts, and says so at once; the
 * waits learn of it at once from the world's thread, else in the next begin_frame, behind what that
 * thread sent before (inbox.h). Setting takes no memory and is never refused for want of room. A
 * copy may outlive the completion itself: setting it then changes nothing. It must not outlive the
 * world: no thread may set one after flow_world_destroy has returned OK.
 */
#ifndef FLOW_COMPLETION_H
#define FLOW_COMPLETION_H

#include "flow/inbox.h"
#include "flow/once.h"

FLOW_EXTERN_C_BEGIN_

/* A completion of no particular type: what every FLOW_COMPLETION(T) begins with. All zero: not made
 * yet. Its members are flow's own business. */
typedef struct flow_completion {
    flow_source source_;
    void *cell_;
    uint32_t key_;
} flow_completion;

/* A completion that delivers a value of type T (an object type; flow_nothing for none). */
#define FLOW_COMPLETION(T)                                                                         \
    union {                                                                                        \
        flow_completion completion;                                                                \
        T *type_;                                                                                  \
    }

/* Makes one in a world, with memory for its value. OK, or NOMEM: then it is an ended one, and
 * whoever awaits it fails. World's thread. */
#define flow_completion_init(c, world)                                                             \
    flow_completion_init_(FLOW_COMPLETION_OF_(c), (world), 0, 0, 0)

/* The same for a single use: it ends by itself when its value has been received, by all who were
 * waiting or by the first who comes, so that nobody need end it. */
#define flow_completion_init_single(c, world)                                                      \
    flow_completion_init_(FLOW_COMPLETION_OF_(c), (world), 1, 0, 0)

/* The same, but nothing is done for it before somebody wants it: the first wait calls start(world,
 * arg), once, which sees to it that it is set; it may set it there and then. */
#define flow_completion_init_lazy(c, world, start, arg)                                            \
    flow_completion_init_(FLOW_COMPLETION_OF_(c), (world), 0, (start), (arg))

/* Ends one: its waits end as CLOSED, and so do later ones; setting it changes nothing from now on.
 * One that was never made is left alone. World's thread. */
#define flow_completion_fini(c) flow_completion_fini_(&(c)->completion)

/* Completes it with *value, which is copied now (null: all zero). 1; or 0 when it was set, failed
 * or ended before: then nothing changes. Any thread. O(1) and no memory; on the world's thread
 * O(waits). */
#define flow_completion_set(c, ...)                                                                \
    flow_completion_set_(FLOW_TYPED_(c, (__VA_ARGS__), completion), (__VA_ARGS__))

/* Makes it a failure: present and later waits fail with this code and message. code is a positive
 * one of the user's or a negative flow_status; message is static text or null. 1 or 0, and from any
 * thread, as above. */
#define flow_completion_fail(c, code, message)                                                     \
    flow_completion_fail_(&(c)->completion, (code), (message))

/* How it stands, without waiting: OK, with the value copied to *out (which may be null); PENDING
 * while it is not set, or what set it has not arrived; its code when it failed; CLOSED when it has
 * ended. World's thread. O(1). */
#define flow_completion_read(c, out) flow_completion_read_(FLOW_TYPED_(c, out, completion), (out))

/* Until it is set; the value is copied to *out (of its type; null where it does not matter; it must
 * live until the wait ends). Suspends unless it is set already. Fails as flow_completion_fail said,
 * or as CLOSED when it is ended. */
#define flow_completion_wait(c, out)                                                               \
    flow_once_wait_(&FLOW_TYPED_(c, out, completion)->source_, (out))

#define FLOW_COMPLETION_OF_(c) &(c)->completion, (uint32_t)sizeof(*(c)->type_)

flow_status flow_completion_init_(flow_completion *completion, uint32_t size, flow_world *world,
                                  int single, flow_post_fn start, void *arg);
void flow_completion_fini_(flow_completion *completion);
int flow_completion_set_(const flow_completion *completion, const void *value);
int flow_completion_fail_(const flow_completion *completion, int code, const char *message);
int flow_completion_read_(flow_completion *completion, void *out);

FLOW_EXTERN_C_END_

#endif
