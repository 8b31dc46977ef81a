/* SPDX-License-Identifier: MIT */
/*
 * Frames: what each was made of, which rows exceed what they usually take, and whether it was a
 * hitch. The frame that ends is summed up before the next begins; what that costs is a span of the
 * next one.
 */
#include "profiler.h"

/* ---- the frame's rows ---- */

/* Keeps the rows with the largest excess, in order. */
static void culprit_add(flow_profile_frame *frame, const flow_profile_row *row)
{
    uint32_t at = frame->row_count;
    while (at > 0 && frame->rows[at - 1].excess_ns < row->excess_ns) {
        at--;
    }
    if (at == FLOW_PROFILE_CULPRITS) {
        return;
    }
    frame->row_count += frame->row_count < FLOW_PROFILE_CULPRITS;
    for (uint32_t i = frame->row_count - 1; i > at; i--) {
        frame->rows[i] = frame->rows[i - 1];
    }
    frame->rows[at] = *row;
}

/* What the row was in this frame; true: there is something to tell. */
static bool row_sum_up(flow_profile *profile, flow_row *row)
{
    flow_profile_frame *frame = &profile->frame;
    int64_t median = flow__past_median(&row->past, flow__frames_past(profile));
    row->frame.excess_ns = row->frame.self_ns - median;
    if (row->frame.self_ns == 0 && row->frame.count == 0) {
        return false;
    }
    if (row->longest > row->max) {
        row->max = row->longest;
        row->max_frame = frame->number;
    }
    row->total += row->frame.self_ns;
    row->count += row->frame.count;
    row->starts += row->frame.starts;
    row->cancels += row->frame.cancels;
    if (row->frame.kind == FLOW_PROFILE_FLOW && row->frame.self_ns > frame->top.self_ns) {
        frame->top = row->frame;
    }
    return true;
}

static void row_clear(flow_row *row)
{
    row->frame = (flow_profile_row){.kind = row->frame.kind, .name = row->frame.name};
    row->touched = false;
    row->longest = 0;
}

static void rows_sum_up(flow_profile *profile)
{
    profile->frame.row_count = 0;
    profile->frame.top = (flow_profile_row){0};
    for (uint32_t i = 0; i < profile->row_count; i++) {
        flow_row *row = &profile->rows[i];
        if (row->touched && row_sum_up(profile, row)) {
            culprit_add(&profile->frame, &row->frame);
        }
    }
}

/* Afterwards: the frame belongs to the past. */
static void rows_pass(flow_profile *profile, bool hitch)
{
    for (uint32_t i = 0; i < profile->row_count; i++) {
        flow_row *row = &profile->rows[i];
        if (row->touched || row->past.nonzero != 0) {
            flow__past_push(&row->past, row->frame.self_ns);
        }
        if (row->touched) {
            row->hitch_excess += hitch && row->frame.excess_ns > 0 ? row->frame.excess_ns : 0;
            row_clear(row);
        }
    }
    profile->touched_count = 0;
}

/* What was summed up of a frame that does not end is forgotten. */
void flow__rows_drop(flow_profile *profile)
{
    for (uint32_t i = 0; i < profile->touched_count; i++) {
        row_clear(&profile->rows[profile->touched[i]]);
    }
    profile->touched_count = 0;
}

/* ---- hitches ---- */

enum { FIRST_FRAMES = 30, MERGE_NS = 200000000 };

static bool is_hitch(const flow_profile *profile, const flow_profile_frame *frame)
{
    double work = (double)frame->work_ns;
    bool over = work > 1e9 / profile->desc.target_hz && work > 1.5 * (double)frame->median_ns;
    bool long_in_any_case = (double)frame->total_ns > profile->desc.hitch_ms * 1e6;
    return profile->frame_count >= FIRST_FRAMES &&
           !(frame->marks & (FLOW_PROFILE_LOADING | FLOW_PROFILE_HIDDEN)) &&
           (over || long_in_any_case);
}

