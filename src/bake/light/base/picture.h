// SPDX-License-Identifier: MIT
// Pictures of materials, while light is made.
#ifndef BSPI_BAKE_PICTURE_H
#define BSPI_BAKE_PICTURE_H

#include "bake/light/base/work.h"

/// The picture of a material.
typedef struct bspi_picture {
    uint32_t width; ///< 0: it was not found
    uint32_t height;
    float scale[2];        ///< pixels for each texel that texture vectors count
    const uint8_t *pixels; ///< four bytes each, in the arena
} bspi_picture;

/// Copies that of a texture into the arena; `out` stays as it was where there is none.
bool bspi_picture_keep(bspi_relight *own, const bsp_texture *texture, bspi_picture *out,
                       bsp_error *error);

/// Reads it; `out` stays as it was where there is none.
bool bspi_picture_read(bspi_relight *own, const bsp_textures *textures, uint32_t material,
                       bspi_picture *out, bsp_error *error);

#endif
