// SPDX-License-Identifier: MIT
// The colour of the sky in a direction. Boxes: id's gl_warp.c and tr_sky.c (vec_to_st), the same in
// all engines here. Quake's flattened dome: gl_warp.c (EmitSkyPolys). Clouds: tr_sky.c
// (R_InitSkyTexCoords): a sphere of 4096 units with the eye at its top, and one around it.
#include "render/renderer.h"

#include <math.h>
#include <string.h>

#define CLOUD_RADIUS 4096.0
#define DOME_FLAT 3.0F         // how many times flatter than a sphere the dome is
#define DOME_REPEATS 2.953125F // 6 * 63 / 128 repeats from the zenith to the horizon

// --- building -----------------------------------------------------------------------------------

bool bspi_sky_build(bspi_arena *arena, const bsp_sky *from, bspi_sky *to, bsp_error *error) {
    memset(to, 0, sizeof *to);
    for (uint32_t i = 0; i < BSP_SKY_SIDES; i++) {
        if (from->sides[i].pixels != NULL &&
            !bspi_mip_chain_build(arena, &from->sides[i], BSP_IMAGE_MAX, &to->sides[i].chain,
                                  error)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < from->num_layers; i++) {
        bspi_texture *layer = &to->layers[i];
        layer->alpha = from->layers[i].alpha;
        memcpy(to->scale[i], from->layers[i].scale, sizeof to->scale[i]);
        memcpy(to->shift[i], from->layers[i].shift, sizeof to->shift[i]);
        if (!bspi_mip_chain_build(arena, &from->layers[i].image, BSP_IMAGE_MAX, &layer->chain,
                                  error)) {
            return false;
        }
    }
    to->num_layers = from->num_layers;
    to->flat = from->flat;
    to->cloud_height = from->cloud_height;
    to->found = from->num_sides + from->num_layers != 0;
    return true;
}

// --- sampling ------------------------------------------------------------------------------------

uint32_t bspi_sky_side(const float d[3], float *s, float *t) {
    float x = fabsf(d[0]);
    float y = fabsf(d[1]);
    float z = fabsf(d[2]);
    if (x > y && x > z) {
        *s = d[0] > 0 ? -d[1] / x : d[1] / x;
        *t = d[2] / x;
        return d[0] > 0 ? 0 : 1;
    }
    if (y >= x && y > z) {
        *s = d[1] > 0 ? d[0] / y : -d[0] / y;
        *t = d[2] / y;
        return d[1] > 0 ? 2 : 3;
    }
    *s = -d[1] / z;
    *t = d[2] > 0 ? -d[0] / z : d[0] / z;
    return d[2] > 0 ? 4 : 5;
}

static void add_box(const bspi_sky *sky, const float direction[3], float color[3]) {
    float s;
    float t;
    uint32_t side = bspi_sky_side(direction, &s, &t);
    const bspi_texture *texture = &sky->sides[side];
    if (texture->chain.count == 0) {
        return;
    }
    const bspi_mip *mip = &texture->chain.mips[0];
    float texel[4];
    float v = (1 - t) / 2;
    // Source has walls of half the height: below the horizon their last row is repeated.
    v = side < 4 && mip->width == 2 * mip->height ? 2 * v : v;
    bspi_mip_sample(mip, (float[2]){(s + 1) / 2, v}, true, texel);
    memcpy(color, texel, 3 * sizeof *color);
}

bool bspi_sky_place(const bspi_sky *sky, const float d[3], float uv[2]) {
    double x = (double)d[0];
    double y = (double)d[1];
    double z = (double)d[2];
    double length = sqrt(x * x + y * y + z * z);
    if (!(length > 0)) {
        return false;
    }
    if (sky->flat) {
        double flat = sqrt(x * x + y * y + z * z * (double)(DOME_FLAT * DOME_FLAT));
        uv[0] = (float)(x / flat) * DOME_REPEATS;
        uv[1] = (float)(y / flat) * DOME_REPEATS;
        return true;
    }
    double up = z / length * CLOUD_RADIUS;
    double height = (double)sky->cloud_height;
    double far = sqrt(up * up + 2 * CLOUD_RADIUS * height + height * height) - up;
    double outer = CLOUD_RADIUS + height;
    uv[0] = (float)acos(fmax(-1, fmin(1, x / length * far / outer)));
    uv[1] = (float)acos(fmax(-1, fmin(1, y / length * far / outer)));
    return z >= 0;
}

static void add_layer(const bspi_texture *layer, const float uv[2], float color[3]) {
    float texel[4];
    bspi_mip_sample(&layer->chain.mips[0], uv, false, texel);
    for (int i = 0; i < 3; i++) {
        float sum = texel[i];
        switch (layer->alpha) {
        case BSP_ALPHA_ADD:
            sum = color[i] + texel[i];
            break;
        case BSP_ALPHA_FILTER:
            sum = color[i] * texel[i] / 255;
            break;
        case BSP_ALPHA_BLEND:
        case BSP_ALPHA_TEST:
            sum = color[i] + (texel[i] - color[i]) * texel[3] / 255;
            break;
        case BSP_ALPHA_OPAQUE:
            break;
        }
        color[i] = sum < 255 ? sum : 255;
    }
}

void bspi_sky_color(const bspi_sky *sky, const float direction[3], uint8_t out[3]) {
    float color[3] = {0, 0, 0};
    float uv[2];
    float size = fabsf(direction[0]) + fabsf(direction[1]) + fabsf(direction[2]);
    if (!(size > 0) || !isfinite(size)) {
        memset(out, 0, 3);
        return;
    }
    add_box(sky, direction, color);
    bool covered = sky->num_layers != 0 && bspi_sky_place(sky, direction, uv);
    for (uint32_t i = 0; covered && i < sky->num_layers; i++) {
        float at[2] = {uv[0] * sky->scale[i][0] + sky->shift[i][0],
                       uv[1] * sky->scale[i][1] + sky->shift[i][1]};
        add_layer(&sky->layers[i], at, color);
    }
    for (int i = 0; i < 3; i++) {
        out[i] = (uint8_t)(color[i] + 0.5F);
    }
}
