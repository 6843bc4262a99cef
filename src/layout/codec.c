// SPDX-License-Identifier: MIT
// The codec: converts fields of records to arrays in memory and back. It decodes column by column,
// with the switch on types outside of one tight strided loop. It assumes nothing about the values.
#include "layout/layout.h"

#include "core/reader.h"

#include <assert.h>
#include <string.h>

// --- decode -------------------------------------------------------------------------------------

typedef struct column {
    const uint8_t *source; // element 0 of record 0
    size_t source_stride;
    uint8_t *target;
    size_t target_stride;
    uint32_t count;
} column;

static inline uint32_t load_bits(const uint8_t *p, size_t size, bool big) {
    switch (size) {
    case 1:
        return p[0];
    case 2:
        return bspi_load16(p, big);
    default:
        return bspi_load32(p, big);
    }
}

static inline int64_t extend(uint32_t bits, bsp_type type) {
    switch (type) {
    case BSP_I8:
        return (int8_t)bits;
    case BSP_I16:
        return (int16_t)bits;
    case BSP_I32:
        return (int32_t)bits;
    default:
        return bits;
    }
}

static inline float as_float(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// A float outside of the 64-bit integers, or NaN, becomes 0.
static inline int64_t float_to_int(float value) {
    return value >= -9.2e18F && value <= 9.2e18F ? (int64_t)value : 0;
}

// Returns the number of the lowest bit of a bit field in its integer.
static inline unsigned shift_of(const bsp_field *field, bool big) {
    unsigned size = 8 * (unsigned)bspi_type_size(field->type);
    return field->mirrored && big ? size - field->shift - field->bits : field->shift;
}

// Returns the byte order of a field in a file of that order.
static inline bool order_of(const bsp_field *field, bool big_endian) {
    return big_endian != field->swapped;
}

// Returns the integer of a field: its bits taken out, and "none" extended to -1.
static inline int64_t field_int(const bsp_field *field, uint32_t bits, bool big) {
    if (field->type == BSP_F32) {
        return float_to_int(as_float(bits));
    }
    if (field->bits != 0) {
        uint32_t mask = field->bits >= 32 ? UINT32_MAX : (UINT32_C(1) << field->bits) - 1;
        return (bits >> shift_of(field, big)) & mask;
    }
    if (field->unsigned_none && bits == (UINT32_MAX >> (32 - 8 * bspi_type_size(field->type)))) {
        return -1;
    }
    return extend(bits, field->type);
}

int64_t bspi_load_int(const bsp_field *field, const uint8_t *p, bool big_endian) {
    bool big = order_of(field, big_endian);
    return field_int(field, load_bits(p, bspi_type_size(field->type), big), big);
}

float bspi_load_float(const uint8_t *p, bool big_endian) {
    return as_float(bspi_load32(p, big_endian));
}

// True if there is such an element: what a caller owes is asserted, and not read without asserts.
static inline bool has_element(const bsp_table *table, uint32_t record, uint32_t field,
                               uint32_t element) {
    bool there = record < table->count && field < table->layout->num_fields &&
                 element < table->layout->fields[field].count;
    assert(there);
    return there;
}

int64_t bsp_table_int(const bsp_table *table, uint32_t record, uint32_t field, uint32_t element) {
    assert(table != NULL);
    if (!has_element(table, record, field, element)) {
        return 0;
    }
    const bsp_field *row = &table->layout->fields[field];
    size_t size = bspi_type_size(row->type);
    const uint8_t *p = table->data + (size_t)record * table->layout->size +
                       bspi_layout_offset(table->layout, field) + element * size;
    bool big = order_of(row, table->big_endian);
    return field_int(row, load_bits(p, size, big), big);
}

float bsp_table_float(const bsp_table *table, uint32_t record, uint32_t field, uint32_t element) {
    assert(table != NULL);
    if (!has_element(table, record, field, element)) {
        return 0;
    }
    const bsp_field *row = &table->layout->fields[field];
    if (row->type != BSP_F32) {
        return (float)bsp_table_int(table, record, field, element);
    }
    const uint8_t *p = table->data + (size_t)record * table->layout->size +
                       bspi_layout_offset(table->layout, field) + element * sizeof(float);
    return as_float(bspi_load32(p, table->big_endian));
}

bsp_text bsp_table_text(const bsp_table *table, uint32_t record, uint32_t field) {
    assert(table != NULL);
    if (!has_element(table, record, field, 0)) {
        return (bsp_text){NULL, 0};
    }
    const bsp_field *row = &table->layout->fields[field];
    const char *p = (const char *)table->data + (size_t)record * table->layout->size +
                    bspi_layout_offset(table->layout, field);
    const char *end = memchr(p, '\0', row->count);
    bsp_text text = {p, end == NULL ? row->count : (size_t)(end - p)};
    return text;
}

static inline bool host_is_big(void) {
    const uint16_t one = 1;
    uint8_t first;
    memcpy(&first, &one, 1);
    return first == 0;
}

// Defines the copy of one size, so that the compiler makes it a move; vectors and strings have
// these sizes.
#define DEFINE_COPY(size)                                                                          \
    static void copy_##size(const column *c) {                                                     \
        const uint8_t *source = c->source;                                                         \
        uint8_t *target = c->target;                                                               \
        for (uint32_t i = 0; i < c->count; i++) {                                                  \
            memcpy(target, source, size);                                                          \
            source += c->source_stride;                                                            \
            target += c->target_stride;                                                            \
        }                                                                                          \
    }

