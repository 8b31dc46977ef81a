/* SPDX-License-Identifier: MIT */
/*
 * Tasks: from a free slot to a flow and back. A slot's generation counts its ends, so that a handle
 * is valid exactly as long as its flow lives; how the flow ended stays readable in the slot until
 * the next one takes it.
 */
#include "task.h"

/* ---- slots ---- */

static void slots_free(flow_world *world, flow_task *newest, flow_task *oldest)
{
    oldest->top_ = (flow_frame *)(void *)world->free_tasks;
    world->free_tasks = newest;
}

static void batch_free(flow_world *world, flow_ended_batch *batch)
{
    if (batch->oldest != NULL) {
        slots_free(world, batch->newest, batch->oldest);
    }
    *batch = (flow_ended_batch){NULL, NULL};
}

/* A batch begins with that slot: the one before it rests, the one that has rested longest is free.
 */
FLOW_COLD_ void flow__ended_batch(flow_world *world, flow_task *oldest)
{
    world->ended[world->ended_at].newest = world->ended_newest;
    world->ended_newest = NULL;
    world->ended_at = (world->ended_at + 1) % FLOW_ENDED_BATCHES;
    batch_free(world, &world->ended[world->ended_at]);
    world->ended[world->ended_at].oldest = oldest;
}

/* Where no memory is to be had, the slots of those that ended last are used. */
static bool ended_free(flow_world *world)
{
    world->ended[world->ended_at].newest = world->ended_newest;
    world->ended_newest = NULL;
    world->ended_count = 0;
    for (uint32_t i = 0; i < FLOW_ENDED_BATCHES; i++) {
        batch_free(world, &world->ended[i]);
    }
    return world->free_tasks != NULL;
}

static bool tasks_grow(flow_world *world)
{
    flow_page *page;
    if (!flow__pool_grow(world, &world->tasks, &page)) {
        return ended_free(world);
    }
    memset((char *)page + FLOW_PAGE_HEAD, 0, FLOW_PAGE_USABLE);
    for (uint32_t i = FLOW_TASKS_PER_PAGE; i-- > 0;) {
        flow_task *task = flow__task(world, (page->index << FLOW_ID_SHIFT) | i);
        flow__cold(task)->generation = 1;
        slots_free(world, task, task);
    }
    return true;
}

static flow_task *slot_take(flow_world *world)
{
    return world->free_tasks != NULL || tasks_grow(world) ? flow__slot_take(world) : NULL;
}

/* The group that owns what nobody else does. */
bool flow__root_make(flow_world *world)
{
    flow_task *root = slot_take(world);
    if (root == NULL) {
        return false;
    }
    root->top_ = NULL;
    root->phase_ = FLOW_UPDATE;
    root->clock_ = FLOW_CLOCK_GAME;
    root->kind_ = FLOW_KIND_GROUP;
    flow__cold(root)->what.name = world->desc.name ? world->desc.name : "world";
    world->root = root;
    return flow__lane_made(world, FLOW_CLOCK_GAME, FLOW_UPDATE) != NULL;
}

/* A group is not counted among the flows, but has its share of the reserve. */
static void group_uncount(flow_world *world)
{
    world->groups--;
    world->chunks.task_limit++;
}

static void task_free(flow_world *world, flow_task *task)
{
    flow_cold *cold = flow__cold(task);
    flow__child_unlink(world, cold);
    while (cold->resources != 0) {
        flow_node *node = flow__node(world, cold->resources);
        cold->resources = node->sibling ? flow__node_id(node->sibling) : 0;
        world->count.waits++;
        flow__node_give(world, node);
    }
    flow__generation_next(cold);
    flow__slot_give(world, task);
}

/* Takes a free slot for a task owned by a scope, at home where its owner is; its first frame is in
 * it. */
