/* SPDX-License-Identifier: MIT */
/*
 * Recording. Spans open and close as on a stack; each one's own time goes to its row, and the spans
 * outside of all others make up what is accounted for in the frame. A finally section that a cancel
 * runs is the cancel's: its row gets the time, and the longest is remembered by name.
 */
#include "profiler.h"

/* ---- rows ---- */

static uint32_t hash_text(flow_profile_kind kind, const char *text)
{
    uint32_t hash = 2166136261u ^ (uint32_t)kind;
    for (; *text != '\0'; text++) {
        hash = (hash ^ (uint8_t)*text) * 16777619u;
    }
    return hash ^ (hash >> 15);
}

static uint32_t hash_function(flow_profile_kind kind, const flow_function *fn)
{
    uint64_t hash = ((uint64_t)(uintptr_t)fn >> 3) + (uint64_t)kind;
    return (uint32_t)((hash * 0x9e3779b97f4a7c15u) >> 32);
}

static int column_of(flow_profile_kind kind, const char *name)
{
    static const char *const columns[FLOW_PROFILE_COLUMNS] = {"early", "fixed", "update", "late",
                                                              "render"};
    const char *own = kind == FLOW_PROFILE_TICK && strncmp(name, "flow ", 5) == 0 ? name + 5 : name;
    for (int i = 0; i < FLOW_PROFILE_COLUMNS && kind >= FLOW_PROFILE_TICK; i++) {
        if (strcmp(own, columns[i]) == 0) {
            return i;
        }
    }
    return -1;
}

/* Rows and the index are full at the same time: then OTHER it is. */
static uint32_t row_new(flow_profile *profile, uint32_t place, flow_profile_kind kind,
                        const flow_function *fn, const char *name)
{
    if (profile->row_count >= profile->desc.rows) {
        return FLOW_ROW_OTHER;
    }
    uint32_t number = profile->row_count++;
    flow_row *row = &profile->rows[number];
    (void)snprintf(row->name, sizeof row->name, "%s", name);
    row->fn = fn;
    row->column = column_of(kind, row->name);
    row->frame.kind = kind;
    row->frame.name = fn != NULL ? fn->name : row->name;
    profile->index[place] = (uint16_t)(number + 1);
    return number;
}

/* The row of a scope, phase or zone, by its text, of which FLOW_ROW_NAME - 1 characters count. */
uint32_t flow__row_named(flow_profile *profile, flow_profile_kind kind, const char *name)
{
    char key[FLOW_ROW_NAME];
    size_t length = 0;
    while (length < sizeof key - 1 && name[length] != '\0') {
        key[length] = name[length];
        length++;
    }
    key[length] = '\0';
    uint32_t place = hash_text(kind, key) & profile->index_mask;
    for (; profile->index[place] != 0; place = (place + 1) & profile->index_mask) {
        uint32_t number = profile->index[place] - 1u;
        const flow_row *row = &profile->rows[number];
        if (row->frame.kind == kind && row->fn == NULL && strcmp(row->name, key) == 0) {
            return number;
        }
    }
    return row_new(profile, place, kind, NULL, key);
}

static uint32_t row_look_up(flow_profile *profile, flow_profile_kind kind, const flow_function *fn)
{
    uint32_t place = hash_function(kind, fn) & profile->index_mask;
    for (; profile->index[place] != 0; place = (place + 1) & profile->index_mask) {
        uint32_t number = profile->index[place] - 1u;
        if (profile->rows[number].fn == fn && profile->rows[number].frame.kind == kind) {
            return number;
        }
    }
    return row_new(profile, place, kind, fn, fn->name);
}

/* The same function often goes on many times in a row. */
FLOW_INLINE_ uint32_t row_of_function(flow_profile *profile, flow_profile_kind kind,
                                      const flow_function *fn)
{
    if (profile->last_fn != fn || profile->last_kind != kind) {
        profile->last_fn = fn;
        profile->last_kind = kind;
        profile->last_row = row_look_up(profile, kind, fn);
    }
    return profile->last_row;
}

void flow__row_touch(flow_profile *profile, uint32_t row)
{
    if (!profile->rows[row].touched) {
        profile->rows[row].touched = true;
        profile->touched[profile->touched_count++] = (uint16_t)row;
    }
}

/* ---- events and spans ---- */