/* The group of hitches is complete. */
void flow__hitch_tell(flow_profile *profile)
{
    char line[640];
    flow_profile_hitch hitch = {&profile->hitch, profile->hitch_frames, line};
    if (profile->hitch_frames == 0) {
        return;
    }
    profile->hitch_frames = 0;
    size_t length = flow_profile_line(profile, hitch.frame, line, sizeof line);
    if (hitch.frames > 1 && length < sizeof line) {
        (void)snprintf(line + length, sizeof line - length, " | %u frames within 0.2 s",
                       (unsigned)hitch.frames);
    }
    if (profile->desc.on_hitch != NULL) {
        profile->desc.on_hitch(profile->desc.user, &hitch);
    }
}

/* Is the frame a hitch, of its own or one more of the group that is open? */
void flow__hitch_look(flow_profile *profile, flow_profile_frame *frame)
{
    int64_t end = frame->begin_ns + frame->total_ns;
    bool hitch = is_hitch(profile, frame);
    if (profile->hitch_frames > 0 &&
        (hitch ? frame->begin_ns : end) - profile->hitch_last > MERGE_NS) {
        flow__hitch_tell(profile);
    }
    if (!hitch) {
        return;
    }
    frame->marks |= FLOW_PROFILE_HITCH;
    if (profile->hitch_frames == 0) {
        profile->hitches++;
    }
    if (profile->hitch_frames == 0 || frame->total_ns > profile->hitch.total_ns) {
        profile->hitch = *frame;
    }
    profile->hitch_frames++;
    profile->hitch_last = end;
}

/* ---- the whole run ---- */

static void worst_frame_add(flow_profile *profile, const flow_profile_frame *frame)
{
    uint32_t at = profile->worst_count;
    while (at > 0 && profile->worst[at - 1].work_ns < frame->work_ns) {
        at--;
    }
    if (at == FLOW_WORST_FRAMES) {
        return;
    }
    profile->worst_count += profile->worst_count < FLOW_WORST_FRAMES;
    memmove(&profile->worst[at + 1], &profile->worst[at],
            (profile->worst_count - 1 - at) * sizeof *frame);
    profile->worst[at] = *frame;
}

static void run_take_in(flow_profile *profile, const flow_profile_frame *frame)
{
    static const double edges[] = {2.0, 4.0, 8.0, 12.0, 16.7, 20.0, 25.0, 33.3, 50.0, 100.0};
    size_t edge = 0;
    if (frame->marks & FLOW_PROFILE_HIDDEN) {
        return;
    }
    flow__dist_add(&profile->dist[0], frame->work_ns);
    flow__dist_add(&profile->dist[1], frame->total_ns);
    while (edge < sizeof edges / sizeof edges[0] && (double)frame->work_ns * 1e-6 >= edges[edge]) {
        edge++;
    }
    profile->edges[edge]++;
    worst_frame_add(profile, frame);
}

/* ---- from frame to frame ---- */

static uint64_t fixed_ticks_of(const flow_profile *profile)
{
    return profile->world->clocks[FLOW_CLOCK_UNSCALED]->time[FLOW_FIXED].ticks;
}

static void profile_frame_begin(flow_profile *profile, int64_t now)
{
    profile->frame = (flow_profile_frame){.begin_ns = now};
    profile->frame_first = profile->head;
    profile->accounted = 0;
    profile->before = flow_world_counters(profile->world);
    profile->fixed_ticks = fixed_ticks_of(profile);
}

