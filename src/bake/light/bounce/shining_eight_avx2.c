// SPDX-License-Identifier: MIT
// A polygon that shines at eight places with AVX2, and the choice between the two.
#include "bake/light/bounce/shining.h"
#include "core/fastest.h"

#if defined(BSPI_MAKES_AVX2)
#define BSPI_AVX2
#define BSPI_EIGHT bspi_shining_eight_avx2
#define BSPI_ADD bspi_shining_add_avx2
#include "bake/light/bounce/shining_lanes.h"
#endif

bspi_shining_eight_fn *bspi_shining_eight_here(void) {
    return BSPI_FASTEST(bspi_shining_eight);
}

bspi_shining_add_fn *bspi_shining_add_here(void) {
    return BSPI_FASTEST(bspi_shining_add);
}
