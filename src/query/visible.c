// SPDX-License-Identifier: MIT
// What is visible: rows of visibility, leaves and faces seen from a point, areas behind portals.
#include "bspkit/query.h"

#include <string.h>

// --- rows ---------------------------------------------------------------------------------------

#define STEP 8u // bytes that are looked at at once

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
// Unpacks as long as a whole step fits on both sides: literals up to a zero byte, then the run it
// stands for. The row is zero already, so that a run is only a step forward. No branch depends on
// the data. Returns how much of `in` was used; *done is how much of the row was filled.
static size_t unpack_steps(const uint8_t *in, size_t in_size, uint8_t *row, size_t size,
                           size_t *done) {
    size_t at = 0;
    size_t out = 0;
    while (at + STEP + 2 <= in_size && out + STEP <= size) {
        uint64_t word;
        memcpy(&word, in + at, STEP);
        // The lowest bit that is set is in the first zero byte, if there is one.
        uint64_t zeros =
            (word - UINT64_C(0x0101010101010101)) & ~word & UINT64_C(0x8080808080808080);
        uint64_t before = zeros ^ (zeros - 1); // all bits up to that one, or all
        uint64_t literals = word & (zeros == 0 ? before : before >> 8);
        unsigned count = zeros == 0 ? STEP : (unsigned)__builtin_ctzll(zeros) / 8;
        size_t run = zeros == 0 ? 0 : in[at + count + 1];
        memcpy(row + out, &literals, STEP);
        at += count + (zeros == 0 ? 0 : 2);
        out += count + run;
    }
    *done = out;
    return at;
}
#else
static size_t unpack_steps(const uint8_t *in, size_t in_size, uint8_t *row, size_t size,
                           size_t *done) {
    (void)in, (void)in_size, (void)row, (void)size;
    *done = 0;
    return 0;
}
#endif

// A zero byte is followed by how many it stands for; other bytes are themselves.
static void unpack(bsp_bytes packed, uint8_t *row, size_t size) {
    memset(row, 0, size);
    size_t out;
    size_t in = unpack_steps(packed.data, packed.size, row, size, &out);
    while (out < size && in < packed.size) {
        uint8_t byte = packed.data[in++];
        if (byte != 0) {
            row[out++] = byte;
        } else if (in < packed.size) {
            out += packed.data[in++];
        }
    }
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
