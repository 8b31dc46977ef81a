/* SPDX-License-Identifier: MIT */
/*
 * Numbers about many numbers, in fixed memory: a median over the last frames that is kept sorted,
 * and log-linear histograms, whose percentiles name the largest value of the bucket that holds the
 * nearest rank.
 */
#include "profiler.h"

/* ---- the last values ---- */

/* The first place in the sorted values that holds `value` or more. */
static uint32_t lower_bound(const uint32_t *sorted, uint32_t value)
{
    uint32_t low = 0, high = FLOW_PROFILE_MEDIAN;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (sorted[middle] < value) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

void flow__past_push(flow_past *past, int64_t value)
{
    uint32_t in = value < 0 ? 0 : value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
    uint32_t out = past->value[past->at];
    past->value[past->at] = in;
    past->at = (past->at + 1) % FLOW_PROFILE_MEDIAN;
    past->nonzero += in != 0;
    past->nonzero -= out != 0;
    uint32_t from = lower_bound(past->sorted, out);
    uint32_t to = lower_bound(past->sorted, in);
    if (to > from) {
        to--; /* what leaves makes room below it */
        memmove(&past->sorted[from], &past->sorted[from + 1], (to - from) * sizeof out);
    } else {
        memmove(&past->sorted[to + 1], &past->sorted[to], (from - to) * sizeof out);
    }
    past->sorted[to] = in;
}

/* Of the last `frames` values. */
uint32_t flow__past_median(const flow_past *past, uint32_t frames)
{
    return frames == 0 ? 0 : past->sorted[FLOW_PROFILE_MEDIAN - frames + frames / 2];
}

/* ---- histograms ---- */

static uint32_t highest_bit(uint64_t value)
{
#if defined(__GNUC__) || defined(__clang__)
    return value != 0 ? 63u - (uint32_t)__builtin_clzll(value) : 0;
#else
    uint32_t bit = 0;
    while (value >>= 1) {
        bit++;
    }
    return bit;
#endif
}

/* Values below 2 * parts have a bucket each; every doubling above has `parts`. */
static uint32_t bucket_of(uint64_t value, uint32_t bits, uint32_t buckets)
{
    uint32_t high = highest_bit(value);
    uint32_t shift = high > bits ? high - bits : 0;
    uint64_t bucket = (value >> shift) + ((uint64_t)shift << bits);
    return bucket < buckets ? (uint32_t)bucket : buckets - 1;
}

/* The largest value that goes to a bucket. */
static int64_t bucket_top(uint32_t bucket, uint32_t bits)
{
    uint32_t parts = 1u << bits;
    uint32_t shift = bucket < 2 * parts ? 0 : bucket / parts - 1;
    int64_t part = (int64_t)bucket - ((int64_t)shift << bits);
    return ((part + 1) << shift) - 1;
}

/* The nearest rank of a percentile among `count` values, from 1. */
static uint64_t nearest_rank(double p, uint64_t count)
{
    double exact = p * (double)count;
    uint64_t rank = exact > 0.0 ? (uint64_t)exact : 0;
    rank += (double)rank < exact;
    return rank < 1 ? 1 : rank > count ? count : rank;
}

static int64_t bucket_percentile(const uint32_t *bucket, uint32_t buckets, uint32_t bits,
                                 uint64_t count, int64_t max, double p)
{
    uint64_t seen = 0, rank = nearest_rank(p, count);
    for (uint32_t i = 0; i < buckets && count > 0; i++) {
        seen += bucket[i];
        if (seen >= rank) {
            int64_t top = bucket_top(i, bits);
            return top < max ? top : max;
        }
    }
    return 0;
}

enum { DIST_BITS = 8, ROW_BITS = 4 };

void flow__dist_add(flow_dist *dist, int64_t value)
{
    value = value > 0 ? value : 0;
    dist->bucket[bucket_of((uint64_t)value, DIST_BITS, FLOW_DIST_BUCKETS)]++;
    dist->count++;
    dist->max = value > dist->max ? value : dist->max;
}

int64_t flow__dist_percentile(const flow_dist *dist, double p)
{
    return bucket_percentile(dist->bucket, FLOW_DIST_BUCKETS, DIST_BITS, dist->count, dist->max, p);
}

/* The mean of the largest values, `frames` of them, in ns. */
double flow__dist_worst_mean(const flow_dist *dist, uint64_t frames)
{
    double sum = 0.0;
    uint64_t left = frames;
    for (uint32_t i = FLOW_DIST_BUCKETS; i-- > 0 && left > 0;) {
        uint64_t taken = dist->bucket[i] < left ? dist->bucket[i] : left;
        int64_t top = bucket_top(i, DIST_BITS);
        sum += (double)taken * (double)(top < dist->max ? top : dist->max);
        left -= taken;
    }
    return frames > left ? sum / (double)(frames - left) : 0.0;
}

uint32_t flow__row_bucket(int64_t ns)
{
    return bucket_of(ns > 0 ? (uint64_t)ns : 0, ROW_BITS, FLOW_ROW_BUCKETS);
}

int64_t flow__row_percentile(const flow_row *row, double p)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < FLOW_ROW_BUCKETS; i++) {
        count += row->bucket[i];
    }
    return bucket_percentile(row->bucket, FLOW_ROW_BUCKETS, ROW_BITS, count, row->max, p);
}
