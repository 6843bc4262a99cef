// SPDX-License-Identifier: MIT
// What goes between patches with AVX2, and the choice between the two.
#include "bake/light/rad/rad_eight.h"
#include "core/fastest.h"

#if defined(BSPI_MAKES_AVX2)
#define BSPI_AVX2
#define BSPI_RAD_EIGHT bspi_rad_eight_avx2
#include "bake/light/rad/rad_lanes.h"
#define BSPI_RAD_FLAT_EIGHT bspi_rad_flat_eight_avx2
#include "bake/light/rad/rad_flat_lanes.h"
#endif

bspi_rad_eight_fn *bspi_rad_eight_here(void) {
    return BSPI_FASTEST(bspi_rad_eight);
}

bspi_rad_flat_eight_fn *bspi_rad_flat_eight_here(void) {
    return BSPI_FASTEST(bspi_rad_flat_eight);
}
