/* SPDX-License-Identifier: MIT */
/* The reference's sets, and flow_each. */
#include "naive.h"

/* ---- clearing ---- */

/* Its calls are cancelled, the youngest first. */
static void each_cancel(nwait *wait)
{
    if (wait->owns && wait->on) {
        (void)cancel(wait->target, FLOW_CAUSE_EXPLICIT);
    }
    for (int i = wait->branches.count; i-- > 0;) {
        each_cancel(wait->branches.item[i]);
    }
}

/* A failure that was not told is nobody's. */
static void untold_report(const nset *set)
{
    vec ended = vec_copy(&set->ended);
    for (int i = 0; i < ended.count; i++) {
        const nwait *branch = ended.item[i];
        if (branch->fault != NULL) {
            report(branch->fault, FLOW_FAILURE_UNDELIVERED);
        }
    }
}

void set_clear(nset *set)
{
    vec branches = set->branches;
    nwait *each = set->each;
    set->code = 0;
    set->branches = (vec){0};
    for (int i = 0; i < branches.count; i++) {
        wait_discard(branches.item[i]);
    }
    if (each != NULL) {
        each_cancel(each);
        untold_report(set);
    }
    set->count = set->taken = 0;
    set->each = NULL;
    set->ended = (vec){0};
    if (each != NULL) {
        wait_drop(each);
    }
}

void set_end(nset *set)
{
    set_clear(set);
    set->begun = false;
}

/* ---- awaiting all of it ---- */

/* Its branches become those of the composition. Not 0: it cannot be awaited. */
int set_take(nwait *node)
{
    nset *set = node->set;
    int code = !set->begun || (set->code == 0 && set->each != NULL) ? FLOW_MISUSE : set->code;
    if (code != 0) {
        node->set = NULL;
        if (set->begun) {
            set_clear(set);
        }
        return code;
    }
    vec branches = set->branches;
    set->branches = (vec){0};
    set->count = set->taken = 0;
    for (int i = 0; i < branches.count; i++) {
        branch_add(node, branches.item[i]);
    }
    node->set = NULL;
    return 0;
}

/* ---- one by one ---- */

static void item_write(const nwait *branch)
{
    flow_outcome outcome = {.state = FLOW_STATE_DONE};
    if (branch->fault != NULL || branch->code != 0) {
        outcome.state = FLOW_STATE_FAILED;
        outcome.code = branch->fault != NULL ? branch->fault->code : branch->code;
    }
    if (branch->owns && branch->fault == NULL && branch->code == FLOW_CANCELLED) {
        outcome = (flow_outcome){.state = FLOW_STATE_CANCELLED};
    }
    branch->run->item = (flow_each_item){branch->tag, branch->number, outcome};
}

/* Its flow has taken it: what the branch had received is the flow's. */
static void branch_over(nset *set, nwait *branch)
{
    values_taken(branch);
    wait_drop(branch);
    branch->fault = NULL;
    set->taken++;
    if (set->taken == set->count) {
        set_clear(set);
    }
}

/* A composition has settled: its calls that have lost are unwound when nothing is running. */
static void losers_put_off(const nwait *wait)
{
    if (wait->owns && wait->on && !ends_by_itself(wait->target, FLOW_CAUSE_RACE_LOST) &&
        !vec_has(&model.marked, wait->target)) {
        vec_push(&model.put_off, wait->target);
    }
    for (int i = wait->branches.count; i-- > 0;) {
        losers_put_off(wait->branches.item[i]);
    }
}

static bool all_over(nwait *branch)
{
    if (!is_composition(branch)) {
        return true;
    }
    if (!branch->settled || branch->starting) {
        return false;
    }
    if (!branch->closed) {
        branch->closed = true;
        losers_put_off(branch);
    }
    return !is_alive(branch);
}

/* Something in a branch has ended, and so perhaps the branch. */
void each_told(nwait *branch)
{
    nset *set = branch->parent->set;
    nwait *waiter = set->waiter;
    if (!all_over(branch)) {
        return;
    }
    if (waiter == NULL) {
        vec_push(&set->ended, branch);
        return;
    }
    set->waiter = NULL;
    waiter->on = false;
    waiter->told = branch;
    waiter->has_value = true;
    item_write(branch);
    wait_end(waiter, 0, false);
}

/* Starts what was added since the last time. */
static void each_start(nset *set, nflow *flow, struct run *run)
{
    vec branches = set->branches;
    set->branches = (vec){0};
    if (set->each == NULL) {
        set->each = wait_new(flow, run, (wait_kind)W_EACH_ROOT, 0, 0);
        set->each->set = set;
    }
    nwait *root = set->each;
    root->starting = true;
    root->open++;
    for (int i = 0; i < branches.count; i++) {
        branch_add(root, branches.item[i]);
        begin_branch(root, branches.item[i]);
    }
    root->starting = false;
    root->open--;
}

begun each_wait(nwait *wait)
{
    nset *set = wait->set;
    if (!set->begun) {
        return failed(wait, FLOW_CLOSED);
    }
    if (set->code != 0) {
        int code = set->code;
        set_clear(set);
        return failed(wait, code);
    }
    if (set->count == 0) {
        wait->run->item = (flow_each_item){.tag = -1, .index = -1};
        return BEGUN_DONE;
    }
    each_start(set, wait->flow, wait->run);
    if (set->ended.count == 0) {
        set->waiter = wait;
        wait->on = true;
        return BEGUN_WAITS;
    }
    nwait *branch = set->ended.item[0];
    vec_remove(&set->ended, branch);
    item_write(branch);
    if (wait->parent != NULL) { /* others may settle it before its flow goes on */
        wait->told = branch;
        wait->has_value = true;
    } else {
        branch_over(set, branch);
    }
    return BEGUN_DONE;
}

void each_taken(nwait *wait)
{
    wait->has_value = false;
    branch_over(wait->set, wait->told);
}

/* The next such wait gets it. */
void each_give_back(nwait *wait)
{
    nset *set = wait->set;
    vec ended = {0};
    wait->has_value = false;
    vec_push(&ended, wait->told);
    for (int i = 0; i < set->ended.count; i++) {
        vec_push(&ended, set->ended.item[i]);
    }
    set->ended = ended;
}

/* ---- what bodies do with them ---- */

static nset *set_of(const struct run *run)
{
    return &((nflow *)run->flow)->top->set;
}

int naive_set_begin(struct run *run)
{
    nset *set = set_of(run);
    if (set->begun) {
        set_clear(set);
    } else {
        set->begun = true;
        resource_add(run, R_SET, set);
    }
    return FLOW_OK;
}

/* What a composition takes from the set it takes when it is added. Not 0: it cannot. */
static int sets_taken(nwait *wait)
{
    int code = is_composition(wait) && wait->set != NULL ? set_take(wait) : 0;
    for (int i = 0; code == 0 && i < wait->branches.count; i++) {
        code = sets_taken(wait->branches.item[i]);
    }
    return code;
}

void naive_set_add(struct run *run, const struct ins *ins)
{
    nset *set = set_of(run);
    nwait *wait = prepare_branch(run->flow, run, ins->wait);
    int code = set->begun ? set->code : FLOW_MISUSE;
    if (code == 0) {
        code = sets_taken(wait);
        set->code = code;
    }
    if (code != 0) {
        wait_discard(wait);
        return;
    }
    wait->tag = ins->a;
    wait->number = set->count++;
    vec_push(&set->branches, wait);
}

void naive_set_clear(struct run *run)
{
    set_clear(set_of(run));
}

int naive_set_left(struct run *run)
{
    return set_of(run)->count - set_of(run)->taken;
}
