// SPDX-License-Identifier: MIT
// The faces of a map by their plane: the texture of a brush side stands in the faces that the
// compiler made of it. A piece is a polygon, or a triangle of Quake 3, whose compilers turn brush
// faces into meshes (-meta). Planes are found by direction, in cells of a grid, and by distance
// within a cell.
#include "decompile/brush/faces.h"

#include "decompile/brush/overlap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEPS 16 // cells for a component of a normal, from 0 to 1
#define SPAN (2 * STEPS + 1)
#define CELLS (SPAN * SPAN * SPAN)
// Normals that differ by less are equal; small triangles have inexact ones.
#define NORMAL_EPSILON 0.004
#define PLANE_EPSILON 0.1 // a corner up to this distance from a plane lies in it
#define DIST_SLACK 0.5    // the difference in distance that such normals allow
#define LEAST_AREA 0.01   // square units; a smaller overlap does not count
#define UNIT_EPSILON 0.01

typedef struct piece {
    float dist;
    uint32_t face;
    uint32_t model;
    uint32_t triangle;
    float normal[3];
    float box[2][3];
    uint32_t cell;
} piece;

struct bspi_face_index {
    piece *pieces; // sorted by cell, then by distance
    uint32_t num_pieces;
    uint32_t room;
    uint32_t tried;   // number of triangles, including those without area
    uint32_t *starts; // for each cell, and one more
    bspi_face_hit *hits;
};

// --- pieces -------------------------------------------------------------------------------------

static uint32_t face_corners(const bsp_map *map, const bsp_face *face,
                             double points[BSPI_POLYGON_CORNERS][3]) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < face->num_edges && face->num_edges <= BSPI_POLYGON_CORNERS; i++) {
        const float *at = bsp_surfedge_point(map, face->first_edge + i);
        for (int a = 0; at != NULL && a < 3; a++) {
            points[count][a] = (double)at[a];
        }
        count += at != NULL;
    }
    return count;
}

// Gives the corners of a triangle of a Quake 3 face. Returns false when an index is out of the
// face's vertices.
static bool triangle_corners(const bsp_map *map, const bsp_face *face, uint32_t triangle,
                             const bsp_draw_vert *corners[3]) {
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t index = map->draw_indices[triangle + i];
        if (index >= face->num_verts) {
            return false;
        }
        corners[i] = &map->draw_verts[face->first_vert + index];
    }
    return true;
}

static uint32_t piece_corners(const bsp_map *map, const piece *p,
                              double points[BSPI_POLYGON_CORNERS][3]) {
    const bsp_face *face = &map->faces[p->face];
    const bsp_draw_vert *corners[3];
    if (map->num_draw_verts == 0) {
        return face_corners(map, face, points);
    }
    if (!triangle_corners(map, face, p->triangle, corners)) {
        return 0;
    }
    for (int i = 0; i < 3; i++) {
        for (int a = 0; a < 3; a++) {
            points[i][a] = (double)corners[i]->point[a];
        }
    }
    return 3;
}

static uint32_t step_of(double component) {
    double step = floor(component * STEPS + 0.5);
    return (uint32_t)(fmin(fmax(step, -STEPS), STEPS) + STEPS);
}

static uint32_t cell_of(const float normal[3]) {
    return (step_of((double)normal[0]) * SPAN + step_of((double)normal[1])) * SPAN +
           step_of((double)normal[2]);
}

