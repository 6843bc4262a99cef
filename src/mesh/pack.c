// SPDX-License-Identifier: MIT
// The shelf packer: rectangles fill rows. Sorted by height, they leave little room between.
#include "mesh/pack.h"

#include <stdlib.h>

#define MIN_SIDE 16u

static int compare(uint32_t a, uint32_t b) {
    return (a > b) - (a < b);
}

static int taller_first(const void *left, const void *right) {
    const bspi_rect *a = left;
    const bspi_rect *b = right;
    int order = compare(b->height, a->height);
    order = order != 0 ? order : compare(b->width, a->width);
    return order != 0 ? order : compare(a->owner, b->owner);
}

// Returns the smallest power of two whose square holds them all, at most `side`, and not less than
// the widest rectangle.
static uint32_t page_width(const bspi_rect *rects, uint32_t count, uint32_t side) {
    uint64_t area = 0;
    uint32_t widest = 0;
    for (uint32_t i = 0; i < count; i++) {
        area += (uint64_t)rects[i].width * rects[i].height;
        widest = rects[i].width > widest ? rects[i].width : widest;
    }
    uint32_t width = MIN_SIDE;
    while ((uint64_t)width * width < area && width < side) {
        width *= 2;
    }
    width = width < side ? width : side;
    return width > widest ? width : widest;
}

bspi_shelf_place bspi_shelf_add(bspi_shelf *shelf, uint32_t width, uint32_t height,
                                uint32_t page_width, uint32_t page_height) {
    if ((uint64_t)shelf->x + width > page_width) {
        shelf->y += shelf->height;
        shelf->x = shelf->height = 0;
    }
    if (shelf->y != 0 && (shelf->y >= page_height || height > page_height - shelf->y)) {
        shelf->page++;
        shelf->x = shelf->y = shelf->height = 0;
    }
    bspi_shelf_place place = {shelf->page, shelf->x, shelf->y};
    shelf->x += width;
    shelf->height = height > shelf->height ? height : shelf->height;
    return place;
}

bool bspi_light_pack(bspi_rect *rects, uint32_t count, uint32_t side, bspi_arena *arena,
                     bspi_page_size **pages, uint32_t *num_pages, bsp_error *error) {
    uint32_t width = page_width(rects, count, side);
    bspi_shelf shelf = {0};
    if (count != 0) {
        qsort(rects, count, sizeof *rects, taller_first);
    }
    for (uint32_t i = 0; i < count; i++) {
        bspi_shelf_place at = bspi_shelf_add(&shelf, rects[i].width, rects[i].height, width, side);
        rects[i].page = at.page;
        rects[i].x = at.x;
        rects[i].y = at.y;
    }
    *num_pages = count == 0 ? 0 : shelf.page + 1;
    *pages = bspi_arena_zero(arena, *num_pages, sizeof **pages, error);
    for (uint32_t i = 0; *pages != NULL && i < count; i++) {
        bspi_page_size *page = &(*pages)[rects[i].page];
        uint32_t bottom = rects[i].y + rects[i].height;
        page->width = width;
        page->height = bottom > page->height ? bottom : page->height;
    }
    return *pages != NULL;
}
