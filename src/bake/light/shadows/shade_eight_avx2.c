// SPDX-License-Identifier: MIT
// Eight lines down the tree of q3map2 with AVX2, and the choice between the two.
#include "bake/light/shadows/shade_eight.h"
#include "core/fastest.h"

#if defined(BSPI_MAKES_AVX2)
#define BSPI_AVX2
#define BSPI_SHADE_EIGHT bspi_shade_eight_avx2
#include "bake/light/shadows/shade_lanes.h"
#endif

bspi_shade_eight_fn *bspi_shade_eight_here(void) {
    return BSPI_FASTEST(bspi_shade_eight);
}
