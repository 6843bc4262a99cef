// SPDX-License-Identifier: MIT
// Source: the surface that a ray of an ambient cube meets. Facts: Source SDK 2013,
// src/utils/vrad/leaf_ambient_lighting.cpp.
#include "bake/light/lumps/cube_ray.h"

#include "bspkit/faces.h"
#include "core/vector.h"
#include "query/open_sky.h"

#include <math.h>

#define FAR 56756.0f     // units that a ray is long
#define MOST_CROSSED 96u // nodes on the way that wait
#define MOST_CORNERS 64u

// A node whose plane the ray crosses, and the rest of the ray after it.
typedef struct crossing {
    int32_t node;
    bool back; // the ray comes from the back
    float at;  // units
    float end;
} crossing;

typedef struct ray {
    const bspi_relight *own;
    const float *from;
    const float *way;
    crossing stack[MOST_CROSSED];
    uint32_t count;
} ray;

// Goes down to a leaf; the crossed nodes are put on the stack.
static void go_down(ray *r, int32_t node, float from, float to) {
    const bsp_map *map = r->own->map;
    while (node >= 0) {
        uint32_t number = map->nodes[node].plane;
        const bsp_plane *plane = number < map->num_planes ? &map->planes[number] : NULL;
        float flat = plane == NULL ? 0 : bspi_dot(plane->normal, r->from) - plane->dist;
        float slope = plane == NULL ? 0 : bspi_dot(plane->normal, r->way);
        bool back = flat + from * slope < 0;
        if (back != (flat + to * slope < 0) && r->count < MOST_CROSSED) {
            float at = fmaxf(from, fminf(to, -flat / slope));
            r->stack[r->count++] = (crossing){node, back, at, to};
            to = at;
        }
        node = map->nodes[node].children[back];
    }
}

// Is a point of the plane of a face on it?
static bool is_on(const bsp_map *map, uint32_t face, const float at[3]) {
    bsp_surface_corner corners[MOST_CORNERS];
    uint32_t count = bsp_surface_corners(map, face, corners, MOST_CORNERS);
    float least = 0;
    float most = 0;
    for (uint32_t i = 0; i < count && count <= MOST_CORNERS; i++) {
        const float *a = corners[i].point;
        const float *b = corners[i + 1 < count ? i + 1 : 0].point;
        float edge[3];
        float way[3];
        float across[3];
        for (int k = 0; k < 3; k++) {
            edge[k] = b[k] - a[k];
            way[k] = at[k] - a[k];
        }
        bspi_cross(edge, way, across);
        float side = bspi_dot(across, corners[0].normal);
        least = fminf(least, side);
        most = fmaxf(most, side);
    }
    return count >= 3 && count <= MOST_CORNERS && (least >= 0 || most <= 0);
}

// Is a point on the luxels of a face? Those of vrad reach to the last one, and are cut down.
static bool find_luxel(const bspi_relight *own, uint32_t number, const float at[3], size_t *luxel) {
    const bsp_relight_face *face = &own->faces[number];
    bspi_luxels place;
    if (face->luxels == NULL || !bspi_luxels_place(&own->source, number, &place) ||
        place.width != face->width || place.height != face->height) {
        return false;
    }
    float s = bspi_dot(place.vecs[0], at) + place.vecs[0][3];
    float t = bspi_dot(place.vecs[1], at) + place.vecs[1][3];
    if (!(s >= 0 && t >= 0 && s <= (float)(face->width - 1) && t <= (float)(face->height - 1))) {
        return false;
    }
    *luxel = (size_t)(uint32_t)t * face->width + (uint32_t)s;
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
    const bsp_map *map = own->map;
    ray r = {.own = own, .from = point, .way = direction};
    *out = (bspi_cube_hit){.face = BSP_NONE, .distance = FAR};
    if (map->num_nodes != 0 && map->num_models != 0) {
        go_down(&r, map->models[0].headnodes[0], 0, FAR);
    }
    for (uint32_t n = 0; r.count > 0 && n <= map->num_nodes; n++) {
        crossing c = r.stack[--r.count];
        float at[3];
        for (int i = 0; i < 3; i++) {
            at[i] = point[i] + direction[i] * c.at;
        }
        ++*steps;
        if (meet_node(own, &map->nodes[c.node], at, out, steps)) {
            out->distance = c.at;
            break;
        }
        go_down(&r, map->nodes[c.node].children[!c.back], c.at, c.end);
    }
    if (map->num_displacements != 0) {
        meet_displacement(own, point, direction, out);
    }
}
