/* SPDX-License-Identifier: MIT */
/*
 * Composition. A race, all or timeout is a tree of nodes: leaves wait as any leaf does, a called
 * branch is a child flow with a JOIN node on its end. When a branch ends, its composition is told,
 * and when that has its result, the one around it, up to the root, whose flow is then queued. At
 * that moment the losing leaves are out of everything, and the losing calls are marked so that
 * nothing of them resumes; they are unwound at the start of the owner's turn, the youngest first.
 */
#include "compose.h"

/* ---- the tree ---- */

/* The next node of a composition, itself first, the newest branch first; null at the end. */
flow_node *flow__tree_next(const flow_node *root, const flow_node *node)
{
    if (flow__is_composition(node) && node->prev != NULL) {
        return node->prev;
    }
    while (node != root) {
        if (node->sibling != NULL) {
            return node->sibling;
        }
        node = node->up.parent;
    }
    return NULL;
}

/* A called flow that has not ended. */
bool flow__call_lives(const flow_node *node)
{
    return node->kind == FLOW_NODE_JOIN && (node->flags & FLOW_NODE_OWNS);
}

/* A called flow of the composition that has not ended. */
flow_task *flow__call_alive(flow_node *root)
{
    flow_node *node = root;
    while (node != NULL && !flow__call_lives(node)) {
        node = flow__tree_next(root, node);
    }
    return node ? node->on.object : NULL;
}

/* The same, asked each time that one has ended: goes on where it found one the last time. */
static bool still_alive(flow_node *root)
{
    flow_node *node = root->last_alive ? root->last_alive : root;
    while (node != NULL && !flow__call_lives(node)) {
        node = flow__tree_next(root, node);
    }
    root->last_alive = node;
    return node != NULL;
}

/* ---- settling ---- */

static void loser_add(flow_losers *held, flow_node *node)
{
    node->next = NULL;
    *(held->first ? &held->last->next : &held->first) = node;
    held->last = node;
}

/* The root may be gone afterwards, and then all of them. */
void flow__losers_return(flow_world *world, const flow_node *root, const flow_losers *held)
{
    flow_node *node = held->first;
    while (node != NULL && flow__is_composition(root)) {
        flow_node *next = node->next;
        flow__leaf_unlink(world, node);
        node = next;
    }
}

static void lose_one(flow_world *world, flow_node *node, flow_cause cause, flow_losers *held)
{
    FLOW_FAULT_(2) cause = FLOW_CAUSE_NONE;
    if (flow__is_composition(node)) {
        node->flags |= FLOW_NODE_SETTLED;
    } else if (cause != FLOW_CAUSE_NONE && flow__call_lives(node)) {
        flow__mark(world, node->on.object, cause);
    } else if (node->kind == FLOW_NODE_HELD) {
        loser_add(held, node);
    } else {
        flow__leaf_unlink(world, node);
    }
}

/* A losing branch receives nothing more. Its calls are marked; or they live on, as children of
 * their scope, when cause is NONE. */
void flow__branch_lose(flow_world *world, flow_node *branch, flow_cause cause, flow_losers *held)
{
    for (flow_node *node = branch; node != NULL; node = flow__tree_next(branch, node)) {
        lose_one(world, node, cause, held);
    }
}

/* The composition has its result: from that branch, or from all of them. */
void flow__settle_by(flow_world *world, flow_node *node, flow_node *by, flow_losers *held)
{
    node->flags |= FLOW_NODE_SETTLED;
    node->code = by->code;
    if (by->flags & FLOW_NODE_SAYS) {
        node->flags |= FLOW_NODE_SAYS;
        node->on.message = by->on.message;
    }
    flow_fault *fault = flow__fault_of_node(by);
    if (fault != NULL) {
        flow__fault_to_node(fault, node);
    }
    if (!flow__is_all(node) && node->to.out != NULL && by->branch != FLOW_NO_BRANCH) {
        *(int *)node->to.out = flow__branch_tag(node, by->branch);
    }
    flow_cause cause = flow__is_all(node)            ? FLOW_CAUSE_FAULT
                       : node->kind == FLOW_NODE_ANY ? FLOW_CAUSE_NONE
                                                     : FLOW_CAUSE_RACE_LOST;
    bool whole =
        flow__is_all(node) && by->code == 0; /* then nobody loses, nor what it has received */
    for (flow_node *branch = node->prev; branch != NULL && !whole; branch = branch->sibling) {
        if (branch != by) {
            flow__branch_lose(world, branch, cause, held);
        }
    }
}

