// SPDX-License-Identifier: MIT
// The numbers by which compilers spread lights, and look for places in space.
#ifndef BSPI_BAKE_RANDOM_H
#define BSPI_BAKE_RANDOM_H

#include <stdint.h>

#define BSPI_RANDOM_STATE 32u

/// Numbers as those of rand() in the GNU C library, from its first seed: so lights that are spread
/// by them stand where the compiler has them, where it was built with that.
typedef struct bspi_random {
    uint32_t state[BSPI_RANDOM_STATE];
    uint32_t at;
} bspi_random;

void bspi_random_begin(bspi_random *random);
/// Returns the next one, -1 to 1.
float bspi_random_next(bspi_random *random);
/// Passes over some.
void bspi_random_skip(bspi_random *random, uint32_t count);

#endif
