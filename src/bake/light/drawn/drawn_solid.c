// SPDX-License-Identifier: MIT
// Quake 3: is a place of a surface in solid? What touches a leaf's plane is in the open leaf beside
// it; brushes that lie in an open leaf reach a little farther than they are. Numbers: sheet bake,
// 3.2; netradiant-custom, tools/quake3/q3map2 (light.cpp, light_ydnar.cpp).
#include "bake/light/drawn/drawn.h"

#include "core/vector.h"
#include "query/masks.h"

#include <string.h>

#define TOUCHES 0.1f // units from a plane of the tree
#define SKIN 0.125f  // units around a brush
#define NUDGE 2.0f   // units that a lamp is moved out of solid
#define PENDING 64u  // sides that are still to be looked at
#define BRUSHES 16u  // of a leaf that count as one of work
#define STEPS 4096u  // nodes that are looked at: in hostile maps there is no end of ways down

static float distance_to(const bsp_map *map, uint32_t number, const float point[3]) {
    return number < map->num_planes
               ? bspi_dot(map->planes[number].normal, point) - map->planes[number].dist
               : 0;
}

// Returns the leaf of a point; where it touches planes, an open one before a closed one.
static uint32_t leaf_of(const bsp_map *map, const float point[3]) {
    int32_t pending[PENDING];
    uint32_t count = 0;
    uint32_t last = BSP_NONE;
    uint32_t steps = 0;
    int32_t node = map->num_nodes != 0 ? 0 : -1;
    for (;;) {
        for (; node >= 0 && (uint32_t)node < map->num_nodes; steps++) {
            const bsp_node *at = &map->nodes[node];
            float away = distance_to(map, at->plane, point);
            bool touches = fabsf(away) <= TOUCHES;
            if (touches && count < PENDING) {
                pending[count++] = at->children[1];
            }
            node = at->children[touches || away > 0 ? 0 : 1];
        }
        last = (uint32_t)(-1 - node);
        bool open = last < map->num_leaves && map->leaves[last].cluster != BSP_NONE;
        if (open || count == 0 || steps > STEPS) {
            return last;
        }
        node = pending[--count];
    }
}

static bool is_inside(const bsp_map *map, const bsp_brush *brush, const float point[3],
                      float skin) {
    for (uint32_t s = 0; s < brush->num_sides; s++) {
        if (distance_to(map, map->brush_sides[brush->first_side + s].plane, point) > skin) {
            return false;
        }
    }
    return brush->num_sides != 0;
}

uint32_t bspi_drawn_cluster(bspi_relight *own, const float point[3], float skin) {
    const bsp_map *map = own->map;
    uint32_t number = leaf_of(map, point);
    if (number >= map->num_leaves || map->leaves[number].cluster == BSP_NONE) {
        return BSP_NONE;
    }
    const bsp_leaf *leaf = &map->leaves[number];
    if (leaf->num_brushes >= BRUSHES) { // the rest is paid with the place
        (void)bspi_heap_work(&own->heap, leaf->num_brushes / BRUSHES, NULL);
    }
    for (uint32_t i = 0; i < leaf->num_brushes; i++) {
        uint32_t brush = map->leaf_brushes[leaf->first_brush + i];
        if (brush < map->num_brushes &&
            ((uint32_t)own->drawn->shade.brushes[brush].contents & BSPI_SOLID_MASK) != 0 &&
            is_inside(map, &map->brushes[brush], point, skin)) {
            return BSP_NONE;
        }
    }
    return leaf->cluster;
}

bool bspi_drawn_solid(bspi_relight *own, const float point[3]) {
    return bspi_drawn_cluster(own, point, SKIN) == BSP_NONE;
}

bool bspi_drawn_move_free(bspi_relight *own, float point[3]) {
    static const float moves[4] = {0, 0, NUDGE, -NUDGE}; // 0 comes twice there
    bool free = !bspi_drawn_solid(own, point);
    for (uint32_t n = 0; n < 64 && (!free || n != 0); n++) { // it goes on from each free place
        const float at[3] = {point[0] + moves[n >> 4], point[1] + moves[n >> 2 & 3],
                             point[2] + moves[n & 3]};
        free = !bspi_drawn_solid(own, at);
        if (free) {
            memcpy(point, at, sizeof at);
        }
    }
    return free;
}
