// SPDX-License-Identifier: MIT
// Reads PNG, with libpng's simplified interface. Only this file uses libpng. BSPKIT_PNG=OFF builds
// the library without it; png_write.c needs none.
#include "asset/image/image.h"
#include "core/memory.h"

#ifdef BSPI_WITH_PNG

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

#else

bool bspi_decode_png(bsp_bytes bytes, const bsp_image_options *options, bsp_image *out,
                     bsp_error *error) {
    (void)bytes;
    (void)options;
    (void)out;
    return bsp_fail(error, BSP_E_UNSUPPORTED, NULL, "this build has no PNG");
}

#endif