int64_t flow__clock_read(flow_profile *profile)
{
    int64_t now = (int64_t)profile->desc.now_ns(profile->desc.user);
    profile->now = now > profile->now ? now : profile->now;
    profile->fresh = false;
    return profile->now;
}

flow_profile_event *flow__event_new(flow_profile *profile, flow_event_kind kind)
{
    flow_profile_event *event = flow__event(profile, profile->head++);
    event->at = profile->now;
    event->is.ns = -1;
    event->flow = (flow_handle){0, 0};
    event->line = event->count = 0;
    event->kind = (uint8_t)kind;
    event->why = event->state = 0;
    event->depth = (uint8_t)(profile->depth < UINT8_MAX ? profile->depth : UINT8_MAX);
    return event;
}

/* Opens a span; null: nested too deep to be recorded, its time is that of the span around it. */
FLOW_INLINE_ flow_profile_event *span_open(flow_profile *profile, flow_event_kind kind,
                                           uint32_t row)
{
    if (profile->depth >= FLOW_OPEN_LIMIT) {
        profile->depth++;
        return NULL;
    }
    flow_open *open = &profile->open[profile->depth];
    open->event = profile->head;
    open->row = row;
    open->kind = kind;
    open->inner = 0;
    open->cancel = profile->cancel;
    open->worst = (flow_handle){0, 0};
    open->worst_fn = NULL;
    open->worst_line = 0;
    open->worst_ns = 0;
    open->at =
        profile->fresh && kind == FLOW_EVENT_RESUME ? profile->now : flow__clock_read(profile);
    profile->fresh = false;
    flow_profile_event *event = flow__event_new(profile, kind);
    event->of.name = profile->rows[row].name;
    profile->depth++;
    return event;
}

/* A span's own time, in its row of this frame and of the run. */
FLOW_INLINE_ void row_add(flow_profile *profile, uint32_t number, int64_t self, int64_t single)
{
    flow_row *row = &profile->rows[number];
    flow__row_touch(profile, number);
    row->frame.self_ns += self;
    row->bucket[flow__row_bucket(single)]++;
    row->longest = single > row->longest ? single : row->longest;
}

/* The longest of its kind in this frame. */
static void worst_set(flow_profile_row *row, int64_t ns, flow_handle flow, const flow_function *fn,
                      uint32_t line)
{
    if (ns > row->max_ns) {
        row->max_ns = ns;
        row->worst = flow;
        row->worst_name = fn != NULL ? fn->name : NULL;
        row->file = fn != NULL ? fn->file : NULL;
        row->line = line;
    }
}

/* A finally section under a cancel. */
static void cancel_add(flow_profile *profile, const flow_open *span, int64_t self)
{
    flow_open *cancel = &profile->open[span->cancel];
    flow_row *row = &profile->rows[cancel->row];
    flow__row_touch(profile, cancel->row);
    row->frame.self_ns += self;
    worst_set(&row->frame, self, span->worst, span->worst_fn, span->worst_line);
    if (self > cancel->worst_ns) {
        cancel->worst_ns = self;
        cancel->worst = span->worst;
    }
}

static void cancel_close(flow_profile *profile, const flow_open *span, flow_profile_event *event)
{
    const flow_world *world = profile->world;
    uint64_t count = world->count.cancelled - span->cancelled;
    profile->rows[span->row].frame.count += (uint32_t)count;
    profile->cancel = span->cancel;
    if (event != NULL) {
        event->count = (uint32_t)count;
        event->line = (uint32_t)(world->count.finally_runs - span->finally_runs);
        event->flow = span->worst;
    }
}

static void frame_add(flow_profile *profile, const flow_open *span, int64_t ns, int64_t self)
{
    flow_row *row = &profile->rows[span->row];
    flow_profile_frame *frame = &profile->frame;
    if (profile->depth == 0) {
        profile->accounted += ns;
    } else {
        profile->open[profile->depth - 1].inner += ns;
    }
    if (span->kind == FLOW_EVENT_WAIT) {
        frame->wait_ns += self;
        frame->present_ns += strcmp(row->name, "present") == 0 ? ns : 0;
    }
    bool outermost = row->column >= 0;
    for (uint32_t i = 0; i < profile->depth && outermost; i++) {
        outermost = profile->rows[profile->open[i].row].column < 0;
    }
    if (outermost) {
        frame->column_ns[row->column] += ns;
    }
}

