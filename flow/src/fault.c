/* SPDX-License-Identifier: MIT */
/*
 * Failures on their way. A record is made where something fails and belongs to the flow it climbs
 * through, to the completed wait that holds it, or, at the end, to a report. Sixteen are kept in
 * reserve, and one more for when even those are spent, so that failing never needs memory.
 */
#include "private.h"

#include <stdio.h>

static void path_add(flow_fault *fault, flow_name name)
{
    /* the outermost is worth more than the middle */
    uint32_t place = fault->names < FLOW_PATH_NAMES ? fault->names++ : FLOW_PATH_NAMES - 1;
    fault->path[place] = name.text;
    fault->number[place] = name.number;
}

const char *flow__task_name(const flow_task *task)
{
    return task->top_ == NULL ? flow__cold(task)->what.name : flow__first_function(task)->name;
}

static void path_of(const flow_world *world, const flow_task *task, flow_fault *fault)
{
    fault->names = 0;
    for (const flow_frame *frame = task->top_; task != world->root;) {
        if (frame == NULL) {
            path_add(fault, flow__name_of(task)); /* a group */
        }
        for (; frame != NULL; frame = flow__caller(task, frame)) {
            path_add(fault, flow__frame_name(task, frame));
        }
        frame = flow__cold(task)->owner_frame;
        task = flow__task(world, flow__cold(task)->owner);
    }
}

/* The list is newest first, so that who has just failed is found at once. */
static void link_fault(flow_world *world, flow_fault *fault, flow_task *task)
{
    fault->task = task;
    fault->counted = task->marks_ <= UINT8_MAX - FLOW_MARK_FAULT; /* else there are plenty */
    task->marks_ = (uint8_t)(task->marks_ + (fault->counted ? FLOW_MARK_FAULT : 0));
    fault->inner = NULL;
    fault->outer = world->faults;
    if (fault->outer != NULL) {
        fault->outer->inner = fault;
    }
    world->faults = fault;
}

static void unlink_fault(flow_world *world, flow_fault *fault)
{
    *(fault->inner ? &fault->inner->outer : &world->faults) = fault->outer;
    if (fault->outer != NULL) {
        fault->outer->inner = fault->inner;
    }
}

/* Its flow, or the completed wait, has it no more. */
static void owner_leave(flow_fault *fault)
{
    if (fault->task != NULL) {
        fault->task->marks_ =
            (uint8_t)(fault->task->marks_ - (fault->counted ? FLOW_MARK_FAULT : 0));
        fault->task = NULL;
    }
    if (fault->node != NULL) {
        fault->node->flags &= (uint8_t)~FLOW_NODE_FAULT;
        fault->node = NULL;
    }
}

void flow__fault_detach(flow_fault *fault)
{
    owner_leave(fault);
}

/* The failure passes to a flow, or to a completed wait. */
void flow__fault_to_task(flow_world *world, flow_fault *fault, flow_task *task)
{
    owner_leave(fault);
    unlink_fault(world, fault);
    link_fault(world, fault, task);
}

void flow__fault_to_node(flow_fault *fault, flow_node *node)
{
    owner_leave(fault);
    fault->node = node;
    node->on.object = fault;
    node->flags &= (uint8_t)~FLOW_NODE_SAYS;
    node->flags |= FLOW_NODE_FAULT;
}

/* Even the reserve is spent: whose failure has the last record keeps no more of it than its code.
 */
static flow_fault *last_record_take(flow_world *world)
{
    flow_fault *fault = &world->last_fault;
    if (fault->task != NULL) {
        fault->task->flags_ |= FLOW_TASK_LOST;
        flow__cold(fault->task)->late = (uint32_t)fault->code;
    }
    if (fault->task != NULL || fault->node != NULL) {
        unlink_fault(world, fault);
        owner_leave(fault);
    }
    return fault;
}

static flow_fault *record_take(flow_world *world)
{
    flow_fault *fault = world->free_faults;
    if (fault != NULL) {
        world->free_faults = fault->outer;
        return fault;
    }
    fault = flow__block_take(world, sizeof *fault);
    return fault ? fault : last_record_take(world);
}

