/* SPDX-License-Identifier: MIT */
/*
 * PCG32 (O'Neill, pcg-random.org): small, fast, the same numbers everywhere.
 *
 * Every subsystem draws from a stream of its own, so that a particle more never moves an enemy. Any
 * thread, one at a time for each stream.
 */
#ifndef ENGINE_RANDOM_H
#define ENGINE_RANDOM_H

#include "engine/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One stream. All zero is a legal, if dull, stream; begin with engine_random_seed. */
struct engine_random {
    uint64_t state;
    uint64_t increment; /* odd: names the stream */
};

/* Starts a stream: the same seed and stream number give the same numbers. */
void engine_random_seed(struct engine_random *random, uint64_t seed, uint64_t stream);

/* 32 uniform bits. */
uint32_t engine_random_bits(struct engine_random *random);

/* A whole number from 0 to below `count`, without bias; 0 for a count of 0. */
uint32_t engine_random_below(struct engine_random *random, uint32_t count);

/* A whole number from `low` to `high`, both included. */
int engine_random_between(struct engine_random *random, int low, int high);

/* From 0 to below 1 in steps of 2^-24: exact in a float. */
float engine_random_unit(struct engine_random *random);

/* From `low` to below `high`. */
float engine_random_range(struct engine_random *random, float low, float high);

#ifdef __cplusplus
}
#endif

#endif
