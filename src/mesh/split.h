// SPDX-License-Identifier: MIT
// Convex polygons in space in double precision, which planes split.
#ifndef BSPI_SPLIT_H
#define BSPI_SPLIT_H

#include <stdbool.h>
#include <stdint.h>

/// The most corners: as many as portal files of the compilers may have.
#define BSPI_POLYGON_POINTS 64u

typedef struct bspi_polygon {
    uint32_t count; ///< 0: nothing is left
    double points[BSPI_POLYGON_POINTS][3];
} bspi_polygon;

/// A plane: the points p with normal . p = dist.
typedef struct bspi_split_plane {
    double normal[3];
    double dist;
} bspi_split_plane;

/// Where a polygon is, of a plane.
typedef enum bspi_polygon_side {
    BSPI_POLYGON_ON = 0,    ///< no corner is farther than the epsilon
    BSPI_POLYGON_FRONT = 1, ///< none is farther behind
    BSPI_POLYGON_BACK = 2,  ///< none is farther in front
    BSPI_POLYGON_BOTH = 3
} bspi_polygon_side;

/// Makes a square on a plane with its middle nearest to `middle` and sides of 2 * `size`;
/// counter-clockwise seen from the front.
void bspi_polygon_square(bspi_polygon *out, const bspi_split_plane *plane, const double middle[3],
                         double size);

/// Splits a polygon: what is in front of the plane to `front`, the rest to `back`; either may be
/// NULL, and may be `polygon` itself. For any answer but BSPI_POLYGON_BOTH nothing is written. A
/// part that would have more than BSPI_POLYGON_POINTS corners becomes the whole polygon: too large
/// is safe for sight.
bspi_polygon_side bspi_polygon_split(const bspi_polygon *polygon, const bspi_split_plane *plane,
                                     double epsilon, bspi_polygon *front, bspi_polygon *back);

/// Keeps the part in front of a plane. Returns false if nothing is left, also of a polygon on the
/// plane unless `on` is set.
bool bspi_polygon_keep(bspi_polygon *polygon, const bspi_split_plane *plane, double epsilon,
                       bool on);

/// Returns true for a polygon with fewer than three edges longer than 0.2 units: the compilers drop
/// portals like that.
bool bspi_polygon_is_tiny(const bspi_polygon *polygon);

#endif
