// SPDX-License-Identifier: MIT
// Visibility: where head, offsets and rows lie, and the run-length code of the rows. The rows of
// Quake and GoldSrc are found through the leaves, those of Quake 2 and Source through the offsets;
// rows may share bytes, so they are one part. Quake 3 has a plain matrix of bits. Formats: sheets
// quake2 (2), quake3 (3), goldsrc-quake1 (2).
#include "records/parse.h"

#include "bspkit/visibility.h"
#include "formats/composites.h"

#include <assert.h>

static void split_offsets(bspi_parse *parse) {
    if (!bspi_parse_record(parse, "numclusters", &bspi_dvis_t, 0)) {
        return;
    }
    uint32_t clusters = bspi_parse_u32(parse, 0);
    size_t rows = bspi_dvis_t.size + (size_t)clusters * bspi_dvis_offsets_t.size;
    if (bspi_parse_table(parse, "byteofs", BSP_ID_NONE, &bspi_dvis_offsets_t, bspi_dvis_t.size,
                         clusters)) {
        bspi_parse_bytes(parse, "rows", rows, parse->data.size - rows);
    }
}

static void split_matrix(bspi_parse *parse) {
    if (!bspi_parse_record(parse, "head", &bspi_vis_matrix_t, 0)) {
        return;
    }
    uint32_t clusters = bspi_parse_u32(parse, 0);
    uint32_t row_bytes = bspi_parse_u32(parse, 4);
    uint64_t size = (uint64_t)clusters * row_bytes;
    size_t room = parse->data.size - bspi_vis_matrix_t.size;
    if (size > room) {
        bspi_parse_issue(parse, BSPI_ISSUE_LUMP_STRUCTURE, 0,
                         "%u clusters of %u bytes, but there are %zu bytes", clusters, row_bytes,
                         room);
        size = room;
    }
    bspi_parse_bytes(parse, "rows", bspi_vis_matrix_t.size, (size_t)size);
}

void bspi_parse_visibility(bspi_parse *parse) {
    if (parse->lump->kind == BSP_KIND_VIS_ROWS) {
        bspi_parse_bytes(parse, "rows", 0, parse->data.size);
        return;
    }
    uint32_t group = bspi_parse_open(parse, BSP_PART_GROUP, parse->lump->name);
    if (parse->lump->kind == BSP_KIND_VIS_OFFSETS) {
        split_offsets(parse);
    } else {
        split_matrix(parse);
    }
    bspi_parse_close(parse, group);
}

#define STEP 8u // bytes that are read at once

// The state of unpacking a row.
typedef struct unpacking {
    size_t in;
    size_t out;
    size_t run; // where the last run begins; a row that ends before it is complete
} unpacking;

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
// Unpacks until the row is full, or as long as the input has a whole step: literals up to a zero
// byte, then the run of zeros that it stands for. The row is zero at the start, so a run only moves
// forward. No branch depends on the data but the one at the end.
static void unpack_steps(unpacking *u, bsp_bytes packed, uint8_t *row, size_t size) {
    const uint8_t *in = packed.data + u->in;
    const uint8_t *last_in = packed.data + packed.size - (STEP + 2);
    size_t out = u->out;
    size_t run = u->run;
    while (out < size && in <= last_in) {
        uint64_t word;
        memcpy(&word, in, STEP);
        // The lowest set bit is in the first zero byte, if there is one.
        uint64_t zeros =
            (word - UINT64_C(0x0101010101010101)) & ~word & UINT64_C(0x8080808080808080);
        uint64_t before = zeros ^ (zeros - 1); // all bits up to that one, or all
        uint64_t literals = word & (zeros == 0 ? before : before >> 8);
        if (out + STEP <= size) {
            memcpy(row + out, &literals, STEP);
        } else { // what would end after the row goes into its last bytes
            uint64_t last;
            memcpy(&last, row + size - STEP, STEP);
            last |= literals << 8 * (out + STEP - size);
            memcpy(row + size - STEP, &last, STEP);
        }
        if (zeros == 0) {
            run = size;
            out += STEP;
            in += STEP;
            continue;
        }
        unsigned count = (unsigned)__builtin_ctzll(zeros) / 8;
        run = out + count;
        out = run + in[count + 1];
        in += count + 2;
    }
    *u = (unpacking){(size_t)(in - packed.data), out, run};
}
#else
static void unpack_steps(unpacking *u, bsp_bytes packed, uint8_t *row, size_t size) {
    (void)u, (void)packed, (void)row, (void)size;
}
#endif

bool bsp_vis_unpack(bsp_bytes packed, uint8_t *row, size_t row_bytes) {
    assert(row != NULL || row_bytes == 0);
    unpacking u = {.run = row_bytes};
    // No row takes more input; without this a row of empty runs would not end.
    packed.size = packed.size / 2 < row_bytes ? packed.size : row_bytes * 2;
    if (row_bytes != 0) {
        memset(row, 0, row_bytes);
    }
    if (row_bytes >= STEP && packed.size >= STEP + 2) {
        unpack_steps(&u, packed, row, row_bytes);
    }
    while (u.out < row_bytes && u.in < packed.size) {
        u.run = row_bytes;
        if (packed.data[u.in] != 0) {
            row[u.out++] = packed.data[u.in++];
            continue;
        }
        // A zero byte and its count, or the end of the input: missing bytes are zero.
        u.run = u.out;
        u.out += packed.size - u.in >= 2 ? packed.data[u.in + 1] : 0;
        u.in += 2;
    }
    return u.out == row_bytes || (u.out > row_bytes && u.run >= row_bytes);
}

size_t bsp_vis_pack(const uint8_t *row, size_t row_bytes, uint8_t *out) {
    assert(row != NULL || row_bytes == 0);
    assert(out != NULL || row_bytes == 0);
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
