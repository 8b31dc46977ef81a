/* SPDX-License-Identifier: MIT */
/*
 * The trace: JSON as Perfetto's importer and chrome://tracing read it. Spans are X slices, nested
 * by their times; a flow's life is a pair of b and e, its slices are linked by its id.
 *
 * In mode HITCH a frame is written when the eight after it are known, so that it is known whether
 * it stands in a hitch's window; what happened then is still in the ring. Flows whose life is open
 * in the file are kept in a table; a window that ends closes them all.
 */
#include "profiler.h"

enum {
    SHORT_NS = 20000,   /* slices below are written as one */
    THIN_NS = 100000,   /* zones below are left out of frames without a window */
    LIMIT = 20000000,   /* bytes of a trace in mode HITCH */
    TAIL = 4096,        /* of them kept for what every trace ends with */
    END_BYTES = 160,    /* of an e, at most; names are cut for that */
    EVENT_BYTES = 1024, /* of any event */
    MAIN_TID = 1,
    WORKER_TID = 100, /* of worker 0 */
    RUN_NAMES = 6     /* functions told apart in a run of short slices */
};

typedef struct trace_pen {
    flow_profile *profile;
    flow_trace *trace;
    flow_file *out;
} trace_pen;

/* ---- pieces ---- */

static void trace_time(const trace_pen *p, const char *key, int64_t ns)
{
    flow__put(p->out, key);
    flow__put_fixed(p->out, ns, 3); /* microseconds */
}

/* {"name":"...","ph":"X","ts":...,"pid":1,"tid":1 : the caller goes on and closes it. */
static void trace_event(const trace_pen *p, const char *before, const char *name, const char *ph,
                        int64_t at, uint32_t tid)
{
    char text[96];
    (void)snprintf(text, sizeof text, "%s%.72s", before, name);
    flow__put(p->out, p->trace->any ? ",\n{\"name\":" : "\n{\"name\":");
    p->trace->any = true;
    flow__put_json(p->out, text);
    flow__put(p->out, ",\"ph\":\"");
    flow__put(p->out, ph);
    trace_time(p, "\",\"ts\":", at - p->trace->origin);
    flow__put(p->out, ",\"pid\":1,\"tid\":");
    flow__put_number(p->out, tid);
}

static void trace_handle(const trace_pen *p, const char *key, flow_handle flow)
{
    flow__put(p->out, key);
    flow__put(p->out, "\"#");
    flow__put_number(p->out, flow.slot);
    flow__put(p->out, ".");
    flow__put_number(p->out, flow.generation);
    flow__put(p->out, "\"");
}

static void trace_id(const trace_pen *p, const char *key, flow_handle flow)
{
    flow__put(p->out, key);
    flow__put(p->out, "\"");
    flow__put_hex(p->out, (uint64_t)flow.generation << 32 | flow.slot);
    flow__put(p->out, "\"");
}

static void trace_count(const trace_pen *p, const char *key, uint64_t number)
{
    flow__put(p->out, key);
    flow__put_number(p->out, number);
}

/* A name for the process or a thread. */
static void trace_meta(const trace_pen *p, const char *what, uint32_t tid, const char *name)
{
    trace_event(p, "", what, "M", p->trace->origin, tid);
    flow__put(p->out, ",\"args\":{\"name\":");
    flow__put_json(p->out, name);
    flow__put(p->out, "}}");
}

/* May so much still be written? A trace that is full says so once. */
static bool trace_has_room(const trace_pen *p, size_t bytes)
{
    flow_trace *trace = p->trace;
    size_t owed = (size_t)trace->life_count * END_BYTES + TAIL;
    if (trace->mode == FLOW_TRACE_ALL || p->out->bytes + owed + bytes < LIMIT) {
        return true;
    }
    trace->full = true;
    return false;
}

/* ---- lives ---- */

static uint32_t life_home(flow_handle flow)
{
    uint32_t hash = (flow.slot * 2654435761u) ^ (flow.generation * 40503u);
    return (hash ^ hash >> 15) % FLOW_TRACE_LIVES;
}

/* The flow's entry, or the free one where it belongs. */
static flow_life *life_place(const flow_trace *trace, flow_handle flow)
{
    uint32_t at = life_home(flow);
    for (;; at = (at + 1) % FLOW_TRACE_LIVES) {
        flow_life *life = &trace->lives[at];
        if (life->fn == NULL ||
            (life->flow.slot == flow.slot && life->flow.generation == flow.generation)) {
            return life;
        }
    }
}