FLOW_INLINE_ flow_task *task_fill(flow_world *world, const flow_function *fn, flow_task *owner,
                                  flow_frame *scope, const char *site)
{
    flow_task *task = flow__slot_take(world);
    flow_cold *cold = flow__cold(task);
    cold->what.site = site;
    /* children, resources and joiners are none: that is how the slot's last flow left it */
    task->top_ = (flow_frame *)(void *)task->first_;
    task->top_->fn_ = fn; /* with its arguments it is written again */
    task->sp_ = NULL;
    task->clock_ = owner->clock_;
    task->phase_ = owner->phase_;
    task->kind_ = FLOW_KIND_EMBRYO;
    task->flags_ = 0;
    task->cause_ = FLOW_CAUSE_NONE;
    task->marks_ = 0;
    if (FLOW_UNLIKELY_(world->attention & FLOW_ATTENTION_ENDED)) {
        const flow_clock_state *clock = world->clocks[task->clock_]; /* where the owner waits yet */
        task->clock_ = clock->ended ? clock->parent : task->clock_;
    }
    flow__child_link(world, task, cold, owner, owner == world->root ? 0 : flow__task_id(owner),
                     scope);
    if (++world->count.live > world->count.live_peak) {
        world->count.live_peak = world->count.live;
    }
    return task;
}

/* Is a task to be had, with its first frame, without taking memory? */
FLOW_INLINE_ bool task_at_hand(const flow_world *world, const flow_function *fn)
{
    return world->count.live < world->chunks.task_limit && world->free_tasks != NULL &&
           fn->size <= sizeof((flow_task *)NULL)->first_ && fn->align <= 16;
}

/* A task owned by a scope, with room for its first frame. Null: no memory. */
flow_task *flow__task_new(flow_world *world, const flow_function *fn, flow_task *owner,
                          flow_frame *scope, const char *site)
{
    if (world->count.live >= world->chunks.task_limit &&
        !flow__reserve_for_tasks(world, world->count.live + 1)) {
        return NULL;
    }
    if (world->free_tasks == NULL && !tasks_grow(world)) {
        return NULL;
    }
    bool at_hand = task_at_hand(world, fn);
    flow_task *task = task_fill(world, fn, owner, scope, site);
    if (!at_hand && !flow__first_frame(world, task, fn)) {
        world->count.live--;
        task_free(world, task);
        return NULL;
    }
    return task;
}

/* A group is a task without frames; it is not counted as a flow. */
flow_task *flow__group_new(flow_world *world, flow_task *owner, flow_frame *scope)
{
    static const flow_function none = {NULL, "group", "", 0, sizeof(flow_frame), 16};
    uint32_t peak = world->count.live_peak;
    world->groups++;
    world->chunks.task_limit -= world->chunks.task_limit > 0;
    flow_task *group = flow__task_new(world, &none, owner, scope, NULL);
    if (group != NULL) {
        world->count.live--;
        world->count.live_peak = peak;
        group->top_ = NULL;
        group->kind_ = FLOW_KIND_GROUP;
    } else {
        group_uncount(world);
    }
    return group;
}

void flow__group_free(flow_world *world, flow_task *group)
{
    group_uncount(world);
    task_free(world, group);
}

/* Takes back a task that was made and will not start. */
void flow__task_discard(flow_world *world, flow_task *task)
{
    flow__first_frame_begin(task);
    flow__frame_pop(world, task);
    world->count.live--;
    task_free(world, task);
}

flow_handle flow__handle_of(const flow_task *task)
{
    flow_handle handle = {flow__task_id(task), flow__cold(task)->generation};
    return handle;
}

/* ---- starting ---- */

static void want_outcome(flow_world *world, flow_task *task, flow_node *node, flow_outcome *outcome)
{
    node->kind = FLOW_NODE_OUTCOME;
    node->up.frame = NULL;
    node->to.out = outcome;
    node->sibling = NULL;
    world->count.waits--;
    flow__cold(task)->resources = flow__node_id(node);
    task->flags_ |= FLOW_TASK_OUTCOME;
    *outcome = (flow_outcome){.state = FLOW_STATE_LIVE};
}

FLOW_COLD_ static flow_frame *refuse(const flow_options *options, flow_outcome outcome)
{
    if (options != NULL && options->outcome != NULL) {
        *options->outcome = outcome;
    }
    return NULL;
}

/* May the scope take another child? Not while it is being left, its finally section aside. */
static inline bool takes_children(const flow_task *owner, const flow_frame *scope)
{
    if (FLOW_LIKELY_(owner->flags_ == 0)) {
        return scope == NULL || !(scope->flags_ & FLOW_FRAME_LEAVING);
    }
    if (owner->flags_ & FLOW_TASK_PROTECTED) {
        return scope == NULL || !(scope->flags_ & FLOW_FRAME_LEAVING) ||
               (scope->flags_ & FLOW_FRAME_FINALLY);
    }
    if (owner->top_ == NULL && (owner->flags_ & FLOW_TASK_STOP)) {
        return false;
    }
    return !(owner->flags_ &
             (FLOW_TASK_CANCELLED | FLOW_TASK_UNWIND | FLOW_TASK_CHILD_FAULT | FLOW_TASK_FAULT)) &&
           (scope == NULL || !(scope->flags_ & FLOW_FRAME_LEAVING));
}

