// SPDX-License-Identifier: MIT
// Quake 3: surfaces that have their luxels in one piece: flat ones of a model and of a plane that
// touch. A piece is lit as one surface, and the first one has its luxels. The map does not say so,
// but luxels of a piece go on on all of its surfaces. Rules: netradiant-custom,
// tools/quake3/q3map2/lightmaps_ydnar.cpp (AddSurfaceToRawLightmap).
#include "bake/light/drawn/drawn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FINE 64.0f   // of a step between luxels, which is told apart
#define ASIDE 0.637f // so that what compilers round does not lie between two whole numbers
#define MOST 1e9f    // of what is rounded, to fit
#define LEAST 1e-3f  // luxels

// What is the same for all surfaces of a piece: the model; the place in the world that the first
// luxel of the page would have, and the steps to the next ones, in whole numbers that small errors
// do not change; of each style the page, and how far its luxels are from those of the first one.
enum { MODEL, FIRST = MODEL + 1, STEPS = FIRST + 3, STYLES = STEPS + 6, VALUES = STYLES + 16 };

// A surface that may be of a piece.
typedef struct part {
    int32_t values[VALUES];
    uint32_t face;
    float low[3];
    float high[3];
    bool taken;
} part;

static int compare_values(const part *a, const part *b) {
    for (int i = 0; i < VALUES; i++) {
        if (a->values[i] != b->values[i]) {
            return a->values[i] < b->values[i] ? -1 : 1;
        }
    }
    return 0;
}

static int compare(const void *left, const void *right) {
    const part *a = left;
    const part *b = right;
    int by = compare_values(a, b);
    return by != 0 ? by : (a->face > b->face) - (a->face < b->face);
}

static int32_t rounded(float value, float fine) {
    float scaled = floorf(value * fine + ASIDE);
    return scaled > -MOST && scaled < MOST ? (int32_t)scaled : 0;
}

// Notes where the luxels of each style are.
static void put_styles(const bspi_relight *own, part *out) {
    const bsp_map *map = own->map;
    const bsp_face *face = &map->faces[out->face];
    const bsp_face_light *light = &map->face_lights[out->face];
    float page[2];
    bspi_drawn_page_size(own, out->face, page);
    for (uint32_t s = 0; s < BSPI_DRAWN_SLOTS; s++) {
        int32_t *values = &out->values[STYLES + 4 * s];
        bool more = s != 0 && own->drawn->styled && face->first_vert < map->num_draw_verts;
        values[0] = s == 0 ? (int32_t)bspi_drawn_page_of(own, out->face) : light->page[s];
        values[1] = own->drawn->styled ? light->styles[s] : 0;
        for (int i = 0; more && i < 2; i++) {
            const bsp_draw_vert *vertex = &map->draw_verts[face->first_vert];
            values[2 + i] = rounded((vertex->light_uv[s][i] - vertex->light_uv[0][i]) * page[i], 1);
        }
    }
}

static void enclose(const bspi_triangles *triangles, part *out) {
    for (int i = 0; i < 3; i++) {
        out->low[i] = INFINITY;
        out->high[i] = -INFINITY;
        for (uint32_t n = 0; n < 3 * triangles->count; n++) {
            float at = triangles->list[n / 3].points[n % 3][i];
            out->low[i] = fminf(out->low[i], at);
            out->high[i] = fmaxf(out->high[i], at);
        }
    }
}

// Finds where a flat surface has its luxels. Sets `known` if that is known.
static bool lay(bspi_relight *own, part *out, bool *known, bsp_error *error) {
    bspi_triangles triangles;
    float best = 0;
    if (!bspi_triangles_of(own, out->face, &triangles, error)) {
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
            out->values[FIRST + i] = rounded(first, 1);
            out->values[STEPS + i] = rounded(across, FINE);
            out->values[STEPS + 3 + i] = rounded(down, FINE);
        }
    }
    out->values[MODEL] = (int32_t)own->face_models[out->face];
    put_styles(own, out);
    enclose(&triangles, out);
    *known = best > LEAST;
    bspi_triangles_free(own, &triangles);
    return true;
}

