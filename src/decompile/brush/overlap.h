// SPDX-License-Identifier: MIT
// What two polygons of one plane both cover.
#ifndef BSPI_DECOMPILE_BRUSH_OVERLAP_H
#define BSPI_DECOMPILE_BRUSH_OVERLAP_H

#include "decompile/brush/faces.h"

/// A polygon without the coordinate along its axis. Cutting a corner off adds one.
typedef struct bspi_outline {
    uint32_t count;
    double at[2 * BSPI_POLYGON_CORNERS][2];
} bspi_outline;

/// The axis nearest to a direction; of equals the first.
int bspi_dominant_axis(const double normal[3]);
/// Seen along an axis; from behind it when the normal looks against it, so that what is
/// counter-clockwise stays so.
void bspi_flatten(const double (*points)[3], uint32_t count, const double normal[3], int axis,
                  bspi_outline *out);
/// The area of both: convex, the first counter-clockwise, the second any way round. `inner` is
/// scratch afterwards.
double bspi_common_area(const bspi_outline *border, bspi_outline *inner);

#endif
