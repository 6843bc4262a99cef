// SPDX-License-Identifier: MIT
// Displacements of Source as solids. Each triangle is the set of planes that the engine tests a
// moving box against (dispcoll_common.cpp): its face, the sides of its box, and its edges crossed
// with the axes. For a ray the face and three edges are enough, projected along the largest axis of
// the normal; the other planes may lie in the face, where rounding would decide. There is no back
// plane: a trace hits a displacement from its front only.
#include "query/collide.h"

#include "mesh/disp_grid.h"
#include "query/winding.h"

#include <math.h>
#include <string.h>

#define REMOVED 0x20u   // DISPTRI_TAG_REMOVE
#define FLAT_EDGE 1e-4f // a shorter cross product has no direction

// Finds the four corners, the one at the start of the grid first. Returns false if the face does
// not have four.
static bool find_corners(const bsp_map *map, const bsp_displacement *disp,
                         const float *corners[4]) {
    if (disp->face >= map->num_faces || map->faces[disp->face].num_edges != 4) {
        return false;
    }
    const bsp_face *face = &map->faces[disp->face];
    uint32_t nearest = 0;
    float least = INFINITY;
    for (uint32_t i = 0; i < 4; i++) {
        const float *p = bsp_surfedge_point(map, face->first_edge + i);
        if (p == NULL) {
            return false;
        }
        float d[3] = {p[0] - disp->start[0], p[1] - disp->start[1], p[2] - disp->start[2]};
        if (bspi_dot(d, d) < least) {
            least = bspi_dot(d, d);
            nearest = i;
        }
    }
    for (uint32_t i = 0; i < 4; i++) {
        corners[i] = bsp_surfedge_point(map, face->first_edge + (nearest + i) % 4);
    }
    return true;
}

// Fills the grid: row i runs along the edge from corner 0 to 1, column j from there towards 3 and
// 2.
static void fill_grid(const bsp_map *map, const bsp_displacement *disp,
                      const float *const corners[4], float grid[BSPI_DISP_MOST][3]) {
    uint32_t n = bspi_disp_side(disp->power);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++) {
            const bsp_disp_vert *v = &map->disp_verts[disp->first_vert + i * n + j];
            float down = (float)i / (float)(n - 1);
            float across = (float)j / (float)(n - 1);
            for (int k = 0; k < 3; k++) {
                float left = corners[0][k] + (corners[1][k] - corners[0][k]) * down;
                float right = corners[3][k] + (corners[2][k] - corners[3][k]) * down;
                grid[i * n + j][k] = left + (right - left) * across + v->vec[k] * v->dist;
            }
        }
    }
}

static void put_plane(bspi_builder *b, uint32_t *count, const float normal[3], float dist,
                      bool for_points) {
    bspi_plane *plane = &b->planes[*count];
    memcpy(plane->normal, normal, sizeof plane->normal);
    plane->dist = dist;
    plane->order = (*count)++;
    plane->number = BSP_NONE;
    plane->flags = 0;
    plane->inward = false;
    plane->bevel = !for_points;
}

