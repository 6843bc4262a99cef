// SPDX-License-Identifier: MIT
// Luxels mixed with those around them ("-soft" of ericw-tools): each of the places in one is the
// mean of a square of places around it, of which those beyond the edge are as those at it. A luxel
// counts as so many places of one brightness.
#include "bake/light/lumps/finish.h"

#include <string.h>

// Returns how many luxels on each side of one are mixed in it.
static uint32_t reach_of(const bspi_light_scale *scale) {
    return (scale->soft + scale->extra - 1) / scale->extra;
}

// Sets how much of a luxel at each distance from -reach on is in one.
static void weigh(const bspi_light_scale *scale, float *weights) {
    int places = (int)scale->extra;
    int soft = (int)scale->soft;
    int reach = (int)reach_of(scale);
    float all = (float)places * (float)(2 * soft + 1);
    for (int k = -reach; k <= reach; k++) {
        int count = 0;
        for (int s = 0; s < places; s++) { // of its places, those within the square around each
            int low = k * places - s;
            int high = low + places - 1;
            low = low > -soft ? low : -soft;
            high = high < soft ? high : soft;
            count += high >= low ? high - low + 1 : 0;
        }
        weights[k + reach] = (float)count / all;
    }
}

// Mixes a row or a column: `count` luxels, `step` apart.
static void mix(const bspi_light_scale *scale, const float *weights, float (*luxels)[3],
                uint32_t count, size_t step, float (*line)[3]) {
    int reach = (int)reach_of(scale);
    for (uint32_t n = 0; n < count; n++) {
        memcpy(line[n], luxels[n * step], sizeof line[n]);
    }
    for (uint32_t n = 0; n < count; n++) {
        float *out = luxels[n * step];
        memset(out, 0, 3 * sizeof *out);
        for (int k = -reach; k <= reach; k++) {
            int at = (int)n + k;
            at = at < 0 ? 0 : at < (int)count ? at : (int)count - 1;
            for (int c = 0; c < 3; c++) {
                out[c] += weights[k + reach] * line[at][c];
            }
        }
    }
}

bool bspi_soften(bspi_relight *own, bsp_relight_face *face, bsp_error *error) {
    const bspi_light_scale *scale = &own->scale;
    uint32_t wide = face->width;
    uint32_t high = face->height;
    uint32_t spread = 2 * reach_of(scale) + 1;
    size_t longest = wide > high ? wide : high;
    size_t blocks = (size_t)face->directions * face->num_styles;
    float(*luxels)[3] = (float(*)[3])face->luxels;
    float *weights = bspi_heap_alloc(&own->heap, spread * sizeof *weights, error);
    float(*line)[3] = bspi_heap_alloc(&own->heap, longest * sizeof *line, error);
    bool done = weights != NULL && line != NULL &&
                bspi_heap_work(&own->heap, 1 + blocks * wide * high / 8 * spread, error);
    if (done) {
        weigh(scale, weights);
    }
    for (size_t b = 0; done && b < blocks; b++, luxels += (size_t)wide * high) {
        for (uint32_t y = 0; y < high; y++) {
            mix(scale, weights, luxels + (size_t)y * wide, wide, 1, line);
        }
        for (uint32_t x = 0; x < wide; x++) {
            mix(scale, weights, luxels + x, high, wide, line);
        }
    }
    bspi_heap_free(&own->heap, line, longest * sizeof *line);
    bspi_heap_free(&own->heap, weights, spread * sizeof *weights);
    return done;
}
