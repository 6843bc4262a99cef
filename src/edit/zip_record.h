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

/// Bytes of a new file before its data.
uint32_t bspi_zip_head_size(const bsp_pak_change *change);
/// A new file: head, name, packed bytes. `out` is empty before.
bool bspi_zip_record(const bsp_pak_change *change, bspi_buffer *out);

#endif