DEFINE_COPY(1)
DEFINE_COPY(2)
DEFINE_COPY(3)
DEFINE_COPY(4)
DEFINE_COPY(6)
DEFINE_COPY(8)
DEFINE_COPY(12)
DEFINE_COPY(16)
DEFINE_COPY(20)
DEFINE_COPY(24)
DEFINE_COPY(32)

static void copy_long(const column *c, size_t size) {
    for (uint32_t i = 0; i < c->count; i++) {
        memcpy(c->target + i * c->target_stride, c->source + i * c->source_stride, size);
    }
}

static void copy_column(const column *c, size_t size) {
    static void (*const copies[])(const column *) = {
        [1] = copy_1,   [2] = copy_2,   [3] = copy_3,   [4] = copy_4,
        [6] = copy_6,   [8] = copy_8,   [12] = copy_12, [16] = copy_16,
        [20] = copy_20, [24] = copy_24, [32] = copy_32,
    };
    if (c->source_stride == size && c->target_stride == size && c->count > 1) {
        memcpy(c->target, c->source, size * c->count);
    } else if (size < sizeof copies / sizeof *copies && copies[size] != NULL) {
        copies[size](c);
    } else {
        copy_long(c, size);
    }
}

static inline void store_int(uint8_t *p, int64_t value, bsp_type type) {
    uint8_t byte = (uint8_t)value;
    uint16_t half = (uint16_t)value;
    uint32_t word = type == BSP_F32 ? bspi_float_bits((float)value) : (uint32_t)value;
    switch (bspi_type_size(type)) {
    case 1:
        memcpy(p, &byte, 1);
        break;
    case 2:
        memcpy(p, &half, 2);
        break;
    default:
        memcpy(p, &word, 4);
    }
}

// Defines a loop for one pair of on-disk and memory type that maps use much, with both switches
// outside; `slow_column` decodes all other pairs.
#define DEFINE_WIDEN(name, bits, from, to)                                                         \
    static void name(const column *c, bool big) {                                                  \
        const uint8_t *source = c->source;                                                         \
        uint8_t *target = c->target;                                                               \
        for (uint32_t i = 0; i < c->count; i++) {                                                  \
            to value = (to)(from)load_bits(source, bits / 8, big);                                 \
            memcpy(target, &value, sizeof value);                                                  \
            source += c->source_stride;                                                            \
            target += c->target_stride;                                                            \
        }                                                                                          \
    }

DEFINE_WIDEN(u8_to_32, 8, uint8_t, uint32_t)
DEFINE_WIDEN(i8_to_32, 8, int8_t, int32_t)
DEFINE_WIDEN(u16_to_32, 16, uint16_t, uint32_t)
DEFINE_WIDEN(i16_to_32, 16, int16_t, int32_t)
DEFINE_WIDEN(u16_to_float, 16, uint16_t, float)
DEFINE_WIDEN(i16_to_float, 16, int16_t, float)
DEFINE_WIDEN(i32_to_float, 32, int32_t, float)
DEFINE_WIDEN(swap_16, 16, uint16_t, uint16_t)
DEFINE_WIDEN(swap_32, 32, uint32_t, uint32_t)

typedef void widen_fn(const column *, bool);

static bool is_word(bsp_type type) {
    return type == BSP_U32 || type == BSP_I32;
}

