// SPDX-License-Identifier: MIT
// The eye of a player who enters the map.
#ifndef BSPI_SCENE_START_H
#define BSPI_SCENE_START_H

#include "bspkit/map.h"

/// Gives the eye of the first player start and where it looks, in degrees: pitch (down is
/// positive), yaw, roll. In a map without one, it looks from near an upper corner of the world to
/// its centre. The map was loaded with its entities and tree.
void bspi_start(const bsp_map *map, float from[3], float angles[3]);

/// Gives the eyes of the first `room` player starts, in the order of the file, and returns how
/// many. The map was loaded with its entities.
uint32_t bspi_starts(const bsp_map *map, float (*eyes)[3], uint32_t room);

#endif
