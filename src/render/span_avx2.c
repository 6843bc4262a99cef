// SPDX-License-Identifier: MIT
// The rows of a triangle with AVX2, and the choice between the two.
#include "render/raster.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define BSPI_AVX2
#define BSPI_DRAW bspi_triangle_draw_avx2
#define BSPI_SKY bspi_sky_draw_avx2
#include "render/span.h"

static bool has_avx2(void) {
    return __builtin_cpu_supports("avx2") != 0;
}
#else
static bool has_avx2(void) {
    return false;
}

void bspi_triangle_draw_avx2(bspi_strip *strip, const bspi_triangle *triangle,
                             const bspi_paint *paint) {
    bspi_triangle_draw_base(strip, triangle, paint);
}

void bspi_sky_draw_avx2(const bspi_sky *sky, const bspi_sky_run *run, uint32_t out[8]) {
    bspi_sky_draw_base(sky, run, out);
}
#endif

bspi_draw_fn *bspi_triangle_draw(bool plain) {
    return !plain && has_avx2() ? bspi_triangle_draw_avx2 : bspi_triangle_draw_base;
}

bspi_sky_fn *bspi_sky_draw(bool plain) {
    return !plain && has_avx2() ? bspi_sky_draw_avx2 : bspi_sky_draw_base;
}
