// SPDX-License-Identifier: MIT
// The clusters of leaves. Quake and GoldSrc have no clusters in the file: the leaves of one share a
// row, and follow each other. Facts: sheet bake, 1.4.
#include "bake/portals/recover.h"

static void group_rows(bspi_recover *r, bool by_leaf) {
    const bsp_map *map = r->map;
    uint32_t last = BSP_NONE; // offset of the row of the leaf before
    for (uint32_t i = 0; i < map->num_leaves; i++) {
        const bsp_leaf *leaf = &map->leaves[i];
        if (leaf->cluster == BSP_NONE) {
            continue;
        }
        bool joins = !by_leaf && leaf->vis_offset != BSP_NONE && leaf->vis_offset == last &&
                     r->portals.num_clusters > 0;
        r->portals.num_clusters += !joins;
        r->leaf_clusters[i] = r->portals.num_clusters - 1;
        last = leaf->vis_offset;
    }
}

bool bspi_recover_clusters(bspi_recover *r, bool by_leaf) {
    const bsp_map *map = r->map;
    uint32_t count = map->visibility.num_clusters;
    r->leaf_clusters =
        bspi_arena_raw(&r->arena, map->num_leaves, sizeof *r->leaf_clusters, r->error);
    if (r->leaf_clusters == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < map->num_leaves; i++) {
        uint32_t cluster = map->leaves[i].cluster;
        r->leaf_clusters[i] = BSP_NONE;
        // Without rows the leaves number the clusters; damaged ones have numbers without end.
        if (count == 0 && cluster < map->num_leaves && cluster >= r->portals.num_clusters) {
            r->portals.num_clusters = cluster + 1;
        }
    }
    if (map->traits->vis.leaves) {
        r->portals.num_clusters = 0;
        group_rows(r, by_leaf);
        return true;
    }
    r->portals.num_clusters = count > 0 ? count : r->portals.num_clusters;
    for (uint32_t i = 0; i < map->num_leaves; i++) {
        uint32_t cluster = map->leaves[i].cluster;
        r->leaf_clusters[i] = cluster < r->portals.num_clusters ? cluster : BSP_NONE;
    }
    return true;
}