/* A failure of that task at its top frame's line, newest of its task. Never null. */
flow_fault *flow__fault_new(flow_world *world, flow_task *task, int code, const char *message)
{
    flow_fault *fault = record_take(world);
    *fault = (flow_fault){.message = message, .code = code};
    link_fault(world, fault, task);
    fault->flow = flow__handle_of(task);
    fault->file = task->top_->fn_->file;
    fault->line = (int32_t)(task->top_->at_ >> 16);
    path_of(world, task, fault);
    return fault;
}

void flow__fault_free(flow_world *world, flow_fault *fault)
{
    unlink_fault(world, fault);
    owner_leave(fault);
    if (fault != &world->last_fault) {
        fault->outer = world->free_faults;
        world->free_faults = fault;
    }
}

flow_fault *flow__fault_of(flow_world *world, flow_task *task)
{
    flow_fault *fault = task->marks_ >= FLOW_MARK_FAULT ? world->faults : NULL;
    while (fault != NULL && fault->task != task) {
        fault = fault->outer;
    }
    if (fault == NULL && (task->flags_ & FLOW_TASK_LOST)) {
        task->flags_ &= (uint16_t)~FLOW_TASK_LOST;
        task->marks_ &= (uint8_t)~FLOW_MARK_LATE;
        return flow__fault_new(world, task, (int32_t)flow__cold(task)->late,
                               "(what was said of it is lost for want of memory)");
    }
    return fault;
}

/* The failure that waits while that frame's finally section runs, or null. */
flow_fault *flow__fault_under(const flow_world *world, const flow_task *task,
                              const flow_frame *frame)
{
    flow_fault *fault = task->marks_ >= FLOW_MARK_FAULT ? world->faults : NULL;
    while (fault != NULL && (fault->task != task || fault->under != frame)) {
        fault = fault->outer;
    }
    return fault;
}

/* The failure of a child, or of a resource, whose scope is still to be left, or null. */
flow_fault *flow__fault_of_scope(const flow_world *world, const flow_task *task)
{
    flow_fault *fault = task->marks_ >= FLOW_MARK_FAULT ? world->faults : NULL;
    while (fault != NULL && (fault->task != task || fault->scope == NULL)) {
        fault = fault->outer;
    }
    return fault;
}

/* Is the scope to be left because of an earlier failure of a child, its own or that of a scope
 * around it? What a finally section has called meanwhile is not. */
bool flow__scope_fails(const flow_world *world, const flow_task *task, const flow_frame *scope)
{
    const flow_fault *fault = task->marks_ >= FLOW_MARK_FAULT ? world->faults : NULL;
    for (; fault != NULL; fault = fault->outer) {
        const flow_frame *frame = fault->task == task && fault->scope != NULL ? scope : NULL;
        while (frame != NULL && frame != fault->scope && !(frame->flags_ & FLOW_FRAME_FINALLY)) {
            frame = flow__caller(task, frame);
        }
        if (frame != NULL && frame == fault->scope) {
            return true;
        }
    }
    return false;
}

flow_fault *flow__fault_of_node(const flow_node *node)
{
    return node->flags & FLOW_NODE_FAULT ? node->on.object : NULL;
}

flow_outcome flow__outcome_of_fault(const flow_fault *fault)
{
    flow_outcome outcome = {FLOW_STATE_FAILED, FLOW_CAUSE_NONE, fault->code,
                            fault->message,    fault->file,     fault->line};
    return outcome;
}

/* "game > in_game > battle": names are stored innermost first. */
static void path_text(const flow_fault *fault, char *text, size_t capacity)
{
    size_t length = 0;
    text[0] = '\0';
    for (uint32_t i = fault->names; i-- > 0;) {
        char number[16] = "";
        if (fault->number[i] >= 0) {
            (void)snprintf(number, sizeof number, "#%d", (int)fault->number[i]);
        }
        int n = snprintf(text + length, capacity - length, "%s%s%s", fault->path[i], number,
                         i ? " > " : "");
        if (n < 0 || (size_t)n >= capacity - length) {
            break;
        }
        length += (size_t)n;
    }
}

