// SPDX-License-Identifier: MIT
// Builds the list of parts: the list grows, places are bounded by the lump, and closing a container
// stores where it ends.
#include "records/parse.h"

#include "records/file.h"

#include <stdio.h>
#include <string.h>

uint32_t bspi_parse_add(bspi_parse *parse, bsp_part part) {
    if (parse->failed) {
        return 0;
    }
    bsp_part *parts = bspi_grow(parse->heap, parse->parts, parse->count, &parse->room,
                                sizeof *parts, parse->error);
    if (parts == NULL) {
        parse->failed = true;
        return 0;
    }
    parse->parts = parts;
    part.end = parse->count + 1;
    parse->parts[parse->count] = part;
    return parse->count++;
}

uint32_t bspi_parse_open(bspi_parse *parse, bsp_part_kind kind, const char *name) {
    bsp_part part = {.kind = kind, .name = name, .big_endian = parse->big_endian};
    return bspi_parse_add(parse, part);
}

void bspi_parse_close(bspi_parse *parse, uint32_t part) {
    if (!parse->failed) {
        parse->parts[part].end = parse->count;
    }
}

void bspi_parse_issue(bspi_parse *parse, int kind, size_t offset, const char *format, ...) {
    char text[160];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const bsp_lump *lump = parse->lump;
    bspi_issue(parse->issues, kind,
               bsp_place_at(lump == NULL ? parse->place : lump->name, BSP_NONE, NULL,
                            lump == NULL ? offset : bspi_lump_byte(lump, offset)),
               "%s", text);
}

// Returns how many of `size` bytes at `offset` lie in the lump.
static size_t present(const bspi_parse *parse, size_t offset, size_t size) {
    size_t room = offset > parse->data.size ? 0 : parse->data.size - offset;
    return size < room ? size : room;
}

bool bspi_parse_table(bspi_parse *parse, const char *name, bsp_table_id id,
                      const bsp_layout *layout, size_t offset, uint32_t count) {
    size_t room = present(parse, offset, SIZE_MAX) / layout->size;
    bool whole = count <= room;
    if (!whole) {
        bspi_parse_issue(parse, BSPI_ISSUE_LUMP_STRUCTURE, offset,
                         "%u records of %s at byte %zu, but there is room for %zu", count, name,
                         offset, room);
        count = (uint32_t)room;
    }
    bsp_part part = {.kind = BSP_PART_TABLE,
                     .name = name,
                     .id = id,
                     .layout = layout,
                     .count = count,
                     .offset = offset,
                     .size = (size_t)count * layout->size,
                     .big_endian = parse->big_endian};
    bspi_parse_add(parse, part);
    return whole;
}

static bool add_whole(bspi_parse *parse, bsp_part part) {
    if (present(parse, part.offset, part.size) < part.size) {
        bspi_parse_issue(parse, BSPI_ISSUE_LUMP_STRUCTURE, part.offset,
                         "%s of %zu bytes at byte %zu is not all there", part.name, part.size,
                         part.offset);
        return false;
    }
    part.big_endian = parse->big_endian;
    bspi_parse_add(parse, part);
    return true;
}

bool bspi_parse_record(bspi_parse *parse, const char *name, const bsp_layout *layout,
                       size_t offset) {
    bsp_part part = {.kind = BSP_PART_RECORD,
                     .name = name,
                     .layout = layout,
                     .count = 1,
                     .offset = offset,
                     .size = layout->size};
    return add_whole(parse, part);
}

bool bspi_parse_text(bspi_parse *parse, const char *name, size_t offset, size_t size) {
    bsp_part part = {.kind = BSP_PART_TEXT, .name = name, .offset = offset, .size = size};
    return add_whole(parse, part);
}

bool bspi_parse_bytes(bspi_parse *parse, const char *name, size_t offset, size_t size) {
    bsp_part part = {.kind = BSP_PART_BYTES, .name = name, .offset = offset, .size = size};
    return add_whole(parse, part);
}

uint32_t bspi_parse_u32(const bspi_parse *parse, size_t offset) {
    bsp_bytes bytes = bspi_slice(parse->data, offset, 4);
    return bytes.size == 0 ? 0 : bspi_load32(bytes.data, parse->big_endian);
}

uint16_t bspi_parse_u16(const bspi_parse *parse, size_t offset) {
    bsp_bytes bytes = bspi_slice(parse->data, offset, 2);
    return bytes.size == 0 ? 0 : bspi_load16(bytes.data, parse->big_endian);
}

// --- a layout for one lump -----------------------------------------------------------------------

typedef struct made_layout {
    bsp_layout layout;
    bsp_field fields[];
} made_layout;

static size_t made_size(uint32_t num_fields) {
    return sizeof(made_layout) + num_fields * sizeof(bsp_field);
}

const bsp_layout *bspi_parse_extend(bspi_parse *parse, const bsp_layout *known, uint32_t size) {
    uint32_t count = known->num_fields + 1;
    made_layout *made = bspi_heap_alloc(parse->heap, made_size(count), parse->error);
    if (made == NULL) {
        parse->failed = true;
        return NULL;
    }
    memcpy(made->fields, known->fields, known->num_fields * sizeof *made->fields);
    made->fields[known->num_fields] =
        (bsp_field){.name = "unknown", .type = BSP_U8, .count = (uint16_t)(size - known->size)};
    made->layout = (bsp_layout){known->name, size, made->fields, count};
    parse->made = &made->layout;
    return parse->made;
}

void bspi_parse_forget(bspi_heap *heap, bsp_layout *made) {
    if (made != NULL) {
        bspi_heap_free(heap, made, made_size(made->num_fields));
    }
}
