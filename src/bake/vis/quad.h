// SPDX-License-Identifier: MIT
// Four doubles at once: AVX2 where the including file sets BSPI_AVX2, SSE2 where the target has it,
// plain loops elsewhere. All give the same bits: no operation here fuses or reorders.
#ifndef BSPI_BAKE_QUAD_H
#define BSPI_BAKE_QUAD_H

#include <stdbool.h>
#include <stdint.h>

#if defined(BSPI_AVX2)
#include <immintrin.h>
#define BSPI_QUAD __attribute__((target("avx2"), always_inline)) static inline
#define BSPI_QUAD_TARGET __attribute__((target("avx2")))

typedef __m256d d4;
typedef __m256d m4; // of comparisons: lanes of ones or zeros
typedef __m256i w4; // four words

BSPI_QUAD d4 d4_load(const double *p) {
    return _mm256_loadu_pd(p);
}
BSPI_QUAD void d4_store(double *p, d4 a) {
    _mm256_storeu_pd(p, a);
}
BSPI_QUAD d4 d4_all(double x) {
    return _mm256_set1_pd(x);
}
BSPI_QUAD d4 d4_add(d4 a, d4 b) {
    return _mm256_add_pd(a, b);
}
BSPI_QUAD d4 d4_sub(d4 a, d4 b) {
    return _mm256_sub_pd(a, b);
}
BSPI_QUAD d4 d4_mul(d4 a, d4 b) {
    return _mm256_mul_pd(a, b);
}
BSPI_QUAD d4 d4_div(d4 a, d4 b) {
    return _mm256_div_pd(a, b);
}
BSPI_QUAD d4 d4_sqrt(d4 a) {
    return _mm256_sqrt_pd(a);
}
BSPI_QUAD m4 d4_gt(d4 a, d4 b) {
    return _mm256_cmp_pd(a, b, _CMP_GT_OQ);
}
BSPI_QUAD m4 d4_ge(d4 a, d4 b) {
    return _mm256_cmp_pd(a, b, _CMP_GE_OQ);
}
BSPI_QUAD m4 m4_and(m4 a, m4 b) {
    return _mm256_and_pd(a, b);
}
BSPI_QUAD m4 m4_or(m4 a, m4 b) {
    return _mm256_or_pd(a, b);
}
BSPI_QUAD d4 d4_pick(m4 m, d4 a, d4 b) {
    return _mm256_blendv_pd(b, a, m);
}
BSPI_QUAD unsigned m4_bits(m4 m) {
    return (unsigned)_mm256_movemask_pd(m);
}
BSPI_QUAD w4 w4_load(const uint64_t *p) {
    return _mm256_loadu_si256((const __m256i *)(const void *)p);
}
BSPI_QUAD void w4_store(uint64_t *p, w4 a) {
    _mm256_storeu_si256((__m256i *)(void *)p, a);
}
BSPI_QUAD w4 w4_zero(void) {
    return _mm256_setzero_si256();
}
BSPI_QUAD w4 w4_and(w4 a, w4 b) {
    return _mm256_and_si256(a, b);
}
BSPI_QUAD w4 w4_or(w4 a, w4 b) {
    return _mm256_or_si256(a, b);
}
BSPI_QUAD w4 w4_andnot(w4 a, w4 b) {
    return _mm256_andnot_si256(b, a);
} // a and not b
BSPI_QUAD bool w4_any(w4 a) {
    return _mm256_testz_si256(a, a) == 0;
}

#elif defined(__SSE2__)
#include <emmintrin.h>
#define BSPI_QUAD __attribute__((always_inline)) static inline
#define BSPI_QUAD_TARGET

typedef struct d4 {
    __m128d l, h;
} d4;
typedef d4 m4;
typedef struct w4 {
    __m128i l, h;
} w4;

#define BSPI_TWO(name, op)                                                                         \
    BSPI_QUAD d4 name(d4 a, d4 b) {                                                                \
        return (d4){op(a.l, b.l), op(a.h, b.h)};                                                   \
    }
BSPI_TWO(d4_add, _mm_add_pd)
BSPI_TWO(d4_sub, _mm_sub_pd)
BSPI_TWO(d4_mul, _mm_mul_pd)
BSPI_TWO(d4_div, _mm_div_pd)
BSPI_TWO(d4_gt, _mm_cmpgt_pd)
BSPI_TWO(d4_ge, _mm_cmpge_pd)
BSPI_TWO(m4_and, _mm_and_pd)
BSPI_TWO(m4_or, _mm_or_pd)

