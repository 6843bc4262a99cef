// SPDX-License-Identifier: MIT
// The bounded reader, for all bytes of a file that are not in a table. Failure is sticky: every
// later read gives zero, so one test of `failed` at the end is enough.
#ifndef BSPI_READER_H
#define BSPI_READER_H

#include "bspkit/core.h"

#include <math.h>
#include <string.h>

typedef struct bspi_reader {
    bsp_bytes bytes;
    size_t at;
    bool big_endian;
    bool failed;
} bspi_reader;

static inline uint16_t bspi_load16(const uint8_t *p, bool big_endian) {
    return big_endian ? (uint16_t)(p[0] << 8 | p[1]) : (uint16_t)(p[1] << 8 | p[0]);
}

static inline uint32_t bspi_load32(const uint8_t *p, bool big_endian) {
    return big_endian ? (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3]
                      : (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

/// Returns the bits of a float, as files have them; and the float of such bits.
static inline uint32_t bspi_float_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}
static inline float bspi_as_float(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/// Returns the float of four bytes.
static inline float bspi_load_float(const uint8_t *p, bool big_endian) {
    return bspi_as_float(bspi_load32(p, big_endian));
}

/// Returns the float of four bytes of the least first, and 0 for one that is not finite.
static inline float bspi_load_finite(const uint8_t *p) {
    float value = bspi_load_float(p, false);
    return isfinite(value) ? value : 0;
}

static inline void bspi_store32(uint8_t *p, uint32_t value, bool big_endian) {
    for (int i = 0; i < 4; i++) {
        p[i] = (uint8_t)(value >> (big_endian ? 24 - 8 * i : 8 * i));
    }
}

static inline bspi_reader bspi_reader_of(bsp_bytes bytes, bool big_endian) {
    bspi_reader reader = {bytes, 0, big_endian, false};
    return reader;
}

static inline size_t bspi_left(const bspi_reader *reader) {
    return reader->bytes.size - reader->at;
}

/// Returns the next `size` bytes. If there are fewer it fails and returns NULL.
static inline const uint8_t *bspi_take(bspi_reader *reader, size_t size) {
    if (reader->failed || size > bspi_left(reader)) {
        reader->failed = true;
        return NULL;
    }
    const uint8_t *p = reader->bytes.data + reader->at;
    reader->at += size;
    return p;
}

static inline void bspi_seek(bspi_reader *reader, size_t at) {
    if (at > reader->bytes.size) {
        reader->failed = true;
    } else {
        reader->at = at;
    }
}

static inline uint16_t bspi_read_u16(bspi_reader *reader) {
    const uint8_t *p = bspi_take(reader, 2);
    return p == NULL ? 0 : bspi_load16(p, reader->big_endian);
}

static inline uint32_t bspi_read_u32(bspi_reader *reader) {
    const uint8_t *p = bspi_take(reader, 4);
    return p == NULL ? 0 : bspi_load32(p, reader->big_endian);
}

/// Returns the text up to the next NUL, which is skipped. Without a NUL it fails: an empty text.
static inline bsp_text bspi_read_string(bspi_reader *reader) {
    const uint8_t *start = reader->failed ? NULL : reader->bytes.data + reader->at;
    const uint8_t *end = start == NULL ? NULL : memchr(start, '\0', bspi_left(reader));
    if (end == NULL) {
        reader->failed = true;
        return (bsp_text){NULL, 0};
    }
    size_t size = (size_t)(end - start);
    reader->at += size + 1;
    return (bsp_text){(const char *)start, size};
}

/// Returns a part of `bytes`, or an empty view when it does not lie in them as a whole.
static inline bsp_bytes bspi_slice(bsp_bytes bytes, uint64_t offset, uint64_t size) {
    bsp_bytes slice = {NULL, 0};
    if (offset <= bytes.size && size <= bytes.size - offset && size != 0) {
        slice.data = bytes.data + offset;
        slice.size = (size_t)size;
    }
    return slice;
}

#endif
