// SPDX-License-Identifier: MIT
// LIGHTGRID_OCTREE for maps that have none: a grid around the faces of the world, or between
// entities with "_lightgrid_hint", divided in eight where some of a part is in solid. Source:
// light/lightgrid.cc of ericw-tools.
#include "bake/light/base/keys.h"
#include "bake/light/lumps/grid_cells.h"
#include "bake/light/lumps/light_octree.h"

#include "core/reader.h"

#include <math.h>
#include <string.h>

#define MOST_DEPTH 5 // of parts in parts
#define LEAST 4u     // cells along each axis of a part that is divided
#define FEW 8u       // cells in solid with which a part is not
#define MOST_CELLS (1u << 28)

// A part of the grid.
typedef struct part {
    uint32_t low[3];
    uint32_t size[3];
} part;

typedef struct octree {
    bspi_relight *own;
    bspi_grid_cells cells;
    uint32_t size[3];
    bspi_buffer nodes;
    bspi_buffer leaves;
    uint32_t most; // samples of the cells of the last leaf
    uint32_t num_nodes;
    uint32_t num_leaves;
    bsp_error *error;
} octree;

// --- where it is --------------------------------------------------------------------------------

static void grow(const float point[3], float low[3], float high[3]) {
    for (int i = 0; i < 3; i++) {
        low[i] = fminf(low[i], point[i]);
        high[i] = fmaxf(high[i], point[i]);
    }
}

static bool is_box(const float low[3], const float high[3]) {
    return high[0] > low[0] && high[1] > low[1] && high[2] > low[2];
}

// Sets the box between entities that ask for it. False unless it has a volume.
static bool between_hints(const bsp_entities *entities, float low[3], float high[3]) {
    for (uint32_t i = 0; entities != NULL && i < entities->count; i++) {
        float point[3];
        if (bspi_key_whole(&entities->list[i], "_lightgrid_hint", 0, 0, 1) != 0) {
            (void)bspi_key_point(&entities->list[i], "origin", point);
            grow(point, low, high);
        }
    }
    return is_box(low, high);
}

static bool around_faces(const bsp_map *map, float low[3], float high[3]) {
    const bsp_model none = {0};
    const bsp_model *world = map->num_models != 0 ? &map->models[0] : &none;
    for (int i = 0; i < 3; i++) {
        low[i] = INFINITY;
        high[i] = -INFINITY;
    }
    for (uint32_t n = 0; n < world->num_faces && world->first_face + n < map->num_faces; n++) {
        const bsp_face *face = &map->faces[world->first_face + n];
        for (uint32_t i = 0; i < face->num_edges; i++) {
            uint32_t at = face->first_edge + i;
            uint32_t vertex = at < map->num_surfedges ? bsp_surfedge_vertex(map, at) : BSP_NONE;
            if (vertex < map->num_vertices) {
                grow(map->vertices[vertex].point, low, high);
            }
        }
    }
    return is_box(low, high);
}

// Sets the cells. False if there are none, or too many.
static bool place_cells(octree *o) {
    const bsp_map *map = o->own->map;
    float step = o->own->options->grid;
    float low[3] = {INFINITY, INFINITY, INFINITY};
    float high[3] = {-INFINITY, -INFINITY, -INFINITY};
    double count = 1;
    if (!between_hints(map->entities, low, high) && !around_faces(map, low, high)) {
        return bsp_fail(o->error, BSP_E_UNSUPPORTED, NULL, "there is no room for a light grid");
    }
    for (int i = 0; i < 3; i++) {
        double along = ceil(((double)high[i] - (double)low[i]) / (double)step);
        o->cells.corner[i] = low[i];
        o->cells.step[i] = step;
        count *= along;
        o->size[i] = count < MOST_CELLS ? (uint32_t)along : 0;
    }
    if (!(count < MOST_CELLS)) {
        return bsp_fail(o->error, BSP_E_LIMIT, NULL, "a light grid of %g cells", count);
    }
    o->cells.count = o->size[0] * o->size[1] * o->size[2];
    o->cells.list =
        bspi_heap_alloc(&o->own->heap, o->cells.count * sizeof *o->cells.list, o->error);
    for (uint32_t n = 0; o->cells.list != NULL && n < o->cells.count; n++) {
        o->cells.list[n] = (bspi_grid_cell){
            .place = {n % o->size[0], n / o->size[0] % o->size[1], n / o->size[0] / o->size[1]},
            .count = BSPI_GRID_STAYS};
    }
    if (o->cells.list != NULL && o->own->options->grid_sides) {
        o->cells.sides =
            bspi_heap_alloc(&o->own->heap, o->cells.count * sizeof *o->cells.sides, o->error);
    }
    return o->cells.list != NULL && (o->cells.sides != NULL || !o->own->options->grid_sides) &&
           bspi_heap_work(&o->own->heap, o->cells.count, o->error);
}

