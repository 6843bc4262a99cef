// SPDX-License-Identifier: MIT
// Direct light in the cells of a face, as vrad measures it: once in the middle, and at sixteen
// places where a neighbour is much brighter or darker. Facts: BuildSupersampleFaceLights of
// lightmap.cpp of the Source SDK.
#include "bake/light/gather/direct.h"
#include "bake/light/places/cells.h"
#include "bake/light/places/places.h"

#include "core/curves.h"

#include <math.h>
#include <string.h>

#define SIDE 4u       // places along an edge of a cell that is measured again
#define PLACES 16u    // and in it
#define PASSES 4      // over the cells, as each changes what its neighbours see
#define STEEP 0.0625f // difference of brightness between neighbours
#define AT_ONCE 128u  // cells that are measured again together
#define INSIDE 1e-4f  // luxels: so far outside of an edge is still inside

typedef struct work {
    bspi_relight *own;
    const bspi_cells *cells;
    bsp_relight_face direct; // without the sky; heap
    bsp_relight_face sky;    // heap
    float (*sums)[3];        // both, as bsp_relight_face.luxels; heap
    float *bright;           // of each style, direction and cell; heap
    bool *again;             // cells that were measured again; heap
    uint32_t *chosen;        // cells that are now; heap
} work;

static size_t each(const work *w) {
    return (size_t)w->cells->count;
}

static size_t run(const work *w) {
    return each(w) * w->cells->luxels.blocks;
}

static size_t room(const work *w) {
    return run(w) * BSPI_RELIGHT_STYLES;
}

// --- measuring ----------------------------------------------------------------------------------

static bool measure(bspi_relight *own, bspi_places *places, bspi_lamp_share share,
                    bsp_relight_face *out, bsp_error *error) {
    memset(out, 0, sizeof *out);
    places->share = share;
    return bspi_direct_at(own, places, out, error);
}

static void drop(bspi_relight *own, bsp_relight_face *face) {
    size_t luxels = (size_t)face->width * face->height * face->directions * BSPI_RELIGHT_STYLES;
    bspi_heap_free(&own->heap, (void *)(uintptr_t)face->luxels, luxels * sizeof *face->luxels);
    memset(face, 0, sizeof *face);
}

// Measures in the middles of the cells.
static bool measure_middles(work *w, bsp_error *error) {
    size_t size = each(w) * sizeof(float[2]);
    float(*at)[2] = bspi_heap_alloc(&w->own->heap, size, error);
    bspi_places places = {0};
    for (uint32_t n = 0; at != NULL && n < w->cells->count; n++) {
        memcpy(at[n], w->cells->list[n].at, sizeof at[n]);
    }
    bool done = at != NULL && bspi_cells_places(w->own, w->cells, (const float(*)[2])at,
                                                w->cells->count, w->cells->width, &places, error);
    for (uint32_t n = 0; done && n < w->cells->count; n++) {
        places.lit[n] = bspi_cell_is(&w->cells->list[n]);
    }
    bspi_places_enclose(&places);
    done = done && measure(w->own, &places, BSPI_LAMPS_NEAR, &w->direct, error) &&
           measure(w->own, &places, BSPI_LAMPS_SKY, &w->sky, error);
    bspi_places_free(w->own, &places);
    bspi_heap_free(&w->own->heap, at, size);
    return done;
}

// The light of the sky in a cell, of one of the styles that all light has.
static const float *sky_of(const work *w, uint32_t style, size_t at) {
    static const float none[3] = {0, 0, 0};
    uint32_t number = bspi_face_style(&w->sky, w->direct.styles[style]);
    return number == BSP_NONE ? none : w->sky.luxels[run(w) * number + at];
}

// Sums what both have; styles that only the sky has come last.
static void join(work *w) {
    float(*direct)[3] = (float(*)[3])(uintptr_t)w->direct.luxels;
    for (uint32_t s = 0; s < w->sky.num_styles; s++) {
        if (bspi_face_style(&w->direct, w->sky.styles[s]) == BSP_NONE &&
            w->direct.num_styles < BSPI_RELIGHT_STYLES) {
            memset(direct + run(w) * w->direct.num_styles, 0, run(w) * sizeof *direct);
            w->direct.styles[w->direct.num_styles++] = w->sky.styles[s];
        }
    }
    for (uint32_t s = 0; s < w->direct.num_styles; s++) {
        for (size_t n = 0; n < run(w); n++) {
            for (int c = 0; c < 3; c++) {
                w->sums[run(w) * s + n][c] = direct[run(w) * s + n][c] + sky_of(w, s, n)[c];
            }
        }
    }
}

