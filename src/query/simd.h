// SPDX-License-Identifier: MIT
// Eight floats at once. The one place with extensions of compilers: AVX2 where BSPI_AVX2 is set by
// the file that includes it, SSE2 where the target has it, plain loops elsewhere. All give the same
// bits: no operation here fuses or reorders.
#ifndef BSPI_SIMD_H
#define BSPI_SIMD_H

#include "query/collide.h"

#if defined(BSPI_AVX2)
#include <immintrin.h>
#define BSPI_INLINE __attribute__((target("avx2"), always_inline)) static inline
#define BSPI_TARGET __attribute__((target("avx2")))

typedef __m256 f8;
typedef __m256 m8;

BSPI_INLINE f8 f8_load(const float *p) {
    return _mm256_loadu_ps(p);
}
BSPI_INLINE f8 f8_all(float x) {
    return _mm256_set1_ps(x);
}
BSPI_INLINE f8 f8_add(f8 a, f8 b) {
    return _mm256_add_ps(a, b);
}
BSPI_INLINE f8 f8_sub(f8 a, f8 b) {
    return _mm256_sub_ps(a, b);
}
BSPI_INLINE f8 f8_mul(f8 a, f8 b) {
    return _mm256_mul_ps(a, b);
}
BSPI_INLINE f8 f8_div(f8 a, f8 b) {
    return _mm256_div_ps(a, b);
}
BSPI_INLINE f8 f8_min(f8 a, f8 b) {
    return _mm256_min_ps(a, b);
} // b where one is NaN
BSPI_INLINE f8 f8_max(f8 a, f8 b) {
    return _mm256_max_ps(a, b);
}
BSPI_INLINE m8 f8_gt(f8 a, f8 b) {
    return _mm256_cmp_ps(a, b, _CMP_GT_OQ);
}
BSPI_INLINE m8 f8_ge(f8 a, f8 b) {
    return _mm256_cmp_ps(a, b, _CMP_GE_OQ);
}
BSPI_INLINE m8 f8_eq(f8 a, f8 b) {
    return _mm256_cmp_ps(a, b, _CMP_EQ_OQ);
}
BSPI_INLINE m8 m8_and(m8 a, m8 b) {
    return _mm256_and_ps(a, b);
}
BSPI_INLINE m8 m8_or(m8 a, m8 b) {
    return _mm256_or_ps(a, b);
}
BSPI_INLINE m8 m8_andnot(m8 a, m8 b) {
    return _mm256_andnot_ps(b, a);
} // a and not b
BSPI_INLINE f8 f8_pick(m8 m, f8 a, f8 b) {
    return _mm256_blendv_ps(b, a, m);
}
BSPI_INLINE unsigned m8_bits(m8 m) {
    return (unsigned)_mm256_movemask_ps(m);
}
BSPI_INLINE void f8_store(float *p, f8 a) {
    _mm256_storeu_ps(p, a);
}

#elif defined(__SSE2__)
#include <emmintrin.h>
#define BSPI_INLINE __attribute__((always_inline)) static inline
#define BSPI_TARGET

typedef struct f8 {
    __m128 l, h;
} f8;
typedef f8 m8;

#define BSPI_TWO(name, op)                                                                         \
    BSPI_INLINE f8 name(f8 a, f8 b) {                                                              \
        return (f8){op(a.l, b.l), op(a.h, b.h)};                                                   \
    }
