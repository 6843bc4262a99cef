// SPDX-License-Identifier: MIT
// Mips by averaging, and bilinear sampling.
#include "asset/image/mip_chain.h"

#include <math.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#define MOST_REPEATS 1e6F // beyond it a coordinate has no place in a texel

// --- mips ---------------------------------------------------------------------------------------

// Allocates a mip with its repeated texels. NULL without memory.
static uint8_t *new_mip(bspi_arena *arena, uint32_t width, uint32_t height, bspi_mip *out,
                        bsp_error *error) {
    size_t count = ((size_t)width + 1) * ((size_t)height + 1);
    uint8_t *pixels =
        bspi_heap_work(arena->heap, count, error) ? bspi_arena_raw(arena, count, 4, error) : NULL;
    *out = (bspi_mip){pixels, width, height, width + 1};
    return pixels;
}

// Repeats the first texel after each row, and the first row after the last.
static void repeat_first(uint8_t *pixels, uint32_t width, uint32_t height) {
    size_t row = ((size_t)width + 1) * 4;
    for (uint32_t y = 0; y < height; y++) {
        memcpy(pixels + y * row + (size_t)width * 4, pixels + y * row, 4);
    }
    memcpy(pixels + height * row, pixels, row);
}

bool bspi_mip_copy(bspi_arena *arena, const uint8_t *pixels, uint32_t width, uint32_t height,
                   bspi_mip *out, bsp_error *error) {
    uint8_t *copy = new_mip(arena, width, height, out, error);
    if (copy == NULL) {
        return false;
    }
    size_t row = (size_t)width * 4;
    for (uint32_t y = 0; y < height; y++) {
        memcpy(copy + y * (row + 4), pixels + y * row, row);
    }
    repeat_first(copy, width, height);
    return true;
}

// Computes one texel of a smaller mip: the average of the four (at odd edges, of those there are).
static void average(const bspi_mip *from, uint32_t x, uint32_t y, uint8_t out[4]) {
    uint32_t x1 = 2 * x + 1 < from->width ? 2 * x + 1 : from->width - 1;
    uint32_t y1 = 2 * y + 1 < from->height ? 2 * y + 1 : from->height - 1;
    uint32_t x0 = 2 * x < from->width ? 2 * x : from->width - 1;
    uint32_t y0 = 2 * y < from->height ? 2 * y : from->height - 1;
    const uint8_t *top = from->pixels + (size_t)y0 * from->pitch * 4;
    const uint8_t *low = from->pixels + (size_t)y1 * from->pitch * 4;
    for (size_t i = 0; i < 4; i++) {
        uint32_t sum = (uint32_t)top[(size_t)x0 * 4 + i] + top[(size_t)x1 * 4 + i] +
                       low[(size_t)x0 * 4 + i] + low[(size_t)x1 * 4 + i];
        out[i] = (uint8_t)((sum + 2) / 4);
    }
}

// Averages two rows of at least two texels: a word holds two texels, whose channels are added in
// every second byte.
static void average_rows(const uint8_t *top, const uint8_t *low, uint32_t width, uint8_t *out) {
    const uint64_t even = 0x00FF00FF00FF00FFu;
    for (size_t x = 0; x < width; x++) {
        uint64_t a;
        uint64_t b;
        memcpy(&a, top + 8 * x, sizeof a);
        memcpy(&b, low + 8 * x, sizeof b);
        uint64_t first = (a & even) + (b & even);
        uint64_t second = (a >> 8 & even) + (b >> 8 & even);
        uint32_t sums[2] = {(uint32_t)(first + (first >> 32)), (uint32_t)(second + (second >> 32))};
        uint32_t texel = ((sums[0] + 0x00020002u) >> 2 & 0x00FF00FFu) |
                         ((sums[1] + 0x00020002u) >> 2 & 0x00FF00FFu) << 8;
        memcpy(out + 4 * x, &texel, sizeof texel);
    }
}

