// SPDX-License-Identifier: MIT
// The three points that a plane is written as.
#ifndef BSPI_MAPDOC_POINTS_H
#define BSPI_MAPDOC_POINTS_H

#include "bspkit/mapdoc.h"

/// Points as they will be read back, and with how many places to print them.
typedef struct bspi_points {
    double at[3][3];
    unsigned places;
    double normal[3]; ///< of the points, not of the side
    double dist;
} bspi_points;

/// The plane through three points, clockwise seen from where the normal points to. False if they
/// lie on a line, or are no numbers.
bool bspi_points_plane(const double p0[3], const double p1[3], const double p2[3], double normal[3],
                       double *dist);

/// The side's own points with the fewest decimals that keep its plane, or, when they do not say its
/// plane, others that do. False if it has none.
bool bspi_side_points(const bsp_mapdoc_side *side, bspi_points *points);

#endif
