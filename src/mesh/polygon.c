// SPDX-License-Identifier: MIT
// Faces that are runs of surfedges, as a fan, or as the strips that the compiler made to avoid
// T-junctions. Assumes a loaded map.
#include "mesh/mesher.h"

#include <math.h>
#include <string.h>

// Sine of the angle below which three corners are collinear. A compiler's vertices are exact to
// 1/32 at best, on edges of a few units and more.
#define STRAIGHT 0.001

static uint64_t strip_indices(const bsp_map *map, const bsp_face *face) {
    uint64_t total = 0;
    for (uint32_t i = 0; i < face->num_prims; i++) {
        total += map->primitives[face->first_prim + i].num_indices;
    }
    return total;
}

// Returns true if the face's strips can be used: they use its own corners and are complete.
static bool has_strips(const bsp_map *map, const bsp_face *face) {
    // A polygon of n corners is n - 2 triangles; more, from runs of other faces' strips, is damage.
    uint64_t most = 3 * (uint64_t)face->num_edges;
    uint64_t total = 0;
    for (uint32_t i = 0; i < face->num_prims; i++) {
        const bsp_primitive *prim = &map->primitives[face->first_prim + i];
        if (prim->type > 1 || prim->num_verts != 0 || prim->num_indices < 3 ||
            prim->num_indices > most - total ||
            (uint64_t)prim->first_index + prim->num_indices > map->num_prim_indices) {
            return false;
        }
        for (uint32_t n = 0; n < prim->num_indices; n++) {
            if (map->prim_indices[prim->first_index + n] >= face->num_edges) {
                return false;
            }
        }
        total += prim->num_indices;
    }
    return total != 0;
}

// --- vertices of primitives ----------------------------------------------------------------------

// Returns twice the area that a primitive covers, 0 if its vertices are not complete. Its indices
// count from the first of all vertices of primitives (BuildMSurfacePrimIndices).
static double covered(const bsp_map *map, const bsp_primitive *prim) {
    double area = 0;
    uint32_t step = prim->type == 1 ? 1 : 3;
    if (prim->type > 1 || prim->num_verts < 3 || prim->num_indices < 3 ||
        (uint64_t)prim->first_vert + prim->num_verts > map->num_prim_verts ||
        (uint64_t)prim->first_index + prim->num_indices > map->num_prim_indices) {
        return 0;
    }
    for (uint32_t n = 0; n < prim->num_indices; n++) {
        uint32_t index = map->prim_indices[prim->first_index + n];
        if (index < prim->first_vert || index - prim->first_vert >= prim->num_verts) {
            return 0;
        }
    }
    for (uint32_t n = 0; n + 2 < prim->num_indices; n += step) {
        const uint32_t *index = map->prim_indices + prim->first_index + n;
        const float *a = map->prim_verts[index[0]].point;
        double u[3], v[3];
        for (int i = 0; i < 3; i++) {
            u[i] = (double)map->prim_verts[index[1]].point[i] - (double)a[i];
            v[i] = (double)map->prim_verts[index[2]].point[i] - (double)a[i];
        }
        area += fabs(u[1] * v[2] - u[2] * v[1]) + fabs(u[2] * v[0] - u[0] * v[2]) +
                fabs(u[0] * v[1] - u[1] * v[0]);
    }
    return area;
}

// Returns true if the face is drawn by vertices of its primitives (PRIMVERTS) instead of its own:
// water that the compiler divided. `room` receives what they need.
static bool has_prim_verts(const bsp_map *map, const bsp_face *face, bspi_room *room) {
    *room = (bspi_room){0};
    for (uint32_t i = 0; i < face->num_prims; i++) {
        const bsp_primitive *prim = &map->primitives[face->first_prim + i];
        room->vertices += prim->num_verts;
        room->indices += 3 * (uint64_t)prim->num_indices;
        room->looks += 1 + (uint64_t)prim->num_indices;
        // The compiler makes them for one face; more than all there are is damage.
        if (prim->num_verts == 0 || room->vertices > map->num_prim_verts ||
            room->indices / 3 > map->num_prim_indices || !(covered(map, prim) > 0)) {
            return false;
        }
    }
    return face->num_prims != 0;
}

bspi_room bspi_polygon_room(const bspi_mesher *mesher, uint32_t number) {
    const bsp_face *face = &mesher->map->faces[number];
    bspi_room room;
    if (has_prim_verts(mesher->map, face, &room)) {
        return room;
    }
    room.vertices = face->num_edges;
    room.indices = 0;
    if (face->num_edges >= 3) {
        room.indices = 3 * ((uint64_t)face->num_edges - 2);
        if (has_strips(mesher->map, face)) {
            room.indices += 3 * strip_indices(mesher->map, face);
        }
    }
    return room;
}

// --- vertices -----------------------------------------------------------------------------------

static void face_normal(const bsp_map *map, uint32_t face, float normal[3]) {
    float dist;
    normal[0] = normal[1] = normal[2] = 0;
    (void)bsp_surface_plane(map, face, normal, &dist);
    bspi_mesh_normalize(normal);
}