// Gives the normal of a triangle (clockwise in the file): that of its corners where they have one,
// which is more exact than that of a small triangle's plane.
static bool triangle_normal(const bsp_draw_vert *const corners[3], float normal[3]) {
    const float *a = corners[0]->point;
    const float *b = corners[1]->point;
    const float *c = corners[2]->point;
    double n[3];
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3;
        int k = (i + 2) % 3;
        n[i] = ((double)c[j] - (double)a[j]) * ((double)b[k] - (double)a[k]) -
               ((double)c[k] - (double)a[k]) * ((double)b[j] - (double)a[j]);
    }
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (!(length > LEAST_AREA) || !isfinite(length)) {
        return false;
    }
    const float *stored = corners[0]->normal;
    double along = 0;
    double size = 0;
    for (int i = 0; i < 3; i++) {
        n[i] /= length;
        along += n[i] * (double)stored[i];
        size += (double)stored[i] * (double)stored[i];
    }
    bool flat = memcmp(stored, corners[1]->normal, sizeof corners[1]->normal) == 0 &&
                memcmp(stored, corners[2]->normal, sizeof corners[2]->normal) == 0 &&
                fabs(size - 1) < UNIT_EPSILON && along > 1 - UNIT_EPSILON;
    for (int i = 0; i < 3; i++) {
        normal[i] = flat ? stored[i] : (float)n[i];
    }
    return true;
}

bool bspi_triangle_normal(const bsp_map *map, const bspi_face_hit *triangle, double normal[3]) {
    const bsp_draw_vert *corners[3];
    float n[3];
    if (!triangle_corners(map, &map->faces[triangle->face], triangle->triangle, corners) ||
        !triangle_normal(corners, n)) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        normal[i] = (double)n[i];
    }
    return true;
}

static void finish_piece(piece *p, const double (*points)[3], uint32_t count) {
    for (int a = 0; a < 3; a++) {
        p->box[0][a] = p->box[1][a] = (float)points[0][a];
        for (uint32_t i = 1; i < count; i++) {
            p->box[0][a] = fminf(p->box[0][a], (float)points[i][a]);
            p->box[1][a] = fmaxf(p->box[1][a], (float)points[i][a]);
        }
    }
    p->cell = cell_of(p->normal);
}

static void add_polygon(bspi_work *w, uint32_t face, uint32_t model) {
    double points[BSPI_POLYGON_CORNERS][3];
    piece p = {.face = face, .model = model};
    uint32_t count = face_corners(w->map, &w->map->faces[face], points);
    if (count >= 3 && bsp_surface_plane(w->map, face, p.normal, &p.dist) && isfinite(p.dist)) {
        finish_piece(&p, (const double(*)[3])points, count);
        w->faces->pieces[w->faces->num_pieces++] = p;
    }
}

static void add_triangles(bspi_work *w, uint32_t face, uint32_t model) {
    const bsp_face *from = &w->map->faces[face];
    if (from->type != BSP_FACE_POLYGON && from->type != BSP_FACE_MESH) {
        return;
    }
    double points[BSPI_POLYGON_CORNERS][3];
    for (uint32_t i = 0; i + 3 <= from->num_indices; i += 3) {
        if (w->faces->tried == w->faces->room) {
            return;
        }
        w->faces->tried++;
        piece p = {.face = face, .model = model, .triangle = from->first_index + i};
        const bsp_draw_vert *corners[3];
        if (!triangle_corners(w->map, from, p.triangle, corners) ||
            !triangle_normal(corners, p.normal)) {
            continue;
        }
        uint32_t count = piece_corners(w->map, &p, points);
        for (int a = 0; a < 3; a++) {
            p.dist += p.normal[a] * corners[0]->point[a];
        }
        finish_piece(&p, (const double(*)[3])points, count);
        w->faces->pieces[w->faces->num_pieces++] = p;
    }
}

// --- building -----------------------------------------------------------------------------------

static int by_distance(const void *a, const void *b) {
    const piece *left = a;
    const piece *right = b;
    if (left->dist != right->dist) {
        return left->dist < right->dist ? -1 : 1;
    }
    if (left->face != right->face) {
        return left->face < right->face ? -1 : 1;
    }
    return left->triangle < right->triangle ? -1 : left->triangle > right->triangle;
}

