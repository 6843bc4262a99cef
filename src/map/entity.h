// SPDX-License-Identifier: MIT
// Properties of the map that its entities state.
#ifndef BSPI_MAP_ENTITY_H
#define BSPI_MAP_ENTITY_H

#include "bspkit/entities.h"

#include <stdbool.h>

/// Returns the integer that a key has, or `otherwise` without the key or where its value is none.
int64_t bspi_entity_int(const bsp_entity *entity, const char *key, int64_t otherwise);
/// Returns the finite number that a key has, or `otherwise` likewise.
float bspi_entity_float(const bsp_entity *entity, const char *key, float otherwise);

/// Returns true for a "model" that is one of the map's own, "*12". Any other value names a file.
static inline bool bspi_is_brush_model(bsp_text value) {
    return value.size != 0 && value.data[0] == '*';
}
/// Likewise, and sets its number, which the map need not have.
bool bspi_brush_model_number(bsp_text value, int64_t *number);

#endif
