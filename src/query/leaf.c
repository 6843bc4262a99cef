// SPDX-License-Identifier: MIT
// The leaf of a point. The search begins at the deepest node that contains the point's whole cell
// of a regular grid, so that only planes that cut the cell are tested, and takes two levels at a
// step.
#include "query/compact.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define CELLS_PER_LEAF 64
#define MOST_CELLS (1 << 18)
#define MOST_ALONG 1024 // most cells along one axis
// Most levels that a box of cells goes down; only trees of hostile files are deeper.
#define MOST_LEVELS 256u
// The largest rounding error of a point's coordinate or distance, relative: some units in the last
// place.
#define ROUNDING 2e-6

// A block of whole cells: the first, and the one after the last.
typedef struct block {
    uint32_t first[3];
    uint32_t last[3];
    int32_t node;
} block;

unsigned bspi_box_side(const float plane[4], const double low[3], const double high[3]) {
    double least = -(double)plane[3];
    double most = least;
    double size = fabs(least);
    for (int i = 0; i < 3; i++) {
        double n = (double)plane[i];
        least += n < 0 ? n * high[i] : n * low[i];
        most += n < 0 ? n * low[i] : n * high[i];
        size += fabs(n) * (fabs(low[i]) + fabs(high[i]));
    }
    return least > size * ROUNDING ? 0 : most < -size * ROUNDING ? 1 : 2;
}

void bspi_cell_box(const bspi_cells *cells, const uint32_t first[3], const uint32_t last[3],
                   double low[3], double high[3]) {
    for (int i = 0; i < 3; i++) {
        double origin = (double)cells->origin[i];
        double side = 1 / (double)cells->scale[i];
        double slack = (fabs(origin) + side * cells->count[i]) * ROUNDING;
        low[i] = origin + first[i] * side - slack;
        high[i] = origin + last[i] * side + slack;
    }
}

// Moves a block down the tree. Returns the number of levels that were tested.
static uint32_t go_down(const bsp_trace_index *index, block *b) {
    double low[3], high[3];
    bspi_cell_box(&index->cells, b->first, b->last, low, high);
    uint32_t level = 0;
    for (; b->node >= 0 && level < MOST_LEVELS; level++) {
        unsigned side = bspi_box_side(index->forks[b->node].planes[0], low, high);
        if (side == 2) {
            break;
        }
        b->node = index->map->nodes[b->node].children[side];
    }
    return level;
}

static void fill(int32_t *starts, const bspi_cells *cells, const block *b) {
    for (uint32_t z = b->first[2]; z < b->last[2]; z++) {
        for (uint32_t y = b->first[1]; y < b->last[1]; y++) {
            for (uint32_t x = b->first[0]; x < b->last[0]; x++) {
                starts[x + cells->count[0] * (y + cells->count[1] * z)] = b->node;
            }
        }
    }
}

// Blocks of cells go down together as far as possible, then in halves: at most 30 are stored.
static bool find_starts(const bsp_trace_index *index, int32_t *starts, bspi_meter *meter) {
    const bspi_cells *cells = &index->cells;
    block waiting[32];
    uint32_t count = 1;
    waiting[0] = (block){.node = index->map->models[0].headnodes[0]};
    memcpy(waiting[0].last, cells->count, sizeof cells->count);
    while (count > 0) {
        block b = waiting[--count];
        unsigned longest = 0;
        for (unsigned i = 1; i < 3; i++) {
            longest = b.last[i] - b.first[i] > b.last[longest] - b.first[longest] ? i : longest;
        }
        if (!bspi_meter_add(meter, 1 + (uint64_t)go_down(index, &b))) {
            return false;
        }
        uint32_t size = b.last[longest] - b.first[longest];
        if (size == 1 || b.node < 0) {
            fill(starts, cells, &b);
            continue;
        }
        waiting[count] = waiting[count + 1] = b;
        waiting[count++].last[longest] = b.first[longest] + size / 2;
        waiting[count++].first[longest] = b.first[longest] + size / 2;
    }
    return true;
}

