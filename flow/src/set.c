/* SPDX-License-Identifier: MIT */
/*
 * Sets. A branch that is to be started is a node that holds its wait, so that starting it needs no
 * memory for the branch itself; the nodes and the tags stand in a block that passes from the set to
 * the composition that awaits it. Compositions that are added are taken apart into such blocks,
 * because the list of one as written lasts no longer than the statement.
 *
 * flow_each makes a composition that never settles: it belongs to the set, and the branches that
 * have ended queue there until a wait on the set's record takes them.
 */
#include "private.h"

enum { BRANCH_LIMIT = UINT16_MAX, FIRST_ROOM = 8, SET_NO_MEMORY = 1 };

struct flow_branches {
    uint32_t first, last; /* nodes to be started, linked by pos; 0: none */
    uint32_t count;       /* branches that were added */
    uint32_t room;        /* of tags */
    uint32_t taken;       /* branches that flow_each has told of */
    bool held;            /* a wait has one that its flow has yet to take */
    flow_node *each;      /* its composition, and the record of the set */
    flow_node *record;
    flow_node *ended, *ended_last; /* branches to be told of, linked by next */
    int32_t tags[];
};

/* ---- branches ---- */

static bool tags_room(flow_world *world, flow_branches **place)
{
    flow_branches *old = *place;
    if (old != NULL && old->count < old->room) {
        return true;
    }
    uint32_t room = old ? old->room * 2 : FIRST_ROOM;
    flow_branches *branches = flow__block_take(world, sizeof *branches + room * sizeof(int32_t));
    if (branches == NULL) {
        return false;
    }
    if (old != NULL) {
        memcpy(branches, old, sizeof *old + old->count * sizeof(int32_t));
        flow__block_give(old);
    } else {
        *branches = (flow_branches){0};
    }
    branches->room = room;
    if (branches->each != NULL) {
        branches->each->to_start.branches = branches;
    }
    *place = branches;
    return true;
}

void flow__branches_free(flow_branches *branches)
{
    if (branches != NULL) {
        flow__block_give(branches);
    }
}

/* The flow of a branch that is a call and has not started. One that a set kept is gone when its
 * scope has ended: null. */
flow_task *flow__branch_call(const flow_wait *wait)
{
    flow_task *task = wait->out_;
    if (task == NULL) {
        return flow__task_of_frame(wait->object_);
    }
    bool lives = flow__cold(task)->generation == (uint32_t)wait->count_;
    return lives && task->kind_ == FLOW_KIND_EMBRYO ? task : NULL;
}

static void call_discard(flow_world *world, const flow_wait *wait)
{
    flow_task *task = flow__branch_call(wait);
    if (task != NULL) {
        flow__task_discard(world, task);
    }
}

/* Drops what has not been started, compositions in it included. */
void flow__branches_discard(flow_world *world, flow_branches *branches)
{
    while (branches != NULL && branches->first != 0) {
        flow_node *node = flow__node(world, branches->first);
        flow_wait wait = node->wait;
        branches->first = node->pos;
        flow__aside_give(world, node);
        if (wait.kind_ >= FLOW_WAIT_RACE_ && wait.object_ != NULL) {
            const flow_branches *nested = wait.object_;
            if (nested->first != 0) {
                flow__node(world, nested->last)->pos = branches->first;
                branches->first = nested->first;
            }
            flow__block_give(wait.object_);
        } else if (wait.kind_ == FLOW_WAIT_CALL_ && wait.code_ == FLOW_CALL_CHILD) {
            call_discard(world, &wait);
        }
    }
}

/* Drops a branch that found no place. */
static void kept_discard(flow_world *world, const flow_wait *wait)
{
    if (wait->kind_ >= FLOW_WAIT_RACE_ && wait->object_ != NULL) {
        flow__branches_discard(world, wait->object_);
        flow__branches_free(wait->object_);
    } else if (wait->kind_ == FLOW_WAIT_CALL_ && wait->code_ == FLOW_CALL_CHILD) {
        call_discard(world, wait);
    }
}

