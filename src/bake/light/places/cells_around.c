// SPDX-License-Identifier: MIT
// Which faces the light of a face goes on into. Facts: PairEdges of lightmap.cpp of the Source SDK.
#include "bake/light/places/cells.h"

#include "bspkit/faces.h"
#include "core/vector.h"

#include <string.h>

#define SMOOTH 0.7071067f     // cosine of 45 degrees: between faces without smoothing groups
#define HARD_EDGE 0xff000000u // smoothing groups that part faces

// Counts the faces of each vertex, or with `list` writes them: `first` counts up to the next one's.
static void visit(const bsp_map *map, uint32_t *first, uint32_t *list) {
    for (uint32_t f = 0; f < map->num_faces; f++) {
        const bsp_face *face = &map->faces[f];
        for (uint32_t e = 0; e < face->num_edges; e++) {
            uint32_t vertex = bsp_surfedge_vertex(map, face->first_edge + e);
            if (vertex < map->num_vertices && list != NULL) {
                list[first[vertex]] = f;
            }
            if (vertex < map->num_vertices) {
                first[vertex]++;
            }
        }
    }
}

bool bspi_cells_prepare(bspi_relight *own, bsp_error *error) {
    const bsp_map *map = own->map;
    uint64_t corners = 0;
    own->first_corners =
        bspi_arena_raw(&own->arena, (size_t)map->num_faces + 1, sizeof(uint32_t), error);
    own->first_faces =
        bspi_arena_zero(&own->arena, (size_t)map->num_vertices + 1, sizeof(uint32_t), error);
    for (uint32_t f = 0; own->first_corners != NULL && f < map->num_faces; f++) {
        own->first_corners[f] = corners < BSP_NONE ? (uint32_t)corners : BSP_NONE;
        corners += map->faces[f].num_edges;
    }
    if (own->first_corners == NULL || own->first_faces == NULL ||
        !bspi_heap_work(&own->heap, corners, error)) {
        return false;
    }
    if (corners >= BSP_NONE) {
        return bsp_fail(error, BSP_E_LIMIT, NULL, "faces have too many corners");
    }
    own->vertex_faces = bspi_arena_raw(&own->arena, (size_t)corners + 1, sizeof(uint32_t), error);
    if (own->vertex_faces == NULL) {
        return false;
    }
    visit(map, own->first_faces, NULL);
    uint32_t before = 0;
    uint64_t steps = 0; // each corner is looked at from each other one at its vertex
    for (uint32_t v = 0; v <= map->num_vertices; v++) {
        uint32_t count = own->first_faces[v];
        own->first_faces[v] = before;
        before += count;
        steps += (uint64_t)count * count;
    }
    uint64_t passes = own->options->region != NULL ? 3 : 1; // region.c looks twice besides
    if (!bspi_heap_work(&own->heap, steps * passes, error)) {
        return false;
    }
    visit(map, own->first_faces, own->vertex_faces);
    memmove(own->first_faces + 1, own->first_faces, map->num_vertices * sizeof(uint32_t));
    own->first_faces[0] = 0;
    return true;
}

static bool goes_on(const bsp_map *map, uint32_t a, uint32_t b) {
    float normals[2][3];
    float dist;
    uint32_t groups = map->faces[a].smoothing & map->faces[b].smoothing;
    if (a == b || map->faces[a].displacement != BSP_NONE) {
        return a != b; // a displacement is smooth with all that it touches
    }
    if (map->faces[b].displacement != BSP_NONE) {
        return false;
    }
    if ((map->faces[a].smoothing | map->faces[b].smoothing) != 0) {
        return groups != 0 && (groups & HARD_EDGE) == 0;
    }
    return bsp_surface_plane(map, a, normals[0], &dist) &&
           bsp_surface_plane(map, b, normals[1], &dist) &&
           bspi_dot(normals[0], normals[1]) >= SMOOTH;
}

uint32_t bspi_cells_around(const bspi_relight *own, uint32_t face, uint32_t *out, uint32_t room) {
    const bsp_map *map = own->map;
    uint32_t count = 0;
    for (uint32_t e = 0; e < map->faces[face].num_edges; e++) {
        uint32_t vertex = bsp_surfedge_vertex(map, map->faces[face].first_edge + e);
        if (vertex >= map->num_vertices) {
            continue;
        }
        for (uint32_t i = own->first_faces[vertex]; i < own->first_faces[vertex + 1]; i++) {
            uint32_t other = own->vertex_faces[i];
            uint32_t known = 0;
            while (known < count && out[known] != other) {
                known++;
            }
            if (known == count && count < room && goes_on(map, face, other)) {
                out[count++] = other;
            }
        }
    }
    return count;
}
