// SPDX-License-Identifier: MIT
// A face is cut into a grid of pieces.
#ifndef BSPI_BAKE_PIECE_GRID_H
#define BSPI_BAKE_PIECE_GRID_H

#include "bake/light/base/work.h"
#include "bake/light/faces/piece.h"

/// Takes a piece, in the world, and the normal of the face.
typedef bool bspi_piece_fn(void *user, const bspi_piece *piece, const float normal[3],
                           bsp_error *error);

/// Cuts a face into a grid along the axes of its texture, in cells of `chop` texels, as hlrad does,
/// and gives each piece to `take`. `fits` is false, and nothing was cut, for a face that has too
/// many corners or no axes.
bool bspi_piece_grid(bspi_relight *own, uint32_t face, float chop, bspi_piece_fn *take, void *user,
                     bool *fits, bsp_error *error);

#endif
