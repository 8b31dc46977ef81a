/* SPDX-License-Identifier: MIT */
/*
 * The profiler: which flow, cancel or zone of the host made this frame long.
 *
 *     flow_profile *profile = flow_profile_create(&(flow_profile_desc){.now_ns = clock_ns});
 *     flow_profile_watch(profile, world);
 *     flow_profile_switch(profile, 1);
 *     for (;;) {
 *         flow_profile_next_frame(profile, NULL);
 *         ... the frame: flow_world_begin_frame, ticks, drawing ...
 *     }
 *     flow_profile_destroy(profile);
 *
 * A frame lasts from one flow_profile_next_frame to the next. While the profiler is on, everything
 * that the world runs in a frame is timed: first slices, resumes, finally sections, predicates,
 * cancels, flow's own work in a tick; and so are the zones that the host opens. Spans nest, and
 * each is counted by its own time, without what was nested in it: so the rows of a frame, with what
 * is unaccounted, add up to the frame. A call that ends without waiting is part of its caller.
 *
 * Rows compete by excess: a frame's time less the row's median over the last 120 frames. A costly
 * row that is always as costly is no culprit; one that is rarely there at all is one with all its
 * time.
 *
 * A profile is the caller's, for one world and its thread. All its memory is taken in
 * flow_profile_create (about 5 MiB by default); nothing is allocated while it records. Off, it
 * costs nothing a resume; on, a reading or two of the clock and some 30 ns a span. It never changes
 * the order in which anything happens.
 */
#ifndef FLOW_PROFILE_H
#define FLOW_PROFILE_H

#include "flow/diagnose.h"

FLOW_EXTERN_C_BEGIN_

typedef struct flow_profile flow_profile;

/* What a row of a frame tells of. */
typedef enum flow_profile_kind {
    FLOW_PROFILE_OTHER,       /* what found no row of its own: desc.rows was too small */
    FLOW_PROFILE_UNACCOUNTED, /* time of the frame in no span: outside of the program, or of zones
                               */
    FLOW_PROFILE_FLOW,        /* code of a flow function */
    FLOW_PROFILE_CANCEL,      /* the unwinding of a scope, with its finally sections */
    FLOW_PROFILE_PREDICATE,   /* conditions that flow_until asks, by the function that waits */
    FLOW_PROFILE_TICK,        /* flow's own work in a phase; what the inbox held */
    FLOW_PROFILE_ZONE,        /* a zone of the host */
    FLOW_PROFILE_WAIT         /* a zone in which the host waits: present, sleep */
} flow_profile_kind;

/* A row of one frame. Times in ns. */
typedef struct flow_profile_row {
    flow_profile_kind kind;
    const char *name;       /* of the function, scope, phase or zone; lives with the profile */
    const char *file;       /* where the longest span went on; null where there is no flow */
    uint32_t line;          /* in it */
    uint32_t count;         /* resumes and first slices, predicates asked, times the zone was open;
                               of a cancel the flows that ended by it; of the inbox what it held */
    uint32_t starts;        /* of a flow function: flows that started with it */
    uint32_t cancels;       /* of a flow function: flows of it that were cancelled */
    int64_t self_ns;        /* its own time in the frame */
    int64_t excess_ns;      /* above its median over the 120 frames before */
    int64_t max_ns;         /* its longest span; of a cancel its longest finally section */
    flow_handle worst;      /* whose that was, where there is a flow */
    const char *worst_name; /* and the function it was in; null where there is none */
} flow_profile_row;

enum {
    FLOW_PROFILE_FRAMES = 240, /* kept whole */
    FLOW_PROFILE_MEDIAN = 120, /* frames that a median looks back on */
    FLOW_PROFILE_CULPRITS = 8, /* rows kept of a frame, the largest excess first */
    FLOW_PROFILE_COLUMNS = 5   /* early, fixed, update, late, render */
};

/* Marks of a frame: what the host says of it, and what was found. */
enum {
    FLOW_PROFILE_LOADING = 1, /* it loads: long by design, no hitch */
    FLOW_PROFILE_HIDDEN = 2,  /* nobody sees it: no hitch */
    FLOW_PROFILE_HITCH = 4,   /* it was one */
    FLOW_PROFILE_LOST = 8     /* more events than the ring holds: its trace has a gap */
};