static void *report_user(const flow_world *world)
{
    return world->reports_to ? world->reports_to : world->desc.user;
}

/* Hands a failure to the host, or remembers that one was met; frees it. */
void flow__fault_report(flow_world *world, flow_fault *fault, flow_failure_kind kind)
{
    char path[320];
    flow_failure failure = {kind, fault->flow, fault->code, fault->message,
                            path, fault->file, fault->line};
    bool cut = world->destroying && fault->code == FLOW_CANCELLED;
    path_text(fault, path, sizeof path);
    flow__fault_free(world, fault);
    if (cut) {
        return;
    }
    if (world->desc.on_failure == NULL) {
        world->unhandled = true;
        return;
    }
    bool inside = world->inside;
    world->inside = true;
    world->desc.on_failure(report_user(world), &failure);
    world->inside = inside;
}

/* What begin_frame, tick, flush and destroy return. */
flow_status flow__met(flow_world *world)
{
    bool met = world->unhandled;
    world->unhandled = false;
    return met ? FLOW_UNHANDLED : FLOW_OK;
}

/* Adds ": flow battle#2 #3.1 in game > battle, after battle.c:31, started at spawn.c:40" to a text.
 */
static void add_flow(char *text, size_t capacity, const char *before, const flow_task *task,
                     const char *where)
{
    char path[192], place[192] = "";
    flow_handle handle = flow__handle_of(task);
    const flow_frame *top = flow__frames(task);
    const char *site = task->top_ != NULL ? flow__cold(task)->what.site : NULL;
    size_t length = strlen(text);
    (void)flow_path(task, path, sizeof path);
    if (top != NULL) {
        uint32_t line = top->at_ >> 16;
        (void)snprintf(place, sizeof place, ", %s %s:%u", where, top->fn_->file,
                       (unsigned)(line ? line : (uint32_t)top->fn_->line));
    }
    (void)snprintf(text + length, capacity - length, "%s%s %s #%u.%u in %s%s%s%s", before,
                   task->top_ != NULL ? "flow" : "group",
                   top ? top->fn_->name : flow__task_name(task), handle.slot, handle.generation,
                   path, place, site ? ", started at " : "", site ? site : "");
}

/* Once per kind, misuse aside. A text of the kind's own is completed by whom it concerns. */
void flow__warn(flow_world *world, flow_warning_id id, const flow_task *task, const char *text)
{
    static const char *const texts[] = {
#define TEXT(name, text_) text_,
        FLOW_WARNINGS(TEXT)
#undef TEXT
    };
    char whole[1024];
    flow_handle none = {0, 0};
    if (id != FLOW_WARNING_MISUSE && (world->warned & (1u << id))) {
        return;
    }
    world->warned |= (uint16_t)(1u << id);
    if (world->desc.on_warning == NULL) {
        return;
    }
    if (text == NULL) {
        (void)snprintf(whole, sizeof whole, "%s", texts[id]);
        if (task != NULL && task != world->root) {
            add_flow(whole, sizeof whole, ": ", task, task == world->current ? "after" : "at");
        }
    }
    flow_warning warning = {id, text ? text : whole, task ? flow__handle_of(task) : none};
    bool inside = world->inside;
    world->inside = true;
    world->desc.on_warning(report_user(world), &warning);
    world->inside = inside;
}

static flow_status misused(flow_world *world, const flow_task *task, const char *rule,
                           const char *where, const flow_task *earlier)
{
    char text[1024];
    task = task != NULL ? task : world->current;
    (void)snprintf(text, sizeof text, "%s", rule);
    if (task != NULL && task != world->root) {
        add_flow(text, sizeof text, ": ", task, where);
    }
    if (earlier != NULL) {
        add_flow(text, sizeof text, "; earlier: ", earlier, "at");
    }
    flow__warn(world, FLOW_WARNING_MISUSE, task, text);
#ifndef FLOW_NO_ASSERT
    flow__assert_failed(text, __FILE__, __LINE__);
#endif
    return FLOW_MISUSE;
}

/* A rule of the interface was broken: says which, by whom (null: the running flow, if any) and
 * after which of its awaits, and returns MISUSE. */
