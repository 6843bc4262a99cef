// SPDX-License-Identifier: MIT
// LZMA1 streams without a head, and the memory that unpacking needs.
#ifndef BSPI_PACK_LZMA_H
#define BSPI_PACK_LZMA_H

#include "bspkit/pack.h"
#include "core/buffer.h"

#define BSPI_LZMA_PROPERTIES 5

/// Returns the most bytes that unpacking a lump allocates besides the output.
size_t bspi_lzma_memory(bsp_bytes packed);

/// Returns the same for any stream of `size` bytes.
size_t bspi_lzma_scratch(size_t size);

/// Unpacks a stream of `size` bytes.
bool bspi_lzma_decode(const uint8_t properties[BSPI_LZMA_PROPERTIES], bsp_bytes packed,
                      uint8_t *out, size_t size, const bsp_allocator *allocator, bsp_error *error);

/// Packs as bsp_lzma_pack does; the budget of `heap` covers the memory.
bool bspi_lzma_pack(bspi_heap *heap, bsp_bytes data, bsp_blob *out, bsp_error *error);
/// Appends the properties and the stream, without an end mark, to `out`; the budget of its heap
/// covers the memory.
bool bspi_lzma_encode(bsp_bytes data, bspi_buffer *out);

#endif
