// SPDX-License-Identifier: MIT
// Luxels of the light in cells: each mixes the cells around it, those of faces beside its own too.
// Facts: radial.cpp of the Source SDK.
#include "bake/light/gather/hills.h"
#include "bake/light/places/cells.h"

#include "core/vector.h"
#include "core/workers.h"
#include "mesh/bump.h"

#include <math.h>
#include <string.h>

#define LEAST 1e-3f  // square luxels that a cell and a luxel have together
#define NEAREST 0.1f // luxels: what is nearer counts as so far
#define WORK 4u      // luxels that a cell is added to: so many are one of work

typedef struct maker {
    bspi_relight *own;
    float (**luxels)[3]; // of each face, made anew; heap
} maker;

typedef struct mixer {
    bspi_blend *blend;
    const bspi_cells *cells; // of the face
    bspi_meter meter;
    uint64_t passed; // luxels that were looked at and are not paid for yet
} mixer;

// Adds the light of a cell, given in the luxels of the face, to those around it.
static void spread(mixer *m, const bspi_cell *cell, const bsp_relight_face *from, uint32_t style,
                   size_t number) {
    uint32_t size[2] = {m->cells->width, m->cells->height};
    uint32_t first[2];
    uint32_t end[2];
    for (int k = 0; k < 2; k++) {
        float low = fmaxf(cell->mins[k], 0);
        float high = fminf(cell->maxs[k] + 0.9999f, (float)size[k]);
        if (!(low < (float)size[k] && high >= 0)) {
            return;
        }
        first[k] = (uint32_t)low;
        end[k] = (uint32_t)high + 1 < size[k] ? (uint32_t)high + 1 : size[k];
    }
    for (uint32_t t = first[1]; t < end[1]; t++) {
        m->passed += end[0] > first[0] ? end[0] - first[0] : 0;
        for (uint32_t s = first[0]; s < end[0]; s++) {
            float place[2] = {(float)s, (float)t};
            float area = 1;
            float away = NEAREST;
            for (int k = 0; k < 2; k++) {
                area *= fmaxf(0, fminf(cell->maxs[k] - place[k], 1) -
                                     fmaxf(cell->mins[k] - place[k], -1));
                away = fmaxf(away, fabsf(cell->at[k] - place[k]));
            }
            if (area > LEAST) {
                bspi_blend_add(m->blend, (size_t)t * size[0] + s, area / away, from, style, number,
                               bspi_bump_directions[0][2]);
            }
        }
    }
}

// Takes a place of another face to the luxels of this one.
static void turn(const bspi_cells *to, const bspi_cells *from, const float at[2], float out[2]) {
    float point[3];
    bspi_flat_point(&from->flat, at[0], at[1], point);
    for (int k = 0; k < 2; k++) {
        out[k] = bspi_dot(to->luxels.vecs[k], point) + to->luxels.vecs[k][3];
    }
}

// Adds what the cells of a face (which may be the same) give to the luxels. False over a limit.
static bool take_style(mixer *m, const bspi_cells *from, const bsp_relight_face *light) {
    uint32_t style = bspi_face_style(light, m->blend->face->styles[m->blend->style]);
    bool own = from == m->cells;
    bool done = true;
    for (uint32_t n = 0; done && style != BSP_NONE && n < from->count; n++) {
        bspi_cell cell = from->list[n];
        m->passed++;
        if (!bspi_cell_is(&cell)) {
            continue;
        }
        if (!own) {
            turn(m->cells, from, from->list[n].at, cell.at);
            turn(m->cells, from, from->list[n].mins, cell.mins);
            turn(m->cells, from, from->list[n].maxs, cell.maxs);
            for (int k = 0; k < 2; k++) { // their axes may run against each other
                float low = fminf(cell.mins[k], cell.maxs[k]);
                cell.maxs[k] = fmaxf(cell.mins[k], cell.maxs[k]);
                cell.mins[k] = low;
            }
        }
        spread(m, &cell, light, style, n);
        done = bspi_meter_add(&m->meter, m->passed / WORK);
        m->passed %= WORK;
    }
    return done;
}

