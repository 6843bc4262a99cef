// SPDX-License-Identifier: MIT
// The room of the sky: its leaves, and the faces in them.
#include "scene/sky_leaves.h"

#include "bspkit/query.h"
#include "core/bits.h"
#include "scene/start.h"

#define INSIDE_STEP 2.0F // from a surface into the space before it, in units

static bool has_leaf(const bspi_sky_leaves *room, uint32_t leaf) {
    const bsp_map *map = room->map;
    if (leaf >= map->num_leaves) {
        return false;
    }
    return room->area != 0 ? map->leaves[leaf].area == room->area
                           : bsp_query_row_sees(map, room->row, map->leaves[leaf].cluster);
}

// Sets the bits of the faces that a leaf lists.
static void mark(const bsp_map *map, const bsp_leaf *leaf, uint8_t *bits) {
    for (uint32_t k = 0; k < leaf->num_faces && map->num_leaf_faces != 0; k++) {
        uint32_t face = map->leaf_faces[leaf->first_face + k];
        if (face < map->num_faces) {
            bspi_bit_set(bits, face);
        }
    }
}

static bool mark_faces(bspi_sky_leaves *room, bspi_arena *arena, bsp_error *error) {
    const bsp_map *map = room->map;
    size_t bytes = (size_t)map->num_faces / 8 + 1;
    uint8_t *faces = bspi_arena_zero(arena, bytes, 1, error);
    uint8_t *listed = bspi_arena_zero(arena, bytes, 1, error);
    for (uint32_t i = 0; faces != NULL && listed != NULL && i < map->num_leaves; i++) {
        mark(map, &map->leaves[i], listed);
        if (has_leaf(room, i)) {
            mark(map, &map->leaves[i], faces);
        }
    }
    room->faces = faces;
    room->listed = listed;
    return faces != NULL && listed != NULL;
}

bool bspi_sky_leaves_find(const bsp_map *map, const float origin[3], bspi_arena *arena,
                          bspi_sky_leaves *out, bsp_error *error) {
    uint32_t leaf = bsp_query_leaf(map, origin);
    uint32_t cluster = bsp_query_cluster(map, origin);
    float from[3];
    float angles[3];
    uint8_t *row = bspi_arena_zero(arena, map->visibility.row_bytes, 1, error);
    *out = (bspi_sky_leaves){.map = map, .row = row};
    if (row == NULL) {
        return false;
    }
    out->area = leaf < map->num_leaves && map->num_areas > 1 ? map->leaves[leaf].area : 0;
    if (cluster != BSP_NONE) {
        bsp_map_visible(map, cluster, false, row);
    }
    bspi_start(map, from, angles);
    out->found = cluster != BSP_NONE && !bspi_sky_leaves_have(out, from);
    return !out->found || mark_faces(out, arena, error);
}

bool bspi_sky_leaves_have(const bspi_sky_leaves *room, const float point[3]) {
    return has_leaf(room, bsp_query_leaf(room->map, point));
}

bool bspi_sky_leaves_hold(const bspi_sky_leaves *room, uint32_t face, const float mins[3],
                          const float maxs[3], const float normal[3]) {
    if (face < room->map->num_faces && bspi_bit_is(room->listed, face)) {
        return bspi_bit_is(room->faces, face);
    }
    float point[3];
    for (int axis = 0; axis < 3; axis++) {
        float middle = (mins[axis] + maxs[axis]) / 2;
        point[axis] = middle + normal[axis] * INSIDE_STEP;
    }
    return bspi_sky_leaves_have(room, point);
}
