// SPDX-License-Identifier: MIT
// How large faces are, and where their middle is.
#include "bake/light/faces/face_area.h"

#include "core/vector.h"

#include <math.h>
#include <string.h>

#define MOST_CORNERS 256u
#define STRAIGHT 0.9999f // cosine of the edges at a corner that only divides one (ericw-tools)

// Half of the length of a cross product that is summed up along the edges.
float bspi_corners_area(const bsp_surface_corner *corners, uint32_t count) {
    float sum[3] = {0, 0, 0};
    for (uint32_t i = 2; i < count; i++) {
        float n[3];
        bspi_triangle_cross(corners[0].point, corners[i - 1].point, corners[i].point, n);
        for (int c = 0; c < 3; c++) {
            sum[c] += n[c];
        }
    }
    return sqrtf(bspi_dot(sum, sum)) / 2;
}

float bspi_face_area(const bspi_relight *own, uint32_t face) {
    bsp_surface_corner corners[MOST_CORNERS];
    uint32_t count = bsp_surface_corners(own->map, face, corners, MOST_CORNERS);
    return count <= MOST_CORNERS ? bspi_corners_area(corners, count) : 0;
}

// Is a corner on the line between its neighbours?
static bool is_between(const bsp_surface_corner *corners, uint32_t count, uint32_t at) {
    const float *before = corners[(at + count - 1) % count].point;
    const float *here = corners[at].point;
    const float *after = corners[(at + 1) % count].point;
    float in[3];
    float out[3];
    for (int c = 0; c < 3; c++) {
        in[c] = here[c] - before[c];
        out[c] = after[c] - here[c];
    }
    bool long_enough = bspi_normalize(in) > 0 && bspi_normalize(out) > 0;
    return !long_enough || bspi_dot(in, out) >= STRAIGHT;
}

bool bspi_face_middle(const bspi_relight *own, uint32_t face, float point[3], float normal[3]) {
    bsp_surface_corner corners[MOST_CORNERS];
    const float *origin = own->models[own->face_models[face]].origin;
    uint32_t count = bsp_surface_corners(own->map, face, corners, MOST_CORNERS);
    uint32_t taken = 0;
    float dist;
    if (count < 3 || count > MOST_CORNERS || !bsp_surface_plane(own->map, face, normal, &dist)) {
        return false;
    }
    memset(point, 0, 3 * sizeof *point);
    for (uint32_t i = 0; i < count; i++) {
        bool skipped = is_between(corners, count, i);
        for (int c = 0; c < 3 && !skipped; c++) {
            point[c] += corners[i].point[c];
        }
        taken += !skipped;
    }
    for (int c = 0; c < 3 && taken != 0; c++) {
        point[c] = point[c] / (float)taken + normal[c] + origin[c];
    }
    return taken != 0;
}