/* Adds a branch that wait_keep has made to last. */
static int branch_add(flow_world *world, flow_branches **place, int tag, const flow_wait *kept)
{
    bool full = *place != NULL && (*place)->count == BRANCH_LIMIT;
    flow_node *node = full || !tags_room(world, place) ? NULL : flow__aside_take(world);
    if (node == NULL) {
        kept_discard(world, kept);
        return full ? FLOW_FULL : FLOW_NOMEM;
    }
    flow_branches *branches = *place;
    node->wait = *kept;
    node->kind = FLOW_NODE_TO_START;
    uint32_t id = flow__node_id(node);
    if (branches->first == 0) {
        branches->first = id;
    } else {
        flow__node(world, branches->last)->pos = id;
    }
    branches->last = id;
    node->branch = (uint16_t)branches->count;
    branches->tags[branches->count++] = tag;
    return FLOW_OK;
}

static int wait_keep(flow_world *world, const flow_task *flow, flow_wait *wait);

/* The branches of a composition that was written, in a block of their own. What is not taken in is
 * dropped. */
static int list_take(flow_world *world, const flow_task *flow, flow_wait *wait)
{
    flow_branches *branches = NULL;
    int code = FLOW_OK, index = 0;
    for (const flow_wait *w = wait->object_; w->kind_ != FLOW_WAIT_LAST_; w++) {
        flow_wait kept = *w;
        if (code != FLOW_OK) {
            flow__wait_discard(world, w);
        } else if ((code = wait_keep(world, flow, &kept)) == FLOW_OK) {
            code = branch_add(world, &branches, index++, &kept);
        }
    }
    if (code != FLOW_OK) {
        flow__branches_discard(world, branches);
        flow__branches_free(branches);
        branches = NULL;
    }
    wait->object_ = branches;
    return code;
}

/* What a branch needs to last longer than its statement; without it the branch is dropped. */
static int wait_keep(flow_world *world, const flow_task *flow, flow_wait *wait)
{
    if (wait->kind_ == FLOW_WAIT_CALL_ && wait->code_ == FLOW_CALL_CHILD) {
        flow_task *child = flow__task_of_frame(wait->object_);
        wait->out_ = child;
        wait->count_ = flow__cold(child)->generation;
        flow->top_->flags_ |= FLOW_FRAME_CHILDREN;
    } else if (wait->kind_ == FLOW_WAIT_CALL_) {
        return wait->code_; /* it could not be made */
    } else if (wait->kind_ >= FLOW_WAIT_RACE_) {
        flow_branches *branches = NULL;
        int code = FLOW_OK;
        if (wait->list_ == FLOW_LIST_WRITTEN_) {
            code = list_take(world, flow, wait);
        } else {
            code = flow__branches_of(world, flow, wait, &branches);
            wait->object_ = branches;
        }
        wait->list_ = FLOW_LIST_IN_SET_;
        return code;
    }
    return FLOW_OK;
}

/* The next branch to be started: its node, fresh but for its number, and its wait. */
flow_node *flow__branches_next(flow_world *world, flow_branches *branches, flow_wait *wait)
{
    if (branches == NULL || branches->first == 0) {
        return NULL;
    }
    flow_node *node = flow__node(world, branches->first);
    *wait = node->wait;
    branches->first = node->pos;
    *node = (flow_node){.seq = node->seq, .branch = node->branch};
    world->count.waits++;
    return node;
}

/* Takes the only branch out, if that is no composition, and frees the block. */
bool flow__branches_only(flow_world *world, flow_branches *branches, flow_wait *wait)
{
    flow_node *node = flow__node(world, branches->first);
    if (node->wait.kind_ >= FLOW_WAIT_RACE_) {
        return false;
    }
    *wait = node->wait;
    flow__aside_give(world, node);
    flow__branches_free(branches);
    return true;
}

int flow__branch_tag(const flow_node *node, uint16_t branch)
{
    return node->flags & FLOW_NODE_FROM_SET ? node->to_start.branches->tags[branch] : branch;
}

/* ---- sets ---- */

static const char one_at_a_time[] = "a flow_set has one flow_each at a time";

static const char not_its_set[] = "a flow_set belongs to the function that began it, and is "
                                  "begun before it is filled or awaited";

