// SPDX-License-Identifier: MIT
// The walk with AVX2. Called only where bspi_has_avx2 says so.
#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__)
#define BSPI_AVX2 1
#define BSPI_WALK bspi_walk_avx2
#include "query/walk.h"

bool bspi_has_avx2(void) {
    return __builtin_cpu_supports("avx2") != 0;
}
#else
#include "query/collide.h"

bool bspi_has_avx2(void) {
    return false;
}

void bspi_walk_avx2(const bsp_trace_index *index, const bspi_body *body, const bspi_ray *ray,
                    bspi_hit *hit) {
    bspi_walk_base(index, body, ray, hit);
}
#endif
