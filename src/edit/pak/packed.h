// SPDX-License-Identifier: MIT
// Lumps as files hold them packed.
#ifndef BSPI_EDIT_PAK_PACKED_H
#define BSPI_EDIT_PAK_PACKED_H

#include "bspkit/edit.h"
#include "core/memory.h"

/// As bsp_lump_pack; `heap` pays while it packs.
bool bspi_lump_pack(bspi_heap *heap, const bsp_lump *lump, bsp_bytes data, bsp_blob *out,
                    bsp_error *error);

#endif
