/* SPDX-License-Identifier: MIT */
/*
 * What the profiler's sources share. Events go to a ring in the order in which they began: an event
 * takes its place when its span opens and gets its duration when it closes, if the ring has not
 * come round by then. What is summed up per row and frame does not depend on the ring.
 */
#ifndef FLOW_PROFILER_H
#define FLOW_PROFILER_H

#include "private.h"

#include "flow/profile.h"

#include <stdio.h>

/* ---- events ---- */

/* Spans of the world's thread first. */
typedef enum flow_event_kind {
    FLOW_EVENT_START,     /* a first slice */
    FLOW_EVENT_RESUME,    /* a later one */
    FLOW_EVENT_ON,        /* a function goes on since what it called or owned has ended */
    FLOW_EVENT_FINALLY,   /* a finally section begins */
    FLOW_EVENT_PREDICATE, /* flow_until asks */
    FLOW_EVENT_CANCEL,
    FLOW_EVENT_TICK,
    FLOW_EVENT_ZONE,
    FLOW_EVENT_WAIT,
    FLOW_EVENT_SPANS, /* what follows has no place in the nesting */
    FLOW_EVENT_JOB = FLOW_EVENT_SPANS,
    FLOW_EVENT_END, /* a flow has ended */
    FLOW_EVENT_COUNTER
} flow_event_kind;

typedef struct flow_profile_event {
    int64_t at; /* ns */
    union {
        int64_t ns; /* how long; below 0 while it is open */
        double value;
    } is;
    union {
        const flow_function *fn; /* of a flow and a predicate */
        const char *name;        /* the row's */
    } of;
    const flow_function *root; /* the function that the flow was started with */
    flow_handle flow;          /* whose; of a cancel the one with the longest finally section */
    uint32_t line;  /* where it goes on from; of a cancel the finally sections that it ran */
    uint32_t count; /* of a cancel the flows that ended; of a job the worker, or FLOW_JOB_LANES and
                       its lane; of the inbox what it held */
    uint8_t kind;
    uint8_t why;   /* of a resume: see flow__why_text */
    uint8_t depth; /* of spans around it */
    uint8_t state; /* of an end: flow_state */
} flow_profile_event;

/* ---- rows ---- */

enum {
    FLOW_ROW_NAME = 40,
    FLOW_ROW_BUCKETS = 29 * 16, /* 16 to a doubling, up to 2^32 ns */
    FLOW_ROW_OTHER = 0,
    FLOW_ROW_UNACCOUNTED = 1,
    FLOW_OPEN_LIMIT = 96,
    FLOW_WORST_FRAMES = 10,
    FLOW_WORKERS = 64,    /* of the host's that get a name */
    FLOW_JOB_LANES = 100, /* numbers of workers from here on are lanes of flow's own jobs */
    FLOW_JOB_LANES_MOST = 32
};

/* The last values of a row, in their order in time and sorted; those from before there was a frame
 * are 0, the least of all. ns, up to 4.29 s. */
typedef struct flow_past {
    uint32_t value[FLOW_PROFILE_MEDIAN];
    uint32_t sorted[FLOW_PROFILE_MEDIAN];
    uint32_t at, nonzero;
} flow_past;

typedef struct flow_row {
    flow_profile_row frame; /* of the frame under way */
    const flow_function *fn;
    char name[FLOW_ROW_NAME];
    bool touched;
    int64_t longest; /* span in the frame under way; of a cancel the whole, where frame.max_ns is a
                        finally section */
    int column;      /* of the CSV; -1: none */
    flow_past past;
    /* the whole run */
    uint64_t count, starts, cancels, max_frame;
    int64_t total, max, hitch_excess;
    uint32_t bucket[FLOW_ROW_BUCKETS]; /* of single spans; of a cancel of the whole */
} flow_row;

typedef struct flow_open {
    int64_t at, inner; /* inner: of the spans nested in it, ns */
    uint64_t event;    /* its number */
    uint32_t row;
    int32_t cancel; /* the cancel around it: an index of open spans, or -1 */
    flow_event_kind kind;
    uint64_t cancelled, finally_runs; /* of a cancel: the world's counts when it began */
    int64_t worst_ns;
    flow_handle worst;
    const flow_function *worst_fn;
    uint32_t worst_line;
} flow_open;

/* ---- whole-run percentiles ---- */

enum { FLOW_DIST_PART = 256, FLOW_DIST_BUCKETS = 40 * FLOW_DIST_PART };

typedef struct flow_dist {
    uint64_t count;
    int64_t max;
    uint32_t bucket[FLOW_DIST_BUCKETS];
} flow_dist;

void flow__dist_add(flow_dist *dist, int64_t value);
int64_t flow__dist_percentile(const flow_dist *dist, double p);
double flow__dist_worst_mean(const flow_dist *dist, uint64_t frames);
uint32_t flow__row_bucket(int64_t ns);
int64_t flow__row_percentile(const flow_row *row, double p);

/* ---- files ---- */

/* A buffered file of text; an error sticks. */
typedef struct flow_file {
    FILE *file;
    bool failed;
    uint64_t bytes;
    size_t used;
    char text[8192];
} flow_file;

