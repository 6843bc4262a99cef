// SPDX-License-Identifier: MIT
// The faces of a map by their plane: the texture of a brush side stands in the faces that the
// compiler made of it. A piece is a polygon, or a triangle of Quake 3, whose compilers turn brush
// faces into meshes (-meta). Planes are found by direction, in cells of a grid, and by distance
// within a cell.
#include "decompile/brush/face_index.h"

#include "core/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEPS BSPI_FACE_STEPS
#define SPAN BSPI_FACE_SPAN
#define CELLS (SPAN * SPAN * SPAN)
#define BLOCK BSPI_FACE_BLOCK
#define LEAST_AREA 0.01 // square units; a smaller triangle has no plane
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

// What pieces of a cell are sorted by.
typedef struct order {
    float dist;
    uint32_t face;
    uint32_t triangle;
    uint32_t piece;
} order;

// The pieces in the order in which they were found.
typedef struct builder {
    bspi_work *w;
    bspi_face_index *index;
    piece *pieces;
    order *sorted; // follows them in memory: what is large is given back when it is freed
    uint32_t room;
    uint32_t tried; // number of triangles, including those without area
} builder;

// --- pieces -------------------------------------------------------------------------------------

static uint32_t polygon_corners(const bsp_map *map, const bsp_face *face,
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

uint32_t bspi_face_corners(const bsp_map *map, uint32_t number, uint32_t triangle,
                           double points[BSPI_POLYGON_CORNERS][3]) {
    const bsp_face *face = &map->faces[number];
    const bsp_draw_vert *corners[3];
    if (map->num_draw_verts == 0) {
        return polygon_corners(map, face, points);
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

uint32_t bspi_face_step(double component) {
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
    return (bspi_face_step((double)normal[0]) * SPAN + bspi_face_step((double)normal[1])) * SPAN +
           bspi_face_step((double)normal[2]);
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

void bspi_face_box(const double (*points)[3], uint32_t count, float box[2][3]) {
    for (int a = 0; a < 3; a++) {
        box[0][a] = box[1][a] = (float)points[0][a];
        for (uint32_t i = 1; i < count; i++) {
            float at = (float)points[i][a];
            box[0][a] = at < box[0][a] ? at : box[0][a];
            box[1][a] = at > box[1][a] ? at : box[1][a];
        }
    }
}

static void add_piece(builder *b, piece *p, const double (*points)[3], uint32_t count) {
    bspi_face_box(points, count, p->box);
    p->cell = cell_of(p->normal);
    b->pieces[b->index->num_pieces++] = *p;
}

static void add_polygon(builder *b, uint32_t face) {
    const bsp_map *map = b->w->map;
    double points[BSPI_POLYGON_CORNERS][3];
    piece p = {.face = face};
    uint32_t count = polygon_corners(map, &map->faces[face], points);
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
        uint32_t count = bspi_face_corners(map, face, p.triangle, points);
        for (int a = 0; a < 3; a++) {
            p.dist += p.normal[a] * corners[0]->point[a];
        }
        add_piece(b, &p, (const double(*)[3])points, count);
    }
}

// --- building -----------------------------------------------------------------------------------

static int by_distance(const void *a, const void *b) {
    const order *left = a;
    const order *right = b;
    int way = (left->dist > right->dist) - (left->dist < right->dist);
    way = way != 0 ? way : bspi_compare_u32(&left->face, &right->face);
    return way != 0 ? way : bspi_compare_u32(&left->triangle, &right->triangle);
}

static void count_cells(const builder *b, uint32_t *starts) {
    for (uint32_t i = 0; i < b->index->num_pieces; i++) {
        starts[b->pieces[i].cell + 1]++;
    }
    for (uint32_t c = 0; c < CELLS; c++) {
        starts[c + 1] += starts[c];
    }
}

static void sort_pieces(const builder *b) {
    order *sorted = b->sorted;
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

// Fits the steps of places to the boxes of all pieces.
static void fit_steps(const builder *b) {
    bspi_face_index *index = b->index;
    for (int a = 0; a < 3; a++) {
        float low = INFINITY;
        float high = -INFINITY;
        for (uint32_t i = 0; i < index->num_pieces; i++) {
            const piece *p = &b->pieces[i];
            low = p->box[0][a] < low ? p->box[0][a] : low;
            high = p->box[1][a] > high ? p->box[1][a] : high;
        }
        float span = high - low;
        index->low[a] = low;
        index->scale[a] = span > 0 && isfinite(span) ? UINT16_MAX / span : 0;
    }
}

static void fill_blocks(const builder *b) {
    bspi_face_index *index = b->index;
    for (uint32_t i = 0; i < index->num_pieces; i++) {
        const piece *p = &b->pieces[b->sorted[i].piece];
        bspi_face_block *to = &index->blocks[i / BLOCK];
        index->dists[i] = p->dist;
        to->face[i % BLOCK] = p->face;
        to->triangle[i % BLOCK] = p->triangle;
        for (int a = 0; a < 3; a++) {
            int16_t low = bspi_face_place(index, a, p->box[0][a]);
            int16_t high = bspi_face_place(index, a, p->box[1][a]);
            bool first = i % BLOCK == 0;
            to->box[0][a][i % BLOCK] = low;
            to->box[1][a][i % BLOCK] = high;
            to->around[0][a] = first || low < to->around[0][a] ? low : to->around[0][a];
            to->around[1][a] = first || high > to->around[1][a] ? high : to->around[1][a];
        }
    }
}

static bool finish(const builder *b) {
    bspi_work *w = b->w;
    bspi_face_index *index = b->index;
    index->dists = bspi_arena_raw(&w->arena, index->num_pieces, sizeof *index->dists, w->error);
    index->starts = bspi_arena_zero(&w->arena, CELLS + 1, sizeof *index->starts, w->error);
    index->search =
        (bspi_face_search){.work = w, .heap = &w->heap, .meter = &w->meter, .error = w->error};
    index->blocks =
        bspi_arena_raw(&w->arena, index->num_pieces / BLOCK + 1, sizeof *index->blocks, w->error);
    if (index->dists == NULL || index->starts == NULL || index->blocks == NULL) {
        return false;
    }
    memset(&index->blocks[index->num_pieces / BLOCK], 0, sizeof *index->blocks);
    sort_pieces(b);
    fit_steps(b);
    fill_blocks(b);
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
    size_t bytes;
    if (index == NULL) {
        return false;
    }
    if (!bspi_multiply(b.room, sizeof *b.pieces + sizeof *b.sorted, &bytes)) {
        return bsp_fail(w->error, BSP_E_LIMIT, NULL, "%u pieces of faces are too many", b.room);
    }
    index->models = bspi_arena_raw(&w->arena, map->num_faces, sizeof *index->models, w->error);
    b.pieces = bspi_heap_alloc(&w->heap, bytes, w->error);
    bool done = index->models != NULL && b.pieces != NULL;
    if (done) {
        b.sorted = (order *)(void *)(b.pieces + b.room);
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
