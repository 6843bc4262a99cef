// SPDX-License-Identifier: MIT
// Compilers fill what no entity can reach. A map may still have such places, for instance behind a
// grate that was detail. Neighbouring cells are found by points on the outer side of polygons, and
// where that finds too few, by a thin slice outside of them.
#include "decompile/tree/flood.h"

#include <string.h>

#define SURELY 0.02      // units that a point is at least inside of a cell to be in no other
#define SLICE 0.25       // thickness of a slice
#define LEAST_SLICE 0.02 // cubic units: a smaller opening is ignored

static bool is_space(const bspi_tree_cell *cell) {
    return cell->contents < 0 && cell->contents != BSPI_TREE_SOLID &&
           cell->contents != BSPI_TREE_SKY;
}

static uint32_t group_of(bspi_flood *flood, uint32_t cell) {
    while (flood->group[cell] != cell) {
        flood->group[cell] = flood->group[flood->group[cell]];
        cell = flood->group[cell];
    }
    return cell;
}

static void join(bspi_flood *flood, uint32_t a, uint32_t b) {
    a = group_of(flood, a);
    b = group_of(flood, b);
    if (a != b) {
        uint32_t low = a < b ? a : b;
        uint32_t high = a < b ? b : a;
        flood->group[high] = low;
        flood->known[low] = flood->known[low] || flood->known[high];
    }
}

static bool carve_cell(bspi_flood *flood, const bspi_tree_cell *cell, uint32_t skip) {
    return bspi_carve(flood->carver, flood->tree->tags + cell->first_tag, cell->num_tags, skip);
}

// --- points -------------------------------------------------------------------------------------

// Joins the cell with the one near a point, which it returns. `last` is that of an earlier point.
static uint32_t probe(bspi_flood *flood, uint32_t cell, int32_t around, const double point[3],
                      const double out[3], uint32_t last) {
    double at[3];
    for (int a = 0; a < 3; a++) {
        at[a] = point[a] + BSPI_TREE_PROBE * out[a];
    }
    if (last != BSP_NONE &&
        bspi_tree_cell_holds(flood->tree, &flood->carver->flats, last, at, SURELY)) {
        return last;
    }
    uint32_t other = bspi_tree_find_from(flood->tree, flood->carver, around, at);
    if (is_space(&flood->tree->cells[other])) {
        join(flood, cell, other);
    }
    return other;
}

// Each border has one side whose plane faces out of its cell: that side is enough.
static void probe_side(bspi_flood *flood, uint32_t cell, int32_t around, uint32_t polygon) {
    bspi_carver *carver = flood->carver;
    uint32_t tag = carver->solid.polygons[polygon].tag;
    flood->open = flood->open || bspi_flats_is_box(&carver->flats, tag);
    if ((tag & 1) != 0 || bspi_flats_is_box(&carver->flats, tag)) {
        return;
    }
    double points[16][3];
    double middle[3] = {0, 0, 0};
    uint32_t count = bspi_polyhedron_points(&carver->solid, polygon, points, 16);
    for (uint32_t i = 0; i < count; i++) {
        for (int a = 0; a < 3; a++) {
            middle[a] += points[i][a] / count;
        }
    }
    const double *out = carver->flats.list[tag / 2].normal;
    uint32_t last = probe(flood, cell, around, middle, out, BSP_NONE);
    for (uint32_t i = 0; i < count; i++) {
        for (int a = 0; a < 3; a++) {
            points[i][a] += BSPI_TREE_INWARD * (middle[a] - points[i][a]);
        }
        last = probe(flood, cell, around, points[i], out, last);
    }
}

// Returns the node or cell below which all points near the carver's solid are.
static int32_t around_solid(const bspi_flood *flood) {
    double mins[3];
    double maxs[3];
    bspi_polyhedron_extent(&flood->carver->solid, mins, maxs);
    for (int a = 0; a < 3; a++) {
        mins[a] -= 2 * BSPI_TREE_PROBE;
        maxs[a] += 2 * BSPI_TREE_PROBE;
    }
    return bspi_tree_around(flood->tree, flood->carver, mins, maxs);
}

