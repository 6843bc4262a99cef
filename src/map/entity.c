// SPDX-License-Identifier: MIT
// Properties of the map that its entities state.
#include "map/entity.h"

#include "bspkit/map.h"
#include "core/text.h"
#include "map/needs.h"

#include <assert.h>
#include <math.h>

int64_t bspi_entity_int(const bsp_entity *entity, const char *key, int64_t otherwise) {
    int64_t value;
    return bsp_parse_int(bsp_entity_value(entity, key), &value) ? value : otherwise;
}

float bspi_entity_float(const bsp_entity *entity, const char *key, float otherwise) {
    float value;
    bool given = bsp_parse_float(bsp_entity_value(entity, key), &value) && isfinite(value);
    return given ? value : otherwise;
}

bool bspi_brush_model_number(bsp_text value, int64_t *number) {
    return bspi_is_brush_model(value) &&
           bsp_parse_int((bsp_text){value.data + 1, value.size - 1}, number);
}

uint32_t bsp_entity_model(const bsp_map *map, const bsp_entity *entity) {
    assert(map != NULL && entity != NULL);
    assert(bspi_map_has(map, BSP_LOAD_TREE));
    if (bspi_text_is(bsp_entity_value(entity, "classname"), "worldspawn")) {
        return map->num_models != 0 ? 0 : BSP_NONE;
    }
    int64_t number;
    bool has = bspi_brush_model_number(bsp_entity_value(entity, "model"), &number) && number >= 0 &&
               number < (int64_t)map->num_models;
    return has ? (uint32_t)number : BSP_NONE;
}
