// SPDX-License-Identifier: MIT
// LIGHTGRID_OCTREE: light in space of Quake and Quake 2, in the cells that the map has. Format:
// sheet goldsrc-quake1 (9). Formulas: ericw-tools, light/ltface.cc (lightgrid_sample_t).
#include "bake/light/gather/grid_place.h"
#include "bake/light/lumps/finish.h"
#include "bake/light/lumps/light_octree.h"
#include "bake/light/lumps/region.h"

#include "core/buffer.h"
#include "core/workers.h"
#include "formats/composites.h"

#include <math.h>
#include <string.h>

#define STAYS BSPI_LIGHTGRID_OCCLUDED
#define MOST 4u       // styles of a cell
#define FARTHEST 1e6f // units: no grid is larger
#define TOGETHER 64u  // cells that a worker does at a time

// A cell that is not in solid.
typedef struct octree_cell {
    size_t at; // in the lump
    uint32_t place[3];
    uint32_t count; // of samples; STAYS: it has those that it had
    struct {
        uint8_t style;
        uint8_t color[3];
    } samples[MOST];
} octree_cell;

typedef struct octree {
    bspi_relight *own;
    bsp_parts parts;
    float step[3];
    float corner[3];
    octree_cell *cells;
    size_t room;
    uint32_t count;
    uint32_t first[3]; // of the leaf that is read
    uint32_t size[3];
    uint64_t visited; // cells of it
    bsp_error *error;
} octree;

// --- cells --------------------------------------------------------------------------------------

// Notes a cell of the leaf that begins there, unless it is in solid.
static bool add_cell(octree *o, size_t at) {
    uint64_t n = o->visited++;
    if (o->parts.data.data[at] == BSPI_LIGHTGRID_OCCLUDED) {
        return true;
    }
    octree_cell *cells =
        bspi_grow(&o->own->heap, o->cells, o->count, &o->room, sizeof *cells, o->error);
    if (cells == NULL) {
        return false;
    }
    o->cells = cells;
    cells[o->count++] =
        (octree_cell){.at = at,
                      .place = {o->first[0] + (uint32_t)(n % o->size[0]),
                                o->first[1] + (uint32_t)(n / o->size[0] % o->size[1]),
                                o->first[2] + (uint32_t)(n / o->size[0] / o->size[1])}};
    return true;
}

static void begin_leaf(octree *o, const bsp_table *leaf) {
    for (uint32_t i = 0; i < 3; i++) {
        o->first[i] = (uint32_t)bsp_table_int(leaf, 0, BSPI_LIGHTGRID_LEAF_MINS, i);
        o->size[i] = (uint32_t)bsp_table_int(leaf, 0, BSPI_LIGHTGRID_LEAF_SIZE, i);
    }
    o->visited = 0;
}

// Notes the cells: they stand in runs that have as many samples, or alone where they have many.
static bool find_cells(octree *o) {
    bool done = true;
    for (uint32_t i = 0; done && i < o->parts.count; i++) {
        const bsp_part *part = &o->parts.parts[i];
        bool record = part->kind == BSP_PART_RECORD;
        if (record && part->layout == &bspi_lightgrid_leaf_t) {
            bsp_table leaf = bsp_parts_table(&o->parts, i);
            begin_leaf(o, &leaf);
        }
        bool run = part->kind == BSP_PART_TABLE && strcmp(part->name, "cells") == 0;
        uint32_t count = run ? part->count : record && strcmp(part->name, "used_styles") == 0;
        for (uint32_t n = 0; done && n < count; n++) {
            done = add_cell(o, part->offset + n * (size_t)part->layout->size);
        }
    }
    return done && bspi_heap_work(&o->own->heap, o->parts.data.size, o->error);
}

// --- light --------------------------------------------------------------------------------------

// Adds to the style of a cell. Further ones than it has places for are left out.
static void add(const bspi_brought *b, int styles[MOST], float sums[MOST][3], uint32_t *count) {
    uint32_t s = 0;
    while (s < *count && styles[s] != b->lamp->style) {
        s++;
    }
    if (s == MOST) {
        return;
    }
    if (s == *count) {
        styles[(*count)++] = b->lamp->style;
        memset(sums[s], 0, sizeof sums[s]);
    }
    // What the side of a cube gets that gets most.
    float most =
        fmaxf(fabsf(b->direction[0]), fmaxf(fabsf(b->direction[1]), fabsf(b->direction[2])));
    float part = bspi_lamp_angle(b->lamp, most);
    for (int i = 0; i < 3; i++) {
        sums[s][i] += b->color[i] * part;
    }
}

static void finish(const octree *o, const float sum[3], uint8_t out[3]) {
    bspi_light_scale scale = o->own->scale;
    memset(scale.base, 0, sizeof scale.base);
    memset(scale.minimum, 0, sizeof scale.minimum);
    scale.rounds = true;
    scale.beyond = false;
    bspi_finish_color(&scale, o->own->map, sum, out);
}

