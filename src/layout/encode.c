// SPDX-License-Identifier: MIT
// Encodes arrays in memory as fields of records, and records in the other byte order. A value that
// does not fit its field is refused by name.
#include "layout/bits.h"

#include <assert.h>

typedef struct range {
    int64_t low;
    int64_t high;
} range;

static range range_of(const bsp_field *field) {
    static const range ranges[] = {
        [BSP_U8] = {0, UINT8_MAX},          [BSP_I8] = {INT8_MIN, INT8_MAX},
        [BSP_U16] = {0, UINT16_MAX},        [BSP_I16] = {INT16_MIN, INT16_MAX},
        [BSP_U32] = {0, UINT32_MAX},        [BSP_I32] = {INT32_MIN, INT32_MAX},
        [BSP_F32] = {INT64_MIN, INT64_MAX}, [BSP_CHAR] = {0, UINT8_MAX},
        [BSP_PAD] = {0, UINT8_MAX},
    };
    if (field->bits != 0) {
        range bits = {0, (INT64_C(1) << field->bits) - 1};
        return bits;
    }
    range whole = ranges[field->type];
    whole.high -= field->unsigned_none ? 1 : 0; // all ones means none
    return whole;
}

static int64_t memory_int(const uint8_t *p, bsp_type type) {
    if (type == BSP_F32) {
        float value;
        memcpy(&value, p, sizeof value);
        return bspi_float_to_int(value);
    }
    uint32_t bits = 0;
    if (bspi_type_size(type) == 1) {
        bits = p[0];
    } else if (bspi_type_size(type) == 2) {
        uint16_t half;
        memcpy(&half, p, 2);
        bits = half;
    } else {
        memcpy(&bits, p, 4);
    }
    return bspi_extend(bits, type);
}

static void store_bits(uint8_t *p, size_t size, uint32_t bits, bool big) {
    for (size_t i = 0; i < size; i++) {
        p[i] = (uint8_t)(bits >> (8 * (big ? size - 1 - i : i)));
    }
}

// Returns -1 for BSP_NONE in memory, where the field can express none.
static int64_t none_to_disk(const bsp_field *field, int64_t value) {
    bool none = value == (int64_t)BSP_NONE && bspi_type_size(field->type) < 4;
    return none && (field->unsigned_none || field->type == BSP_I8 || field->type == BSP_I16)
               ? -1
               : value;
}

// Returns the highest integer of a field, rounded to float: for 32 bits it is one more.
static int64_t rounded_limit(const bsp_field *field) {
    return bspi_float_to_int((float)range_of(field).high);
}

static bool encode_element(const bsp_field *field, bsp_type type, const uint8_t *in, uint8_t *out,
                           bool big, int64_t *refused) {
    size_t size = bspi_type_size(field->type);
    if (field->type == BSP_F32) {
        float value;
        if (type == BSP_F32) {
            memcpy(&value, in, sizeof value);
        } else {
            value = (float)memory_int(in, type);
        }
        store_bits(out, size, bspi_float_bits(value), big);
        return true;
    }
    int64_t value = memory_int(in, type);
    if (type == BSP_F32 && value == rounded_limit(field)) {
        value = range_of(field).high;
    } else if (type == BSP_U32 && field->type == BSP_I32) {
        value = (int32_t)(uint32_t)value; // the same 32 bits; -1 is BSP_NONE
    } else if (type == BSP_I32 && field->type == BSP_U32) {
        value = (uint32_t)value;
    } else {
        value = none_to_disk(field, value);
    }
    range allowed = range_of(field);
    // All ones in an integer as small as the field means none as well; in a wider one it is a
    // number.
    bool all_ones = value == allowed.high + 1 && bspi_type_size(type) == size;
    bool none = field->unsigned_none && (value == -1 || all_ones);
    if (!none && (value < allowed.low || value > allowed.high)) {
        *refused = value;
        return false;
    }
    uint32_t bits = (uint32_t)value;
    if (field->bits != 0) {
        uint32_t mask = (uint32_t)allowed.high;
        unsigned shift = bspi_shift_of(field, big);
        bits = (bspi_load_bits(out, size, big) & ~(mask << shift)) | ((bits & mask) << shift);
    }
    store_bits(out, size, bits, big);
    return true;
}

