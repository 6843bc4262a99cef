// SPDX-License-Identifier: MIT
// Properties of the map that its entities state.
#ifndef BSPI_MAP_ENTITY_H
#define BSPI_MAP_ENTITY_H

#include "bspkit/core.h"

/// Returns true for a "model" that is one of the map's brush models, "*12", and sets its number,
/// which the map need not have. Any other value names a file.
bool bspi_brush_model_number(bsp_text value, int64_t *number);

#endif
