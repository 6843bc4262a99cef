// SPDX-License-Identifier: MIT
// Eight lines at once with AVX2, and the choice between the two.
#include "bake/light/shadows/occluder_lanes.h"
#include "core/fastest.h"

#if defined(BSPI_MAKES_AVX2)
#define BSPI_AVX2
#define BSPI_WALK bspi_occluder_lanes_avx2
#include "bake/light/shadows/occluder_walk.h"
#endif

const bspi_occluder_lanes *bspi_occluder_lanes_here(void) {
    return BSPI_FASTEST(&bspi_occluder_lanes);
}
