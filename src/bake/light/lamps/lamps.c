// SPDX-License-Identifier: MIT
// The lamps of a map, and what they may see.
#include "bake/light/base/surface_keys.h"
#include "bake/light/faces/smooth.h"
#include "bake/light/lamps/lamp.h"
#include "bake/light/lamps/lamps.h"

#include "query/liquids.h"

// --- visibility ---------------------------------------------------------------------------------

uint32_t bspi_lamp_cluster(const bspi_relight *own, uint32_t leaf) {
    const bsp_map *map = own->map;
    bool clear = leaf < map->num_leaves && (own->relight.compiler != BSP_COMPILER_ERICW ||
                                            bspi_liquids_of(map, map->leaves[leaf].contents) == 0);
    return clear ? map->leaves[leaf].cluster : BSP_NONE;
}

bool bspi_lamps_see(bspi_relight *own, bsp_error *error) {
    const bsp_map *map = own->map;
    size_t size = map->visibility.row_bytes;
    uint8_t **rows =
        bspi_arena_zero(&own->arena, map->visibility.num_clusters, sizeof *rows, error);
    uint32_t *clusters = bspi_arena_raw(&own->arena, own->drawn != NULL ? own->num_lamps : 0,
                                        sizeof *clusters, error);
    if (clusters == NULL) {
        return false;
    }
    for (uint32_t i = 0; rows != NULL && size != 0 && i < own->num_lamps; i++) {
        bspi_lamp *lamp = &own->lamps[i];
        bool placed = lamp->kind == BSPI_LAMP_PLACED || lamp->kind == BSPI_LAMP_LEAST;
        uint32_t leaf = placed ? bsp_trace_leaf(own->index, lamp->origin) : BSP_NONE;
        uint32_t cluster = bspi_lamp_cluster(own, leaf);
        if (cluster >= map->visibility.num_clusters) {
            continue; // in solid, or a sun
        }
        if (rows[cluster] == NULL) {
            rows[cluster] = bspi_arena_raw(&own->arena, size, 1, error);
            if (rows[cluster] == NULL) {
                return false;
            }
            bsp_map_visible(map, cluster, false, rows[cluster]);
        }
        lamp->visible = rows[cluster];
        if (own->drawn != NULL) {
            clusters[i] = cluster;
            lamp->clusters = &clusters[i];
            lamp->num_clusters = 1;
        }
    }
    return rows != NULL;
}

// --- all ----------------------------------------------------------------------------------------

// Moves the lamps that take light away to a list of their own.
static bool part_takers(bspi_relight *own, bsp_error *error) {
    uint32_t kept = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < own->num_lamps; i++) {
        count += own->lamps[i].light < 0;
    }
    if (count == 0 || own->relight.compiler != BSP_COMPILER_ERICW) {
        return true;
    }
    own->takers = bspi_arena_raw(&own->arena, count, sizeof *own->takers, error);
    if (own->takers == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < own->num_lamps; i++) {
        if (own->lamps[i].light < 0) {
            own->takers[own->num_takers++] = own->lamps[i];
        } else {
            own->lamps[kept++] = own->lamps[i];
        }
    }
    own->num_lamps = kept;
    return true;
}

bool bspi_lamps_find(bspi_relight *own, bsp_error *error) {
    static bool (*const finders[BSP_COMPILER_COUNT])(bspi_relight *, bsp_error *) = {
        [BSP_COMPILER_ERICW] = bspi_lamps_ericw,   [BSP_COMPILER_ID] = bspi_lamps_id,
        [BSP_COMPILER_HLRAD] = bspi_lamps_hlrad,   [BSP_COMPILER_VRAD] = bspi_lamps_vrad,
        [BSP_COMPILER_Q3MAP2] = bspi_lamps_q3map2,
    };
    return bspi_surface_keys_find(own, error) && bspi_smooth_find(own, error) &&
           finders[own->relight.compiler](own, error) && bspi_lamps_see(own, error) &&
           part_takers(own, error);
}
