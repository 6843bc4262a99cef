// SPDX-License-Identifier: MIT
// Lines of sight for eight lanes with AVX2, and the choice between the two.
#include "core/fastest.h"
#include "query/sight_eight.h"

#if defined(BSPI_MAKES_AVX2)
#define BSPI_AVX2
#define BSPI_SIGHT bspi_sight_eight_avx2
#define BSPI_SKY bspi_sky_eight_avx2
#include "query/sight_lanes.h"
#include "query/sky_lanes.h"
#endif

bspi_sight_eight_fn *bspi_sight_eight_here(void) {
    return BSPI_FASTEST(bspi_sight_eight);
}

bspi_sight_eight_fn *bspi_sky_eight_here(void) {
    return BSPI_FASTEST(bspi_sky_eight);
}
