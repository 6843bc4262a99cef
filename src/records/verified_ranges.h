// SPDX-License-Identifier: MIT
// Checksums of ranges of a file, kept once they were computed: a zip states what its files must
// have, and after that check the checksum of the whole file is combined from them.
#ifndef BSPI_RECORDS_VERIFIED_RANGES_H
#define BSPI_RECORDS_VERIFIED_RANGES_H

#include "records/page_window.h"

/// A range of a file whose CRC-32 was verified.
typedef struct bspi_verified_part {
    const uint8_t *data;
    size_t size;
    uint32_t crc;
} bspi_verified_part;

/// A sorted list of ranges without overlaps.
typedef struct bspi_verified {
    size_t count;
    size_t room;
    bspi_verified_part parts[];
} bspi_verified;

/// Smaller ranges are not kept, since reading them is as quick.
#define BSPI_KNOWN_LEAST ((size_t)1 << 17)

/// Returns a list with room for this many ranges; NULL without memory, which callers may ignore.
bspi_verified *bspi_verified_new(const bsp_file *file, size_t room);
void bspi_verified_add(bspi_verified *known, bsp_bytes data, uint32_t crc);
/// Gives the list, which may be NULL, to the file. A file keeps the first list that it gets.
void bspi_verified_publish(const bsp_file *file, bspi_verified *known);
void bspi_verified_free(bsp_file *file);

/// Returns the first range of the file that ends after an address, or NULL.
const bspi_verified_part *bspi_verified_from(const bsp_file *file, const uint8_t *place);

/// Returns the CRC-32 of two runs of bytes that follow each other, from the CRC-32 of each and the
/// size of the second.
uint32_t bspi_crc32_join(uint32_t first, uint32_t second, uint64_t size);

/// Computes as bspi_window_crc32 does, for bytes of the window's file.
uint32_t bspi_verified_crc32(bspi_window *window, uint32_t crc, bsp_bytes data);

#endif
