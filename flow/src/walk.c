/* SPDX-License-Identifier: MIT */
/*
 * What is known of each live flow, as data: paths, filters, and the walk that hands it out. Nothing
 * of it is kept: all of it is read off the tree, when it is asked for.
 */
#include "private.h"

#include <stdio.h>

/* ---- paths ---- */

enum { PATH_NAMES = 64 };

/* Adds a piece to a text of which `length` characters are wanted so far; what does not fit is
 * counted. */
static size_t text_add(char *text, size_t capacity, size_t length, const char *piece)
{
    for (; *piece != '\0'; piece++, length++) {
        if (length + 1 < capacity) {
            text[length] = *piece;
            text[length + 1] = '\0';
        }
    }
    return length;
}

static size_t name_add_to(char *text, size_t capacity, size_t length, flow_name name)
{
    char number[16] = "";
    if (name.number >= 0) {
        (void)snprintf(number, sizeof number, "#%d", (int)name.number);
    }
    length = text_add(text, capacity, length, name.text);
    return text_add(text, capacity, length, number);
}

/* The frames of a task, the innermost first; none while its arguments are being written. */
const flow_frame *flow__frames(const flow_task *task)
{
    bool written = task->kind_ != FLOW_KIND_PREPARING && task->kind_ != FLOW_KIND_EMBRYO;
    return written ? task->top_ : NULL;
}

size_t flow_path(const flow_task *flow, char *text, size_t capacity)
{
    const flow_world *world = flow__world_of(flow);
    flow_name names[PATH_NAMES];
    size_t count = 0, length = 0;
    if (capacity > 0) {
        text[0] = '\0';
    }
    for (const flow_frame *frame = flow__frames(flow); flow != world->root && count < PATH_NAMES;) {
        if (frame == NULL) {
            names[count++] = flow__name_of(flow);
        }
        for (; frame != NULL && count < PATH_NAMES; frame = flow__caller(flow, frame)) {
            names[count++] = flow__frame_name(flow, frame);
        }
        frame = flow__cold(flow)->owner_frame;
        flow = flow__task(world, flow__cold(flow)->owner);
    }
    while (count-- > 0) {
        length = name_add_to(text, capacity, length, names[count]);
        length = text_add(text, capacity, length, count > 0 ? " > " : "");
    }
    return length;
}

/* ---- what is known of one flow ---- */

static flow_activity activity_of(const flow_task *task)
{
    switch ((flow_kind)task->kind_) {
    case FLOW_KIND_GROUP:
        return FLOW_ACTIVITY_GROUP;
    case FLOW_KIND_RUNNING:
        return FLOW_ACTIVITY_RUNNING;
    case FLOW_KIND_READY:
        return FLOW_ACTIVITY_READY;
    case FLOW_KIND_HELD:
        return FLOW_ACTIVITY_HELD;
    case FLOW_KIND_TICK:
    case FLOW_KIND_FRAME:
    case FLOW_KIND_TIMER:
    case FLOW_KIND_PARKED:
    case FLOW_KIND_NODE:
        return FLOW_ACTIVITY_WAITING;
    case FLOW_KIND_CLOSING:
        return task->top_ != NULL ? FLOW_ACTIVITY_CLOSING : FLOW_ACTIVITY_GROUP;
    case FLOW_KIND_FREE:
    case FLOW_KIND_EMBRYO:
    case FLOW_KIND_PREPARING:
    case FLOW_KIND_QUEUED:
    case FLOW_KIND_MARKED:
    case FLOW_KIND_AWAY:
        break;
    }
    return FLOW_ACTIVITY_CHANGING;
}

static double remaining_of(const flow_world *world, const flow_task *task)
{
    if (task->kind_ == FLOW_KIND_TIMER) {
        return flow__timer_remaining(world, task);
    }
    const flow_node *node = task->kind_ == FLOW_KIND_NODE ? flow__node(world, task->pos_) : NULL;
    return node != NULL && node->kind == FLOW_NODE_TIMER ? flow__node_remaining(world, task, node)
                                                         : -1.0;
}

