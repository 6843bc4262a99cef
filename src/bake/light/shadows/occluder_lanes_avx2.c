// SPDX-License-Identifier: MIT
// Eight lines at once with AVX2, and the choice between the two.
#include "bake/light/shadows/occluder_lanes.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define BSPI_AVX2
#define BSPI_WALK bspi_occluder_lanes_avx2
extern const bspi_occluder_lanes bspi_occluder_lanes_avx2;
#include "bake/light/shadows/occluder_walk.h"

const bspi_occluder_lanes *bspi_occluder_lanes_here(void) {
    return __builtin_cpu_supports("avx2") != 0 ? &bspi_occluder_lanes_avx2
                                               : &bspi_occluder_lanes_base;
}
#else
const bspi_occluder_lanes *bspi_occluder_lanes_here(void) {
    return &bspi_occluder_lanes_base;
}
#endif
