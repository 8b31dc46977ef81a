/* SPDX-License-Identifier: MIT */
/* The sine is an odd polynomial of degree seven over a quarter turn in 2.30 fixed point, off by
 * less than a ten-thousandth: below what sixteen bits of sound show under the game's noise. */
#include "fixed.h"

uint32_t fixed_sqrt(uint64_t value)
{
    uint64_t root = 0;
    for (uint64_t bit = (uint64_t)1 << 31; bit != 0; bit >>= 1) {
        if ((root + bit) * (root + bit) <= value) {
            root += bit;
        }
    }
    return (uint32_t)root;
}

int32_t fixed_sine(uint32_t turn)
{
    const int64_t one = (int64_t)1 << 30;
    int64_t x = turn & 0x3fffffffu;
    if (turn & 0x40000000u) {
        x = one - x;
    }
    int64_t square = x * x / one;
    int64_t sum = 85286625 - square * 4649352 / one;
    sum = 693519082 - square * sum / one;
    sum = 1686623177 - square * sum / one;
    int64_t sine = x * sum / one / 32768;
    if (sine > 32767) {
        sine = 32767;
    }
    return (int32_t)((turn & 0x80000000u) ? -sine : sine);
}

struct random_stream random_seeded(uint64_t seed)
{
    struct random_stream stream = {seed + 1442695040888963407u};
    (void)random_next(&stream);
    return stream;
}

uint32_t random_next(struct random_stream *stream)
{
    uint64_t old = stream->state;
    stream->state = old * 6364136223846793005u + 1442695040888963407u;
    uint32_t mixed = (uint32_t)(((old >> 18) ^ old) >> 27);
    uint32_t rotation = (uint32_t)(old >> 59);
    return (mixed >> rotation) | (mixed << ((32u - rotation) & 31u));
}
