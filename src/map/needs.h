// SPDX-License-Identifier: MIT
// Parts of a map that a product needs.
#ifndef BSPI_NEEDS_H
#define BSPI_NEEDS_H

#include "bspkit/map.h"

/// True if a map was loaded with all of `parts` (bsp_load_mask). One that a program made itself is
/// complete.
static inline bool bspi_map_has(const bsp_map *map, uint32_t parts) {
    return map->loaded == 0 || (map->loaded & parts) == parts;
}

/// The same for a product: false with BSP_E_ARGUMENT, which names what is missing. `product` is
/// what needs them, "a mesh".
bool bspi_map_needs(const bsp_map *map, uint32_t parts, const char *product, bsp_error *error);

#endif
