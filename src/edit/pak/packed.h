// SPDX-License-Identifier: MIT
// Lumps in the packed form of files.
#ifndef BSPI_EDIT_PAK_PACKED_H
#define BSPI_EDIT_PAK_PACKED_H

#include "bspkit/edit.h"
#include "core/memory.h"

/// Packs as bsp_lump_pack does; `heap` counts the memory.
bool bspi_lump_pack(bspi_heap *heap, const bsp_lump *lump, bsp_bytes data, bsp_blob *out,
                    bsp_error *error);

#endif
