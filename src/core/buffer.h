// SPDX-License-Identifier: MIT
// Bytes that grow: what a file is written into. Failure is sticky.
#ifndef BSPI_BUFFER_H
#define BSPI_BUFFER_H

#include "core/memory.h"

typedef struct bspi_buffer {
    bspi_heap *heap;
    uint8_t *data;
    size_t size;
    size_t room;
    bsp_error *error;
    bool failed;
} bspi_buffer;

/// Adds `size` zero bytes and returns where they are, or NULL after a failure. The place holds
/// until the next call.
uint8_t *bspi_buffer_grow(bspi_buffer *buffer, size_t size);
void bspi_buffer_add(bspi_buffer *buffer, const void *data, size_t size);
void bspi_buffer_u32(bspi_buffer *buffer, uint32_t value, bool big_endian);
/// Zeros up to a multiple of `alignment`.
void bspi_buffer_align(bspi_buffer *buffer, size_t alignment);
void bspi_buffer_free(bspi_buffer *buffer);
/// The bytes (some, and no failure before) as the caller's own: the room behind them is given back,
/// since a blob is freed by its size. The buffer is of no more use.
bool bspi_buffer_give(bspi_buffer *buffer, bsp_blob *out);

#endif
