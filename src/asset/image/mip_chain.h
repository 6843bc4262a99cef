// SPDX-License-Identifier: MIT
// An image in halves of halves, and the colour at a place of it: what pictures and exports sample.
#ifndef BSPI_ASSET_IMAGE_MIP_CHAIN_H
#define BSPI_ASSET_IMAGE_MIP_CHAIN_H

#include "bspkit/asset.h"
#include "core/memory.h"

#define BSPI_MAX_MIPS 15u // of BSP_IMAGE_MAX, down to one texel

/// An image at one size: RGBA, rows from the top. Rows of a chain are followed by their first
/// texel once more and the last row by the first, so that the four texels around a place are two
/// pairs at a fixed distance.
typedef struct bspi_mip {
    const uint8_t *pixels;
    uint32_t width;
    uint32_t height;
    uint32_t pitch; ///< texels from one row to the next: of a chain width + 1
} bspi_mip;

/// Mip 0 is the whole, each next one half of it, down to one texel.
typedef struct bspi_mip_chain {
    bspi_mip mips[BSPI_MAX_MIPS]; ///< pixels are owned by the arena
    uint32_t count;               ///< 0: there is no image
} bspi_mip_chain;

/// Copies pixels without gaps into the arena, with their first texels repeated.
bool bspi_mip_copy(bspi_arena *arena, const uint8_t *pixels, uint32_t width, uint32_t height,
                   bspi_mip *out, bsp_error *error);

/// Builds the mips of an image in the arena. Those that are wider or higher than `most` are left
/// out.
bool bspi_mip_chain_build(bspi_arena *arena, const bsp_image *image, uint32_t most,
                          bspi_mip_chain *out, bsp_error *error);

/// Computes the colour at a place, in repeats of the image: bilinear, components 0..255. `clamp`:
/// it does not repeat, and its outermost texels go on.
void bspi_mip_sample(const bspi_mip *mip, const float uv[2], bool clamp, float out[4]);

#endif