static widen_fn *find_widen(const bsp_field *field, bsp_type type) {
    if (field->bits != 0 || field->unsigned_none) {
        return NULL;
    }
    bsp_type from = bspi_memory_type(field->type);
    if (bspi_type_size(from) == bspi_type_size(type) && (from == BSP_F32) == (type == BSP_F32)) {
        return bspi_type_size(type) == 2 ? swap_16 : bspi_type_size(type) == 4 ? swap_32 : NULL;
    }
    switch (from) {
    case BSP_U8:
        return is_word(type) ? u8_to_32 : NULL;
    case BSP_I8:
        return is_word(type) ? i8_to_32 : NULL;
    case BSP_U16:
        return is_word(type) ? u16_to_32 : type == BSP_F32 ? u16_to_float : NULL;
    case BSP_I16:
        return is_word(type) ? i16_to_32 : type == BSP_F32 ? i16_to_float : NULL;
    case BSP_I32:
        return type == BSP_F32 ? i32_to_float : NULL;
    default:
        return NULL;
    }
}

// Decodes parts of 32-bit integers to 32-bit integers.
static void bits_column(const column *c, const bsp_field *field, bool big) {
    uint32_t mask = field->bits >= 32 ? UINT32_MAX : (UINT32_C(1) << field->bits) - 1;
    unsigned shift = shift_of(field, big);
    const uint8_t *source = c->source;
    uint8_t *target = c->target;
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t value = (load_bits(source, 4, big) >> shift) & mask;
        memcpy(target, &value, sizeof value);
        source += c->source_stride;
        target += c->target_stride;
    }
}

static void slow_column(const column *c, const bsp_field *field, bsp_type type, bool big) {
    size_t size = bspi_type_size(field->type);
    const uint8_t *source = c->source;
    uint8_t *target = c->target;
    if (field->bits != 0 && size == 4 && is_word(type)) {
        bits_column(c, field, big);
        return;
    }
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t bits = load_bits(source, size, big);
        if (field->type == BSP_F32 && type == BSP_F32) {
            memcpy(target, &bits, sizeof bits);
        } else {
            store_int(target, field_int(field, bits, big), type);
        }
        source += c->source_stride;
        target += c->target_stride;
    }
}

// Returns true if the bytes on disk are the bytes in memory.
static bool is_plain_copy(const bsp_field *field, bsp_type type, bool big) {
    bsp_type from = bspi_memory_type(field->type);
    size_t size = bspi_type_size(from);
    return field->bits == 0 && (!field->unsigned_none || size == bspi_type_size(type)) &&
           size == bspi_type_size(type) && (from == BSP_F32) == (type == BSP_F32) &&
           (size == 1 || big == host_is_big());
}

void bsp_table_decode(const bsp_table *table, uint32_t field, bsp_type type, void *out,
                      size_t stride) {
    assert(table != NULL);
    assert(out != NULL || table->count == 0);
    assert(table->count == 0 || field < table->layout->num_fields);
    if (table->count == 0 || field >= table->layout->num_fields) {
        return;
    }
    const bsp_field *row = &table->layout->fields[field];
    column c = {table->data + bspi_layout_offset(table->layout, field), table->layout->size, out,
                stride, table->count};
    size_t from_size = bspi_type_size(row->type);
    size_t to_size = bspi_type_size(type);
    bool big = order_of(row, table->big_endian);
    if (is_plain_copy(row, type, big)) {
        copy_column(&c, from_size * row->count);
        return;
    }
    widen_fn *widen = find_widen(row, type);
    bool flat = c.source_stride == from_size * row->count &&
                c.target_stride == to_size * row->count && c.count <= UINT32_MAX / row->count;
    if (flat) {
        // The elements of all records follow each other on both sides: one long column.
        c.source_stride = from_size;
        c.target_stride = to_size;
        c.count *= row->count;
    }
    uint32_t passes = flat ? 1 : row->count;
    for (uint32_t e = 0; e < passes; e++) {
        column element = c;
        element.source += e * from_size;
        element.target += e * to_size;
        if (widen != NULL) {
            widen(&element, big);
        } else {
            slow_column(&element, row, type, big);
        }
    }
}

// --- encode -------------------------------------------------------------------------------------

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
        return float_to_int(value);
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
    return extend(bits, type);
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
    return float_to_int((float)range_of(field).high);
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
        unsigned shift = shift_of(field, big);
        bits = (load_bits(out, size, big) & ~(mask << shift)) | ((bits & mask) << shift);
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
    bool big = order_of(row, big_endian);
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
        uint32_t bits = load_bits(table->data + at, size, table->big_endian);
        uint32_t value = (uint32_t)field_int(row, bits, table->big_endian);
        uint32_t before = row->shift == 0 ? 0 : load_bits(out + at, size, big_endian);
        store_bits(out + at, size, before | value << shift_of(row, big_endian), big_endian);
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
            uint32_t bits = load_bits(from + e * size, size, table->big_endian);
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
