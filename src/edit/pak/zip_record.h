// SPDX-License-Identifier: MIT
// A file as a zip has it: numbers in its records, its head, and its packed bytes.
#ifndef BSPI_EDIT_PAK_ZIP_RECORD_H
#define BSPI_EDIT_PAK_ZIP_RECORD_H

#include "bspkit/edit.h"
#include "core/buffer.h"

/// A member of a zip's record, by its name in the layout. The value fits.
void bspi_zip_set(const bsp_layout *layout, uint8_t *record, const char *name, uint32_t value);
uint32_t bspi_zip_get(const bsp_layout *layout, const uint8_t *record, const char *name);

/// The least version of a reader that knows the method.
uint16_t bspi_zip_version(uint16_t method);

/// "XZP1 512", "XZP2 2048": what a zip's comment says that the data of files is aligned to; 1:
/// none.
uint32_t bspi_zip_alignment(bsp_text comment);

/// What a zip says of a file.
typedef struct bspi_zip_facts {
    uint16_t method;
    uint32_t crc;
    uint32_t size;
    uint32_t packed;
} bspi_zip_facts;

/// Fills what a file's head and its record in the directory share.
void bspi_zip_describe(const bsp_layout *layout, uint8_t *record, bsp_text name,
                       const bspi_zip_facts *facts);

/// Bytes of a new file before its data.
uint32_t bspi_zip_head_size(bsp_text name);
/// They themselves.
void bspi_zip_head(uint8_t *out, bsp_text name, const bspi_zip_facts *facts);

/// Adds data as a method packs it.
bool bspi_zip_pack(uint16_t method, bsp_bytes data, bspi_buffer *out);

#endif
