// SPDX-License-Identifier: MIT
// The three points by which a plane is written. Compilers compute the plane from them, some in
// single precision, so points are integers where possible, else far apart with decimals in at most
// one coordinate.
#include "decompile/brush/overlap.h"

#include <float.h>
#include <math.h>
#include <string.h>

// The most that a plane of integers may differ from the stored one. Floats at 4096 are 0.0005
// apart, and compilers snap. It is below the tolerance of a decompiled plane.
#define NORMAL_EPSILON 5e-6
#define DIST_EPSILON 8e-4
#define ROUNDING 0.02 // a coordinate this near to an integer is rounded
#define SPREAD 64.0   // the least distance between points, in units

// Returns what rint does, without a call: below 2^51 adding this constant leaves no bits for a
// fraction, where sums are rounded to doubles.
static double nearest(double value) {
    const double shift = 0x1.8p52;
    if (FLT_EVAL_METHOD != 0 || !(fabs(value) < 0x1p51)) {
        return rint(value);
    }
    return copysign(value + shift - shift, value);
}

typedef struct triple {
    double at[3][3];
} triple;

// Computes the plane of three points, clockwise from outside. Returns false when they are
// collinear.
static bool plane_of(const triple *t, double normal[3], double *dist) {
    double a[3];
    double b[3];
    for (int i = 0; i < 3; i++) {
        a[i] = t->at[0][i] - t->at[1][i];
        b[i] = t->at[2][i] - t->at[1][i];
    }
    normal[0] = a[1] * b[2] - a[2] * b[1];
    normal[1] = a[2] * b[0] - a[0] * b[2];
    normal[2] = a[0] * b[1] - a[1] * b[0];
    double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    if (!(length > 0)) {
        return false;
    }
    *dist = 0;
    for (int i = 0; i < 3; i++) {
        normal[i] = normal[i] / length + 0.0;
        *dist += normal[i] * t->at[0][i];
    }
    return true;
}

static double twice_area(const double a[3], const double b[3], const double c[3]) {
    double u[3];
    double v[3];
    for (int i = 0; i < 3; i++) {
        u[i] = b[i] - a[i];
        v[i] = c[i] - a[i];
    }
    double x = u[1] * v[2] - u[2] * v[1];
    double y = u[2] * v[0] - u[0] * v[2];
    double z = u[0] * v[1] - u[1] * v[0];
    return sqrt(x * x + y * y + z * z);
}

static double square_distance(const double a[3], const double b[3]) {
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return sum;
}

// Picks three corners that are far apart: the first, the one farthest from it, and the one that
// makes the largest triangle with them; clockwise.
static void spanning_corners(const double (*polygon)[3], uint32_t count, triple *out) {
    uint32_t far = 1;
    double farthest = square_distance(polygon[0], polygon[1]);
    for (uint32_t i = 2; i < count; i++) {
        double distance = square_distance(polygon[0], polygon[i]);
        if (distance > farthest) {
            farthest = distance;
            far = i;
        }
    }
    uint32_t third = far == 1 ? 2 : 1;
    double largest = twice_area(polygon[0], polygon[far], polygon[third]);
    for (uint32_t i = third + 1; i < count; i++) {
        double area = i != far ? twice_area(polygon[0], polygon[far], polygon[i]) : 0;
        if (area > largest) {
            largest = area;
            third = i;
        }
    }
    uint32_t low = far < third ? far : third;
    uint32_t high = far < third ? third : far;
    memcpy(out->at[0], polygon[high], sizeof out->at[0]);
    memcpy(out->at[1], polygon[low], sizeof out->at[1]);
    memcpy(out->at[2], polygon[0], sizeof out->at[2]);
}

// Gives three points of the plane around the polygon, with integers along the two axes of the
// projection.
static void lattice_points(const double normal[3], double dist, const double (*polygon)[3],
                           uint32_t count, triple *out) {
    int axis = bspi_dominant_axis(normal);
    int along[2] = {(axis + 1) % 3, (axis + 2) % 3};
    double low[2];
    double high[2];
    for (int i = 0; i < 2; i++) {
        low[i] = high[i] = count != 0 ? polygon[0][along[i]] : normal[along[i]] * dist;
        for (uint32_t p = 1; p < count; p++) {
            double at = polygon[p][along[i]];
            low[i] = at < low[i] ? at : low[i];
            high[i] = at > high[i] ? at : high[i];
        }
        low[i] = nearest(low[i]);
        high[i] = fmax(nearest(high[i]), low[i] + SPREAD);
    }
    // (along[0], along[1], axis) is right-handed, so this order is clockwise seen from +axis.
    const double corners[3][2] = {{high[0], low[1]}, {low[0], low[1]}, {low[0], high[1]}};
    for (int p = 0; p < 3; p++) {
        double *at = out->at[normal[axis] > 0 ? p : 2 - p];
        at[along[0]] = corners[p][0];
        at[along[1]] = corners[p][1];
        double rest = dist - normal[along[0]] * corners[p][0] - normal[along[1]] * corners[p][1];
        at[axis] = rest / normal[axis] + 0.0;
    }
}

// Rounds all coordinates to integers. Returns false if that changes the plane.
static bool round_points(triple *t, const double normal[3], double dist) {
    for (int p = 0; p < 3; p++) {
        for (int i = 0; i < 3; i++) {
            double rounded = nearest(t->at[p][i]);
            if (!(fabs(t->at[p][i] - rounded) <= ROUNDING)) {
                return false;
            }
            t->at[p][i] = rounded + 0.0; // adding 0 removes a negative zero
        }
    }
    double made[3];
    double made_dist;
    return plane_of(t, made, &made_dist) && fabs(made[0] - normal[0]) <= NORMAL_EPSILON &&
           fabs(made[1] - normal[1]) <= NORMAL_EPSILON &&
           fabs(made[2] - normal[2]) <= NORMAL_EPSILON && fabs(made_dist - dist) <= DIST_EPSILON;
}

void bspi_write_plane(bspi_written_plane *out, const double normal[3], double dist,
                      const double (*polygon)[3], uint32_t count) {
    memcpy(out->normal, normal, sizeof out->normal);
    out->dist = dist;
    triple points;
    bool rounded = false;
    if (count >= 3) {
        spanning_corners(polygon, count, &points);
        rounded = round_points(&points, normal, dist);
    }
    if (!rounded) {
        triple lattice;
        lattice_points(normal, dist, polygon, count, &lattice);
        points = lattice;
        rounded = round_points(&points, normal, dist);
        points = rounded ? points : lattice;
    }
    if (rounded) {
        (void)plane_of(&points, out->normal, &out->dist);
    }
    memcpy(out->points, points.at, sizeof out->points);
}

void bspi_side_set_plane(bsp_mapdoc_side *side, const bspi_written_plane *plane) {
    memcpy(side->normal, plane->normal, sizeof side->normal);
    side->dist = plane->dist;
    memcpy(side->points, plane->points, sizeof side->points);
}

void bspi_side_plane(bsp_mapdoc_side *side, const double normal[3], double dist,
                     const double (*polygon)[3], uint32_t count) {
    bspi_written_plane plane;
    bspi_write_plane(&plane, normal, dist, polygon, count);
    bspi_side_set_plane(side, &plane);
}