/* Whatever came to stand behind the entry because it was taken closes up. */
static void life_forget(flow_trace *trace, flow_life *gone)
{
    uint32_t hole = (uint32_t)(gone - trace->lives);
    for (uint32_t at = (hole + 1) % FLOW_TRACE_LIVES; trace->lives[at].fn != NULL;
         at = (at + 1) % FLOW_TRACE_LIVES) {
        uint32_t home = life_home(trace->lives[at].flow);
        bool stays = hole <= at ? hole < home && home <= at : hole < home || home <= at;
        if (!stays) {
            trace->lives[hole] = trace->lives[at];
            hole = at;
        }
    }
    trace->lives[hole].fn = NULL;
    trace->life_count--;
}

static void trace_life(const trace_pen *p, const char *ph, flow_handle flow,
                       const flow_function *fn, int64_t at)
{
    trace_event(p, "", fn->name, ph, at, MAIN_TID);
    trace_id(p, ",\"cat\":\"flow\",\"id\":", flow);
    flow__put(p->out, "}");
}

/* What a slice has to do with the flow's life in the file. */
typedef enum life_state { LIFE_NONE, LIFE_BEGINS, LIFE_GOES_ON } life_state;

static life_state life_open(const trace_pen *p, const flow_profile_event *event)
{
    flow_life *life = life_place(p->trace, event->flow);
    if (life->fn != NULL) {
        return LIFE_GOES_ON;
    }
    if (p->trace->life_count >= FLOW_TRACE_LIVES / 2) {
        return LIFE_NONE;
    }
    *life = (flow_life){event->flow, event->root};
    p->trace->life_count++;
    trace_life(p, "b", event->flow, event->root, event->at);
    return LIFE_BEGINS;
}

static void life_end(const trace_pen *p, const flow_profile_event *event)
{
    flow_life *life = life_place(p->trace, event->flow);
    if (life->fn != NULL) {
        trace_life(p, "e", life->flow, life->fn, event->at);
        life_forget(p->trace, life);
    }
}

static void lives_end(const trace_pen *p, int64_t at)
{
    flow_trace *trace = p->trace;
    for (uint32_t i = 0; i < FLOW_TRACE_LIVES && trace->life_count > 0; i++) {
        if (trace->lives[i].fn != NULL) {
            trace_life(p, "e", trace->lives[i].flow, trace->lives[i].fn, at);
            trace->lives[i].fn = NULL;
            trace->life_count--;
        }
    }
}

/* ---- slices ---- */

static bool is_flow_event(const flow_profile_event *event)
{
    return event->kind <= FLOW_EVENT_PREDICATE;
}

static void trace_slice(const trace_pen *p, const char *before, const char *name, int64_t at,
                        int64_t ns, const char *cat)
{
    trace_event(p, before, name, "X", at, MAIN_TID);
    trace_time(p, ",\"dur\":", ns);
    flow__put(p->out, ",\"cat\":\"");
    flow__put(p->out, cat);
    flow__put(p->out, "\"");
}

static void trace_flow_slice(const trace_pen *p, const flow_profile_event *event)
{
    static const char *const before[] = {"", "", "", "finally of ", "predicate of "};
    static const char *const cats[] = {"start", "resume", "on", "finally", "predicate"};
    life_state life = life_open(p, event);
    trace_slice(p, before[event->kind], event->of.fn->name, event->at, event->is.ns,
                cats[event->kind]);
    if (life != LIFE_NONE) {
        trace_id(p, ",\"bind_id\":", event->flow);
        flow__put(p->out, life == LIFE_GOES_ON ? ",\"flow_in\":true,\"flow_out\":true"
                                               : ",\"flow_out\":true");
    }
    trace_handle(p, ",\"args\":{\"id\":", event->flow);
    const char *why = flow__why_text(event->why);
    if (*why != '\0') {
        flow__put(p->out, ",\"why\":\"");
        flow__put(p->out, why);
        flow__put(p->out, "\"");
    }
    char place[96];
    (void)snprintf(place, sizeof place, "%.80s:%u", flow__base_name(event->of.fn->file),
                   (unsigned)event->line);
    flow__put(p->out, ",\"at\":");
    flow__put_json(p->out, place);
    flow__put(p->out, "}}");
}

static void trace_other_slice(const trace_pen *p, const flow_profile_event *event)
{
    static const char *const cats[] = {"cancel", "tick", "zone", "wait"};
    bool cancel = event->kind == FLOW_EVENT_CANCEL;
    trace_slice(p, cancel ? "cancel " : "", event->of.name, event->at, event->is.ns,
                cats[event->kind - FLOW_EVENT_CANCEL]);
    if (cancel) {
        trace_count(p, ",\"args\":{\"flows\":", event->count);
        trace_count(p, ",\"finally\":", event->line);
        if (event->flow.generation != 0) {
            trace_handle(p, ",\"worst\":", event->flow);
        }
        flow__put(p->out, "}");
    } else if (event->count != 0) {
        trace_count(p, ",\"args\":{\"count\":", event->count);
        flow__put(p->out, "}");
    }
    flow__put(p->out, "}");
}

