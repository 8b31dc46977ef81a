/* SPDX-License-Identifier: MIT */
/*
 * The whole run, as text for people and as JSON for programs: the same figures in the same order.
 */
#include "profiler.h"

#include <stdarg.h>

static const char *const edge_texts[] = {"2",  "4",    "8",  "12",  "16.7", "20",
                                         "25", "33.3", "50", "100", ""};
enum { EDGES = sizeof edge_texts / sizeof edge_texts[0], LOW_FRAMES = 1000 };

typedef struct run_figure {
    const char *name;
    double p; /* above 1: the maximum */
} run_figure;

static const run_figure figures[] = {
    {"p50", 0.5}, {"p95", 0.95}, {"p99", 0.99}, {"p99.9", 0.999}, {"max", 2.0}};

/* Does the run have frames enough for the figure? */
static bool figure_is_told(const flow_dist *dist, const run_figure *f)
{
    return dist->count > 0 && (f->p > 1.0 || f->p < 0.995 || dist->count >= LOW_FRAMES);
}

static int64_t figure_of(const flow_dist *dist, const run_figure *f)
{
    return f->p > 1.0 ? dist->max : flow__dist_percentile(dist, f->p);
}

/* 1000 / the mean total, in ms, of the worst 1 % of frames, their number rounded up. */
static double one_percent_low(const flow_dist *total)
{
    double mean = flow__dist_worst_mean(total, (total->count + 99) / 100);
    return mean > 0.0 ? 1e9 / mean : 0.0;
}

static int64_t hitch_excess(const flow_profile *profile)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < profile->row_count; i++) {
        sum += profile->rows[i].hitch_excess;
    }
    return sum;
}

/* Rows by their total time, the most first: the next after `row`, null at the end. */
static const flow_row *row_after(const flow_profile *profile, const flow_row *row)
{
    const flow_row *next = NULL;
    for (uint32_t i = 0; i < profile->row_count; i++) {
        const flow_row *r = &profile->rows[i];
        bool later = row == NULL || r->total < row->total || (r->total == row->total && r > row);
        if (r != row && later && (r->count > 0 || r->total > 0) &&
            (next == NULL || r->total > next->total)) {
            next = r;
        }
    }
    return next;
}

/* In percent, by tenths. */
static int64_t share_of_hitches(const flow_row *row, int64_t all)
{
    return all > 0 ? (int64_t)(1000.0 * (double)row->hitch_excess / (double)all + 0.5) : 0;
}

/* ---- text ---- */

typedef struct summary_sink {
    flow_text_sink sink;
    void *user;
} summary_sink;

#if defined(__GNUC__) || defined(__clang__)
__attribute__((format(printf, 2, 3)))
#endif
static void
summary_put(const summary_sink *out, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (length > 0) {
        out->sink(out->user, text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
    }
}

/* Milliseconds in a column. */
static void summary_ms(const summary_sink *out, const char *before, int64_t ns, int width,
                       int decimals)
{
    char number[28];
    (void)flow__format_fixed(number, flow__ms(ns, decimals), decimals);
    summary_put(out, "%s%*s", before, width, number);
}

static void summary_series(const summary_sink *out, const char *name, const flow_dist *dist)
{
    summary_put(out, "%-6s", name);
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        if (figure_is_told(dist, &figures[i])) {
            summary_put(out, "  %s", figures[i].name);
            summary_ms(out, " ", figure_of(dist, &figures[i]), 1, 3);
        }
    }
    summary_put(out, " ms\n");
}

static void summary_histogram(const summary_sink *out, const flow_profile *profile)
{
    summary_put(out, "work, frames by ms:");
    for (size_t i = 0; i < EDGES; i++) {
        if (profile->edges[i] > 0) {
            summary_put(out, "  %s%s %llu",
                        i + 1 < EDGES ? "<" : ">=", edge_texts[i + 1 < EDGES ? i : i - 1],
                        (unsigned long long)profile->edges[i]);
        }
    }
    summary_put(out, "\n");
}

static void summary_worst(const summary_sink *out, const flow_profile *profile)
{
    char text[256];
    summary_put(out, "worst frames by work:\n");
    for (uint32_t i = 0; i < profile->worst_count; i++) {
        const flow_profile_frame *frame = &profile->worst[i];
        text[0] = '\0';
        if (frame->row_count > 0) {
            (void)flow_profile_row_text(&frame->rows[0], text, sizeof text);
        }
        summary_put(out, "  f=%-7llu", (unsigned long long)frame->number);
        summary_ms(out, " work ", frame->work_ns, 8, 3);
        summary_ms(out, " total ", frame->total_ns, 8, 3);
        summary_put(out, "  %s%s\n", frame->marks & FLOW_PROFILE_HITCH ? "hitch: " : "", text);
    }
}

static void summary_row(const summary_sink *out, const flow_row *row, int64_t all)
{
    char share[28];
    (void)flow__format_fixed(share, share_of_hitches(row, all), 1);
    summary_put(out, "  %-11s %-24.24s %9llu", flow_profile_kind_text(row->frame.kind),
                row->frame.name, (unsigned long long)row->count);
    summary_ms(out, " ", row->total, 11, 3);
    summary_ms(out, " ", row->count > 0 ? row->total / (int64_t)row->count : 0, 8, 3);
    summary_ms(out, " ", flow__row_percentile(row, 0.99), 8, 3);
    summary_ms(out, " ", row->max, 8, 3);
    summary_put(out, " %9llu %8llu %6s\n", (unsigned long long)row->max_frame,
                (unsigned long long)row->cancels, share);
}

