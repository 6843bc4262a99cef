// SPDX-License-Identifier: MIT
// The places of a face's luxels, where hlrad has them. Source: lightmap.cpp of SDHLT.
#include "bake/light/places/spots.h"

#include <math.h>
#include <string.h>

void bspi_unfold_luxel(bspi_unfold *unfold, const bspi_luxels *luxels, float s, float t,
                       float reach, bspi_spot *out) {
    const float luxel[2] = {s, t};
    const bsp_map *map = unfold->own->map;
    double at[2];
    bspi_rectangle square;
    memset(out, 0, sizeof *out);
    if (unfold->num_faces == 0) {
        return;
    }
    const bsp_texinfo *texinfo = &map->texinfos[map->faces[unfold->faces[0].face].texinfo];
    for (int k = 0; k < 2; k++) {
        double first =
            floor((double)texinfo->texture[k][3] / BSPI_TEXELS - (double)luxels->vecs[k][3] + 0.5);
        at[k] = (first + (double)luxel[k]) * BSPI_TEXELS;
        square.low[k] = (first + ceil((double)(luxel[k] - reach)) - 1) * BSPI_TEXELS;
        square.high[k] = (first + floor((double)(luxel[k] + reach)) + 1) * BSPI_TEXELS;
    }
    bspi_unfold_spot(unfold, at, &square, out);
}

bool bspi_spots_are_used(const bspi_relight *own) {
    return own->relight.compiler == BSP_COMPILER_HLRAD && own->map->traits->luxel == BSPI_TEXELS &&
           own->source.decoupled.table.count == 0 && own->source.shift.table.count == 0;
}

// The places of luxels themselves, which those beside a face take.
typedef struct luxel_spots {
    bspi_spot *list; // in the heap
    bool *known;     // likewise
    size_t count;
} luxel_spots;

// Takes the place of the luxel nearest to one for which none was found.
static void take_luxel(bspi_unfold *unfold, const bspi_luxels *luxels, float s, float t,
                       const luxel_spots *spots, bspi_spot *out) {
    s = fminf(fmaxf(floorf(s + 0.5f), 0), (float)(luxels->width - 1));
    t = fminf(fmaxf(floorf(t + 0.5f), 0), (float)(luxels->height - 1));
    size_t at = (size_t)t * luxels->width + (size_t)s;
    if (!spots->known[at]) {
        bspi_unfold_luxel(unfold, luxels, s, t, 0, &spots->list[at]);
        spots->known[at] = true;
    }
    *out = spots->list[at];
    out->moved = true;
}

// Is a place in the window of some luxel, along an axis?
static bool is_in_window(const bspi_places *places, uint32_t at, uint32_t size, float half) {
    float first = ((float)places->extra - 1) / 2 + (float)(places->margin * places->extra);
    float last = (float)size - 1 - first;
    return (float)at > first - half - 0.5f && (float)at < last + half + 0.5f;
}

static bool put(bspi_unfold *unfold, const bspi_luxels *luxels, const luxel_spots *spots,
                bspi_places *places, bsp_error *error) {
    float extra = (float)places->extra;
    float reach = (ceilf(0.5f * unfold->own->scale.blur * extra - 0.5f) + 0.5f) / extra;
    float half = fmaxf(0.5f, 0.5f * unfold->own->scale.blur * extra);
    uint32_t width = places->width * places->extra;
    uint32_t height = places->height * places->extra;
    float margin = (float)places->margin;
    for (uint32_t n = 0; n < places->count; n++) {
        float s = ((float)(n % width) + 0.5f) / extra - 0.5f - margin;
        float t = ((float)(n / width) + 0.5f) / extra - 0.5f - margin;
        bspi_spot spot;
        places->lit[n] = false;
        if (places->moved != NULL) {
            places->moved[n] = false;
        }
        memcpy(places->normals[n], places->normal, sizeof places->normal);
        if (!bspi_place_counts(places, n) || !is_in_window(places, n % width, width, half) ||
            !is_in_window(places, n / width, height, half)) {
            continue;
        }
        bspi_unfold_luxel(unfold, luxels, s, t, reach, &spot);
        if (!spot.found) {
            take_luxel(unfold, luxels, s, t, spots, &spot);
        }
        places->lit[n] = spot.found;
        if (spot.found) {
            memcpy(places->points[n], spot.point, sizeof spot.point);
            memcpy(places->normals[n], spot.normal, sizeof spot.normal);
        }
        if (places->moved != NULL) {
            places->moved[n] = spot.moved;
        }
        if (!bspi_heap_work(&unfold->own->heap, 16 + unfold->work, error)) {
            return false;
        }
        unfold->work = 0;
    }
    return true;
}

bool bspi_spots_put(bspi_relight *own, uint32_t face, const bspi_luxels *luxels,
                    bspi_places *places, bsp_error *error) {
    bspi_unfold unfold;
    float reach = (0.5f * own->scale.blur + 3) * BSPI_TEXELS;
    if (!bspi_unfold_begin(own, face, reach, &unfold, error)) {
        return false;
    }
    luxel_spots spots = {.count = (size_t)luxels->width * luxels->height};
    spots.list = bspi_heap_alloc(&own->heap, spots.count * sizeof *spots.list, error);
    spots.known = bspi_heap_alloc(&own->heap, spots.count, error);
    bool done = spots.list != NULL && spots.known != NULL;
    if (done) {
        memset(spots.known, 0, spots.count);
        done = put(&unfold, luxels, &spots, places, error);
    }
    bspi_heap_free(&own->heap, spots.list, spots.count * sizeof *spots.list);
    bspi_heap_free(&own->heap, spots.known, spots.count);
    bspi_unfold_end(&unfold);
    return done;
}
