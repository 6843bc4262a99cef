// SPDX-License-Identifier: MIT
// What surfaces throw onto the luxels of displacements: each mixes all pieces around it, and those
// of faces beside. Facts: AddPatchLightToRadial of vraddisps.cpp, CalcSampleRadius2AndBox and
// CalcPatchSampleRadius2 of vrad_dispcoll.cpp of the Source SDKs.
#include "bake/light/gather/hills.h"
#include "bake/light/places/cells.h"
#include "bake/light/vrad/vrad.h"

#include <math.h>
#include <string.h>

#define MOST_AROUND 64u // faces around one
#define PIECE 8.0f      // luxels that a piece is at least wide
#define BESIDE 5.0f     // units that the box of a displacement is wider than it on each side

// How far pieces count: by the size of luxels, and before 2007 by that of the grid.
static void choose(const bspi_relight *own, uint32_t face, const bspi_places *luxels,
                   bspi_hill_mix *out) {
    const bspi_vrad_rules *rules = own->scale.vrad;
    uint32_t number = own->map->faces[face].displacement;
    float widest = fmaxf(luxels->half[0], fmaxf(luxels->half[1], luxels->half[2])) + BESIDE;
    *out = (bspi_hill_mix){.radius = bspi_hill_luxel(own, face) * PIECE * rules->around};
    if (!rules->fills && number < own->map->num_displacements) {
        float square = 2 * widest / (float)(2u << own->map->displacements[number].power);
        out->rising = true;
        out->radius = square * sqrtf(2) * rules->around;
    }
}

typedef struct mixer {
    const bspi_vrad *v;
    bspi_hill_mix mix;
    const float *luxel;
    const float *normal;
    uint32_t directions;
    float sums[BSPI_RELIGHT_DIRECTIONS][3];
    float weight;
    uint64_t steps; // pieces that were looked at for one luxel
} mixer;

static void add(mixer *m, const bspi_vrad_patch *patch) {
    float weight =
        patch->halves[0] != BSP_NONE || patch->directions == 0
            ? 0
            : bspi_hill_weight(&m->mix, m->luxel, m->normal, patch->middle, patch->normal);
    m->steps++;
    for (uint32_t d = 0; weight > 0 && d < m->directions; d++) {
        for (int c = 0; c < 3; c++) {
            m->sums[d][c] += weight * patch->taken[d < patch->directions ? d : 0][c];
        }
    }
    m->weight += weight;
}

static void add_face(mixer *m, uint32_t face) {
    const bspi_vrad *v = m->v;
    for (uint32_t i = v->firsts[face]; i < v->firsts[face + 1]; i++) {
        add(m, &v->patches[i]);
    }
    for (uint32_t i = v->hills[face]; i < v->hills[face + 1]; i++) {
        add(m, &v->patches[i]);
    }
}

bool bspi_vrad_hill(const bspi_vrad *v, uint32_t number, bsp_error *error) {
    bspi_relight *own = v->own;
    bsp_relight_face *face = &own->faces[number];
    uint32_t around[MOST_AROUND];
    uint32_t count = bspi_cells_around(own, number, around, MOST_AROUND);
    uint32_t style = bspi_face_style(face, 0);
    size_t each = (size_t)face->width * face->height;
    bspi_places luxels;
    mixer m = {.v = v, .directions = face->directions};
    if (style == BSP_NONE || face->luxels == NULL) {
        return true;
    }
    if (!bspi_places_corners(own, number, &luxels, error)) {
        return false;
    }
    float(*out)[3] = (float(*)[3])(uintptr_t)face->luxels + each * face->directions * style;
    choose(own, number, &luxels, &m.mix);
    bspi_meter meter = {.heap = &own->heap, .error = error};
    bool done = true;
    for (uint32_t n = 0; done && n < luxels.count && luxels.count == each; n++) {
        memset(m.sums, 0, sizeof m.sums);
        m.weight = 0;
        m.steps = 0;
        m.luxel = luxels.points[n];
        m.normal = luxels.normals[n];
        add_face(&m, number);
        for (uint32_t i = 0; i < count; i++) {
            add_face(&m, around[i]);
        }
        for (uint32_t d = 0; m.weight > 0 && d < m.directions; d++) {
            for (int c = 0; c < 3; c++) {
                out[each * d + n][c] += m.sums[d][c] / m.weight;
            }
        }
        done = bspi_meter_add(&meter, 1 + m.steps / 4);
    }
    bspi_places_free(own, &luxels);
    return done && bspi_meter_pay(&meter);
}
