// SPDX-License-Identifier: MIT
// Packs rectangles onto pages by shelves, tallest first. The same input gives the same places on
// every machine.
#ifndef BSPI_PACK_H
#define BSPI_PACK_H

#include "core/memory.h"

typedef struct bspi_rect {
    uint32_t width; ///< including the border
    uint32_t height;
    uint32_t owner; ///< any number of the caller; places depend on it only for ties
    uint32_t page;
    uint32_t x;
    uint32_t y;
} bspi_rect;

typedef struct bspi_page_size {
    uint32_t width;
    uint32_t height;
} bspi_page_size;

/// Places all rectangles, and reorders them, on pages of at most `side` texels a side, or the size
/// of the largest rectangle. `*pages` (in the arena) receives the sizes.
bool bspi_light_pack(bspi_rect *rects, uint32_t count, uint32_t side, bspi_arena *arena,
                     bspi_page_size **pages, uint32_t *num_pages, bsp_error *error);

#endif
