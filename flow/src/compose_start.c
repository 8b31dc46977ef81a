/* SPDX-License-Identifier: MIT */
/*
 * Beginning a composition: its arguments are evaluated into waits, then its branches start in
 * written order, those of compositions in it too, until one settles it.
 */
#include "compose.h"

enum { FEW_BRANCHES = 1024 }; /* leaves that begin in one go, far from too many */

/* ---- while the arguments are evaluated ---- */

/* From here to the matching flow_compose_evaluated_ the flow's calls become child flows: no open
 * segment has room for their frames. */
void flow_compose_begin_(flow_task *flow)
{
    flow_world *world = flow__world_of(flow);
    if (FLOW_UNLIKELY_(flow->kind_ == FLOW_KIND_AWAY)) {
        return; /* awaiting it is misuse */
    }
    if (world->composing.task != flow) {
        world->composing.task = flow;
        world->composing.sp = flow->sp_;
        world->composing.depth = 0;
        flow->sp_ = NULL;
    }
    world->composing.depth++;
}

void flow_compose_evaluated_(flow_task *flow)
{
    flow_world *world = flow__world_of(flow);
    if (FLOW_LIKELY_(flow->kind_ != FLOW_KIND_AWAY) && --world->composing.depth == 0) {
        flow->sp_ = world->composing.sp;
        world->composing.task = NULL;
    }
}

/* Frees the flows that were made for a wait which will not be awaited. */
void flow__wait_discard(flow_world *world, const flow_wait *wait)
{
    if (wait->kind_ == FLOW_WAIT_CALL_ && wait->code_ == FLOW_CALL_CHILD) {
        flow__task_discard(world, flow__task_of_frame(wait->object_));
    } else if (wait->kind_ >= FLOW_WAIT_RACE_ && wait->list_ == FLOW_LIST_OF_SET_) {
        flow__set_discard(world, wait->object_);
    } else if (wait->kind_ >= FLOW_WAIT_RACE_) {
        for (const flow_wait *w = wait->object_; w->kind_ != FLOW_WAIT_LAST_; w++) {
            flow__wait_discard(world, w);
        }
    }
}

/* ---- starting ---- */

static flow_begun begin_call(flow_world *world, const flow_task *flow, flow_task *child,
                             flow_node *node, flow_result *result)
{
    const flow_node *parent = node->up.parent;
    flow_outcome *outcomes = parent->kind == FLOW_NODE_ALL_SETTLED ? parent->to.out : NULL;
    node->flags |= FLOW_NODE_OWNS;
    node->to.out = outcomes ? &outcomes[node->branch] : NULL;
    child->clock_ = flow->clock_; /* or the one lent to it: see begin_on_clock */
    child->phase_ = flow->phase_; /* it may have moved since the branch was added to a set */
    flow__joiners_add(world, child, node);
    flow__task_start(world, child);
    if (node->kind != FLOW_NODE_DONE) {
        return FLOW_BEGUN_WAITS;
    }
    *result = flow__node_result(node);
    return result->code == 0 ? FLOW_BEGUN_DONE : FLOW_BEGUN_FAILED;
}

static const char each_moves[] =
    "flow_switch_phase moves its flow, which flow_each lets go elsewhere: await it by itself";

/* Does flow_each start it? Its flow may be anywhere when it ends. */
static bool is_of_each(const flow_node *node)
{
    while (node->flags & FLOW_NODE_HAS_PARENT) {
        node = node->up.parent;
    }
    return node->kind == FLOW_NODE_EACH;
}

/* Begins a branch that is no composition. */
static flow_begun begin_branch(flow_world *world, flow_task *flow, const flow_wait *wait,
                               flow_node *node, flow_result *result)
{
    if (wait->kind_ == FLOW_WAIT_CALL_ && wait->code_ == FLOW_CALL_CHILD) {
        flow_task *child = flow__branch_call(wait);
        return child ? begin_call(world, flow, child, node, result)
                     : flow__begun_failed(result, FLOW_CANCELLED,
                                          "the body had ended before this branch could start");
    }
    if (wait->kind_ == FLOW_WAIT_CALL_ && wait->code_ != 0) {
        return flow__begun_failed(result, wait->code_, "no memory for a called flow");
    }
    if (wait->kind_ == FLOW_WAIT_PHASE_ && is_of_each(node)) {
        return flow__begun_failed(result, flow__misuse_at(world, flow, each_moves, NULL),
                                  each_moves);
    }
    return flow__leaf_begin(world, flow, wait, node, result);
}

