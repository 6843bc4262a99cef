// SPDX-License-Identifier: MIT
// The heap of what is made from a map.
#ifndef BSPI_MAP_HEAP_H
#define BSPI_MAP_HEAP_H

#include "bspkit/map.h"
#include "core/memory.h"

/// Returns the budget for what is made from a map: `given` (from options; may be NULL), or else the
/// map's.
static inline bsp_budget *bspi_map_budget(const bsp_map *map, bsp_budget *given) {
    return given != NULL ? given : map->budget;
}

/// Initialises a heap as bspi_heap_init_for does, for what is made from a map.
static inline void bspi_map_heap(bspi_heap *heap, bsp_product product, const bsp_map *map,
                                 bsp_budget *given, const bsp_allocator *allocator) {
    bspi_heap_init_for(heap, product, map->file_size, bspi_map_budget(map, given), allocator);
}

#endif
