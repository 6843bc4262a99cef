// SPDX-License-Identifier: MIT
// Builds the trees of hulls: a node takes 16 bytes, with its plane inside if that is across an
// axis, as most are.
#include "query/hull.h"

#include "query/collide.h"

#include "formats/quake_contents.h"

int32_t bspi_hull_child(const bsp_map *map, int32_t child) {
    if (child >= 0) {
        return child;
    }
    uint32_t leaf = (uint32_t)(-1 - child);
    int32_t contents = leaf < map->num_leaves ? map->leaves[leaf].contents : BSPI_CONTENTS_SOLID;
    return contents < 0 ? contents : BSPI_CONTENTS_EMPTY;
}

// Returns false for a plane that bspi_order cannot stand for: sloping ones, and NaN.
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

static void fill(const bsp_map *map, const bspi_hull *hull, bspi_step *steps, bspi_slope *slopes) {
    int32_t num_slopes = 0;
    for (uint32_t i = 0; i < hull->num_steps; i++) {
        uint32_t number = plane_of(map, hull->clips, i);
        bspi_step *step = &steps[i];
        for (int side = 0; side < 2; side++) {
            step->children[side] = hull->clips ? map->clipnodes[i].children[side]
                                               : bspi_hull_child(map, map->nodes[i].children[side]);
        }
        if (number >= map->num_planes) { // as a plane of zeros
            step->axis = 0;
            step->order = bspi_order(0);
        } else if (is_across(&map->planes[number])) {
            step->axis = (uint32_t)map->planes[number].type;
            step->order = bspi_order(map->planes[number].dist + 0.0f);
        } else {
            step->axis = BSPI_SLOPING;
            step->order = num_slopes;
            set_slope(&slopes[num_slopes++], &map->planes[number]);
        }
    }
}

static const bspi_hull *build(bsp_trace_index *index, bool clips, uint32_t count,
                              bsp_error *error) {
    const bsp_map *map = index->map;
    uint32_t num_slopes = count_slopes(map, clips, count);
    bspi_hull *hull = bspi_arena_zero(&index->arena, 1, sizeof *hull, error);
    bspi_step *steps = bspi_keep_lines(index, count, sizeof *steps, error);
    bspi_slope *slopes = bspi_keep_lines(index, num_slopes, sizeof *slopes, error);
    if (hull == NULL || steps == NULL || slopes == NULL) {
        return NULL;
    }
    *hull = (bspi_hull){.steps = steps, .slopes = slopes, .num_steps = count, .clips = clips};
    fill(map, hull, steps, slopes);
    return hull;
}

bool bspi_build_hulls(bsp_trace_index *index, bsp_error *error) {
    bool hulls = index->map->traits->contents_numbers;
    index->hulls[0] = build(index, false, hulls ? index->map->num_nodes : 0, error);
    index->hulls[1] = build(index, true, hulls ? index->map->num_clipnodes : 0, error);
    return index->hulls[0] != NULL && index->hulls[1] != NULL;
}
