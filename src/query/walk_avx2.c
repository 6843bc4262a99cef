// SPDX-License-Identifier: MIT
// The walk with AVX2 and FMA. Used only where bspi_has_avx2 returns true.
#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__)
#define BSPI_AVX2 1
#define BSPI_TRACER bspi_tracer_avx2
#include "query/walk.h"

bool bspi_has_avx2(void) {
    return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
}
#else
#include "query/collide.h"

bool bspi_has_avx2(void) {
    return false;
}

const bspi_tracer bspi_tracer_avx2 = {0};
#endif
