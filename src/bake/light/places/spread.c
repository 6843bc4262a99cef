// SPDX-License-Identifier: MIT
// Where only some places of a face were measured, those between them have what these have, by
// distance.
#include "bake/light/places/places.h"

#include <math.h>

void bspi_places_spread(const bspi_places *places, bool *known, float (*sums)[3]) {
    uint32_t width = places->width * places->extra;
    uint32_t height = places->height * places->extra;
    uint32_t step = places->step;
    for (uint32_t n = 0; n < places->count; n++) {
        uint32_t low[2] = {n % width / step * step, n / width / step * step};
        float total = 0;
        float sum[3] = {0, 0, 0};
        for (uint32_t corner = 0; corner < 4 && !bspi_place_counts(places, n); corner++) {
            uint32_t u = low[0] + (corner & 1) * step;
            uint32_t v = low[1] + (corner >> 1) * step;
            u = u < width ? u : width - 1;
            v = v < height ? v : height - 1;
            uint32_t other = v * width + u;
            float du = 1 - fabsf((float)u - (float)(n % width)) / (float)step;
            float dv = 1 - fabsf((float)v - (float)(n / width)) / (float)step;
            float weight = places->lit[other] ? fmaxf(du, 0) * fmaxf(dv, 0) : 0;
            total += weight;
            for (int c = 0; c < 3 && weight > 0; c++) { // others may have any numbers
                sum[c] += weight * sums[other][c];
            }
        }
        for (int c = 0; total > 0 && c < 3; c++) {
            sums[n][c] = sum[c] / total;
        }
        known[n] = known[n] || total > 0;
    }
}