static inline bool home_set(flow_world *world, flow_task *task, const flow_options *options,
                            const flow_task *from)
{
    if (from != NULL) {
        task->clock_ = from->clock_;
        task->phase_ = from->phase_;
    }
    if (options->phase != FLOW_INHERIT) {
        task->phase_ = (uint8_t)options->phase;
    }
    if (options->clock != FLOW_CLOCK_INHERIT) {
        task->clock_ = flow__clock(world, options->clock)->index;
    }
    return FLOW_LIKELY_(flow__lane(world, task->clock_, task->phase_) != NULL) ||
           flow__lane_made(world, task->clock_, task->phase_) != NULL;
}

static inline bool options_valid(const flow_world *world, const flow_options *options)
{
    return (unsigned)options->phase < FLOW_PHASE_LIMIT &&
           (options->clock == FLOW_CLOCK_INHERIT || flow__clock(world, options->clock) != NULL);
}

static const flow_outcome start_no_memory = {
    FLOW_STATE_FAILED, FLOW_CAUSE_NONE, FLOW_NOMEM, "no memory to start a flow", NULL, 0};
static const flow_outcome start_misused = {FLOW_STATE_FAILED,
                                           FLOW_CAUSE_NONE,
                                           FLOW_MISUSE,
                                           "a start names a phase or clock that does not exist",
                                           NULL,
                                           0};
static const flow_outcome start_elsewhere = {FLOW_STATE_FAILED,
                                             FLOW_CAUSE_NONE,
                                             FLOW_MISUSE,
                                             "a start on another thread than the world's",
                                             NULL,
                                             0};
static const flow_outcome start_refused = {
    FLOW_STATE_CANCELLED, FLOW_CAUSE_PARENT_ENDED, 0, NULL, NULL, 0};

/* Its arguments are evaluated next, and may prepare and start others meanwhile: those that are
 * being prepared form a stack, and each keeps its handle. */
static inline flow_frame *prepared(flow_world *world, flow_task *task)
{
    task->sp_ = (char *)(void *)world->preparing;
    task->kind_ = FLOW_KIND_PREPARING;
    task->pos_ = flow__task_id(task);
    task->budget_ = flow__cold(task)->generation;
    world->preparing = task;
    world->prepared = task->top_;
    return task->top_;
}

/* The whole of it: options, room that is to be made, refusals. */
FLOW_APART_ static flow_frame *prepare_with(flow_world *world, const flow_function *fn,
                                            const flow_options *options, flow_task *from,
                                            const char *site)
{
    static const flow_options none;
    options = options != NULL ? options : &none;
    if (flow__elsewhere(world,
                        "a start on another thread than the world's; there, flow_post a call "
                        "that starts it")) {
        return refuse(options, start_elsewhere);
    }
    flow_task *owner = from ? from : world->root;
    flow_frame *scope = owner->top_;
    if (!options_valid(world, options)) {
        (void)flow__misuse(world, from, start_misused.message);
        return refuse(options, start_misused);
    }
    if (options->owner.generation != 0) {
        owner = flow__task_of(world, options->owner);
        scope = owner ? owner->top_ : NULL;
    }
    if (owner == NULL || world->destroying || !takes_children(owner, scope)) {
        return refuse(options, start_refused);
    }
    flow_node *node = NULL;
    if (options->outcome != NULL && (node = flow__node_take(world)) == NULL) {
        return refuse(options, start_no_memory);
    }
    flow_task *task = flow__task_new(world, fn, owner, scope, site);
    if (task != NULL && !home_set(world, task, options, from)) {
        flow__task_discard(world, task);
        task = NULL;
    }
    if (task == NULL) {
        if (node != NULL) {
            flow__node_give(world, node);
        }
        return refuse(options, start_no_memory);
    }
    if (node != NULL) {
        want_outcome(world, task, node, options->outcome);
    }
    return prepared(world, task);
}

