// SPDX-License-Identifier: MIT
// The image decoders, each in its own file.
#ifndef BSPI_ASSET_IMAGE_IMAGE_H
#define BSPI_ASSET_IMAGE_IMAGE_H

#include "bspkit/asset.h"
#include "core/memory.h"
#include "core/reader.h"

/// Initialises the heap of an image that is decoded.
static inline void bspi_image_heap(bspi_heap *heap, const bsp_image_options *options) {
    bspi_heap_init_for(heap, BSP_PRODUCT_IMAGE, 0, options->budget, options->allocator);
}

/// Fails with BSP_E_LIMIT if an image of that size, at most BSP_IMAGE_MAX each, needs too much
/// memory.
bool bspi_image_fits(uint64_t width, uint64_t height, const bsp_image_options *options,
                     bsp_error *error);

/// Allocates the pixels, not cleared; refuses empty and too large sizes.
bool bspi_image_new(uint64_t width, uint64_t height, const bsp_image_options *options,
                    bsp_image *out, bsp_error *error);

/// Returns the palette of a texture of GoldSrc, BSPI_PALETTE_SIZE of the bytes that are given, or
/// empty bytes if it has none.
bsp_bytes bspi_miptex_palette(bsp_bytes bytes);

/// Converts `count` palette indices to colours. Without a palette: shades of grey.
void bspi_indexed(const uint8_t *indices, size_t count, bsp_bytes palette, bool hole,
                  uint8_t *rgba);

typedef bool bspi_decode(bsp_bytes bytes, const bsp_image_options *options, bsp_image *out,
                         bsp_error *error);
bspi_decode bspi_decode_miptex, bspi_decode_qpic, bspi_decode_wal, bspi_decode_hwal, bspi_decode_m8,
    bspi_decode_m32, bspi_decode_pcx, bspi_decode_tga, bspi_decode_jpeg, bspi_decode_png,
    bspi_decode_vtf;

/// Reads a head of `size` bytes as a table; returns false with BSP_E_DAMAGED when the bytes end
/// before.
bool bspi_image_head(bsp_bytes bytes, const bsp_layout *layout, bsp_table *head, bsp_error *error);

// --- blocks of 4x4 pixels (blocks.c) ------------------------------------------------------------

/// Decodes a block into 16 RGBA pixels, from the top row on.
typedef void bspi_block(const uint8_t *block, uint8_t rgba[64]);
/// BC1 with one-bit alpha, and without (then the fourth colour of such blocks is opaque black).
bspi_block bspi_block_bc1a, bspi_block_bc1;
bspi_block bspi_block_bc2, bspi_block_bc3;
/// BC4 as grey; two of them as a normal: y, then x; z is computed.
bspi_block bspi_block_bc4, bspi_block_bc5;

// --- pixel formats of VTF (pixels.c) ------------------------------------------------------------

/// Decodes one pixel.
typedef void bspi_pixel(const uint8_t *p, uint8_t rgba[4]);

typedef struct bspi_pixel_format {
    const char *name;
    uint32_t bytes;    ///< of a pixel, or of a block
    bspi_pixel *pixel; ///< NULL for blocks
    bspi_block *block; ///< NULL for pixels
} bspi_pixel_format;

/// Returns the format of a code as version 7.5 counts them, or NULL.
const bspi_pixel_format *bspi_vtf_format(int32_t code);
/// Returns the bytes of an image of at most 65535 pixels a side.
uint64_t bspi_vtf_image_size(const bspi_pixel_format *format, uint32_t width,
                             uint32_t height); // vtf.c

/// Converts a half-precision float.
float bspi_half(uint16_t bits);
/// Converts a float to half precision: to the nearest, at most the largest number; what is below 0,
/// and NaN, is 0.
uint16_t bspi_half_of(float value);

#endif
