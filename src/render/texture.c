// SPDX-License-Identifier: MIT
// Images to sample from: mips by averaging, bilinear sampling.
#include "render/renderer.h"

#include <math.h>
#include <string.h>

// Allocates a mip with its repeated texels. NULL without memory.
static uint8_t *new_mip(bspi_arena *arena, uint32_t width, uint32_t height, bspi_mip *out,
                        bsp_error *error) {
    size_t count = ((size_t)width + 1) * ((size_t)height + 1);
    uint8_t *pixels =
        bspi_heap_work(arena->heap, count, error) ? bspi_arena_raw(arena, count, 4, error) : NULL;
    *out = (bspi_mip){pixels, width, height};
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

// Computes a texel of a smaller mip: the average of four (at odd edges, of those that exist).
static void average(const bspi_mip *from, uint32_t x, uint32_t y, uint8_t out[4]) {
    uint32_t x1 = 2 * x + 1 < from->width ? 2 * x + 1 : from->width - 1;
    uint32_t y1 = 2 * y + 1 < from->height ? 2 * y + 1 : from->height - 1;
    uint32_t x0 = 2 * x < from->width ? 2 * x : from->width - 1;
    uint32_t y0 = 2 * y < from->height ? 2 * y : from->height - 1;
    const uint8_t *top = from->pixels + (size_t)y0 * bspi_mip_pitch(from) * 4;
    const uint8_t *low = from->pixels + (size_t)y1 * bspi_mip_pitch(from) * 4;
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t sum =
            (uint32_t)top[x0 * 4 + i] + top[x1 * 4 + i] + low[x0 * 4 + i] + low[x1 * 4 + i];
        out[i] = (uint8_t)((sum + 2) / 4);
    }
}

static bool halve(bspi_arena *arena, const bspi_mip *from, bspi_mip *to, bsp_error *error) {
    uint32_t width = from->width > 1 ? from->width / 2 : 1;
    uint32_t height = from->height > 1 ? from->height / 2 : 1;
    uint8_t *pixels = new_mip(arena, width, height, to, error);
    if (pixels == NULL) {
        return false;
    }
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            average(from, x, y, pixels + ((size_t)y * bspi_mip_pitch(to) + x) * 4);
        }
    }
    repeat_first(pixels, width, height);
    return true;
}

bool bspi_texture_build(bspi_arena *arena, const bsp_image *image, bspi_texture *out,
                        bsp_error *error) {
    if (!bspi_mip_copy(arena, image->pixels, image->width, image->height, &out->mips[0], error)) {
        return false;
    }
    out->num_mips = 1;
    const bspi_mip *last = &out->mips[0];
    while (out->num_mips < BSPI_MAX_MIPS && (last->width > 1 || last->height > 1)) {
        if (!halve(arena, last, &out->mips[out->num_mips], error)) {
            return false;
        }
        last = &out->mips[out->num_mips++];
    }
    return true;
}

// Wraps or clamps a texel coordinate to the image.
static uint32_t wrap(float at, uint32_t size, bool clamp) {
    if (clamp) {
        return at <= 0 ? 0 : at >= (float)(size - 1) ? size - 1 : (uint32_t)at;
    }
    float turns = at - floorf(at / (float)size) * (float)size;
    uint32_t index = turns > 0 ? (uint32_t)turns : 0;
    return index < size ? index : 0; // rounding may reach the end; NaN gives 0
}

void bspi_sample(const bspi_mip *mip, float u, float v, bool clamp, float out[4]) {
    float x = u * (float)mip->width - 0.5F;
    float y = v * (float)mip->height - 0.5F;
    float left = floorf(x);
    float top = floorf(y);
    float fx = x - left;
    float fy = y - top;
    uint32_t x0 = wrap(left, mip->width, clamp);
    uint32_t x1 = wrap(left + 1, mip->width, clamp);
    uint32_t y0 = wrap(top, mip->height, clamp);
    uint32_t y1 = wrap(top + 1, mip->height, clamp);
    const uint8_t *a = mip->pixels + ((size_t)y0 * bspi_mip_pitch(mip) + x0) * 4;
    const uint8_t *b = mip->pixels + ((size_t)y0 * bspi_mip_pitch(mip) + x1) * 4;
    const uint8_t *c = mip->pixels + ((size_t)y1 * bspi_mip_pitch(mip) + x0) * 4;
    const uint8_t *d = mip->pixels + ((size_t)y1 * bspi_mip_pitch(mip) + x1) * 4;
    for (int i = 0; i < 4; i++) {
        float upper = (float)a[i] + ((float)b[i] - (float)a[i]) * fx;
        float lower = (float)c[i] + ((float)d[i] - (float)c[i]) * fx;
        out[i] = upper + (lower - upper) * fy;
    }
}
