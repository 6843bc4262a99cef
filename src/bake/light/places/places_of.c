// SPDX-License-Identifier: MIT
// Where light is measured on a face, in every family.
#include "bake/light/drawn/drawn.h"
#include "bake/light/places/places.h"

bool bspi_places_find(bspi_relight *own, uint32_t face, uint32_t extra, bspi_places *out,
                      bsp_error *error) {
    return own->drawn != NULL ? bspi_drawn_places(own, face, extra, out, error)
                              : bspi_places_luxels(own, face, extra, 0, out, error);
}
