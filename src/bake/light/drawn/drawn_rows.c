// SPDX-License-Identifier: MIT
// Quake 3: what the clusters see that a surface lies in: only lamps in these light it. A leaf whose
// box, in whole numbers, does not touch that of the surface does not count, and surfaces that have
// their luxels in one piece see what any of them does. Rules: netradiant-custom,
// tools/quake3/q3map2/lightmaps_ydnar.cpp.
#include "bake/light/base/leaf_faces.h"
#include "bake/light/drawn/drawn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FINE 64.0f   // of a step between luxels, which is told apart
#define ASIDE 0.637f // so that what compilers round does not lie between two whole numbers
#define MOST 1e9f
#define LEAST 1e-3f // luxels

// Where a surface has its luxels: the place in the world that the first luxel of the page would
// have, and the steps to the next ones, in whole numbers that small errors do not change.
typedef struct piece {
    uint32_t page;
    int32_t places[9];
    uint32_t face;
} piece;

static int compare_places(const piece *a, const piece *b) {
    if (a->page != b->page) {
        return a->page < b->page ? -1 : 1;
    }
    for (int i = 0; i < 9; i++) {
        if (a->places[i] != b->places[i]) {
            return a->places[i] < b->places[i] ? -1 : 1;
        }
    }
    return 0;
}

static int compare(const void *left, const void *right) {
    const piece *a = left;
    const piece *b = right;
    int by = compare_places(a, b);
    return by != 0 ? by : (a->face > b->face) - (a->face < b->face);
}

static int32_t rounded(float value, float fine) {
    float scaled = floorf(value * fine + ASIDE);
    return scaled > -MOST && scaled < MOST ? (int32_t)scaled : 0;
}

// Finds where a flat surface has its luxels. False if it is not known.
static bool lay(bspi_relight *own, uint32_t face, piece *out, bsp_error *error) {
    bspi_triangles triangles;
    float best = 0;
    if (!bspi_triangles_of(own, face, &triangles, error)) {
        return false;
    }
    for (uint32_t n = 0; n < triangles.count; n++) {
        const bspi_triangle *t = &triangles.list[n];
        float edges[2][2];
        for (int i = 0; i < 2; i++) {
            edges[0][i] = t->light[1][i] - t->light[0][i];
            edges[1][i] = t->light[2][i] - t->light[0][i];
        }
        float area = edges[0][0] * edges[1][1] - edges[0][1] * edges[1][0];
        if (!(fabsf(area) > best)) {
            continue;
        }
        best = fabsf(area);
        for (int i = 0; i < 3; i++) {
            float a = t->points[1][i] - t->points[0][i];
            float b = t->points[2][i] - t->points[0][i];
            float across = (a * edges[1][1] - b * edges[0][1]) / area;
            float down = (b * edges[0][0] - a * edges[1][0]) / area;
            float first = t->points[0][i] - t->light[0][0] * across - t->light[0][1] * down;
            out->places[i] = rounded(first, 1);
            out->places[3 + i] = rounded(across, FINE);
            out->places[6 + i] = rounded(down, FINE);
        }
    }
    out->page = best > LEAST ? bspi_drawn_page_of(own, face) : BSP_NONE;
    bspi_triangles_free(own, &triangles);
    return true;
}

// Sets for each face the first one that has its luxels in the same piece.
static bool find_pieces(bspi_relight *own, uint32_t *firsts, bsp_error *error) {
    const bsp_map *map = own->map;
    size_t size = map->num_faces * sizeof(piece);
    piece *list = bspi_heap_alloc(&own->heap, size, error);
    uint32_t count = 0;
    bool done = list != NULL;
    for (uint32_t f = 0; done && f < map->num_faces; f++) {
        bool flat =
            map->faces[f].type == BSP_FACE_POLYGON && bspi_drawn_page_of(own, f) != BSP_NONE;
        firsts[f] = f;
        list[count] = (piece){.page = BSP_NONE, .face = f};
        done = !flat || lay(own, f, &list[count], error);
        count += list[count].page != BSP_NONE;
    }
    if (done) {
        qsort(list, count, sizeof *list, compare);
    }
    for (uint32_t n = 1; done && n < count; n++) {
        if (compare_places(&list[n - 1], &list[n]) == 0) {
            firsts[list[n].face] = firsts[list[n - 1].face];
        }
    }
    bspi_heap_free(&own->heap, list, size);
    return done && bspi_heap_work(&own->heap, 1 + 16 * (uint64_t)count, error);
}

