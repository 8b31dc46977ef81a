/* SPDX-License-Identifier: MIT */
/*
 * Sets: compositions of as many branches as a loop makes, each with a tag.
 *
 *     flow_set files;                                       in the frame
 *     flow_set_begin(flow, &self->files);
 *     for (int i = 0; i < self->count; i++)
 *         flow_set_add(&self->files, i, FLOW_CALL(load, .name = self->names[i]));
 *     FLOW_AWAIT(flow_all_of(&self->files));
 *
 * Branches are leaf waits, calls and compositions, those of other sets included, to any depth. They
 * start in the order in which they were added, when the set is awaited; until then they wait in the
 * world's memory, 64 bytes each, and a call's frame. An await takes the branches out of the set,
 * which is empty then and may be filled again. A set belongs to the function that began it: it
 * alone fills and awaits it, and what is left in it ends with it; a call that has not started when
 * the body is over never does, and awaited in the finally section it fails as CANCELLED. A call
 * lives in the phase in which the set is awaited. At most 65,535 branches: with
 * more, or without memory for one, the await fails as FULL or NOMEM and none of them starts.
 */
#ifndef FLOW_SET_H
#define FLOW_SET_H

#include "flow/compose.h"
#include "flow/signal.h"

FLOW_EXTERN_C_BEGIN_

/* A set of branches; all zero: not begun. It lives in the frame, or wherever it stays in place. */
typedef flow_source flow_set;

/* What flow_each tells of one branch. */
typedef struct flow_each_item {
    int tag;              /* as it was added */
    int index;            /* its place in the set, from 0 */
    flow_outcome outcome; /* how it ended; state NONE: nothing is left, and tag and index are -1 */
} flow_each_item;

/* Begins a set, of which the running function is the owner; one that it has begun before is
 * cleared. OK; NOMEM: then branches are dropped, and the await fails as NOMEM. 64 bytes. */
flow_status flow_set_begin(flow_task *flow, flow_set *set);

/* Drops what is in the set, which its function alone may do: branches that did not start never do,
 * calls that flow_each has started are cancelled, the youngest first (one whose finally section
 * awaits goes on as a child of the function), and what was received goes back. O(branches). */
void flow_set_clear(flow_task *flow, flow_set *set);

/* How many branches of it nobody has learned the end of. O(1). */
uint32_t flow_set_left(const flow_set *set);

void flow_set_add_(flow_task *flow, flow_set *set, int tag, flow_wait wait);

FLOW_NODISCARD_ FLOW_INLINE_ flow_wait flow_of_set_(flow_wait_kind_ kind, flow_set *set, void *out)
{
    flow_wait w = flow_wait_of_(kind, 0, set, out);
    w.list_ = FLOW_LIST_OF_SET_;
    return w;
}

/* A race of the branches: *tag, an int that lives until the wait ends, or null, becomes the
 * winner's. What is said of FLOW_RACE holds; with no branches it fails as EMPTY. */
FLOW_NODISCARD_ FLOW_INLINE_ flow_wait flow_race_of(flow_set *set, int *tag)
{
    return flow_of_set_(FLOW_WAIT_RACE_, set, tag);
}

/* All of the branches, as FLOW_ALL; with no branches it is done. */
FLOW_NODISCARD_ FLOW_INLINE_ flow_wait flow_all_of(flow_set *set)
{
    return flow_of_set_(FLOW_WAIT_ALL_, set, 0);
}

/* All of the branches, however each ends, as FLOW_ALL_SETTLED; outcomes has room for as many as
 * were added, in that order, or is null. */
FLOW_NODISCARD_ FLOW_INLINE_ flow_wait flow_all_settled_of(flow_set *set, flow_outcome *outcomes)
{
    return flow_of_set_(FLOW_WAIT_ALL_SETTLED_, set, outcomes);
}

/* The first of the branches, as FLOW_ANY: losing calls run on, owned by the function. */
FLOW_NODISCARD_ FLOW_INLINE_ flow_wait flow_any_of(flow_set *set, int *tag)
{
    return flow_of_set_(FLOW_WAIT_ANY_, set, tag);
}

/* The next branch that ends, in order of completion, however it ends:
 *
 *     while (flow_set_left(&self->files) > 0) {
 *         FLOW_AWAIT(flow_each(&self->files, &self->item));
 *         ...                                              which may add branches too
 *     }
 *
 * The first such wait starts the branches, and they run on between the waits; each later one starts
 * what was added since. *item, which lives until the wait ends, tells of the branch. With nothing
 * left it is done, and item->outcome.state is NONE. One such wait at a time. A branch is told when
 * its losers, if it is a composition, have been unwound; a flow_switch_phase among the branches is
 * misuse and fails, as the function may be anywhere then. The item of a wait that loses its race is
 * the next one's. Leave the loop early with flow_set_clear; the end of the function does the same.
 * A failure that was not told is reported as UNDELIVERED. */
FLOW_NODISCARD_ FLOW_INLINE_ flow_wait flow_each(flow_set *set, flow_each_item *item)
{
    return flow_wait_of_(FLOW_WAIT_SIGNAL_, FLOW_NEXT_, set, item);
}

FLOW_EXTERN_C_END_

#ifndef __cplusplus

/* Adds a branch: any wait, with a tag of the caller's. A call's arguments are written now, straight
 * into its frame; it runs when the set is awaited. What a leaf wait points to must live until it
 * has ended. Inside a body only, and not after an await between the FLOW_CALL and this. */
#define flow_set_add(set, tag, wait)                                                               \
    (flow_compose_begin_(flow), flow_set_add_(flow, (set), (tag), (wait)))

#endif /* !__cplusplus */

#endif
