/* SPDX-License-Identifier: MIT */
/*
 * Composition. A race, all or timeout is a tree of nodes: leaves wait as any leaf does, a called
 * branch is a child flow with a JOIN node on its end. When a branch ends, its composition is told,
 * and when that has its result, the one around it, up to the root, whose flow is then queued. At
 * that moment the losing leaves are out of everything, and the losing calls are marked so that
 * nothing of them resumes; they are unwound at the start of the owner's turn, the youngest first.
 */
#include "private.h"

static bool is_all(const flow_node *node)
{
    return node->kind == FLOW_NODE_ALL || node->kind == FLOW_NODE_ALL_SETTLED;
}

/* ---- while the arguments are evaluated ---- */

/* From here to the matching flow_compose_ the flow's calls become child flows: no open segment has
 * room for their frames. */
void flow_compose_begin_(flow_task *flow)
{
    flow_world *world = flow__world_of(flow);
    if (world->composing.task != flow) {
        world->composing.task = flow;
        world->composing.sp = flow->sp_;
        world->composing.depth = 0;
        flow->sp_ = NULL;
    }
    world->composing.depth++;
}

static void compose_evaluated(flow_task *flow)
{
    flow_world *world = flow__world_of(flow);
    if (--world->composing.depth == 0) {
        flow->sp_ = world->composing.sp;
        world->composing.task = NULL;
    }
}

flow_wait flow_compose_(flow_task *flow, flow_wait_kind_ kind, const flow_wait *branches, void *out)
{
    union {
        const flow_wait *given;
        void *object;
    } list;
    compose_evaluated(flow);
    list.given = branches;
    return flow_wait_of_(kind, 0, list.object, out);
}

flow_wait flow_compose_timeout_(flow_task *flow, int *timed_out, flow_clock clock, double seconds,
                                const flow_wait *wait)
{
    flow_wait w = flow_compose_(flow, FLOW_WAIT_TIMEOUT_, wait, timed_out);
    w.code_ = (int32_t)clock;
    w.seconds_ = seconds;
    return w;
}

flow_wait flow_compose_on_clock_(flow_task *flow, flow_clock clock, const flow_wait *wait)
{
    flow_wait w = flow_compose_(flow, FLOW_WAIT_ON_CLOCK_, wait, NULL);
    w.code_ = (int32_t)clock;
    return w;
}

/* Frees the flows that were made for a wait which will not be awaited. */
void flow__wait_discard(flow_world *world, const flow_wait *wait)
{
    if (wait->kind_ == FLOW_WAIT_CALL_ && wait->code_ == FLOW_CALL_CHILD) {
        flow__task_discard(world, flow__task_of_frame(wait->object_));
    } else if (wait->kind_ >= FLOW_WAIT_RACE_) {
        for (const flow_wait *w = wait->object_; w->kind_ != FLOW_WAIT_LAST_; w++) {
            flow__wait_discard(world, w);
        }
    }
}

/* ---- settling ---- */

/* A losing branch receives nothing more. Its calls are marked; or they live on, as children of
 * their scope, when cause is NONE. */
static void lose(flow_world *world, flow_node *node, flow_cause cause)
{
    if (flow__is_composition(node)) {
        node->flags |= FLOW_NODE_SETTLED;
        for (flow_node *branch = node->prev; branch != NULL; branch = branch->sibling) {
            lose(world, branch, cause);
        }
    } else if (cause != FLOW_CAUSE_NONE && node->kind == FLOW_NODE_JOIN &&
               (node->flags & FLOW_NODE_OWNS)) {
        flow__mark(world, node->on.object, cause);
    } else {
        flow__leaf_unlink(world, node);
    }
}

/* The composition has its result: from that branch, or from all of them. */
static void settle(flow_world *world, flow_node *node, flow_node *by)
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
    if (!is_all(node) && node->to.out != NULL) {
        *(int *)node->to.out = by->branch;
    }
    flow_cause cause = is_all(node)                  ? FLOW_CAUSE_FAULT
                       : node->kind == FLOW_NODE_ANY ? FLOW_CAUSE_NONE
                                                     : FLOW_CAUSE_RACE_LOST;
    bool whole = is_all(node) && by->code == 0; /* then nobody loses, nor what it has received */
    for (flow_node *branch = node->prev; branch != NULL && !whole; branch = branch->sibling) {
        if (branch != by) {
            lose(world, branch, cause);
        }
    }
}