void flow_profile_summary(const flow_profile *profile, flow_text_sink sink, void *user)
{
    summary_sink out = {sink, user};
    char low[28];
    int64_t all = hitch_excess(profile);
    summary_put(&out, "profile: %llu frames, %llu hitch%s\n",
                (unsigned long long)profile->dist[0].count, (unsigned long long)profile->hitches,
                profile->hitches == 1 ? "" : "es");
    summary_series(&out, "work", &profile->dist[0]);
    summary_series(&out, "total", &profile->dist[1]);
    (void)flow__format_fixed(low, (int64_t)(one_percent_low(&profile->dist[1]) * 10.0 + 0.5), 1);
    summary_put(&out, "1 %% low %s fps (1000 / the mean total of the worst 1 %% of frames)\n", low);
    summary_histogram(&out, profile);
    summary_worst(&out, profile);
    summary_put(&out, "  %-11s %-24s %9s %11s %8s %8s %8s %9s %8s %6s\n", "kind", "name", "count",
                "total ms", "mean", "p99", "max", "in frame", "cancels", "hitch%");
    for (const flow_row *row = NULL; (row = row_after(profile, row)) != NULL;) {
        summary_row(&out, row, all);
    }
}

/* ---- JSON ---- */

static void summary_field(flow_file *out, const char *key, int64_t value, int decimals)
{
    flow__put(out, key);
    flow__put_fixed(out, value, decimals);
}

static void summary_series_json(flow_file *out, const char *key, const flow_dist *dist)
{
    bool any = false;
    flow__put(out, key);
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        if (figure_is_told(dist, &figures[i])) {
            flow__put(out, any ? "," : "");
            flow__put_json(out, figures[i].name);
            summary_field(out, ":", flow__ms(figure_of(dist, &figures[i]), 3), 3);
            any = true;
        }
    }
    flow__put(out, "}");
}

static void summary_histogram_json(flow_file *out, const flow_profile *profile)
{
    flow__put(out, ",\n\"work_histogram\":[");
    for (size_t i = 0; i < EDGES; i++) {
        flow__put(out, i > 0 ? ",{\"below_ms\":" : "{\"below_ms\":");
        flow__put(out, i + 1 < EDGES ? edge_texts[i] : "null");
        summary_field(out, ",\"frames\":", (int64_t)profile->edges[i], 0);
        flow__put(out, "}");
    }
    flow__put(out, "]");
}

static void summary_worst_json(flow_file *out, const flow_profile *profile)
{
    char line[512];
    flow__put(out, ",\n\"worst_frames\":[");
    for (uint32_t i = 0; i < profile->worst_count; i++) {
        const flow_profile_frame *frame = &profile->worst[i];
        (void)flow_profile_line(profile, frame, line, sizeof line);
        flow__put(out, i > 0 ? ",\n" : "\n");
        summary_field(out, "{\"frame\":", (int64_t)frame->number, 0);
        summary_field(out, ",\"work_ms\":", flow__ms(frame->work_ns, 3), 3);
        summary_field(out, ",\"total_ms\":", flow__ms(frame->total_ns, 3), 3);
        flow__put(out, frame->marks & FLOW_PROFILE_HITCH ? ",\"hitch\":true,\"line\":"
                                                         : ",\"hitch\":false,\"line\":");
        flow__put_json(out, line);
        flow__put(out, "}");
    }
    flow__put(out, "]");
}

static void summary_row_json(flow_file *out, const flow_row *row, int64_t all)
{
    flow__put(out, "{\"kind\":");
    flow__put_json(out, flow_profile_kind_text(row->frame.kind));
    flow__put(out, ",\"name\":");
    flow__put_json(out, row->frame.name);
    summary_field(out, ",\"count\":", (int64_t)row->count, 0);
    summary_field(out, ",\"starts\":", (int64_t)row->starts, 0);
    summary_field(out, ",\"cancels\":", (int64_t)row->cancels, 0);
    summary_field(out, ",\"total_ms\":", flow__ms(row->total, 3), 3);
    summary_field(out, ",\"p50_ms\":", flow__ms(flow__row_percentile(row, 0.5), 3), 3);
    summary_field(out, ",\"p99_ms\":", flow__ms(flow__row_percentile(row, 0.99), 3), 3);
    summary_field(out, ",\"max_ms\":", flow__ms(row->max, 3), 3);
    summary_field(out, ",\"max_frame\":", (int64_t)row->max_frame, 0);
    summary_field(out, ",\"hitch_percent\":", share_of_hitches(row, all), 1);
    flow__put(out, "}");
}

static void summary_json(flow_file *out, const flow_profile *profile)
{
    int64_t all = hitch_excess(profile);
    summary_field(out, "{\"frames\":", (int64_t)profile->dist[0].count, 0);
    summary_field(out, ",\"hitches\":", (int64_t)profile->hitches, 0);
    summary_series_json(out, ",\n\"work_ms\":{", &profile->dist[0]);
    summary_series_json(out, ",\n\"total_ms\":{", &profile->dist[1]);
    summary_field(out, ",\n\"one_percent_low_fps\":",
                  (int64_t)(one_percent_low(&profile->dist[1]) * 10.0 + 0.5), 1);
    summary_histogram_json(out, profile);
    summary_worst_json(out, profile);
    flow__put(out, ",\n\"rows\":[");
    for (const flow_row *row = NULL, *first = row_after(profile, NULL);
         (row = row_after(profile, row)) != NULL;) {
        flow__put(out, row == first ? "\n" : ",\n");
        summary_row_json(out, row, all);
    }
    flow__put(out, "]}\n");
}

flow_status flow_profile_summary_json(const flow_profile *profile, const char *path)
{
    flow_file out;
    if (!flow__file_open(&out, path)) {
        return FLOW_IO;
    }
    summary_json(&out, profile);
    return flow__file_close(&out) ? FLOW_OK : FLOW_IO;
}
