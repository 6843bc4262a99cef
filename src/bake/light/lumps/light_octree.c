// SPDX-License-Identifier: MIT
// LIGHTGRID_OCTREE: light in space of Quake and Quake 2, in the cells that the map has. Format:
// sheet goldsrc-quake1 (9). Formulas: ericw-tools, light/ltface.cc (lightgrid_sample_t).
#include "bake/light/gather/grid_place.h"
#include "bake/light/lumps/grid_cells.h"
#include "bake/light/lumps/light_octree.h"

#include <math.h>
#include <string.h>

#define FARTHEST 1e6f // units: no grid is larger

typedef struct octree {
    bspi_relight *own;
    bsp_parts parts;
    bspi_grid_cells cells; // that are not in solid
    size_t room;
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
    bspi_grid_cell *cells =
        bspi_grow(&o->own->heap, o->cells.list, o->cells.count, &o->room, sizeof *cells, o->error);
    if (cells == NULL) {
        return false;
    }
    o->cells.list = cells;
    cells[o->cells.count++] =
        (bspi_grid_cell){.at = at,
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

// --- the lump -----------------------------------------------------------------------------------

// Adds the samples of a cell, or those that it had.
static void put_cell(const octree *o, const bspi_grid_cell *cell, bspi_buffer *out) {
    const uint8_t *old = o->parts.data.data + cell->at;
    if (cell->count == BSPI_GRID_STAYS) {
        bspi_buffer_add(out, old, 1 + old[0] * (size_t)bspi_lightgrid_sample_t.size);
    } else {
        bspi_grid_cell_put(cell, NULL, out);
    }
}

// Writes the lump with other cells. `styles`: where it says how many they have at most.
static bool write(const octree *o, size_t styles, bsp_error *error) {
    bspi_relight *own = o->own;
    bspi_buffer out = {.heap = &own->heap, .error = error};
    const uint8_t *data = o->parts.data.data;
    size_t at = 0;
    uint32_t most = 0;
    for (uint32_t n = 0; n < o->cells.count; n++) {
        const bspi_grid_cell *cell = &o->cells.list[n];
        uint32_t count = cell->count == BSPI_GRID_STAYS ? data[cell->at] : cell->count;
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
        o->cells.step[i] = bsp_table_float(&header, 0, BSPI_LIGHTGRID_STEP, i);
        o->cells.corner[i] = bsp_table_float(&header, 0, BSPI_LIGHTGRID_MINS, i);
        finite =
            finite && fabsf(o->cells.step[i]) < FARTHEST && fabsf(o->cells.corner[i]) < FARTHEST;
    }
    if (!finite) {
        return true;
    }
    if (!find_cells(o)) {
        return false;
    }
    o->own->relight.num_cells = o->cells.count;
    size_t styles =
        o->parts.parts[number].offset + bsp_layout_offset(header.layout, BSPI_LIGHTGRID_STYLES);
    return bspi_grid_cells_light(&o->cells, error) && write(o, styles, error);
}

bool bspi_octree_make(bspi_relight *own, bsp_error *error) {
    octree o = {.own = own, .cells = {.own = own}, .error = error};
    uint32_t lump = bspi_octree_lump(own->file);
    if (lump == BSP_NONE || (own->options->grid > 0 && !own->options->grid_sides)) {
        return true;
    }
    bool done = bsp_file_parts(own->file, lump, NULL, &o.parts, error) && make(&o, error);
    bspi_heap_free(&own->heap, o.cells.list, o.room * sizeof *o.cells.list);
    bsp_parts_free(&o.parts);
    return done;
}
