// SPDX-License-Identifier: MIT
// The texture directory of Quake and GoldSrc: a count, offsets, then the textures, each with a
// head, up to four mip levels and (GoldSrc) a palette. Offsets may be -1, repeat or be garbage, so
// textures are claimed sorted by offset, and each extends to the next one at most. Format: sheet
// goldsrc-quake1, section 4.
#include "records/parse.h"

#include "formats/composites.h"

#include <stdlib.h>

// Compilers pad the size of a texture to a multiple of four.
#define MAX_PADDING 3u

typedef struct texture_ref {
    uint32_t offset;
    uint32_t index; // in the directory
} texture_ref;

static const bsp_layout *head_of(const bspi_parse *parse) {
    return parse->lump->def->variants[0].layout;
}

static size_t mip_offset(const bspi_parse *parse, size_t texture, uint32_t mip) {
    return texture + head_of(parse)->size - 4 * (BSPI_MIPTEX_MIPS - mip);
}

typedef struct directory {
    bspi_parse *parse;
    uint32_t count;
    texture_ref *order; // sorted by offset
    uint32_t
        *ends; // for each index: the highest end of its bytes; 0 for a texture that is not claimed
} directory;

static int by_offset(const void *a, const void *b) {
    const texture_ref *left = a;
    const texture_ref *right = b;
    if (left->offset != right->offset) {
        return left->offset < right->offset ? -1 : 1;
    }
    return left->index < right->index ? -1 : 1;
}

static uint32_t texture_offset(const bspi_parse *parse, uint32_t index) {
    return bspi_parse_u32(parse, 4 + (size_t)index * 4);
}

// Decides which textures own their bytes. Of those with the same start, the first does.
static void claim(directory *d) {
    bspi_parse *parse = d->parse;
    uint32_t found = 0;
    for (uint32_t i = 0; i < d->count; i++) {
        d->ends[i] = 0;
        if (texture_offset(parse, i) != BSP_NONE) {
            d->order[found++] = (texture_ref){texture_offset(parse, i), i};
        }
    }
    qsort(d->order, found, sizeof *d->order, by_offset);
    size_t free_from = 4 + (size_t)d->count * 4;
    uint32_t last = BSP_NONE;
    for (uint32_t n = 0; n < found; n++) {
        texture_ref ref = d->order[n];
        if (last != BSP_NONE && texture_offset(parse, last) == ref.offset) {
            continue; // the same texture again
        }
        if (ref.offset < free_from ||
            bspi_slice(parse->data, ref.offset, head_of(parse)->size).size == 0) {
            bspi_parse_issue(parse, BSPI_ISSUE_LUMP_STRUCTURE, 4 + (size_t)ref.index * 4,
                             "texture %u: offset %u names no texture", ref.index, ref.offset);
            continue;
        }
        if (last != BSP_NONE) {
            d->ends[last] = ref.offset;
        }
        last = ref.index;
        d->ends[last] = (uint32_t)parse->data.size;
        free_from = (size_t)ref.offset + head_of(parse)->size;
    }
}

// Parses what follows the last mip: the count of colours, the colours, padding to the next texture.
static void split_palette(bspi_parse *parse, size_t at, size_t end) {
    if (end - at < bspi_palette_count_t.size) {
        return;
    }
    uint32_t count = bspi_parse_u16(parse, at);
    size_t size = bspi_palette_count_t.size + (size_t)count * bspi_rgb_t.size;
    size_t room = end - at;
    if (count == 0 || count > BSPI_PALETTE_COLORS || size > room ||
        (count != BSPI_PALETTE_COLORS && room - size > MAX_PADDING)) {
        return;
    }
    uint32_t group = bspi_parse_open(parse, BSP_PART_GROUP, "palette");
    bspi_parse_record(parse, "count", &bspi_palette_count_t, at);
    bspi_parse_table(parse, "colors", BSP_ID_NONE, &bspi_rgb_t, at + bspi_palette_count_t.size,
                     count);
    bspi_parse_close(parse, group);
}

// Adds the mip levels as bytes. Returns where they end.
static size_t split_mips(bspi_parse *parse, uint32_t index, size_t at, size_t end) {
    uint32_t width = bspi_parse_u32(parse, at + BSPI_MIPTEX_NAME_SIZE);
    uint32_t height = bspi_parse_u32(parse, at + BSPI_MIPTEX_NAME_SIZE + 4);
    size_t done = at + head_of(parse)->size;
    uint32_t list = bspi_parse_open(parse, BSP_PART_LIST, "pixels");
    for (uint32_t mip = 0; mip < BSPI_MIPTEX_MIPS; mip++) {
        uint32_t offset = bspi_parse_u32(parse, mip_offset(parse, at, mip));
        uint64_t size = (uint64_t)(width >> mip) * (height >> mip);
        uint64_t start = (uint64_t)at + offset;
        if (offset == 0 || size == 0) {
            continue; // the pixels are in a WAD
        }
        if (start < done || start > end || size > end - start) {
            bspi_parse_issue(parse, BSPI_ISSUE_LUMP_STRUCTURE, mip_offset(parse, at, mip),
                             "texture %u: mip %u of %u x %u at %u is not its own", index, mip,
                             width >> mip, height >> mip, offset);
            continue;
        }
        bspi_parse_bytes(parse, "mip", (size_t)start, (size_t)size);
        done = (size_t)(start + size);
    }
    bspi_parse_close(parse, list);
    return done;
}

static void split_texture(bspi_parse *parse, uint32_t index, size_t end) {
    uint32_t group = bspi_parse_open(parse, BSP_PART_GROUP, "texture");
    if (end != 0) {
        size_t at = texture_offset(parse, index);
        bspi_parse_record(parse, "miptex", head_of(parse), at);
        size_t done = split_mips(parse, index, at, end);
        if (done > at + head_of(parse)->size) {
            split_palette(parse, done, end);
        }
    }
    bspi_parse_close(parse, group);
}

static void split_directory(bspi_parse *parse, uint32_t count) {
    size_t order_size = (size_t)count * sizeof(texture_ref);
    size_t ends_size = (size_t)count * sizeof(uint32_t);
    directory d = {parse, count, NULL, NULL};
    d.order = bspi_heap_alloc(parse->heap, order_size, parse->error);
    d.ends = d.order == NULL ? NULL : bspi_heap_alloc(parse->heap, ends_size, parse->error);
    if (d.ends == NULL) {
        parse->failed = true;
    } else {
        claim(&d);
        for (uint32_t i = 0; i < count && !parse->failed; i++) {
            split_texture(parse, i, d.ends[i]);
        }
    }
    bspi_heap_free(parse->heap, d.ends, ends_size);
    bspi_heap_free(parse->heap, d.order, order_size);
}

void bspi_parse_textures(bspi_parse *parse) {
    uint32_t group = bspi_parse_open(parse, BSP_PART_GROUP, parse->lump->name);
    if (bspi_parse_record(parse, "nummiptex", &bspi_dmiptexlump_t, 0)) {
        uint32_t count = bspi_parse_u32(parse, 0);
        bspi_parse_table(parse, "dofs", BSP_ID_NONE, &bspi_bare_i32_t, 4, count);
        size_t room = (parse->data.size - 4) / 4;
        uint32_t list = bspi_parse_open(parse, BSP_PART_LIST, "textures");
        split_directory(parse, count < room ? count : (uint32_t)room);
        bspi_parse_close(parse, list);
    }
    bspi_parse_close(parse, group);
}
