// SPDX-License-Identifier: MIT
// SHA-256, by which people tell files apart (FIPS 180-4).
#ifndef BSPI_PACK_SHA256_H
#define BSPI_PACK_SHA256_H

#include "pack/digest_blocks.h"

#define BSPI_SHA256_SIZE 32

/// A digest of bytes that are added piece by piece.
typedef struct bspi_sha256 {
    uint32_t state[8];
    bspi_digest_blocks blocks;
} bspi_sha256;

void bspi_sha256_begin(bspi_sha256 *sha256);
void bspi_sha256_add(bspi_sha256 *sha256, bsp_bytes data);
void bspi_sha256_end(bspi_sha256 *sha256, uint8_t digest[BSPI_SHA256_SIZE]);

#endif
