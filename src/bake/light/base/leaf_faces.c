// SPDX-License-Identifier: MIT
// How many faces leaves list, all together.
#include "bake/light/base/leaf_faces.h"

#define MOST (1ull << 31)

bool bspi_leaf_faces_pay(bspi_relight *own, bsp_error *error) {
    const bsp_map *map = own->map;
    uint64_t count = 0;
    for (uint32_t i = 0; i < map->num_leaves; i++) {
        count += map->leaves[i].num_faces;
    }
    if (count > MOST) {
        return bsp_fail(error, BSP_E_LIMIT, NULL, "leaves list %llu faces, and %llu allowed",
                        (unsigned long long)count, MOST);
    }
    return bspi_heap_work(&own->heap, map->num_leaves + count, error);
}