BSPI_TWO(f8_add, _mm_add_ps)
BSPI_TWO(f8_sub, _mm_sub_ps)
BSPI_TWO(f8_mul, _mm_mul_ps)
BSPI_TWO(f8_div, _mm_div_ps)
BSPI_TWO(f8_min, _mm_min_ps)
BSPI_TWO(f8_max, _mm_max_ps)
BSPI_TWO(f8_gt, _mm_cmpgt_ps)
BSPI_TWO(f8_ge, _mm_cmpge_ps)
BSPI_TWO(f8_eq, _mm_cmpeq_ps)
BSPI_TWO(m8_and, _mm_and_ps)
BSPI_TWO(m8_or, _mm_or_ps)
#undef BSPI_TWO
BSPI_INLINE f8 f8_load(const float *p) {
    return (f8){_mm_loadu_ps(p), _mm_loadu_ps(p + 4)};
}
BSPI_INLINE f8 f8_all(float x) {
    return (f8){_mm_set1_ps(x), _mm_set1_ps(x)};
}
BSPI_INLINE m8 m8_andnot(m8 a, m8 b) {
    return (m8){_mm_andnot_ps(b.l, a.l), _mm_andnot_ps(b.h, a.h)};
}
BSPI_INLINE f8 f8_pick(m8 m, f8 a, f8 b) {
    return m8_or(m8_and(m, a), m8_andnot(b, m));
}
BSPI_INLINE unsigned m8_bits(m8 m) {
    return (unsigned)_mm_movemask_ps(m.l) | (unsigned)_mm_movemask_ps(m.h) << 4;
}
BSPI_INLINE void f8_store(float *p, f8 a) {
    _mm_storeu_ps(p, a.l);
    _mm_storeu_ps(p + 4, a.h);
}

#else
#define BSPI_INLINE static inline
#define BSPI_TARGET

typedef struct f8 {
    float v[8];
} f8;
typedef struct m8 {
    bool v[8];
} m8;

#define BSPI_EACH(type, name, a_type, b_type, expression)                                          \
    BSPI_INLINE type name(a_type a, b_type b) {                                                    \
        type r;                                                                                    \
        for (int i = 0; i < 8; i++) {                                                              \
            r.v[i] = (expression);                                                                 \
        }                                                                                          \
        return r;                                                                                  \
    }
BSPI_EACH(f8, f8_add, f8, f8, a.v[i] + b.v[i])
BSPI_EACH(f8, f8_sub, f8, f8, a.v[i] - b.v[i])
BSPI_EACH(f8, f8_mul, f8, f8, a.v[i] * b.v[i])
BSPI_EACH(f8, f8_div, f8, f8, a.v[i] / b.v[i])
BSPI_EACH(f8, f8_min, f8, f8, a.v[i] < b.v[i] ? a.v[i] : b.v[i])
BSPI_EACH(f8, f8_max, f8, f8, a.v[i] > b.v[i] ? a.v[i] : b.v[i])
BSPI_EACH(m8, f8_gt, f8, f8, a.v[i] > b.v[i])
BSPI_EACH(m8, f8_ge, f8, f8, a.v[i] >= b.v[i])
BSPI_EACH(m8, f8_eq, f8, f8, a.v[i] == b.v[i])
BSPI_EACH(m8, m8_and, m8, m8, a.v[i] && b.v[i])
BSPI_EACH(m8, m8_or, m8, m8, a.v[i] || b.v[i])
BSPI_EACH(m8, m8_andnot, m8, m8, a.v[i] && !b.v[i])
#undef BSPI_EACH
BSPI_INLINE f8 f8_load(const float *p) {
    f8 r;
    for (int i = 0; i < 8; i++) {
        r.v[i] = p[i];
    }
    return r;
}
BSPI_INLINE f8 f8_all(float x) {
    f8 r;
    for (int i = 0; i < 8; i++) {
        r.v[i] = x;
    }
    return r;
}
BSPI_INLINE f8 f8_pick(m8 m, f8 a, f8 b) {
    f8 r;
    for (int i = 0; i < 8; i++) {
        r.v[i] = m.v[i] ? a.v[i] : b.v[i];
    }
    return r;
}
BSPI_INLINE unsigned m8_bits(m8 m) {
    unsigned bits = 0;
    for (int i = 0; i < 8; i++) {
        bits |= (unsigned)m.v[i] << i;
    }
    return bits;
}
BSPI_INLINE void f8_store(float *p, f8 a) {
    for (int i = 0; i < 8; i++) {
        p[i] = a.v[i];
    }
}
#endif

BSPI_INLINE float f8_most(f8 a) {
    float v[8];
    f8_store(v, a);
    float m = v[0];
    for (int i = 1; i < 8; i++) {
        m = v[i] > m ? v[i] : m;
    }
    return m;
}

BSPI_INLINE float f8_least(f8 a) {
    float v[8];
    f8_store(v, a);
    float m = v[0];
    for (int i = 1; i < 8; i++) {
        m = v[i] < m ? v[i] : m;
    }
    return m;
}

#endif
