// SPDX-License-Identifier: MIT
// What products share of the textures that they take from a scene.
#ifndef BSPI_SCENE_TEXTURES_H
#define BSPI_SCENE_TEXTURES_H

#include "bspkit/asset.h"
#include "core/memory.h"

/// Opacity of liquids and of surfaces that the map calls translucent, when their texture does not
/// state one.
#define BSPI_TRANSLUCENT_OPACITY 0.6F

/// Files of a search path that are read besides the map may take as much as they take in a map.
static inline void bspi_texture_extend(bspi_heap *heap, const bsp_texture *texture) {
    if (texture->read != 0) {
        uint64_t pixels = (uint64_t)texture->image.width * texture->image.height;
        bspi_heap_extend(heap, texture->read + pixels);
    }
}

#endif
