// SPDX-License-Identifier: MIT
// The planes and facets of one patch under construction.
#ifndef BSPI_FACETS_H
#define BSPI_FACETS_H

#include "query/grid.h"
#include "query/winding.h"

#define BSPI_PATCH_PLANES 4096u // MAX_PATCH_PLANES: the engine refuses a map that needs more
#define BSPI_PATCH_FACETS 1024u // MAX_FACETS
#define BSPI_BORDERS 26u        // 4 borders, 6 axial bevels, 16 edge bevels

/// A flat piece of the surface: the part of its plane on the back side of all borders.
typedef struct bspi_facet {
    int32_t surface;
    uint32_t num_borders;
    int32_t borders[BSPI_BORDERS]; ///< planes, -1 for none
    bool inward[BSPI_BORDERS];     ///< the border's plane faces inwards: take its reverse
} bspi_facet;

typedef struct bspi_patch {
    bspi_grid grid;
    int32_t cells[BSPI_GRID_MOST][BSPI_GRID_MOST][2]; ///< of a cell's two triangles, or -1
    uint32_t num_planes;
    float planes[BSPI_PATCH_PLANES][4];
    uint32_t num_facets;
    bspi_facet facets[BSPI_PATCH_FACETS];
    float boxes[BSPI_PATCH_FACETS][2][3]; ///< of the facets
    bool overflow;                        ///< it needs more planes or facets than the arrays hold
    uint64_t work;                        ///< planes and points that were visited
} bspi_patch;

/// Adds the bevels that make collisions of boxes exact, and the back plane. `box` receives the
/// bounds.
void bspi_facet_bevels(bspi_patch *patch, bspi_facet *facet, float box[2][3]); // bevels.c
/// Computes the part of the facet's plane on the back side of its borders.
void bspi_facet_winding(const bspi_patch *patch, const bspi_facet *facet, bool skip_surface,
                        bspi_winding *w); // bevels.c

#endif
