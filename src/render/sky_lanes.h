// SPDX-License-Identifier: MIT
// The sky at eight adjacent pixels. A file for each instruction set includes this and sets BSPI_SKY
// to the name of the function.
#ifndef BSPI_RENDER_SKY_LANES_H
#define BSPI_RENDER_SKY_LANES_H

#include "render/shade_lanes.h"

// Computes a direction at eight adjacent pixels.
BSPI_LANES f8 spread(const bspi_sky_run *run, int axis) {
    const f8 count = {0, 1, 2, 3, 4, 5, 6, 7};
    return f8_all(run->from[axis]) + f8_all(run->step[axis]) * count;
}

// Computes eight colours of one side of the box, as bspi_sky_side with the axes of that side.
BSPI_LANES color8 box_of(const bspi_sky *sky, uint32_t side, const bspi_sky_run *run) {
    static const struct {
        int main, right, up;
        float s, t;
    } sides[BSP_SKY_SIDES] = {{0, 1, 2, -1, 1}, {0, 1, 2, 1, 1},   {1, 0, 2, 1, 1},
                              {1, 0, 2, -1, 1}, {2, 1, 0, -1, -1}, {2, 1, 0, -1, 1}};
    const bspi_mip *mip = &sky->sides[side].chain.mips[0];
    f8 far = spread(run, sides[side].main);
    far = f8_pick(far < f8_all(0), -far, far);
    f8 s = spread(run, sides[side].right) * f8_all(sides[side].s) / far;
    f8 t = spread(run, sides[side].up) * f8_all(sides[side].t) / far;
    f8 v = (1 - t) * f8_all(0.5F);
    v = side < 4 && mip->width == 2 * mip->height ? v * f8_all(2) : v;
    return sample(mip, (s + 1) * f8_all(0.5F), v, true);
}

BSPI_LANES color8 add_clouds(const bspi_sky *sky, const float from[2], const float to[2],
                             color8 c) {
    const f8 eighths = {0, 0.125F, 0.25F, 0.375F, 0.5F, 0.625F, 0.75F, 0.875F};
    f8 u = f8_all(from[0]) + f8_all(to[0] - from[0]) * eighths;
    f8 v = f8_all(from[1]) + f8_all(to[1] - from[1]) * eighths;
    for (uint32_t i = 0; i < sky->num_layers; i++) {
        const bspi_texture *layer = &sky->layers[i];
        bspi_paint paint = {.texture = layer, .opacity = 255};
        color8 cloud =
            sample(&layer->chain.mips[0], u * f8_all(sky->scale[i][0]) + f8_all(sky->shift[i][0]),
                   v * f8_all(sky->scale[i][1]) + f8_all(sky->shift[i][1]), false);
        c = layer->alpha == BSP_ALPHA_OPAQUE ? cloud : blend(&paint, cloud, c);
    }
    return c;
}

// Eight pixels on one side of the box and of the horizon are drawn at once: clouds bend so little
// on the way that a linear step is exact enough.
BSPI_LANES_TARGET void BSPI_SKY(const bspi_sky *sky, const bspi_sky_run *run, uint32_t out[8]) {
    float s;
    float t;
    float last[3];
    float after[3];
    float uv[2][2];
    for (int i = 0; i < 3; i++) {
        last[i] = run->from[i] + run->step[i] * 7;
        after[i] = run->from[i] + run->step[i] * 8;
    }
    uint32_t side = bspi_sky_side(run->from, &s, &t);
    bool covered = sky->num_layers != 0 && bspi_sky_place(sky, run->from, uv[0]);
    bool stays = sky->num_layers != 0 && bspi_sky_place(sky, after, uv[1]);
    if (bspi_sky_side(last, &s, &t) != side || covered != stays) {
        for (int i = 0; i < 8; i++) {
            float direction[3];
            uint8_t color[3];
            for (int axis = 0; axis < 3; axis++) {
                direction[axis] = run->from[axis] + run->step[axis] * (float)i;
            }
            bspi_sky_color(sky, direction, color);
            out[i] = color[0] | (uint32_t)color[1] << 8 | (uint32_t)color[2] << 16 | 0xFF000000u;
        }
        return;
    }
    color8 c = color8_of(i8_all(0));
    c = sky->sides[side].chain.count != 0 ? box_of(sky, side, run) : c;
    c = covered ? add_clouds(sky, uv[0], uv[1], c) : c;
    i8_store(out, color8_pack(c) | i8_all((int32_t)0xFF000000u));
}

#endif