static bool touch(const part *a, const float low[3], const float high[3]) {
    bool all = true;
    for (int i = 0; i < 3; i++) {
        all = all && a->low[i] <= high[i] && a->high[i] >= low[i];
    }
    return all;
}

// Joins those surfaces to the first of some with the same values whose boxes touch the box of all
// that were joined before.
static bool join(bspi_relight *own, part *list, uint32_t count, bsp_error *error) {
    bspi_drawn *drawn = own->drawn;
    float low[3] = {list[0].low[0], list[0].low[1], list[0].low[2]};
    float high[3] = {list[0].high[0], list[0].high[1], list[0].high[2]};
    uint32_t last = list[0].face;
    bool done = true;
    for (bool more = count > 1; done && more;) {
        more = false;
        for (uint32_t n = 1; n < count; n++) {
            part *p = &list[n];
            if (p->taken || !touch(p, low, high)) {
                continue;
            }
            p->taken = more = true;
            drawn->firsts[p->face] = list[0].face;
            drawn->nexts[last] = p->face;
            last = p->face;
            for (int i = 0; i < 3; i++) {
                low[i] = fminf(low[i], p->low[i]);
                high[i] = fmaxf(high[i], p->high[i]);
            }
        }
        done = bspi_heap_work(&own->heap, 1 + count / 4, error);
    }
    return done;
}

bool bspi_drawn_pieces_find(bspi_relight *own, bsp_error *error) {
    const bsp_map *map = own->map;
    bspi_drawn *drawn = own->drawn;
    size_t size = map->num_faces * sizeof(part);
    part *list = bspi_heap_alloc(&own->heap, size, error);
    uint32_t *firsts = bspi_arena_raw(&own->arena, map->num_faces, sizeof *firsts, error);
    uint32_t count = 0;
    drawn->nexts = bspi_arena_raw(&own->arena, map->num_faces, sizeof *drawn->nexts, error);
    bool done = list != NULL && firsts != NULL && drawn->nexts != NULL;
    for (uint32_t f = 0; done && f < map->num_faces; f++) {
        bool flat = map->faces[f].type == BSP_FACE_POLYGON &&
                    bspi_drawn_page_of(own, f) != BSP_NONE && bspi_drawn_takes_light(own, f);
        bool known = false;
        firsts[f] = f;
        drawn->nexts[f] = BSP_NONE;
        list[count] = (part){.face = f};
        done = !flat || lay(own, &list[count], &known, error);
        count += known;
    }
    drawn->firsts = firsts;
    if (done) {
        qsort(list, count, sizeof *list, compare);
    }
    for (uint32_t n = 0; done && n < count; n++) {
        uint32_t end = n + 1;
        while (end < count && compare_values(&list[n], &list[end]) == 0) {
            end++;
        }
        done = bspi_heap_work(&own->heap, 16 + (end - n) / 4, error) &&
               (list[n].taken || join(own, &list[n], end - n, error));
    }
    bspi_heap_free(&own->heap, list, size);
    return done;
}

// Adds the triangles of a face to those of its piece.
static bool append(bspi_relight *own, uint32_t face, bspi_triangles *out, bsp_error *error) {
    bspi_triangles more;
    bool done = bspi_triangles_of(own, face, &more, error);
    size_t room = out->size / sizeof *out->list;
    for (uint32_t n = 0; done && n < more.count; n++) {
        bspi_triangle *list =
            bspi_grow(&own->heap, out->list, out->count, &room, sizeof *list, error);
        done = list != NULL;
        if (done) {
            list[out->count++] = more.list[n];
            out->list = list;
            out->size = room * sizeof *list;
        }
    }
    bspi_triangles_free(own, &more);
    return done;
}

bool bspi_drawn_piece(bspi_relight *own, uint32_t first, bspi_triangles *out, bsp_error *error) {
    bool done = bspi_triangles_of(own, first, out, error);
    uint32_t face = done ? bspi_drawn_next(own, first) : BSP_NONE;
    for (; done && face != BSP_NONE; face = bspi_drawn_next(own, face)) {
        done = append(own, face, out, error);
    }
    return done;
}