/* A called flow of the composition that has not ended. */
static flow_task *alive(const flow_node *node)
{
    if (!flow__is_composition(node)) {
        return node->kind == FLOW_NODE_JOIN && (node->flags & FLOW_NODE_OWNS) ? node->on.object
                                                                              : NULL;
    }
    flow_task *found = NULL;
    for (const flow_node *branch = node->prev; branch != NULL && found == NULL;
         branch = branch->sibling) {
        found = alive(branch);
    }
    return found;
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

/* How a branch ended is a value here; a called flow has told already. */
static void outcome_keep(flow_world *world, const flow_node *node, flow_node *branch)
{
    flow_outcome *outcomes = node->to.out;
    flow_fault *fault = flow__fault_of_node(branch);
    if (outcomes != NULL && !(branch->flags & FLOW_NODE_OWNS)) {
        outcomes[branch->branch] = (flow_outcome){.state = FLOW_STATE_DONE};
        if (branch->code != 0) {
            outcomes[branch->branch] =
                fault ? flow__outcome_of_fault(fault)
                      : (flow_outcome){.state = FLOW_STATE_FAILED,
                                       .code = branch->code,
                                       .message = flow__node_result(branch).message};
        }
    }
    if (fault != NULL) {
        flow__fault_free(world, fault);
    }
    branch->code = 0;
}

/* One branch counts as ended; true: the composition is settled by it. */
static bool branch_counts(flow_world *world, flow_node *node, flow_node *branch)
{
    node->pos--;
    if (node->flags & FLOW_NODE_SETTLED) {
        flow_fault *fault = flow__fault_of_node(branch);
        if (fault != NULL) {
            flow__fault_report(world, fault, FLOW_FAILURE_UNDELIVERED);
        }
        return false;
    }
    if (node->kind == FLOW_NODE_ALL_SETTLED) {
        outcome_keep(world, node, branch);
    }
    if (is_all(node) ? branch->code != 0 || node->pos == 0 : true) {
        if (!is_all(node) && branch->code == FLOW_CANCELLED && (branch->flags & FLOW_NODE_OWNS) &&
            flow__fault_of_node(branch) == NULL) {
            branch->code = 0; /* a call that ended cancelled by itself settles a race */
        }
        settle(world, node, branch);
        return true;
    }
    return false;
}

void flow__branch_done(flow_world *world, flow_node *branch)
{
    flow_node *node = branch;
    while (node->flags & FLOW_NODE_HAS_PARENT) {
        flow_node *parent = node->up.parent;
        if (!branch_counts(world, parent, node)) {
            while (parent->flags & FLOW_NODE_HAS_PARENT) {
                parent = parent->up.parent;
            }
            node = parent;
            break;
        }
        node = parent;
        if (node->flags & FLOW_NODE_STARTING) {
            return; /* whoever starts the branches sees that it is settled */
        }
    }
    if ((node->flags & (FLOW_NODE_SETTLED | FLOW_NODE_STARTING)) == FLOW_NODE_SETTLED) {
        bool closing = node->flags & FLOW_NODE_CLOSED;
        if (!closing || alive(node) == NULL) {
            owner_due(world, node);
        }
    }
}

/* ---- starting ---- */

static flow_begun begin_composition(flow_world *world, flow_task *flow, const flow_wait *wait,
                                    flow_node *node, flow_result *result);

static flow_begun begin_call(flow_world *world, const flow_task *flow, flow_task *child,
                             flow_node *node, flow_result *result)
{
    const flow_node *parent = node->up.parent;
    flow_outcome *outcomes = parent->kind == FLOW_NODE_ALL_SETTLED ? parent->to.out : NULL;
    node->flags |= FLOW_NODE_OWNS;
    node->to.out = outcomes ? &outcomes[node->branch] : NULL;
    child->clock_ = flow->clock_; /* or the one lent to it: see begin_on_clock */
    flow__joiners_add(world, child, node);
    flow__task_start(world, child);
    if (node->kind != FLOW_NODE_DONE) {
        return FLOW_BEGUN_WAITS;
    }
    *result = flow__node_result(node);
    return result->code == 0 ? FLOW_BEGUN_DONE : FLOW_BEGUN_FAILED;
}

static flow_begun begin_branch(flow_world *world, flow_task *flow, const flow_wait *wait,
                               flow_node *node, flow_result *result);

/* While a wait begins on another clock, that is the flow's own: what begins stands in its lanes. */
static flow_begun begin_on_clock(flow_world *world, flow_task *flow, const flow_wait *wait,
                                 flow_node *node, flow_result *result)
{
    uint16_t own = flow->clock_;
    if (!flow__clock_lend(world, flow, wait, result)) {
        flow__wait_discard(world, wait);
        return FLOW_BEGUN_FAILED;
    }
    flow_begun begun = begin_branch(world, flow, wait->object_, node, result);
    flow__clock_take_back(world, flow, own);
    return begun;
}

static flow_begun begin_branch(flow_world *world, flow_task *flow, const flow_wait *wait,
                               flow_node *node, flow_result *result)
{
    if (wait->kind_ == FLOW_WAIT_CALL_ && wait->code_ == FLOW_CALL_CHILD) {
        return begin_call(world, flow, flow__task_of_frame(wait->object_), node, result);
    }
    if (wait->kind_ == FLOW_WAIT_CALL_ && wait->code_ != 0) {
        *result = (flow_result){wait->code_, "no memory for a called flow", NULL};
        return FLOW_BEGUN_FAILED;
    }
    if (wait->kind_ == FLOW_WAIT_ON_CLOCK_) {
        return begin_on_clock(world, flow, wait, node, result);
    }
    if (wait->kind_ >= FLOW_WAIT_RACE_) {
        return begin_composition(world, flow, wait, node, result);
    }
    return flow__leaf_begin(world, flow, wait, node, result);
}

static bool stopped(const flow_node *node, const flow_task *flow)
{
    for (;; node = node->up.parent) {
        if (node->flags & FLOW_NODE_SETTLED) {
            return true;
        }
        if (!(node->flags & FLOW_NODE_HAS_PARENT)) {
            break;
        }
    }
    return (flow->flags_ & (FLOW_TASK_CANCELLED | FLOW_TASK_CHILD_FAULT)) &&
           !(flow->flags_ & FLOW_TASK_PROTECTED);
}

/* Starts one branch, unless the composition is settled by now. */
static void begin_next(flow_world *world, flow_task *flow, const flow_wait *wait, flow_node *node,
                       uint16_t index)
{
    if (stopped(node, flow)) {
        flow__wait_discard(world, wait);
        return;
    }
    flow_result result = {0, NULL, NULL};
    flow_node *branch = flow__node_take(world);
    if (branch == NULL) {
        flow_node none = {.code = FLOW_NOMEM, .branch = index};
        flow__wait_discard(world, wait);
        settle(world, node, &none);
        return;
    }
    branch->up.parent = node;
    branch->flags = FLOW_NODE_HAS_PARENT;
    branch->branch = index;
    branch->sibling = node->prev;
    node->prev = branch;
    node->pos++;
    flow_begun begun = begin_branch(world, flow, wait, branch, &result);
    if (begun == FLOW_BEGUN_FAILED && result.fault == NULL) {
        flow_fault *fault = flow__fault_new(world, flow, result.code, result.message);
        flow__fault_to_node(fault, branch);
    }
    bool told = branch->flags & FLOW_NODE_OWNS;
    if (begun == FLOW_BEGUN_WAITS && !told && (node->flags & FLOW_NODE_SETTLED)) {
        lose(world, branch, FLOW_CAUSE_RACE_LOST); /* its own predicate settled the composition */
        return;
    } /* its end has told the composition already */
    if (begun != FLOW_BEGUN_WAITS && !told) {
        if (!flow__is_composition(branch) && branch->kind != FLOW_NODE_HELD) {
            branch->kind = FLOW_NODE_DONE;
        }
        branch->code = result.code;
        (void)branch_counts(world, node, branch);
    }
}

/* Starts the branches of a composition in written order. DONE and FAILED: it is settled, though
 * losers may live. */
static flow_begun begin_composition(flow_world *world, flow_task *flow, const flow_wait *wait,
                                    flow_node *node, flow_result *result)
{
    static const uint8_t kinds[] = {FLOW_NODE_RACE, FLOW_NODE_ALL, FLOW_NODE_ALL_SETTLED,
                                    FLOW_NODE_ANY, FLOW_NODE_TIMEOUT};
    const flow_wait *list = wait->object_;
    uint32_t count = 0;
    node->kind = kinds[wait->kind_ - FLOW_WAIT_RACE_];
    node->flags |= FLOW_NODE_STARTING;
    node->to.out = wait->out_;
    node->pos = 1; /* holds an `all` open until every branch has begun */
    node->seq = ++world->seq;
    while (list[count].kind_ != FLOW_WAIT_LAST_ && count < UINT16_MAX) {
        begin_next(world, flow, &list[count], node, (uint16_t)count);
        count++;
    }
    if (wait->kind_ == FLOW_WAIT_TIMEOUT_) {
        flow_wait timer = flow_seconds_on((flow_clock)wait->code_, wait->seconds_);
        begin_next(world, flow, &timer, node, (uint16_t)count++);
    }
    node->flags &= (uint8_t)~FLOW_NODE_STARTING;
    node->pos--;
    if (!(node->flags & FLOW_NODE_SETTLED) && node->pos == 0 && !stopped(node, flow)) {
        node->flags |= FLOW_NODE_SETTLED;
        node->code = is_all(node) ? FLOW_OK : FLOW_EMPTY;
    }
    if (!(node->flags & FLOW_NODE_SETTLED)) {
        return FLOW_BEGUN_WAITS;
    }
    *result = flow__node_result(node);
    return node->code == 0 ? FLOW_BEGUN_DONE : FLOW_BEGUN_FAILED;
}

int flow__compose_begin(flow_task *flow, flow_frame *self, const flow_wait *wait)
{
    flow_world *world = flow__world_of(flow);
    flow_node *root = flow__node_take(world);
    flow_result result = {0, NULL, NULL};
    if (root == NULL) {
        flow__wait_discard(world, wait);
        return flow__fault_raise(flow, self, FLOW_NOMEM, "no memory for a composition");
    }
    self->flags_ |= FLOW_FRAME_CHILDREN;
    root->up.task = flow;
    root->flags = FLOW_NODE_STARTING; /* the root itself is not to queue its flow yet */
    flow_begun begun = begin_composition(world, flow, wait, root, &result);
    if (begun != FLOW_BEGUN_WAITS) {
        flow__compose_close(world, flow, root);
    }
    if (flow->flags_ != 0 && flow__stop_if_cancelled(flow)) {
        flow__compose_drop(world, root);
        return 1;
    }
    if (begun == FLOW_BEGUN_WAITS || alive(root) != NULL) {
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

/* ---- ending ---- */

/* Unwinds what the settled composition has left alive. True: nothing is left. The root is told of
 * ends from now on. */
bool flow__compose_close(flow_world *world, flow_task *task, flow_node *root)
{
    (void)task;
    root->flags |= FLOW_NODE_CLOSED;
    for (flow_node *branch = root->prev; branch != NULL; branch = branch->sibling) {
        if (flow__is_composition(branch)) {
            (void)flow__compose_close(world, task, branch);
        } else if (alive(branch) != NULL) {
            flow__unwind_marked(world, branch->on.object);
        }
    }
    return alive(root) == NULL;
}

/* Takes a composition apart: leaves leave what they wait for, called flows stay their owner's
 * children. */
void flow__compose_drop(flow_world *world, flow_node *root)
{
    flow_node *branch = root->prev;
    while (branch != NULL) {
        flow_node *older = branch->sibling;
        flow_fault *fault = flow__fault_of_node(branch);
        if (fault != NULL) {
            flow__fault_free(world, fault);
        }
        if (flow__is_composition(branch)) {
            flow__compose_drop(world, branch);
        } else {
            flow__leaf_drop(world, branch);
        }
        branch = older;
    }
    flow__node_give(world, root);
}