bool bspi_flood_begin(bspi_flood *flood, const bspi_tree *tree, bspi_carver *carver) {
    *flood = (bspi_flood){.tree = tree, .carver = carver, .room = tree->num_cells};
    bspi_heap *heap = carver->flats.heap;
    flood->group = bspi_heap_alloc(heap, flood->room * sizeof *flood->group, carver->error);
    flood->known = bspi_heap_alloc(heap, flood->room, carver->error);
    flood->largest = bspi_heap_alloc(heap, flood->room * sizeof *flood->largest, carver->error);
    if (flood->group == NULL || flood->known == NULL || flood->largest == NULL) {
        return false;
    }
    memset(flood->known, 0, flood->room);
    for (uint32_t i = 0; i < tree->num_cells; i++) {
        flood->group[i] = i;
    }
    for (uint32_t i = 0; i < tree->num_cells && !carver->starved; i++) {
        if (is_space(&tree->cells[i]) && bspi_tree_carve(tree, carver, i)) {
            int32_t around = around_solid(flood);
            for (uint32_t p = 0; p < carver->solid.num_polygons; p++) {
                probe_side(flood, i, around, p);
            }
        }
    }
    return !carver->starved;
}

void bspi_flood_end(bspi_flood *flood) {
    bspi_heap *heap = flood->carver->flats.heap;
    bspi_heap_free(heap, flood->group, flood->room * sizeof *flood->group);
    bspi_heap_free(heap, flood->known, flood->room);
    bspi_heap_free(heap, flood->largest, flood->room * sizeof *flood->largest);
}

void bspi_flood_enter(bspi_flood *flood, const double point[3]) {
    uint32_t cell = bspi_tree_find(flood->tree, flood->carver, point);
    if (is_space(&flood->tree->cells[cell])) {
        flood->known[group_of(flood, cell)] = 1;
        flood->entered = true;
    }
}

// --- slices -------------------------------------------------------------------------------------

typedef struct slice {
    bspi_flood *flood;
    uint32_t cell;
} slice;

static bool reach(void *user, bspi_carver *carver, uint32_t number) {
    slice *s = user;
    if (is_space(&s->flood->tree->cells[number]) &&
        bspi_polyhedron_volume(&carver->solid) > LEAST_SLICE) {
        join(s->flood, s->cell, number);
    }
    return true;
}

// Finds the cells directly outside of a side of a cell.
static bool slice_side(bspi_flood *flood, uint32_t number, uint32_t side) {
    bspi_carver *carver = flood->carver;
    const bspi_tree_cell *cell = &flood->tree->cells[number];
    uint32_t tag = flood->tree->tags[cell->first_tag + side];
    double out[3];
    double dist;
    bspi_flats_out(&carver->flats, tag, out, &dist);
    slice s = {flood, number};
    return bspi_flats_is_box(&carver->flats, tag) || !carve_cell(flood, cell, side) ||
           !bspi_polyhedron_cut(&carver->solid, out, dist + SLICE, tag, BSPI_TREE_EPSILON) ||
           !bspi_carve_tag(carver, tag ^ 1) || bspi_tree_walk(flood->tree, carver, reach, &s);
}

static bool is_filled(const bspi_flood *flood) {
    return flood->entered && !flood->open;
}

static void find_largest(bspi_flood *flood) {
    const bspi_tree_cell *cells = flood->tree->cells;
    for (uint32_t i = 0; i < flood->tree->num_cells;
         i++) { // the first of a group comes before the others
        uint32_t first = group_of(flood, i);
        bool larger = first == i || cells[i].volume > cells[flood->largest[first]].volume;
        flood->largest[first] = larger ? i : flood->largest[first];
    }
}

bool bspi_flood_settle(bspi_flood *flood) {
    const bspi_tree *tree = flood->tree;
    for (uint32_t i = 0; i < tree->num_cells && is_filled(flood); i++) {
        const bspi_tree_cell *cell = &tree->cells[i];
        for (uint32_t s = 0; is_space(cell) && s < cell->num_tags && !flood->carver->starved; s++) {
            if (!flood->known[group_of(flood, i)] && !slice_side(flood, i, s)) {
                return false;
            }
        }
    }
    find_largest(flood);
    return !flood->carver->starved;
}

// --- unreached cells -----------------------------------------------------------------------------

uint32_t bspi_flood_unreached(bspi_flood *flood) {
    const bspi_tree_cell *cells = flood->tree->cells;
    for (; is_filled(flood) && flood->next < flood->tree->num_cells; flood->next++) {
        uint32_t first = flood->next;
        if (is_space(&cells[first]) && flood->group[first] == first && !flood->known[first] &&
            cells[flood->largest[first]].volume > BSPI_TREE_LEAST_CELL) {
            flood->known[first] = 1;
            return flood->largest[first];
        }
    }
    return BSP_NONE;
}
