// SPDX-License-Identifier: MIT
// Private functions on layouts.
#ifndef BSPI_LAYOUT_LAYOUT_H
#define BSPI_LAYOUT_LAYOUT_H

#include "bspkit/layout.h"

/// Does the work of bsp_type_size, inline for loops over small tables.
static inline size_t bspi_type_size(bsp_type type) {
    static const uint8_t sizes[] = {
        [BSP_U8] = 1,  [BSP_I8] = 1,  [BSP_U16] = 2,  [BSP_I16] = 2, [BSP_U32] = 4,
        [BSP_I32] = 4, [BSP_F32] = 4, [BSP_CHAR] = 1, [BSP_PAD] = 1,
    };
    return sizes[type];
}

/// Returns by how many bytes the offset grows after this field: 0 for all but the last part of a
/// bit set.
static inline size_t bspi_field_advance(const bsp_field *field) {
    size_t size = bspi_type_size(field->type) * field->count;
    if (field->bits == 0) {
        return size;
    }
    // The part that holds the highest bit ends the integer.
    return (size_t)field->shift + field->bits == size * 8 ? size : 0;
}

/// Does the work of bsp_layout_offset, inline.
static inline size_t bspi_layout_offset(const bsp_layout *layout, uint32_t field) {
    size_t offset = 0;
    for (uint32_t i = 0; i < field; i++) {
        offset += bspi_field_advance(&layout->fields[i]);
    }
    return offset;
}

/// The most fields that a layout has. The macros of formats/table.h refuse tables with more, and
/// leave room for the one that may be made after those that are known (bspi_parse_extend).
#define BSPI_LAYOUT_FIELDS 128

/// Returns the first field that becomes the given member of the map, or NULL.
const bsp_field *bspi_layout_find(const bsp_layout *layout, uint16_t map_member, uint32_t *index);

/// Returns the COUNT field of the run whose FIRST field is `first`: the nearest of the same target,
/// before or after it. BSP_NONE without one.
uint32_t bspi_layout_run_count(const bsp_layout *layout, uint32_t first);

/// Returns one element of a field at `p`, as bsp_table_int does, for callers that keep the offsets
/// of fields. For floats there is bspi_load_float.
int64_t bspi_load_int(const bsp_field *field, const uint8_t *p, bool big_endian);

/// Returns the number in a field of one record, as bsp_table_int does.
static inline uint32_t bspi_record_number(const bsp_layout *layout, uint32_t field,
                                          const uint8_t *record, bool big_endian) {
    return (uint32_t)bspi_load_int(&layout->fields[field],
                                   record + bspi_layout_offset(layout, field), big_endian);
}

/// bsp_table_encode for `count` elements of the field from element `first` on; the others stay as
/// they are. `in` is the first of these elements of record 0.
bool bspi_table_encode_elements(const bsp_layout *layout, uint32_t records, bool big_endian,
                                uint32_t field, uint32_t first, uint32_t count, bsp_type type,
                                const void *in, size_t stride, uint8_t *bytes, bsp_error *error);

/// Returns the type of elements in memory when a field is decoded without a member.
static inline bsp_type bspi_memory_type(bsp_type type) {
    return type == BSP_CHAR || type == BSP_PAD ? BSP_U8 : type;
}

#endif
