// SPDX-License-Identifier: MIT
// What faces see, as ericw-tools' light asks for it: a face that gives light is left out where one
// of the clusters that it is in is not seen from any of those of the face that takes it. Liquids
// count as seen from everywhere. Source: light/ltface.cc of ericw-tools.
#include "bake/light/lamps/face_rows.h"
#include "bake/light/base/leaf_faces.h"
#include "bake/light/lamps/lamp.h"

#include "query/liquids.h"

#include <string.h>

// Calls `take` for each face of each leaf; adds to `starts` or fills `clusters` by it.
static void walk(bspi_relight *own, bool fill) {
    const bsp_map *map = own->map;
    for (uint32_t l = 0; l < map->num_leaves; l++) {
        const bsp_leaf *leaf = &map->leaves[l];
        if (leaf->cluster >= map->visibility.num_clusters) {
            continue;
        }
        uint32_t cluster = bspi_liquids_of(map, leaf->contents) != 0 ? BSP_NONE : leaf->cluster;
        for (uint32_t i = 0; i < leaf->num_faces; i++) {
            uint32_t at = leaf->first_face + i;
            uint32_t face = at < map->num_leaf_faces ? map->leaf_faces[at] : BSP_NONE;
            if (face >= map->num_faces || own->face_models[face] != 0) {
                continue;
            }
            if (fill) {
                own->clusters[own->cluster_starts[face]++] = cluster;
            } else {
                own->cluster_starts[face + 1]++;
            }
        }
    }
}

bool bspi_face_clusters_find(bspi_relight *own, bsp_error *error) {
    const bsp_map *map = own->map;
    if (map->visibility.num_clusters == 0) {
        return true;
    }
    uint32_t *starts =
        bspi_arena_zero(&own->arena, (size_t)map->num_faces + 1, sizeof *starts, error);
    if (starts == NULL || !bspi_leaf_faces_pay(own, error)) {
        return false;
    }
    own->cluster_starts = starts;
    walk(own, false);
    for (uint32_t f = 0; f < map->num_faces; f++) {
        starts[f + 1] += starts[f];
    }
    own->clusters =
        bspi_arena_raw(&own->arena, (size_t)starts[map->num_faces] + 1, sizeof(uint32_t), error);
    if (own->clusters == NULL) {
        own->cluster_starts = NULL;
        return false;
    }
    walk(own, true);
    memmove(starts + 1, starts, map->num_faces * sizeof *starts);
    starts[0] = 0;
    return true;
}

bool bspi_face_row(bspi_relight *own, uint32_t face, uint8_t **row, bsp_error *error) {
    const bsp_map *map = own->map;
    size_t size = map->visibility.row_bytes;
    *row = NULL;
    uint32_t first = own->cluster_starts == NULL ? 0 : own->cluster_starts[face];
    uint32_t count = own->cluster_starts == NULL ? 0 : own->cluster_starts[face + 1] - first;
    for (uint32_t i = 0; i < count; i++) {
        if (own->clusters[first + i] == BSP_NONE) { // a liquid
            return true;
        }
    }
    uint8_t *one = count == 0 ? NULL : bspi_heap_alloc(&own->heap, size, error);
    uint8_t *all = one == NULL ? NULL : bspi_heap_alloc(&own->heap, size, error);
    if (all != NULL) {
        memset(all, 0, size);
    }
    for (uint32_t i = 0; all != NULL && i < count; i++) {
        bsp_map_visible(map, own->clusters[first + i], false, one);
        for (size_t k = 0; k < size; k++) {
            all[k] |= one[k];
        }
    }
    bspi_heap_free(&own->heap, one, size);
    *row = all;
    return (count == 0 || all != NULL) && bspi_heap_work(&own->heap, count * (size / 8 + 1), error);
}

void bspi_face_lamp_sees(const bspi_relight *own, uint32_t face, bspi_lamp *lamp) {
    if (own->cluster_starts != NULL) {
        lamp->clusters = own->clusters + own->cluster_starts[face];
        lamp->num_clusters = own->cluster_starts[face + 1] - own->cluster_starts[face];
    }
}
