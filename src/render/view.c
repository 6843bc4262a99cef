// SPDX-License-Identifier: MIT
// The view of a player who enters the map.
#include "bspkit/render.h"

#include "core/text.h"

#include <string.h>

// From the origin of a start to the eye, in units: Quake and Quake 2 have a view height of 22,
// GoldSrc 28 from the middle of its taller box, Quake 3 26, Source 64 from the feet.
static float eye_height(bsp_family family) {
    switch (family) {
    case BSP_GOLDSRC:
        return 28;
    case BSP_QUAKE3:
        return 26;
    case BSP_SOURCE:
        return 64;
    default:
        return 22;
    }
}

static bool view_of(const bsp_entity *entity, float height, bsp_view *view) {
    float origin[3];
    if (!bsp_parse_vector(bsp_entity_value(entity, "origin"), origin)) {
        return false;
    }
    memcpy(view->from, origin, sizeof origin);
    view->from[2] += height;
    memset(view->angles, 0, sizeof view->angles);
    bsp_text angle = bsp_entity_value(entity, "angle");
    if (!bsp_parse_vector(bsp_entity_value(entity, "angles"), view->angles)) {
        memset(view->angles, 0, sizeof view->angles);
        (void)bsp_parse_float(angle, &view->angles[1]);
    }
    return true;
}

void bsp_view_start(const bsp_map *map, bsp_view *view) {
    static const char *const classes[] = {"info_player_start", "info_player", "info_coop"};
    float height = eye_height(map->branch->family);
    for (size_t c = 0; map->entities != NULL && c < sizeof classes / sizeof *classes; c++) {
        for (uint32_t i = 0; i < map->entities->count; i++) {
            const bsp_entity *entity = &map->entities->list[i];
            if (bspi_text_begins_nocase(bsp_entity_value(entity, "classname"), classes[c]) &&
                view_of(entity, height, view)) {
                return;
            }
        }
    }
    memset(view->from, 0, sizeof view->from);
    memset(view->angles, 0, sizeof view->angles);
    for (int axis = 0; map->num_models != 0 && axis < 3; axis++) {
        view->from[axis] = (map->models[0].mins[axis] + map->models[0].maxs[axis]) / 2;
    }
}
