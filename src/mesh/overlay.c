// SPDX-License-Identifier: MIT
// Overlays of Source: a quad in its own plane is projected to the triangles of its faces, along the
// plane's normal. Since triangles are cut and not faces, displacements need no special case.
// Assumes a loaded map. Format: sheet source-lumps (4).
#include "mesh/mesher.h"

#include "core/vector.h"

#include <math.h>
#include <string.h>

#define CORNERS 4u
#define MOST_POINTS 7u // of a triangle cut by four lines
#define STEEP 1e-3     // cosine below which a triangle is seen from its edge and left out
#define SMALLEST 1e-6  // area below which a quad is degenerate
#define STEPS 12       // iterations of the search for a place in the quad

const bsp_overlay *bspi_overlay_of(const bsp_map *map, uint32_t number) {
    return number < map->num_overlays ? &map->overlays[number]
                                      : &map->water_overlays[number - map->num_overlays];
}

bspi_room bspi_overlay_room(uint64_t triangles) {
    return (bspi_room){triangles * MOST_POINTS, triangles * 3 * (MOST_POINTS - 2), 0};
}

// --- the quad -----------------------------------------------------------------------------------

/// A vertex, and its place on the overlay's plane.
typedef struct point {
    bsp_mesh_vertex vertex;
    double at[2];
} point;

typedef struct quad {
    const bsp_overlay *overlay;
    double axes[2][3];
    double normal[3];
    double corners[CORNERS][2];
    double turn; // 1 when the corners are clockwise, else -1
} quad;

static double along(const double axis[3], const float p[3], const float origin[3]) {
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        sum += axis[i] * ((double)p[i] - (double)origin[i]);
    }
    return sum;
}

static bool normalize(double v[3]) {
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3 && length > 0; i++) {
        v[i] /= length;
    }
    return length > 0 && isfinite(length);
}

// The third components of the corners hold the first axis; the fourth says that the second axis is
// flipped.
static bool open_quad(const bsp_overlay *overlay, quad *q) {
    q->overlay = overlay;
    for (int i = 0; i < 3; i++) {
        q->normal[i] = (double)overlay->normal[i];
        q->axes[0][i] = (double)overlay->uv_points[i][2];
    }
    if (!normalize(q->normal) || !normalize(q->axes[0])) {
        return false;
    }
    bspi_vec_cross(q->normal, q->axes[0], q->axes[1]);
    if (!normalize(q->axes[1])) {
        return false;
    }
    for (int i = 0; i < 3 && overlay->uv_points[3][2] == 1; i++) {
        q->axes[1][i] = -q->axes[1][i];
    }
    double area = 0;
    for (uint32_t c = 0; c < CORNERS; c++) {
        const float *a = overlay->uv_points[c];
        const float *b = overlay->uv_points[(c + 1) % CORNERS];
        q->corners[c][0] = (double)a[0];
        q->corners[c][1] = (double)a[1];
        area += (double)a[0] * (double)b[1] - (double)a[1] * (double)b[0];
    }
    q->turn = area > 0 ? 1 : -1;
    return isfinite(area) && fabs(area) > SMALLEST;
}

// Finds a point's place between the corners: `part` is 0 to 1 along both directions of the texture.
// The corners 0 1 2 3 have (0 0) (0 1) (1 1) (1 0). Newton's method: exact after one step in a
// parallelogram.
static void place_in(const quad *q, const double at[2], double part[2]) {
    const double(*c)[2] = q->corners;
    part[0] = part[1] = 0.5;
    for (int step = 0; step < STEPS; step++) {
        double a = part[0];
        double b = part[1];
        double miss[2];
        double da[2];
        double db[2];
        for (int i = 0; i < 2; i++) {
            da[i] = (c[3][i] - c[0][i]) * (1 - b) + (c[2][i] - c[1][i]) * b;
            db[i] = (c[1][i] - c[0][i]) * (1 - a) + (c[2][i] - c[3][i]) * a;
            miss[i] = at[i] - (c[0][i] * (1 - b) + c[1][i] * b + da[i] * a);
        }
        double det = da[0] * db[1] - da[1] * db[0];
        if (!(fabs(det) > 0)) {
            break;
        }
        part[0] += (miss[0] * db[1] - miss[1] * db[0]) / det;
        part[1] += (da[0] * miss[1] - da[1] * miss[0]) / det;
    }
    for (int i = 0; i < 2; i++) {
        part[i] = part[i] > 0 ? (part[i] < 1 ? part[i] : 1) : 0;
    }
}