/* The root is settled: its flow's turn comes, once. */
static void owner_due(flow_world *world, flow_node *root)
{
    flow_task *task = root->up.task;
    if (task->kind_ == FLOW_KIND_NODE && task->pos_ == flow__node_id(root)) {
        task->budget_ = task->pos_;
        task->flags_ |= FLOW_TASK_RESULT;
        flow__queue_ready(world, task);
    }
}

/* How a branch that is no call ended, as a value. */
flow_outcome flow__branch_outcome(const flow_node *branch)
{
    const flow_fault *fault = flow__fault_of_node(branch);
    if (fault != NULL) {
        return flow__outcome_of_fault(fault);
    }
    if (branch->code == 0) {
        return (flow_outcome){.state = FLOW_STATE_DONE};
    }
    return (flow_outcome){.state = FLOW_STATE_FAILED,
                          .code = branch->code,
                          .message = flow__node_result(branch).message};
}

/* A called flow has told already. */
static void outcome_keep(flow_world *world, const flow_node *node, flow_node *branch)
{
    flow_outcome *outcomes = node->to.out;
    if (outcomes != NULL && !(branch->flags & FLOW_NODE_OWNS)) {
        outcomes[branch->branch] = flow__branch_outcome(branch);
    }
    flow_fault *fault = flow__fault_of_node(branch);
    if (fault != NULL) {
        flow__fault_free(world, fault);
    }
    branch->code = 0;
}

/* One branch counts as ended; true: the composition is settled by it. *late: its failure, where
 * nobody is there to take it any more. */
bool flow__branch_counts(flow_world *world, flow_node *node, flow_node *branch, flow_fault **late,
                         flow_losers *held)
{
    node->pos--;
    if (node->kind == FLOW_NODE_EACH) {
        return false;
    }
    if (node->flags & FLOW_NODE_SETTLED) {
        *late = flow__fault_of_node(branch);
        if (*late != NULL) {
            flow__fault_detach(*late);
        }
        return false;
    }
    if (node->kind == FLOW_NODE_ALL_SETTLED) {
        outcome_keep(world, node, branch);
    }
    if (flow__is_all(node) ? branch->code != 0 || node->pos == 0 : true) {
        if (!flow__is_all(node) && branch->code == FLOW_CANCELLED &&
            (branch->flags & FLOW_NODE_OWNS) && flow__fault_of_node(branch) == NULL) {
            branch->code = 0; /* a call that ended cancelled by itself settles a race */
        }
        flow__settle_by(world, node, branch, held);
        return true;
    }
    return false;
}

/* Told last: the host may end the flow, and with it all of the composition. */
void flow__late_report(flow_world *world, flow_fault *late)
{
    if (late != NULL) {
        flow__fault_report(world, late, FLOW_FAILURE_UNDELIVERED);
    }
}

/* Is it a leaf in which nothing is kept that its flow could still take or give back? */
static bool is_plain_leaf(const flow_node *node)
{
    return node->kind <= FLOW_NODE_SIGNAL ||
           (node->kind == FLOW_NODE_JOIN && !(node->flags & FLOW_NODE_OWNS));
}

/* A race of leaves is over with the first that ends well: nothing of it is left that the flow would
 * have to see to in its turn, so all nodes are free here and now. False: it is not of that sort. */
