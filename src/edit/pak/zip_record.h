// SPDX-License-Identifier: MIT
// The form of a file in a zip: numbers in its records, its head, and its packed bytes.
#ifndef BSPI_EDIT_PAK_ZIP_RECORD_H
#define BSPI_EDIT_PAK_ZIP_RECORD_H

#include "bspkit/edit.h"
#include "core/buffer.h"

/// Sets a field of a zip's record, by its name in the layout. The value must fit.
void bspi_zip_set(const bsp_layout *layout, uint8_t *record, const char *name, uint32_t value);
uint32_t bspi_zip_get(const bsp_layout *layout, const uint8_t *record, const char *name);

/// Returns the lowest version of a reader that supports the method.
uint16_t bspi_zip_version(uint16_t method);

/// Returns the alignment of the data of files that a zip's comment states ("XZP1 512", "XZP2
/// 2048"); 1: none.
uint32_t bspi_zip_alignment(bsp_text comment);

/// What a zip states about a file.
typedef struct bspi_zip_facts {
    uint16_t method;
    uint32_t crc;
    uint32_t size;
    uint32_t packed;
} bspi_zip_facts;

/// Fills the fields that a file's head and its record in the directory share.
void bspi_zip_describe(const bsp_layout *layout, uint8_t *record, bsp_text name,
                       const bspi_zip_facts *facts);

/// Returns the number of bytes of a new file before its data.
uint32_t bspi_zip_head_size(bsp_text name);
/// Writes these bytes.
void bspi_zip_head(uint8_t *out, bsp_text name, const bspi_zip_facts *facts);

/// Appends data, packed by a method.
bool bspi_zip_pack(uint16_t method, bsp_bytes data, bspi_buffer *out);

#endif