// --- its tree -----------------------------------------------------------------------------------

static const bspi_grid_cell *cell_at(const octree *o, uint32_t x, uint32_t y, uint32_t z) {
    return &o->cells.list[((size_t)z * o->size[1] + y) * o->size[0] + x];
}

// Calls `take` for each cell of a part, along x first.
static void each_cell(const octree *o, const part *p,
                      void (*take)(void *user, const bspi_grid_cell *cell), void *user) {
    for (uint32_t z = p->low[2]; z < p->low[2] + p->size[2]; z++) {
        for (uint32_t y = p->low[1]; y < p->low[1] + p->size[1]; y++) {
            for (uint32_t x = p->low[0]; x < p->low[0] + p->size[0]; x++) {
                take(user, cell_at(o, x, y, z));
            }
        }
    }
}

static void count_solid(void *user, const bspi_grid_cell *cell) {
    uint32_t *count = user;
    *count += cell->count == BSPI_GRID_STAYS;
}

static void put_cell(void *user, const bspi_grid_cell *cell) {
    octree *o = user;
    const bspi_grid_sides *sides =
        o->cells.sides != NULL ? &o->cells.sides[cell - o->cells.list] : NULL;
    bspi_grid_cell_put(cell, sides, &o->leaves);
    o->most = cell->count != BSPI_GRID_STAYS && cell->count > o->most ? cell->count : o->most;
}

// Sets a field of a new record, or nothing without one.
static void put(uint8_t *record, const bsp_layout *layout, uint32_t field, const uint32_t *values,
                uint32_t count) {
    for (uint32_t i = 0; record != NULL && i < count; i++) {
        bspi_store32(record + bsp_layout_offset(layout, field) + 4 * (size_t)i, values[i], false);
    }
}

static uint32_t add_leaf(octree *o, const part *p) {
    bool sides = o->cells.sides != NULL;
    const bsp_layout *layout = sides ? &bspi_lightgrids_leaf_t : &bspi_lightgrid_leaf_t;
    size_t at = o->leaves.size;
    uint8_t *leaf = bspi_buffer_grow(&o->leaves, layout->size);
    put(leaf, layout, BSPI_LIGHTGRID_LEAF_MINS, p->low, 3);
    put(leaf, layout, BSPI_LIGHTGRID_LEAF_SIZE, p->size, 3);
    o->most = 0;
    each_cell(o, p, put_cell, o);
    if (sides && !o->leaves.failed) {
        at += bsp_layout_offset(layout, BSPI_LIGHTGRIDS_LEAF_STYLES);
        o->leaves.data[at] = (uint8_t)o->most;
    }
    return BSPI_LIGHTGRID_IS_LEAF | o->num_leaves++;
}

// Returns one eighth of a part: the upper half along x, y and z by the bits 4, 2 and 1.
static part eighth(const part *p, uint32_t number) {
    part out = *p;
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t half = p->size[i] / 2;
        bool upper = (number >> (2 - i) & 1) != 0;
        out.low[i] += upper ? half : 0;
        out.size[i] = upper ? p->size[i] - half : half;
    }
    return out;
}

