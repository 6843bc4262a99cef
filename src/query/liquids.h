// SPDX-License-Identifier: MIT
// Liquids by the contents of leaves and brushes.
#ifndef BSPI_QUERY_LIQUIDS_H
#define BSPI_QUERY_LIQUIDS_H

#include "bspkit/map.h"

/// Returns what of contents is water, slime or lava: the number itself where contents are numbers,
/// else the bits of these; 0: nothing.
int32_t bspi_liquids_of(const bsp_map *map, int32_t contents);

#endif
