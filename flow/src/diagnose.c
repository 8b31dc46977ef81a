/* SPDX-License-Identifier: MIT */
/*
 * What lives in a world, drawn as a tree, and counted. One walk serves whoever looks at it: depth
 * first, the oldest child first, without recursion and without memory.
 */
#include "private.h"

#include <stdarg.h>
#include <stdio.h>

flow_counters flow_world_counters(const flow_world *world)
{
    flow_counters counters = world->count;
    counters.bytes = world->slab.bytes;
    counters.ended += counters.cancelled + counters.failed;
    return counters;
}

/* By flow_node_kind and by flow_kind; what is hashed must not depend on their numbers. */
static const char *const node_names[] = {
    "?",    "never",   "next tick", "next frame", "ticks", "frames",      "timer", "predicate",
    "",     "end of ", "done",      "race",       "all",   "all settled", "any",   "timeout",
    "each", "?",       "?",         "?",          "?",     "?",           "?",     "done",
    "done", "?",       "?",         "?",          "?",     "element of ", "done",  "job"};

static const char *const kind_names[] = {
    "free", "embryo", "preparing", "queued", "running", "marked",  "ready", "held",
    "tick", "frame",  "timer",     "parked", "node",    "closing", "group", "?"};

const char *flow__node_word(const flow_node *node)
{
    return node_names[node->kind];
}

const char *flow__kind_word(const flow_task *task)
{
    return kind_names[task->kind_];
}

/* ---- the walk ---- */

static const flow_task *oldest_child(const flow_world *world, const flow_task *task)
{
    uint32_t id = flow__cold(task)->last_child;
    if (id == 0) {
        return NULL;
    }
    while (flow__cold(flow__task(world, id))->older != 0) {
        id = flow__cold(flow__task(world, id))->older;
    }
    return flow__task(world, id);
}

/* The next task of the tree after this one, the root first; null at the end. Keeps the depth. */
const flow_task *flow__walk_next(const flow_world *world, const flow_task *task, int *depth)
{
    const flow_task *child = oldest_child(world, task);
    if (child != NULL) {
        (*depth)++;
        return child;
    }
    while (task != world->root) {
        const flow_cold *cold = flow__cold(task);
        if (cold->younger != 0) {
            return flow__task(world, cold->younger);
        }
        task = flow__task(world, cold->owner);
        (*depth)--;
    }
    return NULL;
}

/* ---- text ---- */

typedef struct writer {
    flow_text_sink sink;
    void *user;
} writer;

