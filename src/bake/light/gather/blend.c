// SPDX-License-Identifier: MIT
// Facts: radial.cpp and vraddisps.cpp of the Source SDK.
#include "bake/light/gather/blend.h"

static size_t num_luxels(const bsp_relight_face *face) {
    return (size_t)face->width * face->height;
}

void bspi_blend_add(const bspi_blend *blend, size_t luxel, float weight,
                    const bsp_relight_face *from, uint32_t style, size_t place, float aside) {
    const uint32_t directions = blend->face->directions;
    const size_t each = num_luxels(blend->face);
    const bool bumped = from->directions > 1;
    for (uint32_t d = 0; d < directions; d++) {
        float share = d > 0 && !bumped ? aside * weight : weight;
        size_t block = (size_t)style * from->directions + (bumped ? d : 0);
        const float *light = from->luxels[num_luxels(from) * block + place];
        float *sum = blend->out[each * ((size_t)blend->style * directions + d) + luxel];
        for (int c = 0; c < 3; c++) {
            sum[c] += light[c] * share;
        }
    }
    blend->weights[each * blend->style + luxel] += weight;
}

void bspi_blend_divide(const bspi_blend *blend, bool keeps) {
    static const float black[3] = {0, 0, 0};
    const bsp_relight_face *face = blend->face;
    const size_t each = num_luxels(face);
    const size_t run = each * face->directions; // of a style
    for (size_t n = 0; n < run * face->num_styles; n++) {
        float weight = blend->weights[n / run * each + n % each];
        const float *old = keeps ? face->luxels[n] : black;
        for (int c = 0; c < 3; c++) {
            blend->out[n][c] = weight > 0 ? blend->out[n][c] / weight : old[c];
        }
    }
}
