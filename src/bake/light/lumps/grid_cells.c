// SPDX-License-Identifier: MIT
// Light in the cells of a grid of Quake and Quake 2. Formulas: ericw-tools, light/ltface.cc
// (lightgrid_sample_t, FixPointAndCalcLightgrid).
#include "bake/light/gather/grid_place.h"
#include "bake/light/lamps/lamp.h"
#include "bake/light/lumps/finish.h"
#include "bake/light/lumps/grid_cells.h"
#include "bake/light/lumps/region.h"

#include "core/workers.h"

#include <math.h>
#include <string.h>

#define TOGETHER 64u // cells that a worker does at a time

// What a cell has of a style: at the side of a cube that gets most, and at each.
typedef struct cell_sum {
    float most[3];
    float sides[BSPI_GRID_SIDES][3];
} cell_sum;

// Adds to the style of a cell. Further ones than it has places for are left out.
static void add(const bspi_brought *b, int styles[BSPI_GRID_STYLES],
                cell_sum sums[BSPI_GRID_STYLES], uint32_t *count) {
    uint32_t s = 0;
    while (s < *count && styles[s] != b->lamp->style) {
        s++;
    }
    if (s == BSPI_GRID_STYLES) {
        return;
    }
    if (s == *count) {
        styles[(*count)++] = b->lamp->style;
        memset(&sums[s], 0, sizeof sums[s]);
    }
    // What the side of a cube gets that gets most.
    float most =
        fmaxf(fabsf(b->direction[0]), fmaxf(fabsf(b->direction[1]), fabsf(b->direction[2])));
    float angle = b->lamp->emits > 0 ? 1 : b->lamp->angle; // surfaces: whichever share they have
    float part = 1 - angle + angle * most;
    for (int i = 0; i < 3; i++) {
        sums[s].most[i] += b->color[i] * part;
    }
    for (uint32_t side = 0; side < BSPI_GRID_SIDES; side++) {
        float cosine = b->direction[side / 2] * (side % 2 == 0 ? 1.0f : -1.0f);
        float share = cosine < 0 ? 0 : 1 - angle + angle * cosine;
        for (int i = 0; i < 3; i++) {
            sums[s].sides[side][i] += b->color[i] * share;
        }
    }
}

static void finish(const bspi_grid_cells *o, const float sum[3], uint8_t out[3]) {
    bspi_light_scale scale = o->own->scale;
    memset(scale.curve.base, 0, sizeof scale.curve.base);
    memset(scale.minimum, 0, sizeof scale.minimum);
    scale.curve.rounds = true;
    scale.curve.cap = 0; // channels end at 255 each for itself
    bspi_finish_color(&scale, o->own->map, sum, out);
}

static void light_cell(const bspi_grid_cells *o, bspi_grid_places *places, bspi_grid_cell *cell) {
    const bspi_relight *own = o->own;
    float center[3];
    int styles[BSPI_GRID_STYLES] = {0};
    cell_sum sums[BSPI_GRID_STYLES];
    for (int i = 0; i < 3; i++) {
        center[i] = o->corner[i] + (float)cell->place[i] * o->step[i];
    }
    bspi_grid_place *place = &places->list[0];
    place->count = 0;
    cell->count = BSPI_GRID_STAYS;
    bool free = bspi_grid_place_beside(o->own, place, center) ||
                (!o->anew && bspi_grid_place_find(o->own, place, center, o->step));
    if (!free || (!o->anew && own->kept != NULL && !bspi_region_sees(own, place->cluster))) {
        return;
    }
    bspi_grid_place_cull(o->own, place);
    bspi_grid_places_gather(places, own->lamps, own->num_lamps);
    bspi_grid_places_gather(places, own->takers, own->num_takers);
    bspi_grid_places_gather(places, own->thrown, own->num_thrown);
    cell->count = 0;
    for (uint32_t i = 0; i < place->count; i++) {
        add(&place->list[i], styles, sums, &cell->count);
    }
    for (uint32_t s = 0; s < cell->count; s++) {
        cell->samples[s].style = (uint8_t)styles[s];
        finish(o, sums[s].most, cell->samples[s].color);
        for (uint32_t side = 0; o->sides != NULL && side < BSPI_GRID_SIDES; side++) {
            finish(o, sums[s].sides[side], o->sides[cell - o->list].color[s][side]);
        }
    }
}