/* Who works there is told once. */
static void trace_worker(const trace_pen *p, uint32_t worker)
{
    flow_trace *trace = p->trace;
    bool lane = worker >= FLOW_JOB_LANES;
    uint32_t number = lane ? worker - FLOW_JOB_LANES : worker;
    uint64_t bit = UINT64_C(1) << (number % 64);
    char name[24];
    if (number >= FLOW_WORKERS || ((lane ? trace->lanes : trace->workers) & bit)) {
        return;
    }
    trace->workers |= lane ? 0 : bit;
    trace->lanes |= lane ? (uint32_t)bit : 0;
    (void)snprintf(name, sizeof name, "%s %u", lane ? "jobs" : "worker", (unsigned)number);
    trace_meta(p, "thread_name", WORKER_TID + worker, name);
}

/* One may have begun before the trace did. */
static void trace_job(const trace_pen *p, const flow_profile_event *event)
{
    int64_t before = event->at < p->trace->origin ? p->trace->origin - event->at : 0;
    before = before < event->is.ns ? before : event->is.ns;
    trace_worker(p, event->count);
    trace_event(p, "", event->of.name, "X", event->at + before, WORKER_TID + event->count);
    trace_time(p, ",\"dur\":", event->is.ns - before);
    flow__put(p->out, ",\"cat\":\"job\"}");
}

static void trace_counter(const trace_pen *p, const char *name, int64_t at, double value)
{
    double thousandths = value * 1000.0;
    bool fits = thousandths > -9e18 && thousandths < 9e18; /* no NaN and no infinity in JSON */
    trace_event(p, "", name, "C", at, MAIN_TID);
    flow__put(p->out, ",\"args\":{");
    flow__put_json(p->out, name);
    flow__put(p->out, ":");
    flow__put_fixed(p->out, fits ? (int64_t)(thousandths + (thousandths < 0 ? -0.5 : 0.5)) : 0, 3);
    flow__put(p->out, "}}");
}

static void trace_one(const trace_pen *p, const flow_profile_event *event)
{
    switch ((flow_event_kind)event->kind) {
    case FLOW_EVENT_START:
    case FLOW_EVENT_RESUME:
    case FLOW_EVENT_ON:
    case FLOW_EVENT_FINALLY:
    case FLOW_EVENT_PREDICATE:
        trace_flow_slice(p, event);
        break;
    case FLOW_EVENT_CANCEL:
    case FLOW_EVENT_TICK:
    case FLOW_EVENT_ZONE:
    case FLOW_EVENT_WAIT:
        trace_other_slice(p, event);
        break;
    case FLOW_EVENT_JOB:
        trace_job(p, event);
        break;
    case FLOW_EVENT_END:
        life_end(p, event);
        break;
    case FLOW_EVENT_COUNTER:
        trace_counter(p, event->of.name, event->at, event->is.value);
        break;
    }
}

/* ---- runs of short slices ---- */

typedef struct trace_run {
    uint32_t count; /* slices in it */
    uint32_t depth;
    int64_t begin, end;
    const flow_profile_event *first;
    const flow_function *fn[RUN_NAMES];
    uint32_t of[RUN_NAMES + 1]; /* slices of each function, and of others */
} trace_run;

/* Called after the function with the most of them: "sleeper x5000 and 3 more". */
static void trace_run_name(const trace_run *r, char *name, size_t size)
{
    uint32_t most = 0;
    char times[16] = "", more[32] = "";
    for (uint32_t i = 1; i < RUN_NAMES; i++) {
        most = r->of[i] > r->of[most] ? i : most;
    }
    if (r->of[most] > 1) {
        (void)snprintf(times, sizeof times, " x%u", (unsigned)r->of[most]);
    }
    if (r->count > r->of[most]) {
        (void)snprintf(more, sizeof more, " and %u more", (unsigned)(r->count - r->of[most]));
    }
    (void)snprintf(name, size, "%.100s%s%s", r->fn[most]->name, times, more);
}

