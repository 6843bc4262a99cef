// SPDX-License-Identifier: MIT
// The colours of eight pixels of a triangle: texture, light, fog, and what they are blended over.
#ifndef BSPI_SHADE_LANES_H
#define BSPI_SHADE_LANES_H

#include "mesh/bump.h"
#include "render/texel_lanes.h"

#define WARP 8.0F          // texels
#define WARP_RATE 0.125F   // radians a texel
#define TURNS 0.159154943F // turns a radian

// The values of a triangle along a row.
typedef struct row {
    float at[BSPI_VALUES]; // at pixel `left` of the triangle
} row;

BSPI_LANES f8 along(const bspi_triangle *t, const row *r, int value, f8 x) {
    return f8_all(r->at[value]) + f8_all(t->dx[value]) * x;
}

BSPI_LANES color8 light_up(color8 c, color8 light) {
    // 128 of 255 on a light page is a factor of 1 (BSPI_LIGHT_RANGE).
    u16x16 green_only = (u16x16)i8_all(0x0000FFFF);
    u16x16 rb = saturate((c.rb * light.rb + 64) >> 7);
    u16x16 ga = saturate((c.ga * light.ga + 64) >> 7);
    return (color8){rb, (ga & green_only) | (c.ga & ~green_only)};
}

BSPI_LANES i8 byte_of(f8 value) {
    return f8_to_int(f8_clamp(value, 0, 1) * f8_all(255) + f8_all(0.5F));
}

BSPI_LANES color8 light_by_vertex(const bspi_triangle *t, const row *r, f8 x, f8 w, color8 c) {
    i8 red = byte_of(along(t, r, BSPI_RED, x) * w);
    i8 green = byte_of(along(t, r, BSPI_GREEN, x) * w);
    i8 blue = byte_of(along(t, r, BSPI_BLUE, x) * w);
    i8 opaque = i8_all(255 << 16);
    return (color8){over255(c.rb * (u16x16)(red | blue << 16)),
                    over255(c.ga * (u16x16)(green | opaque))};
}

// Mixes `c` and another texture by a value of the vertices.
BSPI_LANES color8 mix_in(const bspi_triangle *t, const bspi_texture *texture, int value,
                         const row *r, f8 x, f8 place[3], int first, color8 c) {
    f8 u = place[0];
    f8 v = place[1];
    f8 w = place[2];
    i8 part = byte_of(along(t, r, value, x) * w);
    u16x16 alpha = (u16x16)(part | part << 16);
    u16x16 rest = 255 - alpha;
    float repeats = texture->repeats;
    f8 times = f8_all(repeats);
    const bspi_mip *mip = pick_mip(t, texture, u[first], v[first], w[first], repeats);
    color8 d = sample(mip, u * times, v * times, false);
    return (color8){over255(c.rb * rest + d.rb * alpha), over255(c.ga * rest + d.ga * alpha)};
}

// Returns about the sine of an angle in turns: two parabolas.
BSPI_LANES f8 sine(f8 turns) {
    f8 t = turns - floor8(turns);
    i8 later = t >= f8_all(0.5F);
    f8 half = t - f8_pick(later, f8_all(0.5F), f8_all(0));
    f8 arc = half * (f8_all(0.5F) - half) * f8_all(16);
    return f8_pick(later, -arc, arc);
}

// Mixes the light of three directions by a normal map, in the weights of the engine's shaders: the
// squares of the cosines between the normal and each direction (bumpvects.h of the SDK).
BSPI_LANES color8 bump_light(const bspi_paint *paint, color8 normal, f8 u, f8 v) {
    i8 low = i8_all(0xFFFF);
    f8 xyz[3] = {i8_to_float((i8)normal.rb & low), i8_to_float((i8)normal.ga & low),
                 i8_to_float((i8)(normal.rb) >> 16 & low)};
    f8 parts[3];
    f8 sum = f8_all(0);
    for (int i = 0; i < 3; i++) {
        f8 along = f8_all(0);
        for (int axis = 0; axis < 3; axis++) {
            along += (xyz[axis] * f8_all(2.0F / 255) - f8_all(1)) *
                     f8_all(bspi_bump_directions[i][axis]);
        }
        along = f8_clamp(along, 0, 2);
        parts[i] = paint->bump->self_shadowed ? xyz[i] * f8_all(1.0F / 255) : along * along;
        sum += parts[i];
    }
    f8 scale = paint->bump->self_shadowed ? f8_all(256) : f8_all(256) / (sum + f8_all(1e-6F));
    color8 light = color8_of(i8_all(0));
    for (int i = 0; i < 3; i++) {
        i8 part = f8_to_int(f8_clamp(parts[i] * scale, 0, 256));
        u16x16 weight = (u16x16)(part | part << 16);
        color8 from = sample(paint->directions[i], u, v, true);
        light.rb += (from.rb * weight) >> 8;
        light.ga += (from.ga * weight) >> 8;
    }
    return (color8){saturate(light.rb), saturate(light.ga)};
}

// Moves coordinates as Quake's liquids do (gl_warp.c, EmitWaterPolys): 8 texels to and fro, by a
// sine of the other coordinate of which an eighth of a texel is a radian.
BSPI_LANES void warp(const bspi_paint *paint, f8 *u, f8 *v) {
    const bspi_mip *whole = &paint->texture->chain.mips[0];
    float width = (float)whole->width;
    float height = (float)whole->height;
    f8 time = f8_all(paint->warp_time * TURNS);
    f8 from_u = f8_clamp(*u, -MOST_REPEATS, MOST_REPEATS);
    f8 from_v = f8_clamp(*v, -MOST_REPEATS, MOST_REPEATS);
    *u = from_u + sine(from_v * f8_all(height * WARP_RATE * TURNS) + time) * f8_all(WARP / width);
    *v = from_v + sine(from_u * f8_all(width * WARP_RATE * TURNS) + time) * f8_all(WARP / height);
}

