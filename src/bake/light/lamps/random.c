// SPDX-License-Identifier: MIT
// Numbers as those of rand() in the GNU C library: each is the sum of those 3 and 31 before it; the
// first ones come of a linear congruence, and 310 are left out.
#include "bake/light/lamps/ericw.h"

#define COUNT 34u
#define LEFT_OUT 310u

static uint32_t step(bspi_random *random) {
    uint32_t *here = &random->state[random->at % COUNT];
    *here = random->state[(random->at + COUNT - 3) % COUNT] +
            random->state[(random->at + COUNT - 31) % COUNT];
    random->at++;
    return *here >> 1;
}

void bspi_random_begin(bspi_random *random) {
    int64_t last = 1;
    for (uint32_t i = 0; i < COUNT; i++) {
        last = i == 0 ? 1 : last * 16807 % 2147483647;
        random->state[i] = i < 31 ? (uint32_t)last : random->state[i - 31];
    }
    random->at = COUNT;
    for (uint32_t i = 0; i < LEFT_OUT; i++) {
        (void)step(random);
    }
}

float bspi_random_next(bspi_random *random) {
    return (float)((double)step(random) / 2147483647.0 * 2 - 1);
}
