// SPDX-License-Identifier: MIT
// The lamps of a map, and the numbers of the compiler whose rules are followed.
#include "bake/light/relight.h"

#include "bake/light/keys.h"
#include "core/text.h"

static const char *const names[BSP_RELIGHT_COUNT] = {"usual", "ericw", "id", "hlrad", "vrad"};

const char *bsp_relight_rules_name(bsp_relight_rules rules) {
    return bspi_name_of(names, BSP_RELIGHT_COUNT, (size_t)rules);
}

// --- visibility ---------------------------------------------------------------------------------

bool bspi_lamps_see(bspi_relight *own, bsp_error *error) {
    const bsp_map *map = own->map;
    size_t size = map->visibility.row_bytes;
    uint8_t **rows =
        bspi_arena_zero(&own->arena, map->visibility.num_clusters, sizeof *rows, error);
    for (uint32_t i = 0; rows != NULL && size != 0 && i < own->num_lamps; i++) {
        bspi_lamp *lamp = &own->lamps[i];
        bool placed = lamp->kind == BSPI_LAMP_PLACED || lamp->kind == BSPI_LAMP_LEAST;
        uint32_t leaf = placed ? bsp_trace_leaf(own->index, lamp->origin) : BSP_NONE;
        uint32_t cluster = leaf < map->num_leaves ? map->leaves[leaf].cluster : BSP_NONE;
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
    }
    return rows != NULL;
}

// --- all ----------------------------------------------------------------------------------------

static bool choose(bspi_relight *own, bsp_error *error) {
    const bsp_map *map = own->map;
    bool source = map->traits->light == BSP_LIGHT_RGBEXP32;
    bool quake = map->traits->light == BSP_LIGHT_GREY8;
    bool quake2 = !quake && !source && map->traits->has_brushes;
    bsp_relight_rules usual = source   ? BSP_RELIGHT_VRAD
                              : quake  ? BSP_RELIGHT_ERICW
                              : quake2 ? BSP_RELIGHT_ID
                                       : BSP_RELIGHT_HLRAD;
    bsp_relight_rules wanted = own->options->rules;
    own->relight.rules = wanted == BSP_RELIGHT_USUAL ? usual : wanted;
    bool fits = own->relight.rules == usual || (wanted == BSP_RELIGHT_ERICW && quake2);
    return fits || bsp_fail(error, BSP_E_ARGUMENT, NULL, "the rules of %s are not for %s",
                            bsp_relight_rules_name(wanted), map->branch->name);
}

bool bspi_lamps_find(bspi_relight *own, bsp_error *error) {
    static bool (*const finders[BSP_RELIGHT_COUNT])(bspi_relight *, bsp_error *) = {
        [BSP_RELIGHT_ERICW] = bspi_lamps_ericw,
        [BSP_RELIGHT_ID] = bspi_lamps_id,
        [BSP_RELIGHT_HLRAD] = bspi_lamps_hlrad,
        [BSP_RELIGHT_VRAD] = bspi_lamps_vrad,
    };
    return choose(own, error) && finders[own->relight.rules](own, error) &&
           bspi_lamps_see(own, error);
}
