// SPDX-License-Identifier: MIT
// Builds the trees of hulls: a node takes 16 bytes, with its plane inside if that is across an
// axis, as most are. Its extent stands apart, since only the end of a trace asks for it.
#include "query/hull.h"

#include "query/collide.h"

#include "formats/quake_contents.h"

#include <math.h>
#include <string.h>

int32_t bspi_hull_child(const bsp_map *map, int32_t child) {
    if (child >= 0) {
        return child;
    }
    uint32_t leaf = (uint32_t)(-1 - child);
    int32_t contents = leaf < map->num_leaves ? map->leaves[leaf].contents : BSPI_CONTENTS_SOLID;
    return contents < 0 ? contents : BSPI_CONTENTS_EMPTY;
}

// Returns false for a plane of which one number does not say all: sloping ones, and NaN.
static bool is_across(const bsp_plane *plane) {
    return plane->type >= 0 && plane->type < 3 && plane->dist == plane->dist;
}

static uint32_t plane_of(const bsp_map *map, bool clips, uint32_t node) {
    return clips ? map->clipnodes[node].plane : map->nodes[node].plane;
}

static uint32_t count_slopes(const bsp_map *map, bool clips, uint32_t num_steps) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < num_steps; i++) {
        uint32_t plane = plane_of(map, clips, i);
        count += plane < map->num_planes && !is_across(&map->planes[plane]);
    }
    return count;
}

static void set_slope(bspi_slope *slope, const bsp_plane *plane) {
    // The engines compare one coordinate with a plane across an axis; so does this normal.
    bool across = plane->type >= 0 && plane->type < 3;
    for (int i = 0; i < 3; i++) {
        slope->normal[i] = !across ? plane->normal[i] : i == plane->type ? 1.0f : 0.0f;
    }
    slope->dist = plane->dist;
}

// Returns a node or contents of the map as a child.
static bspi_child child_of(const bsp_map *map, bool clips, int32_t child) {
    if (child < 0) {
        return child == BSPI_CONTENTS_SOLID ? BSPI_SOLID_LEAF
               : child == BSPI_CONTENTS_SKY ? BSPI_SKY_LEAF
                                            : BSPI_OPEN_LEAF;
    }
    uint32_t plane = plane_of(map, clips, (uint32_t)child);
    uint32_t axis = 0;
    if (plane < map->num_planes) {
        const bsp_plane *p = &map->planes[plane];
        axis = is_across(p) ? (uint32_t)p->type : BSPI_SLOPING;
    }
    return (uint32_t)child << 4 | axis << 2 | (axis == BSPI_SLOPING ? BSPI_ODD : 0);
}

static void fill(const bsp_map *map, bool clips, uint32_t count, bspi_step *steps,
                 bspi_slope *slopes) {
    uint32_t num_slopes = 0;
    for (uint32_t i = 0; i < count; i++) {
        bspi_step *step = &steps[i];
        step->plane = plane_of(map, clips, i);
        for (int side = 0; side < 2; side++) {
            int32_t child = clips ? map->clipnodes[i].children[side]
                                  : bspi_hull_child(map, map->nodes[i].children[side]);
            step->children[side] = child_of(map, clips, child);
        }
        if (step->plane >= map->num_planes) { // as a plane of zeros
            step->dist = 0;
        } else if (is_across(&map->planes[step->plane])) {
            step->dist = map->planes[step->plane].dist;
        } else {
            step->slope = num_slopes;
            set_slope(&slopes[num_slopes++], &map->planes[step->plane]);
        }
    }
}

static size_t num_roots_of(const bsp_map *map, uint32_t num_steps) {
    return num_steps == 0 ? 0 : (size_t)map->num_models * BSP_MAX_HULLS;
}

static void fill_roots(const bsp_map *map, bool clips, uint32_t count, bspi_child *roots) {
    for (uint32_t m = 0; m < map->num_models && count != 0; m++) {
        const int32_t *heads = map->models[m].headnodes;
        for (uint32_t k = 0; k < BSP_MAX_HULLS; k++) {
            bspi_child *root = &roots[(size_t)m * BSP_MAX_HULLS + k];
            *root = BSPI_OPEN_LEAF;
            if (clips == (k != 0)) {
                *root = child_of(map, clips, clips ? heads[k] : bspi_hull_child(map, heads[k]));
            }
        }
    }
}

// --- extents ------------------------------------------------------------------------------------

// Returns the extent of a child of a node.
static bspi_extent part_of(const bspi_extent *whole, bspi_child at, const bspi_step *step,
                           uint32_t back) {
    bspi_extent part = *whole;
    uint32_t axis = bspi_axis_of(at);
    if (axis == BSPI_SLOPING) {
        part.above = at | back;
    } else if (back != 0) {
        part.high[axis] = step->dist < part.high[axis] ? step->dist : part.high[axis];
    } else {
        part.low[axis] = step->dist > part.low[axis] ? step->dist : part.low[axis];
    }
    return part;
}

