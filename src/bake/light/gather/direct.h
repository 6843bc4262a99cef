// SPDX-License-Identifier: MIT
// The direct light of lamps.
#ifndef BSPI_BAKE_DIRECT_H
#define BSPI_BAKE_DIRECT_H

#include "bake/light/lamps/lamp.h"
#include "bake/light/places/places.h"

/// Some lamps.
typedef struct bspi_lamp_list {
    const bspi_lamp *lamps;
    const uint32_t *which; ///< numbers of those that are meant; NULL: the first ones
    uint32_t count;
} bspi_lamp_list;

/// Makes the direct light at places; luxels are in the heap, four styles of them.
bool bspi_direct_at(bspi_relight *own, bspi_places *places, bsp_relight_face *out,
                    bsp_error *error);

/// Makes the direct light of a face.
bool bspi_direct_face(bspi_relight *own, uint32_t face, bsp_error *error);

/// The same as bspi_direct_at, of other lamps.
bool bspi_gather_at(bspi_relight *own, bspi_places *places, const bspi_lamp_list *lamps,
                    bsp_relight_face *out, bsp_error *error);

#endif