/* Makes a task and gives room for its arguments: straight through where nothing is asked for and
 * nothing is in the way. */
flow_frame *flow_start_prepare_(flow_world *world, const flow_function *fn,
                                const flow_options *options, flow_task *from, const char *site)
{
    flow_task *owner = from ? from : world->root;
    flow_frame *scope = owner->top_;
    if (FLOW_UNLIKELY_(
            !flow__is_here(world) || options != NULL || world->destroying || owner->flags_ != 0 ||
            (scope != NULL && (scope->flags_ & FLOW_FRAME_LEAVING)) || !task_at_hand(world, fn))) {
        return prepare_with(world, fn, options, from, site);
    }
    return prepared(world, task_fill(world, fn, owner, scope, site));
}

/* Inside another flow's slice, whose arguments may be in the middle of a composition. */
FLOW_COLD_ static void start_nested(flow_world *world, flow_task *task)
{
    flow_activation here;
    flow__activation_open(world, &here);
    flow__slice(world, task);
    flow__activation_close(world, &here);
}

/* Runs the first slice, or queues it where starts are nested too deep. */
FLOW_INLINE_ void task_start(flow_world *world, flow_task *task)
{
    world->count.started++;
    if (FLOW_UNLIKELY_(world->nesting >= FLOW_NESTING_LIMIT)) {
        task->kind_ = FLOW_KIND_QUEUED;
        flow__put_off(world, task);
        return;
    }
    if (world->current != NULL) {
        start_nested(world, task);
    } else {
        world->nesting++;
        flow__slice(world, task);
        world->nesting--;
        world->current = NULL;
    }
    flow__outermost(world);
}

static void start_traced(flow_world *world, const flow_task *task)
{
    if (flow__traced(world) && world->nesting < FLOW_NESTING_LIMIT) {
        flow__trace(world, FLOW_TRACE_START, task, FLOW_STATE_LIVE);
    }
}

void flow__task_start(flow_world *world, flow_task *task)
{
    bool profiled = flow__profiled(world) && world->nesting < FLOW_NESTING_LIMIT;
    if (profiled) {
        flow__profile_start(world, task);
    }
    start_traced(world, task);
    task_start(world, task);
    if (profiled) {
        flow__profile_close(world);
    }
}

/* A start where something is to be heeded. Its owner may have been cancelled while its arguments
 * were evaluated: then it ends at once, and its body does not run. */
FLOW_COLD_ static void start_careful(flow_world *world, flow_task *task)
{
    flow_cold *cold = flow__cold(task);
    flow_task *owner = flow__task(world, cold->owner);
    if (!(task->flags_ & FLOW_TASK_CANCELLED) && takes_children(owner, cold->owner_frame)) {
        flow__task_start(world, task);
        return;
    }
    flow_cause cause = owner->cause_ ? (flow_cause)owner->cause_ : FLOW_CAUSE_PARENT_ENDED;
    world->count.started++;
    task->kind_ = FLOW_KIND_QUEUED;
    flow__unwind_begin(world, task, cause);
    flow__drive_nested(world, task);
    flow__outermost(world);
}

flow_handle flow_start_prepared_(flow_world *world)
{
    flow_task *task = world->preparing;
    flow_handle handle = {task->pos_, task->budget_};
    world->preparing = (flow_task *)(void *)task->sp_;
    world->prepared = world->preparing ? world->preparing->top_ : NULL;
    task->sp_ = NULL;
    if (FLOW_UNLIKELY_((void *)task->top_ != (void *)task->first_)) {
        flow__first_frame_begin(task);
    }
    if (FLOW_UNLIKELY_(task->flags_ != 0 || world->attention != 0)) {
        start_careful(world, task);
    } else {
        task_start(world, task);
    }
    return handle;
}

flow_handle flow_start_refused_(flow_world *world)
{
    flow_handle none = {0, 0};
    (void)world;
    return none;
}

flow_handle flow_start(flow_world *world, const flow_function *fn, const void *frame,
                       const flow_options *options)
{
    flow_frame *room = flow_start_prepare_(world, fn, options, NULL, NULL);
    if (room == NULL) {
        return flow_start_refused_(world);
    }
    *room = (flow_frame){.fn_ = fn};
    memcpy((char *)room + sizeof *room, (const char *)frame + sizeof *room,
           fn->size - sizeof *room);
    return flow_start_prepared_(world);
}

