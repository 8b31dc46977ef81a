/* SPDX-License-Identifier: MIT */
/*
 * The reference's gradual cancelling: the whole tree is marked at once, and in every tick of the
 * group's phase frames are left in the usual order, until the budget of flows is used up.
 */
#include "naive.h"

/* The youngest of the top frame's children that does not end by itself. */
static nflow *youngest_left(nflow *flow)
{
    for (int i = flow->children.count; i-- > 0;) {
        nflow *child = flow->children.item[i];
        if (child->doing != IS_NEW && child->scope == flow->top &&
            !ends_by_itself(child, flow->cause)) {
            return child;
        }
    }
    return NULL;
}

static nflow *next_down(nflow *from)
{
    for (nflow *child; (child = youngest_left(from)) != NULL;) {
        from = child;
    }
    return from;
}

/* Leaves the top frame. True: the flow is unwound, up to the first await in its finally sections.
 */
static bool frame_left(nflow *flow)
{
    const nframe *below = flow->top != NULL ? flow->top->caller : NULL;
    flow->doing = IS_RUNNING;
    model.nested++;
    flow->on_stack++;
    arrive(flow);
    flow->on_stack--;
    drive_down(flow, below);
    model.nested--;
    bool more = flow->doing == IS_RUNNING;
    if (more) { /* it stands like those not yet begun */
        flow->doing = IS_STOPPED;
        flow->unwinding = flow->fixed = false;
        flow->pending = true;
    }
    settle_marked();
    return !more;
}

static void group_pass(nflow *group)
{
    int left = group->budget;
    nflow *flow = next_down(group);
    while (flow->group || left > 0) {
        bool counts = !flow->group;
        nflow *owner = flow->owner;
        left -= frame_left(flow) && counts;
        if (group->doing == IS_OVER || !group->pending || model.side->outside) {
            return;
        }
        flow = next_down(owner->doing != IS_OVER ? owner : group);
    }
}

/* The group whose cancel began last is the first. */
void gradual_pass(int phase)
{
    int64_t tick = model.clock[1]->ticks[phase];
    vec groups = vec_copy(&model.gradual);
    for (int i = groups.count; i-- > 0;) {
        nflow *group = groups.item[i];
        if (group->doing == IS_OVER || !group->pending) {
            vec_remove(&model.gradual, group);
        } else if (group->phase == phase && group->turn != tick) {
            group->turn = tick;
            group_pass(group);
        }
    }
}

int naive_gradual(struct side *side, int whom, int budget)
{
    nflow *group = live(whom);
    (void)side;
    if (group == NULL) {
        return FLOW_STALE;
    }
    if (group->cancelled) {
        return FLOW_PENDING;
    }
    if (group->children.count == 0) {
        return cancel(group, FLOW_CAUSE_EXPLICIT);
    }
    bool listed = group->pending; /* it is to be cleared: now it ends with that */
    mark_tree(group, FLOW_CAUSE_EXPLICIT);
    if (!listed) {
        group->budget = budget;
        group->turn = model.clock[1]->ticks[group->phase];
        vec_push(&model.gradual, group);
    }
    return FLOW_PENDING;
}
