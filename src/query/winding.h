// SPDX-License-Identifier: MIT
// Convex polygons cut by planes, in the arithmetic of Quake 3 (cm_polylib.c), which the facets of
// its patches depend on.
#ifndef BSPI_WINDING_H
#define BSPI_WINDING_H

#include <stdbool.h>
#include <stdint.h>

#define BSPI_WINDING_POINTS 128u   // enough for a square cut by 64 planes
#define BSPI_WINDING_SIZE 65535.0f // MAX_MAP_BOUNDS
#define BSPI_WINDING_EPSILON 0.1f  // a nearer point is on the plane (cm_patch.c)

typedef struct bspi_winding {
    uint32_t count; ///< 0: nothing is left
    float points[BSPI_WINDING_POINTS][3];
} bspi_winding;

/// Makes a square of 2 * BSPI_WINDING_SIZE units on a plane.
void bspi_winding_base(bspi_winding *w, const float normal[3], float dist);
/// Keeps the part in front of a plane; nothing when no point is more than BSPI_WINDING_EPSILON in
/// front.
void bspi_winding_clip(bspi_winding *w, const float normal[3], float dist);
/// Enlarges a box to contain all points.
void bspi_winding_extend(const bspi_winding *w, float box[2][3]);

/// Scales a vector to unit length and returns its former length; 0 is left unchanged.
float bspi_query_normalize(float v[3]);

#endif
