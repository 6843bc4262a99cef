// SPDX-License-Identifier: MIT
// A file as a zip has it: its head, its name and its packed bytes.
#ifndef BSPI_EDIT_ZIP_RECORD_H
#define BSPI_EDIT_ZIP_RECORD_H

#include "bspkit/edit.h"
#include "core/buffer.h"

/// A member of a zip's record, by its name in the layout. The value fits.
void bspi_zip_set(const bsp_layout *layout, uint8_t *record, const char *name, uint32_t value);
uint32_t bspi_zip_get(const bsp_layout *layout, const uint8_t *record, const char *name);

/// The least version of a reader that knows the method.
uint16_t bspi_zip_version(uint16_t method);

/// Fills what a file's head and its record in the directory share.
void bspi_zip_describe(const bsp_layout *layout, uint8_t *record, const bsp_pak_change *change,
                       uint32_t packed);

/// "XZP1 512", "XZP2 2048": what a zip's comment says that the data of files is aligned to; 1:
/// none.
uint32_t bspi_zip_alignment(bsp_text comment);

/// Adds the data of a file as its method packs it.
bool bspi_zip_pack(const bsp_pak_change *change, bspi_buffer *out);

/// Writes a zip again with every file packed as LZMA, or none. All else stays; `*out` stays empty
/// when nothing changes, or when the zip is so damaged that it is better left alone.
bool bspi_zip_set_method(bsp_bytes data, bool lzma, bspi_heap *heap, bspi_buffer *out,
                         bsp_error *error);

/// Bytes of a new file before its data.
uint32_t bspi_zip_head_size(const bsp_pak_change *change);
/// A new file: head, name, packed bytes. `out` is empty before.
bool bspi_zip_record(const bsp_pak_change *change, bspi_buffer *out);

#endif
