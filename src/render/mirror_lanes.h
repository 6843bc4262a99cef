// SPDX-License-Identifier: MIT
// What eight pixels of a triangle mirror of a cubemap.
#ifndef BSPI_MIRROR_LANES_H
#define BSPI_MIRROR_LANES_H

#include "render/shade_lanes.h"

#include <math.h>

// How much of each colour eight pixels mirror, 0..1; holes are removed from `seen`.
BSPI_LANES void mirror_parts(const bspi_triangle *t, const bspi_paint *paint, const row *r, f8 x,
                             i8 *seen, f8 parts[3]) {
    const bspi_texture *texture = paint->texture;
    const bspi_texture *mask = paint->shine->mask;
    f8 w = 1 / along(t, r, BSPI_OVER_W, x);
    f8 u = along(t, r, BSPI_U, x) * w;
    f8 v = along(t, r, BSPI_V, x) * w;
    int lane = __builtin_ctz(i8_bits(*seen));
    f8 all = f8_all((float)paint->opacity / 255);
    if (texture->alpha == BSP_ALPHA_TEST || texture->alpha == BSP_ALPHA_BLEND) {
        color8 c = sample(pick_mip(t, texture, u[lane], v[lane], w[lane], 1), u, v, texture->clamp);
        i8 alpha = (i8)c.ga >> 16;
        if (texture->alpha == BSP_ALPHA_TEST) {
            *seen &= alpha >= i8_all(paint->cut);
        } else {
            all = all * i8_to_float(alpha) * f8_all(1.0F / 255);
        }
    }
    for (int i = 0; i < 3; i++) {
        parts[i] = all * f8_all(paint->shine->tint[i]);
    }
    if (mask != NULL) {
        color8 m = sample(pick_mip(t, mask, u[lane], v[lane], w[lane], 1), u, v, texture->clamp);
        i8 low = i8_all(0xFFFF);
        i8 channels[3] = {(i8)m.rb & low, (i8)m.ga & low, (i8)(m.rb) >> 16 & low};
        for (int i = 0; i < 3; i++) {
            parts[i] = parts[i] * i8_to_float(channels[i]) * f8_all(1.0F / 255);
        }
    }
}

// Adds to a pixel the light that it mirrors, in linear light, which squares stand for. `clear` is
// how much of it fog lets through.
static uint32_t add_mirrored(const bspi_paint *paint, const float direction[3], float against,
                             const float parts[3], float clear, uint32_t pixel) {
    const bspi_shine *shine = paint->shine;
    float light[4];
    float length = sqrtf(direction[0] * direction[0] + direction[1] * direction[1] +
                         direction[2] * direction[2]);
    float facing = length > 0 ? against / length : 1;
    float aside = facing < 0 ? 1 : facing < 1 ? 1 - facing : 0;
    float power = aside * aside * aside * aside * aside;
    float seen = (shine->fresnel + (1 - shine->fresnel) * power) * clear;
    bspi_cube_sample(paint->cube, direction, light);
    for (int i = 0; i < 3; i++) {
        light[i] = light[i] * light[i] / (255 * 255);
        light[i] += (light[i] * light[i] - light[i]) * shine->contrast;
    }
    float grey = light[0] * 0.299F + light[1] * 0.587F + light[2] * 0.114F;
    uint32_t out = 0xFF000000u;
    for (int i = 0; i < 3; i++) {
        float base = (float)(pixel >> 8 * i & 255);
        float added = (grey + (light[i] - grey) * shine->saturation) * parts[i] * seen;
        float sum = sqrtf(base * base + (added > 0 ? added : 0) * (255 * 255)) + 0.5F;
        out |= (sum < 255 ? (uint32_t)sum : 255u) << 8 * i;
    }
    return out;
}

// Computes what eight pixels become; `amount` of 255 is how much fog covers them.
BSPI_LANES i8 mirror(const bspi_triangle *t, const bspi_paint *paint, const row *r, f8 x, i8 *seen,
                     i8 amount, i8 before) {
    f8 parts[3];
    f8 from[4];
    mirror_parts(t, paint, r, x, seen, parts);
    for (int i = 0; i < 4; i++) {
        from[i] = along(t, r, BSPI_RED + i, x);
    }
    i8 out = before;
    for (int i = 0; i < 8; i++) {
        const float direction[3] = {from[0][i], from[1][i], from[2][i]};
        const float part[3] = {parts[0][i], parts[1][i], parts[2][i]};
        if ((*seen)[i] != 0) {
            out[i] = (int32_t)add_mirrored(paint, direction, from[3][i], part,
                                           1 - (float)amount[i] / 255, (uint32_t)before[i]);
        }
    }
    return out;
}

#endif
