// SPDX-License-Identifier: MIT
// The texture formats of Quake and its successors: a head with a size and the offsets of four or
// sixteen mip images, then palette indices (M32: colours). Formats: sheets goldsrc-quake1 (4, 8),
// quake2 (9), outputs (5.4).
#include "asset/image/image.h"
#include "asset/layouts.h"

#include "formats/composites.h"

// The fields of a format, by number.
typedef struct mip_format {
    const bsp_layout *layout;
    uint32_t width; // height and offsets follow
    bool sizes;     // width and height are stated for each mip
    uint32_t mips;
} mip_format;

static const mip_format miptex = {&bspi_miptex_t, 1, false, 4};
static const mip_format wal = {&bspi_wal_t, 1, false, 4};
static const mip_format hwal = {&bspi_hwal_t, 3, false, 4};
static const mip_format m8 = {&bspi_m8_t, 2, true, 16};
static const mip_format m32 = {&bspi_m32_t, 5, true, 16};

typedef struct mip {
    uint64_t width;
    uint64_t height;
    uint64_t offset;
    bsp_bytes pixels;
} mip;

// Finds mip number `n`, with pixels of `bytes_each` bytes.
static bool find_mip(bsp_bytes bytes, const mip_format *format, uint32_t n, uint64_t bytes_each,
                     mip *out, bsp_error *error) {
    bsp_table head;
    if (!bspi_image_head(bytes, format->layout, &head, error)) {
        return false;
    }
    if (n >= format->mips) {
        return bsp_fail(error, BSP_E_ARGUMENT, NULL, "there is no mip %u", (unsigned)n);
    }
    uint32_t at = format->sizes ? n : 0;
    uint32_t shift = format->sizes ? 0 : n;
    out->width = (uint64_t)bsp_table_int(&head, 0, format->width, at) >> shift;
    out->height = (uint64_t)bsp_table_int(&head, 0, format->width + 1, at) >> shift;
    out->offset = (uint64_t)bsp_table_int(&head, 0, format->width + 2, n);
    if (out->width > BSP_IMAGE_MAX || out->height > BSP_IMAGE_MAX) {
        return bsp_fail(error, BSP_E_DAMAGED, NULL, "an image of %llu x %llu pixels",
                        (unsigned long long)out->width, (unsigned long long)out->height);
    }
    uint64_t size = out->width * out->height * bytes_each;
    out->pixels = bspi_slice(bytes, out->offset, size);
    return (out->offset != 0 && out->pixels.size != 0) ||
           bsp_fail(error, BSP_E_DAMAGED, NULL, "the pixels are not all there");
}

static bool decode_indexed(bsp_bytes bytes, const mip_format *format, bsp_bytes palette,
                           const bsp_image_options *options, bsp_image *out, bsp_error *error) {
    mip m = {0};
    if (!find_mip(bytes, format, options->mip, 1, &m, error) ||
        !bspi_image_new(m.width, m.height, options, out, error)) {
        return false;
    }
    bspi_indexed(m.pixels.data, m.pixels.size, palette, options->hole, out->pixels);
    return true;
}

// A count of 256 and the colours follow the smallest mip.
bsp_bytes bspi_miptex_palette(bsp_bytes bytes) {
    mip last = {0};
    bsp_bytes none = {NULL, 0};
    if (!find_mip(bytes, &miptex, 3, 1, &last, NULL)) {
        return none;
    }
    bsp_bytes count = bspi_slice(bytes, last.offset + last.pixels.size, 2);
    if (count.size == 0 || bspi_load16(count.data, false) != BSPI_PALETTE_COLORS) {
        return none;
    }
    return bspi_slice(bytes, last.offset + last.pixels.size + 2, BSPI_PALETTE_SIZE);
}

bool bspi_decode_miptex(bsp_bytes bytes, const bsp_image_options *options, bsp_image *out,
                        bsp_error *error) {
    bsp_bytes own = bspi_miptex_palette(bytes);
    return decode_indexed(bytes, &miptex, own.size != 0 ? own : options->palette, options, out,
                          error);
}

bool bspi_decode_wal(bsp_bytes bytes, const bsp_image_options *options, bsp_image *out,
                     bsp_error *error) {
    return decode_indexed(bytes, &wal, options->palette, options, out, error);
}

bool bspi_decode_hwal(bsp_bytes bytes, const bsp_image_options *options, bsp_image *out,
                      bsp_error *error) {
    return decode_indexed(bytes, &hwal, options->palette, options, out, error);
}

bool bspi_decode_m8(bsp_bytes bytes, const bsp_image_options *options, bsp_image *out,
                    bsp_error *error) {
    bsp_bytes palette = bspi_slice(bytes, bsp_layout_offset(&bspi_m8_t, 6), BSPI_PALETTE_SIZE);
    return decode_indexed(bytes, &m8, palette, options, out, error);
}

bool bspi_decode_m32(bsp_bytes bytes, const bsp_image_options *options, bsp_image *out,
                     bsp_error *error) {
    mip m = {0};
    if (!find_mip(bytes, &m32, options->mip, 4, &m, error) ||
        !bspi_image_new(m.width, m.height, options, out, error)) {
        return false;
    }
    memcpy(out->pixels, m.pixels.data, m.pixels.size);
    return true;
}

// Decodes an image of a WAD: size and indices; in a WAD3 a count and a palette follow.
bool bspi_decode_qpic(bsp_bytes bytes, const bsp_image_options *options, bsp_image *out,
                      bsp_error *error) {
    bsp_table head;
    if (!bspi_image_head(bytes, &bspi_qpic_t, &head, error)) {
        return false;
    }
    uint64_t width = (uint64_t)bsp_table_int(&head, 0, BSPI_QPIC_WIDTH, 0);
    uint64_t height = (uint64_t)bsp_table_int(&head, 0, BSPI_QPIC_HEIGHT, 0);
    bsp_bytes pixels = bspi_slice(bytes, bspi_qpic_t.size, width * height);
    if (width > BSP_IMAGE_MAX || height > BSP_IMAGE_MAX || pixels.size == 0) {
        return bsp_fail(error, BSP_E_DAMAGED, NULL, "the pixels are not all there");
    }
    if (!bspi_image_new(width, height, options, out, error)) {
        return false;
    }
    uint64_t after = bspi_qpic_t.size + pixels.size;
    bsp_bytes own = bspi_slice(bytes, after + 2, BSPI_PALETTE_SIZE);
    bspi_indexed(pixels.data, pixels.size, own.size != 0 ? own : options->palette, options->hole,
                 out->pixels);
    return true;
}
