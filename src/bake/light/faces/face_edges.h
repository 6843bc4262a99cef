// SPDX-License-Identifier: MIT
// Points of a face's plane, and its edges.
#ifndef BSPI_BAKE_FACE_EDGES_H
#define BSPI_BAKE_FACE_EDGES_H

#include "bspkit/faces.h"

#define BSPI_EDGE_ON 0.05f // units: so far outside of an edge is still inside

/// An edge of a face.
typedef struct bspi_face_edge {
    const float *start;
    float edge[3];
    float in[3]; ///< towards the face, as long as the edge
    float square;
    float length;
} bspi_face_edge;

/// A face, as it is looked at from points of its plane.
typedef struct bspi_face_edges {
    uint32_t face;
    uint32_t count; ///< of corners, and of edges
    const bsp_surface_corner *corners;
    const bspi_face_edge *sides;
    float normal[3];
    float dist;
} bspi_face_edges;

/// Sets the edges of a face whose corners and normal are set, into room for as many.
void bspi_face_edges_begin(bspi_face_edges *edges, bspi_face_edge *sides);

/// Returns how far a point of the plane is inside (negative: outside).
float bspi_face_edges_inside(const bspi_face_edges *edges, const float point[3]);

/// Finds the point of the edges that is nearest to one of the plane. Sets none without edges.
void bspi_face_edges_nearest(const bspi_face_edges *edges, const float point[3], float nearest[3]);

/// Moves a point onto the plane.
void bspi_face_edges_onto(const bspi_face_edges *edges, float point[3]);

/// Finds the edge that a point is beyond or less than BSPI_EDGE_ON before, of several the one
/// whose ends it is least past, and how far beyond. BSP_NONE: it is beyond none.
uint32_t bspi_face_edges_beyond(const bspi_face_edges *edges, const float point[3], float *away);

#endif
