// SPDX-License-Identifier: MIT
// Reads a displacement of a .vmf: blocks whose keys "row0", "row1" ... each have one or several
// numbers for every vertex of a row. Format: sheet outputs, section 2.1.
#include "core/text.h"
#include "mapdoc/disp_rows.h"
#include "mapdoc/read.h"
#include "mesh/disp_grid.h"

#include <string.h>

#define MOST_NUMBERS (4 * BSPI_DISP_MOST_SIDE) // in a row
#define MOST_TAG 0xFFFF

typedef struct disp_reader {
    bspi_map_reader *r;
    const bsp_key_values *values;
    uint32_t disp;
    uint32_t line;
} disp_reader;

// Returns a block. An empty block counts as missing, since some tools write unknown data so.
static uint32_t find_block(const disp_reader *d, uint32_t block, const char *name) {
    const bsp_key_value *list = d->values->list;
    for (uint32_t i = block + 1; i < list[block].end; i = list[i].end) {
        if (list[i].block && list[i].end > i + 1 && bspi_text_is(list[i].key, name)) {
            return i;
        }
    }
    return BSP_NONE;
}

// Reads row `index` of a block as that many numbers.
static bool read_row(const disp_reader *d, uint32_t block, uint32_t index, double *numbers,
                     uint32_t count) {
    char key[24] = "row";
    key[3 + bspi_format_uint(key + 3, index)] = '\0';
    const bsp_key_value *at = &d->values->list[block];
    if (!bspi_read_numbers(bsp_key_values_get(d->values, block, key), numbers, count)) {
        return bspi_read_fail(d->r, at->line, UINT64_MAX,
                              "%s of '%.*s' of a displacement has not %u numbers", key,
                              (int)(at->key.size < 40 ? at->key.size : 40), at->key.data, count);
    }
    return true;
}

static bool read_rows(const disp_reader *d, uint32_t block, const bspi_disp_rows *rows) {
    const bsp_mapdoc_disp *disp = bspi_built_disp(&d->r->out, d->disp);
    uint32_t side = bspi_disp_side(disp->power);
    for (uint32_t row = 0; row < side; row++) {
        double numbers[MOST_NUMBERS];
        if (!read_row(d, block, row, numbers, side * rows->width)) {
            return false;
        }
        for (uint32_t i = 0; i < side * rows->width; i++) {
            uint32_t vert = disp->first_vert + row * side + i / rows->width;
            double *to = (double *)(uintptr_t)bspi_disp_numbers(
                bspi_built_disp_vert(&d->r->out, vert), rows);
            to[i % rows->width] = numbers[i];
        }
    }
    return true;
}

static bool read_blocks(const disp_reader *d, uint32_t block) {
    bsp_mapdoc_disp *disp = bspi_built_disp(&d->r->out, d->disp);
    for (uint32_t i = 0; i < BSPI_DISP_ROWS; i++) {
        const bspi_disp_rows *rows = &bspi_disp_rows_of[i];
        uint32_t at = find_block(d, block, rows->name);
        if (at == BSP_NONE && i < 2) { // without directions and distances it is no displacement
            return bspi_read_fail(d->r, d->line, UINT64_MAX, "a displacement without '%s'",
                                  rows->name);
        }
        if (at != BSP_NONE && !read_rows(d, at, rows)) {
            return false;
        }
        disp->has_blend = disp->has_blend || (at != BSP_NONE && i >= BSPI_DISP_PLAIN);
    }
    return true;
}

static bool read_tags(const disp_reader *d, uint32_t block) {
    uint32_t side = 1u << bspi_built_disp(&d->r->out, d->disp)->power;
    for (uint32_t row = 0; row < side; row++) {
        double tags[MOST_NUMBERS] = {0};
        if (block != BSP_NONE && !read_row(d, block, row, tags, 2 * side)) {
            return false;
        }
        for (uint32_t i = 0; i < 2 * side; i++) {
            if (tags[i] < 0 || tags[i] > MOST_TAG) {
                return bspi_read_fail(d->r, d->values->list[block].line, UINT64_MAX,
                                      "a triangle tag is not in 0 to %d", MOST_TAG);
            }
            if (!bspi_build_disp_tag(&d->r->out, (uint32_t)tags[i])) {
                return false;
            }
        }
    }
    return true;
}

// Reads ten words of bits: 32-bit integers, signed or not.
static bool read_words(bsp_text text, int32_t words[10]) {
    uint32_t found = 0;
    for (size_t at = 0; at < text.size;) {
        size_t end = at;
        while (end < text.size && (unsigned char)text.data[end] > ' ') {
            end++;
        }
        uint32_t bits;
        if (end > at) {
            if (found == 10 || !bspi_read_bits((bsp_text){text.data + at, end - at}, &bits)) {
                return false;
            }
            words[found++] = (int32_t)bits;
        }
        at = end + 1;
    }
    return found == 10;
}

static bool read_allowed(const disp_reader *d, uint32_t block, bsp_mapdoc_disp *disp) {
    int32_t words[10] = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
    if (block != BSP_NONE && !read_words(bsp_key_values_get(d->values, block, "10"), words)) {
        return bspi_read_fail(d->r, d->values->list[block].line, UINT64_MAX,
                              "'allowed_verts' of a displacement has not 10 numbers of 32 bits");
    }
    memcpy(disp->allowed_verts, words, sizeof words);
    return true;
}

static bool read_head(const disp_reader *d, uint32_t block, bsp_mapdoc_disp *disp) {
    bsp_text subdivided = bsp_key_values_get(d->values, block, "subdiv");
    bsp_text elevation = bsp_key_values_get(d->values, block, "elevation");
    bsp_text flags = bsp_key_values_get(d->values, block, "flags");
    if (!bspi_read_bits(bsp_key_values_get(d->values, block, "power"), &disp->power) ||
        disp->power < BSPI_DISP_LEAST_POWER || disp->power > BSPI_DISP_MOST_POWER) {
        return bspi_read_fail(d->r, d->line, UINT64_MAX,
                              "the power of a displacement is not in %u to %u",
                              BSPI_DISP_LEAST_POWER, BSPI_DISP_MOST_POWER);
    }
    if (!bspi_read_numbers(bsp_key_values_get(d->values, block, "startposition"), disp->start, 3)) {
        return bspi_read_fail(d->r, d->line, UINT64_MAX,
                              "the start of a displacement is not three numbers");
    }
    if ((elevation.size != 0 && !bspi_read_double(elevation, &disp->elevation)) ||
        (flags.size != 0 && !bspi_read_bits(flags, &disp->flags))) {
        return bspi_read_fail(d->r, d->line, UINT64_MAX,
                              "elevation or flags of a displacement is no number");
    }
    disp->subdivided = subdivided.size != 0 && !bspi_text_is(subdivided, "0");
    return true;
}

bool bspi_read_disp(bspi_map_reader *r, const bsp_key_values *values, uint32_t block,
                    uint32_t *index) {
    disp_reader d = {r, values, r->out.disps.count, values->list[block].line};
    bsp_mapdoc_disp *disp = bspi_build_disp(&r->out);
    if (disp == NULL || !read_head(&d, block, disp)) {
        return false;
    }
    for (uint32_t i = 0; i < bspi_disp_side(disp->power) * bspi_disp_side(disp->power); i++) {
        if (bspi_build_disp_vert(&r->out) == NULL) {
            return false;
        }
    }
    *index = d.disp;
    return read_blocks(&d, block) && read_tags(&d, find_block(&d, block, "triangle_tags")) &&
           read_allowed(&d, find_block(&d, block, "allowed_verts"), disp);
}
