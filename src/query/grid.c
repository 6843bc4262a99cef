// SPDX-License-Identifier: MIT
// Subdivides a biquadratic patch until every point is near its curve, and removes degenerate rows,
// with the steps, limits and rounding of Quake 3's cm_patch.c, so that the facets are the same.
#include "query/grid.h"

#include <math.h>
#include <string.h>

// A middle point at this distance from the curve splits it (cm_patch.h).
#define SUBDIVIDE_DISTANCE 16
#define WRAP_EPSILON 0.1f // WRAP_POINT_EPSILON
#define SAME_EPSILON 0.1  // POINT_EPSILON, a double there

// Returns point number `i` along the axis in line number `j` across it.
static float *at(bspi_grid *grid, int axis, uint32_t i, uint32_t j) {
    return axis == 0 ? grid->points[i][j] : grid->points[j][i];
}

static void move(bspi_grid *grid, int axis, uint32_t j, uint32_t from, uint32_t to) {
    memcpy(at(grid, axis, to, j), at(grid, axis, from, j), 3 * sizeof(float));
}

static bool find_wrap(bspi_grid *grid, int axis) {
    for (uint32_t j = 0; j < grid->size[1 - axis]; j++) {
        const float *first = at(grid, axis, 0, j);
        const float *last = at(grid, axis, grid->size[axis] - 1, j);
        for (int k = 0; k < 3; k++) {
            float d = first[k] - last[k];
            if (d < -WRAP_EPSILON || d > WRAP_EPSILON) {
                return false;
            }
        }
    }
    return true;
}

// Returns true if the curve over three control points is too far from the line between its ends.
static bool bends(const float a[3], const float b[3], const float c[3]) {
    float delta[3];
    for (int k = 0; k < 3; k++) {
        float line = (float)(0.5 * (double)(a[k] + c[k]));
        float curve = (float)(0.5 * (0.5 * (double)(a[k] + b[k]) + 0.5 * (double)(b[k] + c[k])));
        delta[k] = curve - line;
    }
    float square = delta[0] * delta[0] + delta[1] * delta[1] + delta[2] * delta[2];
    return (float)sqrt((double)square) >= SUBDIVIDE_DISTANCE;
}

static bool any_bends(bspi_grid *grid, int axis, uint32_t i) {
    for (uint32_t j = 0; j < grid->size[1 - axis]; j++) {
        if (bends(at(grid, axis, i, j), at(grid, axis, i + 1, j), at(grid, axis, i + 2, j))) {
            return true;
        }
    }
    return false;
}

static void drop(bspi_grid *grid, int axis, uint32_t i) {
    grid->work += (uint64_t)grid->size[0] * grid->size[1];
    for (uint32_t j = 0; j < grid->size[1 - axis]; j++) {
        for (uint32_t k = i + 1; k < grid->size[axis]; k++) {
            move(grid, axis, j, k, k - 1);
        }
    }
    grid->size[axis]--;
}

// Splits the control points i, i+1, i+2 into i .. i+4.
static void split(bspi_grid *grid, int axis, uint32_t i) {
    grid->work += (uint64_t)grid->size[0] * grid->size[1];
    for (uint32_t j = 0; j < grid->size[1 - axis]; j++) {
        float a[3], b[3], c[3];
        memcpy(a, at(grid, axis, i, j), sizeof a);
        memcpy(b, at(grid, axis, i + 1, j), sizeof b);
        memcpy(c, at(grid, axis, i + 2, j), sizeof c);
        for (uint32_t k = grid->size[axis] - 1; k > i + 1; k--) {
            move(grid, axis, j, k, k + 2);
        }
        for (int k = 0; k < 3; k++) {
            float left = (float)(0.5 * (double)(a[k] + b[k]));
            float right = (float)(0.5 * (double)(b[k] + c[k]));
            at(grid, axis, i + 1, j)[k] = left;
            at(grid, axis, i + 2, j)[k] = (float)(0.5 * (double)(left + right));
            at(grid, axis, i + 3, j)[k] = right;
        }
    }
    grid->size[axis] += 2;
}

static bool subdivide_axis(bspi_grid *grid, int axis) {
    for (uint32_t i = 0; i + 2 < grid->size[axis];) {
        if (!any_bends(grid, axis, i)) {
            drop(grid, axis, i + 1); // the middle control point: the line is near enough
            i++;
        } else if (grid->size[axis] + 2 > BSPI_GRID_MOST) {
            return false;
        } else {
            split(grid, axis, i);
        }
    }
    return true;
}

static bool same_lines(bspi_grid *grid, int axis, uint32_t i) {
    for (uint32_t j = 0; j < grid->size[1 - axis]; j++) {
        const float *a = at(grid, axis, i, j);
        const float *b = at(grid, axis, i + 1, j);
        for (int k = 0; k < 3; k++) {
            double d = (double)(a[k] - b[k]);
            if (d < -SAME_EPSILON || d > SAME_EPSILON) {
                return false;
            }
        }
    }
    return true;
}

static void drop_degenerate(bspi_grid *grid, int axis) {
    for (uint32_t i = 0; i + 1 < grid->size[axis];) {
        if (same_lines(grid, axis, i)) {
            drop(grid, axis, i + 1);
        } else {
            i++;
        }
    }
}

bool bspi_grid_subdivide(bspi_grid *grid) {
    static const int order[2] = {1, 0}; // the patch's width first
    for (int pass = 0; pass < 2; pass++) {
        int axis = order[pass];
        grid->wrap[axis] = find_wrap(grid, axis);
        if (!subdivide_axis(grid, axis)) {
            return false;
        }
        drop_degenerate(grid, axis);
    }
    return true;
}
