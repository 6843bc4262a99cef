// SPDX-License-Identifier: MIT
// Liquids by the contents of leaves and brushes.
#include "query/liquids.h"

#include "bspkit/query.h"
#include "formats/quake_contents.h"

static uint32_t liquid_flags(const bsp_map *map) {
    return bsp_query_flag(map->branch, bsp_text_of("water")) |
           bsp_query_flag(map->branch, bsp_text_of("slime")) |
           bsp_query_flag(map->branch, bsp_text_of("lava"));
}

int32_t bspi_liquids_of(const bsp_map *map, int32_t contents) {
    if (!map->traits->contents_numbers) {
        return (int32_t)((uint32_t)contents & liquid_flags(map));
    }
    return bspi_is_liquid(contents) ? contents : 0;
}
