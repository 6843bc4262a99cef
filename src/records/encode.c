// SPDX-License-Identifier: MIT
// Encodes records to bytes. A lump is rebuilt from its decoded records; bytes of no part and lumps
// of unknown structure are copied.
#include "records/directory.h"
#include "records/encode.h"
#include "records/file.h"

#include <assert.h>
#include <string.h>

#define SCRATCH 16384u

// Integers pass through 32 bits, so that the range check of every field is applied.
static bsp_type wide_type(const bsp_field *field) {
    switch (field->type) {
    case BSP_F32:
        return BSP_F32;
    case BSP_CHAR:
    case BSP_PAD:
        return BSP_U8;
    case BSP_U8:
    case BSP_U16:
    case BSP_U32:
        return BSP_U32;
    default:
        return BSP_I32;
    }
}

// Recodes as many records at a time as `scratch` has room for, at least one.
static bool recode_tiles(const bsp_table *table, uint32_t field, uint8_t *scratch, size_t room,
                         uint8_t *out, bsp_error *error) {
    bsp_type type = wide_type(&table->layout->fields[field]);
    size_t stride = bsp_type_size(type) * table->layout->fields[field].count;
    uint32_t step = (uint32_t)(room / stride);
    assert(step != 0);
    bsp_table tile = *table;
    for (uint32_t done = 0; done < table->count; done += tile.count) {
        tile.data = table->data + (size_t)done * table->layout->size;
        tile.count = table->count - done < step ? table->count - done : step;
        bsp_table_decode(&tile, field, type, scratch, stride);
        if (!bsp_table_encode(table->layout, tile.count, table->big_endian, field, type, scratch,
                              stride, out + (size_t)done * table->layout->size, error)) {
            return false;
        }
    }
    return true;
}

// A field may have up to 65,535 elements. One that is larger than the buffer on the stack gets
// memory from the heap.
static bool recode_field(const bsp_table *table, uint32_t field, bspi_heap *heap, uint8_t *out,
                         bsp_error *error) {
    uint8_t scratch[SCRATCH];
    const bsp_field *row = &table->layout->fields[field];
    size_t size = bsp_type_size(wide_type(row)) * row->count;
    if (size <= SCRATCH) {
        return recode_tiles(table, field, scratch, SCRATCH, out, error);
    }
    uint8_t *more = bspi_heap_alloc(heap, size, error);
    bool done = more != NULL && recode_tiles(table, field, more, size, out, error);
    bspi_heap_free(heap, more, size);
    return done;
}

bool bspi_encode_table(const bsp_table *table, bspi_heap *heap, uint8_t *out, bsp_error *error) {
    memset(out, 0, (size_t)table->count * table->layout->size);
    for (uint32_t f = 0; f < table->layout->num_fields; f++) {
        if (!recode_field(table, f, heap, out, error)) {
            return false;
        }
    }
    return true;
}

bool bsp_file_encode_lump(const bsp_file *file, uint32_t lump, uint8_t *out, bsp_error *error) {
    assert(file != NULL);
    bsp_parts parts;
    if (!bsp_file_parts(file, lump, NULL, &parts, error)) {
        return false;
    }
    assert(out != NULL || parts.data.size == 0);
    if (parts.data.size != 0) {
        memcpy(out, parts.data.data, parts.data.size);
    }
    bool done = true;
    for (uint32_t i = 0; done && i < parts.count; i++) {
        if (parts.parts[i].kind == BSP_PART_TABLE || parts.parts[i].kind == BSP_PART_RECORD) {
            bsp_table table = bsp_parts_table(&parts, i);
            done =
                bspi_encode_table(&table, bspi_file_heap(file), out + parts.parts[i].offset, error);
        }
    }
    bsp_parts_free(&parts);
    return done;
}

bool bsp_file_encode(const bsp_file *file, uint8_t *out, bsp_error *error) {
    assert(file != NULL && out != NULL);
    // Bytes of no lump, packed lumps, and lumps that files beside the map replace are copied.
    memcpy(out, file->info.bytes.data, file->info.bytes.size);
    for (uint32_t i = 0; i < file->info.num_lumps; i++) {
        const bsp_lump *lump = &file->lumps[i];
        if (lump->external == BSP_NONE && !lump->compressed && lump->size != 0 &&
            !bsp_file_encode_lump(file, i, out + lump->offset, error)) {
            return false;
        }
    }
    return bspi_encode_directory(file, out, error);
}
