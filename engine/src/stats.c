/* SPDX-License-Identifier: MIT */
/*
 * Frame statistics in fixed memory.
 *
 * The whole run goes to log-linear histograms: values below 2^9 ns have a bucket each, and every
 * doubling above is cut into 256 buckets. A percentile is the largest value of the bucket in which
 * the nearest rank lies, but never more than the exact maximum.
 */
#include "engine/stats.h"

#include <stdlib.h>
#include <string.h>

enum {
    PART_BITS = 8,
    PARTS = 1 << PART_BITS,
    DOUBLINGS = 63 - PART_BITS, /* of a positive 64-bit value */
    BUCKETS = (DOUBLINGS + 1) * PARTS,
    SERIES = 2
};

struct histogram {
    int64_t max;
    uint32_t buckets[BUCKETS];
};

struct engine_stats {
    int64_t count;
    struct engine_frame_stats recent[ENGINE_STATS_FRAMES];
    struct histogram series[SERIES];
    int64_t real_ns;
    int64_t dropped_ns;
    int64_t steps;
    int64_t steps_skipped;
};

static int highest_bit(uint64_t value)
{
    int bit = 0;
    while (value >>= 1) {
        bit++;
    }
    return bit;
}

static int bucket_of(int64_t value)
{
    int shift = highest_bit((uint64_t)value) - PART_BITS;
    if (shift <= 0) {
        return (int)value;
    }
    return (int)(value >> shift) + shift * PARTS;
}

/* The largest value that goes to a bucket. */
static int64_t bucket_top(int bucket)
{
    int shift = bucket / PARTS - 1;
    int64_t part = bucket % PARTS + PARTS;
    if (shift <= 0) {
        return bucket;
    }
    return (part << shift) + ((INT64_C(1) << shift) - 1);
}

static void histogram_add(struct histogram *histogram, int64_t value)
{
    int64_t positive = value > 0 ? value : 0;
    histogram->buckets[bucket_of(positive)]++;
    if (positive > histogram->max) {
        histogram->max = positive;
    }
}

/* The nearest rank of a percentile among `count` values, from 1. */
static int64_t nearest_rank(double p, int64_t count)
{
    double exact = p * (double)count;
    int64_t rank = (int64_t)exact;
    if ((double)rank < exact) {
        rank++;
    }
    if (!(p >= 0.0) || rank < 1) {
        return 1;
    }
    return rank < count ? rank : count;
}

struct engine_stats *engine_stats_create(void)
{
    return calloc(1, sizeof(struct engine_stats));
}

void engine_stats_destroy(struct engine_stats *stats)
{
    free(stats);
}

void engine_stats_reset(struct engine_stats *stats)
{
    memset(stats, 0, sizeof *stats);
}

void engine_stats_add(struct engine_stats *stats, const struct engine_frame_stats *frame)
{
    stats->recent[stats->count % ENGINE_STATS_FRAMES] = *frame;
    stats->count++;
    stats->real_ns += frame->real_ns;
    stats->dropped_ns += frame->dropped_ns;
    stats->steps += frame->steps;
    stats->steps_skipped += frame->steps_skipped;
    histogram_add(&stats->series[ENGINE_SERIES_WORK], frame->work_ns);
    histogram_add(&stats->series[ENGINE_SERIES_TOTAL], frame->total_ns);
}

int64_t engine_stats_count(const struct engine_stats *stats)
{
    return stats->count;
}

const struct engine_frame_stats *engine_stats_recent(const struct engine_stats *stats, int age)
{
    if (age < 0 || age >= ENGINE_STATS_FRAMES || age >= stats->count) {
        return NULL;
    }
    return &stats->recent[(stats->count - 1 - age) % ENGINE_STATS_FRAMES];
}

int64_t engine_stats_percentile(const struct engine_stats *stats, enum engine_series series,
                                double p)
{
    const struct histogram *histogram = &stats->series[series == ENGINE_SERIES_TOTAL];
    int64_t rank = nearest_rank(p, stats->count);
    int64_t seen = 0;
    for (int i = 0; i < BUCKETS && stats->count > 0; i++) {
        seen += histogram->buckets[i];
        if (seen >= rank) {
            int64_t top = bucket_top(i);
            return top < histogram->max ? top : histogram->max;
        }
    }
    return 0;
}

int64_t engine_stats_max(const struct engine_stats *stats, enum engine_series series)
{
    return stats->series[series == ENGINE_SERIES_TOTAL].max;
}

static int compare_ns(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left;
    int64_t b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

int64_t engine_stats_recent_percentile(const struct engine_stats *stats, enum engine_series series,
                                       double p)
{
    int64_t values[ENGINE_STATS_FRAMES];
    int count = 0;
    const struct engine_frame_stats *frame;
    while ((frame = engine_stats_recent(stats, count)) != NULL) {
        values[count++] = series == ENGINE_SERIES_TOTAL ? frame->total_ns : frame->work_ns;
    }
    if (count == 0) {
        return 0;
    }
    qsort(values, (size_t)count, sizeof values[0], compare_ns);
    return values[nearest_rank(p, count) - 1];
}

static double ms(int64_t ns)
{
    return (double)ns / 1e6;
}

static void report_series(const struct engine_stats *stats, enum engine_series series,
                          const char *name, FILE *file)
{
    (void)fprintf(file, "  %-6s p50 %8.3f  p95 %8.3f  p99 %8.3f  max %8.3f ms\n", name,
                  ms(engine_stats_percentile(stats, series, 0.50)),
                  ms(engine_stats_percentile(stats, series, 0.95)),
                  ms(engine_stats_percentile(stats, series, 0.99)),
                  ms(engine_stats_max(stats, series)));
}

/* Where the time of the kept frames went, as means. */
static void report_phases(const struct engine_stats *stats, FILE *file)
{
    int64_t sums[ENGINE_PHASE_COUNT] = {0};
    int count = 0;
    const struct engine_frame_stats *frame;
    while ((frame = engine_stats_recent(stats, count)) != NULL) {
        for (int phase = 0; phase < ENGINE_PHASE_COUNT; phase++) {
            sums[phase] += frame->phase_ns[phase];
        }
        count++;
    }
    (void)fprintf(file, "  mean of the last %d, ms:", count);
    for (int phase = 0; phase < ENGINE_PHASE_COUNT && count > 0; phase++) {
        (void)fprintf(file, " %s %.3f", engine_phase_name((enum engine_phase)phase),
                      ms(sums[phase] / count));
    }
    (void)fprintf(file, "\n");
}

bool engine_stats_report(const struct engine_stats *stats, FILE *file)
{
    (void)fprintf(
        file, "frames %lld: %.3f s, %.3f s of it dropped; %lld fixed steps, %lld skipped\n",
        (long long)stats->count, (double)stats->real_ns / 1e9, (double)stats->dropped_ns / 1e9,
        (long long)stats->steps, (long long)stats->steps_skipped);
    report_series(stats, ENGINE_SERIES_WORK, "work", file);
    report_series(stats, ENGINE_SERIES_TOTAL, "total", file);
    report_phases(stats, file);
    return !ferror(file);
}