// Adds the corners. Returns false when a corner has no vertex: then the strips' numbers are wrong.
static bool add_corners(bspi_mesher *mesher, uint32_t number) {
    const bsp_map *map = mesher->map;
    const bsp_face *face = &map->faces[number];
    bspi_skin skin = bspi_skin_of(mesher, number);
    float plane[3];
    bool complete = true;
    face_normal(map, number, plane);
    for (uint32_t e = 0; e < face->num_edges; e++) {
        uint32_t vertex = bsp_surfedge_vertex(map, face->first_edge + e);
        if (vertex == BSP_NONE) {
            complete = false;
            continue;
        }
        const float *point = map->vertices[vertex].point;
        bsp_mesh_vertex *out = bspi_mesh_add_vertex(mesher);
        memcpy(out->position, point, sizeof out->position);
        if (bspi_normal_of(mesher, number, e, vertex, out->normal)) {
            bspi_mesh_normalize(out->normal);
        } else {
            memcpy(out->normal, plane, sizeof plane);
        }
        bspi_skin_point(&skin, point, out);
    }
    return complete;
}

// --- triangles ----------------------------------------------------------------------------------

static bool is_straight(const float a[3], const float b[3], const float c[3]) {
    double u[3];
    double v[3];
    for (int i = 0; i < 3; i++) {
        u[i] = (double)b[i] - (double)a[i];
        v[i] = (double)c[i] - (double)b[i];
    }
    double x = u[1] * v[2] - u[2] * v[1];
    double y = u[2] * v[0] - u[0] * v[2];
    double z = u[0] * v[1] - u[1] * v[0];
    double lengths =
        (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]) * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    return x * x + y * y + z * z <= STRAIGHT * STRAIGHT * lengths;
}

// Returns the corner at which the fan begins: one whose first and last triangle have an area, so
// that no vertex on a straight edge is skipped.
static uint32_t fan_start(const bsp_mesh_vertex *v, uint32_t count) {
    for (uint32_t s = 0; s < count; s++) {
        const float *at = v[s].position;
        if (!is_straight(at, v[(s + 1) % count].position, v[(s + 2) % count].position) &&
            !is_straight(v[(s + count - 2) % count].position, v[(s + count - 1) % count].position,
                         at)) {
            return s;
        }
    }
    return 0;
}

static void add_fan(bspi_mesher *mesher) {
    uint32_t count = mesher->num_vertices - mesher->first_vertex;
    if (count < 3) {
        return;
    }
    uint32_t start = fan_start(mesher->vertices + mesher->first_vertex, count);
    for (uint32_t i = 1; i + 1 < count; i++) { // the file is clockwise
        bspi_mesh_add_triangle(mesher, start, (start + i + 1) % count, (start + i) % count);
    }
}

// Vertex `minus` of the primitive's numbers is vertex `plus` of the face.
static void add_strip(bspi_mesher *mesher, const bsp_primitive *prim, uint32_t minus,
                      uint32_t plus) {
    const uint32_t *index = mesher->map->prim_indices + prim->first_index;
    bool strip = prim->type == 1;
    for (uint32_t i = 0; i + 2 < prim->num_indices; i += strip ? 1 : 3) {
        uint32_t a = index[i] - minus + plus;
        uint32_t b = index[i + 1] - minus + plus;
        uint32_t c = index[i + 2] - minus + plus;
        bool odd = strip && i % 2 != 0;
        bspi_mesh_add_triangle(mesher, a, odd ? b : c, odd ? c : b);
    }
}

static void add_prim_verts(bspi_mesher *mesher, uint32_t number) {
    const bsp_map *map = mesher->map;
    const bsp_face *face = &map->faces[number];
    bspi_skin skin = bspi_skin_of(mesher, number);
    float normal[3];
    uint32_t first = 0;
    face_normal(map, number, normal);
    for (uint32_t i = 0; i < face->num_prims; i++) {
        const bsp_primitive *prim = &map->primitives[face->first_prim + i];
        for (uint32_t v = 0; v < prim->num_verts; v++) {
            const float *point = map->prim_verts[prim->first_vert + v].point;
            bsp_mesh_vertex *out = bspi_mesh_add_vertex(mesher);
            memcpy(out->position, point, sizeof out->position);
            memcpy(out->normal, normal, sizeof out->normal);
            bspi_skin_point(&skin, point, out);
        }
        add_strip(mesher, prim, prim->first_vert, first);
        first += prim->num_verts;
    }
}

void bspi_polygon_emit(bspi_mesher *mesher, uint32_t number) {
    const bsp_face *face = &mesher->map->faces[number];
    bspi_room room;
    if (has_prim_verts(mesher->map, face, &room)) {
        add_prim_verts(mesher, number);
        return;
    }
    bool complete = add_corners(mesher, number);
    if (!complete || !has_strips(mesher->map, face)) {
        add_fan(mesher);
        return;
    }
    for (uint32_t i = 0; i < face->num_prims; i++) {
        add_strip(mesher, &mesher->map->primitives[face->first_prim + i], 0, 0);
    }
}
