// SPDX-License-Identifier: MIT
// The cells of a face in which hlrad has one place each.
#ifndef BSPI_BAKE_SPOT_CELLS_H
#define BSPI_BAKE_SPOT_CELLS_H

#include "bake/light/faces/unfold.h"

#define BSPI_CELL (16.0 / 3) // texels along an edge of one
#define BSPI_CELL_ON 0.04    // texels or units

/// Finds a cell among those that were looked at last, or makes it. It stays until the next one.
const bspi_spot_cell *bspi_spot_cell_find(bspi_unfold *unfold, const bspi_unfold_face *face, int s,
                                          int t);

#endif