static bool light_cells(void *user, uint32_t worker, uint32_t item, bsp_error *error) {
    const bspi_grid_cells *o = user;
    bspi_relight *own = o->own;
    uint32_t lamps = own->num_lamps + own->num_takers + own->num_thrown;
    size_t size = (size_t)lamps * sizeof(bspi_brought);
    size_t row_bytes = own->map->visibility.row_bytes + 1; // there may be no rows
    bspi_grid_places *places = bspi_heap_alloc(&own->heap, sizeof *places, error);
    uint8_t *row = bspi_heap_alloc(&own->heap, row_bytes, error);
    bspi_brought *list = bspi_heap_alloc(&own->heap, size, error);
    bool done = places != NULL && list != NULL && row != NULL &&
                bspi_heap_work(&own->heap, (uint64_t)TOGETHER * (1 + lamps), error);
    (void)worker;
    if (done) {
        places->own = own;
        places->near = 0;
        places->count = 1;
        places->waiting = 0;
    }
    for (uint32_t n = item * TOGETHER; done && n < o->count && n < (item + 1) * TOGETHER; n++) {
        *places->list = (bspi_grid_place){.row = row, .list = list};
        light_cell(o, places, &o->list[n]);
    }
    bspi_heap_free(&own->heap, row, row_bytes);
    bspi_heap_free(&own->heap, places, sizeof *places);
    bspi_heap_free(&own->heap, list, size);
    return done;
}

static void put_sides(uint8_t style, const uint8_t color[BSPI_GRID_SIDES][3], bspi_buffer *out) {
    static const uint8_t black[3] = {0, 0, 0};
    const bsp_layout *layout = &bspi_lightgrids_sample_t;
    uint32_t sides = 0; // a bit for each that has light
    for (uint32_t side = 0; side < BSPI_GRID_SIDES; side++) {
        sides |= (uint32_t)(memcmp(color[side], black, sizeof black) != 0) << side;
    }
    uint8_t *to = bspi_buffer_grow(out, layout->size);
    if (to != NULL) {
        to[bsp_layout_offset(layout, BSPI_LIGHTGRIDS_STYLE)] = style;
        to[bsp_layout_offset(layout, BSPI_LIGHTGRIDS_SIDES)] = (uint8_t)sides;
    }
    for (uint32_t side = 0; side < BSPI_GRID_SIDES; side++) {
        bspi_buffer_add(out, color[side], (sides >> side & 1) != 0 ? sizeof color[side] : 0);
    }
}

void bspi_grid_cell_put(const bspi_grid_cell *cell, const bspi_grid_sides *sides,
                        bspi_buffer *out) {
    const bsp_layout *layout = &bspi_lightgrid_sample_t;
    uint8_t count = (uint8_t)cell->count;
    bspi_buffer_add(out, &count, 1);
    for (uint32_t s = 0; sides != NULL && cell->count != BSPI_GRID_STAYS && s < cell->count; s++) {
        put_sides(cell->samples[s].style, sides->color[s], out);
    }
    if (sides != NULL) {
        return;
    }
    for (uint32_t s = 0; cell->count != BSPI_GRID_STAYS && s < cell->count; s++) {
        uint8_t *to = bspi_buffer_grow(out, layout->size);
        if (to != NULL) {
            to[bsp_layout_offset(layout, BSPI_LIGHTGRID_STYLE)] = cell->samples[s].style;
            memcpy(to + bsp_layout_offset(layout, BSPI_LIGHTGRID_COLOR), cell->samples[s].color, 3);
        }
    }
}

bool bspi_grid_cells_light(bspi_grid_cells *cells, bsp_error *error) {
    uint32_t items = cells->count / TOGETHER + (cells->count % TOGETHER != 0);
    return bspi_workers_each(bspi_heap_threads(&cells->own->heap), items, light_cells, cells,
                             error);
}
