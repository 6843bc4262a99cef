// SPDX-License-Identifier: MIT
// The box around places, and their memory.
#include "bake/light/places/places.h"

#include <math.h>
#include <string.h>

void bspi_places_enclose(bspi_places *places) {
    float mins[3] = {INFINITY, INFINITY, INFINITY};
    float maxs[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t n = 0; n < places->count; n++) {
        for (int i = 0; places->lit[n] && i < 3; i++) {
            float at = places->points[n][i];
            mins[i] = at < mins[i] ? at : mins[i];
            maxs[i] = at > maxs[i] ? at : maxs[i];
        }
    }
    float square = 0;
    for (int i = 0; i < 3; i++) {
        bool any = maxs[i] >= mins[i];
        places->middle[i] = any ? (mins[i] + maxs[i]) / 2 : 0;
        places->half[i] = any ? (maxs[i] - mins[i]) / 2 : 0;
        square += any ? (maxs[i] - mins[i]) * (maxs[i] - mins[i]) / 4 : 0;
    }
    places->radius = sqrtf(square);
}

void bspi_places_free(bspi_relight *own, bspi_places *places) {
    bspi_heap_free(&own->heap, places->points, places->count * sizeof *places->points);
    bspi_heap_free(&own->heap, places->normals, places->count * sizeof *places->normals);
    bspi_heap_free(&own->heap, places->lit, places->count);
    bspi_heap_free(&own->heap, places->moved, places->count);
    bspi_heap_free(&own->heap, places->near, places->count * sizeof *places->near);
    bspi_heap_free(&own->heap, places->open, places->count * sizeof *places->open);
    memset(places, 0, sizeof *places);
}
