// SPDX-License-Identifier: MIT
// The grid of points that stands for a patch in the collision of Quake 3.
#ifndef BSPI_GRID_H
#define BSPI_GRID_H

#include <stdbool.h>
#include <stdint.h>

#define BSPI_GRID_MOST 129u // MAX_GRID_SIZE of the engine

/// Points on the curve. Axis 0 runs along the patch's height, axis 1 along its width, as in the
/// engine, which transposes the grid between its two passes.
typedef struct bspi_grid {
    uint32_t size[2];
    bool wrap[2]; ///< first and last points along the axis are the same
    float points[BSPI_GRID_MOST][BSPI_GRID_MOST][3];
    uint64_t work; ///< points that were moved
} bspi_grid;

/// Subdivides the curve. The caller has set `size` (width and height, odd, 3 to 129) and the
/// control points. Returns false if the grid would exceed the engine's limit.
bool bspi_grid_subdivide(bspi_grid *grid);

#endif
