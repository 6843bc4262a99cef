// SPDX-License-Identifier: MIT
// Numbers of a field as the bits that stand for them: what decoding and encoding share.
#ifndef BSPI_LAYOUT_BITS_H
#define BSPI_LAYOUT_BITS_H

#include "core/reader.h"
#include "layout/layout.h"

/// Reads an integer of 1, 2 or 4 bytes.
static inline uint32_t bspi_load_bits(const uint8_t *p, size_t size, bool big) {
    switch (size) {
    case 1:
        return p[0];
    case 2:
        return bspi_load16(p, big);
    default:
        return bspi_load32(p, big);
    }
}

/// Gives the bits of an integer the sign of its type.
static inline int64_t bspi_extend(uint32_t bits, bsp_type type) {
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

/// A float outside of the 64-bit integers, or NaN, becomes 0.
static inline int64_t bspi_float_to_int(float value) {
    return value >= -9.2e18F && value <= 9.2e18F ? (int64_t)value : 0;
}

/// Returns the number of the lowest bit of a bit field in its integer.
static inline unsigned bspi_shift_of(const bsp_field *field, bool big) {
    unsigned size = 8 * (unsigned)bspi_type_size(field->type);
    return field->mirrored && big ? size - field->shift - field->bits : field->shift;
}

/// Returns the byte order of a field in a file of that order.
static inline bool bspi_order_of(const bsp_field *field, bool big_endian) {
    return big_endian != field->swapped;
}

/// Returns the integer of a field: its bits taken out, and "none" extended to -1.
static inline int64_t bspi_field_int(const bsp_field *field, uint32_t bits, bool big) {
    if (field->type == BSP_F32) {
        return bspi_float_to_int(bspi_as_float(bits));
    }
    if (field->bits != 0) {
        uint32_t mask = field->bits >= 32 ? UINT32_MAX : (UINT32_C(1) << field->bits) - 1;
        return (bits >> bspi_shift_of(field, big)) & mask;
    }
    if (field->unsigned_none && bits == (UINT32_MAX >> (32 - 8 * bspi_type_size(field->type)))) {
        return -1;
    }
    return bspi_extend(bits, field->type);
}

#endif
