// SPDX-License-Identifier: MIT
/// @file pack.h
/// Packed bytes: LZMA as Source packs lumps, gzip, and the CRC-32 of zip files.
#ifndef BSPKIT_PACK_H
#define BSPKIT_PACK_H

#include "bspkit/core.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The 17-byte head of an LZMA-compressed lump: "LZMA", size, compressed size, 5 property bytes
/// (Source SDK, lzma_header_t).
#define BSP_LZMA_HEAD 17

/// Returns true if the bytes begin with a head of LZMA data. `*size` receives the unpacked size.
BSP_API bool bsp_lzma_probe(bsp_bytes packed, uint32_t *size);

/// Unpacks a whole LZMA lump, head included, into `out`, which has room for the size in the head.
/// Fails with BSP_E_DAMAGED if the data ends early or is broken, and without memory.
BSP_API bool bsp_lzma_unpack(bsp_bytes packed, uint8_t *out, const bsp_allocator *allocator,
                             bsp_error *error);

/// Packs bytes as a whole LZMA lump, head included, as the engine reads them: no end mark, a
/// dictionary of at most 16 MiB. The same bytes for the same version of liblzma. Free `out` with
/// bsp_blob_free.
BSP_API bool bsp_lzma_pack(bsp_bytes data, const bsp_allocator *allocator, bsp_blob *out,
                           bsp_error *error);

/// Packs bytes as one member of gzip (RFC 1952), without name and date. The same bytes for the same
/// version of libdeflate. Free `out` with bsp_blob_free.
BSP_API bool bsp_gzip_pack(bsp_bytes data, const bsp_allocator *allocator, bsp_blob *out,
                           bsp_error *error);

/// Returns the CRC-32 (zlib's polynomial) of `data`, continuing from `crc` (0 to begin).
BSP_API uint32_t bsp_crc32(uint32_t crc, bsp_bytes data);

#ifdef __cplusplus
}
#endif
#endif