static bool take(mixer *m, const bspi_cells *from, const bsp_relight_face *light) {
    bool done = true;
    for (uint32_t s = 0; done && s < m->blend->face->num_styles; s++) {
        m->blend->style = s;
        done = take_style(m, from, light);
    }
    return done;
}

// Are the luxels of a face those of its cells?
static bool is_of_cells(const bsp_relight_face *face, const bspi_cells *cells) {
    return cells->count != 0 && face->luxels != NULL && face->width == cells->width &&
           face->height == cells->height;
}

static bool mix(bspi_relight *own, const bspi_cells *cells, bspi_blend *blend, bsp_error *error) {
    uint32_t around[BSPI_BLEND_AROUND];
    uint32_t count = bspi_cells_around(own, cells->face, around, BSPI_BLEND_AROUND);
    mixer m = {.blend = blend, .cells = cells, .meter = {.heap = &own->heap, .error = error}};
    bool done = take(&m, cells, blend->face);
    for (uint32_t i = 0; done && i < count; i++) {
        const bsp_relight_face *light = &own->faces[around[i]];
        bspi_cells other;
        if (!bspi_cells_find(own, around[i], &other, error)) {
            return false;
        }
        done = !is_of_cells(light, &other) || take(&m, &other, light);
        bspi_cells_free(own, &other);
    }
    if (done) {
        bspi_blend_divide(blend, false);
    }
    return done && bspi_meter_pay(&m.meter);
}

static bool blend_face(void *user, uint32_t worker, uint32_t number, bsp_error *error) {
    const maker *b = user;
    bspi_relight *own = b->own;
    const bsp_relight_face *face = &own->faces[number];
    bspi_cells cells;
    (void)worker;
    if (face->luxels == NULL) {
        return true;
    }
    if (!bspi_cells_find(own, number, &cells, error)) {
        return false;
    }
    bool hill = own->map->faces[number].displacement != BSP_NONE;
    if (!hill && !is_of_cells(face, &cells)) {
        bspi_cells_free(own, &cells);
        return true;
    }
    size_t each = (size_t)face->width * face->height;
    size_t weights = each * BSPI_RELIGHT_STYLES * sizeof(float);
    size_t size = each * face->directions * BSPI_RELIGHT_STYLES * sizeof(float[3]);
    float *weight = bspi_heap_alloc(&own->heap, weights, error);
    b->luxels[number] = bspi_heap_alloc(&own->heap, size, error);
    bool done = weight != NULL && b->luxels[number] != NULL;
    if (done) {
        memset(weight, 0, weights);
        memset(b->luxels[number], 0, size);
        bspi_blend blend = {.face = face, .out = b->luxels[number], .weights = weight};
        done = hill ? bspi_hill_blend(own, number, &blend, error) : mix(own, &cells, &blend, error);
    }
    bspi_heap_free(&own->heap, weight, weights);
    bspi_cells_free(own, &cells);
    return done;
}

bool bspi_cells_blend(bspi_relight *own, bsp_error *error) {
    uint32_t faces = own->map->num_faces;
    maker b = {.own = own};
    b.luxels = bspi_arena_zero(&own->arena, (size_t)faces + 1, sizeof *b.luxels, error);
    if (b.luxels == NULL) {
        return false;
    }
    bool done = bspi_workers_each(bspi_heap_threads(&own->heap), faces, blend_face, &b, error);
    for (uint32_t i = 0; i < faces; i++) {
        bsp_relight_face *face = &own->faces[i];
        size_t size = (size_t)face->width * face->height * face->directions * BSPI_RELIGHT_STYLES *
                      sizeof *face->luxels;
        if (b.luxels[i] != NULL) { // the old ones go, or on failure the new ones
            const void *old = done ? (const void *)face->luxels : (const void *)b.luxels[i];
            face->luxels = done ? (const float(*)[3])b.luxels[i] : face->luxels;
            bspi_heap_free(&own->heap, (void *)(uintptr_t)old, size);
        }
    }
    return done;
}
