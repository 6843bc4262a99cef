// SPDX-License-Identifier: MIT
// What is visible: leaves and faces seen from a point, areas connected by open portals.
#include "query/collide.h"

#include "core/bits.h"
#include "core/search.h"
#include "map/needs.h"

#include <assert.h>
#include <string.h>

// --- leaves and faces ---------------------------------------------------------------------------

// Fills `row` for a point. Returns false inside solid, where nothing is visible.
static bool look(const bsp_map *map, const float point[3], uint8_t *row) {
    uint32_t cluster = bsp_query_cluster(map, point);
    if (cluster == BSP_NONE) {
        return false;
    }
    bsp_map_visible(map, cluster, false, row);
    return true;
}

uint32_t bsp_query_visible_leaves(const bsp_map *map, const float point[3], uint8_t *row,
                                  uint32_t *leaves, uint32_t room) {
    assert(map != NULL && point != NULL);
    assert(row != NULL || map->visibility.row_bytes == 0);
    assert(leaves != NULL || room == 0);
    assert(bspi_map_has(map, BSP_LOAD_TREE));
    uint32_t count = 0;
    if (!look(map, point, row)) {
        return 0;
    }
    for (uint32_t i = 0; i < map->num_leaves; i++) {
        if (bsp_query_row_sees(map, row, map->leaves[i].cluster)) {
            if (count < room) {
                leaves[count] = i;
            }
            count++;
        }
    }
    return count;
}

// Sets the bit of a face. Returns 1 if it was not set before.
static uint32_t mark(const bsp_map *map, uint8_t *faces, uint32_t face) {
    if (face >= map->num_faces || bspi_bit_is(faces, face)) {
        return 0;
    }
    bspi_bit_set(faces, face);
    return 1;
}

typedef struct sight {
    const bsp_map *map;
    const uint8_t *row;
    bool seen;
} sight;

static bool look_at_leaf(void *user, uint32_t leaf) {
    sight *s = user;
    s->seen = leaf < s->map->num_leaves &&
              bsp_query_row_sees(s->map, s->row, s->map->leaves[leaf].cluster);
    return !s->seen;
}

// No leaf lists the face of a displacement: on loading a map the engine adds it to all leaves that
// the box around its vertices touches.
static uint32_t mark_displacements(const bsp_map *map, const uint8_t *row, uint8_t *faces) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < map->num_displacements; i++) {
        float box[2][3];
        sight s = {map, row, false};
        if (bspi_disp_box(map, &map->displacements[i], box)) {
            bspi_box_leaves(map, 0, box[0], box[1], look_at_leaf, &s);
        }
        count += s.seen ? mark(map, faces, map->displacements[i].face) : 0;
    }
    return count;
}

uint32_t bsp_query_visible_faces(const bsp_map *map, const float point[3], uint8_t *row,
                                 uint8_t *faces) {
    assert(map != NULL && point != NULL);
    assert(row != NULL || map->visibility.row_bytes == 0);
    assert(faces != NULL || map->num_faces == 0);
    assert(bspi_map_has(map, BSP_LOAD_TREE | BSP_LOAD_SURFACES));
    uint32_t count = 0;
    memset(faces, 0, ((size_t)map->num_faces + 7) / 8);
    if (!look(map, point, row)) {
        return 0;
    }
    for (uint32_t i = 0; i < map->num_leaves; i++) {
        const bsp_leaf *leaf = &map->leaves[i];
        if (!bsp_query_row_sees(map, row, leaf->cluster)) {
            continue;
        }
        for (uint32_t k = 0; k < leaf->num_faces && map->num_leaf_faces != 0; k++) {
            count += mark(map, faces, map->leaf_faces[leaf->first_face + k]);
        }
    }
    return count + mark_displacements(map, row, faces);
}

// --- areas --------------------------------------------------------------------------------------

static bool is_open(const bsp_area_portal *portal, const uint8_t *open, uint32_t num_keys) {
    return open == NULL || (portal->key < num_keys && open[portal->key] != 0);
}

uint32_t bsp_query_areas(const bsp_map *map, const uint8_t *open, uint32_t num_keys,
                         uint32_t *flood) {
    assert(map != NULL);
    assert(flood != NULL || map->num_areas == 0);
    assert(bspi_map_has(map, BSP_LOAD_TREE));
    uint32_t groups = 0;
    for (uint32_t i = 0; i < map->num_areas; i++) {
        flood[i] = i;
    }
    // Joins areas through open portals: the root of each group is its lowest area.
    for (uint32_t i = 1; i < map->num_areas; i++) {
        const bsp_area *area = &map->areas[i];
        for (uint32_t k = 0; k < area->num_portals && map->num_area_portals != 0; k++) {
            const bsp_area_portal *portal = &map->area_portals[area->first_portal + k];
            if (portal->other_area == 0 || portal->other_area >= map->num_areas ||
                !is_open(portal, open, num_keys)) {
                continue;
            }
            uint32_t a = bspi_root_of(flood, i);
            uint32_t b = bspi_root_of(flood, portal->other_area);
            flood[a > b ? a : b] = a < b ? a : b;
        }
    }
    // Roots come before their members, so they are numbered in order.
    for (uint32_t i = 1; i < map->num_areas; i++) {
        flood[i] = flood[i] == i ? i : bspi_root_of(flood, i);
    }
    for (uint32_t i = 1; i < map->num_areas; i++) {
        uint32_t root = flood[i];
        flood[i] = root == i ? ++groups : flood[root];
    }
    return groups;
}
