// SPDX-License-Identifier: MIT
// Eight numbers at once: vector extensions of the compiler (GNU C), which become AVX2 where the
// including file sets BSPI_AVX2, and elsewhere what the target has. All give the same bits: nothing
// fuses, nothing is approximated, and no conversion leaves its range.
#ifndef BSPI_LANES_H
#define BSPI_LANES_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#if defined(BSPI_AVX2)
#include <immintrin.h>
#define BSPI_LANES __attribute__((target("avx2"), always_inline)) static inline
#define BSPI_LANES_TARGET __attribute__((target("avx2")))
#else
#define BSPI_LANES __attribute__((always_inline)) static inline
#define BSPI_LANES_TARGET
#if defined(__SSE2__)
#include <emmintrin.h>
#endif
#endif

typedef float f8 __attribute__((vector_size(32)));
typedef int32_t i8 __attribute__((vector_size(32))); // also masks: 0 or -1

BSPI_LANES f8 f8_all(float x) {
    return (f8){x, x, x, x, x, x, x, x};
}

BSPI_LANES i8 i8_all(int32_t x) {
    return (i8){x, x, x, x, x, x, x, x};
}

BSPI_LANES f8 f8_load(const float *p) {
    f8 r;
    memcpy(&r, p, sizeof r);
    return r;
}

BSPI_LANES void f8_store(float *p, f8 a) {
    memcpy(p, &a, sizeof a);
}

BSPI_LANES i8 i8_load(const uint32_t *p) {
    i8 r;
    memcpy(&r, p, sizeof r);
    return r;
}

BSPI_LANES void i8_store(uint32_t *p, i8 a) {
    memcpy(p, &a, sizeof a);
}

// Returns a where the mask is set, else b.
BSPI_LANES i8 i8_pick(i8 mask, i8 a, i8 b) {
    return (a & mask) | (b & ~mask);
}

BSPI_LANES f8 f8_pick(i8 mask, f8 a, f8 b) {
    return (f8)i8_pick(mask, (i8)a, (i8)b);
}

// Returns a where a < b, else b.
BSPI_LANES f8 f8_min(f8 a, f8 b) {
#if defined(BSPI_AVX2)
    return (f8)_mm256_min_ps((__m256)a, (__m256)b);
#elif defined(__SSE2__)
    __m128 halves[2][2];
    memcpy(halves[0], &a, sizeof halves[0]);
    memcpy(halves[1], &b, sizeof halves[1]);
    halves[0][0] = _mm_min_ps(halves[0][0], halves[1][0]);
    halves[0][1] = _mm_min_ps(halves[0][1], halves[1][1]);
    memcpy(&a, halves[0], sizeof a);
    return a;
#else
    return f8_pick(a < b, a, b);
#endif
}

// Returns a where a > b, else b.
BSPI_LANES f8 f8_max(f8 a, f8 b) {
#if defined(BSPI_AVX2)
    return (f8)_mm256_max_ps((__m256)a, (__m256)b);
#elif defined(__SSE2__)
    __m128 halves[2][2];
    memcpy(halves[0], &a, sizeof halves[0]);
    memcpy(halves[1], &b, sizeof halves[1]);
    halves[0][0] = _mm_max_ps(halves[0][0], halves[1][0]);
    halves[0][1] = _mm_max_ps(halves[0][1], halves[1][1]);
    memcpy(&a, halves[0], sizeof a);
    return a;
#else
    return f8_pick(a > b, a, b);
#endif
}

// Returns the least of the eight numbers, none of which is NaN.
BSPI_LANES float f8_least(f8 a) {
#if defined(__SSE2__)
    __m128 halves[2];
    memcpy(halves, &a, sizeof halves);
    __m128 four = _mm_min_ps(halves[0], halves[1]);
    __m128 two = _mm_min_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_min_ss(two, _mm_shuffle_ps(two, two, 1)));
#else
    float least = a[0];
    for (int n = 1; n < 8; n++) {
        least = a[n] < least ? a[n] : least;
    }
    return least;
#endif
}

// Returns the most of them.
BSPI_LANES float f8_most(f8 a) {
    return -f8_least(-a);
}

// Limits to a range; NaN gives `low`.
BSPI_LANES f8 f8_clamp(f8 a, float low, float high) {
    a = f8_pick(a > f8_all(low), a, f8_all(low));
    return f8_pick(a < f8_all(high), a, f8_all(high));
}

BSPI_LANES f8 f8_abs(f8 a) {
    return (f8)((i8)a & i8_all(0x7FFFFFFF));
}

BSPI_LANES f8 f8_sqrt(f8 a) {
#if defined(BSPI_AVX2)
    return (f8)_mm256_sqrt_ps((__m256)a);
#elif defined(__SSE2__)
    __m128 halves[2];
    memcpy(halves, &a, sizeof halves);
    halves[0] = _mm_sqrt_ps(halves[0]);
    halves[1] = _mm_sqrt_ps(halves[1]);
    memcpy(&a, halves, sizeof a);
    return a;
#else
    for (int i = 0; i < 8; i++) {
        a[i] = sqrtf(a[i]);
    }
    return a;
#endif
}

// Returns the scalar products of vectors.
BSPI_LANES f8 f8_dot(const f8 a[3], const f8 b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Returns those of one vector with eight.
BSPI_LANES f8 f8_along(const float one[3], const f8 a[3]) {
    return f8_all(one[0]) * a[0] + f8_all(one[1]) * a[1] + f8_all(one[2]) * a[2];
}

// Rounds towards zero; the values must fit.
BSPI_LANES i8 f8_to_int(f8 a) {
    return __builtin_convertvector(a, i8);
}

BSPI_LANES f8 i8_to_float(i8 a) {
    return __builtin_convertvector(a, f8);
}

// Returns the mask of lanes whose bit is set.
BSPI_LANES i8 i8_mask(unsigned bits) {
    const i8 lanes = {1, 2, 4, 8, 16, 32, 64, 128};
    return (i8_all((int32_t)bits) & lanes) == lanes;
}

// Returns a bit for each lane of a mask.
BSPI_LANES unsigned i8_bits(i8 mask) {
#if defined(BSPI_AVX2)
    return (unsigned)_mm256_movemask_ps((__m256)mask);
#elif defined(__SSE2__)
    __m128 halves[2];
    memcpy(halves, &mask, sizeof halves);
    return (unsigned)_mm_movemask_ps(halves[0]) | (unsigned)_mm_movemask_ps(halves[1]) << 4;
#else
    unsigned bits = 0;
    for (int i = 0; i < 8; i++) {
        bits |= (unsigned)(mask[i] & 1) << i;
    }
    return bits;
#endif
}

// Returns how many of eight bits are set.
BSPI_LANES unsigned bits8_count(unsigned bits) {
#if defined(BSPI_AVX2)
    return (unsigned)__builtin_popcount(bits);
#else
    bits = bits - (bits >> 1 & 0x55);
    bits = (bits & 0x33) + (bits >> 2 & 0x33);
    return (bits + (bits >> 4)) & 0x0F;
#endif
}

#endif
