// SPDX-License-Identifier: MIT
// PNG, with libpng's simplified interface. Only this file uses libpng. BSPKIT_PNG=OFF builds the
// library without it.
#include "asset/image/image.h"
#include "core/memory.h"

#ifdef BSPI_WITH_PNG

#include <assert.h>
#include <png.h>

// One byte of DEFLATE data gives at most 1032, and a pixel has at least one bit.
static bool plausible(const png_image *png, size_t bytes) {
    return (uint64_t)png->width * png->height / 8 / 1040 <= bytes;
}

bool bspi_decode_png(bsp_bytes bytes, const bsp_image_options *options, bsp_image *out,
                     bsp_error *error) {
    png_image png = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_memory(&png, bytes.data, bytes.size)) {
        return bsp_fail(error, BSP_E_DAMAGED, NULL, "PNG: %s", png.message);
    }
    png.format = PNG_FORMAT_RGBA;
    if (!plausible(&png, bytes.size)) {
        png_image_free(&png);
        return bsp_fail(error, BSP_E_DAMAGED, NULL, "the pixels are not all there");
    }
    if (!bspi_image_new(png.width, png.height, options, out, error)) {
        png_image_free(&png);
        return false;
    }
    if (!png_image_finish_read(&png, NULL, out->pixels, 0, NULL)) {
        return bsp_fail(error, BSP_E_DAMAGED, NULL, "PNG: %s", png.message);
    }
    return true;
}

static bool is_opaque(const bsp_image *image) {
    for (size_t i = 0; i < (size_t)image->width * image->height; i++) {
        if (image->pixels[4 * i + 3] != 255) {
            return false;
        }
    }
    return true;
}

// Converts RGBA to RGB in new memory.
static uint8_t *without_alpha(const bsp_image *image, bspi_heap *heap, bsp_error *error) {
    size_t count = (size_t)image->width * image->height;
    uint8_t *rgb = bspi_heap_alloc(heap, 3 * count, error);
    for (size_t i = 0; rgb != NULL && i < count; i++) {
        memcpy(rgb + 3 * i, image->pixels + 4 * i, 3);
    }
    return rgb;
}

static bool write_pixels(png_image *png, const void *pixels, bspi_heap *heap, bsp_blob *out,
                         bsp_error *error) {
    size_t room = PNG_IMAGE_PNG_SIZE_MAX(*png);
    size_t size = room;
    uint8_t *data = bspi_heap_alloc(heap, room, error);
    if (data == NULL) {
        return false;
    }
    if (!png_image_write_to_memory(png, data, &size, 0, pixels, 0, NULL)) {
        bspi_heap_free(heap, data, room);
        return bsp_fail(error, BSP_E_MEMORY, NULL, "PNG: %s", png->message);
    }
    *out = (bsp_blob){bspi_heap_alloc(heap, size, error), size, heap->allocator};
    if (out->data != NULL) {
        memcpy(out->data, data, size);
    }
    bspi_heap_free(heap, data, room);
    return out->data != NULL;
}

bool bsp_image_write_png(const bsp_image *image, const bsp_allocator *allocator, bsp_blob *out,
                         bsp_error *error) {
    assert(image != NULL && out != NULL);
    bspi_heap heap;
    bspi_heap_init(&heap, allocator, 0);
    memset(out, 0, sizeof *out);
    png_image png = {.version = PNG_IMAGE_VERSION,
                     .width = image->width,
                     .height = image->height,
                     .format = PNG_FORMAT_RGBA};
    if (!is_opaque(image)) {
        return write_pixels(&png, image->pixels, &heap, out, error);
    }
    png.format = PNG_FORMAT_RGB;
    uint8_t *rgb = without_alpha(image, &heap, error);
    bool done = rgb != NULL && write_pixels(&png, rgb, &heap, out, error);
    bspi_heap_free(&heap, rgb, 3 * (size_t)image->width * image->height);
    return done;
}

#else

bool bspi_decode_png(bsp_bytes bytes, const bsp_image_options *options, bsp_image *out,
                     bsp_error *error) {
    (void)bytes;
    (void)options;
    (void)out;
    return bsp_fail(error, BSP_E_UNSUPPORTED, NULL, "this build has no PNG");
}

bool bsp_image_write_png(const bsp_image *image, const bsp_allocator *allocator, bsp_blob *out,
                         bsp_error *error) {
    assert(image != NULL && out != NULL);
    (void)image;
    (void)allocator;
    memset(out, 0, sizeof *out);
    return bsp_fail(error, BSP_E_UNSUPPORTED, NULL, "this build has no PNG");
}

#endif