static void trace_run_end(const trace_pen *p, trace_run *r)
{
    char name[160];
    if (r->count == 1) {
        trace_one(p, r->first);
    } else if (r->count > 1) {
        trace_run_name(r, name, sizeof name);
        trace_slice(p, "", name, r->begin, r->end - r->begin, "resume");
        flow__put(p->out, ",\"args\":{");
        for (uint32_t i = 0; i <= RUN_NAMES && r->of[i] != 0; i++) {
            flow__put(p->out, i > 0 ? "," : "");
            flow__put_json(p->out, i < RUN_NAMES ? r->fn[i]->name : "others");
            trace_count(p, ":", r->of[i]);
        }
        flow__put(p->out, "}}");
    }
    *r = (trace_run){0};
}

/* Is the slice short, and is nothing nested in it? */
static bool trace_is_short(const trace_pen *p, uint64_t number, uint64_t end)
{
    const flow_profile_event *event = flow__event(p->profile, number);
    if (!is_flow_event(event) || event->is.ns >= SHORT_NS || p->trace->mode == FLOW_TRACE_ALL) {
        return false;
    }
    for (uint64_t next = number + 1; next < end; next++) {
        const flow_profile_event *after = flow__event(p->profile, next);
        if (after->kind < FLOW_EVENT_SPANS) {
            return after->depth <= event->depth;
        }
    }
    return true;
}

static void trace_run_add(trace_run *r, const flow_profile_event *event)
{
    uint32_t i = 0;
    if (r->count == 0) {
        r->begin = event->at;
        r->depth = event->depth;
        r->first = event;
    }
    while (i < RUN_NAMES && r->fn[i] != NULL && r->fn[i] != event->of.fn) {
        i++;
    }
    if (i < RUN_NAMES) {
        r->fn[i] = event->of.fn;
    }
    r->of[i]++;
    r->count++;
    r->end = event->at + event->is.ns;
}

/* ---- frames ---- */

static void trace_hitch(const trace_pen *p, const flow_profile_frame *frame)
{
    char line[512];
    (void)flow_profile_line(p->profile, frame, line, sizeof line);
    trace_event(p, "", "hitch", "i", frame->begin_ns + frame->total_ns, MAIN_TID);
    flow__put(p->out, ",\"s\":\"g\",\"args\":{\"line\":");
    flow__put_json(p->out, line);
    flow__put(p->out, "}}");
}

static void trace_frame(const trace_pen *p, const flow_profile_frame *frame)
{
    trace_slice(p, "", "frame", frame->begin_ns, frame->total_ns, "frame");
    trace_count(p, ",\"args\":{\"number\":", frame->number);
    trace_time(p, ",\"work_us\":", frame->work_ns);
    flow__put(p->out, "}}");
    if (frame->live != p->trace->live) {
        p->trace->live = frame->live;
        trace_counter(p, "flows", frame->begin_ns, (double)frame->live);
    }
    if (frame->marks & FLOW_PROFILE_HITCH) {
        trace_hitch(p, frame);
    }
}

/* Every event of a frame. */
static void trace_frame_in_full(const trace_pen *p, flow_frame_events events)
{
    trace_run short_ones = {0};
    for (uint64_t i = events.first; i < events.end && trace_has_room(p, EVENT_BYTES); i++) {
        const flow_profile_event *event = flow__event(p->profile, i);
        if (trace_is_short(p, i, events.end)) {
            if (short_ones.count > 0 && short_ones.depth != event->depth) {
                trace_run_end(p, &short_ones);
            }
            trace_run_add(&short_ones, event);
            continue;
        }
        if (event->kind < FLOW_EVENT_SPANS) {
            trace_run_end(p, &short_ones);
        }
        trace_one(p, event);
    }
    trace_run_end(p, &short_ones);
}

/* The host's zones and the ticks, where they are long, and what has no place in the nesting but
 * lives. */
static void trace_frame_in_thin(const trace_pen *p, flow_frame_events events)
{
    for (uint64_t i = events.first; i < events.end; i++) {
        const flow_profile_event *event = flow__event(p->profile, i);
        bool zone = event->kind >= FLOW_EVENT_TICK && event->kind <= FLOW_EVENT_WAIT &&
                    event->depth < 2 && event->is.ns >= THIN_NS;
        bool other = event->kind == FLOW_EVENT_COUNTER || event->kind == FLOW_EVENT_JOB;
        if ((zone || other) && trace_has_room(p, EVENT_BYTES)) {
            trace_one(p, event);
        }
    }
}

/* Does a frame stand in the window of a hitch? */
static bool trace_in_window(const flow_profile *profile, uint64_t frame)
{
    uint64_t first = frame > FLOW_TRACE_AFTER ? frame - FLOW_TRACE_AFTER : 0;
    for (uint64_t i = first; i <= frame + FLOW_TRACE_BEFORE && i < profile->frame_count; i++) {
        if (profile->frames[i % FLOW_PROFILE_FRAMES].marks & FLOW_PROFILE_HITCH) {
            return true;
        }
    }
    return false;
}

