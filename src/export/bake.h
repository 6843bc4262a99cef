// SPDX-License-Identifier: MIT
// Images of texture times light, in which every lit face has its own place.
#ifndef BSPI_EXPORT_BAKE_H
#define BSPI_EXPORT_BAKE_H

#include "export/content.h"

/// The largest factor of light that is kept when it is multiplied with a texture.
#define BSPI_BAKE_RANGE 2.0F

/// The place of a face of the mesh.
typedef struct bspi_bake_place {
    uint32_t page; ///< BSP_NONE: the face is not baked
    uint32_t x;
    uint32_t y;
    uint32_t width;
    uint32_t height;
    float density;  ///< texels per edge of a luxel
    float first[2]; ///< luxel of the light page at the first texel inside of the border
} bspi_bake_place;

/// Gives each lit face of the content's mesh a place; sets content->baked_uv and num_pages. Page
/// numbers never decrease from one face to the next. Returns NULL on failure; owned by the
/// content's arena.
bspi_bake_place *bspi_bake_place_all(bspi_content *content, bsp_error *error);

/// Draws the images and sets content->pages.
bool bspi_bake_draw(bspi_content *content, const bspi_bake_place *places, bsp_error *error);

#endif
