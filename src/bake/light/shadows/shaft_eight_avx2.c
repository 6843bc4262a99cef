// SPDX-License-Identifier: MIT
// Lines through the leaves of a tree with AVX2, and the choice between the two.
#include "bake/light/shadows/shaft_eight.h"
#include "core/fastest.h"

#if defined(BSPI_MAKES_AVX2)
#define BSPI_AVX2
#define BSPI_SHAFT_EIGHT bspi_shaft_eight_avx2
#include "bake/light/shadows/shaft_lanes.h"
#endif

bspi_shaft_eight_fn *bspi_shaft_eight_here(void) {
    return BSPI_FASTEST(bspi_shaft_eight);
}
