// SPDX-License-Identifier: MIT
// The bytes of a new file of a zip, which may stand on disk: examined when the zip is planned, and
// read and packed again when it is written, unless they are few.
#ifndef BSPI_EDIT_PAK_ZIP_CONTENT_H
#define BSPI_EDIT_PAK_ZIP_CONTENT_H

#include "edit/rewrite/plan.h"
#include "edit/pak/zip_record.h"

/// The most packed bytes that a plan keeps; the rest is packed again.
#define BSPI_ZIP_KEPT ((size_t)8 << 20)

/// New files of a zip. Plain data, allocated by its user, with one fact for each change.
typedef struct bspi_zip_content {
    const bsp_pak_change *changes;
    bspi_zip_facts *facts;
    size_t kept; ///< bytes kept so far
    bspi_heap *heap;
    bspi_maker maker;
} bspi_zip_content;

/// Sets the rest of `content`, which must not move afterwards.
void bspi_zip_content_init(bspi_zip_content *content);

/// Fills the facts of change `n`, and sets where its packed bytes come from.
bool bspi_zip_look(bspi_zip_content *content, uint32_t n, bspi_arena *arena, bspi_piece *out,
                   bsp_error *error);

#endif