/* The set's record, if the running function may use it. */
static flow_node *own_record(const flow_task *flow, const flow_set *set)
{
    flow_node *record = flow__record(set);
    bool own = record != NULL && record->branch == FLOW_RECORD_SET &&
               record->up.frame == flow->top_ && set->world_ == flow__world_of(flow);
    return own ? record : NULL;
}

/* Cancels the calls that are running, the youngest first. */
static void each_cancel(flow_world *world, flow_node *root)
{
    for (flow_node *node = root; node != NULL; node = flow__tree_next(root, node)) {
        if (flow__call_lives(node)) {
            (void)flow__cancel(world, node->on.object, FLOW_CAUSE_EXPLICIT);
        }
    }
}

static void each_report(flow_world *world, const flow_branches *branches)
{
    for (const flow_node *node = branches->ended; node != NULL; node = node->next) {
        flow_fault *fault = flow__fault_of_node(node);
        if (fault != NULL) {
            flow__fault_report(world, fault, FLOW_FAILURE_UNDELIVERED);
        }
    }
}

static void set_clear(flow_world *world, flow_node *record)
{
    flow_branches *branches = record->to.value;
    record->code = FLOW_OK;
    if (branches == NULL) {
        return;
    }
    flow__branches_discard(world, branches);
    flow_node *each = branches->each;
    if (each != NULL) {
        each_cancel(world, each);
        each_report(world, branches);
        record->to.value = NULL;
        flow__compose_drop(world, each);
    } else {
        record->to.value = NULL;
        flow__branches_free(branches);
    }
}

/* The end of its scope. */
static void set_end(void *ended)
{
    flow_node *record = ended;
    flow_world *world = flow__world_of(record);
    const flow_branches *branches = record->to.value;
    const flow_task *flow = world->current;
    if (branches != NULL && branches->each == NULL && flow->cause_ == FLOW_CAUSE_NONE) {
        (void)flow__misuse(world, flow, "a flow_set was filled and never awaited");
    }
    set_clear(world, record);
    flow__record_close(world, record, FLOW_CLOSED, NULL);
    flow__record_free(world, record);
}

flow_status flow_set_begin(flow_task *flow, flow_set *set)
{
    flow_world *world = flow__world_of(flow);
    flow_node *record = own_record(flow, set);
    if (record != NULL) {
        set_clear(world, record);
        return FLOW_OK;
    }
    if (flow__record_make(set, world, 0, FLOW_RECORD_SET) == FLOW_OK) {
        record = flow__record(set);
        record->up.frame = flow->top_;
        if (flow_defer(flow, set_end, record) == FLOW_OK) {
            return FLOW_OK;
        }
        flow__record_free(world, record);
    }
    *set = (flow_set){world, 0, 0, SET_NO_MEMORY};
    return FLOW_NOMEM;
}

void flow_set_clear(flow_task *flow, flow_set *set)
{
    flow_world *world = flow__world_of(flow);
    flow_node *record = own_record(flow, set);
    if (record != NULL) {
        set_clear(world, record);
    } else if (set->size_ != SET_NO_MEMORY) {
        (void)flow__misuse(world, flow, not_its_set);
    }
}

uint32_t flow_set_left(const flow_set *set)
{
    const flow_node *record = flow__record(set);
    const flow_branches *branches = record ? record->to.value : NULL;
    return branches ? branches->count - branches->taken : 0;
}

void flow_set_add_(flow_task *flow, flow_set *set, int tag, flow_wait wait)
{
    flow_world *world = flow__world_of(flow);
    flow_node *record = own_record(flow, set);
    flow_compose_evaluated_(flow);
    if (record == NULL || record->code != FLOW_OK) {
        if (record == NULL && set->size_ != SET_NO_MEMORY) {
            (void)flow__misuse(world, flow, not_its_set);
        }
        flow__wait_discard(world, &wait);
        return;
    }
    int code = wait_keep(world, flow, &wait); /* which may take what is in the set itself */
    flow_branches *branches = record->to.value;
    record->code = code != FLOW_OK ? code : branch_add(world, &branches, tag, &wait);
    record->to.value = branches;
    if (branches != NULL) {
        branches->record = record;
    }
}

/* Takes the branches of a composition out of where they are. A status: the set cannot be awaited.
 */