// Adds a plane through an edge and along an axis, with the third corner on its back side.
static void put_edge(bspi_builder *b, uint32_t *count, const float *const p[3], int edge, int axis,
                     bool for_points) {
    const float *from = p[edge];
    const float *to = p[(edge + 1) % 3];
    const float *third = p[(edge + 2) % 3];
    float along[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
    float unit[3] = {0, 0, 0};
    float normal[3];
    unit[axis] = 1;
    bspi_cross(along, unit, normal);
    // A ray is bounded by three edges only, so even the shortest is used.
    float length = bspi_query_normalize(normal);
    if (length == 0 || (length < FLAT_EDGE && !for_points)) {
        return;
    }
    if (bspi_dot(normal, third) > bspi_dot(normal, from)) {
        for (int k = 0; k < 3; k++) {
            normal[k] = -normal[k];
        }
    }
    put_plane(b, count, normal, bspi_dot(normal, from), for_points);
}

static int main_axis(const float normal[3]) {
    int axis = fabsf(normal[1]) > fabsf(normal[0]) ? 1 : 0;
    return fabsf(normal[2]) > fabsf(normal[axis]) ? 2 : axis;
}

#define TRIANGLE_PLANES 16u

static bool add_triangle(bspi_builder *b, const bspi_convex *facts, const float *const p[3]) {
    float ab[3], ac[3], normal[3];
    float box[2][3];
    uint32_t count = 0;
    for (int k = 0; k < 3; k++) {
        ab[k] = p[1][k] - p[0][k];
        ac[k] = p[2][k] - p[0][k];
        box[0][k] = fminf(p[0][k], fminf(p[1][k], p[2][k]));
        box[1][k] = fmaxf(p[0][k], fmaxf(p[1][k], p[2][k]));
    }
    bspi_cross(ac, ab, normal); // corners are clockwise seen from the front
    if (!(bspi_query_normalize(normal) > 0)) {
        return true; // a triangle without area is no solid
    }
    if (!bspi_need_planes(b, TRIANGLE_PLANES)) {
        return false;
    }
    put_plane(b, &count, normal, bspi_dot(normal, p[0]), true);
    for (int axis = 0; axis < 3; axis++) {
        float unit[3] = {0, 0, 0};
        unit[axis] = 1;
        put_plane(b, &count, unit, box[1][axis], false);
        unit[axis] = -1;
        put_plane(b, &count, unit, -box[0][axis], false);
    }
    for (int edge = 0; edge < 3; edge++) {
        for (int axis = 0; axis < 3; axis++) {
            put_edge(b, &count, p, edge, axis, axis == main_axis(normal));
        }
    }
    return bspi_add_convex(b, facts, b->planes, count, box);
}

// Returns the traces that pass through (CDispCollTree::AABBTree_Ray and AABBTree_SweepAABB): rays
// test only what stops light.
static uint8_t find_passes(const bsp_displacement *disp) {
    uint32_t flags = (disp->flags & BSPI_DISP_HAS_FLAGS) != 0 ? disp->flags : 0;
    bool points = (flags & BSPI_DISP_NO_RAYS) != 0 || ((uint32_t)disp->contents & BSPI_OPAQUE) == 0;
    bool boxes = (flags & BSPI_DISP_NO_HULLS) != 0;
    return (uint8_t)((points ? BSPI_PASS_POINTS : 0) | (boxes ? BSPI_PASS_BOXES : 0));
}

// Fills the grid. Returns the number of vertices along an edge, or 0 for a damaged displacement.
static uint32_t find_grid(const bsp_map *map, const bsp_displacement *disp,
                          float grid[BSPI_DISP_MOST][3]) {
    const float *corners[4];
    uint32_t n = disp->power <= BSPI_DISP_MOST_POWER ? bspi_disp_side(disp->power) : 0;
    if (n < 2 || disp->first_vert > map->num_disp_verts ||
        map->num_disp_verts - disp->first_vert < n * n || !find_corners(map, disp, corners)) {
        return 0;
    }
    fill_grid(map, disp, corners, grid);
    return n;
}

// With an enlarged box even a flat displacement in the plane of a node touches the leaves on both
// sides (CDispCollTree::AABBTree_CalcBounds).
#define BOX_GROWS 1.0f

bool bspi_disp_box(const bsp_map *map, const bsp_displacement *disp, float box[2][3]) {
    float grid[BSPI_DISP_MOST][3];
    uint32_t n = find_grid(map, disp, grid);
    memset(box, 0, 6 * sizeof **box);
    for (uint32_t i = 0; i < n * n; i++) {
        for (int k = 0; k < 3; k++) {
            box[0][k] = i == 0 || grid[i][k] < box[0][k] ? grid[i][k] : box[0][k];
            box[1][k] = i == 0 || grid[i][k] > box[1][k] ? grid[i][k] : box[1][k];
        }
    }
    for (int k = 0; k < 3; k++) {
        box[0][k] -= BOX_GROWS;
        box[1][k] += BOX_GROWS;
    }
    return n != 0;
}

bool bspi_add_displacement(bspi_builder *b, const bsp_displacement *disp, uint32_t number) {
    static const uint8_t odd[2][3][2] = {{{0, 0}, {1, 0}, {0, 1}}, {{0, 1}, {1, 0}, {1, 1}}};
    static const uint8_t even[2][3][2] = {{{0, 0}, {1, 0}, {1, 1}}, {{0, 0}, {1, 1}, {0, 1}}};
    const bsp_map *map = b->index->map;
    float grid[BSPI_DISP_MOST][3];
    uint32_t n = find_grid(map, disp, grid);
    if (n == 0) {
        return true;
    }
    if (!bspi_meter_add(b->meter, (uint64_t)n * n * TRIANGLE_PLANES)) {
        return false;
    }
    bspi_convex facts = {.kind = BSPI_DISP,
                         .passes = find_passes(disp),
                         .contents = (uint32_t)disp->contents,
                         .gate = BSP_NONE,
                         .owner = number};
    for (uint32_t t = 0; t < 2 * (n - 1) * (n - 1); t++) {
        uint32_t i = t / 2 / (n - 1);
        uint32_t j = t / 2 % (n - 1);
        const uint8_t(*shape)[2] = (i * n + j) % 2 != 0 ? odd[t % 2] : even[t % 2];
        const float *p[3];
        for (int k = 0; k < 3; k++) {
            p[k] = grid[(i + shape[k][0]) * n + j + shape[k][1]];
        }
        uint32_t tag = disp->first_tri + t;
        bool gone = disp->first_tri < map->num_disp_tris && tag < map->num_disp_tris &&
                    (map->disp_tris[tag] & REMOVED) != 0;
        if (!gone && !add_triangle(b, &facts, p)) {
            return false;
        }
    }
    return true;
}
