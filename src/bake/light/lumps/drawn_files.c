// SPDX-License-Identifier: MIT
// Quake 3: pages beside the map as files: TGA of 24 bits, rows from the bottom, as q3map2 writes
// them. Format: Truevision's TGA specification 2.0.
#include "bake/light/drawn/drawn.h"
#include "bake/light/lumps/drawn_light.h"

#include "core/text.h"

#include <stdio.h>
#include <string.h>

#define HEAD 18u      // bytes
#define TRUE_COLOUR 2 // kind of image
#define BITS 24       // of a pixel

static void put_head(uint8_t *head, uint32_t width, uint32_t height) {
    memset(head, 0, HEAD);
    head[2] = TRUE_COLOUR;
    head[12] = (uint8_t)width;
    head[13] = (uint8_t)(width >> 8);
    head[14] = (uint8_t)height;
    head[15] = (uint8_t)(height >> 8);
    head[16] = BITS;
}

static uint8_t *make_file(bspi_relight *own, const bspi_drawn_page *page, size_t size,
                          bsp_error *error) {
    uint8_t *file = bspi_arena_raw(&own->arena, size, 1, error);
    if (file == NULL) {
        return NULL;
    }
    put_head(file, page->width, page->height);
    uint8_t *to = file + HEAD;
    for (uint32_t y = page->height; y-- > 0;) {
        const uint8_t *from = own->drawn->luxels + 3 * (page->first + (size_t)y * page->width);
        for (uint32_t x = 0; x < page->width; x++, from += 3, to += 3) {
            to[0] = from[2];
            to[1] = from[1];
            to[2] = from[0];
        }
    }
    return file;
}

// Returns the name of the file of a page: that of its image, without folders and ending.
static bsp_text name_of(bspi_relight *own, uint32_t number, bsp_error *error) {
    const bsp_light_image *image = &own->options->external->pages[number];
    bsp_text base = bspi_text_last_part(image->name);
    size_t end = base.size;
    while (end > 0 && base.data[end - 1] != '.') {
        end--;
    }
    base.size = end > 1 ? end - 1 : base.size;
    char number_name[16];
    if (base.size == 0) {
        int size = snprintf(number_name, sizeof number_name, "lm_%04u", (unsigned)number);
        base = (bsp_text){number_name, (size_t)size};
    }
    char *name = bspi_arena_raw(&own->arena, base.size + 4, 1, error);
    if (name != NULL) {
        memcpy(name, base.data, base.size);
        memcpy(name + base.size, ".tga", 4);
    }
    return (bsp_text){name, name == NULL ? 0 : base.size + 4};
}

bool bspi_drawn_files(bspi_relight *own, bsp_error *error) {
    const bspi_drawn *drawn = own->drawn;
    uint32_t most = drawn->num_pages - drawn->num_inside;
    if (most == 0) {
        return true;
    }
    bsp_pak_change *files = bspi_arena_zero(&own->arena, most, sizeof *files, error);
    uint32_t count = 0;
    for (uint32_t p = drawn->num_inside; files != NULL && p < drawn->num_pages; p++) {
        const bspi_drawn_page *page = &drawn->pages[p];
        size_t size = HEAD + 3 * (size_t)page->width * page->height;
        if (page->width == 0) {
            continue;
        }
        const uint8_t *file = make_file(own, page, size, error);
        bsp_text name = name_of(own, p, error);
        if (file == NULL || name.data == NULL) {
            return false;
        }
        files[count].name = name;
        files[count++].data = (bsp_bytes){file, size};
    }
    own->relight.page_files = files;
    own->relight.num_page_files = count;
    return files != NULL;
}
