// SPDX-License-Identifier: MIT
// Faces that a compiler cut out of one wall are one to lines again, where they are convex together.
#ifndef BSPI_BAKE_OCCLUDER_JOIN_H
#define BSPI_BAKE_OCCLUDER_JOIN_H

#include "bake/light/shadows/occluders.h"

/// A face that stops light, and its corners, clockwise seen from before it.
typedef struct bspi_occluder_polygon {
    bspi_occluder face; ///< has no edges yet
    uint32_t first;     ///< of its points
    uint32_t count;     ///< 0: it became part of another one
    uint32_t into;      ///< that one, or one that became part of that; else itself
} bspi_occluder_polygon;

/// All in the heap.
typedef struct bspi_occluder_polygons {
    bspi_occluder_polygon *list;
    uint32_t count;
    size_t room;
    float (*points)[3];
    uint32_t num_points;
    size_t point_room;
} bspi_occluder_polygons;

/// Adds a polygon. After an error, too, bspi_occluders_drop frees all.
bool bspi_occluders_note(bspi_heap *heap, bspi_occluder_polygons *polygons,
                         const bspi_occluder *face, const float (*points)[3], uint32_t count,
                         bsp_error *error);
/// Joins polygons of one plane that have an edge in common and do the same to light, where they are
/// convex together, and drops points on straight edges.
bool bspi_occluders_join(bspi_heap *heap, bspi_occluder_polygons *polygons, bsp_error *error);
void bspi_occluders_drop(bspi_heap *heap, bspi_occluder_polygons *polygons);

#endif
