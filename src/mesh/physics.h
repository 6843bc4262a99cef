// SPDX-License-Identifier: MIT
// Physics shapes of a map while they are made.
#ifndef BSPI_MESH_PHYSICS_H
#define BSPI_MESH_PHYSICS_H

#include "bspkit/physics.h"
#include "records/physics_pieces.h"

/// The shapes so far.
typedef struct bspi_physics_builder {
    const bsp_map *map;
    bspi_heap *heap;
    bspi_arena *arena;
    bsp_error *error;
    bsp_physics_solid *solids;
    uint32_t num_solids;
    size_t solids_room;
    bspi_solid_pieces pieces; ///< `solid` is a number of `solids`
    bsp_text *props;          ///< names of surface properties by number
    uint32_t num_props;
} bspi_physics_builder;

/// Adds a solid, whose pieces follow. The result is valid until the next call. NULL without memory.
bsp_physics_solid *bspi_physics_solid_new(bspi_physics_builder *b, bsp_physics_kind kind,
                                          uint32_t owner);
/// Reads a record that is a point. False if it is not finite.
bool bspi_physics_point(const bsp_table *points, uint32_t record, float out[3]);
/// Adds the hulls around displacements, of the parts of PHYSDISP.
bool bspi_physics_add_displacements(bspi_physics_builder *b, const bsp_parts *parts);

#endif