// Adds what a part is divided into. Returns what its parent names it by.
static uint32_t build(octree *o, const part *p, int depth) {
    uint32_t solid = 0;
    uint32_t children[8];
    each_cell(o, p, count_solid, &solid);
    if (solid == p->size[0] * p->size[1] * p->size[2]) {
        return BSPI_LIGHTGRID_IS_SOLID;
    }
    if (p->size[0] < LEAST || p->size[1] < LEAST || p->size[2] < LEAST || depth == MOST_DEPTH ||
        solid < FEW) {
        return add_leaf(o, p);
    }
    for (uint32_t i = 0; i < 8; i++) {
        part child = eighth(p, i);
        children[i] = build(o, &child, depth + 1);
    }
    const bsp_layout *layout = &bspi_lightgrid_node_t;
    uint8_t *node = bspi_buffer_grow(&o->nodes, layout->size);
    const part upper = eighth(p, 7);
    put(node, layout, BSPI_LIGHTGRID_NODE_DIVISION, upper.low, 3);
    put(node, layout, BSPI_LIGHTGRID_NODE_CHILDREN, children, 8);
    return o->num_nodes++;
}

// --- the lump -----------------------------------------------------------------------------------

static void put_header(const octree *o, uint32_t root, uint8_t most, bspi_buffer *out) {
    const bsp_layout *layout = &bspi_lightgrid_header_t;
    uint8_t *header = bspi_buffer_grow(out, layout->size);
    uint32_t bits[2][3];
    for (int i = 0; i < 3; i++) {
        bits[0][i] = bspi_float_bits(o->cells.step[i]);
        bits[1][i] = bspi_float_bits(o->cells.corner[i]);
    }
    put(header, layout, BSPI_LIGHTGRID_STEP, bits[0], 3);
    put(header, layout, BSPI_LIGHTGRID_SIZE, o->size, 3);
    put(header, layout, BSPI_LIGHTGRID_MINS, bits[1], 3);
    put(header, layout, BSPI_LIGHTGRID_ROOT, &root, 1);
    if (header != NULL) {
        header[bsp_layout_offset(layout, BSPI_LIGHTGRID_STYLES)] = most;
    }
}

static bool write(octree *o) {
    const part all = {.size = {o->size[0], o->size[1], o->size[2]}};
    bspi_buffer out = {.heap = &o->own->heap, .error = o->error};
    uint8_t most = 0;
    uint32_t root = build(o, &all, 0);
    for (uint32_t n = 0; n < o->cells.count; n++) {
        uint32_t count = o->cells.list[n].count;
        most = count != BSPI_GRID_STAYS && count > most ? (uint8_t)count : most;
        o->own->relight.num_cells += count != BSPI_GRID_STAYS;
    }
    if (o->cells.sides != NULL) {
        size_t rest = bspi_lightgrid_header_t.size + 8 + o->nodes.size + o->leaves.size;
        bspi_buffer_u32(&out, (uint32_t)rest, false);
    }
    put_header(o, root, most, &out);
    bspi_buffer_u32(&out, o->num_nodes, false);
    bspi_buffer_add(&out, o->nodes.data, o->nodes.size);
    bspi_buffer_u32(&out, o->num_leaves, false);
    bspi_buffer_add(&out, o->leaves.data, o->leaves.size);
    bool done =
        !o->nodes.failed && !o->leaves.failed && !out.failed &&
        bspi_buffer_give(&out, o->cells.sides != NULL ? &o->own->grid_sides : &o->own->octree);
    bspi_buffer_free(&out);
    return done;
}

bool bspi_octree_new(bspi_relight *own, bsp_error *error) {
    if (!(own->options->grid > 0)) {
        return true;
    }
    octree o = {.own = own,
                .cells = {.own = own, .anew = true},
                .nodes = {.heap = &own->heap, .error = error},
                .leaves = {.heap = &own->heap, .error = error},
                .error = error};
    bool done = place_cells(&o) && bspi_grid_cells_light(&o.cells, error) &&
                bspi_heap_work(&own->heap, 1 + MOST_DEPTH * (uint64_t)o.cells.count / 8, error) &&
                write(&o);
    bspi_buffer_free(&o.nodes);
    bspi_buffer_free(&o.leaves);
    bspi_heap_free(&own->heap, o.cells.sides,
                   o.cells.sides != NULL ? o.cells.count * sizeof *o.cells.sides : 0);
    if (o.cells.list != NULL) {
        bspi_heap_free(&own->heap, o.cells.list, o.cells.count * sizeof *o.cells.list);
    }
    return done;
}