static bool halve(bspi_arena *arena, const bspi_mip *from, bspi_mip *to, bsp_error *error) {
    uint32_t width = from->width > 1 ? from->width / 2 : 1;
    uint32_t height = from->height > 1 ? from->height / 2 : 1;
    uint8_t *pixels = new_mip(arena, width, height, to, error);
    if (pixels == NULL) {
        return false;
    }
    bool both = from->width > 1 && from->height > 1; // else a texel has one neighbour or none
    for (uint32_t y = 0; y < height; y++) {
        const uint8_t *top = from->pixels + (size_t)2 * y * from->pitch * 4;
        if (both) {
            average_rows(top, top + (size_t)from->pitch * 4, width,
                         pixels + (size_t)y * to->pitch * 4);
        }
        for (uint32_t x = 0; !both && x < width; x++) {
            average(from, x, y, pixels + ((size_t)y * to->pitch + x) * 4);
        }
    }
    repeat_first(pixels, width, height);
    return true;
}

// The largest mip that is at most `most` texels wide and high; those above it are in `scratch`.
static bool build_first(bspi_arena *arena, bspi_arena *scratch, const bsp_image *image,
                        uint32_t most, bspi_mip *out, bsp_error *error) {
    bspi_mip now = {image->pixels, image->width, image->height, image->width};
    if (now.width <= most && now.height <= most) {
        return bspi_mip_copy(arena, now.pixels, now.width, now.height, out, error);
    }
    while (now.width / 2 > most || now.height / 2 > most) {
        bspi_mip next;
        if (!halve(scratch, &now, &next, error)) {
            return false;
        }
        now = next;
    }
    return halve(arena, &now, out, error);
}

bool bspi_mip_chain_build(bspi_arena *arena, const bsp_image *image, uint32_t most,
                          bspi_mip_chain *out, bsp_error *error) {
    bspi_arena scratch;
    bspi_arena_init(&scratch, arena->heap);
    bool done = build_first(arena, &scratch, image, most, &out->mips[0], error);
    bspi_arena_free(&scratch);
    out->count = done;
    while (done && out->count < BSPI_MAX_MIPS) {
        const bspi_mip *last = &out->mips[out->count - 1];
        if (last->width == 1 && last->height == 1) {
            break;
        }
        done = halve(arena, last, &out->mips[out->count], error);
        out->count += done;
    }
    return done;
}

// --- sampling -----------------------------------------------------------------------------------

// The two texels around a coordinate on one axis, and the part of the second.
typedef struct tap {
    uint32_t at[2];
    float part;
} tap;

static uint32_t clamp_texel(float at, uint32_t size) {
    return at > 0 ? (at < (float)(size - 1) ? (uint32_t)at : size - 1) : 0;
}

static tap tap_clamped(float place, uint32_t size) {
    float near = fminf(fmaxf(place, -1), 2); // NaN gives -1
    float at = near * (float)size - 0.5F;
    float low = floorf(at);
    return (tap){{clamp_texel(low, size), clamp_texel(low + 1, size)}, at - low};
}

#if defined(__SSE2__)
// The four channels at once; the same operations in the same order as below.
static __m128 load_texel(const uint8_t *p) {
    int32_t bytes;
    memcpy(&bytes, p, sizeof bytes);
    __m128i zero = _mm_setzero_si128();
    __m128i words = _mm_unpacklo_epi8(_mm_cvtsi32_si128(bytes), zero);
    return _mm_cvtepi32_ps(_mm_unpacklo_epi16(words, zero));
}

static __m128 mix(__m128 a, __m128 b, __m128 part) {
    return _mm_add_ps(a, _mm_mul_ps(_mm_sub_ps(b, a), part));
}

static inline void blend(const bspi_mip *mip, const tap *x, const tap *y, float out[4]) {
    const uint8_t *top = mip->pixels + 4 * (size_t)mip->pitch * y->at[0];
    const uint8_t *low = mip->pixels + 4 * (size_t)mip->pitch * y->at[1];
    size_t left = 4 * (size_t)x->at[0];
    size_t right = 4 * (size_t)x->at[1];
    __m128 across = _mm_set1_ps(x->part);
    __m128 first = mix(load_texel(top + left), load_texel(top + right), across);
    __m128 second = mix(load_texel(low + left), load_texel(low + right), across);
    _mm_storeu_ps(out, mix(first, second, _mm_set1_ps(y->part)));
}

