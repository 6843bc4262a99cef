// SPDX-License-Identifier: MIT
// Where only some places of a face were measured, those between them have what these have, by
// distance.
#include "bake/light/places/places.h"

#include <math.h>

// Where a place is between two that are measured, along an axis.
typedef struct between {
    uint32_t ends[2];
    float parts[2]; // of each of them
    bool counts;    // it is measured itself
} between;

static between between_at(uint32_t at, uint32_t size, uint32_t step) {
    uint32_t past = at % step;
    between b = {.ends = {at - past, at - past + step},
                 .counts = past == 0 || (at == size - 1 && past > 1)};
    for (int k = 0; k < 2; k++) {
        b.ends[k] = b.ends[k] < size ? b.ends[k] : size - 1;
        float part = 1 - fabsf((float)b.ends[k] - (float)at) / (float)step;
        b.parts[k] = part > 0 ? part : 0;
    }
    return b;
}

// Sets a place to the mean of the corners of its square. False where none of them has light.
static bool mean_of(const bspi_places *places, const between *x, const between *y, float out[3],
                    float (*const sums)[3]) {
    size_t width = (size_t)places->width * places->extra;
    float total = 0;
    float sum[3] = {0, 0, 0};
    for (int corner = 0; corner < 4; corner++) {
        size_t other = y->ends[corner >> 1] * width + x->ends[corner & 1];
        float weight = places->lit[other] ? x->parts[corner & 1] * y->parts[corner >> 1] : 0;
        total += weight;
        for (int c = 0; c < 3 && weight > 0; c++) { // others may have any numbers
            sum[c] += weight * sums[other][c];
        }
    }
    for (int c = 0; total > 0 && c < 3; c++) {
        out[c] = sum[c] / total;
    }
    return total > 0;
}

void bspi_places_spread(const bspi_places *places, bool *known, float (*sums)[3]) {
    uint32_t width = places->width * places->extra;
    uint32_t height = places->height * places->extra;
    size_t n = 0;
    for (uint32_t v = 0; v < height && places->step > 1; v++) {
        between y = between_at(v, height, places->step);
        for (uint32_t u = 0; u < width; u++, n++) {
            between x = between_at(u, width, places->step);
            if (!(x.counts && y.counts) && mean_of(places, &x, &y, sums[n], sums)) {
                known[n] = true;
            }
        }
    }
}
