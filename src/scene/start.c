// SPDX-License-Identifier: MIT
// Where a player who enters the map looks from.
#include "scene/start.h"

#include "bspkit/query.h"
#include "core/curves.h"
#include "core/text.h"
#include "formats/quake_contents.h"

#include <string.h>

#define AWAY 2.5f     // times as far from the middle as the place inside
#define INSIDE 0.125f // distance from the corner of the world, as a part of half its size

static bool stands_at(const bsp_map *map, const bsp_entity *entity, float height, float from[3],
                      float angles[3]) {
    bsp_placement place = bsp_entity_placement(map, entity);
    if (place.moved) {
        memcpy(from, place.origin, sizeof place.origin);
        memcpy(angles, place.angles, sizeof place.angles);
        from[2] += height;
    }
    return place.moved;
}

// The box of an item of Quake, which is a map of its own, lies in the open: what is around it is
// empty, where around others is solid.
static bool lies_open(const bsp_map *map, const float outside[3]) {
    uint32_t leaf = bsp_query_leaf(map, outside);
    return map->traits->contents_numbers && leaf < map->num_leaves &&
           map->leaves[leaf].contents == BSPI_CONTENTS_EMPTY;
}

// Looks from near the upper south-west corner of the world to its centre. The corner itself lies in
// the walls, or in the sky, which hides what is beyond it. What lies in the open is looked at from
// farther away.
static void look_from_corner(const bsp_map *map, float from[3], float angles[3]) {
    static const float nothing[3] = {0, 0, 0};
    const float *mins = map->num_models == 0 ? nothing : map->models[0].mins;
    const float *maxs = map->num_models == 0 ? nothing : map->models[0].maxs;
    float half[3];
    for (int axis = 0; axis < 3; axis++) {
        half[axis] = (maxs[axis] - mins[axis]) / 2;
        from[axis] = mins[axis] + half[axis] * (axis == 2 ? 2 - INSIDE : INSIDE);
    }
    angles[0] = bspi_degrees(bspi_angle_of(half[2], bspi_length_of(half[0], half[1])));
    angles[1] = bspi_degrees(bspi_angle_of(half[1], half[0]));
    angles[2] = 0;
    float outside[3];
    for (int axis = 0; axis < 3; axis++) {
        float rise = half[axis] * (1 - INSIDE) * (axis == 2 ? AWAY : -AWAY);
        outside[axis] = mins[axis] + half[axis] + rise;
    }
    if (lies_open(map, outside)) {
        memcpy(from, outside, sizeof outside);
    }
}

// What the classes of starts begin with, the best first.
static const char *const classes[] = {"info_player_start", "info_player", "info_coop",
                                      "info_spawnpoint_human"};

static bool is_start(const bsp_entity *entity, const char *start) {
    return bspi_text_begins_nocase(bsp_entity_value(entity, "classname"), start);
}

void bspi_start(const bsp_map *map, float from[3], float angles[3]) {
    float height = map->traits->eye_height;
    for (size_t c = 0; map->entities != NULL && c < sizeof classes / sizeof *classes; c++) {
        for (uint32_t i = 0; i < map->entities->count; i++) {
            const bsp_entity *entity = &map->entities->list[i];
            if (is_start(entity, classes[c]) && stands_at(map, entity, height, from, angles)) {
                return;
            }
        }
    }
    look_from_corner(map, from, angles);
}

uint32_t bspi_starts(const bsp_map *map, float (*eyes)[3], uint32_t room) {
    uint32_t count = 0;
    float angles[3];
    for (uint32_t i = 0; map->entities != NULL && i < map->entities->count && count < room; i++) {
        const bsp_entity *entity = &map->entities->list[i];
        bool found = is_start(entity, classes[1]) || is_start(entity, classes[2]) ||
                     is_start(entity, classes[3]);
        count += found && stands_at(map, entity, map->traits->eye_height, eyes[count], angles);
    }
    return count;
}
