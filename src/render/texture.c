// SPDX-License-Identifier: MIT
// Pictures to sample from: mips by averaging, bilinear sampling.
#include "render/scene.h"

#include <math.h>
#include <string.h>

// One texel of a smaller mip: the average of the four (at odd edges, of those there are).
static void average(const bspi_mip *from, uint32_t x, uint32_t y, uint8_t out[4]) {
    uint32_t x1 = 2 * x + 1 < from->width ? 2 * x + 1 : from->width - 1;
    uint32_t y1 = 2 * y + 1 < from->height ? 2 * y + 1 : from->height - 1;
    uint32_t x0 = 2 * x < from->width ? 2 * x : from->width - 1;
    uint32_t y0 = 2 * y < from->height ? 2 * y : from->height - 1;
    const uint8_t *top = from->pixels + (size_t)y0 * from->width * 4;
    const uint8_t *low = from->pixels + (size_t)y1 * from->width * 4;
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t sum =
            (uint32_t)top[x0 * 4 + i] + top[x1 * 4 + i] + low[x0 * 4 + i] + low[x1 * 4 + i];
        out[i] = (uint8_t)((sum + 2) / 4);
    }
}

static bool halve(bspi_arena *arena, const bspi_mip *from, bspi_mip *to, bsp_error *error) {
    to->width = from->width > 1 ? from->width / 2 : 1;
    to->height = from->height > 1 ? from->height / 2 : 1;
    uint8_t *pixels = bspi_arena_raw(arena, (size_t)to->width * to->height, 4, error);
    if (pixels == NULL) {
        return false;
    }
    for (uint32_t y = 0; y < to->height; y++) {
        for (uint32_t x = 0; x < to->width; x++) {
            average(from, x, y, pixels + ((size_t)y * to->width + x) * 4);
        }
    }
    to->pixels = pixels;
    return true;
}

bool bspi_texture_build(bspi_arena *arena, const bsp_image *image, bspi_texture *out,
                        bsp_error *error) {
    size_t size = (size_t)image->width * image->height;
    uint8_t *pixels = bspi_arena_raw(arena, size, 4, error);
    if (pixels == NULL) {
        return false;
    }
    memcpy(pixels, image->pixels, size * 4);
    bspi_mip whole = {pixels, image->width, image->height};
    out->mips[0] = whole;
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

// A texel coordinate, brought into the picture.
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
    const uint8_t *a = mip->pixels + ((size_t)y0 * mip->width + x0) * 4;
    const uint8_t *b = mip->pixels + ((size_t)y0 * mip->width + x1) * 4;
    const uint8_t *c = mip->pixels + ((size_t)y1 * mip->width + x0) * 4;
    const uint8_t *d = mip->pixels + ((size_t)y1 * mip->width + x1) * 4;
    for (int i = 0; i < 4; i++) {
        float upper = (float)a[i] + ((float)b[i] - (float)a[i]) * fx;
        float lower = (float)c[i] + ((float)d[i] - (float)c[i]) * fx;
        out[i] = upper + (lower - upper) * fy;
    }
}
