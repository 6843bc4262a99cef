// SPDX-License-Identifier: MIT
// Source: rooms that are seen in the place of the sky. Source: ProcessSkyCameras and
// TestLine_DoesHitSky of vrad in the Source SDK.
#include "bake/light/shadows/sky_rooms.h"

#include "bake/light/base/keys.h"

#include "core/text.h"

#define SCALE 16.0f // of a camera that does not say
#define MOST 16u    // rooms; maps have one

static bool is_camera(const bsp_entity *entity) {
    return bspi_text_equal_nocase(bsp_entity_value(entity, "classname"), bsp_text_of("sky_camera"));
}

static uint32_t area_of(const bspi_relight *own, const float point[3]) {
    uint32_t leaf = bsp_trace_leaf(own->index, point);
    return leaf < own->map->num_leaves ? own->map->leaves[leaf].area : 0;
}

bool bspi_sky_rooms_find(bspi_relight *own, bsp_error *error) {
    const bsp_entities *entities = own->map->entities;
    uint32_t count = 0;
    for (uint32_t i = 0; entities != NULL && i < entities->count; i++) {
        count += is_camera(&entities->list[i]);
    }
    count = count < MOST ? count : MOST;
    if (own->own_format != BSPI_RGBEXP32 || count == 0) {
        return true;
    }
    bspi_sky_rooms *rooms = bspi_arena_zero(&own->arena, 1, sizeof *rooms, error);
    bspi_sky_room *list = bspi_arena_zero(&own->arena, count, sizeof *list, error);
    if (rooms == NULL || list == NULL) {
        return false;
    }
    rooms->list = list;
    own->sky_rooms = rooms;
    for (uint32_t i = 0; i < entities->count && rooms->count < count; i++) {
        const bsp_entity *entity = &entities->list[i];
        bspi_sky_room *room = &list[rooms->count];
        if (is_camera(entity) && bspi_key_point(entity, "origin", room->origin)) {
            float scale = bspi_key_number(entity, "scale", SCALE);
            room->scale = scale > 0 ? scale : SCALE;
            room->area = area_of(own, room->origin);
            rooms->count++;
        }
    }
    return true;
}

bool bspi_sky_rooms_have(const bspi_relight *own, const float point[3]) {
    uint32_t area = area_of(own, point);
    bool found = false;
    for (uint32_t i = 0; i < own->sky_rooms->count; i++) {
        found |= own->sky_rooms->list[i].area == area;
    }
    return found;
}
