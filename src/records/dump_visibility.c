// SPDX-License-Identifier: MIT
// Writes visibility as JSON, its rows unpacked. In Quake and GoldSrc the leaves hold the offsets of
// the rows, and the first model holds their number.
#include "bspkit/visibility.h"

#include "formats/map_members.h"
#include "layout/layout.h"
#include "records/dump.h"
#include "records/file.h"

typedef struct row_buffer {
    bspi_heap *heap;
    uint8_t *bytes;
    size_t size;
} row_buffer;

// Allocates a row for this many clusters.
static bool make_row(const bsp_file *file, uint32_t clusters, row_buffer *row, bsp_error *error) {
    row->heap = bspi_file_heap(file);
    row->size = ((size_t)clusters + 7) / 8;
    // Rows may share their bytes, so the work is counted; two sets are charged even if there is
    // one.
    if (!bspi_heap_work(row->heap, 2 * (uint64_t)clusters * row->size, error)) {
        return false;
    }
    row->bytes = bspi_heap_alloc(row->heap, row->size, error);
    return row->bytes != NULL;
}

// Writes the row at an offset of the lump, or null when the offset is none: everything is visible.
static void dump_row(bsp_bytes data, int64_t offset, const row_buffer *row, bsp_json *json) {
    if (offset < 0 || (uint64_t)offset >= data.size) {
        bsp_json_null(json);
        return;
    }
    bsp_bytes packed = {data.data + offset, data.size - (size_t)offset};
    bsp_bytes unpacked = {row->bytes, row->size};
    (void)bsp_vis_unpack(packed, row->bytes, row->size);
    bsp_json_hex(json, unpacked);
}

// --- Quake, GoldSrc -----------------------------------------------------------------------------

// Returns the value of the first record's field that becomes `map_member`, or 0.
static bool first_value(const bsp_file *file, bsp_table_id id, uint16_t map_member, int64_t *value,
                        bsp_error *error) {
    bsp_parts parts;
    bsp_table table;
    uint32_t field;
    bool there;
    *value = 0;
    if (!bspi_file_table(file, id, &parts, &table, &there, error)) {
        return false;
    }
    if (there) {
        bool found = table.count != 0 && bspi_layout_find(table.layout, map_member, &field) != NULL;
        *value = found ? bsp_table_int(&table, 0, field, 0) : 0;
        bsp_parts_free(&parts);
    }
    return true;
}

static void dump_leaf_rows(bsp_bytes data, const bsp_table *leaves, uint32_t count,
                           const row_buffer *row, bsp_json *json) {
    uint32_t field;
    bool found = bspi_layout_find(leaves->layout, BSPI_MEMBER_leaf_vis_offset, &field) != NULL;
    for (uint32_t leaf = 1; found && leaf <= count && leaf < leaves->count; leaf++) {
        int64_t offset = bsp_table_int(leaves, leaf, field, 0);
        bsp_json_object(json);
        bsp_json_key(json, "leaf");
        bsp_json_uint(json, leaf);
        bsp_json_key(json, "visofs");
        bsp_json_int(json, offset);
        bsp_json_key(json, "pvs");
        dump_row(data, offset, row, json);
        bsp_json_object_end(json);
    }
}

static bool dump_leaves(const bsp_file *file, bsp_bytes data, bsp_json *json, bsp_error *error) {
    int64_t stated;
    bsp_parts parts;
    bsp_table leaves = {NULL, NULL, 0, false};
    bool there;
    if (!first_value(file, BSP_ID_MODELS, BSPI_MEMBER_model_vis_leaves, &stated, error) ||
        !bspi_file_table(file, BSP_ID_LEAVES, &parts, &leaves, &there, error)) {
        return false;
    }
    uint32_t clusters = leaves.count == 0 ? 0 : leaves.count - 1;
    clusters = stated < 0 ? 0 : stated < clusters ? (uint32_t)stated : clusters;
    row_buffer row = {NULL, NULL, 0};
    bool done = make_row(file, clusters, &row, error);
    if (done) {
        bsp_json_array(json);
        if (clusters != 0) {
            dump_leaf_rows(data, &leaves, clusters, &row, json);
        }
        bsp_json_array_end(json);
        bspi_heap_free(row.heap, row.bytes, row.size);
    }
    if (there) {
        bsp_parts_free(&parts);
    }
    return done;
}

