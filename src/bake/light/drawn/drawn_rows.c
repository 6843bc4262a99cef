// SPDX-License-Identifier: MIT
// Quake 3: what the clusters see that a surface lies in: only lamps in these light it. A leaf whose
// box, in whole numbers, does not touch that of the surface does not count, and the surfaces of a
// piece see what any of them does. Rules: netradiant-custom,
// tools/quake3/q3map2/lightmaps_ydnar.cpp.
#include "bake/light/base/leaf_faces.h"
#include "bake/light/drawn/drawn.h"

#include <math.h>
#include <string.h>

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
static bool add_leaf(bspi_relight *own, const bsp_leaf *leaf, const box *boxes, const uint8_t *sees,
                     uint8_t **rows, bsp_error *error) {
    const bsp_map *map = own->map;
    size_t size = map->visibility.row_bytes;
    bspi_meter meter = {.heap = &own->heap, .steps = 1, .error = error};
    for (uint32_t i = 0; i < leaf->num_faces; i++) {
        uint32_t at = leaf->first_face + i;
        uint32_t face = at < map->num_leaf_faces ? map->leaf_faces[at] : BSP_NONE;
        if (face >= map->num_faces || own->face_models[face] != 0 || !touches(leaf, &boxes[face])) {
            continue;
        }
        uint8_t **row = &rows[bspi_drawn_first(own, face)];
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
    uint8_t **rows = bspi_arena_zero(&own->arena, map->num_faces, sizeof *rows, error);
    size_t room = map->num_faces * sizeof(box);
    box *boxes = bspi_heap_alloc(&own->heap, room, error);
    uint8_t *sees = bspi_heap_alloc(&own->heap, size, error);
    bool done = rows != NULL && sees != NULL && boxes != NULL && bspi_leaf_faces_pay(own, error) &&
                find_boxes(own, boxes, error);
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
               add_leaf(own, leaf, boxes, sees, rows, error);
    }
    for (uint32_t f = 0; done && f < map->num_faces; f++) {
        rows[f] = rows[bspi_drawn_first(own, f)];
    }
    own->drawn->rows = done ? rows : NULL;
    bspi_heap_free(&own->heap, sees, size);
    bspi_heap_free(&own->heap, boxes, room);
    return done;
}
