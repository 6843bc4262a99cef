// SPDX-License-Identifier: MIT
// LIGHTGRIDS: light in space of Quake and Quake 2 by the six sides of a cube, in the cells that the
// map has: grids one after another, each after its size. Format: common/bspxfile.cc of ericw-tools
// (lightgrids_t).
#include "bake/light/gather/grid_place.h"
#include "bake/light/lumps/grid_cells.h"
#include "bake/light/lumps/light_octree.h"

#include "core/reader.h"
#include "layout/layout.h"

#include <math.h>
#include <string.h>

#define FARTHEST 1e6f // units: no grid is larger
#define WORD 4u       // bytes

typedef struct grids {
    bspi_relight *own;
    bsp_bytes data;
    bspi_grid_cells cells; // of the grid that is read, that are not in solid
    size_t room;
    size_t sides_room;
    size_t at; // in the lump
    size_t end;
    bspi_buffer out;
    bsp_error *error;
} grids;

static bool has(const grids *g, size_t size) {
    return g->end - g->at >= size;
}

static uint32_t word(const grids *g, size_t at) {
    return bspi_load32(g->data.data + at, false);
}

// Returns a number of the record that is next.
static uint32_t field(const grids *g, const bsp_layout *layout, uint32_t which, uint32_t axis) {
    return word(g, g->at + bsp_layout_offset(layout, which) + WORD * (size_t)axis);
}

static float number(const grids *g, const bsp_layout *layout, uint32_t which, uint32_t axis) {
    size_t at = g->at + bsp_layout_offset(layout, which) + WORD * (size_t)axis;
    return bspi_load_float(g->data.data + at, false);
}

// Returns how many bytes the cell has that begins there, 0 if it has no end.
static size_t cell_size(const grids *g) {
    const bsp_layout *sample = &bspi_lightgrids_sample_t;
    uint32_t count = has(g, 1) ? g->data.data[g->at] : 0;
    size_t size = has(g, 1) ? 1 : 0;
    for (uint32_t i = 0; size != 0 && count != BSPI_LIGHTGRID_OCCLUDED && i < count; i++) {
        if (!has(g, size + sample->size)) {
            return 0;
        }
        size_t bits = g->at + size + bsp_layout_offset(sample, BSPI_LIGHTGRIDS_SIDES);
        uint32_t sides = g->data.data[bits];
        size += sample->size;
        for (uint32_t side = 0; side < BSPI_GRID_SIDES; side++) {
            size += (sides >> side & 1) != 0 ? sizeof g->cells.sides->color[0][0] : 0;
        }
    }
    return has(g, size) ? size : 0;
}

static bool add_cell(grids *g, const uint32_t place[3]) {
    bspi_heap *heap = &g->own->heap;
    bspi_grid_cell *cells =
        bspi_grow(heap, g->cells.list, g->cells.count, &g->room, sizeof *cells, g->error);
    if (cells == NULL) {
        return false;
    }
    g->cells.list = cells;
    bspi_grid_sides *sides =
        bspi_grow(heap, g->cells.sides, g->cells.count, &g->sides_room, sizeof *sides, g->error);
    if (sides == NULL) {
        return false;
    }
    g->cells.sides = sides;
    cells[g->cells.count] = (bspi_grid_cell){.at = g->at};
    memcpy(cells[g->cells.count].place, place, sizeof cells->place);
    g->cells.count++;
    return true;
}

// What is done with what is read: cells are found, or written.
typedef struct pass {
    bool writes;
    uint32_t next; // cell
    uint32_t most; // styles
    bool sound;    // the lump is
} pass;

// Returns how many samples a cell has that is next.
static uint32_t put_cell(grids *g, pass *p, size_t size) {
    const uint8_t *old = g->data.data + g->at;
    const bspi_grid_cell *cell = p->next < g->cells.count ? &g->cells.list[p->next] : NULL;
    if (cell == NULL || cell->at != g->at) { // in solid
        bspi_buffer_add(&g->out, old, size);
        return 0;
    }
    p->next++;
    if (cell->count == BSPI_GRID_STAYS) {
        bspi_buffer_add(&g->out, old, size);
        return old[0];
    }
    bspi_grid_cell_put(cell, &g->cells.sides[p->next - 1], &g->out);
    return cell->count;
}

static bool pass_leaf(grids *g, pass *p) {
    const bsp_layout *layout = &bspi_lightgrids_leaf_t;
    uint32_t first[3];
    uint32_t size[3];
    uint64_t count = 1;
    uint32_t most = 0;
    p->sound = has(g, layout->size);
    for (uint32_t i = 0; i < 3 && p->sound; i++) {
        first[i] = field(g, layout, BSPI_LIGHTGRID_LEAF_MINS, i);
        size[i] = field(g, layout, BSPI_LIGHTGRID_LEAF_SIZE, i);
        count = count * size[i];
        p->sound = count <= g->data.size; // each has a byte at least
    }
    if (!p->sound) {
        return true;
    }
    size_t styles = g->out.size + bsp_layout_offset(layout, BSPI_LIGHTGRIDS_LEAF_STYLES);
    bspi_buffer_add(&g->out, g->data.data + g->at, p->writes ? layout->size : 0);
    g->at += layout->size;
    for (uint64_t n = 0; n < count; n++) {
        const uint32_t place[3] = {first[0] + (uint32_t)(n % size[0]),
                                   first[1] + (uint32_t)(n / size[0] % size[1]),
                                   first[2] + (uint32_t)(n / size[0] / size[1])};
        size_t bytes = cell_size(g);
        p->sound = bytes != 0;
        if (!p->sound) {
            return true;
        }
        if (p->writes) {
            uint32_t here = put_cell(g, p, bytes);
            most = here > most ? here : most;
        } else if (g->data.data[g->at] != BSPI_LIGHTGRID_OCCLUDED && !add_cell(g, place)) {
            return false;
        }
        g->at += bytes;
    }
    if (p->writes && !g->out.failed) {
        g->out.data[styles] = (uint8_t)most;
    }
    p->most = most > p->most ? most : p->most;
    return true;
}

