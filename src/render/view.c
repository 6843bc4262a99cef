// SPDX-License-Identifier: MIT
// The view of a player who enters the map.
#include "bspkit/render.h"

#include "core/text.h"
#include "map/needs.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define DEGREES 57.29577951f // per radian
#define INSIDE 0.125f        // distance from the corner of the world, as a part of half its size

static bool view_of(const bsp_map *map, const bsp_entity *entity, float height, bsp_view *view) {
    bsp_placement place = bsp_entity_placement(map, entity);
    if (place.moved) {
        memcpy(view->from, place.origin, sizeof view->from);
        memcpy(view->angles, place.angles, sizeof view->angles);
        view->from[2] += height;
    }
    return place.moved;
}

// Looks from near the upper south-west corner of the world to its centre. The corner itself lies in
// the walls, or in the sky, which hides what is beyond it.
static void look_from_corner(const bsp_map *map, bsp_view *view) {
    static const float nothing[3] = {0, 0, 0};
    const float *mins = map->num_models == 0 ? nothing : map->models[0].mins;
    const float *maxs = map->num_models == 0 ? nothing : map->models[0].maxs;
    float half[3];
    for (int axis = 0; axis < 3; axis++) {
        half[axis] = (maxs[axis] - mins[axis]) / 2;
        view->from[axis] = mins[axis] + half[axis] * (axis == 2 ? 2 - INSIDE : INSIDE);
    }
    view->angles[0] = atan2f(half[2], hypotf(half[0], half[1])) * DEGREES;
    view->angles[1] = atan2f(half[1], half[0]) * DEGREES;
    view->angles[2] = 0;
}

void bsp_view_start(const bsp_map *map, bsp_view *view) {
    assert(map != NULL && view != NULL);
    assert(bspi_map_has(map, BSP_LOAD_ENTITIES | BSP_LOAD_TREE));
    static const char *const classes[] = {"info_player_start", "info_player", "info_coop",
                                          "info_spawnpoint_human"};
    float height = map->traits->eye_height;
    for (size_t c = 0; map->entities != NULL && c < sizeof classes / sizeof *classes; c++) {
        for (uint32_t i = 0; i < map->entities->count; i++) {
            const bsp_entity *entity = &map->entities->list[i];
            if (bspi_text_begins_nocase(bsp_entity_value(entity, "classname"), classes[c]) &&
                view_of(map, entity, height, view)) {
                return;
            }
        }
    }
    look_from_corner(map, view);
}
