/* SPDX-License-Identifier: MIT */
/*
 * Cancel sources: one switch for outside code that ends any number of flows, and waits.
 *
 *     flow_cancel_source leaving;                          a member of the host's struct
 *     flow_cancel_source_init(&leaving, world);
 *     flow_cancel_link(&leaving, FLOW_RUN(world, download, .what = list));
 *     ...
 *     flow_cancel_source_cancel(&leaving);                 or _any_thread, or _after a time
 *
 * A flow is linked and so cancelled with the source, or it waits for the source, and stops waiting
 * (flow_unless) while the work that it waited for goes on or is cancelled, as it likes. Sources can
 * be linked to sources. What is cancelled stays so until flow_cancel_source_reset: whoever comes
 * later is cancelled at once. Where a group or an owner would do, use that: it also ends what it
 * owns. A struct may be copied; copies name the same source. World's thread, where nothing else is
 * said.
 */
#ifndef FLOW_CANCEL_SOURCE_H
#define FLOW_CANCEL_SOURCE_H

#include "flow/compose.h"
#include "flow/inbox.h"

FLOW_EXTERN_C_BEGIN_

/* All zero: not made yet. Its members are flow's own business. */
typedef struct flow_cancel_source {
    flow_source source_;
} flow_cancel_source;

/* Makes one in a world: about 100 bytes. OK or NOMEM: then it is an ended one. */
flow_status flow_cancel_source_init(flow_cancel_source *source, flow_world *world);

/* Ends one: cancels nothing, and waits for it end as CLOSED. One that was never made is left alone.
 * The end of the world ends its sources. */
void flow_cancel_source_fini(flow_cancel_source *source);

/* Has a flow or group cancelled with the source, as flow_cancel does it, in the order in which they
 * were linked; at once when the source is cancelled already. OK; STALE when the flow has ended;
 * CLOSED when the source has; NOMEM: not linked. A link takes 16 bytes until the flow has ended, or
 * a little longer. O(1), amortised. */
FLOW_NODISCARD_ flow_status flow_cancel_link(flow_cancel_source *source, flow_handle flow);

/* Has another source of the same world cancelled with this one; at once when this one is. OK;
 * STALE when the other has ended; CLOSED when this one has; NOMEM; MISUSE for one of another world.
 * They may be linked in circles. */
FLOW_NODISCARD_ flow_status flow_cancel_link_source(flow_cancel_source *source,
                                                    const flow_cancel_source *other);

/* Cancels: waits for it are queued, then linked flows are cancelled, then linked sources. 1; or 0
 * when it was cancelled already or has ended. Takes no memory. O(waits and links). */
int flow_cancel_source_cancel(flow_cancel_source *source);

/* The same from any thread, in the next begin_frame. OK, FULL, CLOSED. */
FLOW_NODISCARD_ flow_status flow_cancel_source_cancel_any_thread(const flow_cancel_source *source);

/* Cancels it in the first tick of UPDATE at which the clock (FLOW_CLOCK_INHERIT: `game`) has
 * advanced by that many seconds, unless it is told another time before. A flow of its own, called
 * cancel_after, does it. OK; CLOSED; NOMEM; MISUSE for NaN; STALE for a clock that has ended. */
FLOW_NODISCARD_ flow_status flow_cancel_source_cancel_after(flow_cancel_source *source,
                                                            flow_clock clock, double seconds);

/* Makes it as good as new: it is not cancelled any more, and forgets its time. What is linked and
 * not cancelled stays linked, and who waits goes on waiting. */
void flow_cancel_source_reset(flow_cancel_source *source);

/* 1 when it is cancelled and not reset, else 0. */
int flow_cancel_source_is_cancelled(const flow_cancel_source *source);

int flow_cancel_source_cancel_(const flow_source *source);

/* Until it is cancelled; done at once when it is. Fails as CLOSED when it ends. The source's struct
 * lives until the wait begins. */
FLOW_NODISCARD_ FLOW_INLINE_ flow_wait flow_cancelled(flow_cancel_source *source)
{
    return flow_wait_of_(FLOW_WAIT_SIGNAL_, FLOW_NEXT_, &source->source_, 0);
}

FLOW_EXTERN_C_END_

#ifndef __cplusplus

/* A wait that ends early when the source is cancelled: *done, an int that lives until then, becomes
 * 1 when the wait ended and 0 when the source was first; one that is cancelled already keeps the
 * wait from beginning. A call is cancelled then, as the loser of a race. Fails as the wait fails.
 */
#define flow_unless(source, done, wait) flow_race(done, flow_cancelled(source), wait)

/* The same, but it stops the waiting alone: a call runs on, owned by the scope. */
#define flow_unless_keep(source, done, wait) flow_any(done, flow_cancelled(source), wait)

#endif /* !__cplusplus */

#endif