static void light_cell(const octree *o, bspi_grid_place *place, octree_cell *cell) {
    const bspi_relight *own = o->own;
    float center[3];
    int styles[MOST] = {0};
    float sums[MOST][3];
    for (int i = 0; i < 3; i++) {
        center[i] = o->corner[i] + (float)cell->place[i] * o->step[i];
    }
    place->own = o->own;
    place->count = place->waiting = 0;
    cell->count = STAYS;
    if (!bspi_grid_place_find(place, center, o->step) ||
        (own->kept != NULL && !bspi_region_sees(own, place->cluster))) {
        return;
    }
    bspi_grid_place_gather(place, own->lamps, own->num_lamps);
    bspi_grid_place_gather(place, own->takers, own->num_takers);
    bspi_grid_place_gather(place, own->thrown, own->num_thrown);
    cell->count = 0;
    for (uint32_t i = 0; i < place->count; i++) {
        add(&place->list[i], styles, sums, &cell->count);
    }
    for (uint32_t s = 0; s < cell->count; s++) {
        cell->samples[s].style = (uint8_t)styles[s];
        finish(o, sums[s], cell->samples[s].color);
    }
}

static bool light_cells(void *user, uint32_t worker, uint32_t item, bsp_error *error) {
    const octree *o = user;
    bspi_relight *own = o->own;
    uint32_t lamps = own->num_lamps + own->num_takers + own->num_thrown;
    size_t size = (size_t)lamps * sizeof(bspi_brought);
    bspi_grid_place *place = bspi_heap_alloc(&own->heap, sizeof *place, error);
    bspi_brought *list = bspi_heap_alloc(&own->heap, size, error);
    bool done = place != NULL && list != NULL &&
                bspi_heap_work(&own->heap, (uint64_t)TOGETHER * (1 + lamps), error);
    (void)worker;
    for (uint32_t n = item * TOGETHER; done && n < o->count && n < (item + 1) * TOGETHER; n++) {
        place->list = list;
        light_cell(o, place, &o->cells[n]);
    }
    bspi_heap_free(&own->heap, place, sizeof *place);
    bspi_heap_free(&own->heap, list, size);
    return done;
}

// --- the lump -----------------------------------------------------------------------------------

// Adds the samples of a cell, or those that it had.
static void put_cell(const octree *o, const octree_cell *cell, bspi_buffer *out) {
    const bsp_layout *layout = &bspi_lightgrid_sample_t;
    const uint8_t *old = o->parts.data.data + cell->at;
    bool stays = cell->count == STAYS;
    uint8_t count = stays ? old[0] : (uint8_t)cell->count;
    bspi_buffer_add(out, &count, 1);
    if (stays) {
        bspi_buffer_add(out, old + 1, count * (size_t)layout->size);
    }
    for (uint32_t s = 0; !stays && s < count; s++) {
        uint8_t *to = bspi_buffer_grow(out, layout->size);
        if (to != NULL) {
            to[bsp_layout_offset(layout, BSPI_LIGHTGRID_STYLE)] = cell->samples[s].style;
            memcpy(to + bsp_layout_offset(layout, BSPI_LIGHTGRID_COLOR), cell->samples[s].color, 3);
        }
    }
}

// Writes the lump with other cells. `styles`: where it says how many they have at most.
static bool write(const octree *o, size_t styles, bsp_error *error) {
    bspi_relight *own = o->own;
    bspi_buffer out = {.heap = &own->heap, .error = error};
    const uint8_t *data = o->parts.data.data;
    size_t at = 0;
    uint32_t most = 0;
    for (uint32_t n = 0; n < o->count; n++) {
        const octree_cell *cell = &o->cells[n];
        uint32_t count = cell->count == STAYS ? data[cell->at] : cell->count;
        bspi_buffer_add(&out, data + at, cell->at - at);
        put_cell(o, cell, &out);
        at = cell->at + 1 + data[cell->at] * (size_t)bspi_lightgrid_sample_t.size;
        most = count > most ? count : most;
    }
    bspi_buffer_add(&out, data + at, o->parts.data.size - at);
    bool done = !out.failed;
    if (done) {
        out.data[styles] = (uint8_t)most;
        done = bspi_buffer_give(&out, &own->octree);
    }
    bspi_buffer_free(&out);
    return done;
}

static bool make(octree *o, bsp_error *error) {
    uint32_t number = bsp_parts_find(&o->parts, bsp_text_of("header"));
    bool finite = number != BSP_NONE;
    if (number == BSP_NONE) {
        return true; // a damaged one stays
    }
    bsp_table header = bsp_parts_table(&o->parts, number);
    for (uint32_t i = 0; i < 3; i++) {
        o->step[i] = bsp_table_float(&header, 0, BSPI_LIGHTGRID_STEP, i);
        o->corner[i] = bsp_table_float(&header, 0, BSPI_LIGHTGRID_MINS, i);
        finite = finite && fabsf(o->step[i]) < FARTHEST && fabsf(o->corner[i]) < FARTHEST;
    }
    if (!finite) {
        return true;
    }
    if (!find_cells(o)) {
        return false;
    }
    o->own->relight.num_cells = o->count;
    uint32_t items = o->count / TOGETHER + (o->count % TOGETHER != 0);
    size_t styles =
        o->parts.parts[number].offset + bsp_layout_offset(header.layout, BSPI_LIGHTGRID_STYLES);
    return bspi_workers_each(bspi_heap_threads(&o->own->heap), items, light_cells, o, error) &&
           write(o, styles, error);
}

bool bspi_octree_make(bspi_relight *own, bsp_error *error) {
    octree o = {.own = own, .error = error};
    uint32_t lump = bspi_octree_lump(own->file);
    if (lump == BSP_NONE) {
        return true;
    }
    bool done = bsp_file_parts(own->file, lump, NULL, &o.parts, error) && make(&o, error);
    bspi_heap_free(&own->heap, o.cells, o.room * sizeof *o.cells);
    bsp_parts_free(&o.parts);
    return done;
}
