/* SPDX-License-Identifier: MIT */
/* FNV-1a, 64 bit: the hash of trees, traces and recordings. */
#ifndef FLOW_HASH_H
#define FLOW_HASH_H

#include <stddef.h>
#include <stdint.h>

#define FLOW_HASH_START UINT64_C(0xcbf29ce484222325)
#define FLOW_HASH_PRIME UINT64_C(0x100000001b3)

static inline uint64_t flow__mix(uint64_t hash, uint64_t value)
{
    for (int i = 0; i < 8; i++, value >>= 8) {
        hash = (hash ^ (value & 0xff)) * FLOW_HASH_PRIME;
    }
    return hash;
}

static inline uint64_t flow__mix_text(uint64_t hash, const char *text)
{
    for (; *text != '\0'; text++) {
        hash = (hash ^ (unsigned char)*text) * FLOW_HASH_PRIME;
    }
    return flow__mix(hash, 0);
}

#endif
