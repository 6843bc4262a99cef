// SPDX-License-Identifier: MIT
// What goes between patches with AVX2, and the choice between the two.
#include "bake/light/rad/rad_eight.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define BSPI_AVX2
#define BSPI_RAD_EIGHT bspi_rad_eight_avx2
bspi_rad_eight_fn bspi_rad_eight_avx2;
#include "bake/light/rad/rad_lanes.h"

bspi_rad_eight_fn *bspi_rad_eight_here(void) {
    return __builtin_cpu_supports("avx2") != 0 ? bspi_rad_eight_avx2 : bspi_rad_eight_base;
}
#else
bspi_rad_eight_fn *bspi_rad_eight_here(void) {
    return bspi_rad_eight_base;
}
#endif
