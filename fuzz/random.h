// SPDX-License-Identifier: MIT
// Pseudo-random numbers, the same on every machine: xorshift64*.
#ifndef FUZZ_RANDOM_H
#define FUZZ_RANDOM_H

#include <stdint.h>

/// Returns the next random number; the state is not 0.
static inline uint64_t fuzz_random(uint64_t *state) {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(2685821657736338717);
}

#endif
