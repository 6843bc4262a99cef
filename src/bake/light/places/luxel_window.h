// SPDX-License-Identifier: MIT
// Which places around a luxel make its light, and how much of it each.
#ifndef BSPI_BAKE_LUXEL_WINDOW_H
#define BSPI_BAKE_LUXEL_WINDOW_H

#include "bake/light/places/places.h"

#define BSPI_WINDOW_PLACES 24u // along an axis, at most

/// The window of a luxel along an axis.
typedef struct bspi_luxel_window {
    float half; ///< of its width, in places
    int before; ///< places from its first one to the middle of the luxel, or the one before that
    uint32_t count;                  ///< places
    float parts[BSPI_WINDOW_PLACES]; ///< what of each is in it, above 0
} bspi_luxel_window;

/// A place in a window.
typedef struct bspi_window_place {
    size_t place;
    float part;
} bspi_window_place;

/// Makes the window of luxels that are `blur` luxels wide, of places for `extra` along a luxel.
void bspi_luxel_window_make(float blur, uint32_t extra, bspi_luxel_window *out);

/// Returns the place in the middle of a luxel, or before that.
size_t bspi_luxel_window_middle(const bspi_places *places, uint32_t luxel);

/// Sets the places around a luxel, row by row. Returns how many.
uint32_t bspi_luxel_window_places(const bspi_luxel_window *window, const bspi_places *places,
                                  uint32_t luxel,
                                  bspi_window_place out[BSPI_WINDOW_PLACES * BSPI_WINDOW_PLACES]);

#endif
