// SPDX-License-Identifier: MIT
// Refuses to make something out of a map whose parts for it were not loaded.
#include "map/needs.h"

#include <assert.h>
#include <string.h>

// The constants that a program gives as bsp_map_options.parts.
static const struct {
    uint32_t part;
    const char *name;
} parts_by_name[] = {
    {BSP_LOAD_ENTITIES, "BSP_LOAD_ENTITIES"}, {BSP_LOAD_TREE, "BSP_LOAD_TREE"},
    {BSP_LOAD_SURFACES, "BSP_LOAD_SURFACES"}, {BSP_LOAD_BRUSHES, "BSP_LOAD_BRUSHES"},
    {BSP_LOAD_LIGHT, "BSP_LOAD_LIGHT"},       {BSP_LOAD_PROPS, "BSP_LOAD_PROPS"},
};

#define NUM_PARTS (sizeof parts_by_name / sizeof *parts_by_name)
#define LIST_TEXT 128

static_assert(BSP_LOAD_ALL == (1 << NUM_PARTS) - 1, "a part without a name");
static_assert(LIST_TEXT > NUM_PARTS * sizeof "BSP_LOAD_SURFACES, ", "no room for all names");

bool bspi_map_needs(const bsp_map *map, uint32_t parts, const char *product, bsp_error *error) {
    char missing[LIST_TEXT] = "";
    if (bspi_map_has(map, parts)) {
        return true;
    }
    for (size_t i = 0; i < NUM_PARTS; i++) {
        if ((parts & ~map->loaded & parts_by_name[i].part) != 0) {
            strcat(missing, missing[0] == '\0' ? "" : ", ");
            strcat(missing, parts_by_name[i].name);
        }
    }
    return bsp_fail(error, BSP_E_ARGUMENT, NULL,
                    "%s needs parts of the map that were not loaded: %s", product, missing);
}
