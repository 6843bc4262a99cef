// SPDX-License-Identifier: MIT
// Makes visibility the same for all families: clusters, and where the row of each begins. Rows stay
// packed in the file until a call reads one, but for those of small maps: unpacking a short row
// takes several times as long as copying it.
#include "map/load.h"

#include "core/reader.h"

#include <assert.h>
#include <string.h>

#define MOST_UNPACKED ((size_t)64 << 10) // bytes of all rows together

// Loads rows found by offsets in the leaves (Quake, GoldSrc): cluster n is leaf n + 1.
static bool load_rows(bspi_loader *loader, bsp_bytes data) {
    bsp_map *map = loader->map;
    bsp_visibility *vis = &map->visibility;
    uint32_t stated = map->num_models == 0 ? 0 : map->models[0].vis_leaves;
    uint32_t count = map->num_leaves == 0 ? 0 : map->num_leaves - 1;
    count = stated < count ? stated : count;
    uint32_t *pvs = bspi_arena_raw(&loader->owner->arena, count, sizeof *pvs, loader->error);
    if (pvs == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        pvs[i] = map->leaves[i + 1].vis_offset;
    }
    vis->num_clusters = count;
    vis->row_bytes = (count + 7) / 8;
    vis->pvs = pvs;
    vis->rows = data;
    vis->packed = true;
    return true;
}

// Loads a table of offsets before the rows (Quake 2, Source).
static bool load_offsets(bspi_loader *loader, bsp_bytes data, bool big) {
    bsp_visibility *vis = &loader->map->visibility;
    size_t room = data.size < 4 ? 0 : (data.size - 4) / 8;
    uint32_t count = data.size < 4 ? 0 : bspi_load32(data.data, big);
    count = count < room ? count : (uint32_t)room;
    uint32_t *pvs = bspi_arena_raw(&loader->owner->arena, count, sizeof *pvs, loader->error);
    uint32_t *phs = bspi_arena_raw(&loader->owner->arena, count, sizeof *phs, loader->error);
    if (pvs == NULL || phs == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *pair = data.data + 4 + 8 * (size_t)i;
        uint32_t seen = bspi_load32(pair, big);
        uint32_t heard = bspi_load32(pair + 4, big);
        pvs[i] = seen < data.size ? seen : BSP_NONE;
        phs[i] = heard < data.size ? heard : BSP_NONE;
    }
    vis->num_clusters = count;
    vis->row_bytes = (count + 7) / 8;
    vis->pvs = pvs;
    vis->phs = phs;
    vis->rows = data;
    vis->packed = true;
    return true;
}

// Loads plain rows after two counts (Quake 3).
static bool load_matrix(bspi_loader *loader, bsp_bytes data, bool big) {
    bsp_visibility *vis = &loader->map->visibility;
    uint32_t count = data.size < 8 ? 0 : bspi_load32(data.data, big);
    uint32_t row = data.size < 8 ? 0 : bspi_load32(data.data + 4, big);
    if (count == 0 || row == 0 || row > data.size - 8 || (uint64_t)row * 8 < count) {
        return true;
    }
    size_t room = (data.size - 8) / row;
    count = count < room ? count : (uint32_t)room;
    uint32_t *pvs = bspi_arena_raw(&loader->owner->arena, count, sizeof *pvs, loader->error);
    if (pvs == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        pvs[i] = 8 + i * row;
    }
    vis->num_clusters = count;
    vis->row_bytes = row;
    vis->pvs = pvs;
    vis->rows = data;
    return true;
}

static bool load_by_kind(bspi_loader *loader, bsp_lump_kind kind, bsp_bytes data) {
    bool big = bsp_file_get_info(loader->file)->detection.big_endian;
    switch (kind) {
    case BSP_KIND_VIS_ROWS:
        return load_rows(loader, data);
    case BSP_KIND_VIS_OFFSETS:
        return load_offsets(loader, data, big);
    case BSP_KIND_VIS_MATRIX:
        return load_matrix(loader, data, big);
    default:
        return true;
    }
}

// Compilers write negative numbers for "none"; only other invalid numbers are reported.
static bool repair_clusters(bspi_loader *loader) {
    bsp_leaf *leaves = bspi_writable(loader->map->leaves);
    uint32_t count = loader->map->visibility.num_clusters;
    for (uint32_t i = 0; count != 0 && i < loader->map->num_leaves; i++) {
        uint32_t cluster = leaves[i].cluster;
        if (cluster < count || cluster == BSP_NONE) {
            continue;
        }
        leaves[i].cluster = BSP_NONE;
        if ((int32_t)cluster >= 0 &&
            !bspi_repaired(loader, BSPI_ISSUE_INDEX_RANGE,
                           bsp_place_at("LEAVES", i, "cluster", UINT64_MAX),
                           "%u, but there are %u clusters", cluster, count)) {
            return false;
        }
    }
    return true;
}

// Gives the row of a cluster by unpacking or copying it.
static void read_row(const bsp_visibility *vis, uint32_t offset, uint8_t *row) {
    if (offset == BSP_NONE || offset >= vis->rows.size) {
        memset(row, 0xFF, vis->row_bytes);
        return;
    }
    bsp_bytes rest = {vis->rows.data + offset, vis->rows.size - offset};
    if (vis->packed) {
        (void)bsp_vis_unpack(rest, row, vis->row_bytes);
    } else {
        size_t size = rest.size < vis->row_bytes ? rest.size : vis->row_bytes;
        memcpy(row, rest.data, size);
        memset(row + size, 0, vis->row_bytes - size);
    }
}

static bool unpack_small(bspi_loader *loader) {
    bsp_visibility *vis = &loader->map->visibility;
    size_t row = vis->row_bytes;
    if (!vis->packed || row == 0 || vis->num_clusters > MOST_UNPACKED / row) {
        return true;
    }
    uint8_t *all = bspi_arena_raw(&loader->owner->arena, vis->num_clusters * row, 1, loader->error);
    for (uint32_t i = 0; all != NULL && i < vis->num_clusters; i++) {
        read_row(vis, vis->pvs[i], all + i * row);
    }
    vis->unpacked = all;
    return all != NULL;
}

bool bspi_load_visibility(bspi_loader *loader) {
    bsp_bytes data;
    uint32_t n = bsp_file_find_id(loader->file, BSP_ID_VISIBILITY);
    if ((loader->load & BSP_LOAD_TREE) == 0) {
        return true;
    }
    if (!bspi_lump_bytes(loader, n, &data)) {
        return false;
    }
    return data.size == 0 || (load_by_kind(loader, bsp_file_lump(loader->file, n)->kind, data) &&
                              repair_clusters(loader) && unpack_small(loader));
}

void bsp_map_visible(const bsp_map *map, uint32_t cluster, bool heard, uint8_t *row) {
    assert(map != NULL);
    assert(row != NULL || map->visibility.row_bytes == 0);
    const bsp_visibility *vis = &map->visibility;
    const uint32_t *offsets = heard && vis->phs != NULL ? vis->phs : vis->pvs;
    if (cluster < vis->num_clusters && offsets == vis->pvs && vis->unpacked != NULL) {
        memcpy(row, vis->unpacked + (size_t)cluster * vis->row_bytes, vis->row_bytes);
        return;
    }
    read_row(vis, cluster < vis->num_clusters ? offsets[cluster] : BSP_NONE, row);
}
