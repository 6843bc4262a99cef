// SPDX-License-Identifier: MIT
// What is in the room that is seen in the place of the sky.
#ifndef BSPI_SCENE_SKY_LEAVES_H
#define BSPI_SCENE_SKY_LEAVES_H

#include "bspkit/map.h"
#include "core/memory.h"

/// Which leaves the room has: those of its camera's area; without areas those that its camera sees.
typedef struct bspi_sky_leaves {
    const bsp_map *map;
    bool found;            ///< else the other members are not set
    uint32_t area;         ///< or 0: by `row`
    const uint8_t *row;    ///< clusters
    const uint8_t *faces;  ///< a bit for each face of the map: a leaf of the room lists it
    const uint8_t *listed; ///< likewise: any leaf does
} bspi_sky_leaves;

/// Finds the leaves of the room whose camera stands at `origin`, in the arena. A room that holds
/// the first player is none: the map's areas or its visibility say nothing. Returns false without
/// memory.
bool bspi_sky_leaves_find(const bsp_map *map, const float origin[3], bspi_arena *arena,
                          bspi_sky_leaves *out, bsp_error *error);
/// Returns true if a point is in the room.
bool bspi_sky_leaves_have(const bspi_sky_leaves *room, const float point[3]);
/// Returns true if a surface is in the room. A face of the world that leaves list is where they
/// are; for another one, or no face (BSP_NONE), the space before it counts: from the middle of its
/// box along its normal.
bool bspi_sky_leaves_hold(const bspi_sky_leaves *room, uint32_t face, const float mins[3],
                          const float maxs[3], const float normal[3]);

#endif
