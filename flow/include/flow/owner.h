/* SPDX-License-Identifier: MIT */
/*
 * Owners: a host's struct that flows live no longer than.
 *
 *     struct enemy { flow_owner owner; ... };
 *     flow_owner_init(world, &enemy->owner, "enemy");
 *     FLOW_RUN_WITH(world, FLOW_OPTIONS(.owner = flow_owner_handle(&enemy->owner)), enemy_brain,
 *                   .enemy = enemy);
 *     flow_owner_fini(&enemy->owner);        first thing where the struct is finished with
 *
 * An owner is a group: its flows are unwound youngest first, descendants before ancestors, and a
 * member's failure leaves the others alone. Finish with the owner before the signals of the struct:
 * flows elsewhere that wait for those then end as CLOSED. The struct may be moved or copied; it
 * holds no memory of its own. World's thread only; finish with every owner before its world is
 * destroyed.
 */
#ifndef FLOW_OWNER_H
#define FLOW_OWNER_H

#include "flow/compose.h"
#include "flow/signal.h"

FLOW_EXTERN_C_BEGIN_

/* Embedded in a struct of the host. All zero: not begun, or finished with; it owns nothing then.
 * Its members are flow's own business. */
typedef struct flow_owner {
    flow_handle group_;
    flow_signal gone_;
} flow_owner;

/* Begins an owner; name is borrowed until flow_owner_fini, for dumps and paths. About 180 bytes of
 * the world's memory. OK; NOMEM, or CANCELLED in a world that is being destroyed: then starting
 * flows with it is refused. */
flow_status flow_owner_init(flow_world *world, flow_owner *owner, const char *name);

/* Finishes with an owner: flows that wait in a flow_while of it are queued, then all its flows are
 * cancelled with cause OWNER_ENDED, and starting one with it is refused from now on. OK: they have
 * ended, cleanups included, and the struct may go. PENDING: one of them has code on the C stack
 * (the caller is one of them, say) or awaits in its finally section: keep what their cleanups use
 * until flow_owner_is_over. STALE: it was not begun, or is finished with already. Takes no memory.
 * O(flows that it owns). */
flow_status flow_owner_fini(flow_owner *owner);

/* For flow_options.owner and for flow_request_stop, flow_join and the like: the group. It stays the
 * same after flow_owner_fini, and names an ended group then; of an owner that was not begun it
 * names one that never was, so that starting with it is refused too. */
flow_handle flow_owner_handle(const flow_owner *owner);

/* Has every flow of the owner ended, and does it take no more? 1 or 0. O(1). */
int flow_owner_is_over(const flow_owner *owner);

/* Ends when flow_owner_fini is called, before the owner's flows are cancelled; is done at once for
 * an owner that is finished with. The owner is read when the wait begins, not later. */
FLOW_NODISCARD_ flow_wait flow_owner_gone(const flow_owner *owner);

FLOW_EXTERN_C_END_

#ifndef __cplusplus

/* A wait that ends early when the owner goes: FLOW_AWAIT(flow_while(&enemy->owner, &self->alive,
 * flow_seconds(2))). *alive, an int that lives until the wait ends (a member of the frame), becomes
 * 1 when the wait ended and 0 when the owner went; for an owner that is gone already the wait does
 * not start. Fails as the wait fails. Use inside a body, of a flow that the owner does not own: its
 * own flows are cancelled instead. */
#define flow_while(owner, alive, wait) flow_race(alive, flow_owner_gone(owner), wait)

#endif /* !__cplusplus */

#endif
