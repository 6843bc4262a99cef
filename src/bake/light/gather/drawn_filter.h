// SPDX-License-Identifier: MIT
// Quake 3: light that is mixed with that beside it.
#ifndef BSPI_BAKE_DRAWN_FILTER_H
#define BSPI_BAKE_DRAWN_FILTER_H

#include "bake/light/places/places.h"

/// Returns over how many places on each side light is mixed, of a lamp with that radius in units,
/// or 0: it stays.
uint32_t bspi_filter_reach(const bspi_relight *own, const bspi_places *places, float radius);

/// Mixes what lit places have with what those up to `reach` beside them have; the last ones count
/// half.
bool bspi_filter_mix(bspi_relight *own, const bspi_places *places, uint32_t reach, float (*sums)[3],
                     bsp_error *error);

#endif
