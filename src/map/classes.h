// SPDX-License-Identifier: MIT
// The effect of a class of entities with brush models.
#ifndef BSPI_CLASSES_H
#define BSPI_CLASSES_H

#include "bspkit/map.h"

/// Returns true if a class has a name of a table; one that ends in '*' stands for all names that
/// begin so.
bool bspi_class_fits(const char *pattern, bsp_text name);

/// Returns true if its brush model stops a line of sight: GoldSrc's glass does not.
bool bspi_class_stops_sight(const bsp_map *map, const bsp_entity *entity);

/// Removes from an entity's angles, in degrees, those that do not rotate its brush model.
void bspi_class_turn(const bsp_map *map, const bsp_entity *entity, float angles[3]);

/// Returns whether its brush model is drawn when the map begins.
bsp_presence bspi_class_presence(const bsp_map *map, const bsp_entity *entity);

#endif
