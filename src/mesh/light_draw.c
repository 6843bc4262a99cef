// SPDX-License-Identifier: MIT
// Pages of light: their memory, and luxels drawn into them.
#include "mesh/lightmap.h"

#include "core/workers.h"

#include <string.h>

#define DEFAULT_WIDTH 1024u
#define MAX_WIDTH 16384u
#define THREAD_LUXELS 100000u // as many take about a millisecond
#define MOST_RECTS 64u        // that a thread draws before it takes the next

bool bspi_light_pages(bspi_light_builder *builder) {
    bspi_lightmap *own = builder->own;
    bspi_page_size *sizes;
    uint32_t width = builder->options->width;
    width = width == 0 ? DEFAULT_WIDTH : width < MAX_WIDTH ? width : MAX_WIDTH;
    uint32_t count;
    if (!bspi_light_pack(builder->rects, builder->num_rects, width, &own->arena, &sizes, &count,
                         builder->error)) {
        return false;
    }
    bsp_light_page *pages =
        bspi_arena_zero(&own->arena, count, sizeof(bsp_light_page), builder->error);
    for (uint32_t i = 0; pages != NULL && i < count; i++) {
        size_t texels = (size_t)sizes[i].width * sizes[i].height;
        uint8_t *rgba = bspi_arena_raw(&own->arena, texels, 4, builder->error);
        if (rgba == NULL) {
            return false;
        }
        for (size_t t = 0; t < texels; t++) {
            memcpy(rgba + 4 * t, "\0\0\0\377", 4);
        }
        pages[i] = (bsp_light_page){rgba, sizes[i].width, sizes[i].height};
    }
    own->lightmap.pages = pages;
    own->lightmap.num_pages = pages == NULL ? 0 : count;
    return pages != NULL;
}

void bspi_light_draw(const bspi_light_builder *builder, const bspi_rect *rect, bspi_texel_row draw,
                     const void *user) {
    const bsp_light_page *page = &builder->own->lightmap.pages[rect->page];
    uint8_t *rgba = (uint8_t *)(uintptr_t)page->rgba; // the builder owns it; it is const for users
    uint32_t width = rect->width - 2 * BSPI_BORDER;
    uint32_t height = rect->height - 2 * BSPI_BORDER;
    size_t pitch = (size_t)page->width * 4;
    uint8_t *first = rgba + rect->y * pitch + (size_t)rect->x * 4;
    for (uint32_t y = 0; y < height; y++) {
        uint8_t *row = first + (y + BSPI_BORDER) * pitch;
        draw(user, y, width, row + 4 * BSPI_BORDER);
        memcpy(row, row + 4, 4);
        memcpy(row + 4 * (size_t)(width + 1), row + 4 * (size_t)width, 4);
    }
    memcpy(first, first + pitch, 4 * (size_t)rect->width);
    memcpy(first + (height + 1) * pitch, first + height * pitch, 4 * (size_t)rect->width);
}

typedef struct drawing {
    bspi_draw_rect draw;
    void *user;
    uint32_t count;
    uint32_t each; // rectangles of an item
} drawing;

static bool draw_some(void *user, uint32_t worker, uint32_t item, bsp_error *error) {
    const drawing *d = user;
    (void)worker;
    (void)error;
    for (uint32_t i = item * d->each; i < d->count && i < (item + 1) * d->each; i++) {
        d->draw(d->user, i);
    }
    return true;
}

bool bspi_light_draw_all(bspi_light_builder *builder, bspi_draw_rect draw, void *user) {
    bool small = builder->own->lightmap.luxels < THREAD_LUXELS;
    uint32_t threads = small ? 1 : bspi_heap_threads(&builder->own->heap);
    uint32_t each = builder->num_rects / (8 * threads);
    each = each < 1 ? 1 : each < MOST_RECTS ? each : MOST_RECTS;
    drawing d = {draw, user, builder->num_rects, each};
    uint32_t items = builder->num_rects / each + (builder->num_rects % each != 0);
    return bspi_workers_each(threads, items, draw_some, &d, builder->error);
}
