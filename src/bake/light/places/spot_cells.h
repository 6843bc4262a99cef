// SPDX-License-Identifier: MIT
// The cells of a face in which hlrad has one place each.
#ifndef BSPI_BAKE_SPOT_CELLS_H
#define BSPI_BAKE_SPOT_CELLS_H

#include "bake/light/faces/unfold.h"

#include <math.h>

#define BSPI_CELL (16.0 / 3) // texels along an edge of one
#define BSPI_CELL_ON 0.04    // texels or units

#define BSPI_CELLS_END 1e8 // texels or cells that are numbered

/// Sets the numbers of the first and the last cell around a place along an axis, in texels. False
/// where cells are not numbered.
static inline bool bspi_spot_cells_at(double at, int numbers[2]) {
    bool numbered = fabs(at) < BSPI_CELLS_END;
    numbers[0] = numbered ? (int)ceil((at - 2 * BSPI_CELL_ON) / BSPI_CELL - 0.5) : 0;
    numbers[1] = numbered ? (int)floor((at + 2 * BSPI_CELL_ON) / BSPI_CELL + 0.5) : 0;
    return numbered;
}

#define BSPI_CELL_INSIDE (0.72 * BSPI_CELL) // from its middle: more than to its corners

/// Is all of a cell on a face?
static inline bool bspi_spot_cell_is_whole(const bspi_unfold_face *face, int s, int t) {
    const double middle[2] = {s * BSPI_CELL, t * BSPI_CELL};
    return bspi_unfold_holds(face, middle, -BSPI_CELL_INSIDE);
}

/// Is it known that the middles of such cells are free, those of two and of all between them?
bool bspi_spot_cells_are_open(bspi_unfold *unfold, const bspi_unfold_face *face, const int from[2],
                              const int to[2]);

/// Makes such a cell; `open`: its middle is free. False where its middle is not free, so that its
/// place is elsewhere, if it has one.
bool bspi_spot_cell_whole(bspi_unfold *unfold, const bspi_unfold_face *face, int s, int t,
                          bool open, bspi_spot_cell *out);

/// Finds a cell among those that were looked at last, or makes it. It stays until the next one.
const bspi_spot_cell *bspi_spot_cell_find(bspi_unfold *unfold, const bspi_unfold_face *face, int s,
                                          int t);

#endif
