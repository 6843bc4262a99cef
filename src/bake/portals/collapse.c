// SPDX-License-Identifier: MIT
// Detail brushes cut the tree, but do not divide clusters: the compilers' portals go through them.
// A part of the tree that has one cluster, and no solid but that of detail brushes, is one leaf to
// them. Facts: sheet bake, 1.4.
#include "bake/portals/recover.h"

#include <string.h>

#define SOLID 1 // of all families with brushes

// What is below a node.
typedef struct below {
    bool structural;  // solid that is not of detail brushes, or two clusters
    uint32_t cluster; // BSP_NONE: none
    uint32_t leaf;    // of that cluster
} below;

// Returns true for the solid leaf of detail brushes alone.
static bool is_detail(const bspi_recover *r, const bsp_leaf *leaf) {
    const bsp_map *map = r->map;
    bool found = false; // maps without brushes do not tell which solid is detail
    for (uint32_t i = 0; i < leaf->num_brushes; i++) {
        uint32_t number = map->leaf_brushes[leaf->first_brush + i];
        const bsp_brush *brush = number < map->num_brushes ? &map->brushes[number] : NULL;
        if (brush == NULL || (brush->contents & SOLID) == 0) {
            continue;
        }
        if (((uint32_t)brush->contents & map->traits->vis.detail) == 0) {
            return false;
        }
        found = true;
    }
    return found;
}

static below look_below(const bspi_recover *r, const below *nodes, int32_t child) {
    if (child >= 0) {
        return nodes[child];
    }
    uint32_t leaf = (uint32_t)(-1 - child);
    uint32_t cluster = r->leaf_clusters[leaf];
    bool solid = cluster == BSP_NONE && !is_detail(r, &r->map->leaves[leaf]);
    return (below){solid, cluster, leaf};
}

bool bspi_recover_collapse(bspi_recover *r) {
    const bsp_map *map = r->map;
    below *nodes = bspi_arena_raw(&r->arena, map->num_nodes, sizeof *nodes, r->error);
    if (nodes == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < map->num_nodes; i++) {
        nodes[i] = (below){true, BSP_NONE, BSP_NONE}; // also what damaged maps visit too early
    }
    for (uint32_t i = r->num_order; i-- > 0;) {
        uint32_t node = r->order[i];
        below front = look_below(r, nodes, map->nodes[node].children[0]);
        below back = look_below(r, nodes, map->nodes[node].children[1]);
        bool two =
            front.cluster != BSP_NONE && back.cluster != BSP_NONE && front.cluster != back.cluster;
        nodes[node] = front.cluster != BSP_NONE ? front : back;
        nodes[node].structural = front.structural || back.structural || two;
        if (!nodes[node].structural && nodes[node].cluster != BSP_NONE) {
            r->stands[node] = nodes[node].leaf;
        }
    }
    for (uint32_t i = 0; i < r->num_order; i++) {
        uint32_t node = r->order[i];
        uint32_t parent = r->parents[node];
        r->portals.num_collapsed += r->stands[node] != BSP_NONE &&
                                    (parent == BSP_NONE || r->stands[parent / 2] == BSP_NONE);
    }
    return true;
}
