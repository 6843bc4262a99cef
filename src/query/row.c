// SPDX-License-Identifier: MIT
// One bit of a visibility row.
#include "bspkit/query.h"

#include "core/bits.h"

#include <assert.h>

bool bsp_query_row_sees(const bsp_map *map, const uint8_t *row, uint32_t to) {
    assert(map != NULL);
    assert(row != NULL || map->visibility.num_clusters == 0);
    return to != BSP_NONE && (map->visibility.num_clusters == 0 ||
                              (to < map->visibility.num_clusters && bspi_bit_is(row, to)));
}