static bool sort_pieces(bspi_work *w, bspi_face_index *index) {
    piece *sorted = bspi_arena_raw(&w->arena, index->num_pieces, sizeof *sorted, w->error);
    index->starts = bspi_arena_zero(&w->arena, CELLS + 1, sizeof *index->starts, w->error);
    if (sorted == NULL || index->starts == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < index->num_pieces; i++) {
        index->starts[index->pieces[i].cell + 1]++;
    }
    for (uint32_t c = 0; c < CELLS; c++) {
        index->starts[c + 1] += index->starts[c];
    }
    for (uint32_t i = 0; i < index->num_pieces; i++) { // moves each start to that of the next cell
        sorted[index->starts[index->pieces[i].cell]++] = index->pieces[i];
    }
    memmove(index->starts + 1, index->starts, CELLS * sizeof *index->starts);
    index->starts[0] = 0;
    for (uint32_t c = 0; c < CELLS; c++) {
        uint32_t count = index->starts[c + 1] - index->starts[c];
        if (count > 1) {
            qsort(sorted + index->starts[c], count, sizeof *sorted, by_distance);
        }
    }
    index->pieces = sorted;
    return true;
}

// Returns the limit on pieces. q3map2 lets faces share runs of indices, and each run of a damaged
// file could hold all indices: the limit is that of meshes with twice as many triangles as
// vertices.
static uint32_t most_pieces(const bsp_map *map) {
    if (map->num_draw_verts == 0) {
        return map->num_faces;
    }
    uint64_t sum = 0;
    for (uint32_t i = 0; i < map->num_faces; i++) {
        sum += map->faces[i].num_indices / 3;
    }
    uint64_t most = 2 * (uint64_t)map->num_draw_verts + map->num_draw_indices;
    return (uint32_t)(sum < most ? sum : most);
}

// Adds the faces of a model. Runs that overlap are damage: each face belongs to the first model
// that has it.
static void add_model(bspi_work *w, uint32_t number, bool *seen) {
    const bsp_model *model = &w->map->models[number];
    for (uint32_t f = model->first_face; f < model->first_face + model->num_faces; f++) {
        if (seen[f]) {
            continue;
        }
        seen[f] = true;
        if (w->map->num_draw_verts != 0) {
            add_triangles(w, f, number);
        } else {
            add_polygon(w, f, number);
        }
    }
}

bool bspi_face_index_build(bspi_work *w) {
    const bsp_map *map = w->map;
    w->faces = NULL;
    if (map->num_faces == 0 || map->num_models == 0) {
        return true;
    }
    bspi_face_index *index = bspi_arena_zero(&w->arena, 1, sizeof *index, w->error);
    bool *seen = bspi_arena_zero(&w->arena, map->num_faces, sizeof *seen, w->error);
    if (index == NULL || seen == NULL) {
        return false;
    }
    index->room = most_pieces(map);
    index->pieces = bspi_arena_raw(&w->arena, index->room, sizeof *index->pieces, w->error);
    index->hits = bspi_arena_raw(&w->arena, index->room, sizeof *index->hits, w->error);
    if (index->pieces == NULL || index->hits == NULL) {
        return false;
    }
    w->faces = index;
    for (uint32_t m = 0; m < map->num_models; m++) {
        add_model(w, m, seen);
    }
    return sort_pieces(w, index);
}

// --- searching -----------------------------------------------------------------------------------

typedef struct question {
    bspi_work *w;
    const bspi_polygon *polygon;
    int axis;
    bspi_outline flat;
    double box[2][3];
    uint32_t num_hits;
} question;

static bool boxes_meet(const question *q, const piece *p) {
    for (int a = 0; a < 3; a++) {
        if ((double)p->box[0][a] > q->box[1][a] || (double)p->box[1][a] < q->box[0][a]) {
            return false;
        }
    }
    return true;
}

static bool lies_in(const bspi_polygon *polygon, const double (*points)[3], uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const double *n = polygon->normal;
        double d = n[0] * points[i][0] + n[1] * points[i][1] + n[2] * points[i][2] - polygon->dist;
        if (!(fabs(d) <= PLANE_EPSILON)) {
            return false;
        }
    }
    return true;
}

