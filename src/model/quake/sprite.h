// SPDX-License-Identifier: MIT
// The rectangle of a sprite.
#ifndef BSPI_MODEL_QUAKE_SPRITE_H
#define BSPI_MODEL_QUAKE_SPRITE_H

#include "model/build.h"

/// Where a picture lies, in game units from the sprite's place.
typedef struct bspi_sprite_box {
    float left; ///< of a viewer; the right is left + width
    float top;
    float width;
    float height;
} bspi_sprite_box;

/// Builds a sprite: a rectangle at x = 0 that looks to +x.
bool bspi_sprite_build(bspi_model_builder *b, uint32_t material, bsp_sprite_facing facing,
                       const bspi_sprite_box *box);

#endif
