// SPDX-License-Identifier: MIT
// Pseudo-random numbers, the same on every machine: xorshift64*.
#ifndef TEST_RANDOM_H
#define TEST_RANDOM_H

#include "core/vector.h"

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

/// Returns a number from -1 to 1.
static inline float random_unit(test_random *random) {
    return (float)(random_u32(random) >> 8) / 8388608.0f - 1;
}

/// Sets a unit vector; many have parts that are 0.
static inline void random_way(test_random *random, float out[3]) {
    do {
        for (int i = 0; i < 3; i++) {
            out[i] = random_u32(random) % 4 == 0 ? 0 : random_unit(random);
        }
    } while (!(bspi_normalize(out) > 0));
}

static inline void random_fill(test_random *random, uint8_t *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (uint8_t)random_u32(random);
    }
}

#endif
