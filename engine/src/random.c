/* SPDX-License-Identifier: MIT */
/*
 * PCG32 with its reference constants: a 64-bit congruential step, its high bits xor-shifted and
 * rotated by the highest five.
 */
#include "engine/random.h"

void engine_random_seed(struct engine_random *random, uint64_t seed, uint64_t stream)
{
    random->state = 0;
    random->increment = (stream << 1) | 1u;
    (void)engine_random_bits(random);
    random->state += seed;
    (void)engine_random_bits(random);
}

uint32_t engine_random_bits(struct engine_random *random)
{
    uint64_t old = random->state;
    uint32_t mixed = (uint32_t)(((old >> 18) ^ old) >> 27);
    uint32_t turn = (uint32_t)(old >> 59);
    random->state = old * 6364136223846793005u + random->increment;
    return (mixed >> turn) | (mixed << ((32u - turn) & 31u));
}

uint32_t engine_random_below(struct engine_random *random, uint32_t count)
{
    if (count == 0) {
        return 0;
    }
    /* What lies below 2^32 mod count would make the low numbers likelier. */
    uint32_t threshold = (0u - count) % count;
    for (;;) {
        uint32_t bits = engine_random_bits(random);
        if (bits >= threshold) {
            return bits % count;
        }
    }
}

int engine_random_between(struct engine_random *random, int low, int high)
{
    return low + (int)engine_random_below(random, (uint32_t)(high - low) + 1u);
}

float engine_random_unit(struct engine_random *random)
{
    return (float)(engine_random_bits(random) >> 8) * (1.0F / 16777216.0F);
}

float engine_random_range(struct engine_random *random, float low, float high)
{
    return low + (high - low) * engine_random_unit(random);
}
