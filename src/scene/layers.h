// SPDX-License-Identifier: MIT
// How much of a texture is seen that a displacement with multiblend mixes in.
#ifndef BSPI_SCENE_LAYERS_H
#define BSPI_SCENE_LAYERS_H

#include "bspkit/asset.h"

/// The textures that are mixed in after the second one.
#define BSPI_LAYERS 2u

/// Returns how much of a texture is seen, of 255, where the map has that share of it
/// (bsp_mesh.blends). `blend` is bsp_texture.blend.
uint8_t bspi_layer_share(uint8_t share, const float blend[2]);

#endif