// Goes through a grid, after its size. False on failure.
static bool pass_grid(grids *g, pass *p) {
    size_t header = bspi_lightgrid_header_t.size;
    size_t begin = g->at;
    size_t node = bspi_lightgrid_node_t.size;
    p->sound = has(g, header + WORD);
    if (!p->sound) {
        return true;
    }
    uint32_t nodes = word(g, g->at + header);
    p->sound = nodes <= (g->end - g->at - header - WORD) / node;
    size_t leaves = header + WORD + nodes * node;
    p->sound = p->sound && has(g, leaves + WORD);
    if (!p->sound) {
        return true;
    }
    uint32_t count = word(g, g->at + leaves);
    g->at += leaves + WORD;
    bspi_buffer_add(&g->out, g->data.data + begin, p->writes ? leaves + WORD : 0);
    for (uint32_t i = 0; i < count && p->sound; i++) {
        if (!pass_leaf(g, p)) {
            return false;
        }
    }
    p->sound = p->sound && g->at == g->end;
    return true;
}

// Reads where the cells are. False unless these are numbers.
static bool read_header(grids *g) {
    const bsp_layout *layout = &bspi_lightgrid_header_t;
    bool finite = has(g, layout->size);
    for (uint32_t i = 0; i < 3 && finite; i++) {
        g->cells.step[i] = number(g, layout, BSPI_LIGHTGRID_STEP, i);
        g->cells.corner[i] = number(g, layout, BSPI_LIGHTGRID_MINS, i);
        finite = fabsf(g->cells.step[i]) < FARTHEST && fabsf(g->cells.corner[i]) < FARTHEST;
    }
    return finite;
}

// Makes the grid that begins there; one that is damaged stays, and all after it. Returns false on
// failure.
static bool make_grid(grids *g, bool *sound) {
    size_t begin = g->at;
    pass find = {.sound = true};
    pass put = {.writes = true, .sound = true};
    uint32_t size = has(g, WORD) ? word(g, g->at) : 0;
    *sound = has(g, WORD) && size <= g->data.size - g->at - WORD;
    if (!*sound) {
        return true;
    }
    g->at += WORD;
    g->end = g->at + size;
    g->cells.count = 0;
    *sound = read_header(g);
    if (!*sound) {
        return true;
    }
    if (!bspi_heap_work(&g->own->heap, size, g->error) || !pass_grid(g, &find)) {
        return false;
    }
    *sound = find.sound;
    if (!*sound) {
        return true;
    }
    if (!bspi_grid_cells_light(&g->cells, g->error)) {
        return false;
    }
    g->own->relight.num_cells += g->cells.count;
    size_t to = g->out.size;
    bspi_buffer_u32(&g->out, 0, false);
    g->at = begin + WORD;
    bool done = pass_grid(g, &put) && !g->out.failed;
    if (done) {
        size_t styles =
            to + WORD + bsp_layout_offset(&bspi_lightgrid_header_t, BSPI_LIGHTGRID_STYLES);
        bspi_store32(g->out.data + to, (uint32_t)(g->out.size - to - WORD), false);
        g->out.data[styles] = (uint8_t)put.most;
    }
    g->end = g->data.size;
    return done;
}

bool bspi_grids_make(bspi_relight *own, bsp_error *error) {
    grids g = {.own = own,
               .cells = {.own = own},
               .out = {.heap = &own->heap, .error = error},
               .error = error};
    uint32_t lump = bspi_grids_lump(own->file);
    if (lump == BSP_NONE || (own->options->grid > 0 && own->options->grid_sides)) {
        return true;
    }
    if (!bsp_file_data(own->file, lump, &g.data, error)) {
        return false;
    }
    bool done = true;
    bool sound = true;
    while (done && sound && g.at < g.data.size) {
        size_t begin = g.at;
        g.end = g.data.size;
        done = make_grid(&g, &sound);
        if (done && !sound) { // stays
            bspi_buffer_add(&g.out, g.data.data + begin, g.data.size - begin);
        }
    }
    done = done && !g.out.failed && (g.out.size == 0 || bspi_buffer_give(&g.out, &own->grid_sides));
    bspi_buffer_free(&g.out);
    bspi_heap_free(&own->heap, g.cells.list, g.room * sizeof *g.cells.list);
    bspi_heap_free(&own->heap, g.cells.sides, g.sides_room * sizeof *g.cells.sides);
    return done;
}
