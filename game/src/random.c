/* SPDX-License-Identifier: MIT */
/*
 * PCG32 with its reference constants: a 64-bit congruential step, its high bits xor-shifted and
 * rotated by the highest five.
 */
#include "random.h"

void random_seed(struct random_stream *random, uint64_t seed, uint64_t stream)
{
    random->state = 0;
    random->increment = (stream << 1) | 1u;
    (void)random_bits(random);
    random->state += seed;
    (void)random_bits(random);
}

uint32_t random_bits(struct random_stream *random)
{
    uint64_t old = random->state;
    uint32_t mixed = (uint32_t)(((old >> 18) ^ old) >> 27);
    uint32_t turn = (uint32_t)(old >> 59);
    random->state = old * 6364136223846793005u + random->increment;
    return (mixed >> turn) | (mixed << ((32u - turn) & 31u));
}

uint32_t random_below(struct random_stream *random, uint32_t count)
{
    if (count == 0) {
        return 0;
    }
    /* What lies below 2^32 mod count would make the low numbers likelier. */
    uint32_t threshold = (0u - count) % count;
    for (;;) {
        uint32_t bits = random_bits(random);
        if (bits >= threshold) {
            return bits % count;
        }
    }
}

int random_between(struct random_stream *random, int low, int high)
{
    return low + (int)random_below(random, (uint32_t)(high - low) + 1u);
}

float random_unit(struct random_stream *random)
{
    return (float)(random_bits(random) >> 8) * (1.0F / 16777216.0F);
}

float random_range(struct random_stream *random, float low, float high)
{
    return low + (high - low) * random_unit(random);
}