/* A flow that somebody else lets run, piece by piece. Until it begins its first frame counts as
 * cleaned up, so that one which never does has no finally section to run. */
flow_task *flow__task_parked(flow_world *world, const flow_function *fn, const void *frame,
                             flow_task *owner, const char *site, flow_status *status)
{
    if (world->destroying || !takes_children(owner, owner->top_)) {
        *status = FLOW_CANCELLED;
        return NULL;
    }
    flow_task *task = flow__task_new(world, fn, owner, owner->top_, site);
    if (task == NULL) {
        *status = FLOW_NOMEM;
        return NULL;
    }
    *task->top_ = (flow_frame){.fn_ = fn};
    memcpy((char *)task->top_ + sizeof(flow_frame), (const char *)frame + sizeof(flow_frame),
           fn->size - sizeof(flow_frame));
    flow__first_frame_begin(task);
    task->top_->flags_ |= FLOW_FRAME_CLEANED;
    task->kind_ = FLOW_KIND_PARKED;
    task->budget_ = world->seq;
    world->count.started++;
    *status = FLOW_OK;
    return task;
}

/* ---- ending ---- */

static flow_outcome outcome_of(const flow_task *task, const flow_fault *fault)
{
    flow_outcome outcome = {FLOW_STATE_DONE, FLOW_CAUSE_NONE, 0, NULL, NULL, 0};
    if (task->flags_ & FLOW_TASK_CANCELLED) {
        outcome.state = FLOW_STATE_CANCELLED;
        outcome.cause = (flow_cause)task->cause_;
    } else if (fault != NULL) {
        outcome = flow__outcome_of_fault(fault);
    }
    return outcome;
}

/* What stays readable in the free slot. */
static void remember(const flow_world *world, flow_task *task, flow_cold *cold, flow_name name,
                     const flow_outcome *outcome)
{
    flow_ended *ended = (flow_ended *)(void *)task->first_;
    *ended = (flow_ended){NULL, name.number, name.text};
    task->pos_ = (uint32_t)world->frame;
    task->flags_ = (uint16_t)outcome->state;
    task->cause_ = (uint8_t)outcome->cause;
    task->budget_ = (uint32_t)outcome->code;
    cold->late = (uint32_t)outcome->line;
    cold->what.file = outcome->file;
    union {
        const char *text;
        flow_frame *frame;
    } kept;
    kept.text = outcome->message;
    cold->owner_frame = kept.frame;
}

/* A spawned child, or a resource, failed: its scope is left, and fails at its caller. */
void flow__scope_fail(flow_world *world, flow_task *owner, flow_frame *scope, flow_fault *fault)
{
    bool finally = scope->flags_ & FLOW_FRAME_FINALLY;
    bool over = (scope->flags_ & FLOW_FRAME_LEAVING) ||
                (owner->flags_ & (FLOW_TASK_CANCELLED | FLOW_TASK_CHILD_FAULT | FLOW_TASK_FAULT)) ||
                flow__scope_fails(world, owner, scope);
    if (finally || over) {
        flow__fault_report(world, fault, finally ? FLOW_FAILURE_CLEANUP : FLOW_FAILURE_UNDELIVERED);
        return;
    }
    flow__fault_to_task(world, fault, owner);
    fault->scope = scope;
    owner->flags_ |= FLOW_TASK_CHILD_FAULT;
    owner->cause_ = FLOW_CAUSE_FAULT;
    flow__stop(world, owner);
}

static void fail_group(flow_world *world, flow_task *group, flow_fault *fault)
{
    bool over = group->flags_ & FLOW_TASK_CANCELLED;
    flow__fault_report(world, fault, over ? FLOW_FAILURE_UNDELIVERED : FLOW_FAILURE_UNHANDLED);
    if ((group->flags_ & FLOW_TASK_FAIL_FAST) && !over) {
        group->flags_ |= FLOW_TASK_CANCELLED;
        group->cause_ = FLOW_CAUSE_FAULT;
        flow__stop(world, group);
    }
}

static void count_end(flow_world *world, const flow_outcome *outcome)
{
    world->count.live--;
    world->count.ended +=
        outcome->state == FLOW_STATE_DONE; /* the others are added when it is read */
    world->count.cancelled += outcome->state == FLOW_STATE_CANCELLED;
    world->count.failed += outcome->state == FLOW_STATE_FAILED;
}