static void trace_write_frame(const trace_pen *p, uint64_t number)
{
    const flow_profile *profile = p->profile;
    flow_trace *trace = p->trace;
    const flow_profile_frame *frame = &profile->frames[number % FLOW_PROFILE_FRAMES];
    flow_frame_events events = profile->frame_events[number % FLOW_PROFILE_FRAMES];
    if (trace->full || !trace_has_room(p, 2 * EVENT_BYTES)) {
        return;
    }
    trace_frame(p, frame);
    if (!flow__event_kept(profile, events.first)) {
        trace_event(p, "", "events lost: more than the ring holds", "i", frame->begin_ns, MAIN_TID);
        flow__put(p->out, ",\"s\":\"t\"}");
        return;
    }
    if (trace->mode == FLOW_TRACE_ALL || trace_in_window(profile, number)) {
        trace_frame_in_full(p, events);
    } else {
        lives_end(p, frame->begin_ns);
        trace_frame_in_thin(p, events);
    }
}

/* Writes the frames whose windows are known. */
static void trace_write_frames(const trace_pen *p, uint64_t known)
{
    flow_trace *trace = p->trace;
    for (; trace->next_frame < known; trace->next_frame++) {
        trace_write_frame(p, trace->next_frame);
    }
}

void flow__trace_frame(flow_profile *profile)
{
    trace_pen p = {profile, &profile->trace, &profile->trace.out};
    uint64_t delay = profile->trace.mode == FLOW_TRACE_ALL ? 0 : FLOW_TRACE_BEFORE;
    if (profile->frame_count > delay) {
        trace_write_frames(&p, profile->frame_count - delay);
    }
}

/* ---- files ---- */

static bool trace_begin(const trace_pen *p, const char *path, flow_trace_mode mode, uint64_t frame,
                        int64_t origin)
{
    flow_trace *trace = p->trace;
    if (trace->open || !flow__file_open(p->out, path)) {
        return false;
    }
    trace->open = true;
    trace->mode = mode;
    trace->full = trace->any = false;
    trace->origin = origin;
    trace->next_frame = frame;
    trace->workers = trace->lanes = 0;
    trace->live = UINT32_MAX;
    flow__put(p->out, "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[");
    trace_meta(p, "process_name", MAIN_TID, p->profile->world_name);
    trace_meta(p, "thread_name", MAIN_TID, "flows");
    return true;
}

static bool trace_end(const trace_pen *p)
{
    const flow_profile *profile = p->profile;
    int64_t last = p->trace->origin;
    if (profile->frame_count > 0) {
        const flow_profile_frame *frame = flow_profile_recent(profile, 0);
        last = frame->begin_ns + frame->total_ns;
    }
    lives_end(p, last);
    if (p->trace->full) {
        trace_event(p, "", "the trace has reached its size limit", "i", last, MAIN_TID);
        flow__put(p->out, ",\"s\":\"g\"}");
    }
    flow__put(p->out, "\n]}\n");
    p->trace->open = false;
    return flow__file_close(p->out);
}

flow_status flow_profile_trace(flow_profile *profile, const char *path, flow_trace_mode mode)
{
    trace_pen p = {profile, &profile->trace, &profile->trace.out};
    int64_t now = flow__clock_read(profile);
    return trace_begin(&p, path, mode, profile->frame_count, now) ? FLOW_OK : FLOW_IO;
}

bool flow__trace_finish(flow_profile *profile)
{
    trace_pen p = {profile, &profile->trace, &profile->trace.out};
    if (!profile->trace.open) {
        return true;
    }
    trace_write_frames(&p, profile->frame_count);
    return trace_end(&p);
}

flow_status flow_profile_write_window(flow_profile *profile, const char *path)
{
    trace_pen p = {profile, &profile->window, &profile->window.out};
    uint64_t frame = profile->frame_count;
    while (
        frame > 0 && profile->frame_count - frame < FLOW_PROFILE_FRAMES &&
        flow__event_kept(profile, profile->frame_events[(frame - 1) % FLOW_PROFILE_FRAMES].first)) {
        frame--;
    }
    int64_t origin = frame < profile->frame_count
                         ? profile->frames[frame % FLOW_PROFILE_FRAMES].begin_ns
                         : flow__clock_read(profile);
    if (!trace_begin(&p, path, FLOW_TRACE_ALL, frame, origin)) {
        return FLOW_IO;
    }
    trace_write_frames(&p, profile->frame_count);
    return trace_end(&p) ? FLOW_OK : FLOW_IO;
}