bool bspi_table_encode_elements(const bsp_layout *layout, uint32_t records, bool big_endian,
                                uint32_t field, uint32_t first, uint32_t count, bsp_type type,
                                const void *in, size_t stride, uint8_t *bytes, bsp_error *error) {
    const bsp_field *row = &layout->fields[field];
    assert(first <= row->count && count <= row->count - first);
    size_t to_size = bspi_type_size(row->type);
    size_t from_size = bspi_type_size(type);
    uint8_t *out = bytes + bspi_layout_offset(layout, field) + first * to_size;
    const uint8_t *memory = in;
    bool big = bspi_order_of(row, big_endian);
    for (uint32_t i = 0; i < records; i++) {
        for (uint32_t e = 0; e < count; e++) {
            int64_t value = 0;
            if (!encode_element(row, type, memory + e * from_size, out + e * to_size, big,
                                &value)) {
                range allowed = range_of(row);
                bsp_place place = bsp_place_at(layout->name, i, row->name, UINT64_MAX);
                place = bsp_place_element(place, first + e, row->count);
                char where[BSP_PLACE_TEXT];
                (void)bsp_format_place(where, &place);
                return bsp_fail(error, BSP_E_RANGE, &place, "%s = %lld does not fit (%lld to %lld)",
                                where, (long long)value, (long long)allowed.low,
                                (long long)allowed.high);
            }
        }
        memory += stride;
        out += layout->size;
    }
    return true;
}

bool bsp_table_encode(const bsp_layout *layout, uint32_t count, bool big_endian, uint32_t field,
                      bsp_type type, const void *in, size_t stride, uint8_t *bytes,
                      bsp_error *error) {
    assert(layout != NULL && field < layout->num_fields);
    assert((in != NULL && bytes != NULL) || count == 0);
    if (field >= layout->num_fields) {
        return bsp_fail(error, BSP_E_ARGUMENT, NULL, "%s has no field %u", layout->name,
                        (unsigned)field);
    }
    return bspi_table_encode_elements(layout, count, big_endian, field, 0,
                                      layout->fields[field].count, type, in, stride, bytes, error);
}

// Writes a part of an integer whose place depends on the byte order. The first part clears the
// integer.
static void reorder_bits(const bsp_table *table, uint32_t field, size_t offset, bool big_endian,
                         uint8_t *out) {
    const bsp_field *row = &table->layout->fields[field];
    size_t size = bspi_type_size(row->type);
    for (uint32_t i = 0; i < table->count; i++) {
        size_t at = (size_t)i * table->layout->size + offset;
        uint32_t bits = bspi_load_bits(table->data + at, size, table->big_endian);
        uint32_t value = (uint32_t)bspi_field_int(row, bits, table->big_endian);
        uint32_t before = row->shift == 0 ? 0 : bspi_load_bits(out + at, size, big_endian);
        store_bits(out + at, size, before | value << bspi_shift_of(row, big_endian), big_endian);
    }
}

static void reorder_field(const bsp_table *table, uint32_t field, size_t offset, bool big_endian,
                          uint8_t *out) {
    const bsp_field *row = &table->layout->fields[field];
    size_t size = bspi_type_size(row->type);
    for (uint32_t i = 0; size > 1 && i < table->count; i++) {
        const uint8_t *from = table->data + (size_t)i * table->layout->size + offset;
        uint8_t *to = out + (size_t)i * table->layout->size + offset;
        for (uint32_t e = 0; e < row->count; e++) {
            uint32_t bits = bspi_load_bits(from + e * size, size, table->big_endian);
            store_bits(to + e * size, size, bits, big_endian);
        }
    }
}

void bsp_table_reorder(const bsp_table *table, bool big_endian, uint8_t *out) {
    assert(table != NULL);
    assert(out != NULL || table->count == 0);
    const bsp_layout *layout = table->layout;
    memcpy(out, table->data, (size_t)table->count * layout->size);
    if (big_endian == table->big_endian) {
        return;
    }
    size_t offset = 0;
    for (uint32_t f = 0; f < layout->num_fields; f++) {
        if (layout->fields[f].mirrored) {
            reorder_bits(table, f, offset, big_endian, out);
        } else if (bspi_field_advance(&layout->fields[f]) != 0) {
            reorder_field(table, f, offset, big_endian, out);
        }
        offset += bspi_field_advance(&layout->fields[f]);
    }
}
