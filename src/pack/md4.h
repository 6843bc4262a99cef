// SPDX-License-Identifier: MIT
// MD4, by which Quake and its successors compare maps (RFC 1320). It is broken: not for secrets.
#ifndef BSPI_PACK_MD4_H
#define BSPI_PACK_MD4_H

#include "bspkit/core.h"

/// Computes the digest of bytes.
void bspi_md4(bsp_bytes data, uint8_t digest[16]);
/// Returns the digest folded as the games do it: its four little-endian words, xored.
uint32_t bspi_block_checksum(bsp_bytes data);

#endif
