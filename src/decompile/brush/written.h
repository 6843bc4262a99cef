// SPDX-License-Identifier: MIT
// The sides of a hull as a document says them.
#ifndef BSPI_DECOMPILE_BRUSH_WRITTEN_H
#define BSPI_DECOMPILE_BRUSH_WRITTEN_H

#include "decompile/work.h"
#include "mesh/polyhedron.h"

/// A side of a hull as it is written.
typedef struct bspi_written_side {
    bspi_written_plane plane;
    double middle[3];   ///< of its polygon
    uint32_t first_hit; ///< faces that lie on it, in a search that was made before; BSP_NONE: none
                        ///< was
    uint32_t num_hits;
    bool bounds; ///< it bounds the hull; what does not is left out
} bspi_written_side;

/// What the sides are written from, and scratch.
typedef struct bspi_shaper {
    const bsp_map *map;
    const bsp_brush_mesh *hulls;
    uint32_t first_hull; ///< brush of the first one
    bspi_polyhedron *cutter;
} bspi_shaper;

static inline const bsp_brush_hull *bspi_shaper_hull(const bspi_shaper *shaper, uint32_t brush) {
    return &shaper->hulls->hulls[brush - shaper->first_hull];
}

/// Stores the polygon of a side, moved by `origin` (may be NULL), in `points`: at most
/// BSPI_POLYGON_CORNERS. Returns their number.
uint32_t bspi_shaper_points(const bspi_shaper *shaper, const bsp_brush_polygon *polygon,
                            const double *origin, double (*points)[3]);
/// Gives the plane of a side of the map.
void bspi_shaper_plane(const bspi_shaper *shaper, uint32_t side, double normal[3], double *dist);
/// Returns the polygon of a brush's hull that is written first.
uint32_t bspi_shaper_first(const bspi_shaper *shaper, uint32_t brush);
/// Fills the sides of a brush, whose hull is closed, one for each polygon, moved by `origin` (may
/// be NULL).
void bspi_shaper_write(const bspi_shaper *shaper, uint32_t brush, const double *origin,
                       bspi_written_side *sides);

#endif
