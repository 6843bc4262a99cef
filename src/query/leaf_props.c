// SPDX-License-Identifier: MIT
// The static props in a leaf.
#include "bspkit/query.h"
#include "map/needs.h"

#include <assert.h>

static bool is_in(const bsp_map *map, const bsp_static_prop *prop, uint32_t leaf) {
    for (uint32_t i = 0; map->num_static_prop_leaves != 0 && i < prop->num_leaves; i++) {
        if (map->static_prop_leaves[prop->first_leaf + i] == leaf) {
            return true;
        }
    }
    return false;
}

uint32_t bsp_query_leaf_props(const bsp_map *map, uint32_t leaf, uint32_t *props, uint32_t room) {
    assert(map != NULL);
    assert(props != NULL || room == 0);
    assert(bspi_map_has(map, BSP_LOAD_TREE | BSP_LOAD_PROPS));
    uint32_t count = 0;
    for (uint32_t i = 0; i < map->num_static_props; i++) {
        if (is_in(map, &map->static_props[i], leaf)) {
            if (count < room) {
                props[count] = i;
            }
            count++;
        }
    }
    return count;
}
