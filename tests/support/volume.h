// SPDX-License-Identifier: MIT
// The volume of polygons, by the divergence theorem: right only if they are closed and turned
// outwards.
#ifndef TEST_VOLUME_H
#define TEST_VOLUME_H

#include "bspkit/mesh.h"

/// Returns what a flat polygon, counter-clockwise as seen from outside, adds to the volume.
static inline double volume_of_polygon(const bsp_brush_point *points, const uint32_t *index,
                                       uint32_t count) {
    const double *a = points[index[0]].at;
    double sum = 0;
    for (uint32_t i = 1; i + 1 < count; i++) {
        const double *b = points[index[i]].at;
        const double *c = points[index[i + 1]].at;
        sum += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
               a[2] * (b[0] * c[1] - b[1] * c[0]);
    }
    return sum / 6;
}

#endif
