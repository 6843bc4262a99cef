// SPDX-License-Identifier: MIT
// The grid of points that Quake 3 collides a patch as.
#ifndef BSPI_GRID_H
#define BSPI_GRID_H

#include <stdbool.h>
#include <stdint.h>

#define BSPI_GRID_MOST 129u // MAX_GRID_SIZE of the engine

/// Points on the curve. Axis 0 runs along the patch's height, axis 1 along its width, as in the
/// engine, which turns the grid over between its two passes.
typedef struct bspi_grid {
    uint32_t size[2];
    bool wrap[2]; ///< first and last points along the axis are the same
    float points[BSPI_GRID_MOST][BSPI_GRID_MOST][3];
    uint64_t work; ///< points that were moved
} bspi_grid;

/// Subdivides the curve (width and height are odd, 3 to 129, set in `size`, with the control points
/// in place). False if the grid would grow beyond what the engine has room for.
bool bspi_grid_subdivide(bspi_grid *grid);

#endif
