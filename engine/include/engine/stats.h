/* SPDX-License-Identifier: MIT */
/*
 * Frame statistics: where each frame's time went.
 *
 * A frame has work (everything the CPU did) and wait (present, pacing, waiting for events while
 * hidden); total is both. The last 240 frames are kept whole. Over the whole run work and total go
 * to histograms of fixed size, whose percentiles (nearest rank) are exact below 512 ns and at most
 * 0.4 % too large above; maxima are exact. Adding a frame costs some nanoseconds and allocates
 * nothing.
 *
 * An engine has one (engine_get_stats); a host may make its own. Not thread-safe: one thread at a
 * time.
 */
#ifndef ENGINE_STATS_H
#define ENGINE_STATS_H

#include <stdio.h>

#include "engine/loop.h"
#include "engine/types.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    /* The number of frames that are kept whole. */
    ENGINE_STATS_FRAMES = 240
};

/* A whole-run series. */
enum engine_series {
    ENGINE_SERIES_WORK, /* work_ns */
    ENGINE_SERIES_TOTAL /* total_ns */
};

/* One frame. All times in ns. */
struct engine_frame_stats {
    uint64_t number;                      /* the frame's number */
    int64_t real_ns;                      /* the time since the frame before it */
    int64_t used_ns;                      /* the dt that the host was given */
    int64_t dropped_ns;                   /* clamped, skipped or hidden time: nobody saw it */
    int64_t work_ns;                      /* time spent working */
    int64_t wait_ns;                      /* time spent waiting: PRESENT, PACE, hidden */
    int64_t total_ns;                     /* work_ns + wait_ns */
    int64_t phase_ns[ENGINE_PHASE_COUNT]; /* by phase; FIXED is the sum of its steps */
    int steps;                            /* fixed steps run */
    int steps_skipped;                    /* fixed steps dropped */
    int draw_calls;                       /* batches handed to the renderer */
    int vertices;                         /* vertices in them */
    bool hidden;                          /* the window was hidden */
};

/* What a callback of the host costs. */
struct engine_callback_stats {
    const char *name;        /* as registered */
    enum engine_phase phase; /* as registered */
    int64_t frame_ns;        /* in the running frame so far (after it: in the whole frame), ns */
    int64_t total_ns;        /* since creation, ns */
    int64_t calls;           /* since creation */
};

/* Gathered statistics. Opaque. */
struct engine_stats;

/* Makes empty statistics (about 160 KB, all there will be). Null when out of memory. Owned by the
 * caller. */
struct engine_stats *engine_stats_create(void);

/* Frees them. Null is fine. Not for those of an engine. */
void engine_stats_destroy(struct engine_stats *stats);

/* Takes in a frame. */
void engine_stats_add(struct engine_stats *stats, const struct engine_frame_stats *frame);

/* Forgets everything. */
void engine_stats_reset(struct engine_stats *stats);

/* The number of frames taken in. */
int64_t engine_stats_count(const struct engine_stats *stats);

/* A frame by age: 0 is the last one, up to ENGINE_STATS_FRAMES - 1. Null where there is none. Valid
 * until the next add. */
const struct engine_frame_stats *engine_stats_recent(const struct engine_stats *stats, int age);

/* The percentile (0 to 1, such as 0.99) of a series over the whole run by nearest rank, ns; 0
 * without frames. Costs some microseconds. */
int64_t engine_stats_percentile(const struct engine_stats *stats, enum engine_series series,
                                double p);

/* The largest value of a series over the whole run, ns; 0 without frames. */
int64_t engine_stats_max(const struct engine_stats *stats, enum engine_series series);

/* The percentile by nearest rank over the frames that are kept whole: exact. Costs some 10
 * microseconds. */
int64_t engine_stats_recent_percentile(const struct engine_stats *stats, enum engine_series series,
                                       double p);

/* Prints a report of some lines. Returns false where writing failed. */
bool engine_stats_report(const struct engine_stats *stats, FILE *file);

/* For a profiler of the host's: told of the parts of each frame as they begin and end, nested as on
 * a stack, on the engine's own thread. Phases that have work are told by their names, and in them
 * callbacks by theirs. Start from {0}. */
struct engine_watch {
    /* `name` is static or as registered. `waits`: nothing is worked on, as while the picture is
     * presented; what begins inside is work again. */
    void (*begin)(void *user, const char *name, bool waits);
    void (*end)(void *user);
    void *user; /* given to both; borrowed */
};

/* Sets who watches; null: nobody, the default. Copied. Not from inside a frame: false with an
 * error. */
bool engine_set_watch(struct engine *engine, const struct engine_watch *watch);

/* The time in ns of what the engine takes statistics with: its time source, or SDL's performance
 * counter. Costs some 30 ns. */
int64_t engine_now(const struct engine *engine);

/* An engine's statistics. A frame is added at its very end: during frame N, age 0 is frame N - 1.
 * Valid until engine_destroy. */
struct engine_stats *engine_get_stats(struct engine *engine);

/* The running frame as far as it is known: in END all but its last phases. Valid until the frame
 * ends. */
const struct engine_frame_stats *engine_current_frame_stats(const struct engine *engine);

/* The cost of the callback with this index, in order of phases and of running. False beyond the
 * last. */
bool engine_get_callback_stats(const struct engine *engine, int index,
                               struct engine_callback_stats *out);

#ifdef __cplusplus
}
#endif

#endif
