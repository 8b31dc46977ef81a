/* SPDX-License-Identifier: MIT */
/*
 * Starting a flow: a task is made, its arguments are evaluated straight into its first frame, and
 * its body runs to the first wait. What nothing stands in the way of goes straight through.
 */
#include "task.h"

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
    if (FLOW_UNLIKELY_(!flow__is_here(world) || options != NULL || world->destroying ||
                       owner->flags_ != 0 ||
                       (scope != NULL && (scope->flags_ & FLOW_FRAME_LEAVING)) ||
                       !flow__task_at_hand(world, fn))) {
        return prepare_with(world, fn, options, from, site);
    }
    return prepared(world, flow__task_fill(world, fn, owner, scope, site));
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