/* The flow's own clock, while compositions around the node have lent it others. */
static uint16_t own_clock(const flow_task *flow, const flow_node *node)
{
    uint16_t own = flow->clock_;
    while (node->flags & FLOW_NODE_HAS_PARENT) {
        node = node->up.parent;
        bool lent = node->kind == FLOW_NODE_ALL && (node->flags & FLOW_NODE_STARTING);
        own = lent && node->to.own_clock != 0 ? node->to.own_clock : own;
    }
    return own;
}

/* The same for `inner`, the one wait of `wait`, if that names another clock. While it begins, that
 * is the flow's own: what begins stands in its lanes. */
static flow_begun begin_on_clock(flow_world *world, flow_task *flow, const flow_wait *wait,
                                 const flow_wait *inner, flow_node *node, flow_result *result)
{
    uint16_t own = flow->clock_;
    if (inner->kind_ == FLOW_WAIT_PHASE_ &&
        !flow__phase_lane_made(world, own_clock(flow, node), inner)) {
        return flow__begun_failed(result, FLOW_NOMEM, "no memory for a wait");
    }
    if (inner == wait) {
        return begin_branch(world, flow, inner, node, result);
    }
    if (!flow__clock_lend(world, flow, wait, result)) {
        flow__wait_discard(world, inner);
        return FLOW_BEGUN_FAILED;
    }
    flow_begun begun = begin_branch(world, flow, inner, node, result);
    flow__clock_take_back(world, flow, own);
    return begun;
}

/* Ends a composition before its branches have done so. */
static void settle_failed(flow_world *world, flow_node *node, int code, const char *message)
{
    flow_node none = {.code = code, .branch = FLOW_NO_BRANCH};
    if (message != NULL) {
        none.flags = FLOW_NODE_SAYS;
        none.on.message = message;
    }
    flow_losers held = {NULL, NULL};
    flow__settle_by(world, node, &none, &held);
    flow__losers_return(world, node, &held);
}

/* Another clock for a whole composition is one around it, which has the flow's own clock until its
 * branch has begun. */
static void clock_lent(flow_world *world, flow_task *flow, const flow_wait *wait, flow_node *node)
{
    flow_result result;
    uint16_t own = flow->clock_;
    if (flow__clock_lend(world, flow, wait, &result)) {
        node->to.own_clock = own;
    } else {
        settle_failed(world, node, result.code, result.message);
    }
}

/* From here on it has branches, and what is to be started of them. */
static void composition_open(flow_world *world, flow_task *flow, const flow_wait *wait,
                             flow_node *node)
{
    static const uint8_t kinds[] = {FLOW_NODE_RACE, FLOW_NODE_ALL,     FLOW_NODE_ALL_SETTLED,
                                    FLOW_NODE_ANY,  FLOW_NODE_TIMEOUT, FLOW_NODE_ALL};
    node->kind = kinds[wait->kind_ - FLOW_WAIT_RACE_];
    node->flags |= FLOW_NODE_STARTING;
    node->to.out = wait->out_;
    node->pos = 1; /* holds an `all` open until every branch has begun */
    node->seq = ++world->seq;
    if (wait->list_ == FLOW_LIST_WRITTEN_) {
        node->to_start.list = wait->object_;
    } else {
        int code = flow__branches_of(world, flow, wait, &node->to_start.branches);
        node->flags |= FLOW_NODE_FROM_SET;
        if (code != FLOW_OK) {
            settle_failed(world, node, code, NULL);
        }
    }
    if (wait->kind_ == FLOW_WAIT_ON_CLOCK_) {
        clock_lent(world, flow, wait, node);
    }
}

/* Is nothing of the composition to be started any more? What settles one around it settles it too.
 */
static bool stopped(const flow_node *node, const flow_task *flow)
{
    return (node->flags & FLOW_NODE_SETTLED) ||
           ((flow->flags_ & (FLOW_TASK_CANCELLED | FLOW_TASK_CHILD_FAULT)) &&
            !(flow->flags_ & FLOW_TASK_PROTECTED));
}

