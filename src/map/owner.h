// SPDX-License-Identifier: MIT
// What owns the memory of a map that was loaded.
#ifndef BSPI_OWNER_H
#define BSPI_OWNER_H

#include "bspkit/map.h"
#include "core/memory.h"

/// What a floor above keeps with a map, and what is freed with it. It begins with the arena that
/// all of it is in, which uses the heap of the map; without a heap it is static.
typedef struct bspi_attached {
    bspi_arena arena;
} bspi_attached;

/// The map as its builders see it: the public struct, and what owns its memory.
typedef struct bspi_map {
    bsp_map map;
    bspi_heap heap;
    bspi_arena arena;
    bsp_entities *entities;
    atomic_uint asked;                 ///< questions that a copy would have answered sooner
    _Atomic(bspi_attached *) attached; ///< NULL: none
} bspi_map;

#endif
