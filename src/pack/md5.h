// SPDX-License-Identifier: MIT
// MD5, which newer engines compare maps by (RFC 1321). Not for secrets: it is broken.
#ifndef BSPI_PACK_MD5_H
#define BSPI_PACK_MD5_H

#include "bspkit/core.h"

#define BSPI_MD5_SIZE 16

/// A digest being made of bytes that come piece by piece.
typedef struct bspi_md5 {
    uint32_t state[4];
    uint64_t size;     ///< bytes so far
    uint8_t block[64]; ///< the last of them that fill no block
} bspi_md5;

void bspi_md5_begin(bspi_md5 *md5);
void bspi_md5_add(bspi_md5 *md5, bsp_bytes data);
void bspi_md5_end(bspi_md5 *md5, uint8_t digest[BSPI_MD5_SIZE]);

#endif
