// SPDX-License-Identifier: MIT
// Streams of deflate that are parts of one: each was compressed by itself.
#ifndef BSPI_PACK_DEFLATE_JOIN_H
#define BSPI_PACK_DEFLATE_JOIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Bytes that a stream grows by at most.
#define BSPI_DEFLATE_MARKER 5u

/// Changes a whole stream of `size` bytes so that another can follow it: its block is no longer the
/// last, and an empty one ends it at the end of a byte. There is room for BSPI_DEFLATE_MARKER bytes
/// more. Returns the new size, or 0 if the stream has more than one block, or if where it ends
/// within its last byte cannot be told without reading all of it; its bytes may be changed then.
size_t bspi_deflate_open(uint8_t *stream, size_t size);

/// Writes `size` bytes, at least one, as they are to `out`, which has room for
/// bspi_deflate_stored_size(size). `last`: nothing follows. Returns the end.
uint8_t *bspi_deflate_store(const uint8_t *data, size_t size, bool last, uint8_t *out);
size_t bspi_deflate_stored_size(size_t size);

/// Returns the Adler-32 of data whose parts have the sums `first` and `second`; the second has
/// `size` bytes.
uint32_t bspi_adler32_join(uint32_t first, uint32_t second, size_t size);

#endif
