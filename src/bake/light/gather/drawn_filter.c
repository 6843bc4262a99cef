// SPDX-License-Identifier: MIT
// Quake 3: -filter, _filterradius of lights and q3map_lightmapFilterRadius of shaders: what a lamp
// gives a place is mixed with what it gives those beside it. Facts: netradiant-custom,
// tools/quake3/q3map2/light_ydnar.cpp (IlluminateRawLightmap).
#include "bake/light/gather/drawn_filter.h"

#include "bake/light/drawn/drawn.h"

#include <math.h>
#include <string.h>

#define CHANNELS 4u // red, green, blue, and how much of the window is lit

uint32_t bspi_filter_reach(const bspi_relight *own, const bspi_places *places, float radius) {
    if (own->drawn == NULL || places->step > 1 || !(places->unit > 0)) { // not luxels
        return 0;
    }
    float most = (float)(places->width > places->height ? places->width : places->height);
    float units = fmaxf(places->filter, radius);
    uint32_t whole = (uint32_t)(fminf(units / places->unit, most) * (float)places->extra);
    return whole == 0 && (units > 0 || own->drawn->told.filter) ? 1 : whole;
}

// What places along an axis have.
typedef struct line {
    double (*from)[CHANNELS];
    size_t step;
    uint32_t count;
} line;

// Replaces each place of a line by the sum of its window. `sums`: scratch, one more than places.
static void mix_line(const line *l, uint32_t reach, double (*sums)[CHANNELS]) {
    memset(sums[0], 0, sizeof *sums);
    for (uint32_t n = 0; n < l->count; n++) {
        for (uint32_t c = 0; c < CHANNELS; c++) {
            sums[n + 1][c] = sums[n][c] + l->from[n * l->step][c];
        }
    }
    for (uint32_t n = 0; n < l->count; n++) {
        double *to = l->from[n * l->step];
        memset(to, 0, sizeof *l->from);
        for (uint32_t less = 0; less < 2; less++) { // with the last ones, and without
            uint32_t far = reach - less;
            const double *low = sums[n > far ? n - far : 0];
            const double *high = sums[l->count - n > far ? n + far + 1 : l->count];
            for (uint32_t c = 0; c < CHANNELS; c++) {
                to[c] += (high[c] - low[c]) / 2;
            }
        }
    }
}

bool bspi_filter_mix(bspi_relight *own, const bspi_places *places, uint32_t reach, float (*sums)[3],
                     bsp_error *error) {
    uint32_t width = places->width * places->extra;
    uint32_t height = places->height * places->extra;
    uint32_t longest = width > height ? width : height;
    size_t size = places->count * sizeof(double[CHANNELS]);
    size_t room = ((size_t)longest + 1) * sizeof(double[CHANNELS]);
    if (reach == 0) {
        return true;
    }
    double(*all)[CHANNELS] = bspi_heap_alloc(&own->heap, size, error);
    double(*along)[CHANNELS] = bspi_heap_alloc(&own->heap, room, error);
    bool done = all != NULL && along != NULL && bspi_heap_work(&own->heap, places->count, error);
    for (uint32_t n = 0; done && n < places->count; n++) {
        for (int c = 0; c < 3; c++) {
            all[n][c] = places->lit[n] ? (double)sums[n][c] : 0;
        }
        all[n][3] = places->lit[n] ? 1 : 0;
    }
    for (uint32_t y = 0; done && y < height; y++) {
        mix_line(&(line){all + (size_t)y * width, 1, width}, reach, along);
    }
    for (uint32_t x = 0; done && x < width; x++) {
        mix_line(&(line){all + x, width, height}, reach, along);
    }
    for (uint32_t n = 0; done && n < places->count; n++) {
        for (int c = 0; places->lit[n] && c < 3; c++) {
            sums[n][c] = (float)(all[n][c] / all[n][3]);
        }
    }
    bspi_heap_free(&own->heap, along, room);
    bspi_heap_free(&own->heap, all, size);
    return done;
}