flow_status flow__misuse(flow_world *world, const flow_task *task, const char *rule)
{
    return misused(world, task, rule, "after", NULL);
}

/* The same of the await that is being begun, and of the flow that was there earlier, or null. */
flow_status flow__misuse_at(flow_world *world, const flow_task *task, const char *rule,
                            const flow_task *earlier)
{
    return misused(world, task, rule, "at", earlier);
}

/* ---- failing, trying, shielding ---- */

/* The awaited thing failed with a result: 0 when a FLOW_TRY takes it and the body goes on, else 1.
 */
int flow__fault_arrive(flow_task *flow, flow_frame *self, const flow_result *result)
{
    flow_world *world = flow__world_of(flow);
    flow_fault *fault = result->fault;
    if (fault == NULL) {
        fault = flow__fault_new(world, flow, result->code, result->message);
    }
    flow->flags_ |= FLOW_TASK_FAULT;
    if (!flow__try_takes(world, flow, self, fault)) {
        return 1;
    }
    flow->budget_ -= flow->budget_ != 0;
    return flow__done_at_once(flow, self);
}

int flow__fault_raise(flow_task *flow, flow_frame *self, int code, const char *message)
{
    flow_result result = {code, message, NULL};
    return flow__fault_arrive(flow, self, &result);
}

flow_step flow_fail_(flow_task *flow, flow_frame *self, int code, const char *message, int line)
{
    self->at_ = (self->at_ & 0xffffu) | ((uint32_t)line << 16);
    if (code == 0) {
        code = FLOW_MISUSE;
        message = "FLOW_FAIL with the code 0, which is success";
    }
    if (flow->kind_ == FLOW_KIND_AWAY) {
        return flow__away_fails(flow, code, message);
    }
    self->flags_ &= (uint8_t)~FLOW_FRAME_TRY_;
    (void)flow__fault_raise(flow, self, code, message);
    flow__fault_of(flow__world_of(flow), flow)->line = line; /* the frame keeps 16 bits of it */
    return flow_step_of_(FLOW_STEP_STOPPED_);
}

void flow_tried_(flow_task *flow, flow_frame *self, flow_outcome *outcome)
{
    flow_world *world = flow__world_of(flow);
    flow_outcome result = {FLOW_STATE_DONE, FLOW_CAUSE_NONE, 0, NULL, NULL, 0};
    if (flow->kind_ == FLOW_KIND_AWAY) { /* it has got there; see flow__away_begin */
        flow->flags_ &= (uint16_t)~FLOW_TASK_TRIED;
    } else {
        self->flags_ &= (uint8_t)~FLOW_FRAME_TRY_;
    }
    if (flow->flags_ & FLOW_TASK_TRIED) {
        flow_fault *fault = flow__fault_of(world, flow);
        flow->flags_ &= (uint16_t)~FLOW_TASK_TRIED;
        result = flow__outcome_of_fault(fault);
        if (fault->code == FLOW_CANCELLED) {
            result.state = FLOW_STATE_CANCELLED;
        }
        flow__fault_free(world, fault);
    }
    if (outcome != NULL) {
        *outcome = result;
    }
}

void flow_shield_(flow_task *flow, flow_frame *self)
{
    if (!(flow->flags_ & FLOW_TASK_PROTECTED)) {
        if (flow__must_leave(flow)) {
            flow__unmark(flow__world_of(flow), flow); /* it stops at its next unshielded await */
            flow->budget_ = FLOW_AWAIT_CAP;
        }
        flow->flags_ |= FLOW_TASK_PROTECTED;
        self->flags_ |= FLOW_FRAME_SHIELD_;
    }
}

void flow_unshield_(flow_task *flow, flow_frame *self)
{
    if (self->flags_ & FLOW_FRAME_SHIELD_) {
        self->flags_ &= (uint8_t)~FLOW_FRAME_SHIELD_;
        flow->flags_ &= (uint16_t)~FLOW_TASK_PROTECTED;
        FLOW_FAULT_(8) return;
        if (flow__must_leave(flow)) {
            flow__cut_short(flow);
        }
    }
}