BSPI_QUAD d4 d4_load(const double *p) {
    return (d4){_mm_loadu_pd(p), _mm_loadu_pd(p + 2)};
}
BSPI_QUAD void d4_store(double *p, d4 a) {
    _mm_storeu_pd(p, a.l);
    _mm_storeu_pd(p + 2, a.h);
}
BSPI_QUAD d4 d4_all(double x) {
    return (d4){_mm_set1_pd(x), _mm_set1_pd(x)};
}
BSPI_QUAD d4 d4_sqrt(d4 a) {
    return (d4){_mm_sqrt_pd(a.l), _mm_sqrt_pd(a.h)};
}
BSPI_QUAD d4 d4_pick(m4 m, d4 a, d4 b) {
    return (d4){_mm_or_pd(_mm_and_pd(m.l, a.l), _mm_andnot_pd(m.l, b.l)),
                _mm_or_pd(_mm_and_pd(m.h, a.h), _mm_andnot_pd(m.h, b.h))};
}
BSPI_QUAD unsigned m4_bits(m4 m) {
    return (unsigned)_mm_movemask_pd(m.l) | (unsigned)_mm_movemask_pd(m.h) << 2;
}
BSPI_QUAD w4 w4_load(const uint64_t *p) {
    return (w4){_mm_loadu_si128((const __m128i *)(const void *)p),
                _mm_loadu_si128((const __m128i *)(const void *)(p + 2))};
}
BSPI_QUAD void w4_store(uint64_t *p, w4 a) {
    _mm_storeu_si128((__m128i *)(void *)p, a.l);
    _mm_storeu_si128((__m128i *)(void *)(p + 2), a.h);
}
BSPI_QUAD w4 w4_zero(void) {
    return (w4){_mm_setzero_si128(), _mm_setzero_si128()};
}
BSPI_QUAD w4 w4_and(w4 a, w4 b) {
    return (w4){_mm_and_si128(a.l, b.l), _mm_and_si128(a.h, b.h)};
}
BSPI_QUAD w4 w4_or(w4 a, w4 b) {
    return (w4){_mm_or_si128(a.l, b.l), _mm_or_si128(a.h, b.h)};
}
BSPI_QUAD w4 w4_andnot(w4 a, w4 b) {
    return (w4){_mm_andnot_si128(b.l, a.l), _mm_andnot_si128(b.h, a.h)};
} // a and not b
BSPI_QUAD bool w4_any(w4 a) {
    __m128i zero = _mm_cmpeq_epi8(_mm_or_si128(a.l, a.h), _mm_setzero_si128());
    return _mm_movemask_epi8(zero) != 0xFFFF;
}

#else
#include <math.h>
#define BSPI_QUAD static inline
#define BSPI_QUAD_TARGET

typedef struct d4 {
    double lane[4];
} d4;
typedef unsigned m4; // a bit for each lane
typedef struct w4 {
    uint64_t lane[4];
} w4;

#define BSPI_EACH(name, type, result)                                                              \
    BSPI_QUAD type name(type a, type b) {                                                          \
        type out;                                                                                  \
        for (int i = 0; i < 4; i++) {                                                              \
            out.lane[i] = result;                                                                  \
        }                                                                                          \
        return out;                                                                                \
    }
#define BSPI_TEST(name, result)                                                                    \
    BSPI_QUAD m4 name(d4 a, d4 b) {                                                                \
        m4 out = 0;                                                                                \
        for (int i = 0; i < 4; i++) {                                                              \
            out |= (result) ? 1u << i : 0u;                                                        \
        }                                                                                          \
        return out;                                                                                \
    }
BSPI_EACH(d4_add, d4, a.lane[i] + b.lane[i])
BSPI_EACH(d4_sub, d4, a.lane[i] - b.lane[i])
BSPI_EACH(d4_mul, d4, a.lane[i] * b.lane[i])
BSPI_EACH(d4_div, d4, a.lane[i] / b.lane[i])
BSPI_EACH(w4_and, w4, a.lane[i] & b.lane[i])
BSPI_EACH(w4_or, w4, a.lane[i] | b.lane[i])
BSPI_EACH(w4_andnot, w4, a.lane[i] & ~b.lane[i]) // a and not b
BSPI_TEST(d4_gt, a.lane[i] > b.lane[i])
BSPI_TEST(d4_ge, a.lane[i] >= b.lane[i])

BSPI_QUAD d4 d4_load(const double *p) {
    return (d4){{p[0], p[1], p[2], p[3]}};
}
BSPI_QUAD void d4_store(double *p, d4 a) {
    for (int i = 0; i < 4; i++) {
        p[i] = a.lane[i];
    }
}
BSPI_QUAD d4 d4_all(double x) {
    return (d4){{x, x, x, x}};
}
BSPI_QUAD d4 d4_sqrt(d4 a) {
    return (d4){{sqrt(a.lane[0]), sqrt(a.lane[1]), sqrt(a.lane[2]), sqrt(a.lane[3])}};
}
BSPI_QUAD m4 m4_and(m4 a, m4 b) {
    return a & b;
}
BSPI_QUAD m4 m4_or(m4 a, m4 b) {
    return a | b;
}
BSPI_QUAD d4 d4_pick(m4 m, d4 a, d4 b) {
    for (int i = 0; i < 4; i++) {
        a.lane[i] = (m >> i & 1) != 0 ? a.lane[i] : b.lane[i];
    }
    return a;
}
BSPI_QUAD unsigned m4_bits(m4 m) {
    return m;
}
BSPI_QUAD w4 w4_load(const uint64_t *p) {
    return (w4){{p[0], p[1], p[2], p[3]}};
}
BSPI_QUAD void w4_store(uint64_t *p, w4 a) {
    for (int i = 0; i < 4; i++) {
        p[i] = a.lane[i];
    }
}
BSPI_QUAD w4 w4_zero(void) {
    return (w4){{0, 0, 0, 0}};
}
BSPI_QUAD bool w4_any(w4 a) {
    return (a.lane[0] | a.lane[1] | a.lane[2] | a.lane[3]) != 0;
}
#endif

#endif
