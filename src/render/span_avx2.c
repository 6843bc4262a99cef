// SPDX-License-Identifier: MIT
// The rows of a triangle with AVX2, and the choice between the two.
#include "core/fastest.h"
#include "render/raster.h"

#if defined(BSPI_MAKES_AVX2)
#define BSPI_AVX2
#define BSPI_DRAW bspi_triangle_draw_avx2
#define BSPI_SKY bspi_sky_draw_avx2
#include "render/span.h"

#include "render/sky_lanes.h"
#endif

bspi_draw_fn *bspi_triangle_draw(bool plain) {
    return plain ? bspi_triangle_draw_base : BSPI_FASTEST(bspi_triangle_draw);
}

bspi_sky_fn *bspi_sky_draw(bool plain) {
    return plain ? bspi_sky_draw_base : BSPI_FASTEST(bspi_sky_draw);
}
