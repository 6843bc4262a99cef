// SPDX-License-Identifier: MIT
// Checks visibility: every row lies in the lump and unpacks to exactly the bits of all clusters;
// leaves refer to existing clusters.
#include "map/check.h"

#include "layout/layout.h"
#include "formats/map_members.h"
#include "records/file.h"

#include <string.h>

/// Bytes of a row rounded up to whole 64-bit words.
#define WORDS(bytes) (((size_t)(bytes) + 7) / 8 * 8)

// The result for the row at a place.
enum { UNKNOWN, GOOD, BAD };

typedef struct rows {
    bspi_map_check *check;
    uint8_t *row;   // scratch
    uint8_t *known; // for each byte of the lump, since clusters may share a row
    bool failed;    // too much work
} rows;

// Some compilers work on rows of whole 64-bit words, and include the padding in the last run.
static bool unpacks(rows *r, uint32_t offset) {
    const bsp_visibility *vis = &r->check->map->visibility;
    bsp_bytes rest = {vis->rows.data + offset, vis->rows.size - offset};
    if (r->known[offset] == UNKNOWN) {
        const bspi_map_check *check = r->check;
        r->failed = r->failed || !bspi_heap_work(check->heap, vis->row_bytes, check->error);
        bool good = !r->failed && (bsp_vis_unpack(rest, r->row, vis->row_bytes) ||
                                   bsp_vis_unpack(rest, r->row, WORDS(vis->row_bytes)));
        r->known[offset] = good ? GOOD : BAD;
    }
    return r->known[offset] == GOOD;
}

static void check_row(rows *r, uint32_t cluster, uint32_t offset, const char *set) {
    const bspi_map_check *check = r->check;
    const bsp_visibility *vis = &check->map->visibility;
    if (offset == BSP_NONE) {
        return; // everything is visible, which is allowed
    }
    if (offset >= vis->rows.size) {
        bspi_issue(check->issues, BSPI_ISSUE_VIS_OFFSET,
                   bspi_map_place(check, BSP_ID_VISIBILITY, cluster, set),
                   "%u, but there are %zu bytes", offset, vis->rows.size);
    } else if (vis->packed && !unpacks(r, offset) && !r->failed) {
        bspi_issue(check->issues, BSPI_ISSUE_VIS_ROW,
                   bspi_map_place(check, BSP_ID_VISIBILITY, cluster, set),
                   "the row at %u does not unpack to %u bytes", offset, vis->row_bytes);
    }
}

// The map has no cluster where the number is invalid, so the records of the file are read.
static bool check_clusters(bspi_map_check *check) {
    uint32_t count = check->map->visibility.num_clusters;
    bsp_parts parts;
    bsp_table leaves;
    uint32_t field;
    bool there;
    if (!bspi_file_table(check->file, BSP_ID_LEAVES, &parts, &leaves, &there, check->error)) {
        return false;
    }
    if (!there) {
        return true;
    }
    bool stored = bspi_layout_find(leaves.layout, BSPI_MEMBER_leaf_cluster, &field) != NULL;
    for (uint32_t i = 0; stored && i < leaves.count; i++) {
        int64_t cluster = bsp_table_int(&leaves, i, field, 0);
        if (cluster >= count) {
            bspi_issue(check->issues, BSPI_ISSUE_INDEX_RANGE,
                       bspi_map_place(check, BSP_ID_LEAVES, i, "cluster"),
                       "%lld, but there are %u clusters", (long long)cluster, count);
        }
    }
    bsp_parts_free(&parts);
    return true;
}

static void check_rows(rows *r) {
    const bsp_visibility *vis = &r->check->map->visibility;
    for (uint32_t i = 0; i < vis->num_clusters && !r->failed; i++) {
        check_row(r, i, vis->pvs[i], "pvs");
        if (vis->phs != NULL) {
            check_row(r, i, vis->phs[i], "phs");
        }
    }
}

bool bspi_check_visibility(bspi_map_check *check) {
    const bsp_visibility *vis = &check->map->visibility;
    if (vis->num_clusters == 0) {
        return true;
    }
    rows r = {.check = check};
    r.row = bspi_heap_alloc(check->heap, WORDS(vis->row_bytes), check->error);
    r.known = bspi_heap_alloc(check->heap, vis->rows.size, check->error);
    bool good = r.row != NULL && r.known != NULL;
    if (good) {
        memset(r.known, UNKNOWN, vis->rows.size);
        check_rows(&r);
        good = !r.failed && check_clusters(check);
    }
    bspi_heap_free(check->heap, r.row, WORDS(vis->row_bytes));
    bspi_heap_free(check->heap, r.known, vis->rows.size);
    return good;
}
