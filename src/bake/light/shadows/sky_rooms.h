// SPDX-License-Identifier: MIT
// Source: rooms that are seen in the place of the sky, and shade as what is far away.
#ifndef BSPI_BAKE_SKY_ROOMS_H
#define BSPI_BAKE_SKY_ROOMS_H

#include "bake/light/base/work.h"

/// The room around a sky_camera.
typedef struct bspi_sky_room {
    float origin[3]; ///< what the middle of the world is there
    float scale;     ///< units of the world for one of the room
    uint32_t area;   ///< that it is
} bspi_sky_room;

/// All of them.
typedef struct bspi_sky_rooms {
    bspi_sky_room *list; ///< in the arena
    uint32_t count;
} bspi_sky_rooms;

/// Finds the rooms of a map whose light is vrad's; others have none.
bool bspi_sky_rooms_find(bspi_relight *own, bsp_error *error);

/// Is a point in such a room, from where the sky alone is seen?
bool bspi_sky_rooms_have(const bspi_relight *own, const float point[3]);

#endif
