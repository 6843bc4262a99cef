// SPDX-License-Identifier: MIT
// What lamps bring to a place in space.
#ifndef BSPI_BAKE_GRID_PLACE_H
#define BSPI_BAKE_GRID_PLACE_H

#include "bake/light/base/work.h"
#include "bake/light/lamps/lamp.h"

#define BSPI_GRID_LINES 256u // that are looked along at once

/// What a lamp brings to a place.
typedef struct bspi_brought {
    const bspi_lamp *lamp;
    float color[3];
    float direction[3];
} bspi_brought;

/// A place, and what was brought to it.
typedef struct bspi_grid_place {
    bspi_relight *own;
    float point[3];
    uint32_t cluster;
    float near;         ///< q3map2: units within which surfaces do not shade
    uint8_t *row;       ///< ericw: clusters that the place sees, if `culls`. Borrowed
    bool culls;         ///< surfaces that are not seen give nothing
    bspi_brought *list; ///< one for each lamp at most
    uint32_t count;
    bsp_sight_line lines[BSPI_GRID_LINES];
    bool seen[BSPI_GRID_LINES];
    float through[BSPI_GRID_LINES][3];
    uint32_t waiting; ///< the last so many of the list, which something may stand before
} bspi_grid_place;

/// Finds a free place within half a step of a grid, near first. False if there is none.
bool bspi_grid_place_find(bspi_grid_place *place, const float center[3], const float step[3]);
/// Finds a free place there or two units beside it, as ericw-tools does. False if there is none.
bool bspi_grid_place_beside(bspi_grid_place *place, const float center[3]);
/// Finds what the place sees of surfaces, as ericw-tools asks for it; `row` has room for it.
void bspi_grid_place_cull(bspi_grid_place *place);
/// Adds what lamps bring there.
void bspi_grid_place_gather(bspi_grid_place *place, const bspi_lamp *lamps, uint32_t count);

/// Names of the lumps of light grids that maps need not have.
#define BSPI_OCTREE_NAME "bspx:LIGHTGRID_OCTREE"
#define BSPI_GRIDS_NAME "bspx:LIGHTGRIDS"

/// Returns the number of the lump LIGHTGRID_OCTREE, light in space of Quake and Quake 2, or
/// BSP_NONE.
static inline uint32_t bspi_octree_lump(const bsp_file *file) {
    return bsp_file_find(file, bsp_text_of(BSPI_OCTREE_NAME));
}
/// The same of LIGHTGRIDS.
static inline uint32_t bspi_grids_lump(const bsp_file *file) {
    return bsp_file_find(file, bsp_text_of(BSPI_GRIDS_NAME));
}

#endif