static void try_piece(question *q, const piece *p) {
    const bspi_polygon *polygon = q->polygon;
    for (int a = 0; a < 3; a++) {
        if (fabs((double)p->normal[a] - polygon->normal[a]) > NORMAL_EPSILON) {
            return;
        }
    }
    if (p->model != polygon->model || !boxes_meet(q, p)) {
        return;
    }
    double points[BSPI_POLYGON_CORNERS][3];
    uint32_t count = piece_corners(q->w->map, p, points);
    if (count < 3 || !lies_in(polygon, (const double(*)[3])points, count)) {
        return;
    }
    bspi_outline inner;
    if (!bspi_spend(q->w,
                    (uint64_t)count * polygon->count)) { // each hit is compared with each corner
        return;
    }
    bspi_flatten((const double(*)[3])points, count, polygon->normal, q->axis, &inner);
    double area = bspi_common_area(&q->flat, &inner) / fabs(polygon->normal[q->axis]);
    if (area >= LEAST_AREA) {
        q->w->faces->hits[q->num_hits++] = (bspi_face_hit){p->face, p->triangle, area};
    }
}

// Returns the first piece of a cell whose distance is not below `dist`.
static uint32_t first_from(const bspi_face_index *index, uint32_t cell, double dist) {
    uint32_t low = index->starts[cell];
    uint32_t high = index->starts[cell + 1];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if ((double)index->pieces[middle].dist < dist) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// Searches a cell. Maps have less than a hundred pieces in a plane for each side; damage puts all
// into one plane.
static void ask_cell(question *q, uint32_t cell) {
    const bspi_face_index *index = q->w->faces;
    uint32_t low = first_from(index, cell, q->polygon->dist - DIST_SLACK);
    uint32_t end = first_from(index, cell, nextafter(q->polygon->dist + DIST_SLACK, INFINITY));
    if (low < end && bspi_spend(q->w, end - low)) {
        for (uint32_t i = low; i < end; i++) {
            try_piece(q, &index->pieces[i]);
        }
    }
}

// Searches the cells of all normals within the epsilon: one cell, except near the border of cells.
static void ask_cells(question *q) {
    uint32_t steps[3][2];
    for (int a = 0; a < 3; a++) {
        steps[a][0] = step_of(q->polygon->normal[a] - NORMAL_EPSILON);
        steps[a][1] = step_of(q->polygon->normal[a] + NORMAL_EPSILON);
    }
    for (uint32_t x = steps[0][0]; x <= steps[0][1]; x++) {
        for (uint32_t y = steps[1][0]; y <= steps[1][1]; y++) {
            for (uint32_t z = steps[2][0]; z <= steps[2][1]; z++) {
                ask_cell(q, (x * SPAN + y) * SPAN + z);
            }
        }
    }
}

uint32_t bspi_face_hits(bspi_work *w, const bspi_polygon *polygon, const bspi_face_hit **hits) {
    *hits = NULL;
    if (w->faces == NULL || polygon->count < 3 || polygon->count > BSPI_POLYGON_CORNERS) {
        return 0;
    }
    question q; // has no initialiser, because clearing the polygon costs too much
    q.w = w;
    q.polygon = polygon;
    q.axis = bspi_dominant_axis(polygon->normal);
    q.num_hits = 0;
    bspi_flatten(polygon->points, polygon->count, polygon->normal, q.axis, &q.flat);
    for (int a = 0; a < 3; a++) {
        q.box[0][a] = q.box[1][a] = polygon->points[0][a];
        for (uint32_t i = 1; i < polygon->count; i++) {
            q.box[0][a] = fmin(q.box[0][a], polygon->points[i][a]);
            q.box[1][a] = fmax(q.box[1][a], polygon->points[i][a]);
        }
        q.box[0][a] -= PLANE_EPSILON;
        q.box[1][a] += PLANE_EPSILON;
    }
    ask_cells(&q);
    *hits = w->faces->hits;
    return q.num_hits;
}