int flow__branches_of(flow_world *world, const flow_task *flow, const flow_wait *wait,
                      flow_branches **branches)
{
    *branches = wait->list_ == FLOW_LIST_IN_SET_ ? wait->object_ : NULL;
    if (wait->list_ == FLOW_LIST_IN_SET_) {
        return FLOW_OK;
    }
    const flow_set *set = wait->object_;
    flow_node *record = own_record(flow, set);
    if (record == NULL) {
        return set->size_ == SET_NO_MEMORY ? FLOW_NOMEM
                                           : (int)flow__misuse(world, flow, not_its_set);
    }
    int code = record->code;
    flow_branches *filled = record->to.value;
    if (code == FLOW_OK && filled != NULL && filled->each != NULL) {
        code = flow__misuse(world, flow, "flow_each has started the branches of this set");
    }
    if (code != FLOW_OK) {
        set_clear(world, record);
        return code;
    }
    *branches = filled;
    record->to.value = NULL;
    return FLOW_OK;
}

/* Its wait is not awaited. */
void flow__set_discard(flow_world *world, flow_source *set)
{
    flow_node *record = world->current ? own_record(world->current, set) : NULL;
    if (record != NULL) {
        set_clear(world, record);
    }
}

/* ---- one by one ---- */

/* What runs of a set between the waits for each, or null. */
const flow_node *flow__each_root(const flow_node *record)
{
    const flow_branches *branches = record->branch == FLOW_RECORD_SET ? record->to.value : NULL;
    return branches ? branches->each : NULL;
}

static void item_write(const flow_branches *branches, const flow_node *branch, flow_each_item *item)
{
    flow_outcome outcome = flow__branch_outcome(branch);
    bool cancelled = branch->code == FLOW_CANCELLED && (branch->flags & FLOW_NODE_OWNS) &&
                     flow__fault_of_node(branch) == NULL;
    if (cancelled) {
        outcome = (flow_outcome){.state = FLOW_STATE_CANCELLED, .cause = (flow_cause)branch->pos};
    }
    *item = (flow_each_item){branches->tags[branch->branch], branch->branch, outcome};
}

static void item_none(flow_each_item *item)
{
    *item = (flow_each_item){.tag = -1, .index = -1, .outcome = {.state = FLOW_STATE_NONE}};
}

/* Its flow has taken it: nothing of the branch is needed any more but its place. */
static void branch_over(flow_world *world, flow_node *record, flow_node *branch)
{
    flow_branches *branches = record->to.value;
    flow_fault *fault = flow__fault_of_node(branch);
    if (fault != NULL) {
        flow__fault_free(world, fault);
    }
    flow__value_take(world, branch);
    if (flow__is_composition(branch)) {
        flow__branches_drop(world, branch);
        branch->kind = FLOW_NODE_DONE;
    }
    flow__leaf_unlink(world, branch);
    branches->taken++;
    if (branches->taken == branches->count) {
        set_clear(world, record);
    }
}

static void item_hand_over(flow_world *world, flow_node *node, const flow_node *branch)
{
    const flow_node *record = node->on.object;
    flow_branches *branches = record->to.value;
    flow__record_leave(node);
    branches->held = true;
    item_write(branches, branch, node->to.out);
    node->pos = flow__node_id(branch);
    flow__node_end_kept(world, node, FLOW_NODE_HELD);
}

/* Is it to be unwound as soon as its code is gone from the C stack? */
static bool is_marked(const flow_world *world, const flow_task *task)
{
    const flow_task *marked = world->marked;
    while (marked != NULL && marked != task) {
        marked = marked->pos_ ? flow__task(world, marked->pos_) : NULL;
    }
    return marked != NULL;
}

/* A composition has settled: its losers are unwound when nothing is running, as nobody has a turn
 * in which to do it. */
static void losers_put_off(flow_world *world, flow_node *branch)
{
    for (flow_node *node = branch; node != NULL; node = flow__tree_next(branch, node)) {
        if (!flow__call_lives(node)) {
            continue;
        }
        flow_task *task = node->on.object;
        if (task->kind_ != FLOW_KIND_QUEUED && !is_marked(world, task) &&
            !flow__ends_by_itself(task, FLOW_CAUSE_RACE_LOST)) {
            flow__put_off(world, task);
        }
    }
}

