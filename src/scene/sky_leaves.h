// SPDX-License-Identifier: MIT
// What is in the room that is seen in the place of the sky.
#ifndef BSPI_SCENE_SKY_LEAVES_H
#define BSPI_SCENE_SKY_LEAVES_H

#include "bspkit/map.h"
#include "core/memory.h"

/// Which leaves the room has: those of its camera's area; without areas those that its camera sees.
typedef struct bspi_sky_leaves {
    const bsp_map *map;
    bool found;         ///< else the other members are not set
    uint32_t area;      ///< or 0: by `row`
    const uint8_t *row; ///< clusters
} bspi_sky_leaves;

/// Finds the leaves of the room whose camera stands at `origin`. A room that holds the first player
/// is none: the map's areas or its visibility say nothing. Returns false without memory.
bool bspi_sky_leaves_find(const bsp_map *map, const float origin[3], bspi_arena *arena,
                          bspi_sky_leaves *out, bsp_error *error);
/// Returns true if a point is in the room.
bool bspi_sky_leaves_have(const bspi_sky_leaves *room, const float point[3]);
/// Returns true if the space before a surface is in the room: from the middle of its box along its
/// normal.
bool bspi_sky_leaves_hold(const bspi_sky_leaves *room, const float mins[3], const float maxs[3],
                          const float normal[3]);
/// Makes a bit for each face of the map: whether a leaf of the room lists it. NULL without memory.
uint8_t *bspi_sky_leaves_faces(const bspi_sky_leaves *room, bspi_arena *arena, bsp_error *error);

#endif