static void branch_link(flow_node *node, flow_node *branch)
{
    branch->up.parent = node;
    branch->flags = FLOW_NODE_HAS_PARENT;
    branch->sibling = node->prev;
    node->prev = branch;
    node->pos++;
}

/* The next wait of a composition and a node for it, linked; null: no more. */
static const flow_wait *wait_next(flow_world *world, flow_node *node, flow_wait *kept,
                                  flow_node **branch)
{
    const flow_wait *wait;
    if (node->flags & FLOW_NODE_FROM_SET) {
        *branch = flow__branches_next(world, node->to_start.branches, kept);
        wait = kept;
        if (*branch == NULL) {
            return NULL;
        }
    } else {
        wait = node->to_start.list;
        if (wait->kind_ == FLOW_WAIT_LAST_) {
            return NULL;
        }
        bool full = node->prev != NULL && node->prev->branch == FLOW_NO_BRANCH - 1;
        *branch = full ? NULL : flow__node_take(world);
        if (*branch == NULL) {
            settle_failed(world, node, full ? FLOW_FULL : FLOW_NOMEM, NULL);
            return NULL;
        }
        node->to_start.list++;
        (*branch)->branch = (uint16_t)(node->prev ? node->prev->branch + 1 : 0);
    }
    branch_link(node, *branch);
    return wait;
}

/* A branch has begun, and may have ended. */
static void branch_begun(flow_world *world, flow_task *flow, flow_node *branch, flow_begun begun,
                         const flow_result *result)
{
    flow_node *node = branch->up.parent;
    flow_losers held = {NULL, NULL};
    if (branch->flags & FLOW_NODE_OWNS) {
        return; /* its end has told the composition already */
    }
    if (begun == FLOW_BEGUN_FAILED && result->fault == NULL) {
        flow_fault *fault = flow__fault_new(world, flow, result->code, result->message);
        flow__fault_to_node(fault, branch);
    }
    if (begun != FLOW_BEGUN_WAITS) {
        if (!flow__is_composition(branch) && branch->kind != FLOW_NODE_HELD &&
            branch->kind != FLOW_NODE_MOVED) {
            branch->kind = FLOW_NODE_DONE;
        }
        branch->code = result->code;
        flow_fault *late = NULL;
        (void)flow__branch_counts(world, node, branch, &late, &held);
        flow__losers_return(world, node, &held);
        if (node->kind == FLOW_NODE_EACH) {
            flow__each_told(world, branch);
        }
        flow__late_report(world, late);
    } else if (node->flags & FLOW_NODE_SETTLED) {
        flow__branch_lose(world, branch, FLOW_CAUSE_RACE_LOST,
                          &held); /* its own predicate settled it */
        flow__losers_return(world, node, &held);
    }
}

/* Nothing of the composition is left to start. DONE and FAILED: it is settled, though losers may
 * live. */
static flow_begun starts_over(flow_world *world, flow_task *flow, flow_node *node,
                              flow_result *result)
{
    if (node->kind == FLOW_NODE_ALL && node->to.own_clock != 0) {
        flow__clock_take_back(world, flow, node->to.own_clock);
        node->to.out = NULL;
    }
    if (node->flags & FLOW_NODE_FROM_SET) {
        flow__branches_discard(world, node->to_start.branches);
    } else {
        for (; node->to_start.list->kind_ != FLOW_WAIT_LAST_; node->to_start.list++) {
            flow__wait_discard(world, node->to_start.list);
        }
        node->to_start.list = NULL;
    }
    node->flags &= (uint8_t)~FLOW_NODE_STARTING;
    node->pos--;
    if (node->pos == 0 && node->kind != FLOW_NODE_EACH && !stopped(node, flow)) {
        node->flags |= FLOW_NODE_SETTLED;
        node->code = flow__is_all(node) ? FLOW_OK : FLOW_EMPTY;
    }
    if (!(node->flags & FLOW_NODE_SETTLED)) {
        return FLOW_BEGUN_WAITS;
    }
    *result = flow__node_result(node);
    return node->code == 0 ? FLOW_BEGUN_DONE : FLOW_BEGUN_FAILED;
}

/* The leaf or call that is to begin on another clock; null: a composition is. */
static const flow_wait *on_clock_leaf(flow_world *world, const flow_wait *wait, flow_wait *kept)
{
    if (wait->list_ == FLOW_LIST_IN_SET_) {
        return flow__branches_only(world, wait->object_, kept) ? kept : NULL;
    }
    const flow_wait *inner = wait->object_;
    return inner->kind_ < FLOW_WAIT_RACE_ ? inner : NULL;
}

