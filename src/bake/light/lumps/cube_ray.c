// SPDX-License-Identifier: MIT
// Source: the surface that a ray of an ambient cube meets. Facts: Source SDK 2013,
// src/utils/vrad/leaf_ambient_lighting.cpp.
#include "bake/light/lumps/cube_ray.h"

#include "bake/light/faces/face_edges.h"
#include "bspkit/faces.h"
#include "core/vector.h"
#include "query/crossings.h"
#include "query/open_sky.h"

#include <math.h>
#include <string.h>

#define FAR 56756.0f // units that a ray is long
#define MOST_CORNERS 64u

// Is a point of the plane of a face on it?
static bool is_on(const bsp_map *map, uint32_t face, const float at[3]) {
    bsp_surface_corner corners[MOST_CORNERS];
    bspi_face_edge sides[MOST_CORNERS];
    bspi_face_edges edges = {.count = bsp_surface_corners(map, face, corners, MOST_CORNERS),
                             .corners = corners};
    if (edges.count < 3 || edges.count > MOST_CORNERS) {
        return false;
    }
    memcpy(edges.normal, corners[0].normal, sizeof edges.normal);
    bspi_face_edges_begin(&edges, sides);
    return bspi_face_edges_inside(&edges, at) >= 0;
}

// Is a point on the luxels of a face? Those of vrad reach to the last one, and are cut down.
static bool find_luxel(const bspi_relight *own, uint32_t number, const float at[3], size_t *luxel) {
    const bsp_relight_face *face = &own->faces[number];
    bspi_luxels place;
    float st[2];
    if (face->luxels == NULL || !bspi_luxels_place(&own->source, number, &place) ||
        place.width != face->width || place.height != face->height ||
        !bspi_luxels_find(&place, at, st)) {
        return false;
    }
    *luxel = (size_t)(uint32_t)st[1] * face->width + (uint32_t)st[0];
    return true;
}

// Finds the face of a node at a point; one of the sky if there is no other.
static bool meet_node(const bspi_relight *own, const bsp_node *node, const float at[3],
                      bspi_cube_hit *out, uint64_t *steps) {
    const bsp_map *map = own->map;
    uint32_t first = node->first_face < map->num_faces ? node->first_face : map->num_faces;
    uint32_t most = map->num_faces - first;
    uint32_t count = node->num_faces < most ? node->num_faces : most;
    *steps += count;
    for (uint32_t i = first; i < first + count; i++) {
        const bsp_face *face = &map->faces[i];
        if (face->on_node == 0 || face->displacement != BSP_NONE) {
            continue;
        }
        if (find_luxel(own, i, at, &out->luxel)) {
            out->face = i;
            out->sky = false;
            out->has_luxel = true;
            return true;
        }
        if (out->face == BSP_NONE && (bsp_surface_bits_of(map, i) & BSP_SURFACE_SKY) != 0 &&
            is_on(map, i, at)) {
            out->face = i;
            out->sky = true;
        }
    }
    return out->face != BSP_NONE;
}

static void meet_displacement(const bspi_relight *own, const float point[3],
                              const float direction[3], bspi_cube_hit *out) {
    bsp_trace_result hit;
    float way[3];
    bspi_trace_far(own->index, own->scale.mask, point, direction, &hit);
    for (int i = 0; i < 3; i++) {
        way[i] = hit.end[i] - point[i];
    }
    float distance = sqrtf(bspi_dot(way, way));
    if (hit.fraction < 1 && hit.face < own->map->num_faces &&
        own->map->faces[hit.face].displacement != BSP_NONE && distance < out->distance) {
        *out = (bspi_cube_hit){.face = hit.face, .distance = distance};
    }
}

void bspi_cube_ray(const bspi_relight *own, const float point[3], const float direction[3],
                   bspi_cube_hit *out, uint64_t *steps) {
    bspi_crossings line;
    const bsp_node *node;
    float at[3];
    float away;
    *out = (bspi_cube_hit){.face = BSP_NONE, .distance = FAR};
    bspi_crossings_begin(&line, own->map, point, direction, FAR);
    while ((node = bspi_crossings_next(&line, at, &away)) != NULL) {
        if (meet_node(own, node, at, out, steps)) {
            out->distance = away;
            break;
        }
    }
    *steps += line.steps;
    if (own->map->num_displacements != 0) {
        meet_displacement(own, point, direction, out);
    }
}
