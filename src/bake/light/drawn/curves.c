// SPDX-License-Identifier: MIT
// How long the curves of patches count. Patches that meet are divided alike: the map tells which
// by the box around all of them that each has. Rules: netradiant-custom,
// tools/quake3/q3map2/patch.cpp.
#include "bake/light/drawn/drawn.h"
#include "bake/light/drawn/facets.h"

#include "core/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SHORT 0.125f // units: an edge that has no direction
#define STRAIGHT 0.99f
#define BENDS 0.875f // of the difference of its edges that a curve counts as longer

// A patch among those that meet.
typedef struct grouped {
    float box[6];
    uint32_t face;
} grouped;

static float edge_of(const float a[3], const float b[3], float out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = b[i] - a[i];
    }
    return sqrtf(bspi_dot(out, out));
}

// Returns how long a curve counts; 0: it is straight.
static float length_of(const float a[3], const float b[3], const float c[3]) {
    float ab[3];
    float bc[3];
    float ac[3];
    float bend = 0;
    const float lengths[3] = {edge_of(a, b, ab), edge_of(b, c, bc), edge_of(a, c, ac)};
    if (!(lengths[0] >= SHORT && lengths[1] >= SHORT && lengths[2] >= SHORT) ||
        (bspi_dot(ab, bc) > STRAIGHT * lengths[0] * lengths[1] &&
         bspi_dot(ab, ac) > STRAIGHT * lengths[0] * lengths[2])) {
        return 0;
    }
    for (int i = 0; i < 3; i++) {
        bend += (bc[i] - ab[i]) * (bc[i] - ab[i]);
    }
    return lengths[0] + BENDS * sqrtf(bend);
}

static float longest_of(const bsp_map *map, const bsp_face *face) {
    const bsp_draw_vert *points = &map->draw_verts[face->first_vert];
    uint32_t across = face->patch_width;
    float longest = 0;
    for (uint32_t y = 0; y + 2 < face->patch_height; y += 2) {
        for (uint32_t x = 0; x + 2 < across; x += 2) {
            const bsp_draw_vert *at = points + (size_t)y * across + x;
            const float *down[2] = {at[across].point, at[2 * (size_t)across].point};
            longest = fmaxf(longest, length_of(at->point, at[1].point, at[2].point));
            longest = fmaxf(longest, length_of(at->point, down[0], down[1]));
        }
    }
    return longest;
}

static int compare(const void *left, const void *right) {
    const grouped *a = left;
    const grouped *b = right;
    for (int i = 0; i < 6; i++) {
        if (a->box[i] < b->box[i] || a->box[i] > b->box[i]) {
            return a->box[i] < b->box[i] ? -1 : 1;
        }
    }
    return (a->face > b->face) - (a->face < b->face);
}

static bool meet(const grouped *a, const grouped *b) {
    bool same = true;
    bool empty = true;
    for (int i = 0; i < 6; i++) {
        same = same && !(a->box[i] < b->box[i]) && !(a->box[i] > b->box[i]);
        empty = empty && !(fabsf(a->box[i]) > 0);
    }
    return same && !empty;
}

// Gives all patches that meet the longest curve of any.
static void share(bspi_drawn *drawn, const grouped *list, uint32_t count) {
    for (uint32_t first = 0; first < count;) {
        uint32_t end = first;
        float longest = 0;
        for (; end < count && (end == first || meet(&list[first], &list[end])); end++) {
            longest = fmaxf(longest, drawn->curves[list[end].face]);
        }
        for (; first < end; first++) {
            drawn->curves[list[first].face] = longest;
        }
    }
}

bool bspi_curves_find(bspi_relight *own, bsp_error *error) {
    const bsp_map *map = own->map;
    size_t size = map->num_faces * sizeof(grouped);
    grouped *list = bspi_heap_alloc(&own->heap, size, error);
    float *curves = bspi_arena_zero(&own->arena, map->num_faces, sizeof *curves, error);
    bool done = list != NULL && curves != NULL;
    uint32_t count = 0;
    own->drawn->curves = curves;
    for (uint32_t f = 0; done && f < map->num_faces; f++) {
        const bsp_face *face = &map->faces[f];
        if (!bspi_drawn_is_patch(map, face)) {
            continue;
        }
        grouped *at = &list[count++];
        at->face = f;
        memcpy(at->box, map->face_lights[f].vecs, sizeof at->box);
        for (int i = 0; i < 6; i++) { // what is no number has no order
            at->box[i] = isfinite(at->box[i]) ? at->box[i] : 0;
        }
        curves[f] = longest_of(map, face);
        done = bspi_heap_work(&own->heap, 1 + (uint64_t)face->num_verts, error);
    }
    if (done) {
        qsort(list, count, sizeof *list, compare);
        share(own->drawn, list, count);
    }
    bspi_heap_free(&own->heap, list, size);
    return done;
}
