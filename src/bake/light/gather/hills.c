// SPDX-License-Identifier: MIT
// Facts: BuildDispSamples, BuildDispLuxels and AddSampleLightToRadial of vraddisps.cpp, and
// CalcSampleRadius2AndBox of vrad_dispcoll.cpp of the Source SDK.
#include "bake/light/gather/hills.h"

#include "bake/light/places/cells.h"
#include "core/vector.h"

#include <math.h>
#include <string.h>

#define LEAST 0.15f // of a cosine
#define FLAT 0.05f  // what a place without a normal map counts in a luxel with one
#define REACH 6u    // squares from one that are within the radius, and some more
#define WORK 4u     // places that are looked at: so many are one of work

float bspi_hill_weight(const bspi_hill_mix *mix, const float luxel[3], const float normal[3],
                       const float place[3], const float other[3]) {
    float square = 0;
    float whole = mix->radius * mix->radius;
    for (int c = 0; c < 3; c++) {
        square += (place[c] - luxel[c]) * (place[c] - luxel[c]);
    }
    if (!(square < whole)) {
        return 0;
    }
    if (mix->rising) {
        return square / whole;
    }
    float cosine = bspi_dot(normal, other);
    return cosine < mix->least ? 0 : (1 - square / whole) * cosine;
}

float bspi_hill_luxel(const bspi_relight *own, uint32_t face) {
    bspi_luxels luxels;
    bool has = bspi_luxels_place(&own->source, face, &luxels);
    float length = has ? sqrtf(bspi_dot(luxels.vecs[0], luxels.vecs[0])) : 0;
    return length > 0 ? 1 / length : 0;
}

typedef struct mixer {
    bspi_blend *blend;
    const bsp_relight_face *face;
    const bspi_places *luxels;
    bspi_hill_mix mix;
    uint64_t passed; // places that were looked at and are not paid for yet
    bspi_meter meter;
} mixer;

// Adds a run of the places of a face to a luxel. False over a limit.
static bool take_run(mixer *m, size_t luxel, const bspi_places *places,
                     const bsp_relight_face *from, uint32_t style, uint32_t first, uint32_t end) {
    bool flat = m->face->directions > 1 && from->directions == 1;
    for (uint32_t n = first; n < end; n++) {
        float weight = !places->lit[n] ? 0
                                       : bspi_hill_weight(&m->mix, m->luxels->points[luxel],
                                                          m->luxels->normals[luxel],
                                                          places->points[n], places->normals[n]);
        if (weight > 0) {
            bspi_blend_add(m->blend, luxel, weight * (flat ? FLAT : 1), from, style, n, 1);
        }
    }
    m->passed += 1 + (end > first ? end - first : 0);
    uint64_t work = m->passed / WORK;
    m->passed %= WORK;
    return bspi_meter_add(&m->meter, work);
}

// Adds the places of the same face, which are near where the luxel is in the grid.
static bool take_own(mixer *m, const bspi_places *places, uint32_t style) {
    uint32_t width = m->face->width;
    uint32_t height = m->face->height;
    bool done = true;
    for (uint32_t y = 0; done && y < height; y++) {
        for (uint32_t x = 0; done && x < width; x++) {
            uint32_t left = x > REACH ? x - REACH : 0;
            uint32_t right = x + REACH < width ? x + REACH + 1 : width;
            for (uint32_t v = y > REACH ? y - REACH : 0; done && v < height && v <= y + REACH;
                 v++) {
                done = take_run(m, (size_t)y * width + x, places, m->face, style, v * width + left,
                                v * width + right);
            }
        }
    }
    return done;
}

static bool take_other(mixer *m, const bspi_places *places, const bsp_relight_face *from,
                       uint32_t style) {
    bool done = true;
    for (uint32_t n = 0; done && n < m->luxels->count; n++) {
        bool near = true;
        for (int c = 0; c < 3; c++) {
            near = near && fabsf(m->luxels->points[n][c] - places->middle[c]) <=
                               places->half[c] + m->mix.radius;
        }
        done = take_run(m, n, places, from, style, 0, near ? places->count : 0);
    }
    return done;
}

// Finds where the light of a face was measured. `count` is 0 without luxels.
static bool find_places(bspi_relight *own, uint32_t face, bspi_places *out, bsp_error *error) {
    bspi_cells cells;
    memset(out, 0, sizeof *out);
    if (own->map->faces[face].displacement != BSP_NONE) {
        return bspi_places_find(own, face, 1, out, error);
    }
    if (!bspi_cells_find(own, face, &cells, error)) {
        return false;
    }
    size_t size = cells.count * sizeof(float[2]);
    float(*at)[2] = bspi_heap_alloc(&own->heap, size, error);
    bool done = at != NULL;
    for (uint32_t n = 0; done && n < cells.count; n++) {
        memcpy(at[n], cells.list[n].at, sizeof at[n]);
    }
    done = done && (cells.count == 0 || bspi_cells_places(own, &cells, (const float(*)[2])at,
                                                          cells.count, cells.width, out, error));
    for (uint32_t n = 0; done && n < out->count; n++) {
        out->lit[n] = bspi_cell_is(&cells.list[n]);
    }
    if (done && out->count != 0) {
        bspi_places_enclose(out);
    }
    bspi_heap_free(&own->heap, at, size);
    bspi_cells_free(own, &cells);
    return done;
}

// Adds what the places of a face give.
static bool take(bspi_relight *own, mixer *m, uint32_t face, bsp_error *error) {
    const bsp_relight_face *from = &own->faces[face];
    bspi_places places;
    if (from->luxels == NULL) {
        return true;
    }
    if (!find_places(own, face, &places, error)) {
        return false;
    }
    bool fits = places.count != 0 && places.count == from->width * from->height;
    bool done = true;
    for (uint32_t s = 0; done && fits && s < m->face->num_styles; s++) {
        uint32_t style = bspi_face_style(from, m->face->styles[s]);
        m->blend->style = s;
        if (style != BSP_NONE && from == m->face) {
            done = take_own(m, &places, style);
        } else if (style != BSP_NONE) {
            done = take_other(m, &places, from, style);
        }
    }
    bspi_places_free(own, &places);
    return done;
}

bool bspi_hill_blend(bspi_relight *own, uint32_t face, bspi_blend *blend, bsp_error *error) {
    uint32_t around[BSPI_BLEND_AROUND];
    uint32_t count = bspi_cells_around(own, face, around, BSPI_BLEND_AROUND);
    bspi_places luxels;
    mixer m = {.blend = blend,
               .face = &own->faces[face],
               .luxels = &luxels,
               .meter = {.heap = &own->heap, .error = error},
               .mix = {.radius = bspi_hill_luxel(own, face) * sqrtf(2) * own->scale.vrad->around,
                       .least = LEAST}};
    if (!bspi_places_corners(own, face, &luxels, error)) {
        return false;
    }
    bool fits = luxels.count == m.face->width * m.face->height;
    bool done = !fits || take(own, &m, face, error);
    for (uint32_t i = 0; done && fits && i < count; i++) {
        done = take(own, &m, around[i], error);
    }
    if (done) { // a luxel that nothing is near keeps the light of its place
        bspi_blend_divide(blend, true);
    }
    bspi_places_free(own, &luxels);
    return done && bspi_meter_add(&m.meter, 1) && bspi_meter_pay(&m.meter);
}
