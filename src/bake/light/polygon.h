// SPDX-License-Identifier: MIT
// Points of a face's plane, and its edges.
#ifndef BSPI_BAKE_POLYGON_H
#define BSPI_BAKE_POLYGON_H

#include "bspkit/faces.h"

#define BSPI_POLYGON_ON 0.05f // units: so far outside of an edge is still inside

/// An edge of a polygon.
typedef struct bspi_polygon_side {
    const float *start;
    float edge[3];
    float in[3]; ///< towards the polygon, as long as the edge
    float square;
    float length;
} bspi_polygon_side;

/// A face, as it is looked at from points of its plane.
typedef struct bspi_polygon {
    uint32_t face;
    uint32_t count; ///< of corners, and of edges
    const bsp_surface_corner *corners;
    const bspi_polygon_side *sides;
    float normal[3];
    float dist;
} bspi_polygon;

/// Sets the edges of a polygon whose corners and normal are set, into room for as many.
void bspi_polygon_begin(bspi_polygon *polygon, bspi_polygon_side *sides);

/// Returns how far a point of the plane is inside (negative: outside).
float bspi_polygon_inside(const bspi_polygon *polygon, const float point[3]);

/// Finds the point of the edges that is nearest to one of the plane. Sets none without edges.
void bspi_polygon_nearest(const bspi_polygon *polygon, const float point[3], float nearest[3]);

/// Moves a point onto the plane.
void bspi_polygon_onto(const bspi_polygon *polygon, float point[3]);

/// Finds the edge that a point is beyond or less than BSPI_POLYGON_ON before, of several the one
/// whose ends it is least past, and how far beyond. BSP_NONE: it is beyond none.
uint32_t bspi_polygon_edge(const bspi_polygon *polygon, const float point[3], float *away);

#endif
