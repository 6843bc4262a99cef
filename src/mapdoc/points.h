// SPDX-License-Identifier: MIT
// The three points by which a plane is written.
#ifndef BSPI_MAPDOC_POINTS_H
#define BSPI_MAPDOC_POINTS_H

#include "bspkit/mapdoc.h"

/// Points as they will be read back, and the number of places to print.
typedef struct bspi_points {
    double at[3][3];
    unsigned places;
    double normal[3]; ///< of the points, not of the side
    double dist;
} bspi_points;

/// Computes the plane through three points, clockwise seen from the side that the normal points to.
/// Returns false if they are collinear or not finite.
bool bspi_points_plane(const double p0[3], const double p1[3], const double p2[3], double normal[3],
                       double *dist);

/// Gives the side's own points with the fewest decimals that keep its plane, or other points if its
/// own do not give its plane. Returns false if it has none.
bool bspi_side_points(const bsp_mapdoc_side *side, bspi_points *points);

#endif
