// SPDX-License-Identifier: MIT
// Properties of the map that its entities state.
#ifndef BSPI_MAP_ENTITY_H
#define BSPI_MAP_ENTITY_H

#include "bspkit/entities.h"

/// Returns the integer that a key has, or `otherwise` without the key or where its value is none.
int64_t bspi_entity_int(const bsp_entity *entity, const char *key, int64_t otherwise);
/// Returns the finite number that a key has, or `otherwise` likewise.
float bspi_entity_float(const bsp_entity *entity, const char *key, float otherwise);

/// Returns true for a "model" that is one of the map's brush models, "*12", and sets its number,
/// which the map need not have. Any other value names a file.
bool bspi_brush_model_number(bsp_text value, int64_t *number);

#endif
