// SPDX-License-Identifier: MIT
// How lights of Source fade by the keys of their entities. Facts: sheet bake, 3.3;
// SetLightFalloffParams of lightmap.cpp of the Source SDK.
#include "export/entity.h"
#include "export/light.h"

#include <math.h>

#define FADED 256.0 // what the light is divided by at its "zero percent" distance

// Sets the square function that is 1 at 0, `half` at d50 and FADED at d0.
static void fit(double d50, double half, double d0, double out[3]) {
    double a = (half - 1) / d50;
    double b = (FADED - 1) / d0;
    out[2] = d0 != d50 ? (b - a) / (d0 - d50) : 0;
    out[1] = a - out[2] * d50;
    out[0] = 1;
}

// A light that says where half of it is left. Where the function would fall at first, the middle is
// moved towards the line between its ends.
static void fade_by_half(const bsp_entity *entity, double d50, float attn[3]) {
    double d0 = (double)bspi_number(entity, "_zero_percent_distance", 0);
    double q[3] = {1, 0, 0};
    d0 = d0 < d50 ? 2 * d50 : d0;
    for (int step = 0; step <= 20; step++) {
        double blend = step * 0.05;
        fit(d50, (1 - blend) * 2 + blend * (1 + (FADED - 1) * d50 / d0), d0, q);
        if (2 * q[2] + q[1] >= 0) {
            break;
        }
    }
    double scale = 2 / (q[0] + d50 * (q[1] + d50 * q[2]));
    for (int i = 0; i < 3; i++) {
        attn[i] = (float)(q[i] * scale);
    }
}

float bspi_light_fade(const bsp_entity *entity, float attn[3]) {
    double d50 = (double)bspi_number(entity, "_fifty_percent_distance", 0);
    if (d50 > 0) {
        fade_by_half(entity, d50, attn);
        return 1;
    }
    attn[0] = fmaxf(0, bspi_number(entity, "_constant_attn", 0));
    attn[1] = fmaxf(0, bspi_number(entity, "_linear_attn", 0));
    attn[2] = fmaxf(0, bspi_number(entity, "_quadratic_attn", 0));
    return attn[0] + BSPI_STATED_AT * attn[1] + BSPI_STATED_AT * BSPI_STATED_AT * attn[2];
}