// Computes the colours of eight pixels; holes are removed from `seen`.
BSPI_LANES color8 shade(const bspi_triangle *t, const bspi_paint *paint, const row *r, f8 x,
                        i8 *seen) {
    const bspi_texture *texture = paint->texture;
    f8 w = 1 / along(t, r, BSPI_OVER_W, x);
    f8 u = along(t, r, BSPI_U, x) * w;
    f8 v = along(t, r, BSPI_V, x) * w;
    if (paint->warps) {
        warp(paint, &u, &v);
    }
    int bump_lane = paint->bump != NULL ? __builtin_ctz(i8_bits(*seen)) : 0;
    const bspi_mip *mip = &texture->chain.mips[0];
    if (texture->chain.count > 1) {
        int first = __builtin_ctz(i8_bits(*seen));
        mip = pick_mip(t, texture, u[first], v[first], w[first], 1);
    }
    color8 c = sample(mip, u, v, texture->clamp);
    if (paint->second != NULL) {
        f8 place[3] = {u, v, w};
        int first = __builtin_ctz(i8_bits(*seen));
        c = mix_in(t, paint->second, BSPI_ALPHA, r, x, place, first, c);
        for (uint32_t i = 0; i < BSPI_LAYERS; i++) {
            if (paint->layers[i] != NULL) {
                c = mix_in(t, paint->layers[i], BSPI_RED + (int)i, r, x, place, first, c);
            }
        }
    }
    if (texture->alpha == BSP_ALPHA_TEST) {
        *seen &= (i8)(c.ga >> 0) >> 16 >= i8_all(paint->cut);
    }
    if (paint->light != NULL) {
        f8 light_u = along(t, r, BSPI_LIGHT_U, x) * w;
        f8 light_v = along(t, r, BSPI_LIGHT_V, x) * w;
        if (paint->bump == NULL) {
            c = light_up(c, sample(paint->light, light_u, light_v, true));
        } else {
            int lane = bump_lane;
            color8 n = sample(pick_mip(t, paint->bump, u[lane], v[lane], w[lane], 1), u, v,
                              texture->clamp);
            c = light_up(c, bump_light(paint, n, light_u, light_v));
        }
    } else if (paint->vertex_lit) {
        c = light_by_vertex(t, r, x, w, c);
    }
    return c;
}

// Computes how much of eight pixels, of 255, fog covers: by the part of the way to them that lies
// in it. `w` is their depth, `x` and `y` their place in the picture.
BSPI_LANES i8 haze_amount(const bspi_haze *haze, f8 w, i8 x, uint32_t y) {
    f8 way = w;
    if (haze->bounded) {
        f8 eye = f8_all(haze->eye);
        f8 rate =
            f8_all(haze->base + haze->down * (float)y) + f8_all(haze->across) * i8_to_float(x);
        f8 at = eye + rate * w;
        f8 part = haze->eye >= 0 ? f8_pick(at < f8_all(0), at / (at - eye), f8_all(0))
                                 : f8_pick(at > f8_all(0), eye / (eye - at), f8_all(1));
        way = w * part;
    }
    f8 step = f8_clamp(way * f8_all(haze->fog->scale), 0, (float)(BSPI_FOG_STEPS - 1));
    i8 at = f8_to_int(step);
    i8 amount = at;
    for (int i = 0; i < 8; i++) {
        amount[i] = haze->fog->amounts[at[i]];
    }
    return amount;
}

// Mixes the colours of eight pixels with that of fog; their alpha stays.
BSPI_LANES color8 add_haze(const bspi_paint *paint, color8 c, i8 amount) {
    u16x16 part = (u16x16)(amount | amount << 16);
    u16x16 rest = 255 - part;
    u16x16 green_only = (u16x16)i8_all(0x0000FFFF);
    const uint8_t *color = paint->haze_color;
    u16x16 rb = (u16x16)i8_all(color[0] | color[2] << 16);
    u16x16 ga = (u16x16)i8_all(color[1]);
    u16x16 green = over255(c.ga * rest + ga * part);
    return (color8){over255(c.rb * rest + rb * part), (green & green_only) | (c.ga & ~green_only)};
}

// Blends `c` over the colour `below`.
BSPI_LANES color8 blend(const bspi_paint *paint, color8 c, color8 below) {
    if (paint->add) {
        u16x16 part = (u16x16)i8_all((int32_t)(paint->opacity * 0x10001u));
        return (color8){saturate(below.rb + over255(c.rb * part)),
                        saturate(below.ga + over255(c.ga * part))};
    }
    if (paint->texture->alpha == BSP_ALPHA_ADD) {
        return (color8){saturate(below.rb + c.rb), saturate(below.ga + c.ga)};
    }
    if (paint->texture->alpha == BSP_ALPHA_FILTER) {
        return (color8){over255(below.rb * c.rb), over255(below.ga * c.ga)};
    }
    u16x16 alpha = (u16x16)i8_all((int32_t)(paint->opacity * 0x10001u));
    if (paint->texture->alpha == BSP_ALPHA_BLEND) {
        i8 own = (i8)c.ga >> 16;
        alpha = over255(alpha * (u16x16)(own | own << 16));
    }
    u16x16 rest = 255 - alpha;
    return (color8){over255(c.rb * alpha + below.rb * rest),
                    over255(c.ga * alpha + below.ga * rest)};
}

#endif
