// SPDX-License-Identifier: MIT
// A lamp at eight places with AVX2, and the choice between the two.
#include "bake/light/lamps/lamp_eight.h"
#include "core/fastest.h"

#if defined(BSPI_MAKES_AVX2)
#define BSPI_AVX2
#define BSPI_EIGHT bspi_lamp_eight_avx2
#include "bake/light/lamps/lamp_lanes.h"
#endif

bspi_lamp_eight_fn *bspi_lamp_eight_here(void) {
    return BSPI_FASTEST(bspi_lamp_eight);
}
