// SPDX-License-Identifier: MIT
// Images: their memory, the detection of formats, and colours from a palette.
#include "asset/image/image.h"

#include "core/memory.h"
#include "formats/composites.h"

#include <assert.h>

// --- memory -------------------------------------------------------------------------------------

bool bspi_image_fits(uint64_t width, uint64_t height, const bsp_image_options *options,
                     bsp_error *error) {
    bspi_heap heap;
    bspi_image_heap(&heap, options);
    uint64_t bytes = width * height * 4;
    if (bytes > SIZE_MAX || !bspi_heap_charge(&heap, (size_t)bytes, error)) {
        return false;
    }
    bspi_heap_discharge(&heap, (size_t)bytes);
    return true;
}

bool bspi_image_new(uint64_t width, uint64_t height, const bsp_image_options *options,
                    bsp_image *out, bsp_error *error) {
    if (width == 0 || height == 0 || width > BSP_IMAGE_MAX || height > BSP_IMAGE_MAX) {
        return bsp_fail(error, BSP_E_DAMAGED, NULL, "an image of %llu x %llu pixels",
                        (unsigned long long)width, (unsigned long long)height);
    }
    bspi_heap heap;
    bspi_image_heap(&heap, options);
    size_t size = (size_t)(width * height * 4);
    if (!bspi_heap_work(&heap, width * height, error)) {
        return false;
    }
    out->pixels = bspi_heap_alloc(&heap, size, error);
    if (out->pixels == NULL) {
        return false;
    }
    bspi_heap_give(&heap, size);
    out->width = (uint32_t)width;
    out->height = (uint32_t)height;
    out->allocator = heap.allocator;
    return true;
}

void bsp_image_free(bsp_image *image) {
    if (image != NULL && image->pixels != NULL) {
        size_t size = (size_t)image->width * image->height * 4;
        image->allocator.resize(image->allocator.user, image->pixels, size, 0);
        *image = (bsp_image){0};
    }
}

bool bsp_image_fill(uint32_t width, uint32_t height, const uint8_t colour[4],
                    const bsp_allocator *allocator, bsp_image *out, bsp_error *error) {
    assert(colour != NULL && out != NULL);
    bsp_image_options options = {.allocator = allocator};
    memset(out, 0, sizeof *out);
    if (!bspi_image_new(width, height, &options, out, error)) {
        return false;
    }
    size_t row = 4 * (size_t)width;
    for (size_t i = 0; i < width; i++) {
        memcpy(out->pixels + 4 * i, colour, 4);
    }
    for (uint32_t y = 1; y < height; y++) {
        memcpy(out->pixels + y * row, out->pixels, row);
    }
    return true;
}

// --- palettes -----------------------------------------------------------------------------------

void bspi_indexed(const uint8_t *indices, size_t count, bsp_bytes palette, bool hole,
                  uint8_t *rgba) {
    uint8_t colours[256][4];
    for (size_t i = 0; i < 256; i++) {
        bool known = palette.size >= 3 * (i + 1);
        for (size_t c = 0; c < 3; c++) {
            colours[i][c] = palette.size == 0 ? (uint8_t)i : known ? palette.data[3 * i + c] : 0;
        }
        colours[i][3] = 255;
    }
    if (hole) {
        memset(colours[255], 0, 4);
    }
    for (size_t i = 0; i < count; i++) {
        memcpy(rgba + 4 * i, colours[indices[i]], 4);
    }
}

bsp_bytes bsp_palette_of(bsp_bytes bytes) {
    bsp_bytes none = {NULL, 0};
    bool pcx =
        bytes.size > 128 + 1 + BSPI_PALETTE_SIZE && bytes.data[0] == 0x0A && bytes.data[2] <= 1;
    if (pcx && bytes.data[bytes.size - 1 - BSPI_PALETTE_SIZE] == 0x0C) {
        return bspi_slice(bytes, bytes.size - BSPI_PALETTE_SIZE, BSPI_PALETTE_SIZE);
    }
    return bytes.size < BSPI_PALETTE_SIZE || pcx ? none : bspi_slice(bytes, 0, BSPI_PALETTE_SIZE);
}

bool bspi_image_head(bsp_bytes bytes, const bsp_layout *layout, bsp_table *head, bsp_error *error) {
    *head = (bsp_table){layout, bytes.data, 1, false};
    return bytes.size >= layout->size ||
           bsp_fail(error, BSP_E_DAMAGED, NULL, "%zu bytes are no image: its head has %u",
                    bytes.size, (unsigned)layout->size);
}
