// SPDX-License-Identifier: MIT
// Four doubles at once, or four words of 64 bits: as core/lanes.h has eight floats. All give the
// same bits.
#ifndef BSPI_BAKE_QUAD_H
#define BSPI_BAKE_QUAD_H

#include "core/lanes.h"

#include <stdbool.h>

typedef double d4 __attribute__((vector_size(32)));
typedef int64_t m4 __attribute__((vector_size(32))); // of comparisons: 0 or -1
typedef uint64_t w4 __attribute__((vector_size(32)));

BSPI_LANES d4 d4_all(double x) {
    return (d4){x, x, x, x};
}

BSPI_LANES d4 d4_load(const double *p) {
    d4 r;
    memcpy(&r, p, sizeof r);
    return r;
}

BSPI_LANES void d4_store(double *p, d4 a) {
    memcpy(p, &a, sizeof a);
}

BSPI_LANES w4 w4_load(const uint64_t *p) {
    w4 r;
    memcpy(&r, p, sizeof r);
    return r;
}

BSPI_LANES void w4_store(uint64_t *p, w4 a) {
    memcpy(p, &a, sizeof a);
}

// Returns a where the mask is set, else b.
BSPI_LANES d4 d4_pick(m4 mask, d4 a, d4 b) {
    return (d4)(((m4)a & mask) | ((m4)b & ~mask));
}

BSPI_LANES d4 d4_sqrt(d4 a) {
#if defined(BSPI_AVX2)
    return (d4)_mm256_sqrt_pd((__m256d)a);
#elif defined(__SSE2__)
    __m128d halves[2];
    memcpy(halves, &a, sizeof halves);
    halves[0] = _mm_sqrt_pd(halves[0]);
    halves[1] = _mm_sqrt_pd(halves[1]);
    memcpy(&a, halves, sizeof a);
    return a;
#else
    return (d4){sqrt(a[0]), sqrt(a[1]), sqrt(a[2]), sqrt(a[3])};
#endif
}

// Returns a bit for each lane of a mask.
BSPI_LANES unsigned m4_bits(m4 mask) {
#if defined(BSPI_AVX2)
    return (unsigned)_mm256_movemask_pd((__m256d)mask);
#elif defined(__SSE2__)
    __m128d halves[2];
    memcpy(halves, &mask, sizeof halves);
    return (unsigned)_mm_movemask_pd(halves[0]) | (unsigned)_mm_movemask_pd(halves[1]) << 2;
#else
    return (unsigned)((mask[0] & 1) | (mask[1] & 2) | (mask[2] & 4) | (mask[3] & 8));
#endif
}

// Is any bit set?
BSPI_LANES bool w4_any(w4 a) {
    return (a[0] | a[1] | a[2] | a[3]) != 0;
}

#endif