// Takes off the whole part of numbers of 0 or more, which are small.
static __m128 fraction(__m128 x) {
    return _mm_sub_ps(x, _mm_cvtepi32_ps(_mm_cvttps_epi32(x)));
}

// Both axes at once, as tap_repeated has them.
static void sample_repeated(const bspi_mip *mip, const float uv[2], float out[4]) {
    __m128 place = _mm_setr_ps(uv[0], uv[1], 0, 0);
    __m128i sizes = _mm_setr_epi32((int32_t)mip->width, (int32_t)mip->height, 1, 1);
    __m128 size = _mm_cvtepi32_ps(sizes);
    __m128 known = _mm_and_ps(_mm_cmpgt_ps(place, _mm_set1_ps(-MOST_REPEATS)),
                              _mm_cmplt_ps(place, _mm_set1_ps(MOST_REPEATS)));
    __m128 near = _mm_add_ps(fraction(_mm_and_ps(place, known)), _mm_set1_ps(2));
    __m128 at = _mm_sub_ps(_mm_mul_ps(near, size), _mm_set1_ps(0.5F));
    __m128i texel = _mm_cvttps_epi32(at);
    for (int i = 0; i < 2; i++) {
        texel = _mm_sub_epi32(texel, _mm_andnot_si128(_mm_cmplt_epi32(texel, sizes), sizes));
    }
    __m128i next = _mm_add_epi32(texel, _mm_set1_epi32(1));
    next = _mm_and_si128(next, _mm_cmplt_epi32(next, sizes));
    uint32_t first[4];
    uint32_t second[4];
    float part[4];
    _mm_storeu_si128((__m128i *)(void *)first, texel);
    _mm_storeu_si128((__m128i *)(void *)second, next);
    _mm_storeu_ps(part, fraction(at));
    const tap x = {{first[0], second[0]}, part[0]};
    const tap y = {{first[1], second[1]}, part[1]};
    blend(mip, &x, &y, out);
}
#else
static inline void blend(const bspi_mip *mip, const tap *x, const tap *y, float out[4]) {
    for (size_t i = 0; i < 4; i++) {
        float rows[2];
        for (int r = 0; r < 2; r++) {
            const uint8_t *row = mip->pixels + 4 * (size_t)mip->pitch * y->at[r];
            float left = row[4 * (size_t)x->at[0] + i];
            float right = row[4 * (size_t)x->at[1] + i];
            rows[r] = left + (right - left) * x->part;
        }
        out[i] = rows[0] + (rows[1] - rows[0]) * y->part;
    }
}

// Whole repeats are taken off, and two put on: nothing is negative then. Texel and part come from
// one number, so that both are on the same side of a texel's centre, however it is rounded.
static tap tap_repeated(float place, uint32_t size) {
    float near = place > -MOST_REPEATS && place < MOST_REPEATS ? place : 0;
    float at = (near - (float)(int32_t)near + 2) * (float)size - 0.5F;
    uint32_t texel = (uint32_t)at;
    float part = at - (float)(int32_t)at;
    for (int i = 0; i < 2; i++) {
        texel -= texel < size ? 0 : size;
    }
    return (tap){{texel, texel + 1 < size ? texel + 1 : 0}, part};
}

static void sample_repeated(const bspi_mip *mip, const float uv[2], float out[4]) {
    tap x = tap_repeated(uv[0], mip->width);
    tap y = tap_repeated(uv[1], mip->height);
    blend(mip, &x, &y, out);
}
#endif

void bspi_mip_sample(const bspi_mip *mip, const float uv[2], bool clamp, float out[4]) {
    if (!clamp) {
        sample_repeated(mip, uv, out);
        return;
    }
    tap x = tap_clamped(uv[0], mip->width);
    tap y = tap_clamped(uv[1], mip->height);
    blend(mip, &x, &y, out);
}
