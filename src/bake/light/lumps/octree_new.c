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

#define MOST_DEPTH 5     // of parts in parts
#define LEAST 4u         // cells along each axis of a part that is divided
#define FEW 8u           // cells in solid with which a part is not
#define LEAF (1u << 31)  // of a child: it is a leaf
#define SOLID (1u << 30) // all of it is in solid
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
    return o->cells.list != NULL && bspi_heap_work(&o->own->heap, o->cells.count, o->error);
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
    bspi_grid_cell_put(cell, user);
}

static void put_place(bspi_buffer *out, const uint32_t place[3]) {
    for (int i = 0; i < 3; i++) {
        bspi_buffer_u32(out, place[i], false);
    }
}

static uint32_t add_leaf(octree *o, const part *p) {
    put_place(&o->leaves, p->low);
    put_place(&o->leaves, p->size);
    each_cell(o, p, put_cell, &o->leaves);
    return LEAF | o->num_leaves++;
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
        return SOLID;
    }
    if (p->size[0] < LEAST || p->size[1] < LEAST || p->size[2] < LEAST || depth == MOST_DEPTH ||
        solid < FEW) {
        return add_leaf(o, p);
    }
    for (uint32_t i = 0; i < 8; i++) {
        part child = eighth(p, i);
        children[i] = build(o, &child, depth + 1);
    }
    const part upper = eighth(p, 7);
    put_place(&o->nodes, upper.low);
    for (uint32_t i = 0; i < 8; i++) {
        bspi_buffer_u32(&o->nodes, children[i], false);
    }
    return o->num_nodes++;
}

// --- the lump -----------------------------------------------------------------------------------

static void put_floats(bspi_buffer *out, const float values[3]) {
    for (int i = 0; i < 3; i++) {
        bspi_buffer_u32(out, bspi_float_bits(values[i]), false);
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
    put_floats(&out, o->cells.step);
    put_place(&out, o->size);
    put_floats(&out, o->cells.corner);
    bspi_buffer_add(&out, &most, 1);
    bspi_buffer_u32(&out, root, false);
    bspi_buffer_u32(&out, o->num_nodes, false);
    bspi_buffer_add(&out, o->nodes.data, o->nodes.size);
    bspi_buffer_u32(&out, o->num_leaves, false);
    bspi_buffer_add(&out, o->leaves.data, o->leaves.size);
    bool done = !o->nodes.failed && !o->leaves.failed && !out.failed &&
                bspi_buffer_give(&out, &o->own->octree);
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
    if (o.cells.list != NULL) {
        bspi_heap_free(&own->heap, o.cells.list, o.cells.count * sizeof *o.cells.list);
    }
    return done;
}
