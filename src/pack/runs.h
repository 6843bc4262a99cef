// SPDX-License-Identifier: MIT
// Deflate that looks for runs of one byte only.
#ifndef BSPI_PACK_RUNS_H
#define BSPI_PACK_RUNS_H

#include <stddef.h>
#include <stdint.h>

#define BSPI_RUNS_TOKENS 32768u // of a block

/// What bspi_runs_pack works with: no content is kept from one call to the next.
typedef struct bspi_runs {
    uint16_t tokens[BSPI_RUNS_TOKENS];
} bspi_runs;

/// Returns the most bytes that `size` bytes become.
size_t bspi_runs_bound(size_t size);

/// Packs bytes as zlib data (RFC 1950, 1951): Huffman codes for each block, and matches of distance
/// 1 only. Filtered rows of pictures hold few others, and nothing is searched. `out` has room for
/// bspi_runs_bound(size). Returns the bytes written.
size_t bspi_runs_pack(bspi_runs *work, const uint8_t *in, size_t size, uint8_t *out);

#endif