/* What the world and the host know of the frame. */
static void profile_frame_fill(flow_profile *profile, const flow_profile_info *info, int64_t now)
{
    flow_profile_frame *frame = &profile->frame;
    flow_counters after = flow_world_counters(profile->world);
    frame->number = info->number ? info->number : flow_world_frame(profile->world);
    frame->marks = info->marks & (FLOW_PROFILE_LOADING | FLOW_PROFILE_HIDDEN);
    frame->steps =
        info->steps ? info->steps : (uint32_t)(fixed_ticks_of(profile) - profile->fixed_ticks);
    frame->steps_dropped = info->steps_dropped;
    frame->total_ns = now - frame->begin_ns;
    frame->work_ns = frame->total_ns - frame->wait_ns;
    frame->unaccounted_ns = frame->total_ns - profile->accounted;
    frame->median_ns = flow__past_median(&profile->work, flow__frames_past(profile));
    frame->live = after.live;
    frame->resumed = (uint32_t)(after.resumed - profile->before.resumed);
    frame->started = (uint32_t)(after.started - profile->before.started);
    frame->cancelled = (uint32_t)(after.cancelled - profile->before.cancelled);
}

/* Of each frame one span, as it were. */
static void unaccounted_add(flow_profile *profile, int64_t ns)
{
    flow_row *row = &profile->rows[FLOW_ROW_UNACCOUNTED];
    flow__row_touch(profile, FLOW_ROW_UNACCOUNTED);
    row->frame.self_ns = row->longest = ns;
    row->frame.count = 1;
    row->bucket[flow__row_bucket(ns)]++;
}

static void profile_frame_end(flow_profile *profile, const flow_profile_info *info, int64_t now)
{
    flow_profile_frame *frame = &profile->frame;
    profile_frame_fill(profile, info, now);
    unaccounted_add(profile, frame->unaccounted_ns);
    rows_sum_up(profile);
    if (!flow__event_kept(profile, profile->frame_first)) {
        frame->marks |= FLOW_PROFILE_LOST;
    }
    flow__hitch_look(profile, frame);
    rows_pass(profile, frame->marks & FLOW_PROFILE_HITCH);
    flow__past_push(&profile->work, frame->work_ns);
    run_take_in(profile, frame);
    uint64_t place = profile->frame_count % FLOW_PROFILE_FRAMES;
    profile->frames[place] = *frame;
    profile->frame_events[place] = (flow_frame_events){profile->frame_first, profile->head};
    profile->frame_count++;
    if (profile->trace.open) {
        flow__trace_frame(profile);
    }
    if (profile->csv_open) {
        flow__csv_frame(profile, frame);
    }
}

void flow_profile_next_frame(flow_profile *profile, const flow_profile_info *info)
{
    static const flow_profile_info plain;
    if (profile == NULL || !profile->armed || profile->world == NULL) {
        return;
    }
    if (flow__profile_inside(profile)) {
        (void)flow__misuse(profile->world, profile->world->current,
                           "flow_profile_next_frame: called from inside the world");
        return;
    }
    bool ends = profile->on;
    flow__spans_close(profile);
    int64_t now = flow__clock_read(profile);
    if (ends) {
        profile_frame_end(profile, info ? info : &plain, now);
    }
    profile->on = true;
    profile->world->attention |= FLOW_ATTENTION_PROFILED;
    profile_frame_begin(profile, now);
    if (ends) {
        flow__span_from(profile, "profiler", now);
    }
}

/* ---- reading ---- */

const flow_profile_frame *flow_profile_recent(const flow_profile *profile, uint32_t age)
{
    if (age >= FLOW_PROFILE_FRAMES || age >= profile->frame_count) {
        return NULL;
    }
    return &profile->frames[(profile->frame_count - 1 - age) % FLOW_PROFILE_FRAMES];
}

uint64_t flow_profile_frames(const flow_profile *profile)
{
    return profile->dist[0].count;
}

int64_t flow_profile_percentile(const flow_profile *profile, int series, double p)
{
    return flow__dist_percentile(&profile->dist[series != 0], p);
}

int64_t flow_profile_max(const flow_profile *profile, int series)
{
    return profile->dist[series != 0].max;
}

uint64_t flow_profile_hitches(const flow_profile *profile)
{
    return profile->hitches;
}