// Chooses the size of the cells. None where the world's bounds are not plausible.
static uint32_t measure(const bsp_map *map, bspi_cells *cells) {
    const bsp_model *world = &map->models[0];
    double volume = 1;
    for (int i = 0; i < 3; i++) {
        double size = (double)world->maxs[i] - (double)world->mins[i];
        if (!(size >= 1 && size < 1e6 && fabs((double)world->mins[i]) < 1e6)) {
            return 0;
        }
        volume *= size;
    }
    double wanted = fmin((double)map->num_leaves * CELLS_PER_LEAF, MOST_CELLS);
    double side = cbrt(volume / wanted);
    uint64_t total = 1;
    for (int i = 0; i < 3; i++) {
        double size = (double)world->maxs[i] - (double)world->mins[i];
        double count = fmin(ceil(size / side), MOST_ALONG);
        cells->origin[i] = world->mins[i];
        cells->count[i] = (uint32_t)count;
        cells->end[i] = (float)count;
        cells->scale[i] = (float)(count / size);
        total *= cells->count[i];
    }
    return total <= 8 * MOST_CELLS ? (uint32_t)total : 0; // 8: the most that rounding up may add
}

static void set_plane(float out[4], const bsp_map *map, int32_t node) {
    uint32_t number = node < 0 ? BSP_NONE : map->nodes[node].plane;
    if (number >= map->num_planes) {
        return; // all zero: as in bsp_query_leaf; both children of a leaf are the same
    }
    const bsp_plane *plane = &map->planes[number];
    for (int axis = 0; axis < 3; axis++) {
        // The engines compare one coordinate with a plane across an axis; so does this normal.
        bool across = plane->type >= 0 && plane->type < 3;
        out[axis] = !across ? plane->normal[axis] : axis == plane->type ? 1.0f : 0.0f;
    }
    out[3] = plane->dist;
}

static void set_fork(bspi_fork *fork, const bsp_map *map, uint32_t node) {
    memset(fork, 0, sizeof *fork);
    set_plane(fork->planes[0], map, (int32_t)node);
    for (int side = 0; side < 2; side++) {
        int32_t child = map->nodes[node].children[side];
        set_plane(fork->planes[1 + side], map, child);
        for (int k = 0; k < 2; k++) {
            fork->children[2 * side + k] = child < 0 ? child : map->nodes[child].children[k];
        }
    }
}

bool bspi_build_leaves(bsp_trace_index *index, bspi_meter *meter) {
    bsp_error *error = meter->error;
    const bsp_map *map = index->map;
    bspi_fork *forks = bspi_keep_lines(index, map->num_nodes, sizeof *forks, error);
    if (forks == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < map->num_nodes; i++) {
        set_fork(&forks[i], map, i);
    }
    index->forks = forks;
    if (map->num_nodes == 0 || map->num_leaves == 0 || map->num_models == 0) {
        return true;
    }
    uint32_t count = measure(map, &index->cells);
    if (count == 0) {
        memset(&index->cells, 0, sizeof index->cells);
        return true;
    }
    int32_t *starts = bspi_arena_raw(&index->arena, count, sizeof *starts, error);
    index->cells.starts = starts;
    return starts != NULL && find_starts(index, starts, meter);
}

// Returns the side of a point on a plane, as an index of children. `to_back`: a point on the plane
// belongs to its back side.
static inline unsigned side_at(const float plane[4], const float point[3], bool to_back) {
    float d = bspi_dot(plane, point) - plane[3];
    return (to_back ? !(d > 0) : d < 0) ? 1 : 0;
}

static inline uint32_t walk(const bspi_fork *forks, int32_t node, const float point[3],
                            bool to_back) {
    while (node >= 0) {
        const bspi_fork *fork = &forks[node];
        unsigned side = side_at(fork->planes[0], point, to_back);
        unsigned front = side_at(fork->planes[1], point, to_back);
        unsigned back = side_at(fork->planes[2], point, to_back);
        // Without a branch, since one in two would be mispredicted.
        node = fork->children[2 * side + ((front & (side ^ 1)) | (back & side))];
    }
    return (uint32_t)(-1 - node);
}

uint32_t bspi_cell_leaf(const bsp_trace_index *index, uint32_t cell, const float point[3]) {
    return walk(index->forks, index->cells.starts[cell], point, false);
}

uint32_t bsp_trace_leaf(const bsp_trace_index *index, const float point[3]) {
    assert(index != NULL && point != NULL);
    uint32_t cell = bspi_cell_of(&index->cells, point);
    if (cell == BSP_NONE) {
        return bsp_query_leaf(index->map, point);
    }
    int32_t node = index->cells.starts[cell];
    if (node >= 0 && bspi_compact_of(index->map) != NULL) {
        return bsp_query_leaf(index->map, point);
    }
    return index->map->traits->contents_numbers ? walk(index->forks, node, point, true)
                                                : walk(index->forks, node, point, false);
}