/* One frame. */
typedef struct flow_profile_frame {
    uint64_t number;                         /* the host's, or the world's count of frames */
    int64_t begin_ns;                        /* the clock's reading */
    int64_t total_ns;                        /* from begin to begin */
    int64_t wait_ns;                         /* in zones in which the host waits */
    int64_t work_ns;                         /* the rest */
    int64_t median_ns;                       /* of the work of the 120 frames before */
    int64_t present_ns;                      /* in the zone "present" */
    int64_t column_ns[FLOW_PROFILE_COLUMNS]; /* by the outermost zone of that name, or tick */
    int64_t unaccounted_ns;
    uint32_t marks; /* FLOW_PROFILE_LOADING and so on */
    uint32_t steps, steps_dropped;
    uint32_t live; /* flows at the frame's end */
    uint32_t resumed, started, cancelled;
    uint32_t row_count;
    flow_profile_row rows[FLOW_PROFILE_CULPRITS]; /* by excess */
    flow_profile_row top; /* the flow function with the most time; kind OTHER: none ran */
} flow_profile_frame;

/* Hitches within 200 ms of each other, told as one. Valid during the call. */
typedef struct flow_profile_hitch {
    const flow_profile_frame *frame; /* the worst of them */
    uint32_t frames;                 /* how many there were */
    const char *line;                /* as in flow_profile_line */
} flow_profile_hitch;

/* How to create a profile. Start from {0} and set now_ns. */
typedef struct flow_profile_desc {
    uint64_t (*now_ns)(void *user); /* ns from any origin; never back. Required. Jobs that flows
                                       begin while it is on are timed with it on their workers,
                                       until the last of them has ended */
    void *user;                     /* handed to now_ns and on_hitch */
    double target_hz;               /* frames a second that are wanted; 0: 60 */
    double hitch_ms;                /* a frame longer than this is a hitch in any case; 0: 100 */
    uint32_t events;                /* that the ring holds, a power of two; 0: 65,536 */
    uint32_t rows;                  /* flow functions, scopes and zones told apart; 0: 256 */
    void (*on_hitch)(void *user, const flow_profile_hitch *hitch); /* may be null */
    flow_allocator allocator; /* default: aligned_alloc and free */
} flow_profile_desc;

/* Creates a profile that is off and watches nothing. Null: no memory, or no clock. */
FLOW_NODISCARD_ flow_profile *flow_profile_create(const flow_profile_desc *desc);

/* flow_profile_finish, then gives the memory back. Not from inside the world (REENTRANT: nothing
 * happened). null is OK. */
flow_status flow_profile_destroy(flow_profile *profile);

/* Watches a world, until the world ends or another (or null) is named. A world has one profile:
 * FULL if it has another already; REENTRANT from inside a world. */
flow_status flow_profile_watch(flow_profile *profile, flow_world *world);

/* Switches recording on (from the next flow_profile_next_frame on) or off (at once: the frame that
 * is under way is dropped). What was recorded stays. REENTRANT from inside the world. */
flow_status flow_profile_switch(flow_profile *profile, int on);

/* What the host knows of the frame that ends. Start from {0}. */
typedef struct flow_profile_info {
    uint64_t number;               /* 0: the world's count of frames */
    uint32_t marks;                /* FLOW_PROFILE_LOADING, FLOW_PROFILE_HIDDEN */
    uint32_t steps, steps_dropped; /* fixed steps; steps 0: as many ticks as FLOW_FIXED had */
} flow_profile_info;

/* Ends a frame and begins the next: finds what it was made of, tells of hitches, writes. At the
 * beginning of each turn of the loop, where no zone is open (those that are, are closed). info may
 * be null. What it costs itself is the row "profiler" of the next frame. O(rows that had time in
 * the last 120 frames), and what is written. */
void flow_profile_next_frame(flow_profile *profile, const flow_profile_info *info);

/* Opens a zone of the host, inside of whatever is open, and closes the innermost one. name is
 * copied. Zones called "early", "fixed", "update", "late" and "render" are columns of the CSV, and
 * "present" is one in which the host waits. Also from inside a flow's body, if no await stands
 * between the two. Without effect while off. */
