// SPDX-License-Identifier: MIT
// What is heard in leaves of Quake.
#ifndef BSPI_LEAF_SOUNDS_H
#define BSPI_LEAF_SOUNDS_H

#include "bspkit/core.h"

#include <stdint.h>

/// The sounds, as bits in their order in a leaf (ambient_level).
enum {
    BSPI_SOUND_WATER = 1,
    BSPI_SOUND_SKY = 2,
    BSPI_SOUND_SLIME = 4,
    BSPI_SOUND_LAVA = 8,
};

/// Returns the sound of surfaces with a texture, or 0.
uint8_t bspi_sound_of(bsp_text texture);

#endif