// --- Quake 2, Source ----------------------------------------------------------------------------

static void dump_offset_rows(bsp_bytes data, const bsp_table *offsets, const row_buffer *row,
                             bsp_json *json) {
    bsp_json_array(json);
    for (uint32_t i = 0; i < offsets->count && !json->failed; i++) {
        static const char *const sets[] = {"pvs", "phs"};
        bsp_json_object(json);
        bsp_json_key(json, "byteofs");
        bsp_json_array(json);
        for (uint32_t set = 0; set < 2; set++) {
            bsp_json_int(json, bsp_table_int(offsets, i, 0, set));
        }
        bsp_json_array_end(json);
        for (uint32_t set = 0; set < 2; set++) {
            bsp_json_key(json, sets[set]);
            dump_row(data, bsp_table_int(offsets, i, 0, set), row, json);
        }
        bsp_json_object_end(json);
    }
    bsp_json_array_end(json);
}

static bool dump_offsets(const bsp_file *file, const bsp_parts *parts, bsp_json *json,
                         bsp_error *error) {
    for (uint32_t i = 0; i < parts->count; i++) {
        if (parts->parts[i].kind != BSP_PART_TABLE) {
            continue;
        }
        bsp_table offsets = bsp_parts_table(parts, i);
        row_buffer row = {NULL, NULL, 0};
        if (!make_row(file, offsets.count, &row, error)) {
            return false;
        }
        bsp_json_object(json);
        bsp_json_key(json, "numclusters");
        bsp_json_uint(json, offsets.count);
        bsp_json_key(json, "clusters");
        dump_offset_rows(parts->data, &offsets, &row, json);
        bsp_json_object_end(json);
        bspi_heap_free(row.heap, row.bytes, row.size);
        return true;
    }
    bsp_json_null(json);
    return true;
}

// --- Quake 3 ------------------------------------------------------------------------------------

static void dump_matrix(const bsp_parts *parts, bsp_json *json) {
    bsp_table head = {NULL, NULL, 0, false};
    bsp_bytes rows = {NULL, 0};
    for (uint32_t i = 0; i < parts->count; i++) {
        const bsp_part *part = &parts->parts[i];
        if (part->kind == BSP_PART_RECORD) {
            head = bsp_parts_table(parts, i);
        } else if (part->kind == BSP_PART_BYTES) {
            rows.data = parts->data.data + part->offset;
            rows.size = part->size;
        }
    }
    if (head.count == 0) {
        bsp_json_null(json);
        return;
    }
    uint32_t row_bytes = (uint32_t)bsp_table_int(&head, 0, 1, 0);
    bsp_json_object(json);
    for (uint32_t f = 0; f < 2; f++) {
        bsp_json_key(json, head.layout->fields[f].name);
        bsp_json_int(json, bsp_table_int(&head, 0, f, 0));
    }
    bsp_json_key(json, "vecs");
    bsp_json_array(json);
    for (size_t at = 0; row_bytes != 0 && rows.size - at >= row_bytes; at += row_bytes) {
        bsp_bytes row = {rows.data + at, row_bytes};
        bsp_json_hex(json, row);
    }
    bsp_json_array_end(json);
    bsp_json_object_end(json);
}

bool bspi_dump_visibility(const bsp_file *file, const bsp_parts *parts, bsp_lump_kind kind,
                          bsp_json *json, bsp_error *error) {
    switch (kind) {
    case BSP_KIND_VIS_ROWS:
        return dump_leaves(file, parts->data, json, error);
    case BSP_KIND_VIS_OFFSETS:
        return dump_offsets(file, parts, json, error);
    default:
        dump_matrix(parts, json);
        return true;
    }
}