/* Has everything in the composition ended? */
static bool all_over(flow_world *world, flow_node *branch)
{
    if (!(branch->flags & FLOW_NODE_SETTLED) || (branch->flags & FLOW_NODE_STARTING)) {
        return false;
    }
    if (!(branch->flags & FLOW_NODE_CLOSED)) {
        branch->flags |= FLOW_NODE_CLOSED;
        losers_put_off(world, branch);
    }
    const flow_node *node = branch;
    while (node != NULL && !flow__call_lives(node)) {
        node = flow__tree_next(branch, node);
    }
    return node == NULL;
}

/* Something in a branch has ended, and so perhaps the branch. */
void flow__each_told(flow_world *world, flow_node *branch)
{
    flow_branches *branches = branch->up.parent->to_start.branches;
    if (flow__is_composition(branch)) {
        if (!all_over(world, branch)) {
            return;
        }
        if (branch->flags & FLOW_NODE_FROM_SET) {
            flow__branches_free(branch->to_start.branches);
            branch->flags &= (uint8_t)~FLOW_NODE_FROM_SET;
        }
    }
    branch->next = NULL;
    if (branches->record->prev != NULL) {
        item_hand_over(world, branches->record->prev, branch);
        return;
    }
    *(branches->ended ? &branches->ended_last->next : &branches->ended) = branch;
    branches->ended_last = branch;
}

/* Starts what was added since the last time. */
static bool each_start(flow_world *world, flow_task *task, flow_branches *branches)
{
    flow_node *root = branches->each ? branches->each : flow__node_take(world);
    if (root == NULL) {
        return false;
    }
    if (branches->each == NULL) {
        root->kind = FLOW_NODE_EACH;
        root->flags = FLOW_NODE_FROM_SET;
        root->up.task = task;
        root->to_start.branches = branches;
        branches->each = root;
    }
    if (branches->first != 0) {
        root->flags |= FLOW_NODE_STARTING;
        root->pos++;
        (void)flow__branches_start(world, task, root);
    }
    return true;
}

flow_begun flow__each_begin(flow_world *world, flow_task *task, flow_node *record,
                            const flow_wait *wait, flow_node *node, flow_result *result)
{
    int code = record->up.frame == task->top_
                   ? record->code
                   : (int)flow__misuse_at(world, task, not_its_set, NULL);
    flow_branches *branches = record->to.value;
    if (code != FLOW_OK) {
        flow__set_discard(world, wait->object_);
        return flow__begun_failed(result, code, flow_status_text(code));
    }
    if (record->prev != NULL || (branches != NULL && branches->held)) {
        code = flow__misuse_at(world, task, one_at_a_time,
                               record->prev ? flow__node_task(record->prev) : NULL);
        return flow__begun_failed(result, code, one_at_a_time);
    }
    node->on.object = record;
    if (branches == NULL) {
        item_none(wait->out_);
        return FLOW_BEGUN_DONE;
    }
    if (!each_start(world, task, branches)) {
        return flow__begun_failed(result, FLOW_NOMEM, "no memory for a set");
    }
    flow_node *branch = branches->ended;
    if (branch == NULL) {
        return FLOW_BEGUN_WAITS;
    }
    branches->ended = branch->next;
    item_write(branches, branch, wait->out_);
    if (node->flags & FLOW_NODE_HAS_PARENT) {
        branches->held = true;
        node->kind = FLOW_NODE_HELD;
        node->pos = flow__node_id(branch);
    } else {
        branch_over(world, record, branch);
    }
    return FLOW_BEGUN_DONE;
}

void flow__each_take(flow_world *world, flow_node *node)
{
    const flow_node *record = node->on.object;
    ((flow_branches *)record->to.value)->held = false;
    branch_over(world, node->on.object, flow__node(world, node->pos));
}

/* The next wait gets it. */
void flow__each_give_back(flow_world *world, flow_node *node)
{
    const flow_node *record = node->on.object;
    flow_branches *branches = record->to.value;
    flow_node *branch = flow__node(world, node->pos);
    branches->held = false;
    branch->next = branches->ended;
    branches->ended_last = branches->ended ? branches->ended_last : branch;
    branches->ended = branch;
}
