// SPDX-License-Identifier: MIT
// Detects the format of an image, and decodes it.
#include "asset/image/image.h"
#include "core/options.h"
#include "core/text.h"

#include <assert.h>

// --- formats ------------------------------------------------------------------------------------

bsp_image_format bsp_image_detect(bsp_bytes bytes, bsp_text name) {
    static const struct {
        const char *bytes;
        size_t size;
        bsp_image_format format;
    } signs[] = {
        {"\x89PNG", 4, BSP_IMAGE_PNG},
        {"\xFF\xD8\xFF", 3, BSP_IMAGE_JPEG},
        {"VTF\0", 4, BSP_IMAGE_VTF},
        {"HWAL", 4, BSP_IMAGE_HWAL},
    };
    static const struct {
        const char *ending;
        bsp_image_format format;
    } endings[] = {
        {".tga", BSP_IMAGE_TGA},  {".wal", BSP_IMAGE_WAL},  {".pcx", BSP_IMAGE_PCX},
        {".m8", BSP_IMAGE_M8},    {".m32", BSP_IMAGE_M32},  {".mip", BSP_IMAGE_MIPTEX},
        {".pic", BSP_IMAGE_QPIC}, {".lmp", BSP_IMAGE_QPIC},
    };
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        if (bytes.size >= signs[i].size && memcmp(bytes.data, signs[i].bytes, signs[i].size) == 0) {
            return signs[i].format;
        }
    }
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        if (bspi_text_ends_nocase(name, endings[i].ending)) {
            return endings[i].format;
        }
    }
    return BSP_IMAGE_UNKNOWN;
}

bool bsp_image_decode(bsp_bytes bytes, bsp_image_format format, const bsp_image_options *options,
                      bsp_image *out, bsp_error *error) {
    assert(out != NULL);
    bsp_image_options taken;
    static bspi_decode *const decoders[] = {
        [BSP_IMAGE_MIPTEX] = bspi_decode_miptex, [BSP_IMAGE_QPIC] = bspi_decode_qpic,
        [BSP_IMAGE_WAL] = bspi_decode_wal,       [BSP_IMAGE_HWAL] = bspi_decode_hwal,
        [BSP_IMAGE_M8] = bspi_decode_m8,         [BSP_IMAGE_M32] = bspi_decode_m32,
        [BSP_IMAGE_PCX] = bspi_decode_pcx,       [BSP_IMAGE_TGA] = bspi_decode_tga,
        [BSP_IMAGE_JPEG] = bspi_decode_jpeg,     [BSP_IMAGE_PNG] = bspi_decode_png,
        [BSP_IMAGE_VTF] = bspi_decode_vtf,
    };
    memset(out, 0, sizeof *out);
    if (!BSPI_TAKE_OPTIONS(taken, options, error)) {
        return false;
    }
    if (format == BSP_IMAGE_UNKNOWN || (size_t)format >= sizeof decoders / sizeof *decoders) {
        return bsp_fail(error, BSP_E_UNSUPPORTED, NULL, "no image format that is known here");
    }
    if (!decoders[format](bytes, &taken, out, error)) {
        bsp_image_free(out);
        return false;
    }
    return true;
}