static bool race_over(flow_world *world, flow_node *root, flow_node *by)
{
    flow_task *task = root->up.task;
    bool race = root->kind == FLOW_NODE_RACE || root->kind == FLOW_NODE_TIMEOUT;
    if (!race || root->flags != 0 || by->code != 0 || by->kind != FLOW_NODE_DONE ||
        by->flags != FLOW_NODE_HAS_PARENT || task->kind_ != FLOW_KIND_NODE) {
        return false;
    }
    for (const flow_node *branch = root->prev; branch != NULL; branch = branch->sibling) {
        if (branch != by && !is_plain_leaf(branch)) {
            return false;
        }
    }
    if (root->to.out != NULL) {
        *(int *)root->to.out = by->branch;
    }
    for (flow_node *branch = root->prev, *next; branch != NULL; branch = next) {
        next = branch->sibling;
        if (branch != by) {
            flow__leaf_unlink(world, branch);
        }
        flow__node_push(world, branch);
    }
    task->budget_ = root->kind; /* why it resumes */
    flow__node_push(world, root);
    flow__queue_ready(world, task);
    return true;
}

void flow__branch_done(flow_world *world, flow_node *branch)
{
    if (!(branch->up.parent->flags & FLOW_NODE_HAS_PARENT) &&
        race_over(world, branch->up.parent, branch)) {
        return;
    }
    flow_node *node = branch, *top = branch; /* top: the branch of the root */
    flow_fault *late = NULL;
    bool settled = true;
    flow_losers held = {NULL, NULL};
    while (node->flags & FLOW_NODE_HAS_PARENT) {
        flow_node *parent = node->up.parent;
        settled = settled && flow__branch_counts(world, parent, node, &late, &held);
        if (settled && (parent->flags & FLOW_NODE_STARTING)) {
            flow__losers_return(world, parent, &held);
            return; /* whoever starts the branches sees that it is settled */
        }
        top = node;
        node = parent;
    }
    flow__losers_return(world, node, &held);
    if (node->kind == FLOW_NODE_EACH) {
        flow__each_told(world, top);
    } else if (flow__is_composition(node) &&
               (node->flags & (FLOW_NODE_SETTLED | FLOW_NODE_STARTING)) == FLOW_NODE_SETTLED) {
        bool closing = node->flags & FLOW_NODE_CLOSED;
        if (!closing || !still_alive(node)) {
            owner_due(world, node);
        }
    }
    flow__late_report(world, late);
}

/* ---- ending ---- */

/* Unwinds what the settled composition has left alive. True: nothing is left. The root is told of
 * ends from now on. */
bool flow__compose_close(flow_world *world, flow_node *root)
{
    for (flow_node *node = root; node != NULL; node = flow__tree_next(root, node)) {
        if (flow__is_composition(node)) {
            node->flags |= FLOW_NODE_CLOSED;
        } else if (flow__call_lives(node)) {
            flow__unwind_marked(world, node->on.object);
        }
    }
    return flow__call_alive(root) == NULL;
}

/* Takes its branches off a composition: leaves leave what they wait for, called flows stay their
 * owner's children. */
void flow__branches_drop(flow_world *world, flow_node *root)
{
    flow_node *node = root;
    for (;;) {
        flow_node *branch = node->prev;
        if (branch != NULL) {
            node->prev = branch->sibling;
            if (flow__is_composition(branch)) {
                node = branch;
            } else {
                flow__node_drop(world, branch);
            }
        } else if (node == root) {
            return;
        } else {
            branch = node;
            node = node->up.parent;
            flow__node_drop(world, branch);
        }
    }
}

void flow__compose_drop(flow_world *world, flow_node *root)
{
    flow__branches_drop(world, root);
    if (root->flags & FLOW_NODE_FROM_SET) {
        flow__branches_free(root->to_start.branches);
    }
    flow__node_give(world, root);
}
