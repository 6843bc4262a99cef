// SPDX-License-Identifier: MIT
// Eight floats at once, by extensions of the compiler: AVX2 where the including
// file sets BSPI_AVX2, SSE2 where the target has it, plain loops elsewhere. All give the same bits:
// no operation here fuses or reorders, but for f8_about. BSPI_APART functions are not inlined, so
// that their callers keep their registers.
#ifndef BSPI_SIMD_H
#define BSPI_SIMD_H

#include "core/fastest.h"
#include "query/collide.h"

#include <string.h>

// The key of an empty queue8: that of infinity, above the key of any other number.
#define BSPI_QUEUE_END 0x7F800000

#if defined(BSPI_AVX2)
#include <immintrin.h>
#define BSPI_INLINE __attribute__((target("avx2,fma,bmi"), always_inline)) static inline
#define BSPI_TARGET __attribute__((target("avx2,fma,bmi")))
#define BSPI_APART __attribute__((target("avx2,fma,bmi"), noinline)) static

typedef __m256 f8;
typedef __m256 m8;
typedef __m256i queue8;

BSPI_INLINE f8 f8_load(const float *p) {
    return _mm256_loadu_ps(p);
}
BSPI_INLINE f8 f8_six(const float p[3], const float q[3]) {
    return _mm256_setr_ps(p[0], p[1], p[2], q[0], q[1], q[2], 0, 0);
}
BSPI_INLINE f8 f8_pair(const float *low, const float *high) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(low)), _mm_loadu_ps(high), 1);
}
BSPI_INLINE f8 f8_from_u16(const uint16_t *p) {
    __m128i all = _mm_loadu_si128((const __m128i *)(const void *)p);
    return _mm256_cvtepi32_ps(_mm256_cvtepu16_epi32(all));
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
BSPI_INLINE f8 f8_lane(f8 a, int lane) {
    return _mm256_permutevar8x32_ps(a, _mm256_set1_epi32(lane));
}
BSPI_INLINE m8 m8_lacks(const uint32_t *flags, uint32_t mask) {
    __m256i all = _mm256_loadu_si256((const __m256i *)(const void *)flags);
    __m256i met = _mm256_and_si256(all, _mm256_set1_epi32((int32_t)mask));
    return _mm256_castsi256_ps(_mm256_cmpeq_epi32(met, _mm256_setzero_si256()));
}
BSPI_INLINE float f8_most(f8 a) {
    a = _mm256_max_ps(a, _mm256_permute2f128_ps(a, a, 1));
    a = _mm256_max_ps(a, _mm256_permute_ps(a, 0x4E));
    return _mm256_cvtss_f32(_mm256_max_ps(a, _mm256_permute_ps(a, 0xB1)));
}
BSPI_INLINE float f8_least(f8 a) {
    a = _mm256_min_ps(a, _mm256_permute2f128_ps(a, a, 1));
    a = _mm256_min_ps(a, _mm256_permute_ps(a, 0x4E));
    return _mm256_cvtss_f32(_mm256_min_ps(a, _mm256_permute_ps(a, 0xB1)));
}
BSPI_INLINE queue8 queue8_of(f8 a, m8 in) {
    __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    __m256i keys = _mm256_andnot_si256(_mm256_set1_epi32(7), _mm256_castps_si256(a));
    return _mm256_blendv_epi8(_mm256_set1_epi32(BSPI_QUEUE_END), _mm256_or_si256(keys, lanes),
                              _mm256_castps_si256(in));
}
BSPI_INLINE int32_t queue8_pop(queue8 *queue) {
    __m256i least = _mm256_min_epi32(*queue, _mm256_permute2x128_si256(*queue, *queue, 1));
    least = _mm256_min_epi32(least, _mm256_shuffle_epi32(least, 0x4E));
    least = _mm256_min_epi32(least, _mm256_shuffle_epi32(least, 0xB1));
    *queue = _mm256_blendv_epi8(*queue, _mm256_set1_epi32(BSPI_QUEUE_END),
                                _mm256_cmpeq_epi32(*queue, least));
    return _mm_cvtsi128_si32(_mm256_castsi256_si128(least));
}

// Returns a * b + c, rounded once or twice: for bounds only.
BSPI_INLINE f8 f8_about(f8 a, f8 b, f8 c) {
    return _mm256_fmadd_ps(a, b, c);
}

#elif defined(__SSE2__)
#include <emmintrin.h>
#define BSPI_INLINE __attribute__((always_inline)) static inline
#define BSPI_TARGET
#define BSPI_APART __attribute__((noinline)) static

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
BSPI_INLINE f8 f8_six(const float p[3], const float q[3]) {
    return (f8){_mm_setr_ps(p[0], p[1], p[2], q[0]), _mm_setr_ps(q[1], q[2], 0, 0)};
}
BSPI_INLINE f8 f8_pair(const float *low, const float *high) {
    return (f8){_mm_loadu_ps(low), _mm_loadu_ps(high)};
}
BSPI_INLINE f8 f8_from_u16(const uint16_t *p) {
    __m128i all = _mm_loadu_si128((const __m128i *)(const void *)p);
    __m128i zero = _mm_setzero_si128();
    return (f8){_mm_cvtepi32_ps(_mm_unpacklo_epi16(all, zero)),
                _mm_cvtepi32_ps(_mm_unpackhi_epi16(all, zero))};
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
BSPI_INLINE f8 f8_lane(f8 a, int lane) {
    float v[8];
    f8_store(v, a);
    return f8_all(v[lane]);
}
BSPI_INLINE __m128 f4_lacks(const uint32_t *flags, __m128i mask) {
    __m128i all = _mm_loadu_si128((const __m128i *)(const void *)flags);
    return _mm_castsi128_ps(_mm_cmpeq_epi32(_mm_and_si128(all, mask), _mm_setzero_si128()));
}
BSPI_INLINE m8 m8_lacks(const uint32_t *flags, uint32_t mask) {
    __m128i wanted = _mm_set1_epi32((int32_t)mask);
    return (m8){f4_lacks(flags, wanted), f4_lacks(flags + 4, wanted)};
}
BSPI_INLINE float f8_most(f8 a) {
    __m128 most = _mm_max_ps(a.l, a.h);
    most = _mm_max_ps(most, _mm_shuffle_ps(most, most, 0x4E));
    return _mm_cvtss_f32(_mm_max_ps(most, _mm_shuffle_ps(most, most, 0xB1)));
}
// Returns the minimum of all lanes.
BSPI_INLINE __m128 f4_least(f8 a) {
    __m128 least = _mm_min_ps(a.l, a.h);
    least = _mm_min_ps(least, _mm_shuffle_ps(least, least, 0x4E));
    return _mm_min_ps(least, _mm_shuffle_ps(least, least, 0xB1));
}
BSPI_INLINE float f8_least(f8 a) {
    return _mm_cvtss_f32(f4_least(a));
}

// Keys as floats: SSE2 has no integer minimum, and floats that are not negative have the same
// order.
typedef f8 queue8;

BSPI_INLINE __m128 f4_or_end(__m128 keys, __m128 in) {
    __m128 end = _mm_castsi128_ps(_mm_set1_epi32(BSPI_QUEUE_END));
    return _mm_or_ps(_mm_and_ps(in, keys), _mm_andnot_ps(in, end));
}
BSPI_INLINE queue8 queue8_of(f8 a, m8 in) {
    __m128 lane = _mm_castsi128_ps(_mm_set1_epi32(7));
    __m128 low = _mm_castsi128_ps(_mm_setr_epi32(0, 1, 2, 3));
    __m128 high = _mm_castsi128_ps(_mm_setr_epi32(4, 5, 6, 7));
    return (queue8){f4_or_end(_mm_or_ps(_mm_andnot_ps(lane, a.l), low), in.l),
                    f4_or_end(_mm_or_ps(_mm_andnot_ps(lane, a.h), high), in.h)};
}
BSPI_INLINE __m128 f4_differ(__m128 a, __m128 b) {
    __m128i same = _mm_cmpeq_epi32(_mm_castps_si128(a), _mm_castps_si128(b));
    return _mm_castsi128_ps(_mm_xor_si128(same, _mm_set1_epi32(-1)));
}
BSPI_INLINE int32_t queue8_pop(queue8 *queue) {
    __m128 least = f4_least(*queue);
    queue->l = f4_or_end(queue->l, f4_differ(queue->l, least));
    queue->h = f4_or_end(queue->h, f4_differ(queue->h, least));
    return _mm_cvtsi128_si32(_mm_castps_si128(least));
}

#else
#define BSPI_INLINE static inline
#define BSPI_TARGET
#define BSPI_APART static

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
BSPI_INLINE f8 f8_six(const float p[3], const float q[3]) {
    return (f8){{p[0], p[1], p[2], q[0], q[1], q[2], 0, 0}};
}
BSPI_INLINE f8 f8_pair(const float *low, const float *high) {
    f8 r;
    for (int i = 0; i < 8; i++) {
        r.v[i] = i < 4 ? low[i] : high[i - 4];
    }
    return r;
}
BSPI_INLINE f8 f8_from_u16(const uint16_t *p) {
    f8 r;
    for (int i = 0; i < 8; i++) {
        r.v[i] = (float)p[i];
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

// Eight small integers.
#if defined(BSPI_AVX2) || defined(__SSE2__)
typedef __m128i h8;

BSPI_INLINE h8 h8_load(const int16_t *p) {
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}
// Returns (p - origin) * scale as whole numbers from -32767 to 32767, a 0, the same with the other
// sign, and a 0.
BSPI_INLINE h8 h8_and_negative(const float origin[3], const float scale[3], const float p[3]) {
    __m128 at = _mm_sub_ps(_mm_setr_ps(p[0], p[1], p[2], 0),
                           _mm_setr_ps(origin[0], origin[1], origin[2], 0));
    at = _mm_mul_ps(at, _mm_setr_ps(scale[0], scale[1], scale[2], 0));
    at = _mm_max_ps(_mm_min_ps(at, _mm_set1_ps(32767)), _mm_set1_ps(-32767));
    __m128i whole = _mm_cvttps_epi32(at);
    return _mm_packs_epi32(whole, _mm_sub_epi32(_mm_setzero_si128(), whole));
}
BSPI_INLINE bool h8_any_gt(h8 a, h8 b) {
    return _mm_movemask_epi8(_mm_cmpgt_epi16(a, b)) != 0;
}
#else
typedef struct h8 {
    int16_t v[8];
} h8;

BSPI_INLINE h8 h8_load(const int16_t *p) {
    h8 r;
    memcpy(r.v, p, sizeof r.v);
    return r;
}
BSPI_INLINE h8 h8_and_negative(const float origin[3], const float scale[3], const float p[3]) {
    h8 r = {{0}};
    for (int i = 0; i < 3; i++) {
        float at = (p[i] - origin[i]) * scale[i];
        at = at > 32767 ? 32767 : at < -32767 ? -32767 : at;
        r.v[i] = (int16_t)at;
        r.v[4 + i] = (int16_t)-r.v[i];
    }
    return r;
}
BSPI_INLINE bool h8_any_gt(h8 a, h8 b) {
    bool any = false;
    for (int i = 0; i < 8; i++) {
        any = any || a.v[i] > b.v[i];
    }
    return any;
}
#endif

#if !defined(BSPI_AVX2)
BSPI_INLINE f8 f8_about(f8 a, f8 b, f8 c) {
    return f8_add(f8_mul(a, b), c);
}
#endif

#if !defined(BSPI_AVX2) && !defined(__SSE2__)
// Spreads the number of a lane over all.
BSPI_INLINE f8 f8_lane(f8 a, int lane) {
    return f8_all(a.v[lane]);
}

// Returns the lanes whose flags have no bit of the mask.
BSPI_INLINE m8 m8_lacks(const uint32_t *flags, uint32_t mask) {
    m8 lacks;
    for (int i = 0; i < 8; i++) {
        lacks.v[i] = (flags[i] & mask) == 0;
    }
    return lacks;
}

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

// Lanes sorted by their numbers, none of which is negative: each key is the bits of the number,
// with the lane in the lowest three bits.
typedef struct queue8 {
    int32_t keys[8];
} queue8;

BSPI_INLINE queue8 queue8_of(f8 a, m8 in) {
    queue8 queue;
    unsigned bits = m8_bits(in);
    float v[8];
    f8_store(v, a);
    memcpy(queue.keys, v, sizeof queue.keys);
    for (int i = 0; i < 8; i++) {
        queue.keys[i] = (bits >> i & 1) != 0 ? (queue.keys[i] & ~7) | i : BSPI_QUEUE_END;
    }
    return queue;
}

BSPI_INLINE int32_t queue8_pop(queue8 *queue) {
    int32_t least = queue->keys[0];
    for (int i = 1; i < 8; i++) {
        least = queue->keys[i] < least ? queue->keys[i] : least;
    }
    for (int i = 0; i < 8; i++) {
        queue->keys[i] = queue->keys[i] == least ? BSPI_QUEUE_END : queue->keys[i];
    }
    return least;
}
#endif

// Takes the lane with the lowest number. Returns false if there is none, or if it exceeds `limit`
// by more than those three bits.
BSPI_INLINE bool queue8_take(queue8 *queue, float limit, unsigned *lane) {
    int32_t key = queue8_pop(queue);
    *lane = (unsigned)key & 7;
    key &= ~7;
    float number;
    memcpy(&number, &key, sizeof number);
    return number <= limit;
}

#endif