bool flow__file_open(flow_file *out, const char *path);
bool flow__file_close(flow_file *out);
void flow__file_put(flow_file *out, const char *text, size_t length);
void flow__put(flow_file *out, const char *text);
void flow__put_json(flow_file *out, const char *text);
void flow__put_csv(flow_file *out, const char *text);
void flow__put_number(flow_file *out, uint64_t number);
void flow__put_fixed(flow_file *out, int64_t value, int decimals);
void flow__put_hex(flow_file *out, uint64_t number);

size_t flow__format_fixed(char *text, int64_t value, int decimals);
int64_t flow__ms(int64_t ns, int decimals);
const char *flow__base_name(const char *path);

/* ---- the trace ---- */

/* The frames of a hitch's window; how many flows' lives can be open in a file, twice over. */
enum { FLOW_TRACE_BEFORE = 8, FLOW_TRACE_AFTER = 2, FLOW_TRACE_LIVES = 32768 };

typedef struct flow_life {
    flow_handle flow;
    const flow_function *fn; /* of its first frame; null: a free place */
} flow_life;

typedef struct flow_trace {
    flow_file out;
    flow_trace_mode mode;
    bool open;
    bool full;           /* it has reached its limit */
    bool any;            /* an event has been written: a comma is due */
    int64_t origin;      /* ns */
    uint64_t next_frame; /* the first one not written, by count */
    uint64_t workers;    /* that have a name: bits */
    uint32_t lanes;      /* the same */
    uint32_t live;       /* the counter's last value */
    uint32_t life_count;
    flow_life *lives; /* open in the file: a hash table */
} flow_trace;

/* A frame's place among the events. */
typedef struct flow_frame_events {
    uint64_t first, end;
} flow_frame_events;

/* ---- the profile ---- */

struct flow_profile {
    flow_profile_desc desc;
    flow_world *world;
    bool armed, on; /* it records from the next frame on; a frame is under way */
    int64_t now;    /* the clock's last reading */
    bool fresh;     /* that was when a turn ended, and nobody's code has run since */
    flow_profile_event *events;
    uint64_t head; /* events so far */
    uint64_t mask;
    flow_open *open;
    uint32_t depth;               /* spans open; those beyond FLOW_OPEN_LIMIT are not recorded */
    int32_t cancel;               /* the innermost cancel: an index of open spans, or -1 */
    const flow_function *last_fn; /* whose row, of that kind, was asked for last */
    flow_profile_kind last_kind;
    uint32_t last_row;
    flow_row *rows;
    uint32_t row_count;
    uint16_t *index; /* hash to row + 1 */
    uint32_t index_mask;
    uint16_t *touched;
    uint32_t touched_count;

    int64_t lane_end[FLOW_JOB_LANES_MOST]; /* of the last job in each */

    flow_profile_frame frame; /* under way */
    uint64_t frame_first;     /* its first event */
    int64_t accounted;
    uint64_t fixed_ticks; /* when the frame began */
    flow_counters before;
    flow_past work;
    flow_profile_frame *frames;
    flow_frame_events *frame_events;
    uint64_t frame_count; /* that ended, and are kept modulo FLOW_PROFILE_FRAMES */

    flow_dist *dist; /* of work and total */
    uint64_t hitches;
    flow_profile_frame hitch; /* the worst of the open group */
    uint32_t hitch_frames;    /* in it; 0: none is open */
    int64_t hitch_last;       /* when its last frame ended */
    flow_profile_frame worst[FLOW_WORST_FRAMES];
    uint32_t worst_count;
    uint64_t edges[11]; /* of the summary's histogram of work */

    flow_trace trace, window;
    flow_file csv;
    bool csv_open;
    int64_t csv_origin; /* when its first frame began; -1: none yet */
    bool failed;        /* a file that is closed by now was not whole */
    char application[64], world_name[64];
};

/* Frames that a median looks back on by now. */
static inline uint32_t flow__frames_past(const flow_profile *profile)
{
    return profile->frame_count < FLOW_PROFILE_MEDIAN ? (uint32_t)profile->frame_count
                                                      : FLOW_PROFILE_MEDIAN;
}

static inline flow_profile_event *flow__event(const flow_profile *profile, uint64_t number)
{
    return &profile->events[number & profile->mask];
}

/* Are all events from this one on still in the ring? */
static inline bool flow__event_kept(const flow_profile *profile, uint64_t number)
{
    return profile->head - number <= profile->mask + 1;
}

uint32_t flow__row_named(flow_profile *profile, flow_profile_kind kind, const char *name);
flow_profile_event *flow__event_new(flow_profile *profile, flow_event_kind kind);
void flow__span_from(flow_profile *profile, const char *name, int64_t from);
void flow__spans_close(flow_profile *profile);
int64_t flow__clock_read(flow_profile *profile);
bool flow__profile_inside(const flow_profile *profile);
void flow__rows_drop(flow_profile *profile);
void flow__row_touch(flow_profile *profile, uint32_t row);
void flow__past_push(flow_past *past, int64_t value);
uint32_t flow__past_median(const flow_past *past, uint32_t frames);
const char *flow__why_text(uint32_t why);

void flow__trace_frame(flow_profile *profile);
bool flow__trace_finish(flow_profile *profile);
void flow__hitch_look(flow_profile *profile, flow_profile_frame *frame);
void flow__hitch_tell(flow_profile *profile);
void flow__csv_frame(flow_profile *profile, const flow_profile_frame *frame);

#endif