// --- brightness ---------------------------------------------------------------------------------

static void weigh(const work *w, uint32_t cell) {
    for (size_t n = cell; n < run(w) * w->direct.num_styles; n += each(w)) {
        const float *sum = w->sums[n];
        float light = (sum[0] + sum[1] + sum[2]) * 255 / 256;
        w->bright[n] = light > 0 ? bspi_power(light, 1 / 2.2f) : 0;
    }
}

static bool is_steep(const work *w, uint32_t cell) {
    uint32_t width = w->cells->width;
    uint32_t x = cell % width;
    uint32_t y = cell / width;
    float most = 0;
    for (uint32_t v = y == 0 ? 0 : y - 1; v <= y + 1 && v < w->cells->height; v++) {
        for (uint32_t u = x == 0 ? 0 : x - 1; u <= x + 1 && u < width; u++) {
            size_t other = (size_t)v * width + u;
            for (size_t n = 0;
                 bspi_cell_is(&w->cells->list[other]) && n < run(w) * w->direct.num_styles;
                 n += each(w)) {
                most = fmaxf(most, fabsf(w->bright[n + cell] - w->bright[n + other]));
            }
        }
    }
    return most >= STEEP;
}

// --- measuring again ----------------------------------------------------------------------------

// Is a place, in luxels, on the face and in the square of the cell?
static bool is_within(const bspi_cells *cells, uint32_t cell, const float at[2]) {
    float x = at[0] - (float)(cell % cells->width);
    float y = at[1] - (float)(cell / cells->width);
    bool left = true;
    bool right = true;
    for (uint32_t i = 0; i < cells->num_corners; i++) {
        const float *a = cells->corners[i].light;
        const float *b = cells->corners[(i + 1) % cells->num_corners].light;
        float side = (b[0] - a[0]) * (at[1] - a[1]) - (b[1] - a[1]) * (at[0] - a[0]);
        left = left && side >= -INSIDE;
        right = right && side <= INSIDE;
    }
    return x >= 0 && y >= 0 && x <= 1 && y <= 1 && (left || right);
}

static bool is_whole(const bspi_cell *cell) {
    return cell->maxs[0] - cell->mins[0] > 1 - INSIDE && cell->maxs[1] - cell->mins[1] > 1 - INSIDE;
}

// The mean of the places of a cell that count; false without any.
static bool mean_of(const bsp_relight_face *fine, const bool *counts, uint32_t first, size_t style,
                    float out[3]) {
    uint32_t count = 0;
    memset(out, 0, 3 * sizeof *out);
    for (uint32_t i = 0; i < PLACES; i++) {
        const float *light = fine->luxels[style + first + i];
        count += counts[first + i];
        for (int c = 0; c < 3; c++) {
            out[c] += counts[first + i] ? light[c] : 0;
        }
    }
    for (int c = 0; c < 3 && count != 0; c++) {
        out[c] /= (float)count;
    }
    return count != 0;
}

static void replace(work *w, const bsp_relight_face *fine, const bool *counts, uint32_t number) {
    uint32_t cell = w->chosen[number];
    size_t places = (size_t)fine->width * fine->height;
    for (uint32_t s = 0; s < w->direct.num_styles; s++) {
        uint32_t from = bspi_face_style(fine, w->direct.styles[s]);
        for (uint32_t d = 0; d < w->cells->luxels.blocks; d++) {
            size_t to = run(w) * s + each(w) * d + cell;
            float mean[3];
            if (from == BSP_NONE || !mean_of(fine, counts, number * PLACES,
                                             (from * w->cells->luxels.blocks + d) * places, mean)) {
                continue;
            }
            for (int c = 0; c < 3; c++) {
                w->sums[to][c] = mean[c] + sky_of(w, s, each(w) * d + cell)[c];
            }
        }
    }
}

// Has a cell one of the four places where vrad measures the light of the sky again? Without any it
// measures none again, so that a piece that is less than half a luxel wide keeps its middle's.
static bool is_roomy(const work *w, uint32_t number) {
    const bspi_cell *cell = &w->cells->list[number];
    bool some = is_whole(cell);
    for (int i = 0; i < 4 && !some; i++) {
        const float at[2] = {cell->at[0] + ((i & 1) != 0 ? 0.25f : -0.25f),
                             cell->at[1] + ((i & 2) != 0 ? 0.25f : -0.25f)};
        some = is_within(w->cells, number, at);
    }
    return some;
}

