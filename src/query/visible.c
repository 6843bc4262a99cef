// SPDX-License-Identifier: MIT
// What is visible: rows of visibility, leaves and faces seen from a point, areas behind portals.
#include "bspkit/query.h"

#include <string.h>

// --- rows ---------------------------------------------------------------------------------------

#define LITERALS 8u // bytes that are looked at, and copied, at once

// True if none of eight bytes is zero: a borrow goes into the top bit of a byte only if it was 0,
// or above one that was.
static bool no_zero(uint64_t word) {
    return ((word - UINT64_C(0x0101010101010101)) & ~word & UINT64_C(0x8080808080808080)) == 0;
}

// A zero byte is followed by how many it stands for; other bytes are themselves.
static void unpack(bsp_bytes packed, uint8_t *row, size_t size) {
    const uint8_t *in = packed.data;
    const uint8_t *end = packed.data + packed.size;
    uint8_t *out = row;
    uint8_t *full = row + size;
    while (out < full && in < end) {
        uint64_t word;
        if ((size_t)(end - in) >= LITERALS && (size_t)(full - out) >= LITERALS) {
            memcpy(&word, in, LITERALS);
            if (no_zero(word)) {
                memcpy(out, &word, LITERALS);
                in += LITERALS;
                out += LITERALS;
                continue;
            }
        }
        if (*in != 0) {
            *out++ = *in++;
            continue;
        }
        if (end - in < 2) {
            break;
        }
        size_t run = in[1] < (size_t)(full - out) ? in[1] : (size_t)(full - out);
        memset(out, 0, run);
        out += run;
        in += 2;
    }
    memset(out, 0, (size_t)(full - out));
}

void bsp_query_visible(const bsp_map *map, uint32_t cluster, bool heard, uint8_t *row) {
    const bsp_visibility *vis = &map->visibility;
    const uint32_t *offsets = heard && vis->phs != NULL ? vis->phs : vis->pvs;
    uint32_t offset = cluster < vis->num_clusters ? offsets[cluster] : BSP_NONE;
    if (offset == BSP_NONE || offset >= vis->rows.size) {
        memset(row, 0xFF, vis->row_bytes);
        return;
    }
    bsp_bytes rest = {vis->rows.data + offset, vis->rows.size - offset};
    if (vis->packed) {
        unpack(rest, row, vis->row_bytes);
    } else {
        size_t size = rest.size < vis->row_bytes ? rest.size : vis->row_bytes;
        memcpy(row, rest.data, size);
        memset(row + size, 0, vis->row_bytes - size);
    }
}

// --- leaves and faces ---------------------------------------------------------------------------

// Fills `row` for a point. False inside solid: nothing is seen from there.
static bool look(const bsp_map *map, const float point[3], uint8_t *row) {
    uint32_t cluster = bsp_query_cluster(map, point);
    if (cluster == BSP_NONE) {
        return false;
    }
    bsp_query_visible(map, cluster, false, row);
    return true;
}

uint32_t bsp_query_visible_leaves(const bsp_map *map, const float point[3], uint8_t *row,
                                  uint32_t *leaves, uint32_t room) {
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

uint32_t bsp_query_visible_faces(const bsp_map *map, const float point[3], uint8_t *row,
                                 uint8_t *faces) {
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
            uint32_t face = map->leaf_faces[leaf->first_face + k];
            if (face < map->num_faces && (faces[face / 8] >> face % 8 & 1) == 0) {
                faces[face / 8] |= (uint8_t)(1u << face % 8);
                count++;
            }
        }
    }
    return count;
}

// --- areas --------------------------------------------------------------------------------------

static bool is_open(const bsp_area_portal *portal, const uint8_t *open, uint32_t num_keys) {
    return open == NULL || (portal->key < num_keys && open[portal->key] != 0);
}

static uint32_t root_area(uint32_t *flood, uint32_t area) {
    while (flood[area] != area) {
        flood[area] = flood[flood[area]];
        area = flood[area];
    }
    return area;
}

uint32_t bsp_query_areas(const bsp_map *map, const uint8_t *open, uint32_t num_keys,
                         uint32_t *flood) {
    uint32_t groups = 0;
    for (uint32_t i = 0; i < map->num_areas; i++) {
        flood[i] = i;
    }
    // Join areas through open portals: each group's root is its lowest area.
    for (uint32_t i = 1; i < map->num_areas; i++) {
        const bsp_area *area = &map->areas[i];
        for (uint32_t k = 0; k < area->num_portals && map->num_area_portals != 0; k++) {
            const bsp_area_portal *portal = &map->area_portals[area->first_portal + k];
            if (portal->other_area == 0 || portal->other_area >= map->num_areas ||
                !is_open(portal, open, num_keys)) {
                continue;
            }
            uint32_t a = root_area(flood, i);
            uint32_t b = root_area(flood, portal->other_area);
            flood[a > b ? a : b] = a < b ? a : b;
        }
    }
    // Roots come before their members: number them in order.
    for (uint32_t i = 1; i < map->num_areas; i++) {
        flood[i] = flood[i] == i ? i : root_area(flood, i);
    }
    for (uint32_t i = 1; i < map->num_areas; i++) {
        uint32_t root = flood[i];
        flood[i] = root == i ? ++groups : flood[root];
    }
    return groups;
}

bool bsp_query_row_sees(const bsp_map *map, const uint8_t *row, uint32_t to) {
    return to != BSP_NONE && (map->visibility.num_clusters == 0 ||
                              (to < map->visibility.num_clusters && (row[to / 8] >> to % 8 & 1)));
}
