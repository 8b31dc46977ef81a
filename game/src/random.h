/* SPDX-License-Identifier: MIT */
/*
 * PCG32 (O'Neill, pcg-random.org): small, fast, the same numbers everywhere.
 *
 * Every subsystem draws from a stream of its own, so that a particle more never moves an enemy.
 */
#ifndef EMBERLINE_RANDOM_H
#define EMBERLINE_RANDOM_H

#include <stdint.h>

/* One stream. All zero is a legal, if dull, stream; begin with random_seed. */
struct random_stream {
    uint64_t state;
    uint64_t increment; /* odd: names the stream */
};

/* Starts a stream: the same seed and stream number give the same numbers. */
void random_seed(struct random_stream *random, uint64_t seed, uint64_t stream);

/* 32 uniform bits. */
uint32_t random_bits(struct random_stream *random);

/* A whole number from 0 to below `count`, without bias; 0 for a count of 0. */
uint32_t random_below(struct random_stream *random, uint32_t count);

/* A whole number from `low` to `high`, both included. */
int random_between(struct random_stream *random, int low, int high);

/* From 0 to below 1 in steps of 2^-24: exact in a float. */
float random_unit(struct random_stream *random);

/* From `low` to below `high`. */
float random_range(struct random_stream *random, float low, float high);

#endif