void flow_profile_begin(flow_profile *profile, const char *name);
void flow_profile_begin_wait(flow_profile *profile, const char *name);
void flow_profile_end(flow_profile *profile);

/* A number that changes over time, for the trace. name is copied. */
void flow_profile_count(flow_profile *profile, const char *name, double value);

/* A job of the host's own that ran on a worker (0 to 99), from begin to end on the profile's clock;
 * told on the world's thread when it is known. What flows have done by executors (executor.h) is
 * recorded without it. */
void flow_profile_job(flow_profile *profile, const char *name, uint32_t worker, int64_t begin_ns,
                      int64_t end_ns);

/* ---- reading ---- */

/* A frame by age: 0 is the last that ended, up to FLOW_PROFILE_FRAMES - 1. Null where there is
 * none. Valid until the next frame ends. */
const flow_profile_frame *flow_profile_recent(const flow_profile *profile, uint32_t age);

/* The line that tells of a frame: "HITCH f=1234 total 41.2 work 39.8 (budget 16.7) | 1 cancel
 * enemies +22.5 (512 flows, worst tank#12.3 0.31) | 2 chaser +6.1 (x512, worst #40.1 enemies.c:88)
 * | 3 render +2.0 | unaccounted 0.4", in ms. Returns the length of the whole line; terminated when
 * capacity is not 0. */
size_t flow_profile_line(const flow_profile *profile, const flow_profile_frame *frame, char *buffer,
                         size_t capacity);

/* A row in words, "chaser +6.1 (x512, worst #40.1 enemies.c:88)"; as flow_profile_line. */
size_t flow_profile_row_text(const flow_profile_row *row, char *buffer, size_t capacity);

/* Whole-run figures of work (series 0) or total (1), in ns: the frames counted, the percentile (0
 * to 1) by nearest rank, and the largest. Percentiles are exact below 512 ns, and at most 0.4 % too
 * large above. */
uint64_t flow_profile_frames(const flow_profile *profile);
int64_t flow_profile_percentile(const flow_profile *profile, int series, double p);
int64_t flow_profile_max(const flow_profile *profile, int series);

/* Hitches so far, merged ones as one. */
uint64_t flow_profile_hitches(const flow_profile *profile);

/* ---- writing ---- */

/* What a trace has in full. */
typedef enum flow_trace_mode {
    FLOW_TRACE_HITCH, /* the frames around hitches, 8 before to 2 after; of the others the frame,
                         its zones above 0.1 ms and counters */
    FLOW_TRACE_ALL    /* every event */
} flow_trace_mode;

/* From now on writes a Chrome trace (JSON, for Perfetto or chrome://tracing) as frames end. In mode
 * HITCH slices below 20 us that follow one another are written as one, by the name of the function
 * with the most of them, and the file stays below 20 MB: a trace that has reached it says so and
 * ends there. OK; IO: the file cannot be written; REENTRANT. */
flow_status flow_profile_trace(flow_profile *profile, const char *path, flow_trace_mode mode);

/* From now on writes a row per frame, in the columns that CapFrameX reads and then flow's own. */
flow_status flow_profile_csv(flow_profile *profile, const char *path, const char *application);

/* Writes what the ring still holds of the last frames as a trace of its own, now. OK or IO. */
flow_status flow_profile_write_window(flow_profile *profile, const char *path);

/* The summary of the whole run as text: percentiles, 1 % low, hitches, a histogram, the ten worst
 * frames, a table per row. */
void flow_profile_summary(const flow_profile *profile, flow_text_sink sink, void *user);

/* The same as JSON, to a file. OK or IO. */
flow_status flow_profile_summary_json(const flow_profile *profile, const char *path);

/* Tells of a hitch that is still open, writes what is left and closes the files. Returns IO if any
 * of them is not whole: the disk was full, or it was closed from outside. The frame under way is
 * dropped, and recording is off. */
flow_status flow_profile_finish(flow_profile *profile);

/* Text of a kind: "flow", "cancel" and so on. */
const char *flow_profile_kind_text(flow_profile_kind kind);

FLOW_EXTERN_C_END_

#endif
