// SPDX-License-Identifier: MIT
// The rows of a triangle with AVX2, and the choice between the two.
#include "render/raster.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define BSPI_AVX2
#define BSPI_DRAW bspi_triangle_draw_avx2
#include "render/span.h"

bspi_draw_fn *bspi_triangle_draw(bool plain) {
    return !plain && __builtin_cpu_supports("avx2") ? bspi_triangle_draw_avx2
                                                    : bspi_triangle_draw_base;
}
#else
bspi_draw_fn *bspi_triangle_draw(bool plain) {
    (void)plain;
    return bspi_triangle_draw_base;
}

void bspi_triangle_draw_avx2(bspi_strip *strip, const bspi_triangle *triangle,
                             const bspi_paint *paint) {
    bspi_triangle_draw_base(strip, triangle, paint);
}
#endif
