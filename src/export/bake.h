// SPDX-License-Identifier: MIT
// Texture times light, in images in which every lit face has a place of its own.
#ifndef BSPI_EXPORT_BAKE_H
#define BSPI_EXPORT_BAKE_H

#include "export/content.h"

/// Factor of light that is kept when it is multiplied into a texture.
#define BSPI_BAKE_RANGE 2.0F

/// The place of a face of the mesh.
typedef struct bspi_bake_place {
    uint32_t page; ///< BSP_NONE: the face is not baked
    uint32_t x;
    uint32_t y;
    uint32_t width;
    uint32_t height;
    float density;  ///< texels for a luxel's edge
    float first[2]; ///< luxel on the light page at the first texel behind the border
} bspi_bake_place;

/// Gives each lit face of the content's mesh a place; sets content->baked_uv and num_pages. Pages
/// do not fall from one face to the next. NULL on failure; owned by the content's arena.
bspi_bake_place *bspi_bake_place_all(bspi_content *content, bsp_error *error);

/// Draws the images and sets content->pages.
bool bspi_bake_draw(bspi_content *content, const bspi_bake_place *places, bsp_error *error);

#endif
