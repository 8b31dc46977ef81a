/* SPDX-License-Identifier: MIT */
/*
 * Owners: a group for the flows, and a signal for those elsewhere that only wait as long as the
 * owner is there. The group's handle stays in the struct, so that a late start meets an ended group
 * and is refused, never taken for a start without an owner.
 */
#include "private.h"

/* Names no group, and is not the null handle: that would be the world. */
static const flow_handle no_group = {UINT32_MAX, UINT32_MAX};

flow_status flow_owner_init(flow_world *world, flow_owner *owner, const char *name)
{
    *owner = (flow_owner){.group_ = no_group};
    flow_status status = flow_signal_init_(&owner->gone_, world, 0);
    flow_handle group = {0, 0};
    if (status == FLOW_OK) {
        group = flow_group_create(world, &(flow_group_desc){.name = name ? name : "owner"});
    }
    if (group.generation == 0) {
        flow_signal_fini_(&owner->gone_);
        return world->destroying ? FLOW_CANCELLED : FLOW_NOMEM;
    }
    owner->group_ = group;
    return FLOW_OK;
}

flow_status flow_owner_fini(flow_owner *owner)
{
    flow_world *world = owner->gone_.world_;
    if (flow__record(&owner->gone_) == NULL) {
        return FLOW_STALE;
    }
    flow_signal gone = owner->gone_;
    flow_handle group = owner->group_;
    owner->gone_ = (flow_signal){world, 0, 0, 0}; /* a cleanup may finish with it once more */
    (void)flow_emit_(&gone, NULL);
    flow_signal_fini_(&gone);
    flow_task *task = flow__task_of(world, group);
    bool over = task == NULL || flow__cancel(world, task, FLOW_CAUSE_OWNER_ENDED);
    return over ? FLOW_OK : FLOW_PENDING;
}

flow_handle flow_owner_handle(const flow_owner *owner)
{
    return owner->group_.generation != 0 ? owner->group_ : no_group;
}

int flow_owner_is_over(const flow_owner *owner)
{
    const flow_world *world = owner->gone_.world_;
    return world == NULL || flow__task_of(world, owner->group_) == NULL;
}

flow_wait flow_owner_gone(const flow_owner *owner)
{
    union {
        const flow_signal *given;
        void *object;
    } gone;
    gone.given = &owner->gone_;
    return flow__record(gone.given) != NULL && !flow_owner_is_over(owner)
               ? flow_wait_of_(FLOW_WAIT_SIGNAL_, FLOW_NEXT_GONE_, gone.object, NULL)
               : flow_ready();
}
