/* SPDX-License-Identifier: MIT */
/* Whole-number mathematics: the same result from every compiler and on every machine. */
#ifndef TOOLS_FIXED_H
#define TOOLS_FIXED_H

#include <stdint.h>

/* The square root, rounded down. */
uint32_t fixed_sqrt(uint64_t value);

/* Sine of a turn given as 0..2^32; the result is in -32768..32767. */
int32_t fixed_sine(uint32_t turn);

/* PCG32 (XSH-RR), the random stream of the noises. */
struct random_stream {
    uint64_t state;
};

struct random_stream random_seeded(uint64_t seed);
uint32_t random_next(struct random_stream *stream);

#endif