static bool measure_chosen(work *w, uint32_t count, float (*at)[2], bool *counts,
                           bsp_error *error) {
    bspi_places places;
    bsp_relight_face fine = {0};
    bool roomy = false;
    for (uint32_t n = 0; n < count * PLACES; n++) {
        const bspi_cell *cell = &w->cells->list[w->chosen[n / PLACES]];
        for (uint32_t k = 0; k < 2; k++) {
            uint32_t step = (k == 0 ? n % SIDE : n / SIDE) % SIDE;
            at[n][k] = cell->at[k] + ((float)step + 0.5f) / (float)SIDE - 0.5f;
        }
        roomy = n % PLACES != 0 ? roomy
                                : !w->own->scale.vrad->both || is_roomy(w, w->chosen[n / PLACES]);
        counts[n] = is_whole(cell) || (roomy && is_within(w->cells, w->chosen[n / PLACES], at[n]));
    }
    if (!bspi_cells_places(w->own, w->cells, (const float(*)[2])at, count * PLACES, PLACES, &places,
                           error)) {
        return false;
    }
    memcpy(places.lit, counts, count * PLACES);
    bool done = measure(w->own, &places, BSPI_LAMPS_NEAR, &fine, error);
    for (uint32_t i = 0; done && i < count; i++) {
        replace(w, &fine, counts, i);
    }
    drop(w->own, &fine);
    bspi_places_free(w->own, &places);
    return done;
}

// Measures the cells again beside which light changes fast. Sets how many these are.
static bool pass(work *w, uint32_t *found, float (*at)[2], bool *counts, bsp_error *error) {
    uint32_t count = 0;
    *found = 0;
    for (uint32_t n = 0; n < w->cells->count; n++) {
        if (!w->again[n] && bspi_cell_is(&w->cells->list[n]) && is_steep(w, n)) {
            w->chosen[(*found)++] = n;
        }
    }
    uint32_t *all = w->chosen;
    bool done = true;
    for (uint32_t first = 0; done && first < *found; first += count) {
        count = *found - first < AT_ONCE ? *found - first : AT_ONCE;
        w->chosen = all + first;
        done = measure_chosen(w, count, at, counts, error);
    }
    w->chosen = all;
    for (uint32_t i = 0; i < *found; i++) {
        w->again[all[i]] = true;
        weigh(w, all[i]);
    }
    return done;
}

static bool refine(work *w, bsp_error *error) {
    bspi_heap *heap = &w->own->heap;
    size_t size = AT_ONCE * PLACES * sizeof(float[2]);
    float(*at)[2] = bspi_heap_alloc(heap, size, error);
    bool *counts = bspi_heap_alloc(heap, AT_ONCE * PLACES, error);
    uint32_t found = 1;
    bool done = at != NULL && counts != NULL;
    for (uint32_t n = 0; done && n < w->cells->count; n++) {
        w->again[n] = false;
        weigh(w, n);
    }
    for (int i = 0; done && i < PASSES && found != 0; i++) {
        done = pass(w, &found, at, counts, error);
    }
    bspi_heap_free(heap, counts, AT_ONCE * PLACES);
    bspi_heap_free(heap, at, size);
    return done;
}

// --- the face -----------------------------------------------------------------------------------

bool bspi_cells_light(bspi_relight *own, const bspi_cells *cells, bsp_relight_face *out,
                      bsp_error *error) {
    work w = {.own = own, .cells = cells};
    bspi_heap *heap = &own->heap;
    w.sums = bspi_heap_alloc(heap, room(&w) * sizeof *w.sums, error);
    w.bright = bspi_heap_alloc(heap, room(&w) * sizeof *w.bright, error);
    w.again = bspi_heap_alloc(heap, each(&w), error);
    w.chosen = bspi_heap_alloc(heap, each(&w) * sizeof *w.chosen, error);
    bool done = w.sums != NULL && w.bright != NULL && w.again != NULL && w.chosen != NULL &&
                measure_middles(&w, error);
    if (done) {
        join(&w);
        done = refine(&w, error);
    }
    if (done) {
        *out = w.direct;
        out->luxels = (const float(*)[3])w.sums;
        w.sums = NULL;
    }
    drop(own, &w.sky);
    w.direct.width = cells->width;
    w.direct.height = cells->height;
    drop(own, &w.direct);
    bspi_heap_free(heap, w.sums, room(&w) * sizeof *w.sums);
    bspi_heap_free(heap, w.bright, room(&w) * sizeof *w.bright);
    bspi_heap_free(heap, w.again, each(&w));
    bspi_heap_free(heap, w.chosen, each(&w) * sizeof *w.chosen);
    return done;
}
