// SPDX-License-Identifier: MIT
// The zip in a map, and the archive of Counter-Strike Online 2 in its place.
#ifndef BSPI_RECORDS_PAK_H
#define BSPI_RECORDS_PAK_H

#include "bspkit/pak.h"
#include "core/memory.h"
#include "core/reader.h"

/// Opens a zip in a lump of `file`, which may be NULL and must outlive it; the memory counts for
/// the file.
bsp_pak *bspi_pak_open(bsp_bytes data, const bsp_file *file, const bsp_allocator *allocator,
                       bsp_issues *issues, bsp_error *error);

bsp_bytes bspi_pak_data(const bsp_pak *pak);

/// Returns the heap that counts what is read from the zip; NULL where a program made the struct.
bspi_heap *bspi_pak_heap(const bsp_pak *pak);

const bsp_file *bspi_pak_file(const bsp_pak *pak);

/// Returns true if a record that begins with `mark` lies in the archive at byte `at`. Archives are
/// little-endian in every file.
static inline bool bspi_pak_has_record(bsp_bytes data, uint64_t at, uint32_t mark,
                                       const bsp_layout *layout) {
    return bspi_slice(data, at, layout->size).size != 0 &&
           bspi_load32(data.data + at, false) == mark;
}

/// Returns true for the archive of Counter-Strike Online 2.
bool bspi_is_cs_pak(bsp_bytes data);

bool bspi_cs_pak_list(bsp_bytes data, bspi_arena *arena, bsp_issues *issues, bsp_pak *out,
                      bsp_error *error);

/// Unpacks a file of a zip (DEFLATE or LZMA) that has `size` bytes.
bool bspi_zip_unpack(uint16_t method, bsp_bytes packed, uint8_t *out, size_t size,
                     const bsp_allocator *allocator, bsp_error *error);

/// The most bytes that one byte of DEFLATE data can unpack to, rounded up.
#define BSPI_DEFLATE_RATIO 1040u

#endif