/* Starts what comes next of a written list as long as it is plain leaves: most compositions are
 * nothing else. */
static void leaves_start(flow_world *world, flow_task *flow, flow_node *node)
{
    const flow_wait *wait = node->to_start.list;
    for (uint32_t left = FEW_BRANCHES;
         left > 0 && wait->kind_ != FLOW_WAIT_LAST_ && wait->kind_ < FLOW_WAIT_PHASE_; left--) {
        flow_node *branch = stopped(node, flow) ? NULL : flow__node_pop(world);
        if (branch == NULL) {
            return;
        }
        flow_result result = {0, NULL, NULL};
        branch->branch = (uint16_t)(node->prev ? node->prev->branch + 1 : 0);
        branch_link(node, branch);
        node->to_start.list = wait + 1;
        flow_begun begun = flow__leaf_begin(world, flow, wait, branch, &result);
        if (FLOW_UNLIKELY_(begun != FLOW_BEGUN_WAITS || (node->flags & FLOW_NODE_SETTLED))) {
            branch_begun(world, flow, branch, begun, &result);
        }
        wait++;
    }
}

/* Starts the branches of an opened composition, and of those in it, in written order. */
flow_begun flow__branches_start(flow_world *world, flow_task *flow, flow_node *root)
{
    flow_node *node = root;
    for (;;) {
        flow_wait kept, within;
        flow_node *branch = NULL;
        flow_result result = {0, NULL, NULL};
        if (!(node->flags & FLOW_NODE_FROM_SET) && node->prev == NULL) {
            leaves_start(world, flow, node);
        }
        const flow_wait *wait = stopped(node, flow) ? NULL : wait_next(world, node, &kept, &branch);
        if (wait == NULL) {
            flow_begun begun = starts_over(world, flow, node, &result);
            if (node == root) {
                return begun;
            }
            branch_begun(world, flow, node, begun, &result);
            node = node->up.parent;
            continue;
        }
        const flow_wait *inner = wait;
        if (wait->kind_ == FLOW_WAIT_ON_CLOCK_) {
            inner = on_clock_leaf(world, wait, &within);
        }
        if (inner == NULL || inner->kind_ >= FLOW_WAIT_RACE_) {
            composition_open(world, flow, wait, branch);
            node = branch;
            continue;
        }
        flow_begun begun = begin_on_clock(world, flow, wait, inner, branch, &result);
        branch_begun(world, flow, branch, begun, &result);
    }
}

int flow__compose_begin(flow_task *flow, flow_frame *self, const flow_wait *wait)
{
    flow_world *world = flow__world_of(flow);
    flow_node *root = flow__node_pop(world);
    flow_result result = {0, NULL, NULL};
    if (root == NULL) {
        flow__wait_discard(world, wait);
        return flow__fault_raise(flow, self, FLOW_NOMEM, "no memory for a composition");
    }
    self->flags_ |= FLOW_FRAME_CHILDREN;
    root->up.task = flow;
    root->flags = FLOW_NODE_STARTING; /* the root itself is not to queue its flow yet */
    composition_open(world, flow, wait, root);
    flow_begun begun = flow__branches_start(world, flow, root);
    if (begun != FLOW_BEGUN_WAITS) {
        (void)flow__compose_close(world, root);
    }
    if (flow->flags_ != 0 && flow__stop_if_cancelled(flow)) {
        flow__compose_drop(world, root);
        return 1;
    }
    if (begun == FLOW_BEGUN_WAITS || flow__call_alive(root) != NULL) {
        flow->kind_ = FLOW_KIND_NODE;
        flow->pos_ = flow__node_id(root);
        flow->budget_ = root->seq;
        flow__segment_trim(flow);
        return 1;
    }
    result = flow__node_result(root);
    if (result.fault != NULL) {
        flow__fault_to_task(world, result.fault, flow);
    }
    if (result.code == 0) {
        flow__value_take(world, root);
    }
    flow__compose_drop(world, root);
    if (result.code != 0) {
        return flow__fault_arrive(flow, self, &result);
    }
    flow->budget_ -= flow->budget_ != 0;
    return flow__done_at_once(flow, self);
}
