// SPDX-License-Identifier: MIT
// The cubemap of a place.
#include "map/needs.h"
#include "query/collide.h"

#include <assert.h>

uint32_t bsp_query_cubemap(const bsp_map *map, const float point[3]) {
    assert(map != NULL && point != NULL);
    assert(bspi_map_has(map, BSP_LOAD_PROPS));
    uint32_t best = BSP_NONE;
    double least = 0;
    for (uint32_t i = 0; i < map->num_cubemaps; i++) {
        double square = 0;
        for (int k = 0; k < 3; k++) {
            double d = (double)map->cubemaps[i].origin[k] - (double)point[k];
            square += d * d;
        }
        if (best == BSP_NONE || square < least) {
            best = i;
            least = square;
        }
    }
    return best;
}
