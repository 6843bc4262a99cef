// SPDX-License-Identifier: MIT
// Numbers as those of rand() in the GNU C library: each is the sum of those 3 and 31 before it; the
// first ones come of a linear congruence, and 310 are left out.
#include "bake/light/base/random.h"

#define SEEDS 34u // numbers that the first ones are made of
#define LEFT_OUT 310u

static uint32_t step(bspi_random *random) {
    const uint32_t mask = BSPI_RANDOM_STATE - 1;
    uint32_t *here = &random->state[random->at & mask];
    *here = random->state[(random->at - 3) & mask] + random->state[(random->at - 31) & mask];
    random->at++;
    return *here >> 1;
}

void bspi_random_begin(bspi_random *random) {
    uint32_t first[SEEDS];
    int64_t last = 1;
    for (uint32_t i = 0; i < SEEDS; i++) {
        last = i == 0 ? 1 : last * 16807 % 2147483647;
        first[i] = i < 31 ? (uint32_t)last : first[i - 31];
        random->state[i % BSPI_RANDOM_STATE] = first[i];
    }
    random->at = SEEDS;
    bspi_random_skip(random, LEFT_OUT);
}

float bspi_random_next(bspi_random *random) {
    return (float)((double)step(random) / 2147483647.0 * 2 - 1);
}

void bspi_random_skip(bspi_random *random, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        (void)step(random);
    }
}
