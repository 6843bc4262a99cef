// SPDX-License-Identifier: MIT
// Quake 3: pages of directions ("deluxe" pages of q3map2, XreaL and others). Every second page is
// one, and no surface lies on it. Engines tell them by that, or by a key of the world.
#include "bake/light/base/keys.h"
#include "bake/light/drawn/drawn.h"

#include <math.h>

#define UNIT 0.06f     // how far from 1 the length of a direction in bytes is
#define MOST 0.9f      // of the luxels that must be such
#define INTO 126u      // byte: below it a direction points into its surface
#define TO_TANGENT 2.0 // value of the key for directions along surfaces

// Do surfaces lie on pages of even numbers alone?
static bool skips_pages(const bspi_relight *own) {
    bool any = false;
    for (uint32_t f = 0; f < own->map->num_faces; f++) {
        uint32_t page = bspi_drawn_page_of(own, f);
        if (page != BSP_NONE && page % 2 == 1) {
            return false;
        }
        any = any || page != BSP_NONE;
    }
    return any;
}

typedef struct counts {
    uint64_t some; // luxels that are not black
    uint64_t unit; // directions
    uint64_t into; // the surface, if they were along surfaces
} counts;

static void count_page(const bspi_drawn_page *page, counts *c) {
    for (size_t n = 0; n < (size_t)page->width * page->height; n++) {
        const uint8_t *at = page->before + 3 * n;
        float square = 0;
        for (int i = 0; i < 3; i++) {
            float part = (float)at[i] / 127.5f - 1;
            square += part * part;
        }
        if ((at[0] | at[1] | at[2]) != 0) {
            c->some++;
            c->unit += fabsf(sqrtf(square) - 1) < UNIT;
            c->into += at[2] < INTO;
        }
    }
}

bool bspi_deluxe_find(bspi_relight *own, bsp_error *error) {
    bspi_drawn *drawn = own->drawn;
    const bsp_entity *world = bspi_world_of(own->map->entities);
    double stated = 0;
    counts c = {0};
    if (drawn->num_pages < 2 || !skips_pages(own)) {
        return true;
    }
    for (uint32_t p = 1; p < drawn->num_pages; p += 2) {
        count_page(&drawn->pages[p], &c);
    }
    if (world != NULL) {
        stated = bspi_number(world, "deluxeMaps", bspi_number(world, "deluxeMapping", 0));
    }
    drawn->deluxe = c.some != 0 && (stated != 0 || (float)c.unit >= MOST * (float)c.some);
    drawn->tangent = stated != 0 ? stated >= TO_TANGENT : c.into == 0;
    return bspi_heap_work(&own->heap, 1 + drawn->num_luxels / 16, error);
}

uint32_t bspi_deluxe_page(const bspi_drawn *drawn, uint32_t page) {
    bool there = drawn->deluxe && page % 2 == 0 && page + 1 < drawn->num_pages &&
                 drawn->pages[page + 1].width == drawn->pages[page].width &&
                 drawn->pages[page + 1].height == drawn->pages[page].height;
    return there ? page + 1 : BSP_NONE;
}
