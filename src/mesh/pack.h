// SPDX-License-Identifier: MIT
// Rectangles onto pages: shelves, tallest first. The same input gives the same places everywhere.
#ifndef BSPI_PACK_H
#define BSPI_PACK_H

#include "core/memory.h"

typedef struct bspi_rect {
    uint32_t width; ///< border included
    uint32_t height;
    uint32_t owner; ///< whatever the caller calls it; places do not depend on it but for ties
    uint32_t page;
    uint32_t x;
    uint32_t y;
} bspi_rect;

typedef struct bspi_page_size {
    uint32_t width;
    uint32_t height;
} bspi_page_size;

/// Places all rectangles (their order is changed) on pages of at most `side` texels a side, or as
/// much as the largest needs. `*pages` (in the arena) receives the sizes.
bool bspi_light_pack(bspi_rect *rects, uint32_t count, uint32_t side, bspi_arena *arena,
                     bspi_page_size **pages, uint32_t *num_pages, bsp_error *error);

#endif
