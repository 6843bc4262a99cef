// SPDX-License-Identifier: MIT
// Decodes fields of records to arrays in memory, column by column, with the switch on types outside
// of one tight strided loop. It assumes nothing about the values.
#include "layout/bits.h"

#include <assert.h>

typedef struct column {
    const uint8_t *source; // element 0 of record 0
    size_t source_stride;
    uint8_t *target;
    size_t target_stride;
    uint32_t count;
} column;

int64_t bspi_load_int(const bsp_field *field, const uint8_t *p, bool big_endian) {
    bool big = bspi_order_of(field, big_endian);
    return bspi_field_int(field, bspi_load_bits(p, bspi_type_size(field->type), big), big);
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
    bool big = bspi_order_of(row, table->big_endian);
    return bspi_field_int(row, bspi_load_bits(p, size, big), big);
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
    return bspi_load_float(p, table->big_endian);
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
            to value = (to)(from)bspi_load_bits(source, bits / 8, big);                            \
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
    unsigned shift = bspi_shift_of(field, big);
    const uint8_t *source = c->source;
    uint8_t *target = c->target;
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t value = (bspi_load_bits(source, 4, big) >> shift) & mask;
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
        uint32_t bits = bspi_load_bits(source, size, big);
        if (field->type == BSP_F32 && type == BSP_F32) {
            memcpy(target, &bits, sizeof bits);
        } else {
            store_int(target, bspi_field_int(field, bits, big), type);
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
    bool big = bspi_order_of(row, table->big_endian);
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
