// SPDX-License-Identifier: MIT
// The convex pieces of physics solids, as points and triangles in game units.
#ifndef BSPI_PHYSICS_PIECES_H
#define BSPI_PHYSICS_PIECES_H

#include "bspkit/parts.h"
#include "core/memory.h"

/// A convex piece of a solid: a ledge to which a leaf of its tree leads.
typedef struct bspi_solid_piece {
    uint32_t solid; ///< number that was given with the solid
    uint32_t data;  ///< of the program that made the ledge: compilers of maps put the brush there
    uint32_t first_point;
    uint32_t num_points;
    uint32_t first_index; ///< three for each triangle; they count from the piece's first point
    uint32_t num_indices;
} bspi_solid_piece;

/// Pieces of several solids. Zeros are an empty list; bspi_solid_pieces_free empties it.
typedef struct bspi_solid_pieces {
    bspi_solid_piece *pieces;
    uint32_t count;
    float (*points)[3]; ///< finite
    uint32_t num_points;
    uint32_t *indices; ///< counter-clockwise seen from outside, as the ledges have them
    uint32_t num_indices;
    uint8_t *materials; ///< one for each triangle: 0 is the material of the solid
    size_t room[4];     ///< private: of the four arrays
} bspi_solid_pieces;

/// Adds a piece, whose points, indices and materials are zeros that the caller replaces. The result
/// is valid until the next call. NULL without memory.
bspi_solid_piece *bspi_solid_pieces_new(bspi_solid_pieces *pieces, uint32_t solid,
                                        uint32_t num_points, uint32_t num_triangles,
                                        bspi_heap *heap, bsp_error *error);
/// Removes the piece that was added last.
void bspi_solid_pieces_drop(bspi_solid_pieces *pieces);

/// Adds the pieces of a solid: of the group `part` in the list of
/// bspi_parse_solids. Metres become
/// inches, and the axes those of the game. A ledge whose points are not in the solid is left out.
/// False without memory or over a limit.
bool bspi_solid_pieces_add(bspi_solid_pieces *pieces, const bsp_parts *parts, uint32_t part,
                           uint32_t solid, bspi_heap *heap, bsp_error *error);
void bspi_solid_pieces_free(bspi_solid_pieces *pieces, bspi_heap *heap);

#endif