static void span_close(flow_profile *profile)
{
    if (profile->depth == 0 || --profile->depth >= FLOW_OPEN_LIMIT) {
        return; /* opened before recording began, or too deep */
    }
    flow_open *span = &profile->open[profile->depth];
    int64_t ns = flow__clock_read(profile) - span->at;
    int64_t self = ns - span->inner;
    flow_profile_event *event = NULL;
    if (flow__event_kept(profile, span->event)) {
        event = flow__event(profile, span->event);
        event->is.ns = ns;
    }
    if (span->kind == FLOW_EVENT_CANCEL) {
        cancel_close(profile, span, event);
        row_add(profile, span->row, self, self);
    } else if (span->kind == FLOW_EVENT_FINALLY && span->cancel >= 0) {
        cancel_add(profile, span, self);
    } else {
        row_add(profile, span->row, self, self);
        worst_set(&profile->rows[span->row].frame, self, span->worst, span->worst_fn,
                  span->worst_line);
    }
    frame_add(profile, span, ns, self);
}

/* A zone of the profiler's own, from an earlier moment to now, outside of all others. */
void flow__span_from(flow_profile *profile, const char *name, int64_t from)
{
    uint32_t row = flow__row_named(profile, FLOW_PROFILE_ZONE, name);
    profile->rows[row].frame.count++;
    if (span_open(profile, FLOW_EVENT_ZONE, row) != NULL) {
        profile->open[profile->depth - 1].at = from;
        flow__event(profile, profile->head - 1)->at = from;
        span_close(profile);
    }
}

void flow__spans_close(flow_profile *profile)
{
    while (profile->depth > 0) {
        span_close(profile);
    }
    profile->cancel = -1;
}

/* ---- what the runtime tells ---- */

/* A span of a flow's code, of its innermost function. */
static void flow_span_open(flow_profile *profile, flow_event_kind kind, flow_profile_kind row_kind,
                           const flow_task *task, uint32_t line, uint32_t why)
{
    const flow_function *fn = task->top_->fn_;
    uint32_t row = row_of_function(profile, row_kind, fn);
    bool counts = kind != FLOW_EVENT_ON && kind != FLOW_EVENT_FINALLY;
    profile->rows[row].frame.count += counts;
    profile->rows[row].frame.starts += kind == FLOW_EVENT_START;
    flow__row_touch(profile, row);
    flow_profile_event *event = span_open(profile, kind, row);
    if (event != NULL) {
        flow_open *open = &profile->open[profile->depth - 1];
        event->of.fn = fn;
        event->root = flow__first_function(task);
        event->flow = open->worst = flow__handle_of(task);
        event->line = open->worst_line = line;
        event->why = (uint8_t)why;
        open->worst_fn = fn;
    }
}

static uint32_t line_of(const flow_task *task)
{
    uint32_t line = task->top_->at_ >> 16;
    return line != 0 ? line : task->top_->fn_->line;
}

/* What a suspended flow waited for: a flow_node_kind, or FLOW_WHY_RECORD and a record's type. */
static uint32_t why_of(const flow_world *world, const flow_task *task)
{
    switch ((flow_kind)task->kind_) {
    case FLOW_KIND_TICK:
        return FLOW_NODE_TICK;
    case FLOW_KIND_FRAME:
        return FLOW_NODE_FRAME;
    case FLOW_KIND_TIMER:
        return FLOW_NODE_TIMER;
    case FLOW_KIND_FREE:
    case FLOW_KIND_EMBRYO:
    case FLOW_KIND_PREPARING:
    case FLOW_KIND_QUEUED:
    case FLOW_KIND_RUNNING:
    case FLOW_KIND_MARKED:
    case FLOW_KIND_READY:
    case FLOW_KIND_HELD:
    case FLOW_KIND_PARKED:
    case FLOW_KIND_NODE:
    case FLOW_KIND_CLOSING:
    case FLOW_KIND_GROUP:
    case FLOW_KIND_AWAY:
        break;
    }
    if (task->flags_ & FLOW_TASK_LEAVING) {
        return FLOW_WHY_CHILDREN;
    }
    if (!(task->flags_ & FLOW_TASK_RESULT)) {
        return task->budget_;
    }
    if (task->budget_ == 0) {
        return FLOW_WHY_CLOCK_ENDED;
    }
    const flow_node *node = flow__node(world, task->budget_);
    return flow__is_composition(node) ? node->kind : node->branch;
}

