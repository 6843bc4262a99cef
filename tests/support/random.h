// SPDX-License-Identifier: MIT
// Pseudo-random numbers, the same on every machine: xorshift64*.
#ifndef TEST_RANDOM_H
#define TEST_RANDOM_H

#include <stddef.h>
#include <stdint.h>

typedef struct test_random {
    uint64_t state; ///< not 0
} test_random;

static inline uint32_t random_u32(test_random *random) {
    random->state ^= random->state >> 12;
    random->state ^= random->state << 25;
    random->state ^= random->state >> 27;
    return (uint32_t)((random->state * UINT64_C(2685821657736338717)) >> 32);
}

/// Returns a number below `limit`, which is not 0.
static inline size_t random_below(test_random *random, size_t limit) {
    uint64_t wide = (uint64_t)random_u32(random) << 32 | random_u32(random);
    return (size_t)(wide % limit);
}

static inline void random_fill(test_random *random, uint8_t *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (uint8_t)random_u32(random);
    }
}

#endif
