// SPDX-License-Identifier: MIT
/// @file pak.h
/// The zip that is embedded in maps of Source.
#ifndef BSPKIT_PAK_H
#define BSPKIT_PAK_H

#include "bspkit/file.h"
#include "bspkit/pack.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How a file in a zip is packed.
typedef enum bsp_pak_method {
    BSP_PAK_STORED = 0,         ///< not packed
    BSP_PAK_DEFLATE = 8,        ///< as common zip programs pack
    BSP_PAK_LZMA = 14,          ///< what Source packs its maps with
    BSP_PAK_LZMA_LUMP = 0xFFFF, ///< as lumps are packed, head included (Counter-Strike Online 2)
} bsp_pak_method;

/// A file in an embedded zip.
typedef struct bsp_pak_entry {
    bsp_text name;
    uint16_t method;      ///< a bsp_pak_method, or one that is not known here
    uint16_t flags;       ///< of the zip's record
    uint32_t crc;         ///< CRC-32 of the unpacked file
    uint32_t packed_size; ///< bytes in the zip
    uint32_t size;        ///< unpacked
    bsp_bytes packed;     ///< in the file; empty when it is not all there
    size_t offset;        ///< of the local head in the pak
    size_t record;        ///< of its record in the directory; SIZE_MAX without one
} bsp_pak_entry;

/// The directory of an embedded zip.
typedef struct bsp_pak {
    const bsp_pak_entry *entries; ///< in the order of the directory
    uint32_t count;
    bsp_text comment; ///< of the whole zip
    void *owner;      ///< private; NULL: a program made the struct itself
} bsp_pak;

/// Reads the directory of a zip in `data`, or of the archive that Counter-Strike Online 2 has in
/// its place; `data` must outlive it. Entries that are not there are issues (`issues` may be
/// NULL). Returns NULL only without memory.
BSP_API bsp_pak *bsp_pak_open(bsp_bytes data, const bsp_allocator *allocator, bsp_issues *issues,
                              bsp_error *error);
/// Frees the directory of a zip; its bytes stay. NULL is allowed and does nothing.
BSP_API void bsp_pak_close(bsp_pak *pak);

/// Reads the directory of the zip in a file, which must outlive it. Of a mapped file no more than a
/// few MiB are in memory at a time for it. `issues` may be NULL. Returns NULL with BSP_E_ARGUMENT
/// if its branch embeds none, or without memory. Free with bsp_pak_close.
BSP_API bsp_pak *bsp_file_pak(const bsp_file *file, bsp_issues *issues, bsp_error *error);

/// Unpacks a file and compares its checksum. Fails with BSP_E_DAMAGED when it is not all there, not
/// what it was, or of a size that its bytes cannot unpack to; BSP_E_ENCRYPTED when a password is
/// needed; BSP_E_ARGUMENT when there is no such entry; BSP_E_UNSUPPORTED for other methods;
/// BSP_E_LIMIT where the limits of the file that the zip is in do not allow it. Free `out` with
/// bsp_blob_free.
BSP_API bool bsp_pak_read(const bsp_pak *pak, uint32_t entry, const bsp_allocator *allocator,
                          bsp_blob *out, bsp_error *error);

#ifdef __cplusplus
}
#endif
#endif
