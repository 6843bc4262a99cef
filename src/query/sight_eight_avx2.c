// SPDX-License-Identifier: MIT
// Lines of sight for eight lanes with AVX2, and the choice between the two.
#include "query/sight_eight.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define BSPI_AVX2
#define BSPI_SIGHT bspi_sight_eight_avx2
bspi_sight_eight_fn bspi_sight_eight_avx2;
#include "query/sight_lanes.h"

bspi_sight_eight_fn *bspi_sight_eight_here(void) {
    return __builtin_cpu_supports("avx2") != 0 ? bspi_sight_eight_avx2 : bspi_sight_eight_base;
}
#else
bspi_sight_eight_fn *bspi_sight_eight_here(void) {
    return bspi_sight_eight_base;
}
#endif
