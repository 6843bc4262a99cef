// SPDX-License-Identifier: MIT
// What occluders of Source hide. A polygon hides a box if all lines from the eye to the box's
// corners pass through it: then all lines to the box do, as both are convex.
#include "map/needs.h"
#include "query/collide.h"

#include <assert.h>

#define INACTIVE 1u // of bsp_occluder.flags

static const float *corner_of(const bsp_map *map, const bsp_occluder_poly *poly, uint32_t number) {
    uint32_t vertex = map->occluder_indices[poly->first_index + number % poly->num_indices];
    return vertex < map->num_vertices ? map->vertices[vertex].point : NULL;
}

// Returns the volume, with its sign, that a line from the eye to a point spans with an edge of the
// polygon: it has one sign at all edges exactly if the line passes inside.
static double spanned(const float eye[3], const float to[3], const float a[3], const float b[3]) {
    double d[3], p[3], q[3];
    for (int i = 0; i < 3; i++) {
        d[i] = (double)to[i] - (double)eye[i];
        p[i] = (double)a[i] - (double)eye[i];
        q[i] = (double)b[i] - (double)eye[i];
    }
    return d[0] * (p[1] * q[2] - p[2] * q[1]) + d[1] * (p[2] * q[0] - p[0] * q[2]) +
           d[2] * (p[0] * q[1] - p[1] * q[0]);
}

static double side_of(const bsp_plane *plane, const float point[3]) {
    double sum = -(double)plane->dist;
    for (int i = 0; i < 3; i++) {
        sum += (double)plane->normal[i] * (double)point[i];
    }
    return sum;
}

static bool passes(const bsp_map *map, const bsp_occluder_poly *poly, const float eye[3],
                   const float to[3]) {
    bool above = false;
    bool below = false;
    for (uint32_t i = 0; i < poly->num_indices; i++) {
        const float *a = corner_of(map, poly, i);
        const float *b = corner_of(map, poly, i + 1);
        if (a == NULL || b == NULL) {
            return false;
        }
        double volume = spanned(eye, to, a, b);
        above = above || volume >= 0; // on an edge: not inside
        below = below || volume <= 0;
    }
    return above != below;
}

static bool hides(const bsp_map *map, const bsp_occluder_poly *poly, const float eye[3],
                  const float mins[3], const float maxs[3]) {
    if (poly->plane >= map->num_planes || poly->num_indices < 3) {
        return false;
    }
    double here = side_of(&map->planes[poly->plane], eye);
    for (int corner = 0; corner < 8; corner++) {
        const float to[3] = {(corner & 1) != 0 ? maxs[0] : mins[0],
                             (corner & 2) != 0 ? maxs[1] : mins[1],
                             (corner & 4) != 0 ? maxs[2] : mins[2]};
        double there = side_of(&map->planes[poly->plane], to);
        if (!((here > 0 && there < 0) || (here < 0 && there > 0)) || !passes(map, poly, eye, to)) {
            return false;
        }
    }
    return true;
}

uint32_t bsp_query_occluder(const bsp_map *map, const float eye[3], const float mins[3],
                            const float maxs[3]) {
    assert(map != NULL && eye != NULL && mins != NULL && maxs != NULL);
    assert(bspi_map_has(map, BSP_LOAD_TREE | BSP_LOAD_SURFACES | BSP_LOAD_PROPS));
    for (uint32_t i = 0; i < map->num_occluders; i++) {
        const bsp_occluder *occluder = &map->occluders[i];
        bool active = (occluder->flags & INACTIVE) == 0 && map->num_occluder_polys != 0;
        for (uint32_t p = 0; active && p < occluder->num_polys; p++) {
            const bsp_occluder_poly *poly = &map->occluder_polys[occluder->first_poly + p];
            if (map->num_occluder_indices != 0 && hides(map, poly, eye, mins, maxs)) {
                return i;
            }
        }
    }
    return BSP_NONE;
}