// Counts how many nodes and roots each node is below: 0, 1, or 2 for more. Roots that are below a
// node have more.
static void count_parents(const bspi_hull *hull, size_t num_roots, uint8_t *parents) {
    for (uint32_t i = 0; i < hull->num_steps; i++) {
        for (int side = 0; side < 2; side++) {
            bspi_child child = hull->steps[i].children[side];
            if (child < BSPI_OPEN_LEAF) {
                uint8_t *count = &parents[bspi_node_of(child)];
                *count = (uint8_t)(*count + (*count < 2 ? 1 : 0));
            }
        }
    }
    for (size_t i = 0; i < num_roots; i++) {
        if (hull->roots[i] < BSPI_OPEN_LEAF && parents[bspi_node_of(hull->roots[i])] != 0) {
            parents[bspi_node_of(hull->roots[i])] = 2;
        }
    }
}

// Fills the extents of all nodes below a root that are below one node each.
static void fill_below(const bspi_hull *hull, bspi_child root, const uint8_t *parents,
                       bspi_extent *extents, bspi_child *waiting) {
    size_t count = 0;
    waiting[count++] = root;
    extents[bspi_node_of(root)] = (bspi_extent){.low = {-INFINITY, -INFINITY, -INFINITY},
                                                .above = BSP_NONE,
                                                .high = {INFINITY, INFINITY, INFINITY}};
    while (count > 0) {
        bspi_child at = waiting[--count];
        const bspi_step *step = &hull->steps[bspi_node_of(at)];
        for (uint32_t side = 0; side < 2; side++) {
            bspi_child child = step->children[side];
            if (child < BSPI_OPEN_LEAF && parents[bspi_node_of(child)] == 1) {
                extents[bspi_node_of(child)] = part_of(&extents[bspi_node_of(at)], at, step, side);
                waiting[count++] = child;
            }
        }
    }
}

// Each node that has an extent waits once, after the node that it is below.
static bool fill_extents(bsp_trace_index *index, const bspi_hull *hull, bspi_extent *extents,
                         bsp_error *error) {
    size_t num_roots = num_roots_of(index->map, hull->num_steps);
    size_t room = (size_t)hull->num_steps + 1;
    uint8_t *parents = bspi_heap_alloc(&index->heap, room, error);
    bspi_child *waiting =
        parents == NULL ? NULL : bspi_heap_alloc(&index->heap, room * sizeof *waiting, error);
    if (waiting != NULL) {
        memset(parents, 0, room);
        for (uint32_t i = 0; i < hull->num_steps; i++) {
            extents[i] = (bspi_extent){.low = {INFINITY, INFINITY, INFINITY},
                                       .above = BSP_NONE,
                                       .high = {-INFINITY, -INFINITY, -INFINITY}};
        }
        count_parents(hull, num_roots, parents);
        for (size_t i = 0; i < num_roots; i++) {
            bspi_child root = hull->roots[i];
            if (root < BSPI_OPEN_LEAF && parents[bspi_node_of(root)] == 0) {
                parents[bspi_node_of(root)] = 2; // other models may have it too
                fill_below(hull, root, parents, extents, waiting);
            }
        }
    }
    bspi_heap_free(&index->heap, waiting, room * sizeof *waiting);
    bspi_heap_free(&index->heap, parents, room);
    return waiting != NULL;
}

static const bspi_hull *build(bsp_trace_index *index, bool clips, uint32_t count,
                              bsp_error *error) {
    const bsp_map *map = index->map;
    if (count > BSPI_MOST_STEPS) {
        bsp_fail(error, BSP_E_LIMIT, NULL, "%u nodes are too many to trace against", count);
        return NULL;
    }
    size_t num_roots = num_roots_of(map, count);
    uint32_t num_slopes = count_slopes(map, clips, count);
    bspi_hull *hull = bspi_arena_zero(&index->arena, 1, sizeof *hull, error);
    bspi_step *steps = bspi_keep_lines(index, count, sizeof *steps, error);
    bspi_slope *slopes = bspi_keep_lines(index, num_slopes, sizeof *slopes, error);
    bspi_extent *extents = bspi_keep_lines(index, count, sizeof *extents, error);
    bspi_child *roots = bspi_arena_raw(&index->arena, num_roots, sizeof *roots, error);
    if (hull == NULL || steps == NULL || slopes == NULL || extents == NULL || roots == NULL) {
        return NULL;
    }
    *hull = (bspi_hull){
        .steps = steps, .slopes = slopes, .extents = extents, .roots = roots, .num_steps = count};
    fill(map, clips, count, steps, slopes);
    fill_roots(map, clips, count, roots);
    return fill_extents(index, hull, extents, error) ? hull : NULL;
}

bool bspi_build_hulls(bsp_trace_index *index, bsp_error *error) {
    bool hulls = index->map->traits->contents_numbers;
    index->hulls[0] = build(index, false, hulls ? index->map->num_nodes : 0, error);
    index->hulls[1] = build(index, true, hulls ? index->map->num_clipnodes : 0, error);
    return index->hulls[0] != NULL && index->hulls[1] != NULL;
}
