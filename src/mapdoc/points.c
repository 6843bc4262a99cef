// SPDX-License-Identifier: MIT
// Planes as points. Decimals are tried from few places to many until the plane is kept.
#include "mapdoc/points.h"

#include "core/vector.h"
#include "mapdoc/numbers.h"

#include <string.h>

// Half of what is promised for the plane that is read back.
#define NORMAL_KEPT 5e-6
#define DIST_KEPT 5e-4
// A coordinate this close to an integer is taken for one.
#define WHOLE 1e-3
// The distance between points that are made from a plane, in units.
#define APART 128.0
// The sine of the least angle at p1; below it points are collinear.
#define LEAST_ANGLE 1e-7

bool bspi_points_plane(const double p0[3], const double p1[3], const double p2[3], double normal[3],
                       double *dist) {
    double a[3];
    double b[3];
    bspi_vec_subtract(p0, p1, a);
    bspi_vec_subtract(p2, p1, b);
    bspi_vec_cross(a, b, normal);
    double length = bspi_vec_length(normal);
    if (!(length > LEAST_ANGLE * bspi_vec_length(a) * bspi_vec_length(b)) || !isfinite(length)) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        normal[i] /= length;
    }
    *dist = bspi_vec_dot(normal, p0);
    return true;
}

static bool keeps_plane(const bsp_mapdoc_side *side, const bspi_points *points) {
    for (int i = 0; i < 3; i++) {
        if (!(fabs(points->normal[i] - side->normal[i]) <= NORMAL_KEPT)) {
            return false;
        }
    }
    return fabs(points->dist - side->dist) <= DIST_KEPT;
}

static bool round_points(const bsp_mapdoc_side *side, const double *const at[3], unsigned places,
                         double whole, bspi_points *points) {
    points->places = places;
    for (int p = 0; p < 3; p++) {
        for (int i = 0; i < 3; i++) {
            double near = bspi_round_places(at[p][i], 0);
            points->at[p][i] =
                fabs(near - at[p][i]) <= whole ? near : bspi_round_places(at[p][i], places);
        }
    }
    return bspi_points_plane(points->at[0], points->at[1], points->at[2], points->normal,
                             &points->dist) &&
           keeps_plane(side, points);
}

static bool round_best(const bsp_mapdoc_side *side, const double *const at[3],
                       bspi_points *points) {
    return round_points(side, at, 6, WHOLE, points) || round_points(side, at, 6, 0, points) ||
           round_points(side, at, 9, 0, points) ||
           round_points(side, at, BSPI_MOST_PLACES, 0, points);
}

// Makes points on the side's plane, near its own points.
static bool make_points(const bsp_mapdoc_side *side, double at[3][3]) {
    double centre[3];
    for (int i = 0; i < 3; i++) {
        centre[i] = (side->points[0][i] + side->points[1][i] + side->points[2][i]) / 3;
    }
    const double *n = side->normal;
    double off = side->dist - bspi_vec_dot(n, centre);
    if (!(fabs(bspi_vec_length(n) - 1) < 1e-3) || !isfinite(off)) {
        return false;
    }
    bspi_vec_add(centre, n, off, centre);
    int least = fabs(n[0]) <= fabs(n[1]) && fabs(n[0]) <= fabs(n[2]) ? 0
                : fabs(n[1]) <= fabs(n[2])                           ? 1
                                                                     : 2;
    double axis[3] = {0, 0, 0};
    axis[least] = 1;
    double u[3];
    double v[3];
    bspi_vec_cross(n, axis, u);
    bspi_vec_cross(n, u, v);
    double length = bspi_vec_length(u);
    bspi_vec_add(centre, u, APART / length, at[0]); // u x v is along n
    memcpy(at[1], centre, sizeof centre);
    bspi_vec_add(centre, v, APART / length, at[2]);
    return true;
}

bool bspi_side_points(const bsp_mapdoc_side *side, bspi_points *points) {
    const double *const own[3] = {side->points[0], side->points[1], side->points[2]};
    if (round_best(side, own, points)) {
        return true;
    }
    double at[3][3];
    const double *const made[3] = {at[0], at[1], at[2]};
    return make_points(side, at) && round_best(side, made, points);
}
