// SPDX-License-Identifier: MIT
// Searches the index of faces for those that lie on a polygon.
#include "decompile/brush/face_index.h"

#include "decompile/brush/overlap.h"

#include <math.h>

#define SPAN BSPI_FACE_SPAN
#define BLOCK BSPI_FACE_BLOCK
// Normals that differ by less are equal; small triangles have inexact ones.
#define NORMAL_EPSILON 0.004
#define PLANE_EPSILON 0.1 // a corner up to this distance from a plane lies in it
#define DIST_SLACK 0.5    // the difference in distance that such normals allow
#define LEAST_AREA 0.01   // square units; a smaller overlap does not count

typedef struct question {
    const bsp_map *map;
    const bspi_face_index *index;
    bspi_face_search *search;
    const bspi_polygon *polygon;
    int axis;
    bspi_outline flat;
    double box[2][3];
    int16_t wide[2][3]; // the same in steps, not smaller
} question;

static bool spend(const question *q, uint64_t steps) {
    bspi_face_search *search = q->search;
    search->failed = search->failed || !bspi_meter_add(search->meter, steps);
    return !search->failed;
}

static void add_hit(const question *q, bspi_face_hit hit) {
    bspi_face_search *search = q->search;
    bspi_face_hit *hits = bspi_grow(search->heap, search->hits, search->count, &search->room,
                                    sizeof *hits, search->error);
    if (hits == NULL) {
        search->failed = true;
        return;
    }
    search->hits = hits;
    hits[search->count++] = hit;
}