const char *flow__why_text(uint32_t why)
{
    static const char *const words[FLOW_WHY_RECORD] = {
        [FLOW_NODE_TICK] = "tick",
        [FLOW_NODE_FRAME] = "frame",
        [FLOW_NODE_TICKS] = "ticks",
        [FLOW_NODE_FRAMES] = "frames",
        [FLOW_NODE_TIMER] = "timer",
        [FLOW_NODE_UNTIL] = "until",
        [FLOW_NODE_JOIN] = "join",
        [FLOW_NODE_RACE] = "race",
        [FLOW_NODE_ALL] = "all",
        [FLOW_NODE_ALL_SETTLED] = "all settled",
        [FLOW_NODE_ANY] = "any",
        [FLOW_NODE_TIMEOUT] = "timeout",
        [FLOW_NODE_EACH] = "each",
        [FLOW_NODE_MOVE] = "move",
        [FLOW_NODE_JOB] = "job",
        [FLOW_WHY_CHILDREN] = "children ended",
        [FLOW_WHY_CLOCK_ENDED] = "clock ended",
    };
    if (why >= FLOW_WHY_RECORD) {
        return flow__record_type_name(why - FLOW_WHY_RECORD);
    }
    return words[why] != NULL ? words[why] : "";
}

void flow__profile_resume(flow_world *world, const flow_task *task)
{
    flow_span_open(world->profile, FLOW_EVENT_RESUME, FLOW_PROFILE_FLOW, task, line_of(task),
                   why_of(world, task));
}

void flow__profile_start(flow_world *world, const flow_task *task)
{
    flow_span_open(world->profile, FLOW_EVENT_START, FLOW_PROFILE_FLOW, task, task->top_->fn_->line,
                   0);
}

void flow__profile_on(flow_world *world, const flow_task *task, bool finally_begins)
{
    flow_span_open(world->profile, finally_begins ? FLOW_EVENT_FINALLY : FLOW_EVENT_ON,
                   FLOW_PROFILE_FLOW, task, line_of(task), 0);
}

void flow__profile_predicate(flow_world *world, const flow_node *node)
{
    const flow_task *task = flow__node_task(node);
    flow_span_open(world->profile, FLOW_EVENT_PREDICATE, FLOW_PROFILE_PREDICATE, task,
                   line_of(task), 0);
}

void flow__profile_cancel(flow_world *world, const flow_task *task)
{
    flow_profile *profile = world->profile;
    uint32_t row = flow__row_named(profile, FLOW_PROFILE_CANCEL, flow__task_name(task));
    if (span_open(profile, FLOW_EVENT_CANCEL, row) != NULL) {
        flow_open *open = &profile->open[profile->depth - 1];
        open->cancelled = world->count.cancelled;
        open->finally_runs = world->count.finally_runs;
        profile->cancel = (int32_t)(profile->depth - 1);
    }
}

void flow__profile_tick(flow_world *world, flow_phase phase)
{
    char name[FLOW_ROW_NAME];
    flow_profile *profile = world->profile;
    (void)snprintf(name, sizeof name, "flow %s",
                   phase == FLOW_INHERIT ? "begin frame"
                                         : flow_world_phase_name(profile->world, phase));
    uint32_t row = flow__row_named(profile, FLOW_PROFILE_TICK, name);
    profile->rows[row].frame.count++;
    (void)span_open(profile, FLOW_EVENT_TICK, row);
}

/* What other threads sent, in begin_frame: a span of its own, so that a flood is told as one. */
void flow__profile_inbox(flow_world *world)
{
    flow_profile *profile = world->profile;
    (void)span_open(profile, FLOW_EVENT_TICK,
                    flow__row_named(profile, FLOW_PROFILE_TICK, "flow inbox"));
}

void flow__profile_inbox_end(flow_world *world, uint64_t taken)
{
    flow_profile *profile = world->profile;
    if (profile == NULL || profile->depth == 0) {
        return;
    }
    if (profile->depth <= FLOW_OPEN_LIMIT) {
        flow_open *open = &profile->open[profile->depth - 1];
        profile->rows[open->row].frame.count += (uint32_t)taken;
        if (flow__event_kept(profile, open->event)) {
            flow__event(profile, open->event)->count = (uint32_t)taken;
        }
    }
    span_close(profile);
}

