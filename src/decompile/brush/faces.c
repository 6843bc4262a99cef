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

// A piece while the index is built.
typedef struct piece {
    float dist;
    uint32_t face;
    uint32_t triangle;
    float normal[3];
    float box[2][3];
    uint32_t cell;
} piece;

#define BLOCK 8u // pieces whose boxes are compared at once

// Pieces in their order, a member of all of them after the other.
typedef struct block {
    float around[2][3]; // the box of all
    float box[2][3][BLOCK];
    uint32_t face[BLOCK];
    uint32_t triangle[BLOCK];
} block;

struct bspi_face_index {
    block *blocks;    // pieces sorted by cell, then by distance
    float *dists;     // of the pieces
    uint32_t *models; // for each face: the model that it was added for, or BSP_NONE
    uint32_t num_pieces;
    uint32_t *starts;        // for each cell, and one more
    bspi_face_search search; // of bspi_face_hits
};

// The pieces in the order in which they were found.
typedef struct builder {
    bspi_work *w;
    bspi_face_index *index;
    piece *pieces;
    uint32_t room;
    uint32_t tried; // number of triangles, including those without area
} builder;

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

static uint32_t piece_corners(const bsp_map *map, uint32_t number, uint32_t triangle,
                              double points[BSPI_POLYGON_CORNERS][3]) {
    const bsp_face *face = &map->faces[number];
    const bsp_draw_vert *corners[3];
    if (map->num_draw_verts == 0) {
        return face_corners(map, face, points);
    }
    if (!triangle_corners(map, face, triangle, corners)) {
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
    double step = component * STEPS + 0.5;
    if (!(step >= -STEPS)) {
        return 0;
    }
    if (step >= STEPS) {
        return SPAN - 1;
    }
    int32_t whole = (int32_t)step; // towards zero
    return (uint32_t)(whole - (step < whole) + STEPS);
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

static void add_piece(builder *b, piece *p, const double (*points)[3], uint32_t count) {
    for (int a = 0; a < 3; a++) {
        p->box[0][a] = p->box[1][a] = (float)points[0][a];
        for (uint32_t i = 1; i < count; i++) {
            float at = (float)points[i][a];
            p->box[0][a] = at < p->box[0][a] ? at : p->box[0][a];
            p->box[1][a] = at > p->box[1][a] ? at : p->box[1][a];
        }
    }
    p->cell = cell_of(p->normal);
    b->pieces[b->index->num_pieces++] = *p;
}

static void add_polygon(builder *b, uint32_t face) {
    const bsp_map *map = b->w->map;
    double points[BSPI_POLYGON_CORNERS][3];
    piece p = {.face = face};
    uint32_t count = face_corners(map, &map->faces[face], points);
    if (count >= 3 && bsp_surface_plane(map, face, p.normal, &p.dist) && isfinite(p.dist)) {
        add_piece(b, &p, (const double(*)[3])points, count);
    }
}

static void add_triangles(builder *b, uint32_t face) {
    const bsp_map *map = b->w->map;
    const bsp_face *from = &map->faces[face];
    if (from->type != BSP_FACE_POLYGON && from->type != BSP_FACE_MESH) {
        return;
    }
    double points[BSPI_POLYGON_CORNERS][3];
    for (uint32_t i = 0; i + 3 <= from->num_indices; i += 3) {
        if (b->tried == b->room) {
            return;
        }
        b->tried++;
        piece p = {.face = face, .triangle = from->first_index + i};
        const bsp_draw_vert *corners[3];
        if (!triangle_corners(map, from, p.triangle, corners) ||
            !triangle_normal(corners, p.normal)) {
            continue;
        }
        uint32_t count = piece_corners(map, face, p.triangle, points);
        for (int a = 0; a < 3; a++) {
            p.dist += p.normal[a] * corners[0]->point[a];
        }
        add_piece(b, &p, (const double(*)[3])points, count);
    }
}

// --- building -----------------------------------------------------------------------------------

// What pieces of a cell are sorted by.
typedef struct order {
    float dist;
    uint32_t face;
    uint32_t triangle;
    uint32_t piece;
} order;

static int by_distance(const void *a, const void *b) {
    const order *left = a;
    const order *right = b;
    if (left->dist != right->dist) {
        return left->dist < right->dist ? -1 : 1;
    }
    if (left->face != right->face) {
        return left->face < right->face ? -1 : 1;
    }
    return left->triangle < right->triangle ? -1 : left->triangle > right->triangle;
}

static void count_cells(const builder *b, uint32_t *starts) {
    for (uint32_t i = 0; i < b->index->num_pieces; i++) {
        starts[b->pieces[i].cell + 1]++;
    }
    for (uint32_t c = 0; c < CELLS; c++) {
        starts[c + 1] += starts[c];
    }
}

static void sort_pieces(const builder *b, order *sorted) {
    uint32_t *starts = b->index->starts;
    count_cells(b, starts);
    for (uint32_t i = 0; i < b->index->num_pieces; i++) { // moves each start to that of the next
        const piece *p = &b->pieces[i];
        sorted[starts[p->cell]++] = (order){p->dist, p->face, p->triangle, i};
    }
    memmove(starts + 1, starts, CELLS * sizeof *starts);
    starts[0] = 0;
    for (uint32_t c = 0; c < CELLS; c++) {
        uint32_t count = starts[c + 1] - starts[c];
        if (count > 1) {
            qsort(sorted + starts[c], count, sizeof *sorted, by_distance);
        }
    }
}

static void fill_blocks(const builder *b, const order *sorted) {
    for (uint32_t i = 0; i < b->index->num_pieces; i++) {
        const piece *p = &b->pieces[sorted[i].piece];
        block *to = &b->index->blocks[i / BLOCK];
        b->index->dists[i] = p->dist;
        to->face[i % BLOCK] = p->face;
        to->triangle[i % BLOCK] = p->triangle;
        for (int a = 0; a < 3; a++) {
            float low = p->box[0][a];
            float high = p->box[1][a];
            bool first = i % BLOCK == 0;
            to->box[0][a][i % BLOCK] = low;
            to->box[1][a][i % BLOCK] = high;
            to->around[0][a] = first || low < to->around[0][a] ? low : to->around[0][a];
            to->around[1][a] = first || high > to->around[1][a] ? high : to->around[1][a];
        }
    }
}

static bool finish(builder *b) {
    bspi_work *w = b->w;
    bspi_face_index *index = b->index;
    size_t bytes = index->num_pieces * sizeof(order);
    order *sorted = bspi_heap_alloc(&w->heap, bytes, w->error);
    index->dists = bspi_arena_raw(&w->arena, index->num_pieces, sizeof *index->dists, w->error);
    index->starts = bspi_arena_zero(&w->arena, CELLS + 1, sizeof *index->starts, w->error);
    index->search =
        (bspi_face_search){.work = w, .heap = &w->heap, .meter = &w->meter, .error = w->error};
    index->blocks =
        bspi_arena_raw(&w->arena, index->num_pieces / BLOCK + 1, sizeof *index->blocks, w->error);
    bool done =
        sorted != NULL && index->dists != NULL && index->starts != NULL && index->blocks != NULL;
    if (done) {
        memset(&index->blocks[index->num_pieces / BLOCK], 0, sizeof *index->blocks);
        sort_pieces(b, sorted);
        fill_blocks(b, sorted);
    }
    bspi_heap_free(&w->heap, sorted, bytes);
    return done;
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
static void add_model(builder *b, uint32_t number) {
    const bsp_map *map = b->w->map;
    const bsp_model *model = &map->models[number];
    for (uint32_t f = model->first_face; f < model->first_face + model->num_faces; f++) {
        if (b->index->models[f] != BSP_NONE) {
            continue;
        }
        b->index->models[f] = number;
        if (map->num_draw_verts != 0) {
            add_triangles(b, f);
        } else {
            add_polygon(b, f);
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
    builder b = {.w = w, .index = index, .room = most_pieces(map)};
    size_t bytes = b.room * sizeof *b.pieces;
    if (index == NULL) {
        return false;
    }
    index->models = bspi_arena_raw(&w->arena, map->num_faces, sizeof *index->models, w->error);
    b.pieces = bspi_heap_alloc(&w->heap, bytes, w->error);
    bool done = index->models != NULL && b.pieces != NULL;
    if (done) {
        memset(index->models, 0xFF, map->num_faces * sizeof *index->models); // BSP_NONE
        for (uint32_t m = 0; m < map->num_models; m++) {
            add_model(&b, m);
        }
        done = finish(&b);
    }
    bspi_heap_free(&w->heap, b.pieces, bytes);
    w->faces = done ? index : NULL;
    return done;
}

// --- searching -----------------------------------------------------------------------------------

typedef struct question {
    const bsp_map *map;
    const bspi_face_index *index;
    bspi_face_search *search;
    const bspi_polygon *polygon;
    int axis;
    bspi_outline flat;
    double box[2][3];
    float wide[2][3]; // the same in floats, not smaller
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

static bool boxes_meet(const question *q, const block *from, uint32_t k) {
    for (int a = 0; a < 3; a++) {
        if ((double)from->box[0][a][k] > q->box[1][a] ||
            (double)from->box[1][a][k] < q->box[0][a]) {
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
    const block *from = &q->index->blocks[number / BLOCK];
    uint32_t k = number % BLOCK;
    const bspi_polygon *polygon = q->polygon;
    const bsp_map *map = q->map;
    uint32_t face = from->face[k];
    uint32_t triangle = from->triangle[k];
    if (q->index->models[face] != polygon->model || !boxes_meet(q, from, k) ||
        !faces_along(map, face, triangle, polygon->normal)) {
        return;
    }
    double points[BSPI_POLYGON_CORNERS][3];
    uint32_t count = piece_corners(map, face, triangle, points);
    if (count < 3 || !lies_in(polygon, (const double(*)[3])points, count)) {
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
static void reject_boxes(const question *q, const block *from, uint32_t out[BLOCK]) {
    const float x[2] = {q->wide[0][0], q->wide[1][0]};
    const float y[2] = {q->wide[0][1], q->wide[1][1]};
    const float z[2] = {q->wide[0][2], q->wide[1][2]};
    for (uint32_t k = 0; k < BLOCK; k++) {
        out[k] = (uint32_t)(from->box[0][0][k] > x[1]) | (uint32_t)(from->box[1][0][k] < x[0]) |
                 (uint32_t)(from->box[0][1][k] > y[1]) | (uint32_t)(from->box[1][1][k] < y[0]) |
                 (uint32_t)(from->box[0][2][k] > z[1]) | (uint32_t)(from->box[1][2][k] < z[0]);
    }
}

// Returns true if the box of a block does not touch the polygon's.
static bool is_apart(const question *q, const block *from) {
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
        const block *from = &index->blocks[first / BLOCK];
        uint32_t last = end - first < BLOCK ? end - first : BLOCK;
        uint32_t out[BLOCK];
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
        q.wide[0][a] = wider(q.box[0][a], -INFINITY);
        q.wide[1][a] = wider(q.box[1][a], INFINITY);
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