/* For how long a flow has been waiting, or a ready one's code has been due; not known of others. */
static flow_age age_of_wait(const flow_world *world, const flow_task *task)
{
    bool waits = task->kind_ >= FLOW_KIND_TICK && task->kind_ <= FLOW_KIND_NODE;
    return waits ? flow__age_of(world, task->budget_) : (flow_age){0, 0.0, true};
}

static void info_fill(const flow_world *world, const flow_task *task, int depth, flow_info *info)
{
    const flow_frame *top = flow__frames(task);
    const flow_cold *cold = flow__cold(task);
    flow_name name = flow__name_of(task);
    flow_age age = age_of_wait(world, task);
    *info = (flow_info){.flow = flow__handle_of(task),
                        .activity = activity_of(task),
                        .name = name.text,
                        .number = name.number,
                        .depth = depth,
                        .phase = (flow_phase)task->phase_,
                        .clock = world->clocks[task->clock_]->name,
                        .function = top ? top->fn_->name : name.text,
                        .file = top ? top->fn_->file : NULL,
                        .line = top ? (int)(flow__point(world, task, top) >> 16) : 0,
                        .started = task->top_ != NULL ? cold->what.site : NULL,
                        .waited = age.seconds,
                        .waited_frames = age.frames,
                        .remaining = remaining_of(world, task),
                        .cancelling = (task->flags_ & FLOW_TASK_CANCELLED) != 0,
                        .cause = (flow_cause)task->cause_,
                        .stopping = (task->flags_ & FLOW_TASK_STOP) != 0};
    if (cold->owner != 0) {
        info->owner = flow__handle_of(flow__task(world, cold->owner));
    }
    for (uint32_t id = cold->last_child; id != 0; id = flow__cold(flow__task(world, id))->older) {
        info->children++;
    }
    flow__wait_text(world, task, info->waits_for, sizeof info->waits_for);
    (void)flow_path(task, info->path, sizeof info->path);
}

static int depth_of(const flow_world *world, const flow_task *task)
{
    int depth = 0;
    for (; task != world->root; task = flow__task(world, flow__cold(task)->owner)) {
        depth++;
    }
    return depth;
}

flow_status flow_info_of(const flow_world *world, flow_handle flow, flow_info *info)
{
    const flow_task *task = flow__task_of(world, flow);
    if (task == NULL) {
        *info = (flow_info){.number = -1, .remaining = -1.0};
        return FLOW_STALE;
    }
    info_fill(world, task, depth_of(world, task), info);
    return FLOW_OK;
}

/* ---- filters ---- */

static bool is_called(const flow_task *task, const char *wanted)
{
    char text[128];
    flow_name name = flow__name_of(task);
    if (strcmp(name.text, wanted) == 0) {
        return true;
    }
    (void)name_add_to(text, sizeof text, 0, name);
    return strcmp(text, wanted) == 0;
}

static bool is_meant(const flow_world *world, const flow_filter *filter, const flow_task *task)
{
    return (filter->under.generation == 0 || flow__task_of(world, filter->under) == task) &&
           (filter->name == NULL || is_called(task, filter->name));
}

/* Of a walk, for each task in turn. */
bool flow__selects(const flow_world *world, flow_selection *selection, const flow_task *task,
                   int depth)
{
    const flow_filter *filter = selection->filter;
    if (filter == NULL) {
        return true;
    }
    if (selection->inside >= depth) {
        selection->inside = 0; /* that subtree is over */
    }
    if (selection->inside == 0) {
        if (!is_meant(world, filter, task)) {
            return false;
        }
        selection->inside = depth;
    }
    return !(filter->waited > 0.0) || age_of_wait(world, task).seconds >= filter->waited;
}

uint32_t flow_world_walk(const flow_world *world, const flow_filter *filter, flow_visitor visit,
                         void *user)
{
    flow_info info;
    flow_selection selection = {filter, 0};
    uint32_t count = 0;
    int depth = 0;
    for (const flow_task *task = world->root;
         (task = flow__walk_next(world, task, &depth)) != NULL;) {
        if (flow__selects(world, &selection, task, depth)) {
            info_fill(world, task, depth, &info);
            count++;
            if (!visit(user, &info)) {
                break;
            }
        }
    }
    return count;
}
