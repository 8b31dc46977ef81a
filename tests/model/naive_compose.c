/* SPDX-License-Identifier: MIT */
/* The reference's compositions. */
#include "naive.h"

static bool is_all(const nwait *wait)
{
    return wait->kind == W_ALL || wait->kind == W_SETTLED || wait->kind == W_ON_CLOCK;
}

/* A losing branch receives nothing more. Its calls resume no more, or live on where cause is NONE.
 */
static void lose(nwait *wait, flow_cause cause, vec *holders)
{
    if (is_composition(wait)) {
        wait->settled = true;
        for (int i = wait->branches.count; i-- > 0;) {
            lose(wait->branches.item[i], cause, holders);
        }
    } else if (wait->owns && wait->on && cause != FLOW_CAUSE_NONE) {
        mark_tree(wait->target, cause);
    } else if (wait->has_value) {
        vec_push(holders, wait);
    } else {
        leaf_drop(wait);
    }
}

/* What losers have received goes back when all has settled that is to settle. */
static void values_return(const vec *holders)
{
    for (int i = 0; i < holders->count; i++) {
        leaf_drop(holders->item[i]);
    }
}

static void settle(nwait *node, nwait *by, vec *holders)
{
    flow_cause cause = is_all(node)          ? FLOW_CAUSE_FAULT
                       : node->kind == W_ANY ? FLOW_CAUSE_NONE
                                             : FLOW_CAUSE_RACE_LOST;
    node->settled = true;
    node->code = by->code;
    node->fault = by->fault;
    by->fault = NULL;
    if (!is_all(node)) {
        node->run->index[node->spec->place] = by->tag;
    }
    for (int i = node->branches.count; i-- > 0 && !(is_all(node) && node->code == 0);) {
        if (node->branches.item[i] != by) {
            lose(node->branches.item[i], cause, holders);
        }
    }
}

static void outcome_kept(nwait *node, nwait *branch)
{
    struct run *run = node->run;
    flow_outcome unasked, *outcome = &unasked;
    if (node->spec->kind != W_OF_SET) {
        outcome = &run->settled[node->spec->place][branch->branch];
    } else if (!node->spec->b) {
        outcome = &run->of_set[branch->branch];
    }
    if (branch->owns) {
        *outcome = branch->target->outcome;
    } else {
        *outcome = (flow_outcome){.state = branch->code ? FLOW_STATE_FAILED : FLOW_STATE_DONE,
                                  .code = branch->code};
    }
    branch->code = 0;
    branch->fault = NULL;
}

/* One branch has ended; true: that settles the composition. *late: its failure, if it was settled
 * before. */
static bool branch_counts(nwait *node, nwait *branch, nfault **late, vec *holders)
{
    node->open--;
    if (node->kind == (wait_kind)W_EACH_ROOT) {
        return false;
    }
    if (node->settled) {
        *late = branch->fault;
        branch->fault = NULL;
        return false;
    }
    if (node->kind == W_SETTLED) {
        outcome_kept(node, branch);
    }
    if (is_all(node) && branch->code == 0 && node->open > 0) {
        return false;
    }
    if (!is_all(node) && branch->owns && branch->fault == NULL && branch->code == FLOW_CANCELLED) {
        branch->code = 0; /* a call that ended cancelled by itself settles a race */
    }
    settle(node, branch, holders);
    return true;
}

bool is_alive(const nwait *wait)
{
    bool alive = wait->owns && wait->on;
    for (int i = 0; i < wait->branches.count; i++) {
        alive = alive || is_alive(wait->branches.item[i]);
    }
    return alive;
}

/* Those around it learn of the end of a branch, as far as they are settled by it. */
void composition_told(nwait *branch)
{
    nwait *root = branch, *top = branch; /* top: the branch of the root */
    nfault *late = NULL;
    vec holders = {0};
    while (root->parent != NULL) {
        top = root;
        root = root->parent;
    }
    for (nwait *node = branch; node->parent != NULL; node = node->parent) {
        if (!branch_counts(node->parent, node, &late, &holders)) {
            break;
        }
        if (node->parent->starting) {
            values_return(&holders);
            return; /* who starts the branches sees it */
        }
    }
    values_return(&holders);
    nflow *flow = root->flow;
    if (root->kind == (wait_kind)W_EACH_ROOT) {
        each_told(top);
    } else if (root->settled && !root->starting && flow->wait == root &&
               flow->doing == IS_WAITING && (!root->closed || !is_alive(root))) {
        flow->has_result = true;
        queue(flow);
    }
    if (late != NULL) {
        report(late, FLOW_FAILURE_UNDELIVERED);
    }
}

/* No more branches begin: it is settled, or its flow is to leave. */
static bool is_stopped(const nwait *node)
{
    for (const nwait *at = node; at != NULL; at = at->parent) {
        if (at->settled) {
            return true;
        }
    }
    return must_leave(node->flow);
}

void begin_branch(nwait *node, nwait *branch)
{
    if (is_stopped(node)) {
        wait_discard(branch);
        branch->kind = W_READY;
        branch->branches.count = 0;
        return;
    }
    vec holders = {0};
    node->open++;
    begun how = wait_begin(branch);
    if (how == BEGUN_FAILED && branch->fault == NULL) {
        branch->fault = fault_new(branch->code);
    }
    if (how == BEGUN_WAITS && !branch->owns && node->settled) {
        lose(branch, FLOW_CAUSE_RACE_LOST, &holders); /* its own predicate settled it */
        values_return(&holders);
    } else if (how != BEGUN_WAITS) {
        nfault *late = NULL;
        (void)branch_counts(node, branch, &late, &holders);
        values_return(&holders);
        if (node->kind == (wait_kind)W_EACH_ROOT) {
            each_told(branch);
        }
        if (late != NULL) {
            report(late, FLOW_FAILURE_UNDELIVERED);
        }
    }
}

begun begin_composition(nwait *node)
{
    int code = node->set != NULL ? set_take(node) : 0;
    if (code != 0) {
        node->settled = true;
        return failed(node, code);
    }
    node->starting = true;
    node->open = 1;
    for (int i = 0; i < node->branches.count; i++) {
        begin_branch(node, node->branches.item[i]);
    }
    node->starting = false;
    node->open--;
    if (!node->settled && node->open == 0 && !is_stopped(node)) {
        node->settled = true; /* nothing, or all of it done */
        node->code = is_all(node) ? 0 : FLOW_EMPTY;
    }
    if (!node->settled) {
        return BEGUN_WAITS;
    }
    return node->code == 0 ? BEGUN_DONE : BEGUN_FAILED;
}

/* Unwinds the calls that have lost, the youngest first. True: none is left. */
bool composition_close(nwait *root)
{
    root->closed = true;
    for (int i = root->branches.count; i-- > 0;) {
        nwait *branch = root->branches.item[i];
        if (is_composition(branch)) {
            (void)composition_close(branch);
        } else if (branch->owns && branch->on && !is_on_stack(branch->target) &&
                   !ends_by_itself(branch->target, FLOW_CAUSE_RACE_LOST)) {
            unwind(branch->target, FLOW_CAUSE_RACE_LOST);
        }
    }
    return !is_alive(root);
}
