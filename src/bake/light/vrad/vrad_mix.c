// SPDX-License-Identifier: MIT
// Luxels of what pieces of surfaces have taken: each mixes those around it, of its own face and of
// those that its light goes on into. Facts: AddBouncedToRadial of radial.cpp of the Source SDK.
#include "bake/light/places/cells.h"
#include "bake/light/vrad/vrad.h"

#include "mesh/bump.h"
#include "core/vector.h"

#include <math.h>
#include <string.h>

#define MOST_AROUND 64u // faces around one
#define PIECE 16u       // of work: to find where one is
#define FAR 2.0f        // square of the distance, in widths of a piece, where it counts no more

// A piece among the luxels of a face.
typedef struct spot {
    float at[2];
    float size[2]; ///< luxels, at least one
} spot;

static spot spot_of(const bspi_vrad_patch *patch, const bspi_luxels *luxels,
                    const float origin[3]) {
    spot out;
    for (int k = 0; k < 2; k++) {
        const float *vec = luxels->vecs[k];
        float past = vec[3] - bspi_dot(vec, origin);
        float low = INFINITY;
        float high = -INFINITY;
        for (uint32_t i = 0; i < patch->num_corners; i++) {
            float at = bspi_dot(vec, patch->corners[i]) + past;
            low = fminf(low, at);
            high = fmaxf(high, at);
        }
        out.at[k] = bspi_dot(vec, patch->middle) + past;
        out.size[k] = fmaxf(1, high - low);
    }
    return out;
}

static float weight_of(const spot *s, float x, float y) {
    float u = (s->at[0] - x) / s->size[0];
    float v = (s->at[1] - y) / s->size[1];
    return FAR - (u * u + v * v);
}

typedef struct mixer {
    const bsp_relight_face *face;
    const float *origin; ///< of its model
    bspi_luxels luxels;
    float (*out)[3];
    float *weights;
    uint64_t steps;
} mixer;

// The luxels along an axis that a piece reaches: those from `first` to before `end`.
static void reach(float at, float size, uint32_t count, uint32_t *first, uint32_t *end) {
    float low = fmaxf(0, at - size * sqrtf(FAR));
    float high = fminf((float)count, at + size * sqrtf(FAR) + 1);
    *first = low < (float)count ? (uint32_t)low : count;
    *end = high > 0 ? (uint32_t)high : 0;
}

static void spread(mixer *m, const bspi_vrad_patch *patch) {
    const bsp_relight_face *face = m->face;
    size_t each = (size_t)face->width * face->height;
    spot s = spot_of(patch, &m->luxels, m->origin);
    uint32_t first[2];
    uint32_t end[2];
    reach(s.at[0], s.size[0], face->width, &first[0], &end[0]);
    reach(s.at[1], s.size[1], face->height, &first[1], &end[1]);
    for (uint32_t y = first[1]; y < end[1]; y++) {
        m->steps += end[0] > first[0] ? end[0] - first[0] : 0;
        for (uint32_t x = first[0]; x < end[0]; x++) {
            float weight = weight_of(&s, (float)x, (float)y);
            size_t n = (size_t)y * face->width + x;
            for (uint32_t d = 0; weight > 0 && d < face->directions; d++) {
                bool bumped = d < patch->directions; // else its light is as even as of a flat wall
                float share = bumped ? weight : weight * bspi_bump_directions[0][2];
                for (int c = 0; c < 3; c++) {
                    m->out[each * d + n][c] += share * patch->taken[bumped ? d : 0][c];
                }
            }
            m->weights[n] += weight > 0 ? weight : 0;
        }
    }
}

// Lists the face, and those around it that have pieces. Returns how many there are.
static uint32_t list_faces(const bspi_vrad *v, uint32_t face, uint32_t out[MOST_AROUND + 1]) {
    out[0] = face;
    return 1 + bspi_cells_around(v->own, face, out + 1, MOST_AROUND);
}

bool bspi_vrad_mix(const bspi_vrad *v, uint32_t number, float (*out)[3], bsp_error *error) {
    bspi_relight *own = v->own;
    const bsp_relight_face *face = &own->faces[number];
    size_t each = (size_t)face->width * face->height;
    uint32_t faces[MOST_AROUND + 1];
    uint32_t count = list_faces(v, number, faces);
    mixer m = {.face = face, .origin = own->models[own->face_models[number]].origin, .out = out};
    memset(out, 0, each * face->directions * sizeof *out);
    if (!bspi_luxels_place(&own->source, number, &m.luxels)) {
        return true;
    }
    m.weights = bspi_heap_alloc(&own->heap, each * sizeof *m.weights, error);
    if (m.weights == NULL) {
        return false;
    }
    memset(m.weights, 0, each * sizeof *m.weights);
    for (uint32_t f = 0; f < count; f++) {
        for (uint32_t i = v->firsts[faces[f]]; i < v->firsts[faces[f] + 1]; i++) {
            m.steps += PIECE;
            if (v->patches[i].halves[0] == BSP_NONE) {
                spread(&m, &v->patches[i]);
            }
        }
    }
    for (size_t n = 0; n < each * face->directions; n++) {
        float weight = m.weights[n % each];
        for (int c = 0; c < 3; c++) {
            out[n][c] = weight > 0 ? out[n][c] / weight : 0;
        }
    }
    bspi_heap_free(&own->heap, m.weights, each * sizeof *m.weights);
    return bspi_heap_work(&own->heap, each + m.steps, error);
}

typedef struct luxel {
    const bspi_vrad *v;
    const float *origin; // of the model
    bspi_luxels luxels;
    float at[2];
    float sum[3];
    float weight;
} luxel;

// Adds a piece, or its halves, where they reach the luxel.
static void add_luxel(luxel *l, uint32_t number) {
    const bspi_vrad_patch *patch = &l->v->patches[number];
    spot s = spot_of(patch, &l->luxels, l->origin);
    if (patch->halves[0] != BSP_NONE) { // they are in it, and no larger
        bool near = true;
        for (int k = 0; k < 2; k++) {
            near = near && fabsf(s.at[k] - l->at[k]) <= s.size[k] * (1 + sqrtf(FAR));
        }
        if (near) {
            add_luxel(l, patch->halves[0]);
            add_luxel(l, patch->halves[1]);
        }
        return;
    }
    float weight = weight_of(&s, l->at[0], l->at[1]);
    for (int c = 0; weight > 0 && c < 3; c++) {
        l->sum[c] += weight * patch->taken[0][c];
    }
    l->weight += weight > 0 ? weight : 0;
}

void bspi_vrad_luxel(const bspi_vrad *v, uint32_t number, uint32_t x, uint32_t y, float out[3]) {
    const bspi_relight *own = v->own;
    uint32_t faces[MOST_AROUND + 1];
    uint32_t count = list_faces(v, number, faces);
    luxel l = {
        .v = v, .origin = own->models[own->face_models[number]].origin, .at = {(float)x, (float)y}};
    bool placed = bspi_luxels_place(&own->source, number, &l.luxels);
    for (uint32_t f = 0; placed && f < count; f++) {
        if (v->firsts[faces[f] + 1] > v->firsts[faces[f]]) {
            add_luxel(&l, v->firsts[faces[f]]);
        }
    }
    for (int c = 0; c < 3; c++) {
        out[c] = l.weight > 0 ? l.sum[c] / l.weight : 0;
    }
}