// The box of a surface.
typedef struct box {
    float low[3];
    float high[3];
} box;

static bool find_boxes(bspi_relight *own, box *boxes, bsp_error *error) {
    const bsp_map *map = own->map;
    bool done = true;
    for (uint32_t f = 0; done && f < map->num_faces; f++) {
        const bsp_face *face = &map->faces[f];
        bool sound = (uint64_t)face->first_vert + face->num_verts <= map->num_draw_verts;
        for (int i = 0; i < 3; i++) {
            boxes[f].low[i] = INFINITY;
            boxes[f].high[i] = -INFINITY;
            for (uint32_t n = 0; sound && n < face->num_verts; n++) {
                float at = map->draw_verts[face->first_vert + n].point[i];
                boxes[f].low[i] = fminf(boxes[f].low[i], at);
                boxes[f].high[i] = fmaxf(boxes[f].high[i], at);
            }
        }
        done = bspi_heap_work(&own->heap, 1 + (sound ? face->num_verts / 4 : 0), error);
    }
    return done;
}

// Does a surface touch the box of a leaf?
static bool touches(const bsp_leaf *leaf, const box *of) {
    bool all = true;
    for (int i = 0; i < 3; i++) {
        all = all && leaf->mins[i] <= of->high[i] && leaf->maxs[i] >= of->low[i];
    }
    return all;
}

// Adds what a leaf sees to the rows of its surfaces.
static bool add_leaf(bspi_relight *own, const bsp_leaf *leaf, const uint32_t *firsts,
                     const box *boxes, const uint8_t *sees, uint8_t **rows, bsp_error *error) {
    const bsp_map *map = own->map;
    size_t size = map->visibility.row_bytes;
    bspi_meter meter = {.heap = &own->heap, .steps = 1, .error = error};
    for (uint32_t i = 0; i < leaf->num_faces; i++) {
        uint32_t at = leaf->first_face + i;
        uint32_t face = at < map->num_leaf_faces ? map->leaf_faces[at] : BSP_NONE;
        if (face >= map->num_faces || own->face_models[face] != 0 || !touches(leaf, &boxes[face])) {
            continue;
        }
        uint8_t **row = &rows[firsts[face]];
        if (*row == NULL) {
            *row = bspi_arena_zero(&own->arena, size, 1, error);
            if (*row == NULL) {
                return false;
            }
        }
        for (size_t k = 0; k < size; k++) {
            (*row)[k] |= sees[k];
        }
        if (!bspi_meter_add(&meter, 1 + size / 8)) {
            return false;
        }
    }
    return bspi_meter_pay(&meter);
}

bool bspi_drawn_rows_find(bspi_relight *own, bsp_error *error) {
    const bsp_map *map = own->map;
    size_t size = map->visibility.row_bytes;
    if (map->visibility.num_clusters == 0 || size == 0) {
        own->drawn->rows = NULL;
        return true;
    }
    size_t bytes = map->num_faces * sizeof(uint32_t);
    uint8_t **rows = bspi_arena_zero(&own->arena, map->num_faces, sizeof *rows, error);
    uint32_t *firsts = bspi_heap_alloc(&own->heap, bytes, error);
    size_t room = map->num_faces * sizeof(box);
    box *boxes = bspi_heap_alloc(&own->heap, room, error);
    uint8_t *sees = bspi_heap_alloc(&own->heap, size, error);
    bool done = rows != NULL && firsts != NULL && sees != NULL && boxes != NULL &&
                bspi_leaf_faces_pay(own, error) && find_boxes(own, boxes, error) &&
                find_pieces(own, firsts, error);
    for (uint32_t l = 0; done && l < map->num_leaves; l++) {
        const bsp_leaf *leaf = &map->leaves[l];
        if (leaf->num_faces == 0) {
            continue;
        }
        memset(sees, 0, size);
        if (leaf->cluster < map->visibility.num_clusters) {
            bsp_map_visible(map, leaf->cluster, false, sees);
        }
        done = bspi_heap_work(&own->heap, size / 8, error) &&
               add_leaf(own, leaf, firsts, boxes, sees, rows, error);
    }
    for (uint32_t f = 0; done && f < map->num_faces; f++) {
        rows[f] = rows[firsts[f]];
    }
    own->drawn->rows = done ? rows : NULL;
    bspi_heap_free(&own->heap, sees, size);
    bspi_heap_free(&own->heap, boxes, room);
    bspi_heap_free(&own->heap, firsts, bytes);
    return done;
}
