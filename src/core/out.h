// SPDX-License-Identifier: MIT
// A buffered writer to a sink: little-endian numbers and text. After a failure every call does
// nothing.
#ifndef BSPI_OUT_H
#define BSPI_OUT_H

#include "core/reader.h"

#include <string.h>

/// A writer. Plain data on the caller's stack; after a failure every call does nothing.
typedef struct bspi_out {
    bsp_sink sink;
    void *user;
    uint64_t written; ///< bytes given to the sink
    size_t used;
    bool failed;
    uint8_t buffer[8192]; ///< small, because it lies on the stack
} bspi_out;

void bspi_out_begin(bspi_out *out, bsp_sink sink, void *user);
/// Sends what is buffered. Returns false if the sink failed, now or earlier.
bool bspi_out_flush(bspi_out *out);

/// The most bytes that are copied to the buffer; larger pieces go to the sink as they are.
#define BSPI_OUT_PIECE ((size_t)1024)

/// Returns `size` contiguous bytes, at most BSPI_OUT_PIECE, which the caller fills.
static inline uint8_t *bspi_out_room(bspi_out *out, size_t size) {
    if (sizeof out->buffer - out->used < size) {
        (void)bspi_out_flush(out);
    }
    uint8_t *place = out->buffer + out->used;
    out->used += size;
    return place;
}

/// Sends what is buffered, then `data` itself.
void bspi_out_large(bspi_out *out, const void *data, size_t size);

/// Writes bytes. It is inline since most pieces are a few characters long, and known.
static inline void bspi_out_bytes(bspi_out *out, const void *data, size_t size) {
    if (size >= BSPI_OUT_PIECE) {
        bspi_out_large(out, data, size);
    } else if (size != 0) {
        memcpy(bspi_out_room(out, size), data, size);
    }
}

void bspi_out_zeros(bspi_out *out, size_t size);

static inline void bspi_out_u16(bspi_out *out, uint16_t value) {
    uint8_t *place = bspi_out_room(out, 2);
    place[0] = (uint8_t)value;
    place[1] = (uint8_t)(value >> 8);
}

static inline void bspi_out_u32(bspi_out *out, uint32_t value) {
    bspi_store32(bspi_out_room(out, 4), value, false);
}

/// Writes numbers. It is inline since millions of vertices have two or three.
static inline void bspi_out_floats(bspi_out *out, const float *values, int count) {
    uint8_t *place = bspi_out_room(out, 4 * (size_t)count);
    for (int i = 0; i < count; i++) {
        bspi_store32(place + 4 * (size_t)i, bspi_float_bits(values[i]), false);
    }
}

static inline void bspi_out_text(bspi_out *out, const char *text) {
    bspi_out_bytes(out, text, strlen(text));
}
void bspi_out_number(bspi_out *out, uint64_t value);
/// Writes a blank and the shortest decimal that reads back as `value`.
void bspi_out_decimal(bspi_out *out, float value);

#endif
