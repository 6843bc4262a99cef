// SPDX-License-Identifier: MIT
// The view of a player who enters the map.
#include "bspkit/render.h"

#include "map/needs.h"
#include "scene/start.h"

#include <assert.h>

void bsp_view_start(const bsp_map *map, bsp_view *view) {
    assert(map != NULL && view != NULL);
    assert(bspi_map_has(map, BSP_LOAD_ENTITIES | BSP_LOAD_TREE));
    bspi_start(map, view->from, view->angles);
}
