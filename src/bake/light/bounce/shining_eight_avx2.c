// SPDX-License-Identifier: MIT
// A polygon that shines at eight places with AVX2, and the choice between the two.
#include "bake/light/bounce/shining.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define BSPI_AVX2
#define BSPI_EIGHT bspi_shining_eight_avx2
#define BSPI_ADD bspi_shining_add_avx2
bspi_shining_eight_fn bspi_shining_eight_avx2;
bspi_shining_add_fn bspi_shining_add_avx2;
#include "bake/light/bounce/shining_lanes.h"

bspi_shining_eight_fn *bspi_shining_eight_here(void) {
    return __builtin_cpu_supports("avx2") != 0 ? bspi_shining_eight_avx2 : bspi_shining_eight_base;
}

bspi_shining_add_fn *bspi_shining_add_here(void) {
    return __builtin_cpu_supports("avx2") != 0 ? bspi_shining_add_avx2 : bspi_shining_add_base;
}
#else
bspi_shining_eight_fn *bspi_shining_eight_here(void) {
    return bspi_shining_eight_base;
}

bspi_shining_add_fn *bspi_shining_add_here(void) {
    return bspi_shining_add_base;
}
#endif
