// SPDX-License-Identifier: MIT
// Visibility: every row is in the lump and unpacks to exactly the bits of all clusters; leaves name
// clusters that are there.
#include "map/check.h"

#include "file/layout.h"
#include "formats/feeds.h"
#include "records/file.h"

/// Bytes of a row rounded up to whole 64-bit words.
#define WORDS(bytes) (((size_t)(bytes) + 7) / 8 * 8)

// Some compilers work on rows of whole 64-bit words, and their last run counts them in.
static bool unpacks(bsp_bytes rest, uint8_t *row, size_t row_bytes) {
    return bsp_vis_unpack(rest, row, row_bytes) || bsp_vis_unpack(rest, row, WORDS(row_bytes));
}

static void check_row(bspi_map_check *check, uint32_t cluster, uint32_t offset, const char *set,
                      uint8_t *row) {
    const bsp_visibility *vis = &check->map->visibility;
    if (offset == BSP_NONE) {
        return; // everything is visible: a map may say so
    }
    bsp_place place = bspi_map_place(check, BSP_ID_VISIBILITY, cluster, set);
    if (offset >= vis->rows.size) {
        bspi_issue(check->issues, BSPI_ISSUE_VIS_OFFSET, place, "%u, but there are %zu bytes",
                   offset, vis->rows.size);
        return;
    }
    bsp_bytes rest = {vis->rows.data + offset, vis->rows.size - offset};
    if (vis->packed && !unpacks(rest, row, vis->row_bytes)) {
        bspi_issue(check->issues, BSPI_ISSUE_VIS_ROW, place,
                   "the row at %u does not unpack to %u bytes", offset, vis->row_bytes);
    }
}

// The map has none for a cluster that is not there: what the file says is in the records.
static void check_clusters(bspi_map_check *check) {
    uint32_t count = check->map->visibility.num_clusters;
    bsp_parts parts;
    bsp_table leaves;
    uint32_t field;
    if (!bsp_file_table(check->file, BSP_ID_LEAVES, &parts, &leaves)) {
        return;
    }
    bool stored = bspi_layout_find(leaves.layout, BSPI_FEED_leaf_cluster, &field) != NULL;
    for (uint32_t i = 0; stored && i < leaves.count; i++) {
        int64_t cluster = bsp_table_int(&leaves, i, field, 0);
        if (cluster >= count) {
            bspi_issue(check->issues, BSPI_ISSUE_INDEX_RANGE,
                       bspi_map_place(check, BSP_ID_LEAVES, i, "cluster"),
                       "%lld, but there are %u clusters", (long long)cluster, count);
        }
    }
    bsp_parts_free(&parts);
}

// All of them, unless that would take hours.
static uint32_t rows_to_check(bspi_map_check *check) {
    const bsp_visibility *vis = &check->map->visibility;
    uint64_t most = BSPI_MAX_VIS_BYTES / vis->row_bytes;
    if (!vis->packed || vis->num_clusters <= most) {
        return vis->num_clusters;
    }
    bspi_issue(check->issues, BSPI_ISSUE_LIMIT,
               bspi_map_place(check, BSP_ID_VISIBILITY, BSP_NONE, NULL),
               "%u clusters: only the rows of the first %llu were checked", vis->num_clusters,
               (unsigned long long)most);
    return (uint32_t)most;
}

bool bspi_check_visibility(bspi_map_check *check) {
    const bsp_visibility *vis = &check->map->visibility;
    if (vis->num_clusters == 0) {
        return true;
    }
    uint8_t *row = bspi_heap_alloc(check->heap, WORDS(vis->row_bytes), check->error);
    if (row == NULL) {
        return false;
    }
    uint32_t rows = rows_to_check(check);
    for (uint32_t i = 0; i < rows; i++) {
        check_row(check, i, vis->pvs[i], "pvs", row);
        if (vis->phs != NULL) {
            check_row(check, i, vis->phs[i], "phs", row);
        }
    }
    bspi_heap_free(check->heap, row, WORDS(vis->row_bytes));
    check_clusters(check);
    return true;
}
