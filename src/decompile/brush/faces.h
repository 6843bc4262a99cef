// SPDX-License-Identifier: MIT
// Which faces of the map lie on a polygon.
#ifndef BSPI_DECOMPILE_BRUSH_FACES_H
#define BSPI_DECOMPILE_BRUSH_FACES_H

#include "decompile/work.h"

/// The most corners that a polygon may have; those with more are not looked at.
#define BSPI_POLYGON_CORNERS 128u

/// A flat piece of a face that lies on a polygon: all of it, or a triangle of Quake 3.
typedef struct bspi_face_hit {
    uint32_t face;
    uint32_t triangle; ///< Quake 3: its first draw index; else 0
    double area;       ///< that both cover, square units
} bspi_face_hit;

/// A side's polygon: counter-clockwise from outside, in the space of its model.
typedef struct bspi_polygon {
    uint32_t model;
    double normal[3];
    double dist;
    const double (*points)[3];
    uint32_t count;
} bspi_polygon;

/// The pieces of faces of that model that look the same way in the same plane and cover a part of
/// the polygon. `*hits` stays until the next call.
uint32_t bspi_face_hits(bspi_work *w, const bspi_polygon *polygon, const bspi_face_hit **hits);

/// Where a triangle of a Quake 3 face looks to. False when it has no area, or corners that are not
/// there.
bool bspi_triangle_normal(const bsp_map *map, const bspi_face_hit *triangle, double normal[3]);

#endif
