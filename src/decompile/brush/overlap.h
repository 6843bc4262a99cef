// SPDX-License-Identifier: MIT
// The intersection of two polygons of one plane.
#ifndef BSPI_DECOMPILE_BRUSH_OVERLAP_H
#define BSPI_DECOMPILE_BRUSH_OVERLAP_H

#include "decompile/brush/faces.h"

/// A polygon without the coordinate along its axis. Cutting off a corner adds a corner.
typedef struct bspi_outline {
    uint32_t count;
    double at[2 * BSPI_POLYGON_CORNERS][2];
} bspi_outline;

/// Returns the axis nearest to a direction; the first of equal ones.
int bspi_dominant_axis(const double normal[3]);
/// Projects a polygon along an axis; mirrored when the normal points against the axis, so that
/// counter-clockwise stays counter-clockwise.
void bspi_flatten(const double (*points)[3], uint32_t count, const double normal[3], int axis,
                  bspi_outline *out);
/// Returns the area of the intersection. Both are convex, the first counter-clockwise, the second
/// in either direction. `inner` is overwritten.
double bspi_common_area(const bspi_outline *border, bspi_outline *inner);

#endif