void flow__profile_close(flow_world *world)
{
    if (world->profile != NULL) {
        span_close(world->profile);
    }
}

/* From one turn to the next flow looks at its queues and nothing else, unless something is owed: so
 * the next one begins with the reading that this one ends with. */
void flow__profile_resumed(flow_world *world)
{
    flow_profile *profile = world->profile;
    if (profile != NULL) {
        span_close(profile);
        profile->fresh = profile->on && !(world->attention & FLOW_ATTENTION_OWED);
    }
}

/* Without a reading of the clock: the last one is near. */
void flow__profile_end(flow_world *world, const flow_task *task, flow_state state)
{
    flow_profile *profile = world->profile;
    const flow_function *fn = flow__first_function(task);
    uint32_t row = row_of_function(profile, FLOW_PROFILE_FLOW, fn);
    profile->rows[row].frame.cancels += state == FLOW_STATE_CANCELLED;
    flow__row_touch(profile, row);
    flow_profile_event *event = flow__event_new(profile, FLOW_EVENT_END);
    event->of.fn = event->root = fn;
    event->flow = flow__handle_of(task);
    event->state = (uint8_t)state;
}

/* ---- what the host tells ---- */

static void zone_open(flow_profile *profile, const char *name, flow_profile_kind kind)
{
    if (profile != NULL && profile->on) {
        uint32_t row = flow__row_named(profile, kind, name);
        profile->rows[row].frame.count++;
        (void)span_open(profile, kind == FLOW_PROFILE_WAIT ? FLOW_EVENT_WAIT : FLOW_EVENT_ZONE,
                        row);
    }
}

void flow_profile_begin(flow_profile *profile, const char *name)
{
    zone_open(profile, name, FLOW_PROFILE_ZONE);
}

void flow_profile_begin_wait(flow_profile *profile, const char *name)
{
    zone_open(profile, name, FLOW_PROFILE_WAIT);
}

void flow_profile_end(flow_profile *profile)
{
    if (profile != NULL && profile->on) {
        span_close(profile);
    }
}

void flow_profile_count(flow_profile *profile, const char *name, double value)
{
    if (profile != NULL && profile->on) {
        uint32_t row = flow__row_named(profile, FLOW_PROFILE_OTHER, name);
        flow_profile_event *event = flow__event_new(profile, FLOW_EVENT_COUNTER);
        event->of.name = profile->rows[row].name;
        event->is.value = value;
    }
}

static void job_add(flow_profile *profile, const char *name, uint32_t worker, int64_t begin_ns,
                    int64_t end_ns)
{
    uint32_t row = flow__row_named(profile, FLOW_PROFILE_OTHER, name);
    flow_profile_event *event = flow__event_new(profile, FLOW_EVENT_JOB);
    event->of.name = profile->rows[row].name;
    event->at = begin_ns;
    event->is.ns = end_ns > begin_ns ? end_ns - begin_ns : 0;
    event->count = worker;
}

void flow_profile_job(flow_profile *profile, const char *name, uint32_t worker, int64_t begin_ns,
                      int64_t end_ns)
{
    if (profile != NULL && profile->on) {
        job_add(profile, name, worker < FLOW_JOB_LANES ? worker : FLOW_JOB_LANES - 1, begin_ns,
                end_ns);
    }
}

/* Also before the first frame: what loads then is of interest. */
void flow__profile_clock(const flow_world *world, uint64_t (**now_ns)(void *user), void **user)
{
    const flow_profile *profile = world->profile;
    *now_ns = profile->armed ? profile->desc.now_ns : NULL;
    *user = profile->desc.user;
}

/* Executors do not say which worker it was: a job goes to the first lane that was free when it
 * began, so that no two in a lane overlap. What was timed by another clock is not told. */
void flow__profile_job(flow_world *world, const char *name, uint64_t (*now_ns)(void *user),
                       int64_t began, int64_t ended)
{
    flow_profile *profile = world->profile;
    uint32_t lane = 0;
    while (lane < FLOW_JOB_LANES_MOST && profile->lane_end[lane] > began) {
        lane++;
    }
    if (profile->on && profile->desc.now_ns == now_ns && lane < FLOW_JOB_LANES_MOST) {
        profile->lane_end[lane] = ended;
        job_add(profile, name, FLOW_JOB_LANES + lane, began, ended);
    }
}