// --- cutting ------------------------------------------------------------------------------------

static float between(float a, float b, double t) {
    return (float)((double)a + t * ((double)b - (double)a));
}

static void mix(const point *a, const point *b, double t, point *out) {
    *out = *a;
    for (int i = 0; i < 3; i++) {
        out->vertex.position[i] = between(a->vertex.position[i], b->vertex.position[i], t);
        out->vertex.normal[i] = between(a->vertex.normal[i], b->vertex.normal[i], t);
    }
    for (int i = 0; i < 2; i++) {
        out->vertex.light_uv[i] = between(a->vertex.light_uv[i], b->vertex.light_uv[i], t);
        out->at[i] = a->at[i] + t * (b->at[i] - a->at[i]);
    }
}

// Returns the distance of a place inside of an edge of the quad, times the edge's length.
static double inside_by(const quad *q, uint32_t edge, const double at[2]) {
    const double *a = q->corners[edge];
    const double *b = q->corners[(edge + 1) % CORNERS];
    return q->turn * ((b[0] - a[0]) * (at[1] - a[1]) - (b[1] - a[1]) * (at[0] - a[0]));
}

static uint32_t cut(const quad *q, uint32_t edge, const point *in, uint32_t count, point *out) {
    uint32_t left = 0;
    for (uint32_t i = 0; i < count; i++) {
        const point *a = &in[i];
        const point *b = &in[(i + 1) % count];
        double from = inside_by(q, edge, a->at);
        double to = inside_by(q, edge, b->at);
        if (from >= 0 && left < MOST_POINTS) {
            out[left++] = *a;
        }
        if ((from >= 0) != (to >= 0) && left < MOST_POINTS) {
            mix(a, b, from / (from - to), &out[left++]);
        }
    }
    return left;
}

// Returns false for a triangle that is seen from its edge or from its back.
static bool faces_quad(const quad *q, const point p[3]) {
    double u[3];
    double v[3];
    double n[3];
    for (int i = 0; i < 3; i++) {
        u[i] = (double)p[1].vertex.position[i] - (double)p[0].vertex.position[i];
        v[i] = (double)p[2].vertex.position[i] - (double)p[0].vertex.position[i];
    }
    bspi_vec_cross(u, v, n);
    return normalize(n) && n[0] * q->normal[0] + n[1] * q->normal[1] + n[2] * q->normal[2] > STEEP;
}

static void add_piece(bspi_mesher *mesher, const quad *q, const point *points, uint32_t count) {
    uint32_t first = mesher->num_vertices - mesher->first_vertex;
    float lift = BSP_OVERLAY_LIFT * (1 + (float)(q->overlay->render_order & 3));
    for (uint32_t i = 0; i < count; i++) {
        bsp_mesh_vertex *out = bspi_mesh_add_vertex(mesher);
        double part[2];
        *out = points[i].vertex;
        memset(out->color, 255, sizeof out->color);
        bspi_mesh_normalize(out->normal);
        place_in(q, points[i].at, part);
        out->uv[0] = between(q->overlay->u[0], q->overlay->u[1], part[0]);
        out->uv[1] = between(q->overlay->v[0], q->overlay->v[1], part[1]);
        for (int axis = 0; axis < 3; axis++) {
            out->position[axis] += lift * out->normal[axis];
        }
    }
    for (uint32_t i = 2; i < count; i++) {
        bspi_mesh_add_triangle(mesher, first, first + i - 1, first + i);
    }
}

void bspi_overlay_emit(bspi_mesher *mesher, const bsp_mesh_face *face, uint32_t number) {
    quad q;
    if (!open_quad(bspi_overlay_of(mesher->map, number), &q)) {
        return;
    }
    for (uint32_t i = 0; i + 2 < face->num_indices; i += 3) {
        point sets[2][MOST_POINTS];
        uint32_t count = 3;
        for (uint32_t c = 0; c < 3; c++) {
            point *p = &sets[0][c];
            p->vertex = mesher->vertices[mesher->indices[face->first_index + i + c]];
            for (int axis = 0; axis < 2; axis++) {
                p->at[axis] = along(q.axes[axis], p->vertex.position, q.overlay->origin);
            }
        }
        if (!faces_quad(&q, sets[0])) {
            continue;
        }
        for (uint32_t edge = 0; edge < CORNERS && count != 0; edge++) {
            count = cut(&q, edge, sets[edge % 2], count, sets[1 - edge % 2]);
        }
        if (count >= 3) {
            add_piece(mesher, &q, sets[0], count);
        }
    }
}
