// SPDX-License-Identifier: MIT
// What lamps bring to a place in space.
#ifndef BSPI_BAKE_GRID_PLACE_H
#define BSPI_BAKE_GRID_PLACE_H

#include "bake/light/base/work.h"
#include "bake/light/lamps/lamp_eight.h"

#define BSPI_GRID_LINES 256u   // that are looked along at once
#define BSPI_GRID_TOGETHER 16u // places that lamps are looked at from at once, at most

/// What a lamp brings to a place.
typedef struct bspi_brought {
    const bspi_lamp *lamp;
    float color[3];
    float direction[3];
} bspi_brought;

/// A place, and what was brought to it.
typedef struct bspi_grid_place {
    float point[3];
    uint32_t cluster;
    uint8_t *row;       ///< ericw: clusters that the place sees, if `culls`. Borrowed
    bool culls;         ///< surfaces that are not seen give nothing
    bspi_brought *list; ///< one for each lamp at most
    uint32_t count;
    uint32_t next; ///< lamps before that one are done; bspi_grid_places_gather sets it
} bspi_grid_place;

/// Places near each other: lines from them to one lamp are looked along together, from a single one
/// those to many lamps.
typedef struct bspi_grid_places {
    bspi_relight *own;
    float near; ///< q3map2: units within which surfaces do not shade; 0: no cells of its grid
    bspi_grid_place list[BSPI_GRID_TOGETHER];
    uint32_t count;
    bspi_lamp_places eights[BSPI_GRID_TOGETHER / BSPI_LAMP_PLACES]; ///< the same places
    uint32_t waiting; ///< lines that are still to be looked along
    bsp_sight_line lines[BSPI_GRID_LINES];
    bspi_brought brought[BSPI_GRID_LINES]; ///< on each, if nothing is in the way
    uint32_t from[BSPI_GRID_LINES];        ///< place
    bool seen[BSPI_GRID_LINES];
    float through[BSPI_GRID_LINES][3];
} bspi_grid_places;

/// Finds a free place within half a step of a grid, near first. False if there is none.
bool bspi_grid_place_find(bspi_relight *own, bspi_grid_place *place, const float center[3],
                          const float step[3]);
/// Finds a free place there or two units beside it, as ericw-tools does. False if there is none.
bool bspi_grid_place_beside(bspi_relight *own, bspi_grid_place *place, const float center[3]);
/// Finds what the place sees of surfaces, as ericw-tools asks for it; `row` has room for it.
void bspi_grid_place_cull(bspi_relight *own, bspi_grid_place *place);
/// Adds what lamps bring to places.
void bspi_grid_places_gather(bspi_grid_places *places, const bspi_lamp *lamps, uint32_t count);

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
