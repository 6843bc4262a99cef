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

/// Where the next rectangle goes: rows from the top of a page, each as high as its highest
/// rectangle. All zero: the first page is empty.
typedef struct bspi_shelf {
    uint32_t page;
    uint32_t x;
    uint32_t y;
    uint32_t height; ///< of the row
} bspi_shelf;

/// A place for a rectangle: its page and upper left corner.
typedef struct bspi_shelf_place {
    uint32_t page;
    uint32_t x;
    uint32_t y;
} bspi_shelf_place;

/// Places a rectangle on the row if it fits there, else at the left of the next row, or of the next
/// page. One that is larger than a page stands at its left, or at its top.
bspi_shelf_place bspi_shelf_add(bspi_shelf *shelf, uint32_t width, uint32_t height,
                                uint32_t page_width, uint32_t page_height);

/// Places all rectangles, and reorders them, on pages of at most `side` texels a side, or the size
/// of the largest rectangle. `*pages` (in the arena) receives the sizes.
bool bspi_light_pack(bspi_rect *rects, uint32_t count, uint32_t side, bspi_arena *arena,
                     bspi_page_size **pages, uint32_t *num_pages, bsp_error *error);

#endif
