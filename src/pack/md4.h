// SPDX-License-Identifier: MIT
// MD4, which Quake's descendants compare maps by (RFC 1320). Not for secrets: it is broken.
#ifndef BSPI_PACK_MD4_H
#define BSPI_PACK_MD4_H

#include "bspkit/core.h"

/// The digest of bytes.
void bspi_md4(bsp_bytes data, uint8_t digest[16]);
/// The same folded as the games do it: its four little-endian words, xored.
uint32_t bspi_block_checksum(bsp_bytes data);

#endif