static bool boxes_meet(const question *q, const double (*points)[3], uint32_t count) {
    float box[2][3];
    bspi_face_box(points, count, box);
    for (int a = 0; a < 3; a++) {
        if ((double)box[0][a] > q->box[1][a] || (double)box[1][a] < q->box[0][a]) {
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

// Returns true if a piece has a polygon's normal.
static bool faces_along(const bsp_map *map, uint32_t face, uint32_t triangle,
                        const double normal[3]) {
    double own[3];
    float plane[3];
    float dist;
    if (map->num_draw_verts == 0) {
        if (!bsp_surface_plane(map, face, plane, &dist)) {
            return false;
        }
        for (int a = 0; a < 3; a++) {
            own[a] = (double)plane[a];
        }
    } else if (!bspi_triangle_normal(map, &(bspi_face_hit){face, triangle, 0}, own)) {
        return false;
    }
    return !(fabs(own[0] - normal[0]) > NORMAL_EPSILON ||
             fabs(own[1] - normal[1]) > NORMAL_EPSILON ||
             fabs(own[2] - normal[2]) > NORMAL_EPSILON);
}

static void try_piece(const question *q, uint32_t number) {
    const bspi_face_block *from = &q->index->blocks[number / BLOCK];
    uint32_t k = number % BLOCK;
    const bspi_polygon *polygon = q->polygon;
    const bsp_map *map = q->map;
    uint32_t face = from->face[k];
    uint32_t triangle = from->triangle[k];
    if (q->index->models[face] != polygon->model) {
        return;
    }
    double points[BSPI_POLYGON_CORNERS][3];
    uint32_t count = bspi_face_corners(map, face, triangle, points);
    if (count < 3 || !boxes_meet(q, (const double(*)[3])points, count) ||
        !faces_along(map, face, triangle, polygon->normal) ||
        !lies_in(polygon, (const double(*)[3])points, count)) {
        return;
    }
    bspi_outline inner;
    if (!spend(q, (uint64_t)count * polygon->count)) { // each hit is compared with each corner
        return;
    }
    bspi_flatten((const double(*)[3])points, count, polygon->normal, q->axis, &inner);
    double area = bspi_common_area(&q->flat, &inner) / fabs(polygon->normal[q->axis]);
    if (area >= LEAST_AREA) {
        add_hit(q, (bspi_face_hit){face, triangle, area});
    }
}

// Finds which pieces of a block have boxes that do not touch the polygon's; the compiler makes a
// few operations on vectors of it.
static void reject_boxes(const question *q, const bspi_face_block *from, int16_t out[BLOCK]) {
    const int16_t x[2] = {q->wide[0][0], q->wide[1][0]};
    const int16_t y[2] = {q->wide[0][1], q->wide[1][1]};
    const int16_t z[2] = {q->wide[0][2], q->wide[1][2]};
    for (uint32_t k = 0; k < BLOCK; k++) {
        out[k] = (int16_t)((from->box[0][0][k] > x[1]) | (from->box[1][0][k] < x[0]) |
                           (from->box[0][1][k] > y[1]) | (from->box[1][1][k] < y[0]) |
                           (from->box[0][2][k] > z[1]) | (from->box[1][2][k] < z[0]));
    }
}

// Returns true if the box of a block does not touch the polygon's.
static bool is_apart(const question *q, const bspi_face_block *from) {
    return from->around[0][0] > q->wide[1][0] || from->around[1][0] < q->wide[0][0] ||
           from->around[0][1] > q->wide[1][1] || from->around[1][1] < q->wide[0][1] ||
           from->around[0][2] > q->wide[1][2] || from->around[1][2] < q->wide[0][2];
}

// Returns the first piece of a cell whose distance is not below `dist`.
static uint32_t first_from(const bspi_face_index *index, uint32_t cell, double dist) {
    uint32_t low = index->starts[cell];
    uint32_t high = index->starts[cell + 1];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if ((double)index->dists[middle] < dist) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// Searches a cell. Maps have less than a hundred pieces in a plane for each side; damage puts all
// into one plane.
static void ask_cell(const question *q, uint32_t cell) {
    const bspi_face_index *index = q->index;
    uint32_t low = first_from(index, cell, q->polygon->dist - DIST_SLACK);
    uint32_t end = first_from(index, cell, nextafter(q->polygon->dist + DIST_SLACK, INFINITY));
    if (low >= end || !spend(q, end - low)) {
        return;
    }
    for (uint32_t first = low / BLOCK * BLOCK; first < end; first += BLOCK) {
        const bspi_face_block *from = &index->blocks[first / BLOCK];
        uint32_t last = end - first < BLOCK ? end - first : BLOCK;
        int16_t out[BLOCK];
        if (is_apart(q, from)) {
            continue;
        }
        reject_boxes(q, from, out);
        for (uint32_t k = low > first ? low - first : 0; k < last; k++) {
            if (out[k] == 0) {
                try_piece(q, first + k);
            }
        }
    }
}

// Searches the cells of all normals within the epsilon: one cell, except near the border of cells.
static void ask_cells(const question *q) {
    uint32_t steps[3][2];
    for (int a = 0; a < 3; a++) {
        steps[a][0] = bspi_face_step(q->polygon->normal[a] - NORMAL_EPSILON);
        steps[a][1] = bspi_face_step(q->polygon->normal[a] + NORMAL_EPSILON);
    }
    for (uint32_t x = steps[0][0]; x <= steps[0][1]; x++) {
        for (uint32_t y = steps[1][0]; y <= steps[1][1]; y++) {
            for (uint32_t z = steps[2][0]; z <= steps[2][1]; z++) {
                ask_cell(q, (x * SPAN + y) * SPAN + z);
            }
        }
    }
}

// Returns the float nearest to a value on its lower or upper side.
static float wider(double value, float towards) {
    float near = (float)value;
    bool within = towards > 0 ? (double)near >= value : (double)near <= value;
    return within ? near : nextafterf(near, towards);
}

uint32_t bspi_face_search_add(bspi_face_search *search, const bspi_polygon *polygon) {
    const bspi_work *w = search->work;
    uint32_t before = search->count;
    if (w->faces == NULL || polygon->count < 3 || polygon->count > BSPI_POLYGON_CORNERS) {
        return 0;
    }
    question q; // has no initialiser, because clearing the polygon costs too much
    q.map = w->map;
    q.index = w->faces;
    q.search = search;
    q.polygon = polygon;
    q.axis = bspi_dominant_axis(polygon->normal);
    bspi_flatten(polygon->points, polygon->count, polygon->normal, q.axis, &q.flat);
    for (int a = 0; a < 3; a++) {
        q.box[0][a] = q.box[1][a] = polygon->points[0][a];
        for (uint32_t i = 1; i < polygon->count; i++) {
            double at = polygon->points[i][a];
            q.box[0][a] = at < q.box[0][a] ? at : q.box[0][a];
            q.box[1][a] = at > q.box[1][a] ? at : q.box[1][a];
        }
        q.box[0][a] -= PLANE_EPSILON;
        q.box[1][a] += PLANE_EPSILON;
        q.wide[0][a] = bspi_face_place(q.index, a, wider(q.box[0][a], -INFINITY));
        q.wide[1][a] = bspi_face_place(q.index, a, wider(q.box[1][a], INFINITY));
    }
    ask_cells(&q);
    return search->count - before;
}

uint32_t bspi_face_hits(bspi_work *w, const bspi_polygon *polygon, const bspi_face_hit **hits) {
    *hits = NULL;
    if (w->faces == NULL) {
        return 0;
    }
    bspi_face_search *search = &w->faces->search;
    search->count = 0;
    uint32_t count = bspi_face_search_add(search, polygon);
    w->spent = w->spent || search->failed;
    *hits = search->hits;
    return count;
}

void bspi_face_search_end(bspi_face_search *search) {
    bspi_heap_free(search->heap, search->hits, search->room * sizeof *search->hits);
    search->hits = NULL;
}

void bspi_face_index_end(bspi_work *w) {
    if (w->faces != NULL) {
        bspi_face_search_end(&w->faces->search);
    }
}
