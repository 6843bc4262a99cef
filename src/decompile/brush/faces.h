// SPDX-License-Identifier: MIT
// Finds the faces of the map that lie on a polygon.
#ifndef BSPI_DECOMPILE_BRUSH_FACES_H
#define BSPI_DECOMPILE_BRUSH_FACES_H

#include "decompile/work.h"

/// The most corners of a polygon; polygons with more are not searched.
#define BSPI_POLYGON_CORNERS 128u

/// A flat piece of a face that lies on a polygon: the whole face, or a triangle of Quake 3.
typedef struct bspi_face_hit {
    uint32_t face;
    uint32_t triangle; ///< Quake 3: its first draw index; else 0
    double area;       ///< of the overlap, in square units
} bspi_face_hit;

/// A side's polygon: counter-clockwise from outside, in the space of its model.
typedef struct bspi_polygon {
    uint32_t model;
    double normal[3];
    double dist;
    const double (*points)[3];
    uint32_t count;
} bspi_polygon;

/// Finds the pieces of faces of that model that have the same plane and direction as the polygon
/// and overlap it. `*hits` is valid until the next call.
uint32_t bspi_face_hits(bspi_work *w, const bspi_polygon *polygon, const bspi_face_hit **hits);

/// A search for the faces of many polygons, each thread's own.
typedef struct bspi_face_search {
    const bspi_work *work; ///< of which only the map and the index are used
    bspi_heap *heap;
    bspi_meter *meter;
    bsp_error *error;
    bspi_face_hit *hits; ///< of all polygons that were searched
    uint32_t count;
    size_t room;
    bool failed; ///< without memory or over the limit of work, as the error says: hits are missing
} bspi_face_search;

/// Does the same for another thread: adds the hits to those of the search. Returns their number.
uint32_t bspi_face_search_add(bspi_face_search *search, const bspi_polygon *polygon);
void bspi_face_search_end(bspi_face_search *search);

/// Gives the normal of a triangle of a Quake 3 face. Returns false when it has no area, or invalid
/// corners.
bool bspi_triangle_normal(const bsp_map *map, const bspi_face_hit *triangle, double normal[3]);

#endif
