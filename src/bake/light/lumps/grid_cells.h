// SPDX-License-Identifier: MIT
// Cells of a light grid of Quake and Quake 2, and the light in them.
#ifndef BSPI_BAKE_GRID_CELLS_H
#define BSPI_BAKE_GRID_CELLS_H

#include "bake/light/base/work.h"
#include "core/buffer.h"
#include "formats/composites.h"

#define BSPI_GRID_STYLES 4u                     // of a cell
#define BSPI_GRID_STAYS BSPI_LIGHTGRID_OCCLUDED // of its count

/// A cell.
typedef struct bspi_grid_cell {
    size_t at; ///< in a lump that has it
    uint32_t place[3];
    uint32_t count; ///< of samples; BSPI_GRID_STAYS: it is in solid, or has those that it had
    struct {
        uint8_t style;
        uint8_t color[3];
    } samples[BSPI_GRID_STYLES];
} bspi_grid_cell;

#define BSPI_GRID_SIDES 6u // of a cube: +x, -x, +y, -y, +z, -z

/// The light of a cell by the sides of a cube, of each of its styles (LIGHTGRIDS).
typedef struct bspi_grid_sides {
    uint8_t color[BSPI_GRID_STYLES][BSPI_GRID_SIDES][3];
} bspi_grid_sides;

/// A grid.
typedef struct bspi_grid_cells {
    bspi_relight *own;
    float step[3];
    float corner[3];
    bspi_grid_cell *list;
    uint32_t count;
    bspi_grid_sides *sides; ///< of each cell; NULL: not wanted
    bool anew;              ///< all cells are lit that are free, wherever the region is
} bspi_grid_cells;

/// Adds a cell to a lump: how many samples it has (BSPI_LIGHTGRID_OCCLUDED: it is in solid), and
/// these; with `sides` as LIGHTGRIDS has them, black ones left out.
void bspi_grid_cell_put(const bspi_grid_cell *cell, const bspi_grid_sides *sides, bspi_buffer *out);

/// Lights the cells, at whose places they are.
bool bspi_grid_cells_light(bspi_grid_cells *cells, bsp_error *error);

#endif
