// SPDX-License-Identifier: MIT
// Visibility: where head, offsets and rows lie, and the run-length code of the rows. The rows of
// Quake and GoldSrc are found through the leaves, those of Quake 2 and Source through the offsets;
// they may be shared, so they are one part. Quake 3 has a plain matrix of bits. Formats: sheets
// quake2 (2), quake3 (3), goldsrc-quake1 (2).
#include "records/split.h"

#include "formats/composites.h"

static void split_offsets(bspi_split *split) {
    if (!bspi_split_record(split, "numclusters", &bspi_dvis_t, 0)) {
        return;
    }
    uint32_t clusters = bspi_split_u32(split, 0);
    size_t rows = bspi_dvis_t.size + (size_t)clusters * bspi_dvis_offsets_t.size;
    if (bspi_split_table(split, "byteofs", BSP_ID_NONE, &bspi_dvis_offsets_t, bspi_dvis_t.size,
                         clusters)) {
        bspi_split_bytes(split, "rows", rows, split->data.size - rows);
    }
}

static void split_matrix(bspi_split *split) {
    if (!bspi_split_record(split, "head", &bspi_vis_matrix_t, 0)) {
        return;
    }
    uint32_t clusters = bspi_split_u32(split, 0);
    uint32_t row_bytes = bspi_split_u32(split, 4);
    uint64_t size = (uint64_t)clusters * row_bytes;
    size_t room = split->data.size - bspi_vis_matrix_t.size;
    if (size > room) {
        bspi_split_issue(split, BSPI_ISSUE_LUMP_STRUCTURE, 0,
                         "%u clusters of %u bytes, but there are %zu bytes", clusters, row_bytes,
                         room);
        size = room;
    }
    bspi_split_bytes(split, "rows", bspi_vis_matrix_t.size, (size_t)size);
}

void bspi_split_visibility(bspi_split *split) {
    if (split->lump->kind == BSP_KIND_VIS_ROWS) {
        bspi_split_bytes(split, "rows", 0, split->data.size);
        return;
    }
    uint32_t group = bspi_split_open(split, BSP_PART_GROUP, split->lump->name);
    if (split->lump->kind == BSP_KIND_VIS_OFFSETS) {
        split_offsets(split);
    } else {
        split_matrix(split);
    }
    bspi_split_close(split, group);
}

bool bsp_vis_unpack(bsp_bytes packed, uint8_t *row, size_t row_bytes) {
    size_t in = 0;
    size_t out = 0;
    bool whole = true;
    // No row takes more; one of empty runs would never end.
    packed.size = packed.size / 2 < row_bytes ? packed.size : row_bytes * 2;
    while (out < row_bytes && whole) {
        if (in < packed.size && packed.data[in] != 0) {
            row[out++] = packed.data[in++];
            continue;
        }
        // A zero byte and its count, or nothing any more: what is missing is zero.
        size_t run = packed.size - in >= 2 ? packed.data[in + 1] : row_bytes;
        whole = packed.size - in >= 2 && run <= row_bytes - out;
        run = run < row_bytes - out ? run : row_bytes - out;
        if (run != 0) {
            memset(row + out, 0, run);
        }
        out += run;
        in += 2;
    }
    if (out < row_bytes) {
        memset(row + out, 0, row_bytes - out);
    }
    return whole;
}

size_t bsp_vis_pack(const uint8_t *row, size_t row_bytes, uint8_t *out) {
    size_t size = 0;
    for (size_t i = 0; i < row_bytes;) {
        if (row[i] != 0) {
            out[size++] = row[i++];
            continue;
        }
        uint8_t run = 0;
        while (i < row_bytes && row[i] == 0 && run < UINT8_MAX) {
            run++;
            i++;
        }
        out[size++] = 0;
        out[size++] = run;
    }
    return size;
}
