// SPDX-License-Identifier: MIT
// MD5, by which newer engines compare maps (RFC 1321). It is broken: not for secrets.
#ifndef BSPI_PACK_MD5_H
#define BSPI_PACK_MD5_H

#include "pack/digest_blocks.h"

#define BSPI_MD5_SIZE 16

/// A digest of bytes that are added piece by piece.
typedef struct bspi_md5 {
    uint32_t state[4];
    bspi_digest_blocks blocks;
} bspi_md5;

void bspi_md5_begin(bspi_md5 *md5);
void bspi_md5_add(bspi_md5 *md5, bsp_bytes data);
void bspi_md5_end(bspi_md5 *md5, uint8_t digest[BSPI_MD5_SIZE]);

#endif
