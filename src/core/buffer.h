// SPDX-License-Identifier: MIT
// A buffer of bytes that grows, for building a file. After a failure every call does nothing.
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

/// Appends `size` zero bytes and returns a pointer to them, or NULL after a failure. The pointer is
/// valid until the next call.
uint8_t *bspi_buffer_grow(bspi_buffer *buffer, size_t size);
void bspi_buffer_add(bspi_buffer *buffer, const void *data, size_t size);
void bspi_buffer_u32(bspi_buffer *buffer, uint32_t value, bool big_endian);
/// Appends zeros up to a multiple of `alignment`.
void bspi_buffer_align(bspi_buffer *buffer, size_t alignment);
void bspi_buffer_free(bspi_buffer *buffer);
/// Moves the bytes to `out`, which the caller owns. The buffer must hold some bytes and have no
/// failure, and is empty afterwards. Unused capacity is released, since a blob is freed by
/// its size.
bool bspi_buffer_give(bspi_buffer *buffer, bsp_blob *out);

#endif
