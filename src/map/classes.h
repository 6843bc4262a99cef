// SPDX-License-Identifier: MIT
// What a game makes of a class of entities with brush models.
#ifndef BSPI_CLASSES_H
#define BSPI_CLASSES_H

#include "bspkit/map.h"

/// True if an entity with a brush model stands in the way when the map begins.
bool bspi_class_is_solid(const bsp_map *map, const bsp_entity *entity);

/// Takes out of an entity's angles, in degrees, what does not turn its brush model.
void bspi_class_turn(const bsp_map *map, const bsp_entity *entity, float angles[3]);

/// Whether its brush model is drawn when the map begins.
bsp_presence bspi_class_presence(const bsp_map *map, const bsp_entity *entity);

#endif
