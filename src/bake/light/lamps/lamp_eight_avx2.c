// SPDX-License-Identifier: MIT
// A lamp at eight places with AVX2, and the choice between the two.
#include "bake/light/lamps/lamp_eight.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define BSPI_AVX2
#define BSPI_EIGHT bspi_lamp_eight_avx2
bspi_lamp_eight_fn bspi_lamp_eight_avx2;
#include "bake/light/lamps/lamp_lanes.h"

bspi_lamp_eight_fn *bspi_lamp_eight_here(void) {
    return __builtin_cpu_supports("avx2") != 0 ? bspi_lamp_eight_avx2 : bspi_lamp_eight_base;
}
#else
bspi_lamp_eight_fn *bspi_lamp_eight_here(void) {
    return bspi_lamp_eight_base;
}
#endif