#if defined(__GNUC__) || defined(__clang__)
__attribute__((format(printf, 2, 3)))
#endif
static void
put(const writer *out, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (length > 0) {
        out->sink(out->user, text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
    }
}

static void put_age(const writer *out, const flow_world *world, uint32_t seq)
{
    flow_age age = flow__age_of(world, seq);
    unsigned long long frames = age.frames;
    if (age.exact) {
        put(out, ", for %llu frame%s", frames, frames == 1 ? "" : "s");
    } else {
        put(out, ", for more than %llu frames (%.1f s)", frames, age.seconds);
    }
}

static void put_name(const writer *out, const flow_task *task)
{
    flow_name name = flow__name_of(task);
    put(out, "%s", name.text);
    if (name.number >= 0) {
        put(out, "#%d", (int)name.number);
    }
}

static void put_handle(const writer *out, const flow_task *task)
{
    flow_handle handle = flow__handle_of(task);
    put(out, "#%u.%u", handle.slot, handle.generation);
}

const flow_clock_state *flow__clock_of_lane(const flow_world *world, const flow_lane *lane,
                                            uint32_t phase)
{
    for (uint32_t i = 1; i < world->clock_count; i++) {
        if (flow__lane(world, i, phase) == lane) {
            return world->clocks[i];
        }
    }
    return world->clocks[FLOW_CLOCK_GAME];
}

/* Ticks or frames until a wait for some is over. */
int64_t flow__node_left(const flow_world *world, const flow_task *task, const flow_node *node)
{
    const flow_clock_state *clock = flow__clock_of_lane(world, node->to.lane, task->phase_);
    return node->on.due - (node->kind == FLOW_NODE_FRAMES
                               ? (int64_t)world->frame
                               : (int64_t)clock->time[task->phase_].ticks);
}

double flow__node_remaining(const flow_world *world, const flow_task *task, const flow_node *node)
{
    const flow_clock_state *clock = flow__clock_of_lane(world, node->to.lane, task->phase_);
    return (double)(node->on.due - clock->time[task->phase_].now) * 1e-9;
}

enum { SHOWN_BRANCHES = 24, SHOWN_DEPTH = 12 };

static bool is_over(const flow_node *branch)
{
    return branch->kind == FLOW_NODE_DONE || branch->kind == FLOW_NODE_CHANGED ||
           branch->kind == FLOW_NODE_HELD ||
           (flow__is_composition(branch) && (branch->flags & FLOW_NODE_SETTLED));
}

/* Calls of a decided composition that have not ended. */
static uint32_t still_ending(const flow_node *root)
{
    uint32_t count = 0;
    for (const flow_node *node = root; node != NULL; node = flow__tree_next(root, node)) {
        count += flow__call_lives(node);
    }
    return count;
}

/* How far a composition is: how many of its branches have not ended. */
static void put_state(const writer *out, const flow_node *node)
{
    uint32_t count = 0, open = 0;
    for (const flow_node *branch = node->prev; branch != NULL; branch = branch->sibling) {
        count++;
        open += !is_over(branch);
    }
    if (node->flags & FLOW_NODE_SETTLED) {
        uint32_t ending = still_ending(node);
        put(out, " decided, %u branch%s still ending", ending, ending == 1 ? "" : "es");
    } else {
        put(out, " %u/%u branches", open, count);
    }
}

static void put_node(const writer *out, const flow_world *world, const flow_task *task,
                     const flow_node *node, int depth);

static void put_branches(const writer *out, const flow_world *world, const flow_task *task,
                         const flow_node *node, int depth)
{
    uint32_t count = 0;
    for (const flow_node *branch = node->prev; branch != NULL; branch = branch->sibling) {
        count++;
    }
    uint32_t shown = depth == SHOWN_DEPTH ? 0 : count <= SHOWN_BRANCHES ? count : SHOWN_BRANCHES;
    for (uint32_t i = 0; i < shown;
         i++) { /* the list is newest first; branches are shown as written */
        const flow_node *branch = node->prev;
        for (uint32_t skip = count - 1 - i; skip > 0; skip--) {
            branch = branch->sibling;
        }
        put(out, i ? ", " : "");
        put_node(out, world, task, branch, depth + 1);
    }
    if (shown < count) {
        put(out, "%s%u more", shown > 0 ? ", " : "", count - shown);
    }
}

/* A stream that is moved: whoever makes its elements. */
static void put_producer(const writer *out, const flow_node *stream)
{
    put_name(out, stream->on.object);
    put_handle(out, stream->on.object);
}

static void put_node(const writer *out, const flow_world *world, const flow_task *task,
                     const flow_node *node, int depth)
{
    put(out, "%s", node_names[node->kind]);
    switch ((flow_node_kind)node->kind) {
    case FLOW_NODE_TIMER:
        put(out, " %.3f s", flow__node_remaining(world, task, node));
        break;
    case FLOW_NODE_TICKS:
    case FLOW_NODE_FRAMES:
        put(out, " %lld", (long long)flow__node_left(world, task, node));
        break;
    case FLOW_NODE_UNTIL:
        put(out, " %s", node->text);
        break;
    case FLOW_NODE_SIGNAL:
        put(out, "%s %u", flow__record_name(node->on.object), flow__node_id(node->on.object));
        break;
    case FLOW_NODE_JOIN:
        put_name(out, node->on.object);
        put_handle(out, node->on.object);
        break;
    case FLOW_NODE_MOVE:
        put_producer(out, node->on.object);
        break;
    case FLOW_NODE_JOB:
        put(out, " %s", flow__job_name(node));
        break;
    case FLOW_NODE_RACE:
    case FLOW_NODE_ALL:
    case FLOW_NODE_ALL_SETTLED:
    case FLOW_NODE_ANY:
    case FLOW_NODE_TIMEOUT:
    case FLOW_NODE_EACH:
        put(out, "(");
        put_branches(out, world, task, node, depth);
        put(out, ")");
        put_state(out, node);
        break;
    case FLOW_NODE_FREE:
    case FLOW_NODE_NEVER:
    case FLOW_NODE_TICK:
    case FLOW_NODE_FRAME:
    case FLOW_NODE_DONE:
    case FLOW_NODE_RECORD:
    case FLOW_NODE_DEFER:
    case FLOW_NODE_PAUSE:
    case FLOW_NODE_CLOCK:
    case FLOW_NODE_NAME:
    case FLOW_NODE_TO_START:
    case FLOW_NODE_OUTCOME:
    case FLOW_NODE_ASIDE:
    case FLOW_NODE_CHANGED:
    case FLOW_NODE_HELD:
    case FLOW_NODE_FEED:
    case FLOW_NODE_STREAM:
    case FLOW_NODE_MOVED:
        break;
    }
}

/* The deadline of a task's own timer is kept in wrapping milliseconds. */
double flow__timer_remaining(const flow_world *world, const flow_task *task)
{
    uint32_t now = (uint32_t)(world->clocks[task->clock_]->time[task->phase_].now / 1000000);
    return (double)(int32_t)(task->pos_ - now) * 1e-3;
}

static void put_wait(const writer *out, const flow_world *world, const flow_task *task)
{
    switch ((flow_kind)task->kind_) {
    case FLOW_KIND_TICK:
        put(out, "waits for next tick");
        break;
    case FLOW_KIND_FRAME:
        put(out, "waits for next frame");
        break;
    case FLOW_KIND_TIMER:
        put(out, "waits for timer %.3f s", flow__timer_remaining(world, task));
        break;
    case FLOW_KIND_NODE:
        put(out, "waits for ");
        put_node(out, world, task, flow__node(world, task->pos_), 0);
        break;
    case FLOW_KIND_PARKED:
        put(out, "waits to be moved");
        break;
    case FLOW_KIND_READY:
        put(out, "ready");
        return;
    case FLOW_KIND_HELD:
        put(out, "held by a pause");
        return;
    case FLOW_KIND_CLOSING:
        put(out, "waits for children to finish their cleanup");
        return;
    case FLOW_KIND_RUNNING:
        put(out, "running");
        return;
    case FLOW_KIND_MARKED:
    case FLOW_KIND_QUEUED:
    case FLOW_KIND_EMBRYO:
    case FLOW_KIND_PREPARING:
        put(out, "about to start or to end");
        return;
    case FLOW_KIND_FREE:
    case FLOW_KIND_GROUP:
    case FLOW_KIND_AWAY:
        return;
    }
    put_age(out, world, task->budget_);
}

static void put_frames(const writer *out, const flow_world *world, const flow_task *task)
{
    for (const flow_frame *frame = flow__frames(task); frame != NULL;
         frame = flow__caller(task, frame)) {
        put(out, "%s%s %s:%u", frame == task->top_ ? " at " : " < ", frame->fn_->name,
            frame->fn_->file, (unsigned)(flow__point(world, task, frame) >> 16));
    }
}

static void put_task(const writer *out, const flow_world *world, const flow_task *task, int depth)
{
    put(out, "%*s", 2 * depth, "");
    put_name(out, task);
    put(out, " ");
    put_handle(out, task);
    if (task->top_ == NULL) {
        put(out, " group");
    } else {
        put(out, " [%s, %s] ", flow_world_phase_name(world, (flow_phase)task->phase_),
            world->clocks[task->clock_]->name);
        put_wait(out, world, task);
        put_frames(out, world, task);
        const char *site = flow__cold(task)->what.site;
        put(out, "%s%s", site ? ", started at " : "", site ? site : "");
    }
    if (task->flags_ & FLOW_TASK_CANCELLED) {
        put(out, " <cancelling: %s>", flow_cause_text((flow_cause)task->cause_));
    }
    put(out, "%s\n", task->flags_ & FLOW_TASK_STOP ? " <asked to stop>" : "");
}

/* The flows whose scopes hold a pause of the clock. */
static void put_holders(const writer *out, const flow_world *world, const flow_clock_state *clock)
{
    int depth = 0;
    const char *before = ", held by ";
    for (const flow_task *task = world->root; task != NULL;
         task = flow__walk_next(world, task, &depth)) {
        uint32_t id = flow__cold(task)->resources;
        const flow_node *node = id ? flow__node(world, id) : NULL;
        for (; node != NULL; node = node->sibling) {
            if (node->kind == FLOW_NODE_PAUSE &&
                flow__clock(world, (flow_clock)node->code) == clock) {
                put(out, "%s", before);
                put_name(out, task);
                put(out, " ");
                put_handle(out, task);
                before = ", ";
            }
        }
    }
}

static void put_clocks(const writer *out, const flow_world *world)
{
    for (uint32_t i = 0; i < world->clocks_used; i++) {
        const flow_clock_state *clock = world->clock_order[i];
        if (!clock->paused && !(clock->scale < 1.0) && !(clock->scale > 1.0)) {
            continue;
        }
        put(out, "clock %s: scale %g%s, %u pause%s of its own", clock->name, clock->scale,
            clock->paused ? ", paused" : "", clock->pauses, clock->pauses == 1 ? "" : "s");
        if (clock->pauses != 0) {
            put_holders(out, world, clock);
        }
        put(out, "\n");
    }
}

static void put_filtered(const writer *out, const flow_world *world, const flow_filter *filter)
{
    flow_selection selection = {filter, 0};
    int depth = 0;
    const flow_task *task = world->root;
    put(out, "%s: frame %llu, %u flows, %u timers, %zu bytes\n", flow__task_name(task),
        (unsigned long long)world->frame, world->count.live, world->count.timers,
        world->slab.bytes);
    while ((task = flow__walk_next(world, task, &depth)) != NULL) {
        if (flow__selects(world, &selection, task, depth)) {
            put_task(out, world, task, depth);
        }
    }
    put_clocks(out, world);
}

void flow_world_dump(const flow_world *world, flow_text_sink sink, void *user)
{
    put_filtered(&(writer){sink, user}, world, NULL);
}

void flow_world_dump_if(const flow_world *world, const flow_filter *filter, flow_text_sink sink,
                        void *user)
{
    put_filtered(&(writer){sink, user}, world, filter);
}

typedef struct text_buffer {
    char *text;
    size_t capacity, length;
} text_buffer;

static void buffer_put(void *user, const char *text, size_t length)
{
    text_buffer *buffer = user;
    for (size_t i = 0; i < length; i++, buffer->length++) {
        if (buffer->length + 1 < buffer->capacity) {
            buffer->text[buffer->length] = text[i];
            buffer->text[buffer->length + 1] = '\0';
        }
    }
}

/* A live flow's line of the dump, without its end. */
size_t flow__describe_live(const flow_world *world, const flow_task *task, char *text,
                           size_t capacity)
{
    text_buffer buffer = {text, capacity, 0};
    writer out = {buffer_put, &buffer};
    put_task(&out, world, task, 0);
    buffer.length--;
    if (buffer.length < capacity) {
        text[buffer.length] = '\0';
    }
    return buffer.length;
}

size_t flow_world_dump_text(const flow_world *world, char *text, size_t capacity)
{
    text_buffer buffer = {text, capacity, 0};
    if (capacity > 0) {
        text[0] = '\0';
    }
    flow_world_dump(world, buffer_put, &buffer);
    return buffer.length;
}

/* What the dump says of a task's wait, as text that is always terminated; capacity is not 0. */
void flow__wait_text(const flow_world *world, const flow_task *task, char *text, size_t capacity)
{
    text_buffer buffer = {text, capacity, 0};
    writer out = {buffer_put, &buffer};
    text[0] = '\0';
    put_wait(&out, world, task);
}
