// SPDX-License-Identifier: MIT
// Texels of a baked image, one by one: what the other forms are measured by, and the only form that
// mixes images or adds a glow.
#include "export/bake.h"
#include "export/bake_rows.h"

static void mix_in(const bspi_bake_triangle *set, uint32_t number, const float weight[3],
                   const float uv[2], float texel[4]) {
    float other[4];
    float alpha = 0;
    for (int c = 0; c < 3; c++) {
        alpha += weight[c] * set->share[number][c] / 255;
    }
    alpha =
        alpha > 0 ? (alpha < 1 ? alpha : 1) : 0; // outside of the triangle it may be out of range
    const float at[2] = {uv[0] * set->repeats[number], uv[1] * set->repeats[number]};
    bspi_mip_sample(&set->mixed[number]->mips[set->mixed_level[number]], at, false, other);
    for (int i = 0; i < 3; i++) {
        texel[i] += (other[i] - texel[i]) * alpha;
    }
}

static void shade(const bspi_bake_triangle *set, const float weight[3], uint8_t out[4]) {
    float uv[2] = {0, 0};
    float light_uv[2] = {0, 0};
    float texel[4] = {set->color[0] * 255, set->color[1] * 255, set->color[2] * 255, 255};
    float glow[4] = {0, 0, 0, 0};
    float light[4];
    for (int c = 0; c < 3; c++) {
        for (int i = 0; i < 2; i++) {
            uv[i] += weight[c] * set->v[c]->uv[i];
            light_uv[i] += weight[c] * set->v[c]->light_uv[i];
        }
    }
    if (set->mips != NULL) {
        bspi_mip_sample(&set->mips->mips[set->level], uv, false, texel);
    }
    for (uint32_t i = 0; i < BSPI_MIXED; i++) {
        if (set->mixed[i] != NULL) {
            mix_in(set, i, weight, uv, texel);
        }
    }
    if (set->glow != NULL) {
        bspi_mip_sample(&set->glow->mips[set->glow_level], uv, false, glow);
    }
    bspi_mip_sample(&set->light, light_uv, false, light);
    for (int i = 0; i < 3; i++) {
        float value = texel[i] * light[i] * (BSPI_BAKE_RANGE / 255) + glow[i];
        out[i] = (uint8_t)(value < 255 ? value + 0.5F : 255);
    }
    out[3] = (uint8_t)(texel[3] + 0.5F);
}

// Computes the weights of the corners at a texel's centre. Returns how near it is to the triangle.
static bspi_bake_cover weigh(const bspi_bake_triangle *set, float x, float y, float weight[3]) {
    bspi_bake_cover result = BSPI_BAKE_INSIDE;
    for (int c = 0; c < 3; c++) {
        const float *a = set->at[(c + 1) % 3];
        float cross = set->edge[c][0] * (y - a[1]) - set->edge[c][1] * (x - a[0]);
        weight[c] = cross / set->area;
        float outside = (set->area > 0 ? -cross : cross) / set->length[c];
        if (outside > (float)BSPI_BAKE_BORDER) {
            return BSPI_BAKE_NONE;
        }
        result = outside > 0 ? BSPI_BAKE_BESIDE : result;
    }
    return result;
}

void bspi_bake_row_plain(const bspi_bake_triangle *set, const bspi_bake_row *row) {
    for (uint32_t x = row->from; x < row->to; x++) {
        float weight[3];
        bspi_bake_cover near = weigh(set, (float)x + 0.5F, (float)row->y + 0.5F, weight);
        if ((uint8_t)near > row->cover[x]) {
            row->cover[x] = (uint8_t)near;
            shade(set, weight, row->pixels + 4 * (size_t)x);
        }
    }
}