/* The owner may have been waiting for just this child to finish its cleanup. */
void flow__owner_told(flow_world *world, flow_task *owner)
{
    if (owner->kind_ != FLOW_KIND_CLOSING) {
        return;
    }
    uint32_t youngest = flow__cold(owner)->last_child;
    if (youngest == 0 || flow__cold(flow__task(world, youngest))->owner_frame != owner->top_) {
        if (owner->flags_ & FLOW_TASK_PENDING) {
            flow__unmark(world, owner); /* a queue's place is where the list has its link */
        }
        owner->flags_ |= FLOW_TASK_LEAVING;
        flow__queue_ready(world, owner);
    }
}

/* A flow or group is over: everything in it has ended and its frames are gone but the first. */
void flow__task_end(flow_world *world, flow_task *task)
{
    flow_cold *cold = flow__cold(task);
    flow_task *owner = flow__task(world, cold->owner);
    flow_frame *scope = cold->owner_frame;
    flow_fault *fault = flow__fault_of(world, task);
    flow_outcome outcome = outcome_of(task, fault);
    flow_name name = flow__name_of(task);
    if (flow__profiled(world) && task->top_ != NULL) {
        flow__profile_end(world, task, outcome.state);
    }
    flow_outcome kept = outcome;
    if (outcome.state == FLOW_STATE_CANCELLED && task->top_ != NULL) {
        kept.file = task->top_->fn_->file; /* see cancelled_at in stuck.c */
        kept.line = (int)(task->top_->at_ >> 16);
    }
    if (fault != NULL && outcome.state != FLOW_STATE_CANCELLED) {
        flow__fault_detach(fault);
    }
    for (flow_fault *spare; (spare = flow__fault_of(world, task)) != NULL;) {
        fault = spare == fault ? NULL : fault;
        flow__fault_report(world, spare, FLOW_FAILURE_UNDELIVERED);
    }
    if (task->flags_ & FLOW_TASK_PENDING) {
        flow__unmark(world, task);
    }
    if (flow__traced(world)) {
        flow__trace(world, FLOW_TRACE_END, task, outcome.state);
    }
    if (task->flags_ & FLOW_TASK_OUTCOME) {
        flow_node *node = flow__node(world, cold->resources);
        *(flow_outcome *)node->to.out = outcome;
    }
    if (task->top_ != NULL) {
        flow__frame_pop(world, task);
        count_end(world, &outcome);
    } else {
        group_uncount(world);
    }
    flow__joiners_tell(world, task, &outcome, &fault);
    task_free(world, task);
    remember(world, task, cold, name, &kept);
    if (world->current == task) {
        world->current = NULL;
    }
    if (fault != NULL) {
        if (scope != NULL) {
            flow__scope_fail(world, owner, scope, fault);
        } else {
            fail_group(world, owner, fault);
        }
    }
    flow__owner_told(world, owner);
}

void flow__queue_ready(flow_world *world, flow_task *task)
{
    task->kind_ = FLOW_KIND_READY;
    (void)flow__queue_push(world, &world->ready[task->phase_], (uintptr_t)task, &task->pos_);
}

/* ---- groups ---- */

flow_handle flow_group_create(flow_world *world, const flow_group_desc *desc)
{
    static const flow_group_desc plain = {0};
    flow_handle none = {0, 0};
    desc = desc ? desc : &plain;
    flow_options options = {desc->owner, desc->phase, desc->clock, NULL};
    flow_task *owner = desc->owner.generation ? flow__task_of(world, desc->owner) : world->root;
    if (!options_valid(world, &options)) {
        (void)flow__misuse(world, NULL, "flow_group_create: no such phase or clock");
        return none;
    }
    if (owner == NULL || world->destroying || !takes_children(owner, owner->top_)) {
        return none;
    }
    flow_task *group = flow__group_new(world, owner, owner->top_);
    if (group == NULL || !home_set(world, group, &options, NULL)) {
        if (group != NULL) {
            flow__group_free(world, group);
        }
        return none;
    }
    flow__cold(group)->what.name = desc->name ? desc->name : "group";
    group->flags_ = desc->fail_fast ? FLOW_TASK_FAIL_FAST : 0;
    return flow__handle_of(group);
}
