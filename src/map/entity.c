// SPDX-License-Identifier: MIT
// Properties of the map that its entities state.
#include "bspkit/map.h"
#include "core/text.h"
#include "map/needs.h"

#include <assert.h>

uint32_t bsp_entity_model(const bsp_map *map, const bsp_entity *entity) {
    assert(map != NULL && entity != NULL);
    assert(bspi_map_has(map, BSP_LOAD_TREE));
    if (bspi_text_is(bsp_entity_value(entity, "classname"), "worldspawn")) {
        return map->num_models != 0 ? 0 : BSP_NONE;
    }
    bsp_text value = bsp_entity_value(entity, "model");
    int64_t number = 0;
    if (value.size < 2 || value.data[0] != '*' ||
        !bsp_parse_int((bsp_text){value.data + 1, value.size - 1}, &number) || number < 0 ||
        number >= (int64_t)map->num_models) {
        return BSP_NONE;
    }
    return (uint32_t)number;
}
