// SPDX-License-Identifier: MIT
// Eight texels of a texture at once. A file for each instruction set includes this; colours are
// integers from the texel on, so that all instruction sets give the same bits.
#ifndef BSPI_TEXEL_LANES_H
#define BSPI_TEXEL_LANES_H

#include "core/lane_colors.h"
#include "render/raster.h"

// Texture coordinates are limited to this; a texture that repeats more often cannot be seen anyway.
#define MOST_REPEATS 65536.0F

// The first of the two texels around a coordinate on one axis, and the weight of the second, of
// 256.
typedef struct tap {
    i8 first;
    i8 part;
} tap;

BSPI_LANES f8 floor8(f8 a) { // for values that fit an integer
    f8 whole = i8_to_float(f8_to_int(a));
    return whole + i8_to_float(whole > a); // a mask that is set is -1
}

BSPI_LANES tap tap_of(f8 at, uint32_t size, bool clamp) {
    int32_t last = (int32_t)size - 1;
    if (clamp) {
        at = f8_clamp(at, 0, 1);
    } else {
        at = f8_clamp(at, -MOST_REPEATS, MOST_REPEATS);
        at -= floor8(at);
    }
    // Half a texel back, and one forward so that no value is negative.
    i8 place = f8_to_int(at * f8_all((float)size * 256) + f8_all(128));
    i8 first = (place >> 8) - 1;
    i8 part = place & 255;
    i8 before = first < i8_all(0);
    if (clamp) { // only the outermost texels, in their outer halves
        i8 outer = before | (first >= i8_all(last));
        first = i8_pick(first > i8_all(last), i8_all(last), first & ~before);
        return (tap){first, part & ~outer};
    }
    return (tap){i8_pick(before, i8_all(last), first), part};
}

BSPI_LANES color8 sample(const bspi_mip *mip, f8 u, f8 v, bool clamp) {
    tap x = tap_of(u, mip->width, clamp);
    tap y = tap_of(v, mip->height, clamp);
    size_t row = (size_t)mip->pitch * 4;
    uint32_t at[8];
    i8_store(at, y.first * (int32_t)mip->pitch + x.first);
    pairs8 upper = gather(mip->pixels, at);
    pairs8 lower = gather(mip->pixels + row, at);
    color8 a = color8_of(upper.left);
    color8 b = color8_of(upper.right);
    color8 c = color8_of(lower.left);
    color8 d = color8_of(lower.right);
    u16x16 fx = (u16x16)(x.part | x.part << 16);
    u16x16 fy = (u16x16)(y.part | y.part << 16);
    u16x16 gx = 256 - fx;
    u16x16 gy = 256 - fy;
    return (color8){
        mix256(mix256(a.rb, b.rb, fx, gx), mix256(c.rb, d.rb, fx, gx), fy, gy),
        mix256(mix256(a.ga, b.ga, fx, gx), mix256(c.ga, d.ga, fx, gx), fy, gy),
    };
}

// Picks the mip whose texels are about as large as a pixel, by how fast the coordinates change.
static const bspi_mip *pick_mip(const bspi_triangle *t, const bspi_texture *texture, float u,
                                float v, float w, float repeats) {
    const bspi_mip *whole = &texture->chain.mips[0];
    float width = w * repeats * (float)whole->width;
    float height = w * repeats * (float)whole->height;
    float du_dx = (t->dx[BSPI_U] - u * t->dx[BSPI_OVER_W]) * width;
    float dv_dx = (t->dx[BSPI_V] - v * t->dx[BSPI_OVER_W]) * height;
    float du_dy = (t->dy[BSPI_U] - u * t->dy[BSPI_OVER_W]) * width;
    float dv_dy = (t->dy[BSPI_V] - v * t->dy[BSPI_OVER_W]) * height;
    float across = du_dx * du_dx + dv_dx * dv_dx;
    float down = du_dy * du_dy + dv_dy * dv_dy;
    float most = across > down ? across : down;
    uint32_t level = 0;
    for (; most > 2 && level + 1 < texture->chain.count;
         most *= 0.25F) { // sqrt(2) texels per pixel
        level++;
    }
    return &texture->chain.mips[level];
}

#endif
