// SPDX-License-Identifier: MIT
// Checksums of parts of a file, kept by who computed them: a zip says what its files must have, and
// once that is checked, the checksum of the whole is put together from theirs.
#ifndef BSPI_RECORDS_VERIFIED_RANGES_H
#define BSPI_RECORDS_VERIFIED_RANGES_H

#include "records/page_window.h"

/// Some bytes of a file, whose CRC-32 is what the file says it is.
typedef struct bspi_verified_part {
    const uint8_t *data;
    size_t size;
    uint32_t crc;
} bspi_verified_part;

/// A list of them in order, none of which share bytes.
typedef struct bspi_verified {
    size_t count;
    size_t room;
    bspi_verified_part parts[];
} bspi_verified;

/// Parts smaller than this are as quickly read.
#define BSPI_KNOWN_LEAST ((size_t)1 << 17)

/// A list with room for so many; NULL without memory, which is of no consequence.
bspi_verified *bspi_verified_new(const bsp_file *file, size_t room);
void bspi_verified_add(bspi_verified *known, bsp_bytes data, uint32_t crc);
/// Gives the list (which may be NULL) to the file; the first one that it gets stays.
void bspi_verified_publish(const bsp_file *file, bspi_verified *known);
void bspi_verified_free(bsp_file *file);

/// The first part of the file that ends behind a place, or NULL.
const bspi_verified_part *bspi_verified_from(const bsp_file *file, const uint8_t *place);

/// The CRC-32 of two runs of bytes behind each other: that of the first, that of the second, and
/// how many bytes the second has.
uint32_t bspi_crc32_join(uint32_t first, uint32_t second, uint64_t size);

/// As bspi_window_crc32, of bytes of the trail's file.
uint32_t bspi_verified_crc32(bspi_window *trail, uint32_t crc, bsp_bytes data);

#endif
