// SPDX-License-Identifier: MIT
// The walks with AVX2 and FMA. Used only where bspi_has_avx2 returns true.
#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__)
#define BSPI_AVX2 1
#define BSPI_TRACER bspi_tracer_avx2
#define BSPI_GROUP_WALK bspi_group_walk_avx2
#include "query/groups.h"
#include "query/walk.h"

bool bspi_has_avx2(void) {
    return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0 &&
           __builtin_cpu_supports("bmi") != 0;
}
#else
#include "query/compact.h"

bool bspi_has_avx2(void) {
    return false;
}

const bspi_tracer bspi_tracer_avx2 = {0};
const bspi_group_walk bspi_group_walk_avx2 = NULL;
#endif
